"""What learners get wrong when a new version goes on with an old version's state."""

from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import caught_by

OUTPUT = (
    "window_end timestamp, driver_id bigint, fares bigint, total double, tips double, "
    "best_ride bigint"
)
HOUR = 60 * 60 * 1000


class Upgraded(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    name, kept = "sums", "fares bigint, total double, tips double"

    def init(self, handle):
        """Find version one's sums, and make a place for the best ride."""
        self.handle = handle
        self.sums = handle.getValueState(self.name, self.kept)
        self.best = handle.getValueState("best", "ride_id bigint, total double")

    def handleInputRows(self, key, rows, timerValues):
        """Add the fares, and set a timer for the end of the hour."""
        fares, total, tips = self.known()
        best = self.best.get() if self.best.exists() else None
        for row in rows:
            fares, total, tips = fares + 1, total + row.total_fare, self.added(tips, row.tip)
            if best is None or (-row.total_fare, row.ride_id) < (-best[1], best[0]):
                best = (row.ride_id, row.total_fare)
        self.keep(fares, total, tips)
        if self.has_a_best(tips):
            self.best.update(best)
        self.handle.registerTimer(self.end(key))
        return iter(())

    def known(self):
        """Give what is known of the hour."""
        return self.sums.get() if self.sums.exists() else (0, 0.0, 0.0)

    def added(self, tips, tip):
        """Add a tip."""
        return None if tips is None else tips + (tip or 0.0)

    def keep(self, fares, total, tips):
        """Keep the sums."""
        self.sums.update((fares, total, tips))

    def has_a_best(self, tips):
        """Tell whether the best ride of the hour can be known."""
        return tips is not None

    def end(self, key):
        """Give the end of the hour, in milliseconds."""
        return int(key[1].timestamp() * 1000)

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Tell the hour, and forget it."""
        if self.is_told():
            fares, total, tips = self.known()
            best_ride = self.best.get()[0] if self.best.exists() else None
            news = {"tips": tips, "best_ride": best_ride}
            sums = {"driver_id": key[0], "fares": fares, "total": total}
            yield Row(window_end=expired(expiredTimerInfo), **sums, **news)
        self.forget()

    def is_told(self):
        """Tell whether the hour is one to be told."""
        return True

    def forget(self):
        """Clear all there is."""
        self.sums.clear()
        self.best.clear()


def expired(info):
    """Give the time of a timer."""
    return datetime.fromtimestamp(info.getExpiryTimeInMs() / 1000, UTC)


def _by(fares: DataFrame, processor: StatefulProcessor, window_end=None) -> DataFrame:
    hour = F.date_trunc("hour", "start_time")
    window_end = hour + F.expr("INTERVAL 1 HOUR") if window_end is None else window_end
    timed = fares.withWatermark("start_time", "10 minutes").withColumn("window_end", window_end)
    by_hour = timed.groupBy("driver_id", "window_end")
    return by_hour.transformWithState(processor, OUTPUT, "append", timeMode="eventTime")


class UnderAnotherName(Upgraded):
    """Calls the variable by a name that says more."""

    name = "hour_sums"

    def is_told(self):
        """Tell only what is there."""
        return self.sums.exists()


@caught_by(
    "test_what_version_one_counted_counts",
    "test_an_hour_without_a_fare_after_the_upgrade_is_told",
)
def another_name_for_the_variable(fares: DataFrame) -> DataFrame:
    """You gave the state variable another name. It is by its name that its values are found in
    the checkpoint, so to Spark it is a new one, which is empty. What version one counted still lies
    there, under the old name, and nobody asks for it."""
    return _by(fares, UnderAnotherName())


class WithAnotherField(Upgraded):
    """Calls a field by a name that says more."""

    kept = "fares bigint, amount double, tips double"

    def known(self):
        """Take nothing for zero."""
        fares, total, tips = super().known()
        return fares, total or 0.0, tips


@caught_by(
    "test_what_version_one_counted_counts",
    "test_an_hour_without_a_fare_after_the_upgrade_is_told",
)
def another_name_for_the_field(fares: DataFrame) -> DataFrame:
    """A field of the value has another name than in version one. In an avro checkpoint fields are
    found by their names, and a renamed one is an old one that went and a new one that came: in
    every value of version one it is `None`. Spark doesn't complain. (With unsaferow it is the
    position that counts, and the name could have changed.)"""
    return _by(fares, WithAnotherField())


class NothingIsZero(Upgraded):
    """Takes a tip sum that isn't known for none."""

    def known(self):
        """Take nothing for zero."""
        fares, total, tips = super().known()
        return fares, total, tips or 0.0

    def has_a_best(self, tips):
        """Tell the best ride of those that were noted."""
        return True


