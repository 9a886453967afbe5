"""A wrong answer that nobody foresaw is told the rule that it breaks, and shown a case."""

import pytest

from trainer.checking.graders import verdict_on
from trainer.checking.recognition import misconception
from trainer.checking.report import examine
from trainer.checking.verdict import Kind
from trainer.course.exercise import find

pytestmark = pytest.mark.overnight

# A slip in the reference solution: what to replace, and by what.
SLIPS = [
    ("ride_enrichment", 'F.col("place").alias("pickup', 'F.col("borough").alias("pickup'),
    ("ride_enrichment", 'grid_cell("end_lon", "end_lat")', 'grid_cell("start_lon", "start_lat")'),
    ("ride_durations", "(end - start)", "(start - end)"),
    ("ride_durations", "timedelta(minutes=1)", "timedelta(seconds=1)"),
    ("longest_rides", "row.minutes > longest", "row.minutes > 0"),
    ("deduplicate", '["ride_id", "is_start"]', '["driver_id", "is_start"]'),
    ("hourly_tips", 'F.sum("tip")', 'F.sum("total_fare")'),
    ("hourly_tips", '"1 hour"', '"30 minutes"'),
    ("popular_places", '"15 minutes", "5 minutes"', '"30 minutes", "5 minutes"'),
    ("popular_places", 'F.count("*")', 'F.approx_count_distinct("driver_id")'),
    ("driver_shifts", 'F.count_if("is_start")', 'F.count_if(~F.col("is_start"))'),
    ("driver_shifts", 'F.max("event_time")', 'F.min("event_time")'),
    ("late_fares", 'F.window("start_time", "1 hour")', 'F.window("start_time", "30 minutes")'),
    ("late_fares", 'F.sum(F.col("tip")', 'F.max(F.col("tip")'),
    ("long_ride_alerts", "TWO_HOURS = 2 *", "TWO_HOURS = 3 *"),
    ("hourly_tips_by_hand", "HOUR = 60 *", "HOUR = 30 *"),
    ("hourly_tips_by_hand", "row.tip or 0.0", "row.total_fare or 0.0"),
    ("unmatched", "HOUR = 60 *", "HOUR = 30 *"),
    ("unmatched", "missing=missing", 'missing="fare"'),
]


@pytest.mark.parametrize(("name", "right", "slip"), SLIPS)
def test_a_slip_is_told_its_rule_and_shown_a_case(name, right, slip, tmp_path):
    """No misconception is claimed; the case is one that breaks the rule which is told."""
    exercise, answer = find(name), tmp_path / "answer.py"
    solution = exercise.solution.read_text()
    assert right in solution
    answer.write_text(solution.replace(right, slip))
    report = examine(exercise, answer)
    assert report.verdict.kind is Kind.WRONG
    assert report.rule.fact
    assert report.misconception is None
    assert report.case.differences
    assert report.case.rule == report.verdict.message


# A slip in the reference solution, and how what is told of it begins.
TOLD = [
    ("rides_and_fares", '"10 minutes"', '"0 seconds"', "Your watermark's delay is too short"),
    ("rides_and_fares", '"10 minutes"', '"40 minutes"', "Your watermark's delay is longer than"),
    ("rides_and_fares", '"10 minutes"', '"1 day"', "Your watermark's delay is longer than"),
    (
        "rides_and_fares",
        "INTERVAL 30",
        "INTERVAL 29",
        "You left out pairs that are exactly 30 minutes",
    ),
    ("longest_rides", "self.longest.update((longest,))", "pass", "What you remember is lost"),
    ("deduplicate", '"30 minutes"', '"5 minutes"', "Your delay is too short"),
    ("deduplicate", "dropDuplicatesWithinWatermark", "dropDuplicates", "You remember every event"),
    ("hourly_tips", '"10 minutes"', '"20 minutes"', "You waited longer than needed"),
    ("popular_places", '"10 minutes"', '"1 minute"', "You closed windows too soon"),
    ("event_sorter", '"60 seconds"', '"10 minutes"', "Your watermark's delay isn't the 60 seconds"),
    ("driver_shifts", '"1 hour"', '"30 minutes"', "Your gap is shorter than an hour"),
]


@pytest.mark.parametrize(("name", "right", "slip", "told"), TOLD)
def test_a_slip_is_told_what_is_true_of_it(name, right, slip, told, tmp_path):
    """An idea names no constant that isn't the learner's, and none excludes what was written."""
    exercise, answer = find(name), tmp_path / "answer.py"
    solution = exercise.solution.read_text()
    assert right in solution
    answer.write_text(solution.replace(right, slip))
    assert misconception(exercise, verdict_on(exercise, answer)).startswith(told)
