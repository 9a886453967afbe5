"""What graders are given by pytest: the answer to test, only ever reached through `run`."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from trainer.answer import AnswerError
from trainer.clone import ROOT
from trainer.exercise import Exercise, find
from trainer.loading import load
from trainer.recording import Recorder

# What runs scenarios instead of this process: a grade puts a sandbox here.
RUNNER = pytest.StashKey[Callable[..., Callable]]()


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
def run(request: pytest.FixtureRequest, pytestconfig: pytest.Config) -> Recorder:
    """Run the answer on scripted streams: rows in, a Result out, as `trainer.scenario.run` does.

    The grader's constant COLUMNS is the contract that every run is held to.
    """
    # Not needed, and not loaded, by tests that run no answer.
    from trainer import scenario

    exercise = find(request.path.stem.removeprefix("test_"))
    columns, limit = request.module.COLUMNS, pytestconfig.getoption("--limit")
    make = pytestconfig.stash.get(RUNNER, None)
    if make is None:
        answer = load(*locate(pytestconfig.getoption("--impl"), exercise))
        return Recorder(partial(scenario.run, answer, columns=columns, timeout=limit))
    return Recorder(make(columns, limit))
