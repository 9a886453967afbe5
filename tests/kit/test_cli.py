"""The command line as a whole."""

import pytest
import typer
from typer.testing import CliRunner

from trainer import cli

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
