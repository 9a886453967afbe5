"""Calls an answer's function under guard: with a time limit, and no query of its own."""

import ctypes
import inspect
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from trainer.running.answer import ContractError, Stopped, TooSlow, crash
from trainer.running.describing import only_describing


def call(
    function: Callable,
    timeout: float,
    stop: threading.Event | None = None,
    within: Callable[[], AbstractContextManager] = only_describing,
    author: Callable | None = None,
    **inputs: object,
) -> object:
    """Call a function; what goes wrong inside is raised as an AnswerError of one line.

    `within` says what its thread may start: by default, no query. `author` is whose errors are
    told, where it is not the function itself that is called.
    """
    require_parameters(function, set(inputs))
    outcome: list[tuple[object, BaseException | None]] = []

    def work() -> None:
        try:
            with within():
                outcome.append((function(**inputs), None))
        except BaseException as error:  # also exit(): nothing an answer raises may pass
            outcome.append((None, error))

    thread = threading.Thread(target=work, daemon=True, name="answer")
    thread.start()
    until = time.monotonic() + timeout
    while thread.is_alive() and time.monotonic() < until:
        thread.join(0.1)
        if stop and stop.is_set():
            _interrupt(thread)
            raise Stopped("Nobody waits for this run any more.")
    if not outcome:
        _interrupt(thread)
        raise TooSlow(
            f"Your function had not returned after {timeout:.0f} seconds. It should only describe "
            "the stream: no sleep, no waiting, no endless loop."
        )
    answer, error = outcome[0]
    if error is not None:
        raise crash(error, author or function) from error
    return answer


def require_parameters(function: Callable, expected: set[str]) -> None:
    """Refuse a function that takes other parameters than these."""
    taken = inspect.signature(function)
    try:
        taken.bind(**dict.fromkeys(expected))
    except TypeError:
        names = ", ".join(taken.parameters) or "no parameters"
        wanted = ", ".join(sorted(expected))
        raise ContractError(f"Your function takes {names}; expected {wanted}.") from None


def _interrupt(thread: threading.Thread) -> None:
    """Raise SystemExit inside a thread, which ends an endless loop of Python's own."""
    if not thread.is_alive():  # by now its number may be another thread's
        return
    number = ctypes.c_ulong(thread.ident)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, ctypes.py_object(SystemExit))