@caught_by("test_half_a_sum_is_not_told", "test_an_hour_that_version_one_counted_alone_has_no_news")
def not_known_is_nothing(fares: DataFrame) -> DataFrame:
    """In a value that version one wrote the new field is `None`, and you count it as 0.0. So the
    drivers are told a sum of the tips since the upgrade as if it were the hour's. `None` says that
    nobody knows; handed on, it says so in the output too."""
    return _by(fares, NothingIsZero())


class SinceTheUpgrade(Upgraded):
    """Begins to add up tips with the first fare after the upgrade."""

    def added(self, tips, tip):
        """Begin with what comes."""
        return (tips or 0.0) + (tip or 0.0)


@caught_by("test_half_a_sum_is_not_told", "test_the_best_of_the_rest_is_not_told")
def tips_since_the_upgrade(fares: DataFrame) -> DataFrame:
    """With the first fare after the upgrade you begin to add up the tips of an hour that version
    one began. From then on the hour looks like one of your own, and half of its tips are told as
    if they were all. That they aren't known must be remembered until the hour is told."""
    return _by(fares, SinceTheUpgrade())


class BestOfTheRest(Upgraded):
    """Keeps the best ride, whoever began the hour."""

    def has_a_best(self, tips):
        """Keep what is best so far."""
        return True


@caught_by("test_the_best_of_the_rest_is_not_told")
def best_since_the_upgrade(fares: DataFrame) -> DataFrame:
    """The new variable is empty, also for hours that are half over: version one didn't have it.
    You fill it with the first fare that comes, and tell the best ride since the upgrade as the best
    of the hour. That a variable is empty doesn't say that nothing was before."""
    return _by(fares, BestOfTheRest())


class EmptyIsNew(Upgraded):
    """Takes an hour without a best ride for a new one."""

    def handleInputRows(self, key, rows, timerValues):
        """Begin anew where the new variable is empty."""
        if not self.best.exists():
            self.sums.clear()
        return super().handleInputRows(key, rows, timerValues)


@caught_by("test_what_version_one_counted_counts", "test_half_a_sum_is_not_told")
def empty_means_new(fares: DataFrame) -> DataFrame:
    """Where the new state holds nothing yet you begin with zeros. But it is new for every hour,
    also for those that version one has been counting: with the first fare after the upgrade their
    sums are gone. Whether an hour is new, only the variable that version one had can tell."""
    return _by(fares, EmptyIsNew())


class OnlyItsOwn(Upgraded):
    """Tells only hours of which it knows everything."""

    def is_told(self):
        """Tell what has a best ride."""
        return self.best.exists()


@caught_by(
    "test_an_hour_without_a_fare_after_the_upgrade_is_told",
    "test_what_version_one_counted_counts",
)
def only_hours_of_its_own(fares: DataFrame) -> DataFrame:
    """Hours that version one began are never told: their timers go off, you find the new state
    empty, and give nothing. The timers of version one are in the checkpoint like its sums, and they
    call your `handleExpiredTimer`."""
    return _by(fares, OnlyItsOwn())


class OnlyWhereAFareCame(Upgraded):
    """Marks the hours that it has seen, and tells those."""

    def init(self, handle):
        """Make a place for the mark."""
        super().init(handle)
        self.seen = handle.getValueState("seen", "seen boolean")

    def keep(self, fares, total, tips):
        """Mark the hour."""
        super().keep(fares, total, tips)
        self.seen.update((True,))

    def is_told(self):
        """Tell what is marked."""
        return self.seen.exists()

    def forget(self):
        """Clear the mark as well."""
        super().forget()
        self.seen.clear()


@caught_by(
    "test_an_hour_without_a_fare_after_the_upgrade_is_told",
    "test_an_upgrade_after_all_fares_of_an_hour_keeps_its_sums",
)
def only_where_a_fare_came(fares: DataFrame) -> DataFrame:
    """An hour that got no fare after the upgrade isn't told. Your `handleInputRows` never sees it,
    but its sums and its timer are there, in the checkpoint: what it needs at the end of the
    hour must be known without any fare."""
    return _by(fares, OnlyWhereAFareCame())


class FromItsBegin(Upgraded):
    """Groups by the beginning of an hour."""

    def end(self, key):
        """Add an hour."""
        return super().end(key) + HOUR

    def is_told(self):
        """Tell only what is there."""
        return self.sums.exists()


@caught_by("test_what_version_one_counted_counts", "test_drivers_are_kept_apart")
def another_key_of_the_same_type(fares: DataFrame) -> DataFrame:
    """Your groups have other keys than version one's: what was the end of an hour, say, is now its
    beginning. State is found by the key's values. Spark compares their types only, so what version
    one kept of one hour is now found by another, or by none."""
    return _by(fares, FromItsBegin(), F.date_trunc("hour", "start_time"))


