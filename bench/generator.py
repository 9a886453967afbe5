"""How fast the taxi streams are made, alone and into Spark, beside a naive row-by-row source.

Run it with `uv run python -m bench.generator`. Other work on the machine moves the rates; the
ratios were measured one after the other in the same run, so they move less.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from rich.console import Console
from rich.table import Table

import datagen
import trainer
from bench import naive

PROFILES = ("classic", "city")
EVENTS, NAIVE_EVENTS = 20_000_000, 60_000
ROWS_PER_BATCH = 5_000_000
ROUNDS = 3
TARGET_RATE, TARGET_RATIO = 2e6, 50


def best(events: int, run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Give the events a second of the best of some rounds, after one to warm up."""
    run()
    return max(events / _seconds(run) for _ in range(rounds))


def _seconds(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def alone(profile: str) -> float:
    """Rate of the pure function."""
    return best(EVENTS, lambda: consume(profile, EVENTS))


def consume(profile: str, events: int) -> int:
    """Make events batch by batch, as the source does, and let go of each."""
    return sum(len(batch) for batch in datagen.iter_ride_events(0, events, profile=profile))


def naive_alone(profile: str) -> float:
    """Rate of the naive generator."""
    make = {"classic": naive.classic, "city": naive.city}[profile]
    return best(NAIVE_EVENTS, lambda: sum(1 for _ in make(NAIVE_EVENTS)), rounds=1)


def through_a_batch(spark: SparkSession, source: str, events: int, **options: object) -> float:
    """Rate of a batch read into a sink that takes everything and keeps nothing."""
    frame = spark.read.format(source).options(stop=events, **options).load()
    return best(events, lambda: frame.write.format("noop").mode("overwrite").save())


def through_a_stream(spark: SparkSession, **options: object) -> float:
    """Rate of a stream into such a sink, from its start to its end."""
    given = {"stop": EVENTS, "rows_per_batch": ROWS_PER_BATCH} | options
    stream = spark.readStream.format("taxi_rides").options(**given).load()
    return best(EVENTS, lambda: run_stream(stream))


def run_stream(stream: DataFrame) -> None:
    """Run a stream until it is drained."""
    with tempfile.TemporaryDirectory() as checkpoint:
        writer = stream.writeStream.format("noop").trigger(availableNow=True)
        writer.option("checkpointLocation", checkpoint).start().awaitTermination()


def measure(spark: SparkSession, profile: str) -> list[tuple[str, float, float]]:
    """Measure one profile: what, its rate, and how many times the naive rate that is."""
    slow_alone = naive_alone(profile)
    slow = through_a_batch(spark, "naive_taxi_rides", NAIVE_EVENTS, profile=profile)
    rows = [("naive, row by row", slow_alone, 1.0), ("naive, into Spark", slow, 1.0)]
    fast = alone(profile)
    rows.append(("pure function", fast, fast / slow_alone))
    for partitions in (1, 2):
        options = {"profile": profile, "partitions": partitions}
        batch = through_a_batch(spark, "taxi_rides", EVENTS, **options)
        stream = through_a_stream(spark, **options)
        rows.append((f"batch into Spark, partitions={partitions}", batch, batch / slow))
        rows.append((f"stream into Spark, partitions={partitions}", stream, stream / slow))
    return rows


def report(console: Console, profile: str, rows: list[tuple[str, float, float]]) -> None:
    """Print what was measured of a profile."""
    table = Table(title=f"ride events, profile {profile}", title_justify="left")
    table.add_column("what")
    table.add_column("events/s", justify="right")
    table.add_column("times naive", justify="right")
    for what, rate, ratio in rows:
        table.add_row(what, f"{rate:,.0f}", f"{ratio:,.1f}")
    console.print(table)


def judge(console: Console, profile: str, rows: list[tuple[str, float, float]]) -> bool:
    """Say whether one partition reaches the targets."""
    rate, ratio = next((rate, ratio) for what, rate, ratio in rows if what.startswith("stream"))
    good = rate >= TARGET_RATE and ratio >= TARGET_RATIO
    console.print(
        f"{profile}: {rate / 1e6:.1f} million events/s from one partition (target "
        f"{TARGET_RATE / 1e6:g}), {ratio:.0f} times naive (target {TARGET_RATIO}): "
        f"{'reached' if good else 'MISSED'}\n"
    )
    return good


def peak_memory(profile: str, events: int) -> int:
    """Give the peak memory, in MB, of a fresh process that makes so many events."""
    code = f"import bench.generator as g; print(g.make_and_weigh({profile!r}, {events}))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return int(output.stdout)


def make_and_weigh(profile: str, events: int) -> int:
    """Make events and give this process's peak memory in MB, beyond what its imports took."""
    assert consume(profile, 10) == 10
    before = _peak()
    assert consume(profile, events) == events
    return _peak() - before


def _peak() -> int:
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit


def main() -> int:
    """Measure everything and print it; the exit code says whether the targets were reached."""
    console = Console()
    console.print(f"NumPy, pyarrow {pa.__version__}, {EVENTS:,} events a run, best of {ROUNDS}")
    for profile in PROFILES:
        used = {events: peak_memory(profile, events) for events in (10**6, 10**7, 5 * 10**7)}
        told = ", ".join(f"{events // 10**6}M events: {mb} MB" for events, mb in used.items())
        console.print(f"memory for {profile}, beyond the imports: {told}")
    spark = trainer.session(ui=False, peak=True)
    spark.dataSource.register(naive.NaiveRides)
    reached = []
    for profile in PROFILES:
        rows = measure(spark, profile)
        report(console, profile, rows)
        reached.append(judge(console, profile, rows))
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main())
