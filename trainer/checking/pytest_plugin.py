"""What graders are given by pytest: what came of their runs, and the seed of generated streams."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from trainer.checking.runs import Declared, Runs, Start, named_by
from trainer.course.clone import ROOT
from trainer.course.exercise import Exercise, find
from trainer.running.answer import AnswerError
from trainer.running.loading import load
from trainer.running.side_by_side import SideBySide

# What starts runs instead of this process, given a contract and a limit: a grade's sandbox.
ELSEWHERE = pytest.StashKey[Callable[..., Start]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that say whose answers are tested, and on which generated streams."""
    group = parser.getgroup("course")
    group.addoption(
        "--impl",
        default="solutions",
        help="the answers to test: solutions (the default), exercises, a folder, or a file; "
        "file.py::name tests that function",
    )
    group.addoption("--limit", type=float, default=90, help="seconds that each run may take")
    group.addoption("--seed", type=int, default=1, help="the seed of generated streams")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo) -> Iterator[None]:
    """Show what is wrong with an answer as its one line, without a traceback."""
    report = yield
    if call.excinfo and isinstance(call.excinfo.value, AnswerError):
        report.longrepr = f"{call.excinfo.typename}: {call.excinfo.value}"
    return report


def locate(impl: str, exercise: Exercise) -> tuple[Path, str]:
    """Find the file and the function that `--impl` means for an exercise."""
    place, _, function = impl.partition("::")
    path = Path(place) if Path(place).exists() else ROOT / place
    file = path / f"{exercise.stem}.py" if path.is_dir() else path
    return file.resolve(), function or exercise.function


@pytest.fixture(scope="session")
def seed(pytestconfig: pytest.Config) -> int:
    """The seed of the generated streams; a grader may keep it secret."""
    return pytestconfig.getoption("--seed")


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> Iterator[Runs]:
    """The runs that this grader declares and the chosen tests look at, all started.

    The grader's constant COLUMNS is the contract that every run is held to.
    """
    exercise = find(request.path.stem.removeprefix("test_"))
    start = _start(pytestconfig, exercise, request.module.COLUMNS)
    folder = "" if request.path == exercise.grader else request.path.parent.name
    runs = Runs(_looked_at(request), pytestconfig.getoption("--seed"), start, folder)
    yield runs
    runs.stop()


def _looked_at(request: pytest.FixtureRequest) -> Mapping[str, Declared]:
    """Give the runs that any of the chosen tests of this module names, in their order."""
    found: dict[str, Declared] = {}
    for item in request.session.items:
        if item.path == request.path:
            found |= named_by(item)
    return found


def _start(config: pytest.Config, exercise: Exercise, columns: str | Mapping[str, str]) -> Start:
    limit = config.getoption("--limit")
    if elsewhere := config.stash.get(ELSEWHERE, None):
        return elsewhere(columns, limit)
    # Not needed, and not loaded, by tests that run no answer.
    from trainer.running import drive

    answer = load(*locate(config.getoption("--impl"), exercise))
    return partial(SideBySide, partial(drive.run, answer, columns=columns, timeout=limit))
