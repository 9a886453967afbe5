"""All pictures of the course look alike, because there is one place that says how."""

import re
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from datagen.style import INK
from tests.kit.results import result
from trainer.course.clone import ROOT
from trainer.lessons.join_pictures import draw_arrivals, draw_reach, draw_state
from trainer.lessons.pictures import draw_batches
from trainer.lessons.query_pictures import draw_triggers
from trainer.rows import at, end, ride

NOON = at("12:00")
WORDS = {"event": "a ride", "reach": "its fare", "watermark": "watermark", "title": "Reach"}
REPORTS = [
    SimpleNamespace(
        batchId=number,
        numInputRows=4,
        sink=SimpleNamespace(numOutputRows=number),
        timestamp=f"2020-01-01T12:00:0{number}.000Z",
        durationMs={"triggerExecution": 500},
    )
    for number in range(3)
]
RUN = result([{"ride_id": 1, "event_time": NOON}], given={"rides": [[ride(1), end(1)]]})
PICTURES = {
    "arrivals": lambda: draw_arrivals([[NOON], [NOON]], [None, NOON]),
    "state": lambda: draw_state({"no bound": [1, 2], "an hour": [1, 1]}, "State"),
    "reach": lambda: draw_reach(NOON, (NOON, NOON + timedelta(hours=1)), NOON, WORDS),
    "batches": lambda: draw_batches(SimpleNamespace(recentProgress=REPORTS), "Batches"),
    "triggers": lambda: draw_triggers({"availableNow=True": REPORTS}, 4),
    "timeline": lambda: RUN.timeline("A run"),
}
DRAWING = [*ROOT.glob("trainer/**/*picture*.py"), ROOT / "datagen" / "pictures.py"]
OF_ITS_OWN = r"#[0-9a-f]{6}\b|set_title|frameon|labelsize|fontsize=\d+\b(?!\.)|spines\[\["


@pytest.fixture(autouse=True)
def off_screen(monkeypatch):
    """Draw for a file, and close what was drawn."""
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_looks_as_all_do(name):
    """A title on the left in ink, no frame around the picture, and none around its legend."""
    drawn = PICTURES[name]()
    figure = drawn if isinstance(drawn, Figure) else plt.gcf()
    (axes,) = figure.axes
    title = axes.get_title(loc="left")
    (written,) = axes.findobj(lambda each: isinstance(each, Text) and each.get_text() == title)
    assert title and written.get_color() == INK
    assert not any(axes.spines[side].get_visible() for side in ("top", "right"))
    legends = [*figure.legends, *filter(None, [axes.get_legend()])]
    assert not any(legend.get_frame_on() for legend in legends)


@pytest.mark.parametrize("file", DRAWING, ids=lambda path: path.stem)
def test_no_picture_has_a_look_of_its_own(file: Path):
    """Colours, frames and the letters of titles and scales are what the style says."""
    assert re.findall(OF_ITS_OWN, file.read_text()) == []


def test_the_pictures_are_found():
    """Wherever they lie."""
    assert len(DRAWING) >= 6
