"""What holds for scripted runs alone: settings for tiny data, and turns in the one session."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trainer.running.answer import Stopped
from trainer.spark.session import ROCKSDB

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pyspark.sql import DataFrame, SparkSession

DRAIN = "spark.sql.streaming.noDataMicroBatches.enabled"
ENCODING = "spark.sql.streaming.stateStore.encodingFormat"
STATE_STORE = "spark.sql.streaming.stateStore.providerClass"
# Spark's own default.
IN_MEMORY = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
SETTINGS = {
    # To write, compile and load code takes longer than to walk a few rows through the plan.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
}
# What a function names in the session, a view say, must be its own until its query has begun; and
# so must the settings, of which each query takes a copy.
_turn = threading.Lock()


@contextmanager
def its_turn(stop: threading.Event | None) -> Iterator[None]:
    """Wait until no other run describes its streams; from then on runs go side by side."""
    while not _turn.acquire(timeout=0.1):
        if stop and stop.is_set():
            raise Stopped("Nobody waits for this run any more.")
    try:
        yield
    finally:
        _turn.release()


@contextmanager
def suited(
    spark: SparkSession, frames: list[DataFrame], drain: bool, encoding: str | None = None
) -> Iterator[None]:
    """Let queries that start here run as scripts do; a drained stop would move the watermark.

    `encoding` is how state is written, where that isn't Spark's own choice.
    """
    store = ROCKSDB if any(map(_has_a_processor, frames)) else IN_MEMORY
    wanted = SETTINGS | {DRAIN: str(drain).lower(), STATE_STORE: store}
    wanted |= {ENCODING: encoding} if encoding else {}
    with settings(spark, wanted):
        yield


@contextmanager
def settings(spark: SparkSession, wanted: Mapping[str, str]) -> Iterator[None]:
    """Have a session's settings be these for a while."""
    before = {name: spark.conf.get(name, None) for name in wanted}
    try:
        for name, value in wanted.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.unset(name) if value is None else spark.conf.set(name, value)


def _has_a_processor(frame: DataFrame) -> bool:
    """Tell whether a plan holds what wants RocksDB."""
    return "TransformWithState" in frame._jdf.queryExecution().analyzed().toString()
