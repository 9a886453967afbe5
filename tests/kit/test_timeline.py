"""A run laid out along time, as text and as a picture."""

from datetime import UTC, datetime

from tests.kit.results import result
from trainer.display.timeline import label_of, timeline
from trainer.display.timeline_picture import picture
from trainer.display.timeline_text import draw
from trainer.rows import at, end, fare, ride
from trainer.running.scenario import Scenario

GIVEN = {"rides": [[ride(1, at="12:00")], [end(1, at="12:30")], [ride(2, at="12:05")]]}
WATERMARKS = (None, "11:50", "12:20")
ROW = {"window_end": at("13:00"), "driver_id": 2013000004, "tips": 3.0}


def laid_out(*batches, expected=None):
    """Lay out a run on the two rides, with these rows."""
    came = result(*batches, watermarks=WATERMARKS)
    return timeline(Scenario(GIVEN, {}), came, expected)


def test_an_event_is_late_by_the_watermark_of_the_micro_batch_before():
    """Ride 2 of 12:05 comes in micro-batch 3, where 12:20 is still to count; 11:50 counts."""
    assert [event.late for event in laid_out([], [], []).events] == [False, False, False]
    later = {"rides": [*GIVEN["rides"], [ride(3, at="12:05")]]}
    line = timeline(Scenario(later, {}), result([], [], [], [], watermarks=(*WATERMARKS, "12:20")))
    assert [event.label for event in line.events if event.late] == ["S3"]


def test_rows_are_told_apart():
    """Those that came as expected, those missing, and those that nobody expected."""
    wrong = ROW | {"tips": 4.0}
    line = laid_out([], [ROW, wrong], [], expected=result([], [ROW], [ROW]))
    assert sorted((row.kind, row.batch) for row in line.rows) == [
        ("came", 2),
        ("missing", 3),
        ("surplus", 2),
    ]


def test_labels_are_short():
    """A letter and a number; a driver by the number at the end."""
    assert label_of("rides", ride(7)) == "S7"
    assert label_of("rides", end(7)) == "E7"
    assert label_of("fares", fare(None)) == "F?"
    assert label_of("", ROW) == "13:00 D4"


def test_the_text_shows_each_micro_batch():
    """Events where they belong in time, the watermark, the window's end, and what came out."""
    assert draw(laid_out([], [], [ROW]), 40).plain.splitlines() == [
        "          12:00          12:30          13:00",
        "batch 1   S1································¦·····",
        "batch 2   ·················E1···············¦·····",
        "batch 3   ···S2······┃······················¦·····",
        "          → 13:00 D4  (came)",
        "          S START   E END   D driver   ┃ watermark   ¦ end of a window",
    ]


def test_labels_do_not_cover_each_other():
    """Events of nearly one time go below each other; what has no room is counted."""
    crowd = {"rides": [[ride(number, at="12:00") for number in range(1, 7)], [ride(9, at="13:00")]]}
    text = draw(timeline(Scenario(crowd, {}), result([], [])), 40).plain
    assert [f"S{number}" in text for number in range(1, 7)] == [True] * 3 + [False] * 3
    assert "… and 3 more events" in text


def test_without_times_nothing_is_drawn():
    """Lines that are parsed have no time of their own."""
    line = timeline(Scenario({"lines": [[{"value": "x"}]]}, {}), result([{"value": "x"}]))
    assert draw(line).plain == ""
    assert picture(line).axes[0].has_data() is False


def test_the_picture_names_what_it_shows():
    """A legend for what is there, each once, and nothing else."""
    figure = picture(laid_out([], [], [ROW]), "A late ride")
    assert sorted(text.get_text() for text in figure.legends[0].get_texts()) == [
        "END",
        "START",
        "came out",
        "end of a window",
        "watermark",
    ]
    assert figure.axes[0].get_title(loc="left") == "A late ride"


def test_a_result_draws_itself():
    """In a lesson: `run(…).timeline()`."""
    labels = [text.get_text() for text in result([ROW], given=GIVEN).timeline().axes[0].texts]
    assert labels == ["S1", "E1", "S2"]


def test_of_very_many_micro_batches_the_first_are_drawn_and_the_rest_is_counted():
    """Nobody looks at thousands, and to draw them takes more memory than there is."""
    came = result(*[[ROW]] * 900, watermarks=["12:20"] * 900)
    line = timeline(Scenario(GIVEN, {}), came)
    assert (list(line.batches)[-1], len(line.watermarks), line.left) == (60, 60, 840)
    assert "… the first 60 of 900 micro-batches" in draw(line).plain
    (axes,) = picture(line).axes
    assert axes.get_ylabel() == "the first 60 of 900 micro-batches"


def test_times_at_the_ends_of_all_years_are_drawn():
    """Whoever computes one wrongly may come out anywhere."""
    rows = [ROW | {"window_end": datetime(year, 1, 1, tzinfo=UTC)} for year in (1, 9999)]
    figure = picture(laid_out([], rows, [], expected=result([], [ROW], [])))
    figure.canvas.draw()
    assert figure.axes[0].has_data()
