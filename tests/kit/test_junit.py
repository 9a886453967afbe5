"""Verdicts as JUnit XML."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema
from typer.testing import CliRunner

from trainer.checking.report import Report
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.cli import app
from trainer.course.exercise import Exercise, find
from trainer.display.junit import junit

CLEANSING = find("ride_cleansing")
SCHEMA = Path(__file__).parent / "data" / "junit.xsd"
PASSED = Check("test_a", "A.", True)
FAILED = Check("test_b", "B < C.", False, AssertionError("came \x00 nothing"))


def suite(kind, checks=(), idea=None):
    """Give the one suite of a report on these checks."""
    report = Report(CLEANSING, Verdict(kind, "It is so.", checks), misconception=idea)
    (suite,) = ElementTree.fromstring(junit([report]))
    return suite


def test_a_check_is_a_case():
    """Those that passed are there too."""
    correct = suite(Kind.CORRECT, (PASSED,))
    assert correct.attrib == {
        "name": CLEANSING.stem,
        "tests": "1",
        "failures": "0",
        "errors": "0",
        "skipped": "0",
    }
    assert [case.get("name") for case in correct] == ["test_a"]


def test_a_check_that_failed_says_what_and_why():
    """The rule is the message; the idea behind it and what came are the text."""
    wrong = suite(Kind.WRONG, (PASSED, FAILED), "You *mixed them up*.")
    failure = wrong.find("testcase[@name='test_b']/failure")
    assert failure.attrib == {"type": "wrong", "message": "B < C."}
    assert failure.text == "You mixed them up.\n\ncame  nothing"


@pytest.mark.parametrize("kind", Kind)
def test_whatever_the_verdict_it_is_valid(kind):
    """By the schema that its readers agree on, which want all that is counted."""
    reports = [
        Report(CLEANSING, Verdict(kind, "It is \x1b so.", checks), misconception="You \x00 did.")
        for checks in ((), (PASSED,), (PASSED, FAILED))
    ]
    xmlschema.validate(junit(reports), SCHEMA)


def test_an_answer_that_was_not_run_has_failed():
    """An untouched stub has no checks, and is not green."""
    untouched = suite(Kind.UNTOUCHED)
    assert untouched.get("failures") == "1"
    assert untouched.find("testcase/failure").attrib == {
        "type": "untouched",
        "message": "It is so.",
    }


def test_check_writes_it_to_a_file(monkeypatch, tmp_path):
    """The exit code is as without; the file is whole."""
    monkeypatch.setattr(Exercise, "stub", Exercise.issued)
    out = tmp_path / "report.xml"
    arguments = ["check", "ride_cleansing", "--format", "junit", "--out", str(out)]
    assert CliRunner().invoke(app, arguments).exit_code == 1
    assert ElementTree.parse(out).find("testsuite").get("name") == CLEANSING.stem


def test_without_a_file_nothing_else_is_printed(monkeypatch):
    """What is printed is XML from beginning to end."""
    monkeypatch.setattr(Exercise, "stub", Exercise.issued)
    came = CliRunner().invoke(app, ["check", "ride_cleansing", "--format", "junit"])
    assert ElementTree.fromstring(came.stdout).tag == "testsuites"
