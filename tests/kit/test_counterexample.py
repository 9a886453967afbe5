"""Wrong answers that nobody foresaw: the rule they break is named, and a case that shows it."""

from collections.abc import Iterator

import pytest

from trainer.checking.report import Report, examine
from trainer.checking.smallest import size
from trainer.checking.verdict import Kind
from trainer.course.exercise import find

# The head of each stands for the file of the reference, whose function it turns into a wrong one.
WITH_REFERENCE = "from solutions.{stem} import {function} as right\n"
UNFORESEEN = {
    "drops rides without passengers": (
        "ride_cleansing",
        'def cleanse(rides):\n    return right(rides.filter("passenger_count > 0"))\n',
        "Every event must be judged by itself",
    ),
    "takes malformed lines for rejects without a reason": (
        "quarantine",
        "def split_valid(lines):\n"
        "    found = right(lines)\n"
        "    found['rejects'] = found['rejects'].filter(\"reason <> 'malformed'\")\n"
        "    return found\n",
        "A line that is null, empty, cut short or not one JSON object must be rejected",
    ),
    "looks at the end alone, and takes every unknown place for the city": (
        "ride_cleansing",
        "from datagen.geo import is_in_nyc\n"
        "def cleanse(rides):\n"
        "    return rides.filter(is_in_nyc('end_lon', 'end_lat') | rides['end_lon'].isNull())\n",
        "A ride that starts outside the city must be dropped",
    ),
    "counts what is paid in cash only": (
        "hourly_tips",
        "def hourly_tips(fares):\n    return right(fares.filter(\"payment_type = 'CASH'\"))\n",
        "Where one driver alone was tipped, that driver must have the hour",
    ),
}


@pytest.fixture
def examined(tmp_path):
    """Examine an answer; give all the reports on the way."""

    def examine_it(name: str) -> Iterator[Report]:
        exercise_name, text, _ = UNFORESEEN[name]
        exercise = find(exercise_name)
        path = tmp_path / f"{exercise.stem}.py"
        head = WITH_REFERENCE.format(stem=exercise.stem, function=exercise.function)
        path.write_text(head + text)
        told = []
        examine(exercise, path, tell=told.append, patience=60)
        return told

    return examine_it


@pytest.mark.parametrize("name", UNFORESEEN)
def test_the_rule_is_named_and_a_case_shows_it(examined, name):
    """First the verdict, then what is known of the idea, then a case of a few rows."""
    first, second, last = examined(name)
    assert first.verdict.kind == Kind.WRONG
    assert last.verdict.message.startswith(UNFORESEEN[name][2])
    assert second.rule.fact == first.verdict.message
    assert last.misconception is None
    assert last.case.differences
    assert last.case.rule == last.verdict.message
    assert size(last.case.scenario) <= 3
