"""What learners get wrong when a rule holds for everybody."""

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.streaming import StatefulProcessor

from trainer.misconceptions import caught_by, other_delay

SHARDS = 2
OUTPUT = "ride_id bigint, rule_id bigint"


class Inspector(StatefulProcessor):
    """What is right: the wrong answers below change one thing each."""

    def init(self, handle):
        """Open a map of fares that wait, and one of what was said of rules."""
        self.handle = handle
        fares = "fares array<struct<ride_id: bigint, total: float>>"
        self.waiting = handle.getMapState("waiting", "time bigint", fares)
        limits = "over float, active boolean"
        self.said = handle.getMapState("said", "time bigint, rule_id bigint", limits)

    def handleInputRows(self, key, rows, timerValues):
        """Put each row under its time, and set a timer."""
        for row in rows:
            time = int(row.event_time.timestamp()) * 1000
            if row.rule_id is None:
                known = self.waiting.containsKey((time,))
                there = self.waiting.getValue((time,))[0] if known else []
                self.waiting.updateValue((time,), ([*there, (row.ride_id, row.total_fare)],))
            else:
                self.note(time, row)
            self.handle.registerTimer(time)
        return iter(())

    def note(self, time, row):
        """Note what was said of a rule."""
        self.said.updateValue((time, row.rule_id), (row.over, row.active))

    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
        """Flag the fares of this time by the rules in force."""
        time = expiredTimerInfo.getExpiryTimeInMs()
        said = self.until(time)
        limits = self.in_force(said)
        if self.waiting.containsKey((time,)):
            for ride_id, total in self.waiting.getValue((time,))[0]:
                for rule_id, _ in self.broken(limits, total):
                    yield Row(ride_id=ride_id, rule_id=rule_id)
            self.leave(time)
        self.forget(said)

    def until(self, time):
        """Give what was said until a time, in order."""
        return sorted(each for each in self.said.iterator() if each[0][0] <= time)

    def in_force(self, said):
        """Give the limits of the rules whose last word is that they hold."""
        last = {rule_id: (over, active) for (_, rule_id), (over, active) in said}
        return [(rule_id, over) for rule_id, (over, active) in last.items() if active]

    def broken(self, limits, total):
        """Give the rules that a fare breaks."""
        return [(rule_id, over) for rule_id, over in limits if total is not None and total > over]

    def leave(self, time):
        """Let fares that were flagged leave the state."""
        self.waiting.removeKey((time,))

    def forget(self, said):
        """Keep the last row of each rule, if it holds."""
        last = {rule_id: since for (since, rule_id), _ in said}
        for (since, rule_id), (_, active) in said:
            if since < last[rule_id] or not active:
                self.said.removeKey((since, rule_id))


def _shard(of: str = "driver_id") -> Column:
    return F.pmod(F.col(of), F.lit(SHARDS)).cast("int").alias("shard")


def _every_shard(first: int = 0) -> Column:
    return F.explode(F.sequence(F.lit(first), F.lit(first + SHARDS - 1))).alias("shard")


def _tag(
    fares: DataFrame, rules: DataFrame, shard: Column, shards: Column
) -> tuple[DataFrame, DataFrame]:
    paid = fares.withColumnRenamed("start_time", "event_time")
    paid = paid.select(shard, "event_time", "ride_id", "total_fare")
    return paid, rules.select(shards, "event_time", "rule_id", "over", "active")


def _process(
    paid: DataFrame, said: DataFrame, processor: StatefulProcessor, mode: str = "eventTime"
) -> DataFrame:
    both = paid.unionByName(said, allowMissingColumns=True)
    return both.groupBy("shard").transformWithState(processor, OUTPUT, "append", mode)


def _flag(
    fares: DataFrame,
    rules: DataFrame,
    processor: StatefulProcessor,
    shard: Column | None = None,
    shards: Column | None = None,
) -> DataFrame:
    shard = _shard() if shard is None else shard
    both = _tag(fares, rules, shard, _every_shard() if shards is None else shards)
    return _process(*(each.withWatermark("event_time", "10 minutes") for each in both), processor)


