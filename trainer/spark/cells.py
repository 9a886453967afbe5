"""What a notebook's cell has running in Spark, so that it can be ended when the cell is."""

from __future__ import annotations

import signal
import sys
import threading
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark import SparkContext


class Told(KeyboardInterrupt):
    """An interrupt that the learner has been told of, in a line."""


_CONNECTIONS = 5
_numbers = count(1)
_now: tuple[str, str] | None = None


def begin(title: str) -> None:
    """Let all jobs from here on belong to a new cell; streams keep to groups of their own."""
    global _now
    _now = f"cell {next(_numbers)}", title
    mark()


def mark() -> None:
    """Let Spark know of the present cell, if there are both."""
    if _now:
        _ask(lambda context: context.setJobGroup(*_now))


def take_over() -> None:
    """Let a session that was made in a cell be interrupted as its cells are.

    Spark's own way, to cancel all jobs there are, ends streams as well.
    """
    mark()
    if _now and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end() -> None:
    """Cancel the jobs of the present cell, after its thread was interrupted."""
    if _now:
        _ask(lambda context: context.cancelJobGroup(_now[0]))


def _ask(what: Callable[[SparkContext], object]) -> None:
    """Ask something of the context, if there is one.

    Where it was interrupted, py4j closes the connection, and may take the next ones with it.
    """
    context = _context()
    if context is None:
        return
    from py4j.protocol import Py4JError

    for attempt in range(_CONNECTIONS):
        try:
            what(context)
        except Py4JError:
            if attempt == _CONNECTIONS - 1:
                raise
        else:
            return


def _context() -> SparkContext | None:
    """Give the context of this process, if there is one: none is needed in Spark Connect."""
    pyspark = sys.modules.get("pyspark")
    return pyspark.SparkContext._active_spark_context if pyspark else None
