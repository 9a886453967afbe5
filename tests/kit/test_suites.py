"""Outcomes of tests as JUnit XML, whatever they are and wherever they come from."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from trainer.display.suites import Case, Suite, to_xml

SCHEMA = Path(__file__).parent / "data" / "junit.xsd"
CASES = (
    Case("a"),
    Case("b", "failure", "B < C.", "wrong", "came \x00 nothing"),
    Case("c", "error", "It broke.", "crashed"),
    Case("d", "skipped", "not run"),
    Case("e", "failure"),
)


def test_it_is_written_as_build_servers_read_it():
    """What has passed is there, what has not says why, and all is counted."""
    assert to_xml([Suite("s", CASES)], "all") == (
        "<?xml version='1.0' encoding='utf-8'?>\n"
        '<testsuites name="all">\n'
        '  <testsuite name="s" tests="5" failures="2" errors="1" skipped="1">\n'
        '    <testcase name="a" classname="s" />\n'
        '    <testcase name="b" classname="s">\n'
        '      <failure message="B &lt; C." type="wrong">came  nothing</failure>\n'
        "    </testcase>\n"
        '    <testcase name="c" classname="s">\n'
        '      <error message="It broke." type="crashed" />\n'
        "    </testcase>\n"
        '    <testcase name="d" classname="s">\n'
        '      <skipped message="not run" />\n'
        "    </testcase>\n"
        '    <testcase name="e" classname="s">\n'
        '      <failure message="" />\n'
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n"
    )


@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\ud800", "\ufffe", "\x85", "]]>", '"&<'])
def test_no_text_breaks_it(sign):
    """Neither in a name nor in what is told."""
    case = Case(f"a{sign}", "failure", f"b{sign}", f"c{sign}", f"d{sign}")
    text = to_xml([Suite(f"e{sign}", (case,))], f"f{sign}")
    xmlschema.validate(text, SCHEMA)
    told = ElementTree.fromstring(text.encode()).find(".//failure")
    assert (told.get("message")[0], told.text[0]) == ("b", "d")


def test_nothing_is_valid_too():
    """No exercise was named, or no student handed in anything."""
    xmlschema.validate(to_xml([]), SCHEMA)
    xmlschema.validate(to_xml([Suite("s", ())]), SCHEMA)
