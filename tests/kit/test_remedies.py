"""What Spark refuses is told in plain words: the cause, the remedy, and the answer's own line."""

import re
import sys
from datetime import UTC, datetime
from types import FunctionType

import pytest
from pyspark import cloudpickle
from pyspark.sql import DataFrame, Row, Window
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.rows import fare, ride
from trainer.running.answer import AnswerError, ContractError, Unfinished
from trainer.running.lines import TEXT, line_of
from trainer.running.remedies import REMEDIES, remedy
from trainer.scenario import run

# Spark's Python processes can't import a test: its processors go to them whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


def told(function, **inputs) -> AnswerError:
    """Run an answer that fails; give the error, whose message is one line."""
    with pytest.raises(AnswerError) as caught:
        run(function, **(inputs or {"rides": [[ride(1)]]}))
    assert "\n" not in str(caught.value)
    return caught.value


def timed(rides: DataFrame) -> DataFrame:
    """Set the watermark that the answers below lose again."""
    return rides.withWatermark("event_time", "10 minutes")


def by_driver(rides: DataFrame) -> DataFrame:
    """Group without any watermark."""
    return rides.groupBy("driver_id").count()


def by_hour(rides: DataFrame) -> DataFrame:
    """Group by time, without a watermark."""
    return rides.groupBy(F.window("event_time", "1 hour")).count()


def by_truncated_hour(rides: DataFrame) -> DataFrame:
    """Compute the hour, which has no watermark."""
    return timed(rides).groupBy(F.date_trunc("hour", "event_time").alias("hour")).count()


def by_end(rides: DataFrame) -> DataFrame:
    """Group again by the end of a window."""
    sums = timed(rides).groupBy(F.window("event_time", "1 hour"), "driver_id").count()
    ends = sums.select(F.col("window.end").alias("window_end"), "count")
    return ends.groupBy("window_end").agg(F.max("count"))


def watermark_last(rides: DataFrame) -> DataFrame:
    """Set the watermark behind the grouping."""
    sums = rides.groupBy(F.window("event_time", "1 hour")).count()
    return sums.withWatermark("window", "10 minutes")


def watermark_on_the_window(rides: DataFrame) -> DataFrame:
    """Set it on what was made of a window that has none."""
    hours = rides.withColumn("hour", F.window("event_time", "1 hour"))
    ends = hours.withColumn("end", F.col("hour.end")).withWatermark("end", "10 minutes")
    return ends.groupBy("hour").count()


def behind_a_sliding_window(rides: DataFrame) -> DataFrame:
    """Make the windows first, and group by them and by something long."""
    sliding = F.window("event_time", "1 hour", "20 minutes")
    place = F.when(F.col("is_start"), F.col("start_lon") * 1000 + F.col("start_lat"))
    later = timed(rides.withColumn("window", sliding))
    return later.groupBy("window", place.otherwise(F.col("end_lon"))).count()


def by_driver_for_ever(rides: DataFrame) -> DataFrame:
    """Have a watermark, and group by something else."""
    return timed(rides).groupBy("driver_id").agg(F.max("event_time"))


def by_hour_of_a_copy(rides: DataFrame) -> DataFrame:
    """Compute the time anew, and take the window of that."""
    later = timed(rides).withColumn("event_time", F.expr("event_time + interval 1 hour"))
    return later.groupBy(F.window("event_time", "1 hour")).count()


@pytest.mark.parametrize(
    ("answer", "cause", "code"),
    [
        (by_driver, "There is no watermark", 'rides.groupBy("driver_id")'),
        (by_hour, "There is no watermark", 'rides.groupBy(F.window("event_time"'),
        (by_truncated_hour, "date_trunc('hour', event_time) is computed from event_time", "hour"),
        (by_end, "window_end is the end of a window", 'return ends.groupBy("window_end")'),
        (watermark_last, "withWatermark comes after the grouping by window", "groupBy"),
        (watermark_on_the_window, "The watermark is on end, but the window", 'groupBy("hour")'),
        (
            behind_a_sliding_window,
            "the window was made of a column that has none",
            "later",
        ),
        (by_driver_for_ever, "the grouping is by driver_id alone", 'groupBy("driver_id").agg'),
        (by_hour_of_a_copy, "The window is made of a column that was computed", "groupBy"),
    ],
)
def test_where_a_watermark_got_lost(spark, answer, cause, code):
    """Spark's one sentence has many causes; the one that holds is told, with the line."""
    said = str(told(answer))
    assert cause in said and code in said.split("(line")[-1]
    assert said.endswith("Spark says STREAMING_OUTPUT_MODE.UNSUPPORTED_OPERATION.")


