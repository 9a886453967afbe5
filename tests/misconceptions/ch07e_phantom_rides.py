"""What learners get wrong when they look for phantom rides."""

from datetime import UTC, datetime

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import NO_STATE, caught_by, other_delay

MINUTE, HALF_HOUR = 60 * 1000, 30 * 60 * 1000
COLUMNS = (
    "driver_id bigint, first_ride bigint, second_ride bigint, third_ride bigint, "
    "event_time timestamp"
)


class Phantoms(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Make a place for what waits, the ride under way, and the short rides."""
        self.handle = handle
        events = "events array<struct<ride_id: bigint, is_start: boolean>>"
        self.waiting = handle.getMapState("waiting", "time bigint", events)
        self.under_way = handle.getValueState("under_way", "ride_id bigint, start bigint")
        self.row = handle.getListState("row", "ride_id bigint, start bigint")

    def handleInputRows(self, key, rows, timerValues):
        """Let each event wait for its time."""
        for row in rows:
            time = int(row.event_time.timestamp() * 1000)
            there = self.waiting.getValue((time,))[0] if self.waiting.containsKey((time,)) else []
            self.waiting.updateValue((time,), ([*there, (row.ride_id, row.is_start)],))
            self.handle.registerTimer(time)
            if row.is_start:
                self.handle.registerTimer(time + MINUTE)
                self.handle.registerTimer(time + HALF_HOUR)
        return iter(())

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Hand over what is due, and forget."""
        now = expiredTimerInfo.getExpiryTimeInMs()
        if self.waiting.containsKey((now,)):
            for ride_id, is_start in self.waiting.getValue((now,))[0]:
                yield from self.take(key, ride_id, is_start, now)
            self.waiting.removeKey((now,))
        self.forget(now)

    def take(self, key, ride_id, is_start, now):
        """Take one event."""
        if is_start:
            self.begin(ride_id, now)
            return
        under_way = self.which(ride_id)
        if under_way:
            self.under_way.clear()
            yield from self.finish(key, *under_way, now)

    def begin(self, ride_id, now):
        """Take a START."""
        if self.under_way.exists():
            self.row.clear()
        self.under_way.update((ride_id, now))

    def which(self, ride_id):
        """Find the ride that an END belongs to."""
        under_way = self.under_way.get() if self.under_way.exists() else None
        return under_way if under_way and under_way[0] == ride_id else None

    def finish(self, key, ride_id, start, now):
        """Take a ride that is complete."""
        if not self.is_short(start, now):
            self.long()
            return
        row = [*self.still_good(self.row.get(), now, start), (ride_id, start)]
        if len(row) == 3:
            first, second, third = (short[0] for short in row)
            time = datetime.fromtimestamp(self.time(start, now) / 1000, UTC)
            names = {"first_ride": first, "second_ride": second, "third_ride": third}
            yield Row(driver_id=key[0], **names, event_time=time)
            row = self.after(row)
        self.keep(row)

    def time(self, start, now):
        """Say when the alert was."""
        return now

    def keep(self, row):
        """Write the row into state."""
        self.row.put(row) if row else self.row.clear()

    def is_short(self, start, now):
        """Compare with a minute."""
        return now - start < MINUTE

    def long(self):
        """Take a longer ride."""
        self.row.clear()

    def still_good(self, row, now, start):
        """Leave out what began more than half an hour ago."""
        return [short for short in row if now - short[1] <= HALF_HOUR]

    def after(self, row):
        """Say with which rides the next row begins."""
        return []

    def forget(self, now):
        """Let go of what is too old."""
        if self.under_way.exists() and now - self.under_way.get()[1] >= MINUTE:
            self.under_way.clear()
            self.long()
        self.keep([short for short in self.row.get() if now - short[1] < HALF_HOUR])


def _watch(rides: DataFrame, processor: StatefulProcessor, by: str = "driver_id") -> DataFrame:
    return _processed(rides.withWatermark("event_time", "10 minutes"), processor, by)


def _processed(rides: DataFrame, processor: StatefulProcessor, by: str = "driver_id") -> DataFrame:
    return rides.groupBy(by).transformWithState(processor, COLUMNS, "append", "eventTime")


@caught_by("test_a_minute_is_not_short")
def counts_exactly_a_minute(rides: DataFrame) -> DataFrame:
    """You counted a ride of exactly a minute. Short is *less* than a minute: `<`, not `<=`."""

    class Processor(Phantoms):
        def is_short(self, start, now):
            return now - start <= MINUTE

    return _watch(rides, Processor())


@caught_by("test_half_an_hour_is_not_too_long")
def stops_short_of_half_an_hour(rides: DataFrame) -> DataFrame:
    """You left out three rides that take exactly half an hour. They may take as long as that, but
    not longer: `<=`, not `<`."""

    class Processor(Phantoms):
        def still_good(self, row, now, start):
            return [short for short in row if now - short[1] < HALF_HOUR]

    return _watch(rides, Processor())


@caught_by("test_more_than_half_an_hour_is_too_long")
def measures_from_start_to_start(rides: DataFrame) -> DataFrame:
    """You measured to the START of the third ride. The half hour goes from the START of the first
    to the END of the third.
    """

    class Processor(Phantoms):
        def still_good(self, row, now, start):
            return [short for short in row if start - short[1] <= HALF_HOUR]

        def forget(self, now):
            row = [*self.row.get()]
            super().forget(now)
            # The END of the third may come up to a minute later.
            self.keep([short for short in row if now - short[1] < HALF_HOUR + MINUTE])

    return _watch(rides, Processor())


@caught_by("test_more_than_half_an_hour_is_too_long", "test_state_ends")
def forgets_about_the_half_hour(rides: DataFrame) -> DataFrame:
    """You counted three short rides however far apart they were. From the START of the first to the
    END of the third there may be no more than half an hour.
    """

    class Processor(Phantoms):
        def still_good(self, row, now, start):
            return row

        def forget(self, now):
            if self.under_way.exists() and now - self.under_way.get()[1] >= MINUTE:
                self.under_way.clear()
                self.row.clear()

    return _watch(rides, Processor())


@caught_by("test_more_than_half_an_hour_is_too_long")
def throws_the_whole_row_away(rides: DataFrame) -> DataFrame:
    """You threw the whole row away when its first ride was too old. The second and the third may
    be the beginning of an alert: let the first go, and keep the others.
    """

    class Processor(Phantoms):
        def still_good(self, row, now, start):
            row = [*row]
            return row if not row or now - row[0][1] <= HALF_HOUR else []

        def forget(self, now):
            kept = [*self.row.get()]
            super().forget(now)
            if kept and now - kept[0][1] >= HALF_HOUR:
                self.row.clear()

    return _watch(rides, Processor())


@caught_by("test_no_ride_is_in_two_alerts")
def goes_on_with_the_last_two(rides: DataFrame) -> DataFrame:
    """You told of rides 1, 2, 3 and again of 2, 3, 4: with six short rides, four alerts about the
    same trick. Begin anew behind an alert: no ride may be in two of them.
    """

    class Processor(Phantoms):
        def after(self, row):
            return row[1:]

    return _watch(rides, Processor())


@caught_by("test_no_ride_is_in_two_alerts")
def goes_on_with_the_last_one(rides: DataFrame) -> DataFrame:
    """You began the next row with the last ride of an alert. It has been told of: begin behind it.

    In MATCH_RECOGNIZE that is the difference between SKIP TO LAST C and SKIP PAST LAST ROW.
    """

    class Processor(Phantoms):
        def after(self, row):
            return row[2:]

    return _watch(rides, Processor())


@caught_by("test_a_longer_ride_in_between_is_no_row", "test_a_minute_is_not_short")
def looks_past_longer_rides(rides: DataFrame) -> DataFrame:
    """You counted three short rides with a longer one between them. In a row means one right after
    the other: a longer ride begins everything anew.
    """

    class Processor(Phantoms):
        def long(self):
            pass

    return _watch(rides, Processor())


@caught_by("test_a_start_without_an_end_is_a_longer_ride")
def forgets_a_start_without_an_end(rides: DataFrame) -> DataFrame:
    """You looked past a START whose END never came. Nobody knows how long that ride was: take it
    for a longer one. The next START, or a minute that has passed, shows that its END is missing.
    """

    class Processor(Phantoms):
        def begin(self, ride_id, now):
            self.under_way.update((ride_id, now))

        def forget(self, now):
            if self.under_way.exists() and now - self.under_way.get()[1] >= HALF_HOUR:
                self.under_way.clear()
            self.keep([short for short in self.row.get() if now - short[1] < HALF_HOUR])

    return _watch(rides, Processor())


@caught_by("test_an_end_belongs_to_its_own_start", "test_a_start_without_an_end_is_a_longer_ride")
def takes_any_end(rides: DataFrame) -> DataFrame:
    """You took the next END for the END of the ride under way. If that one got lost, it is another
    ride's: compare the ids.
    """

    class Processor(Phantoms):
        def which(self, ride_id):
            return self.under_way.get() if self.under_way.exists() else None

    return _watch(rides, Processor())


@caught_by("test_an_end_without_a_start_is_nothing")
def breaks_at_an_end_without_a_start(rides: DataFrame) -> DataFrame:
    """You began anew at an END whose START is missing. It says nothing about how long that ride
    was: look past it.
    """

    class Processor(Phantoms):
        def which(self, ride_id):
            found = super().which(ride_id)
            if not found:
                self.row.clear()
            return found

    return _watch(rides, Processor())


@caught_by(
    "test_arrival_does_not_matter",
    "test_an_alert_comes_when_the_watermark_reaches_its_end",
)
def takes_events_as_they_come(rides: DataFrame) -> DataFrame:
    """You fed the machine with events in the order in which they came. A row is a matter of event
    time: let them wait until the watermark says that nothing older will come.
    """

    class Processor(Phantoms):
        def handleInputRows(self, key, rows, timerValues):
            for row in sorted(rows, key=lambda row: row.event_time):
                now = int(row.event_time.timestamp() * 1000)
                if row.is_start:
                    self.handle.registerTimer(now + HALF_HOUR)
                yield from self.take(key, row.ride_id, row.is_start, now)

    return _watch(rides, Processor())


@caught_by("test_three_short_rides_are_an_alert", "test_drivers_are_kept_apart")
def watches_the_taxi(rides: DataFrame) -> DataFrame:
    """You watched the taxis. A driver may change them, and two drivers may share one: group by
    driver.
    """
    return _watch(rides, Phantoms(), "taxi_id")


@caught_by("test_state_ends")
def never_forgets(rides: DataFrame) -> DataFrame:
    """You kept what nobody went on with: a short ride of half an hour ago, a START whose END never
    came. Only the next ride of that driver would clear it, and for some there is none.

    Whatever is in state needs a timer that takes it out again.
    """

    class Processor(Phantoms):
        def forget(self, now):
            pass

    return _watch(rides, Processor())


@caught_by("test_state_ends")
def keeps_what_it_has_seen(rides: DataFrame) -> DataFrame:
    """You left the events that the machine has seen among those that wait. They pile up:
    `removeKey` takes them out.
    """

    class Processor(Phantoms):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            now = expiredTimerInfo.getExpiryTimeInMs()
            if self.waiting.containsKey((now,)):
                for ride_id, is_start in self.waiting.getValue((now,))[0]:
                    yield from self.take(key, ride_id, is_start, now)
            self.forget(now)

    return _watch(rides, Processor())


@caught_by("test_an_alert_has_the_time_of_the_third_end")
def tells_when_the_third_began(rides: DataFrame) -> DataFrame:
    """You gave the START of the third ride. `event_time` is its END, when the pattern was there."""

    class Processor(Phantoms):
        def time(self, start, now):
            return start

    return _watch(rides, Processor())


@caught_by(
    "test_an_alert_comes_when_the_watermark_reaches_its_end",
    seen=other_delay("10 minutes", "600 seconds"),
)
def waits_an_hour(rides: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the ten minutes of the rules. It says how long an event waits
    for older ones, and an alert with it.
    """
    return _processed(rides.withWatermark("event_time", "1 hour"), Phantoms())


@caught_by("test_three_short_rides_are_an_alert", not_written="withWatermark")
def sets_no_watermark(rides: DataFrame) -> DataFrame:
    """Nothing came out: the stream has no watermark, so no timer in event time ever goes off.

    Timers wait for the watermark, and withWatermark makes one: ten minutes behind the newest event.
    """
    return _processed(rides, Phantoms())


@caught_by(
    "test_a_longer_ride_in_between_is_no_row",
    "test_no_ride_is_in_two_alerts",
    written=r"window\(",
)
def cuts_at_full_half_hours(rides: DataFrame) -> DataFrame:
    """You counted the short rides of each half hour by the clock. Three rides from 12:25 to 12:35
    lie in two of those, and a longer ride between them doesn't show.

    The order counts here, and a group has none: this takes a machine that sees one event after the
    other.
    """
    timed = rides.withWatermark("event_time", "10 minutes")
    one = timed.groupBy("driver_id", F.window("event_time", "30 minutes")).agg(
        F.sort_array(F.collect_list(F.struct("ride_id", "is_start", "event_time"))).alias("events")
    )
    short = F.expr(
        "filter(transform(filter(events, s -> s.is_start), s -> named_struct('id', s.ride_id, "
        "'e', array_min(transform(filter(events, e -> NOT e.is_start AND e.ride_id = s.ride_id), "
        "e -> e.event_time)), 's', s.event_time)), r -> r.e < r.s + INTERVAL 1 MINUTE)"
    )
    found = one.withColumn("short", short).filter("size(short) >= 3")
    ids = [F.col("short")[n]["id"].alias(f"{name}_ride") for n, name in enumerate(_NAMES)]
    return found.select("driver_id", *ids, F.col("short")[2]["e"].alias("event_time"))


_NAMES = ("first", "second", "third")


@caught_by(
    "test_more_than_half_an_hour_is_too_long",
    "test_an_alert_comes_when_the_watermark_reaches_its_end",
    seen=NO_STATE,
)
def keeps_the_row_in_the_object(rides: DataFrame) -> DataFrame:
    """You kept what the machine has seen in the object itself, and in the next micro-batch it was
    gone.

    Spark makes a new object for each micro-batch. Only what is in state is still there in the next.
    """

    class InTheObject:
        def __init__(self):
            self.value = None

        def update(self, value):
            self.value = value

        put = update

        def get(self):
            return self.value or []

        def exists(self):
            return self.value is not None

        def clear(self):
            self.value = None

    class Processor(Phantoms):
        def init(self, handle):
            super().init(handle)
            self.machines = {}

        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            machine = self.machines.setdefault(key, (InTheObject(), InTheObject()))
            self.under_way, self.row = machine
            yield from super().handleExpiredTimer(key, timerValues, expiredTimerInfo)

    return _watch(rides, Processor())
