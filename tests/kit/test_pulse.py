"""A running query, watched."""

import json
import re
import time
from types import SimpleNamespace

import pytest

import trainer
from trainer.lessons.pulse import LEFT, Pulse, pulse
from trainer.lessons.sparks import HEIGHT, WIDTH, Chart
from trainer.rows import ride
from trainer.running import source
from trainer.running.script import SCHEMAS, arrow_table
from trainer.spark import dropped_rows

STATE = {"numRowsTotal": 4, "numRowsDroppedByWatermark": 2}
REPORTS = [
    {"batchId": 0, "eventTime": {"max": "2020-01-01T13:00:00.000Z"}, "stateOperators": [STATE]},
    {
        "batchId": 1,
        "processedRowsPerSecond": 1234.5,
        "eventTime": {"max": "2020-01-01T12:30:00.000Z", "watermark": "2020-01-01T12:50:00.000Z"},
        "stateOperators": [STATE],
    },
]


class Query:
    """A query that stops after so many looks."""

    name, runId = None, "a run that Spark knows nothing of"

    def __init__(self, reports, rounds=0):
        """Answer with these reports."""
        self.recentProgress = [SimpleNamespace(json=json.dumps(report)) for report in reports]
        self.rounds = rounds

    @property
    def isActive(self):
        """Whether it still runs."""
        return self.rounds > 0

    def awaitTermination(self, seconds):
        """Let time pass."""
        self.rounds -= 1


@pytest.fixture
def displayed(monkeypatch):
    """What is displayed, in order."""
    shown = []
    handle = SimpleNamespace(display=shown.append, update=shown.append)
    monkeypatch.setattr("trainer.lessons.pulse.DisplayHandle", lambda: handle)
    return shown


def test_a_pulse_reads_the_reports():
    """The newest event of all reports, the last watermark, all that was dropped."""
    assert str(pulse(Query(REPORTS))) == (
        "query: stopped, micro-batch: 2, rows a second: 1,234, newest event: 01 Jan 13:00:00, "
        "watermark: 01 Jan 12:50:00, behind by: 0:10:00, rows of state: 4, rows dropped late: 4"
    )


def test_a_query_that_has_just_begun_has_a_pulse():
    """There are no reports yet."""
    assert "micro-batch: 0" in str(pulse(Query([], rounds=1)))


def test_the_view_ends_with_the_query(displayed):
    """One look at once, one each time, and a last one when it has stopped."""
    trainer.live(Query(REPORTS, rounds=3))
    assert [look.state for look in displayed] == ["running"] * 3 + ["stopped"] * 2


def test_the_view_ends_when_time_is_up(displayed):
    """The query itself goes on."""
    query = Query(REPORTS, rounds=100)
    trainer.live(query, seconds=1)
    assert query.isActive
    assert len(displayed) == 4


def test_the_newest_rows_stand_below():
    """Those of a memory sink."""
    look = Pulse("running", 1, 0.0, None, None, 0, 0, [{"driver_id": 7, "tips": 2.5}])
    page = look._repr_html_()
    assert "the newest rows" in page
    assert "2.5" in page


def test_small_charts_show_how_it_has_been():
    """Pace, lag, state and loss; each can be read without seeing it."""
    page = pulse(Query(REPORTS))._repr_html_()
    assert re.findall('<svg role="img" aria-label="(.*?):', page) == [
        *("rows a second", "watermark behind", "rows of state", "dropped late")
    ]
    assert "rows a second: now 1,234, of late at most 1,234" in page
    assert "watermark behind: now 10 min" in page


def test_a_chart_stays_in_its_frame():
    """Whatever its numbers are, one or none too."""
    for values in ([], [7], [0, 0], [1, 5, 10**9]):
        points = [tuple(map(float, pair.split(","))) for pair in Chart("", values).area.split()]
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)


def test_who_leaves_the_view_is_told_that_the_query_goes_on(displayed):
    """In a line; no traceback."""
    query = Query(REPORTS, rounds=9)

    def interrupted(seconds):
        raise KeyboardInterrupt

    query.awaitTermination = interrupted
    trainer.live(query)
    assert displayed[-1].note == LEFT
    assert LEFT.split("`")[0] in displayed[-1]._repr_html_()


def test_a_real_query_is_watched(spark, displayed):
    """With its newest rows."""
    query = (
        spark.readStream.format("taxi_rides").option("rides", 20).load()
        .select("ride_id")
        .writeStream.format("memory").queryName("watched").trigger(availableNow=True).start()
    )  # fmt: skip
    trainer.live(query, rows=3)
    assert displayed[-1].state == "stopped"
    assert len(displayed[-1].rows) == 3


def test_what_was_dropped_long_ago_is_counted(spark, tmp_path):
    """Spark keeps a hundred reports; the row that came too late is in none of them any more."""
    dropped_rows.count(spark)
    script = [[ride(1, at="12:00")], [ride(2, at="14:00")], [], [ride(3, at="12:05")]] + 120 * [[]]
    tables = [arrow_table("rides", batch, SCHEMAS["rides"]) for batch in script]
    timed = source.stream(spark, SCHEMAS["rides"], tables).withWatermark("event_time", "10 minutes")
    writer = timed.dropDuplicates(["ride_id", "event_time"]).writeStream.format("noop")
    writer = writer.option("checkpointLocation", str(tmp_path)).trigger(availableNow=True)
    query = writer.start()
    query.awaitTermination()
    assert all(report["batchId"] > 3 for report in query.recentProgress)
    until = time.monotonic() + 10
    while pulse(query).dropped == 0 and time.monotonic() < until:
        time.sleep(0.1)
    assert pulse(query).dropped == 1
