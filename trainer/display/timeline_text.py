"""A timeline as a compact drawing in text: event time to the right, micro-batches downwards."""

from collections.abc import Iterator
from datetime import datetime

from rich.text import Text

from trainer.display.timeline import Event, Timeline

WIDTH = 60
MARGIN = 10
MOST_LANES, MOST_ROWS = 3, 6
MARKS = {"came": ("→", "green"), "missing": ("○", "yellow"), "surplus": ("✗", "red")}
NAMES = {"came": "came", "missing": "missing", "surplus": "came, not expected"}


def draw(line: Timeline, width: int = WIDTH) -> Text:
    """Draw a timeline; empty where nothing has a time."""
    if not line.span:
        return Text()
    batches = [part for number in line.batches for part in _batch(line, number, width)]
    told = [Text(f"{'':<{MARGIN}}… {line.told}", "dim")] if line.told else []
    return Text("\n").join([_scale(line, width), *batches, *told, _legend(line)])


def _scale(line: Timeline, width: int) -> Text:
    first, last = line.span
    form = "%H:%M" if (last - first).total_seconds() > 600 else "%H:%M:%S"
    times = [first, first + (last - first) / 2, last] if last > first else [first]
    labels = [time.strftime(form) for time in times]
    room = _column(1, width) + 2 - sum(map(len, labels))
    gap = " " * (room // max(1, len(labels) - 1))
    return Text(" " * MARGIN + gap.join(labels), "dim")


def _batch(line: Timeline, number: int, width: int) -> Iterator[Text]:
    """Draw a micro-batch: lanes of events, and below them what came out."""
    longest = max([len(e.label) + e.late + 1 for e in line.events if e.batch == number], default=2)
    lanes, left = line.lanes(number, longest / _column(1, width), MOST_LANES)
    for at, lane in enumerate(lanes or [[]]):
        label = f"batch {number}" if at == 0 else ""
        yield Text(f"{label:<{MARGIN}}", "dim") + _lane(line, number, lane, width)
    if left:
        yield Text(f"{'':<{MARGIN}}… and {left} more events", "dim")
    for kind, (mark, colour) in MARKS.items():
        labels = [row.label for row in line.rows if (row.batch, row.kind) == (number, kind)]
        if labels:
            more = f" and {len(labels) - MOST_ROWS} more" if labels[MOST_ROWS:] else ""
            shown = f"{mark} {', '.join(labels[:MOST_ROWS])}{more}  ({NAMES[kind]})"
            yield Text(f"{'':<{MARGIN}}{shown}", colour)


def _lane(line: Timeline, number: int, lane: list[Event], width: int) -> Text:
    """Draw a lane: the windows' ends, the watermark, and on top of them the events."""
    drawn = Text("·" * width, "dim")
    for end in line.window_ends:
        drawn = _put(drawn, _at(line, end, width), "¦", "blue")
    watermark = line.watermarks[number - 1] if number <= len(line.watermarks) else None
    if watermark and line.span[0] <= watermark:
        drawn = _put(drawn, _at(line, min(watermark, line.span[1]), width), "┃", "cyan")
    for event in lane:
        style = "bold red" if event.late else "bold"
        drawn = _put(drawn, _at(line, event.time, width), event.label + "!" * event.late, style)
    return drawn


def _put(drawn: Text, at: int, text: str, style: str) -> Text:
    return drawn[:at] + Text(text, style) + drawn[at + len(text) :]


def _at(line: Timeline, time: datetime, width: int) -> int:
    return _column(line.share(time), width)


def _column(share: float, width: int) -> int:
    # At the right there is room for the last one's label.
    return round(share * (width - 6))


def _legend(line: Timeline) -> Text:
    streams = {event.stream for event in line.events}
    parts = ["S START", "E END"] if "rides" in streams else []
    parts += ["F fare"] * ("fares" in streams)
    parts += ["D driver"] * any("D" in row.label for row in line.rows)
    parts += ["! late"] * any(e.late for e in line.events)
    parts += ["┃ watermark"] * any(line.watermarks) + ["¦ end of a window"] * bool(line.window_ends)
    return Text(" " * MARGIN + "   ".join(parts), "dim")
