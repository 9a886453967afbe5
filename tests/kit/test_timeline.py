"""A run laid out along time, as text and as a picture."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.kit.results import result
from trainer.checking.case import Case
from trainer.display.timeline import label_of, timeline, timeline_of
from trainer.display.timeline_described import described
from trainer.display.timeline_picture import picture
from trainer.display.timeline_text import MARGIN, draw
from trainer.rows import at, block, end, fare, ride, rule, unblock
from trainer.running.scenario import Scenario

GIVEN = {"rides": [[ride(1, at="12:00")], [end(1, at="12:30")], [ride(2, at="12:05")]]}
WATERMARKS = (None, "11:50", "12:20")
ROW = {"window_end": at("13:00"), "driver_id": 2013000004, "tips": 3.0}


def laid_out(*batches, expected=None):
    """Lay out a run on the two rides, with these rows."""
    came = result(*batches, watermarks=WATERMARKS)
    return timeline(Scenario(GIVEN, {}), came, expected)


def test_an_event_is_behind_by_the_watermark_of_the_micro_batch_before():
    """Ride 2 of 12:05 comes in micro-batch 3, where 12:20 is still to count; 11:50 counts."""
    assert [event.behind for event in laid_out([], [], []).events] == [False, False, False]
    later = {"rides": [*GIVEN["rides"], [ride(3, at="12:05")]]}
    line = timeline(Scenario(later, {}), result([], [], [], [], watermarks=(*WATERMARKS, "12:20")))
    assert [event.label for event in line.events if event.behind] == ["S3"]


def test_rows_are_told_apart():
    """As expected, with a wrong value, in the wrong micro-batch, missing, or never expected; where
    a row belongs that came elsewhere it is not missing."""
    one, two, three, four, five = ({"ride_id": n, "minutes": n} for n in range(1, 6))
    came = [one, two | {"minutes": 0}, three, five]
    line = laid_out([], came, [], expected=result([], [one, two], [three, four]))
    assert sorted((row.kind, row.label, row.batch) for row in line.rows) == [
        ("came", "ride 1", 2),
        ("changed", "ride 2", 2),
        ("due", "ride 3", 3),
        ("missing", "ride 4", 3),
        ("moved", "ride 3", 2),
        ("surplus", "ride 5", 2),
    ]


def test_a_case_about_state_is_drawn_until_the_watermark_stands():
    """The micro-batch in which state should have gone has no row, and its watermark tells why."""
    came = result([], [], [], [], watermarks=(None, "11:50", "12:20", "12:20"))
    given = Scenario({"rides": GIVEN["rides"][:2]}, {})
    assert list(timeline(given, came).batches) == [1, 2]
    line = timeline_of(Case(given, expected=came, came=came))
    assert list(line.batches) == [1, 2, 3]
    assert "batch 3" in draw(line).plain


def test_what_comes_twice_is_named_once():
    """With how often it came."""
    unpaid = {"ride_id": 2, "missing": "fare"}
    text = draw(laid_out([unpaid, unpaid], [unpaid], [])).plain
    assert "→ ride 2 without fare (twice)  (came)" in text
    assert "→ ride 2 without fare  (came)" in text


def test_of_two_equal_rows_one_may_be_right():
    """As the table does, the drawing counts only the one that is too many."""
    row, other = {"ride_id": 2, "minutes": 5}, {"ride_id": 3, "minutes": 5}
    line = laid_out([], [row, row], [other, row], expected=result([], [row], [row, row, other]))
    assert [(each.kind, each.batch) for each in line.rows if each.label == "ride 2"] == [
        ("moved", 2),
        ("came", 2),
        ("came", 3),
        ("due", 3),
    ]


def test_the_legend_is_of_what_is_drawn():
    """No ENDs where there are none."""
    given = {"rides": [[ride(1, at="12:00")], [ride(2, at="12:30")]]}
    line = timeline(Scenario(given, {}), result([], []))
    assert draw(line).plain.splitlines()[-1].strip() == "S START"
    assert [text.get_text() for text in picture(line).legends[0].get_texts()] == ["START"]


def test_where_no_sign_needs_a_word_there_is_no_legend():
    """A ride that is no event is called a ride."""
    given = {"durations": [[{"ride_id": 31, "minutes": 0.0, "event_time": at("12:02")}]]}
    text = draw(timeline(Scenario(given, {}), result([]))).plain
    assert "ride 31" in text.splitlines()[-1]


def test_an_event_is_said_to_be_behind_the_watermark_and_never_late():
    """Which are late is another question: a window takes them in until its own end has passed."""
    given = {"fares": [[fare(1, at="13:30")], [], [fare(2, at="12:30")]]}
    total = {"window_end": at("14:00"), "total_tips": 4.0}
    for rows in ([total], []):
        marks = (None, "13:20", "13:20")
        line = timeline(Scenario(given, {}), result([], [], [], rows, watermarks=marks))
        legend = [text.get_text() for text in picture(line).legends[0].get_texts()]
        for text in (draw(line).plain, described(line), *legend):
            assert "late" not in text
        assert "! came behind the watermark" in draw(line).plain
        assert "F2 at 12:30 (came behind the watermark)" in described(line)
        assert "came behind the watermark" in legend


def test_an_event_right_at_the_watermark_is_not_said_to_be_behind_it():
    """Spark drops it all the same."""
    given = {"rides": [[ride(1, at="12:10")], [], [ride(2, at="12:05")]]}
    line = timeline(Scenario(given, {}), result([], [], [], watermarks=(None, "12:05", "12:05")))
    assert "! came at or behind the watermark" in draw(line).plain


TWO = {"rides": [[ride(1, at="12:00")], [ride(2, at="12:30")]]}


@pytest.mark.parametrize(
    ("watermark", "lines"),
    [
        (
            "12:30",
            [
                "··································S2····",
                "·························12:30:00 ┃·····",
            ],
        ),
        ("12:15", ["·················┃················S2····"]),
        ("11:50", ["◂┃ 11:50:00·······················S2····"]),
        (
            "12:31",
            [
                "··································S2····",
                "·····························12:31:00 ┃▸",
            ],
        ),
    ],
)
def test_the_watermark_is_always_seen(watermark, lines):
    """Also right at an event, where its label stands, and left or right of all events."""
    line = timeline(Scenario(TWO, {}), result([], [], watermarks=(None, watermark)))
    drawn = draw(line, 40).plain.splitlines()
    assert [each[MARGIN:] for each in drawn[2:-1]] == lines
    assert drawn[-1].endswith("┃ watermark")
    shown = picture(line)
    assert "watermark" in [text.get_text() for text in shown.legends[0].get_texts()]
    assert f"watermark {watermark}" in described(line)


def test_a_picture_says_where_a_watermark_lies_that_is_not_in_it():
    """Which way, and which time."""
    for watermark, told in (("11:00", "◂ 11:00:00"), ("13:00", "13:00:00 ▸"), ("12:15", None)):
        line = timeline(Scenario(TWO, {}), result([], [], watermarks=(None, watermark)))
        (axes,) = picture(line).axes
        texts = [text.get_text() for text in axes.texts if "0:00" in text.get_text()]
        assert texts == [told] * bool(told)


def test_a_time_of_another_day_is_told_with_its_day():
    """Where the day changes; 12:40 may be before 12:20."""
    given = {"rides": [[ride(1, at="12:20")], [ride(2, at=at("12:40") + timedelta(days=1))]]}
    line = timeline(Scenario(given, {}), result([], []))
    assert draw(line).plain.splitlines()[0].split() == ["12:20", "2020-01-02", "00:30", "12:40"]
    assert draw(line, 30).plain.splitlines()[0].split() == ["12:20", "2020-01-02", "12:40"]
    figure = picture(line)
    figure.canvas.draw()
    ticks = [tick.get_text() for tick in figure.axes[0].get_xticklabels()]
    assert ticks[0].endswith("\n2020-01-01") and ticks[-1].endswith("\n2020-01-02")


@pytest.mark.parametrize("width", [45, 60, 100])
def test_a_long_list_of_rows_takes_one_line(width):
    """As many as there is room for are named, the others counted."""
    rows = [{"ride_id": 1000 + n, "missing": "fare"} for n in range(40)]
    lines = draw(laid_out(rows, [], []), width).plain.splitlines()
    (told,) = (line for line in lines if "(came)" in line)
    assert len(told) <= width + MARGIN
    assert "ride 1000 without fare" in told and " more  (came)" in told


def test_labels_are_short():
    """A letter and a number; a driver by the number at the end."""
    assert label_of("rides", ride(7)) == "S7"
    assert label_of("rides", end(7)) == "E7"
    assert label_of("fares", fare(None)) == "F?"
    assert label_of("", ROW) == "13:00 D4"
    assert label_of("late", fare(7)) == "F7"
    assert label_of("blocks", block(4)) == "D4 blocked"
    assert label_of("blocks", unblock(4)) == "D4 free"
    assert label_of("rules", rule(2)) == "R2"
    assert label_of("", {"ride_id": 7, "rule_id": 2}) == "F7 R2"
    assert label_of("", {"ride_id": 7}) == "ride 7"
    assert label_of("", {"ride_id": 7, "missing": "fare"}) == "ride 7 without fare"
    assert label_of("", {"ride_id": 7, "missing": "ride"}) == "fare 7 without ride"


def test_the_text_shows_each_micro_batch():
    """Events where they belong in time, the watermark, the window's end, and what came out."""
    assert draw(laid_out([], [], [ROW]), 40).plain.splitlines() == [
        "          12:00          12:30          13:00",
        "batch 1   S1································¦·····",
        "batch 2   ◂┃ 11:50:00······E1···············¦·····",
        "batch 3   ···S2······┃······················¦·····",
        "          → 13:00 D4  (came)",
        "          S START   E END   D driver   ┃ watermark",
        "          ¦ end of a window",
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