def test_a_group_by_time_is_not_told_to_group_by_time(spark):
    """Only what is missing is asked for."""
    assert "group by a window" in str(told(by_driver))
    assert "group by a window" not in str(told(by_hour))


def by_two(rides: DataFrame) -> DataFrame:
    """Set two watermarks."""
    both = timed(rides).withWatermark("event_time", "1 minute")
    return both.groupBy(F.window("event_time", "1 hour")).count()


def first_of_each(rides: DataFrame) -> DataFrame:
    """Number the rows of each driver."""
    each = Window.partitionBy("driver_id").orderBy("event_time")
    return rides.withColumn("n", F.row_number().over(each)).filter("n = 1")


def since_the_last(rides: DataFrame) -> DataFrame:
    """Look at the row before."""
    each = Window.partitionBy("driver_id").orderBy("event_time")
    return rides.withColumn("before", F.lag("event_time").over(each))


def outer(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Keep what has no partner, without saying when to give up."""
    return rides.join(fares, "ride_id", "left")


def which_of_both(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Name a column that is there twice."""
    both = rides.join(fares, rides["ride_id"] == fares["ride_id"])
    return both.select("ride_id")


@pytest.mark.parametrize(
    ("answer", "cause", "code"),
    [
        (by_two, "There are two watermarks", 'withWatermark("event_time", "1 minute")'),
        (first_of_each, "ROW_NUMBER over a Window", "F.row_number().over(each)"),
        (since_the_last, "LAG over a Window", 'F.lag("event_time").over(each)'),
        (lambda rides: rides.orderBy("event_time"), "can't be sorted", "orderBy"),
        (
            lambda rides: rides.crossJoin(rides),
            "joined without anything that is equal",
            "crossJoin",
        ),
        (lambda rides: rides.keyBy("ride_id"), "no column and no method `keyBy`", "keyBy"),
        (
            lambda rides: rides.filter(F.col("is_start") and F.col("ride_id") > 1),
            "write & for and",
            "is_start",
        ),
        (
            lambda rides: rides.filter(F.col("is_start") & F.col("ride_id") > 1),
            "put each condition in brackets",
            "is_start",
        ),
        (lambda rides: rides.withWatermark("event_time", "ten"), "'ten' is no length", '"ten"'),
    ],
)
def test_what_a_stream_can_not_do(spark, answer, cause, code):
    """Cause and remedy are a sentence each, and the line is the one to blame."""
    said = str(told(answer))
    assert cause in said and code in said.split("(line")[-1]


@pytest.mark.parametrize(
    ("answer", "cause"),
    [(outer, "must know when to give up on a partner"), (which_of_both, 'as in rides["ride_id"]')],
)
def test_what_a_join_lacks(spark, answer, cause):
    """So it is for joins."""
    assert cause in str(told(answer, rides=[[ride(1)]], fares=[[fare(1)]]))


def test_a_limit_is_refused_where_there_is_a_contract(spark):
    """It would be right for five rows; in a lesson it may be tried."""
    columns = "ride_id bigint"
    answer = lambda rides: rides.select("ride_id").limit(5)  # noqa: E731
    with pytest.raises(ContractError, match=r"takes limit\(5\), which counts from the start"):
        run(answer, columns=columns, rides=[[ride(1)]])
    assert len(run(answer, rides=[[ride(n) for n in range(9)]]).rows) == 5


class Processor(StatefulProcessor):
    """Does nothing; those below do it wrong."""

    def init(self, handle) -> None:
        """Open some state."""
        self.handle = handle
        self.list = handle.getListState("shelf", "n bigint")
        self.last = handle.getValueState("last", "time timestamp")

    def handleInputRows(self, key, rows, timerValues):
        """Give nothing, as it should."""
        return iter(())


class ReturnsNothing(Processor):
    """Forgets its return."""

    def handleInputRows(self, key, rows, timerValues):
        """Return None."""
        self.list.clear()


class MayReturnNothing(Processor):
    """Forgets its return on one way only."""

    def handleInputRows(self, key, rows, timerValues):
        """Return None here."""
        return iter(()) if key[0] > 1000 else None


class OtherName(Processor):
    """Names a parameter that Spark gives by name."""

    def handleExpiredTimer(self, key, timerValues, info):
        """Be called with another name."""
        return iter(())


class TooFew(Processor):
    """Takes fewer than Spark gives."""

    def handleInputRows(self, key, rows):
        """Be called with three."""
        return iter(())


class PutsNothing(Processor):
    """Empties a list by an empty one."""

    def handleInputRows(self, key, rows, timerValues):
        """Put what can't be put."""
        self.list.put([])
        return iter(())


class NothingYet(Processor):
    """Takes for granted that there is something."""

    def handleInputRows(self, key, rows, timerValues):
        """Look into state that nothing was put into."""
        yield Row(ride_id=self.last.get()[0])


class NothingToUnpack(Processor):
    """Takes it for granted in another way."""

    def handleInputRows(self, key, rows, timerValues):
        """Unpack state that nothing was put into."""
        (last,) = self.last.get()
        yield Row(ride_id=last)


class KeyIsNoTuple(Processor):
    """Asks for a key as it is."""

    def init(self, handle) -> None:
        """Open a map."""
        self.sums = handle.getMapState("sums", "hour bigint", "tips double")

    def handleInputRows(self, key, rows, timerValues):
        """Ask for a number."""
        if not self.sums.containsKey(1):
            yield Row(ride_id=1)


class LivesForAWhile(Processor):
    """Lets state go by the clock on the wall."""

    def init(self, handle) -> None:
        """Set a time to live."""
        self.last = handle.getValueState("last", "time timestamp", ttlDurationMs=7_200_000)


class NoZone(Processor):
    """Takes a time out of state."""

    def handleInputRows(self, key, rows, timerValues):
        """Compare it with one that has a zone."""
        self.last.update((datetime(2020, 1, 1),))
        yield Row(ride_id=(datetime.now(UTC) - self.last.get()[0]).days)


class GivesATuple(Processor):
    """Gives out a tuple."""

    def handleInputRows(self, key, rows, timerValues):
        """Give what has no names."""
        yield (1,)


class GivesText(Processor):
    """Gives out text for a number."""

    def handleInputRows(self, key, rows, timerValues):
        """Give another type than was said."""
        yield Row(ride_id="one")


class SameStateTwice(Processor):
    """Opens a state twice."""

    def init(self, handle) -> None:
        """Give two states one name."""
        handle.getValueState("n", "n bigint")
        handle.getValueState("n", "n bigint")


def processed(processor: object, time: str = "eventTime"):
    """Make an answer of a processor."""
    return lambda rides: (
        timed(rides)
        .groupBy("ride_id")
        .transformWithState(processor, "ride_id bigint", "append", time)
    )


@pytest.mark.parametrize(
    ("processor", "cause", "code"),
    [
        (Processor, "was given the class Processor; expected Processor()", ""),
        (42, "was given something of type int; expected an object of a class that is", ""),
        (ReturnsNothing(), "handleInputRows returns nothing; expected an iterator", "timerValues)"),
        (MayReturnNothing(), "a method of the processor returned nothing", "def handle"),
        (OtherName(), "takes key, timerValues, info; expected key, timerValues, exp", "info):"),
        (TooFew(), "takes key, rows; expected key, rows, timerValues", "key, rows):"),
        (PutsNothing(), "call shelf.clear()", "self.list.put([])"),
        (NothingYet(), "ask exists() first", "self.last.get()[0]"),
        (NothingToUnpack(), "ask exists() first", "(last,) = self.last.get()"),
        (
            KeyIsNoTuple(),
            "is a tuple, also if it has one part: containsKey((key,))",
            "containsKey(1)",
        ),
        (LivesForAWhile(), "Clear it by a timer", "ttlDurationMs=7_200_000"),
        (NoZone(), "what comes back from state has no zone", "self.last.get()"),
        (GivesATuple(), "of type tuple, expected a Row", ""),
        (GivesText(), "gave out 'one', of type str, in a column of type int64", ""),
        (SameStateTwice(), "init failed", "def init"),
    ],
)
def test_what_a_processor_gets_wrong(spark, processor, cause, code):
    """It is told in plain words, with the line, whether Spark was asked or not."""
    said = str(told(processed(processor)))
    assert cause.lower() in said.lower() and code in said.split("(line")[-1]


def test_a_processor_that_is_not_begun_is_unfinished(spark):
    """A method that only raises is no method that returns nothing."""

    class Stub(Processor):
        def handleInputRows(self, key, rows, timerValues):
            raise NotImplementedError

    assert isinstance(told(processed(Stub())), Unfinished)


def test_every_remedy_can_be_said():
    """No sentence names a group that its pattern lacks."""
    for each in REMEDIES:
        names = re.compile(each.pattern).groupindex
        assert each.says.format(**dict.fromkeys(names, "x"))


def test_what_is_not_known_is_left_to_spark():
    """Nothing is made up."""
    assert remedy("Something else") is None


@pytest.mark.parametrize("text", ["def f(:", "", "x = 1"])
def test_no_line_where_there_is_none(text):
    """A text that Python can't read, or that calls no such thing, has no line to quote."""
    function = FunctionType(test_no_line_where_there_is_none.__code__, {TEXT: text})
    assert line_of(function, ("groupBy",)) is None
