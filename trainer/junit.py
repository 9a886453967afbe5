"""Reports as JUnit XML, which every build server shows: a suite an exercise, a case a check."""

from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from trainer.report import Report


def junit(reports: Iterable[Report]) -> str:
    """Write reports as JUnit XML."""
    suites = Element("testsuites", name="taxi streams")
    for report in reports:
        _suite(suites, report)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def _suite(suites: Element, report: Report) -> None:
    checks = report.verdict.checks
    failed = sum(not check.passed for check in checks)
    undecided = not failed and not report.correct
    counts = {"tests": str(len(checks) + undecided), "failures": str(failed + undecided)}
    suite = SubElement(suites, "testsuite", name=report.exercise.stem, **counts)
    for check in checks:
        case = SubElement(suite, "testcase", classname=report.exercise.stem, name=check.name)
        if not check.passed:
            told = str(check.error) if check.error else report.verdict.message
            _fail(case, report.verdict.kind, check.fact, told, report.misconception)
    if undecided:
        case = SubElement(suite, "testcase", classname=report.exercise.stem, name="verdict")
        _fail(case, report.verdict.kind, report.verdict.message, "", None)


def _fail(case: Element, kind: str, fact: str, told: str, idea: str | None) -> None:
    failure = SubElement(case, "failure", type=kind, message=_clean(fact))
    failure.text = _clean("\n\n".join(filter(None, (idea, told))))


def _clean(text: str) -> str:
    """Leave out the characters that XML can't hold."""
    return "".join(letter for letter in text if letter.isprintable() or letter in "\n\t")
