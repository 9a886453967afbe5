"""What a learner's function may do wrong, each as one line, and where in their file it was."""

import linecache
import re
import traceback
from collections.abc import Callable, Sequence
from types import TracebackType


class AnswerError(Exception):
    """Something is wrong with an answer; the message is one line for its author."""


class ContractError(AnswerError):
    """An answer gives something else than the contract says: no DataFrame, other columns."""


class Unfinished(AnswerError):
    """An answer still raises NotImplementedError."""


class Crashed(AnswerError):
    """An answer raised an error, in its function, in a UDF or in a processor."""


class TooSlow(AnswerError):
    """An answer did not come to an end in the time it has."""


class Stopped(AnswerError):
    """A run was ended because nobody waits for it any more."""


# The name under which a loaded file keeps its own text.
TEXT = "__text__"

_ON_A_STREAM = re.compile(r"(?i)queries with streaming sources must be executed")
_SQLSTATE = re.compile(r"\s*SQLSTATE: \w+.*", re.S)
_REMOTE_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_REMOTE_ERROR = re.compile(r"^(?P<error>(?:[a-z_]\w*\.)*[A-Z]\w*(?:: .*)?)$", re.M)
_CONDITION = re.compile(r"\[(?P<name>[A-Z][A-Z_.0-9]+)\] (?=(?P<text>[^\n]*))")
_WRAPPERS = ("STREAM_FAILED", "FOREACH_BATCH_USER_FUNCTION_ERROR", "FAILED_EXECUTE_UDF")


def crash(error: BaseException, function: Callable) -> AnswerError:
    """Turn what an answer raised into one line that names the answer's own line of code."""
    file, lines = function.__code__.co_filename, lines_of(function)
    text = str(error)
    if isinstance(error, AnswerError):
        return type(error)(text + quoted(lines, line_in(error.__traceback__, file)) + ".")
    if _ON_A_STREAM.search(text):
        what = (
            "A stream has no rows while your function describes it: no collect, count, show or "
            "toPandas in it. Return the DataFrame; what runs it comes later"
        )
        return ContractError(what + quoted(lines, line_in(error.__traceback__, file)) + ".")
    if "Traceback (most recent call last)" in text and file in text:
        what, line = _raised_in_a_worker(text, file)
    else:
        what, line = _first_line(error), line_in(error.__traceback__, file)
    if "Python worker exited unexpectedly" in text:
        return Crashed("Your function ended the Python process that it ran in.")
    if re.search(r"\bNotImplementedError\b", what):
        return Unfinished(f"Still raises NotImplementedError{quoted(lines, line)}.")
    return Crashed(what + quoted(lines, line))


def line_in(trace: TracebackType | None, file: str) -> int | None:
    """Find the innermost line of a file in a traceback."""
    frames = traceback.walk_tb(trace)
    numbers = [number for frame, number in frames if frame.f_code.co_filename == file]
    return numbers[-1] if numbers else None


def _raised_in_a_worker(text: str, file: str) -> tuple[str, int | None]:
    """Find, in Spark's long message, the error itself and the answer's line that raised it."""
    frames = list(_REMOTE_FRAME.finditer(text))
    own = [frame for frame in frames if frame["file"] == file][-1]
    raised = _REMOTE_ERROR.search(text, own.end())
    what = raised["error"] if raised else "An error in your function"
    return _tidy(what), int(own["line"])


def _first_line(error: BaseException) -> str:
    """Give an error's name and first line; of Spark's, the innermost one that says something."""
    conditions = [c for c in _CONDITION.finditer(str(error)) if c["name"] not in _WRAPPERS]
    if conditions:
        return f"Spark says {conditions[0]['name']}: {_tidy(conditions[0]['text'])}"
    lines = str(error).strip().splitlines()
    return _tidy(f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__)


def _tidy(message: str) -> str:
    return _SQLSTATE.sub("", message).strip()[:500]


def lines_of(function: Callable) -> Sequence[str]:
    """Give the lines of the text that a function was loaded from, whatever its file says now."""
    if TEXT in function.__globals__:
        return function.__globals__[TEXT].split("\n")
    # It came another way, out of a notebook's cell, say: Python knows best.
    file = function.__code__.co_filename
    linecache.checkcache(file)
    return linecache.getlines(file)


def quoted(lines: Sequence[str], line: int | None) -> str:
    """Quote one of the lines of a text, in brackets; nothing where there is none."""
    if line is None:
        return ""
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f" (line {line}: {code})" if code else f" (line {line})"
