"""What a notebook's cell has running in Spark, so that it can be ended when the cell is."""

from __future__ import annotations

import signal
import sys
import threading
from collections import deque
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

    from pyspark import SparkContext


class Told(KeyboardInterrupt):
    """An interrupt that the learner has been told of, in a line."""


_CONNECTIONS = 5
_A_MOMENT = 0.1
_WHEN_AN_OBJECT_GOES = {"<lambda>", "_garbage_collect_object", "_garbage_collect_connection"}
_numbers = count(1)
_now: tuple[str, str] | None = None
_interrupted: deque[str] = deque(maxlen=5)


def begin(title: str) -> None:
    """Let all jobs from here on belong to a new cell; streams keep to groups of their own."""
    global _now
    if _interrupted:
        _ask(_cancel_what_was_left)
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
    if _now:
        listen()


def listen() -> None:
    """Let an interrupt end what the main thread does, also where Python would pass over it."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, _interrupt)


def again() -> None:
    """Interrupt the main thread in a moment."""
    main = threading.main_thread().ident
    threading.Timer(_A_MOMENT, signal.pthread_kill, (main, signal.SIGINT)).start()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise an interrupt, or wait with it where it would only be printed and forgotten."""
    at: FrameType | None = frame
    while at:
        if _is_tidying(at.f_code):
            again()
            return
        at = at.f_back
    signal.default_int_handler(number, frame)


def _is_tidying(code: CodeType) -> bool:
    """Tell code that Python calls when an object goes: what is raised there is raised nowhere."""
    of_py4j = Path(code.co_filename).name == "java_gateway.py"
    return code.co_name == "__del__" or (of_py4j and code.co_name in _WHEN_AN_OBJECT_GOES)


def end() -> None:
    """Cancel the jobs of the present cell, after its thread was interrupted.

    One that Java was asked for just then may begin after this: the next cells cancel it.
    """
    if _now:
        _interrupted.append(_now[0])
        _ask(_cancel_what_was_left)


def _cancel_what_was_left(context: SparkContext) -> None:
    """Cancel the jobs of cells that were interrupted, and those of none.

    Spark can be told to cancel future jobs of a group, but stages that adaptive execution asks for
    begin nevertheless. And where py4j connects anew within a cell the group is forgotten.
    """
    for group in _interrupted:
        context._jsc.sc().cancelJobGroupAndFutureJobs(group)
    jobs = context.statusTracker()
    for job in {*jobs.getActiveJobsIds()} & {*jobs.getJobIdsForGroup(None)}:
        context._jsc.sc().cancelJob(job)


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
