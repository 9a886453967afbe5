"""What GRADING.md says is so."""

import re

import typer

from trainer import cli
from trainer.course.clone import ROOT
from trainer.grading.commands import FORMATS
from trainer.grading.pages.showing import LEVELS as FEEDBACK
from trainer.grading.sandbox.sandbox import LEVELS

TEXT = (ROOT / "GRADING.md").read_text()
COMMANDS = typer.main.get_command(cli.app).commands


def test_every_option_it_names_exists():
    """Of one of the commands it is about."""
    options = {
        o for n in ("grade", "regrade", "cluster") for p in COMMANDS[n].params for o in p.opts
    }
    assert set(re.findall(r"(?<!\w)--[a-z]+(?:-[a-z]+)*", TEXT)) <= options


def test_every_option_of_a_batch_is_explained():
    """Each of the command's own, but those that go without saying."""
    options = {o for p in COMMANDS["grade"].params for o in p.opts if o.startswith("--")}
    assert options - set(re.findall(r"--[a-z]+(?:-[a-z]+)*", TEXT)) == set()


def test_every_level_is_explained():
    """Of the sandbox, of feedback, and every format."""
    for name in (*LEVELS, *FEEDBACK, *FORMATS):
        assert re.search(rf"`[^`\n]*\b{re.escape(name)}\b", TEXT), name


def test_every_file_it_links_to_exists():
    """Links point into the repository, at something."""
    links = re.findall(r"\]\((?!http)([^)#]+)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_it_takes_five_minutes():
    """At 250 words a minute."""
    assert len(TEXT.split()) < 5 * 250