@caught_by("test_a_rule_holds_for_every_driver")
def keeps_a_rule_under_one_key(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """A rule of yours holds for one key only, and nobody is told: state belongs to a key, and the
    fares of all other keys never see the rule.

    Send each rule to every key under which fares are looked at.
    """
    return _flag(fares, rules, Inspector(), shards=_shard("rule_id"))


@caught_by("test_a_rule_holds_for_every_driver", written=("explode", "sequence"))
def counts_shards_from_one(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Some shard never hears of any rule: the numbers that you give to fares and those that you
    send rules to aren't the same. What is left modulo two is 0 or 1, modulo four 0, 1, 2
    or 3."""
    return _flag(fares, rules, Inspector(), shards=_every_shard(1))


@caught_by("test_a_rule_holds_for_every_driver", seen=r"hash\([^)]*\) % ")
def takes_what_is_left_of_a_hash(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Some fares lie in shards that no rule is sent to: a hash may be negative, and then what `%`
    leaves of it is, too. `F.pmod` leaves 0, 1, 2 and so on, whatever the sign."""
    shard = (F.hash("driver_id") % SHARDS).alias("shard")
    return _flag(fares, rules, Inspector(), shard=shard)


@caught_by("test_a_rule_holds_for_every_driver", "test_a_fare_is_flagged_once_for_each_rule")
def replicates_both(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You sent the fares to every shard as well, so each is flagged once in each of them. Replicate
    one of the two streams only."""
    return _flag(fares, rules, Inspector(), shard=_every_shard())


@caught_by("test_a_withdrawn_rule_flags_nothing")
def never_withdraws(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You didn't heed withdrawals. A row that isn't `active` ends its rule."""
    return _flag(fares, rules.filter("active"), Inspector())


@caught_by("test_each_is_flagged_in_its_own_time")
def judges_in_the_order_of_arrival(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You looked at each fare when it came, by the rules that were there by then.

    Rules may come hours later than the fares they are about. Let each fare wait until the watermark
    says that all about its time has come.
    """

    class Processor(Inspector):
        def handleInputRows(self, key, rows, timerValues):
            for row in rows:
                if row.rule_id is not None:
                    self.note(int(row.event_time.timestamp()) * 1000, row)
                else:
                    limits = self.in_force(sorted(self.said.iterator()))
                    for rule_id, _ in self.broken(limits, row.total_fare):
                        yield Row(ride_id=row.ride_id, rule_id=rule_id)

    return _flag(fares, rules, Processor())


@caught_by("test_a_fare_without_a_total_breaks_no_rule")
def takes_no_total_for_zero(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You took a fare without a total for one of 0.0. That is more than a limit below zero. Nobody
    knows what such a fare was, so it breaks no rule."""

    class Processor(Inspector):
        def broken(self, limits, total):
            return [each for each in limits if (total or 0.0) > each[1]]

    return _flag(fares, rules, Processor())


@caught_by("test_a_rule_does_not_hold_before_its_time", "test_a_withdrawn_rule_flags_nothing")
def takes_the_rules_of_today(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """When a fare's time had come, you took the rules as they stand now. A fare is judged by the
    rules of its own time: nothing that was said later may touch it."""

    class Processor(Inspector):
        def until(self, time):
            return sorted(self.said.iterator())

        def forget(self, said):
            return

    return _flag(fares, rules, Processor())


@caught_by("test_a_change_takes_the_place_of_the_limit")
def keeps_the_old_limit_beside_the_new(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """After a change you went on flagging by the old limit. A new row takes the place of the one
    before."""

    class Processor(Inspector):
        def in_force(self, said):
            lowest = {}
            for (_, rule_id), (over, active) in said:
                lowest[rule_id] = min(over, lowest.get(rule_id, over)) if active else None
                if not active:
                    del lowest[rule_id]
            return list(lowest.items())

        def forget(self, said):
            return

    return _flag(fares, rules, Processor())


@caught_by("test_exactly_the_limit_is_not_over_it")
def flags_the_limit_itself(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You flagged a fare of exactly the limit. `over` means more than that: `>`, not `>=`."""

    class Processor(Inspector):
        def broken(self, limits, total):
            return [each for each in limits if total is not None and total >= each[1]]

    return _flag(fares, rules, Processor())


@caught_by("test_a_rule_does_not_hold_before_its_time", "test_a_withdrawn_rule_flags_nothing")
def leaves_the_instant_out(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """What was said of a rule holds from its very instant on. You began just after it: `<=`, not
    `<`."""

    class Processor(Inspector):
        def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):
            time = expiredTimerInfo.getExpiryTimeInMs()
            limits = self.in_force(self.until(time - 1))
            if self.waiting.containsKey((time,)):
                for ride_id, total in self.waiting.getValue((time,))[0]:
                    for rule_id, _ in self.broken(limits, total):
                        yield Row(ride_id=ride_id, rule_id=rule_id)
                self.leave(time)
            self.forget(self.until(time - 1))

    return _flag(fares, rules, Processor())


@caught_by("test_a_fare_is_flagged_once_for_each_rule")
def flags_by_the_first_rule_only(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You flagged a fare by one rule and left it at that. It must be flagged for each that it
    breaks."""

    class Processor(Inspector):
        def broken(self, limits, total):
            return super().broken(limits, total)[:1]

    return _flag(fares, rules, Processor())


@caught_by("test_rules_may_come_in_the_wrong_order")
def withdraws_on_arrival(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You forgot a rule when its withdrawal came. A fare that still waits may be older than that,
    and the rule itself may come only after it. Note the withdrawal with its time, like any row."""

    class Processor(Inspector):
        def note(self, time, row):
            if row.active:
                super().note(time, row)
            else:
                for since, rule_id in [each for each, _ in self.said.iterator()]:
                    if rule_id == row.rule_id:
                        self.said.removeKey((since, rule_id))

    return _flag(fares, rules, Processor())


@caught_by("test_a_rule_holds_until_it_is_withdrawn")
def forgets_what_the_watermark_has_passed(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You forgot each row of a rule once the watermark had passed it. The last one holds until the
    next comes: keep it."""

    class Processor(Inspector):
        def forget(self, said):
            for key, _ in said:
                self.said.removeKey(key)

    return _flag(fares, rules, Processor())


@caught_by("test_state_ends")
def keeps_all_that_was_said(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You keep all that was ever said of a rule, and in every shard. Once the watermark has passed
    a row, what was said before it can go."""

    class Processor(Inspector):
        def forget(self, said):
            return

    return _flag(fares, rules, Processor())


@caught_by("test_state_ends")
def keeps_withdrawals(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You keep the withdrawal of a rule for ever. When the watermark has passed it, there is no
    rule: nothing need be kept to say so."""

    class Processor(Inspector):
        def forget(self, said):
            last = {rule_id: since for (since, rule_id), _ in said}
            for (since, rule_id), _ in said:
                if since < last[rule_id]:
                    self.said.removeKey((since, rule_id))

    return _flag(fares, rules, Processor())


@caught_by("test_state_ends")
def keeps_fares(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You keep the fares that you have judged. Nobody asks for them again: remove them."""

    class Processor(Inspector):
        def leave(self, time):
            return

    return _flag(fares, rules, Processor())


@caught_by("test_nothing_comes_out_before_both_streams_have_begun")
def sets_one_watermark_after_the_union(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """You set one watermark after the union, and the fares, hours ahead, move it for both streams.

    Then rules are late, and dropped without a word. Give each stream its own watermark before the
    union.
    """
    paid, said = _tag(fares, rules, _shard(), _every_shard())
    both = paid.unionByName(said, allowMissingColumns=True)
    by_shard = both.withWatermark("event_time", "10 minutes").groupBy("shard")
    return by_shard.transformWithState(Inspector(), OUTPUT, "append", "eventTime")


OTHER_DELAY = other_delay("10 minutes")


@caught_by("test_each_is_flagged_in_its_own_time", written=OTHER_DELAY, seen=OTHER_DELAY)
def waits_for_another_time(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Your watermark's delay isn't the ten minutes of the rules, so fares are flagged at another
    time."""
    both = _tag(fares, rules, _shard(), _every_shard())
    return _process(*(each.withWatermark("event_time", "1 minute") for each in both), Inspector())
