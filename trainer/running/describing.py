"""Threads that call an answer: what they ask of Spark is looked at first, a start above all."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps

from pyspark.sql import GroupedData
from pyspark.sql.streaming import DataStreamWriter, StreamingQuery

from trainer.running.answer import ContractError
from trainer.running.processors import require_processor

_here = threading.local()
ENDS_BY_ITSELF = ("AvailableNowTrigger", "OneTimeTrigger")
Start = Callable[[], StreamingQuery]


@contextmanager
def only_describing() -> Iterator[None]:
    """Let this thread start no query; every other thread may go on doing so."""
    with _starting_by(_no_query):
        yield


@contextmanager
def starting(queries: list[StreamingQuery]) -> Iterator[None]:
    """Let this thread start queries that end by themselves; all that it starts are listed."""

    def listed(start: Start) -> StreamingQuery:
        queries.append(start())
        _require_an_end(queries[-1])
        return queries[-1]

    with _starting_by(listed):
        yield


@contextmanager
def _starting_by(way: Callable[[Start], StreamingQuery]) -> Iterator[None]:
    _here.starts_by = way
    try:
        yield
    finally:
        del _here.starts_by


def _guarded(method: Callable, look: Callable[..., None]) -> Callable:
    """Make a method of Spark's that looks first whether an answer may call it so."""

    @wraps(method)
    def guarded(this: object, *arguments: object, **options: object) -> object:
        if hasattr(_here, "starts_by"):
            look(*arguments, **options)
        return method(this, *arguments, **options)

    return guarded


def _guarded_start(start: Callable) -> Callable:
    """Make a method that starts a query do so in the way of its thread."""

    @wraps(start)
    def guarded(*arguments: object, **options: object) -> StreamingQuery:
        begin = partial(start, *arguments, **options)
        return _here.starts_by(begin) if hasattr(_here, "starts_by") else begin()

    return guarded


def _require_an_end(query: StreamingQuery) -> None:
    """Refuse a query that would wait for more rows, before anyone waits for it."""
    trigger = query._jsq.streamingQuery().trigger().toString()
    if not trigger.startswith(ENDS_BY_ITSELF):
        query.stop()
        raise ContractError(
            "Your query never ends: it waits for more rides. "
            "Give it the trigger that takes what is there and ends, `trigger(availableNow=True)`"
        )


def _no_query(start: Start) -> StreamingQuery:
    raise ContractError(
        "Your function starts a streaming query itself. Return a DataFrame, and start nothing"
    )


def _a_processor(statefulProcessor: object = None, *arguments: object, **options: object) -> None:
    require_processor(statefulProcessor)


# Once and for good: a guard that comes and goes with each call would be gone while a thread that
# was given up still runs, and there while another thread has every right to start a query.
DataStreamWriter.start = _guarded_start(DataStreamWriter.start)
DataStreamWriter.toTable = _guarded_start(DataStreamWriter.toTable)
GroupedData.transformWithState = _guarded(GroupedData.transformWithState, _a_processor)
GroupedData.transformWithStateInPandas = _guarded(
    GroupedData.transformWithStateInPandas, _a_processor
)
