"""How fast the taxi streams are made, alone and into Spark, beside a naive row-by-row source.

Run it with `uv run python -m bench.generator`. Other work on the machine slows a round down and
never speeds one up, so each rate is the best of some rounds, and the ratios are ratios of these.
Into Spark means: as a stream into a sink that keeps nothing, by the time that Spark itself reports
for the micro-batches. The naive generators make the very same events (a test compares them).
"""

import platform
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice

from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

import datagen
import trainer
from bench import naive
from bench.memory import peak_memory

PROFILES = ("classic", "city")
EVENTS, NAIVE_EVENTS = 20_000_000, 150_000
ROUNDS = 4
TARGET_RATE, TARGET_RATIO = 2e6, 50
NAIVE, PURE = "naive, row by row", "pure function"
INTO = "{}, into Spark, partitions={}"
Rates = dict[str, float]

console = Console(highlight=False, soft_wrap=True)


def rate_of(events: int, run: Callable[[], object]) -> float:
    """Events a second of one run."""
    began = time.perf_counter()
    run()
    return events / (time.perf_counter() - began)


def make(profile: str) -> int:
    """Make the events batch by batch, as the source does, and let go of each."""
    return sum(map(len, datagen.iter_ride_events(0, EVENTS, profile=profile)))


def make_naively(profile: str) -> int:
    """Make the events row by row."""
    return sum(1 for _ in islice(naive.EVENTS[profile](), NAIVE_EVENTS))


def into_spark(spark: SparkSession, source: str, **options: object) -> float:
    """Events a second of a stream into nothing, over all its micro-batches."""
    stream = spark.readStream.format(source).options(**options).load()
    with tempfile.TemporaryDirectory() as checkpoint:
        writer = stream.writeStream.format("noop").trigger(availableNow=True)
        query = writer.option("checkpointLocation", checkpoint).start()
        query.awaitTermination()
    done = [progress for progress in query.recentProgress if progress["numInputRows"]]
    milliseconds = sum(progress["durationMs"]["triggerExecution"] for progress in done)
    return 1000 * sum(progress["numInputRows"] for progress in done) / milliseconds


def measure(spark: SparkSession, profile: str) -> Rates:
    """Measure everything once."""
    ours = {"profile": profile, "stop": EVENTS, "rows_per_batch": EVENTS // 4}
    naively = {"profile": profile, "stop": NAIVE_EVENTS}
    return {
        NAIVE: rate_of(NAIVE_EVENTS, lambda: make_naively(profile)),
        PURE: rate_of(EVENTS, lambda: make(profile)),
        INTO.format(NAIVE, 1): into_spark(spark, "naive_taxi_rides", **naively),
        INTO.format("taxi_rides", 1): into_spark(spark, "taxi_rides", **ours, partitions=1),
        INTO.format("taxi_rides", 2): into_spark(spark, "taxi_rides", **ours, partitions=2),
    }


def ratio(rounds: list[Rates], what: str) -> float:
    """How many times the naive rate of the same kind."""
    against = INTO.format(NAIVE, 1) if "into Spark" in what else NAIVE
    return best(rounds, what) / best(rounds, against)


def best(rounds: list[Rates], what: str) -> float:
    """The best rate of all rounds."""
    return max(rates[what] for rates in rounds)


def report(profile: str, rounds: list[Rates]) -> None:
    """Print what was measured of a profile."""
    table = Table(title=f"ride events, profile {profile}", title_justify="left")
    table.add_column("what")
    table.add_column("events/s", justify="right")
    table.add_column("times naive", justify="right")
    for what in rounds[0]:
        table.add_row(what, f"{best(rounds, what):,.0f}", f"{ratio(rounds, what):,.1f}")
    console.print(table)


def judge(profile: str, rounds: list[Rates]) -> bool:
    """Say whether one partition into Spark reaches the targets."""
    what = INTO.format("taxi_rides", 1)
    rate, times = best(rounds, what), ratio(rounds, what)
    good = rate >= TARGET_RATE and times >= TARGET_RATIO
    console.print(
        f"{profile}: {rate / 1e6:.1f} million events/s from one partition (target "
        f"{TARGET_RATE / 1e6:g}), {times:.0f} times naive (target {TARGET_RATIO}): "
        f"{'reached' if good else 'MISSED'}\n"
    )
    return good


def weigh(profile: str) -> None:
    """Print how much memory it takes to make ever more events."""
    used = {events: peak_memory(profile, events) for events in (10**6, 10**7, 5 * 10**7)}
    told = ", ".join(f"{events // 10**6}M events {mb} MB" for events, mb in used.items())
    console.print(f"memory for {profile}, beyond the first event: {told}")


def main() -> int:
    """Measure everything and print it; the exit code says whether the targets were reached."""
    console.print(f"Python {platform.python_version()}, {EVENTS:,} events a run, {ROUNDS} rounds")
    for profile in PROFILES:
        weigh(profile)
    spark = trainer.session(ui=False, peak=True)
    spark.dataSource.register(naive.NaiveRides)
    reached = []
    for profile in PROFILES:
        measure(spark, profile)  # to warm up
        rounds = [measure(spark, profile) for _ in range(ROUNDS)]
        report(profile, rounds)
        reached.append(judge(profile, rounds))
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
