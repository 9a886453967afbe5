"""What the README says is so."""

import re

import pytest
import typer

from trainer import cli
from trainer.course.clone import ROOT
from trainer.course.exercise import exercises
from trainer.learner import doctor

README = (ROOT / "README.md").read_text()
COMMANDS = set(typer.main.get_command(cli.app).commands)


def test_it_is_short():
    """Under a hundred lines."""
    assert len(README.splitlines()) < 100


def test_it_names_every_command_and_no_other():
    """`trainer something` is always a command; what isn't here doesn't exist for a newcomer."""
    assert set(re.findall(r"trainer ([a-z]+)", README)) == COMMANDS


def test_every_file_it_links_to_exists():
    """Links point into the repository, at something."""
    links = re.findall(r"\]\((?!http)([^)#]+)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_it_lists_each_exercise_beside_its_chapter():
    """All stubs there are, in their order, and no others, in the line of their chapter."""
    named = re.findall(r"^\| \[\d .*", README, re.MULTILINE)
    listed = [stem for line in named for stem in re.findall(r"`(ch\w+)`", line)]
    assert len(named) == len(list((ROOT / "notebooks").glob("[0-9]*.ipynb")))
    assert listed == [exercise.stem for exercise in exercises()]
    for chapter, line in enumerate(named):
        assert f"](notebooks/{chapter:02}_" in line
        assert {stem[:4] for stem in re.findall(r"`(ch\w+)`", line)} <= {f"ch{chapter:02}"}


def test_the_doctor_says_what_is_quoted():
    """The quoted lines name the checks that come first, in their order and their form."""
    quoted = re.findall(r"^ {6}ok  (\w+) +\S", README, re.MULTILINE)
    assert quoted == list(doctor.CHECKS)[: len(quoted)]
    assert len(quoted) == 3


@pytest.mark.parametrize("name", re.findall(r"TRAINER_\w+", README))
def test_every_variable_it_names_is_read(name):
    """A variable that the README offers stands in the code."""
    assert any(name in file.read_text() for file in (ROOT / "trainer").rglob("*.py"))


def test_what_continuous_integration_runs_is_what_newcomers_run():
    """The test command of the README is the one that decides."""
    assert "\n    uv run pytest\n" in README
    assert "\nuv run pytest\n" in (ROOT / ".ci" / "run").read_text()
