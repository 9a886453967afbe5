"""Threads that describe a stream and start nothing: what they ask of Spark is looked at first."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from pyspark.sql import GroupedData
from pyspark.sql.streaming import DataStreamWriter

from trainer.running.answer import ContractError
from trainer.running.processors import require_processor

_here = threading.local()


@contextmanager
def only_describing() -> Iterator[None]:
    """Let this thread start no query; every other thread may go on doing so."""
    _here.only_describes = True
    try:
        yield
    finally:
        _here.only_describes = False


def _guarded(method: Callable, look: Callable[..., None]) -> Callable:
    """Make a method of Spark's that looks first whether a thread that describes may call it so."""

    @wraps(method)
    def guarded(this: object, *arguments: object, **options: object) -> object:
        if getattr(_here, "only_describes", False):
            look(*arguments, **options)
        return method(this, *arguments, **options)

    return guarded


def _no_query(*arguments: object, **options: object) -> None:
    raise ContractError(
        "Your function starts a streaming query itself. Return the DataFrame; the check starts it"
    )


def _a_processor(statefulProcessor: object = None, *arguments: object, **options: object) -> None:
    require_processor(statefulProcessor)


# Once and for good: a guard that comes and goes with each call would be gone while a thread that
# was given up still runs, and there while another thread has every right to start a query.
DataStreamWriter.start = _guarded(DataStreamWriter.start, _no_query)
DataStreamWriter.toTable = _guarded(DataStreamWriter.toTable, _no_query)
GroupedData.transformWithState = _guarded(GroupedData.transformWithState, _a_processor)
GroupedData.transformWithStateInPandas = _guarded(
    GroupedData.transformWithStateInPandas, _a_processor
)