class KeepsIds(Upgraded):
    """Keeps the ids of all rides, as version one did."""

    kept = "fares bigint, total double, ride_ids array<bigint>, tips double"

    def handleInputRows(self, key, rows, timerValues):
        """Note the rides besides."""
        rows = list(rows)
        self.ids = (self.sums.get()[2] if self.sums.exists() else []) + [r.ride_id for r in rows]
        return super().handleInputRows(key, iter(rows), timerValues)

    def known(self):
        """Leave the rides out."""
        if not self.sums.exists():
            return 0, 0.0, 0.0
        fares, total, _, tips = self.sums.get()
        return fares, total, tips

    def keep(self, fares, total, tips):
        """Keep the rides."""
        self.sums.update((fares, total, self.ids, tips))


@caught_by("test_what_is_kept_does_not_grow")
def ids_are_still_kept(fares: DataFrame) -> DataFrame:
    """The ids of all rides are still in state, and with every fare there is one more. A field that
    isn't named in the schema any more is left behind: in an avro checkpoint that is allowed."""
    return _by(fares, KeepsIds())


class KeepsIdsOfItsHours(KeepsIds):
    """Keeps the ids of all rides of the hours that it began."""

    def keep(self, fares, total, tips):
        """Keep the rides, if none of them is version one's."""
        self.sums.update((fares, total, [] if tips is None else self.ids, tips))


@caught_by("test_what_is_kept_does_not_grow", seen=r"ids if .+ else \[\]|\[\] if .+ else .*ids\b")
def ids_of_new_hours_are_kept(fares: DataFrame) -> DataFrame:
    """You drop the ids that version one has kept, and go on to keep those of every hour that begins
    after the upgrade. It is these hours that count: version one's are over by evening, and from
    then on state is as large as it ever was."""
    return _by(fares, KeepsIdsOfItsHours())


class KeepsTips(Upgraded):
    """Keeps each tip, and adds them up at the end."""

    kept = "fares bigint, total double, tips array<double>"

    def known(self):
        """Add the tips up."""
        fares, total, self.tips = self.sums.get() if self.sums.exists() else (0, 0.0, [])
        return fares, total, None if self.tips is None else sum(self.tips, 0.0)

    def added(self, tips, tip):
        """Put the tip behind the others."""
        self.tips = None if tips is None else [*self.tips, tip or 0.0]
        return super().added(tips, tip)

    def keep(self, fares, total, tips):
        """Keep the tips one by one."""
        self.sums.update((fares, total, self.tips))


@caught_by("test_what_is_kept_does_not_grow", seen=r"tips? array<")
def a_list_of_tips(fares: DataFrame) -> DataFrame:
    """You keep every tip of the hour, to add them up at its end: one more with each fare, as
    version one did with the ids. To go on with a sum, all you need is the sum so far."""
    return _by(fares, KeepsTips())


class ForgetsHalf(Upgraded):
    """Clears what version one had, and leaves what is new."""

    def forget(self):
        """Clear the sums."""
        self.sums.clear()


@caught_by("test_an_hour_that_was_told_is_forgotten")
def the_new_variable_stays(fares: DataFrame) -> DataFrame:
    """When an hour is told you clear `sums`, as version one did, but not what you added. Of every
    hour and driver something stays in state, for ever."""
    return _by(fares, ForgetsHalf())


class NullsSpread(Upgraded):
    """Takes a null tip for one that isn't known."""

    def added(self, tips, tip):
        """Add up what isn't null."""
        return None if tips is None or tip is None else tips + tip


@caught_by("test_only_null_tips_are_nothing", "test_tips_are_added_up")
def a_null_tip_makes_all_unknown(fares: DataFrame) -> DataFrame:
    """One fare with a null tip makes the tips of the whole hour null. There are two kinds of
    nothing here: a null tip adds nothing, and the hour's tips are still known; only of an hour that
    version one began they aren't."""
    return _by(fares, NullsSpread())


class LastOfEqual(Upgraded):
    """Takes the last of equal fares."""

    def handleInputRows(self, key, rows, timerValues):
        """Turn the numbers around, so that the largest is the smallest."""
        ordered = sorted(rows, key=lambda row: -row.ride_id)
        for row in ordered:
            before = self.best.get() if self.best.exists() else None
            yield from super().handleInputRows(key, iter([row]), timerValues)
            if before and self.best.exists() and before[1] == row.total_fare:
                self.best.update((max(before[0], row.ride_id), row.total_fare))


@caught_by("test_the_best_ride_is_that_of_the_largest_fare")
def the_largest_number_of_equal_fares(fares: DataFrame) -> DataFrame:
    """Of two fares that are equally large you name the one with the larger number, or the one that
    came last. Which of them comes last may change with every run: the smaller number must win."""
    return _by(fares, LastOfEqual())
