"""What a learner's function may do wrong, each as one line, and where in their file it was."""

import re
from collections.abc import Callable

from pyspark.sql import DataFrame

from trainer.running.lines import line_in, line_of, lines_of, quoted
from trainer.running.lost_watermark import explained
from trainer.running.remedies import remedy
from trainer.running.scenario import Scenario


class AnswerError(Exception):
    """Something is wrong with an answer; the message is one line for its author."""

    # The line of the answer's file that is to blame, where it is known.
    line: int | None = None
    # What was being worked on: a micro-batch, counted from one, and of which script.
    micro_batch: int = 0
    scenario: Scenario | None = None


class ContractError(AnswerError):
    """An answer gives something else than the contract says: no DataFrame, other columns."""


class Unfinished(AnswerError):
    """An answer still raises NotImplementedError."""


class Crashed(AnswerError):
    """An answer raised an error, in its function, in a UDF or in a processor."""


class TooSlow(AnswerError):
    """An answer did not come to an end in the time it has."""


class Overloaded(TooSlow):
    """The machine was too busy for an answer: nobody knows whether anything is wrong with that."""


class Stopped(AnswerError):
    """A run was ended because nobody waits for it any more."""


_ON_A_STREAM = re.compile(r"(?i)queries with streaming sources must be executed")
_SQLSTATE = re.compile(r"\s*SQLSTATE: \w+.*", re.S)
_REMOTE_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_REMOTE_ERROR = re.compile(r"^(?P<error>(?:[a-z_]\w*\.)*[A-Z]\w*(?:: .*)?)$", re.M)
_CONDITION = re.compile(r"\[(?P<name>[A-Z][A-Z_.0-9]+)\] (?=(?P<text>[^\n]*))")
_WRAPPERS = (
    "STREAM_FAILED",
    "FOREACH_BATCH_USER_FUNCTION_ERROR",
    "FAILED_EXECUTE_UDF",
    "PYTHON_EXCEPTION",
)
_BUSY = re.compile(r"Python worker failed to connect back")
_WITHOUT_WATERMARK = "streaming aggregations without watermark"


def crash(
    error: BaseException, function: Callable, frame: DataFrame | None = None, micro_batch: int = 0
) -> AnswerError:
    """Turn what an answer raised into one line that names the answer's own line of code.

    `frame` is what the answer described, if it came to that: its plan says more than the error;
    `micro_batch` the one that was being worked on.
    """
    file, lines, text = function.__code__.co_filename, lines_of(function), str(error)
    line = line_in(error.__traceback__, file)
    if isinstance(error, AnswerError):
        return type(error)(text + quoted(lines, error.line or line) + ".")
    if _ON_A_STREAM.search(text):
        return ContractError(
            "A stream has no rows while your function describes it: no collect, count, show or "
            "toPandas in it. Return the DataFrame; what runs it comes later"
            f"{quoted(lines, line)}."
        )
    if _BUSY.search(text):
        return Overloaded(
            "This machine is too busy: a Python that Spark started did not answer in time. That "
            "says nothing about your answer: check again when the machine has less to do."
        )
    if "Python worker exited unexpectedly" in text:
        return Crashed("Your function ended the Python process that it ran in.")
    if "Traceback (most recent call last)" in text:
        what, line = _raised_in_a_worker(text, file)
    else:
        what = _first_line(error)
    if re.search(r"\bNotImplementedError\b", what):
        return Unfinished(f"Still raises NotImplementedError{quoted(lines, line)}.")
    plain, suspects = _in_plain_words(text, frame)
    line = line or line_of(function, *suspects)
    said = f". Spark says {_condition(text)}." if plain and _condition(text) else ""
    crashed = Crashed((plain or what) + quoted(lines, line) + said)
    crashed.line, crashed.micro_batch = line, micro_batch
    return crashed


def _in_plain_words(text: str, frame: DataFrame | None) -> tuple[str, tuple]:
    """Say what Spark refuses in plain words, and which calls to look at; '' if it isn't known."""
    if _WITHOUT_WATERMARK in text and frame is not None and (why := explained(frame)):
        what, key = why
        return what, (("groupBy", "groupby"), key)
    what, calls = remedy(text) or ("", ())
    return what, (calls,)


def _raised_in_a_worker(text: str, file: str) -> tuple[str, int | None]:
    """Find, in Spark's long message, the error itself and the answer's line that raised it."""
    own = [frame for frame in _REMOTE_FRAME.finditer(text) if frame["file"] == file]
    raised = _REMOTE_ERROR.search(text, (own or list(_REMOTE_FRAME.finditer(text)))[-1].end())
    what = raised["error"] if raised else "An error in your function"
    return _tidy(what), int(own[-1]["line"]) if own else None


def _first_line(error: BaseException) -> str:
    """Give an error's name and first line; of Spark's, the innermost one that says something."""
    if conditions := _conditions(str(error)):
        return f"Spark says {conditions[0]['name']}: {_tidy(conditions[0]['text'])}"
    text = str(error).split("terminated with exception: ")[-1]
    lines = text.strip().splitlines()
    return _tidy(f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__)


def _condition(text: str) -> str:
    """Give the name by which Spark's documentation knows what it says; '' if it has none."""
    return _conditions(text)[0]["name"] if _conditions(text) else ""


def _conditions(text: str) -> list[re.Match]:
    return [found for found in _CONDITION.finditer(text) if found["name"] not in _WRAPPERS]


def _tidy(message: str) -> str:
    return _SQLSTATE.sub("", message).strip()[:500]
