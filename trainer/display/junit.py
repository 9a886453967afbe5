"""Reports as JUnit XML, which every build server shows: a suite an exercise, a case a check."""

from collections.abc import Iterable

from trainer.checking.report import Report
from trainer.checking.verdict import Check
from trainer.display.spans import unstressed
from trainer.display.suites import Case, Suite, to_xml


def junit(reports: Iterable[Report]) -> str:
    """Write reports as JUnit XML."""
    return to_xml(map(_suite, reports), "taxi streams")


def _suite(report: Report) -> Suite:
    cases = tuple(_case(report, check) for check in report.verdict.checks)
    if not report.correct and all(case.outcome == "passed" for case in cases):
        # Nothing was run that could have failed, an untouched stub say: that is not green.
        cases += (Case("verdict", "failure", report.verdict.message, report.verdict.kind),)
    return Suite(report.exercise.stem, cases)


def _case(report: Report, check: Check) -> Case:
    if check.passed:
        return Case(check.name)
    told = str(check.error) if check.error else report.verdict.message
    text = unstressed("\n\n".join(filter(None, (report.misconception, told))))
    return Case(check.name, "failure", unstressed(check.fact), report.verdict.kind, text)
