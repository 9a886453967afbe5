"""Runs an exercise's grader, which is ordinary pytest, on an answer: from it comes the verdict."""

import ast
import contextlib
import inspect
import io
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from trainer.checking import pytest_plugin
from trainer.checking.runs import Run, Runs
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.checking.written import reached
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise
from trainer.course.problem import Problem
from trainer.running.answer import (
    AnswerError,
    ContractError,
    Crashed,
    Overloaded,
    TooSlow,
    Unfinished,
)
from trainer.running.lines import TOO_MUCH, parsed

# No other test would fare better, and all would wait as long.
BREAKDOWNS = (Crashed, TooSlow, Overloaded)


def verdict_on(
    exercise: Exercise,
    path: Path,
    *,
    function: str | None = None,
    tests: Sequence[str] = (),
    seed: int = 1,
    limit: float = 90,
    plugins: Sequence[object] = (),
    extra: Path | None = None,
) -> Verdict:
    """Judge the answer in a file by the exercise's tests, or by some of them.

    `limit` is how many seconds each run may take; `extra` is a file with further tests.
    """
    if verdict := at_a_glance(exercise, path):
        return verdict
    if os.environ.get("TRAINER_REMOTE"):
        raise Problem(
            "TRAINER_REMOTE is set, and a check must see each micro-batch here, which Spark "
            "Connect does not allow. Unset it, or name a cluster with TRAINER_MASTER."
        )
    impl = f"--impl={path}::{function or exercise.function}"
    settings = (impl, f"--seed={seed}", f"--limit={limit}")
    checks = run_tests(exercise, tests, settings, plugins, extra)
    code = reached(
        path.read_text(encoding="utf-8", errors="replace"), function or exercise.function
    )
    return Verdict(*_conclude(checks), checks, code)


def at_a_glance(exercise: Exercise, path: Path) -> Verdict | None:
    """Give the verdict on an answer that need not be run; None if it must be."""
    if not path.is_file():
        remedy = f"`trainer reset {exercise.name}` puts the stub back"
        return Verdict(Kind.CRASHED, f"There is no {path.name}; {remedy}.")
    text = path.read_text(encoding="utf-8", errors="replace")
    issued = exercise.issued.read_text(encoding="utf-8")
    if text == issued:
        return Verdict(Kind.UNTOUCHED, f"{path.name} is as it was issued.")
    if _only_raises(text, exercise.function):
        return Verdict(Kind.UNFINISHED, "The function still raises NotImplementedError.")
    # Some stubs hold code that works, and has to become better.
    if reached(text, exercise.function) == reached(issued, exercise.function):
        return Verdict(Kind.UNFINISHED, "Only words have changed: the code is as it was issued.")
    return None


def _only_raises(text: str, function: str) -> bool:
    """Tell whether a function does nothing yet but raise NotImplementedError."""
    found = [
        node
        for node in parsed(text).body
        if isinstance(node, ast.FunctionDef) and node.name == function
    ]
    with contextlib.suppress(*TOO_MUCH):
        # Of several the last one is what Python takes.
        for node in found[-1:]:
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            return len(body) == 1 and ast.unparse(body[0]).removesuffix("()") == (
                "raise NotImplementedError"
            )
    return False


def _conclude(checks: Sequence[Check]) -> tuple[Kind, str]:
    """Let the first check that fails decide; where no test ran, nothing is correct."""
    if not checks:
        return Kind.CRASHED, "No check could be run."
    failed = next((check for check in checks if not check.passed), None)
    if failed is None:
        return Kind.CORRECT, f"All {len(checks)} checks passed."
    kinds = {Unfinished: Kind.UNFINISHED} | dict.fromkeys(BREAKDOWNS, Kind.CRASHED)
    kind = kinds.get(type(failed.error), Kind.WRONG)
    told = isinstance(failed.error, ContractError) or kind is not Kind.WRONG
    return kind, str(failed.error) if told else failed.fact


def run_tests(
    exercise: Exercise,
    tests: Sequence[str],
    settings: Sequence[str],
    plugins: Sequence[object],
    extra: Path | None = None,
) -> tuple[Check, ...]:
    """Run an exercise's tests on an answer, in this process and on its warm session."""
    collector = _Collector(exercise)
    which = [f"{exercise.grader}::{test}" for test in tests] or [exercise.grader]
    command = pytest_command([*which, extra] if extra else which)
    with contextlib.redirect_stdout(io.StringIO()):
        code = pytest.main([*command, *settings], plugins=[pytest_plugin, *plugins, collector])
    if code == pytest.ExitCode.INTERNAL_ERROR:
        # What passed before is no verdict: nobody knows what would have failed.
        return ()
    if collector.interrupted:
        # Whoever presses Ctrl-C means us, not one test.
        raise KeyboardInterrupt
    return tuple(collector.checks.values())


def pytest_command(which: Sequence[object]) -> list[str]:
    """Give pytest's arguments for some graders: they alone, whatever lies around them."""
    options = ["--noconftest", "--disable-plugin-autoload", "-p", "no:cacheprovider", "-vv"]
    options += ["-o", "addopts=", "--import-mode=importlib", f"--rootdir={ROOT}"]
    # Nobody reads pytest's own account of a difference, or of what a test was given, and of
    # tens of thousands of rows it would take hours.
    options += ["--assert=plain", "--tb=native"]
    return [*map(str, which), *options]


def fact_of(item: pytest.Function) -> str:
    """Give the fact that a test checks, as its docstring says it."""
    text = inspect.getdoc(item.function) or item.name
    return " ".join(text.split("\n\n")[0].split())


def check_name(item: pytest.Function, exercise: Exercise) -> str:
    """Name a check by its test; one from another folder than the grader's, by its folder too."""
    own = item.path == exercise.grader
    return item.name if own else f"{item.path.parent.name}/{item.name}"


class Counting:
    """Tells how many checks are through, and how many there are."""

    def __init__(self, tell: Callable[[int, int], object]) -> None:
        """Tell it to whoever waits."""
        self.tell, self.through, self.all = tell, 0, 0

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """See how many there are."""
        self.all = len(items)
        self.tell(0, self.all)

    def pytest_runtest_logfinish(self) -> None:
        """Count one more."""
        self.through += 1
        self.tell(self.through, self.all)


class _Collector:
    """Collects the outcome of each test; one that is skipped has not passed."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise, self.checks = exercise, {}
        self.interrupted = False

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo) -> None:
        """Tell Ctrl-C from the end that a check itself asked for."""
        self.interrupted = excinfo.type is KeyboardInterrupt

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
        report = yield
        earlier = self.checks.get(item.nodeid)
        if earlier is None or earlier.passed:
            error = call.excinfo.value if call.excinfo else None
            if call.when == "setup" and isinstance(error, Exception):
                error = _of_the_answer(error)
            name = check_name(item, self.exercise)
            found = Check(name, fact_of(item), report.passed, error, _runs(item))
            self.checks[item.nodeid] = found
            if isinstance(error, BREAKDOWNS):
                item.session.shouldstop = str(error)
        return report


def _of_the_answer(error: Exception) -> AnswerError:
    """Tell what an answer did wrong in a run from what keeps anything from running here."""
    if isinstance(error, AnswerError):
        return error
    said = (str(error).strip() or "no more is known").splitlines()[0]
    return Crashed(
        f"The check could not be run ({type(error).__name__}: {said}), which says nothing about "
        "your answer: `trainer doctor` looks at this machine."
    )


def _runs(item: pytest.Function) -> tuple[Run, ...]:
    runs = item.funcargs.get("runs")
    return runs.looked_at(item) if isinstance(runs, Runs) else ()
