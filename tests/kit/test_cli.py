"""The command line as a whole."""

import pytest
import typer
from typer.testing import CliRunner

from trainer import cli
from trainer.course.exercise import exercises
from trainer.course.problem import Problem
from trainer.learner import overview
from trainer.learner.hints import solution
from trainer.learner.progress import Progress

COMMANDS = typer.main.get_command(cli.app).commands


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name):
    """--help works, and has more to say than the usage line."""
    ran = CliRunner().invoke(cli.app, [name, "--help"])
    assert ran.exit_code == 0
    assert len(COMMANDS[name].help.split()) > 4


def test_an_unknown_command_is_one_short_answer():
    """A typing error gives no traceback."""
    ran = CliRunner().invoke(cli.app, ["dcotor"])
    assert ran.exit_code == 2
    assert "No such command 'dcotor'" in ran.output


@pytest.fixture
def progress(monkeypatch, tmp_path):
    """Progress of the test's own."""
    progress = Progress(tmp_path / "progress.json")
    monkeypatch.setattr(cli, "Progress", lambda: progress)
    return progress


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.stem)
def test_a_solution_that_is_piped_runs(progress, exercise):
    """It comes as it is written, no line cut."""
    ran = CliRunner().invoke(cli.app, ["solution", exercise.name, "--spoil"])
    assert ran.output == solution(exercise, progress, spoil=True)


def test_a_hint_without_a_name_is_for_what_one_worked_on(progress):
    """And says for which."""
    progress.attempted("ch03a_ride_durations", "wrong")
    ran = CliRunner().invoke(cli.app, ["hint"])
    assert ran.output.startswith("For ch03a_ride_durations, which you last worked on:\n1. ")
    assert progress.of("ch03a_ride_durations").hints == 1


@pytest.mark.parametrize("command", ["hint", "solution"])
def test_without_a_name_before_anything_was_checked_one_line_says_so(progress, command):
    """There is no last one."""
    ran = CliRunner().invoke(cli.app, [command])
    assert isinstance(ran.exception, Problem)
    assert "Which exercise?" in str(ran.exception)


def test_next_names_what_was_skipped(progress):
    """And goes on from where one is."""
    first, second, third, *_ = exercises()
    progress.attempted(second.stem, "correct")
    ran = CliRunner().invoke(cli.app, ["next"])
    assert ran.output.startswith(third.stem)
    assert f"Before it, not solved yet: {first.stem}.\n" in ran.output
    assert overview.where(third) in ran.output
