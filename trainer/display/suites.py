"""Outcomes of tests as JUnit XML, which every build server reads: suites, and cases in them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

Outcome = Literal["passed", "failure", "error", "skipped"]
COUNTS: dict[str, Outcome] = {"failures": "failure", "errors": "error", "skipped": "skipped"}


@dataclass(frozen=True)
class Case:
    """One test; one that has not passed may say why: in a line, by a word, and at length."""

    name: str
    outcome: Outcome = "passed"
    message: str = ""
    kind: str = ""
    text: str = ""


@dataclass(frozen=True)
class Suite:
    """Tests that belong together."""

    name: str
    cases: tuple[Case, ...]


def to_xml(suites: Iterable[Suite], name: str = "") -> str:
    """Write suites as JUnit XML, with what can't stand in XML left out."""
    root = Element("testsuites", _attributes(name=name))
    for suite in suites:
        _add(root, suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add(root: Element, suite: Suite) -> None:
    outcomes = [case.outcome for case in suite.cases]
    counts = {name: str(outcomes.count(outcome)) for name, outcome in COUNTS.items()}
    about = _attributes(name=suite.name, tests=str(len(outcomes)), **counts)
    element = SubElement(root, "testsuite", about)
    for case in suite.cases:
        inside = SubElement(element, "testcase", _attributes(name=case.name, classname=suite.name))
        if case.outcome != "passed":
            why = {"message": _clean(case.message)} | _attributes(type=case.kind)
            SubElement(inside, case.outcome, why).text = _clean(case.text) or None


def _attributes(**given: str) -> dict[str, str]:
    return {name: _clean(value) for name, value in given.items() if value}


def _clean(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n\t")
