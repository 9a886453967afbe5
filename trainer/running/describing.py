"""Threads that describe a stream and start nothing: in them no streaming query may start."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from pyspark.sql.streaming import DataStreamWriter

from trainer.running.answer import ContractError

_here = threading.local()


@contextmanager
def only_describing() -> Iterator[None]:
    """Let this thread start no query; every other thread may go on doing so."""
    _here.only_describes = True
    try:
        yield
    finally:
        _here.only_describes = False


def _guarded(start: Callable) -> Callable:
    """Make a method that starts a query look first whether its thread may."""

    @wraps(start)
    def guarded(*arguments: object, **options: object) -> object:
        if getattr(_here, "only_describes", False):
            raise ContractError(
                "Your function starts a streaming query itself. Return the DataFrame; the check "
                "starts it"
            )
        return start(*arguments, **options)

    return guarded


# Once and for good: a guard that comes and goes with each call would be gone while a thread that
# was given up still runs, and there while another thread has every right to start a query.
DataStreamWriter.start = _guarded(DataStreamWriter.start)
DataStreamWriter.toTable = _guarded(DataStreamWriter.toTable)
