"""A slip that someone makes who knows streams from elsewhere is told its own idea, or none."""

import pytest

from trainer.checking.graders import verdict_on
from trainer.checking.recognition import misconception
from trainer.checking.verdict import Kind
from trainer.course.exercise import find

pytestmark = pytest.mark.overnight

# What is replaced in the reference solution, by what, and how the idea begins that is told.
NO_WATERMARK = '.withWatermark("event_time", "60 seconds")', ""
SLIPS = [
    ("event_sorter", [NO_WATERMARK], "Nothing came out: your stream has no watermark"),
    (
        "event_sorter",
        [("timedelta(milliseconds=1)", "timedelta(seconds=1)")],
        "Events came out as soon as there was a watermark at all",
    ),
    ("event_sorter", [('"eventTime"', '"processingTime"')], "You released each event as soon as"),
    ("event_sorter", [("self.shelf.removeKey(time)", "pass")], "You left events in state"),
    ("late_fares", [("now + 1", "now")], "You remember the watermark only when fares come"),
    ("late_fares", [("now + 1", "now + 600_000")], None),
    (
        "late_fares",
        [
            (
                "self.remember(timerValues.getCurrentWatermarkInMs())",
                "self.remember(expiredTimerInfo.getExpiryTimeInMs())",
            )
        ],
        "When your timer went off, you remembered the time that it was set for",
    ),
    (
        "late_fares",
        [('F.expr("start_time + interval 0 seconds")', 'F.col("start_time")')],
        "No late fare came out: Spark drops late rows",
    ),
    (
        "late_fares",
        [("loose = timed.", "loose = fares.")],
        "No late fare came out: the stream that you look for them in has no watermark",
    ),
    ("long_ride_alerts", [NO_WATERMARK], "No timer of yours went off: the stream has no watermark"),
    (
        "long_ride_alerts",
        [('"eventTime"', '"processingTime"')],
        "You reported each ride as soon as its START came",
    ),
    (
        "long_ride_alerts",
        [("self.handle.deleteTimer(timer)", "pass")],
        "You forgot the ride, but not its timers",
    ),
    (
        "hourly_tips_by_hand",
        [("registerTimer(hour_end)", "registerTimer(hour_end + 1)"), ("InMs()", "InMs() - 1")],
        "You set the timer a little after the hour's end",
    ),
    (
        "hourly_tips_by_hand",
        [("registerTimer(hour_end)", "registerTimer(hour_end - 1)"), ("InMs()", "InMs() + 1")],
        "You set the timer a millisecond before the hour's end",
    ),
    ("hourly_tips_by_hand", [('"driver_id")', '"taxi_id")')], "You added up by taxi"),
    (
        "unmatched",
        [('fares.withWatermark("event_time", "10 minutes")', "fares")],
        "Only the rides have a watermark",
    ),
    ("unmatched", [("state.clear()", "pass")], "You reported rides and fares, and kept them"),
    ("unmatched", [("self.handle.deleteTimer(time + HOUR)", "pass")], "When partners met, you"),
]


@pytest.mark.parametrize(("name", "slips", "told"), SLIPS)
def test_a_slip_does_not_pass_and_is_told_no_false_idea(name, slips, told, tmp_path):
    """It is wrong, whoever wrote it; and its own idea is told, or none."""
    exercise, answer = find(name), tmp_path / "answer.py"
    text = exercise.solution.read_text()
    for right, slip in slips:
        assert right in text
        text = text.replace(right, slip)
    answer.write_text(text)
    verdict = verdict_on(exercise, answer)
    assert verdict.kind is Kind.WRONG
    found = misconception(exercise, verdict, seconds=0)
    assert found is None if told is None else found.startswith(told)
