"""A timeline as a compact drawing in text: event time to the right, micro-batches downwards."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.text import Text

from trainer.display.timeline import Event, Timeline

WIDTH = 60
MARGIN = 10
MOST_LANES, MOST_ROWS = 3, 6
MARKS = {
    "came": ("→", "green", "came"),
    "changed": ("≠", "red", "came with a wrong value"),
    "moved": ("↕", "red", "came in the wrong micro-batch"),
    "missing": ("○", "yellow", "missing"),
    "surplus": ("✗", "red", "came, not expected"),
}


def draw(line: Timeline, width: int = WIDTH) -> Text:
    """Draw a timeline; empty where nothing has a time."""
    if not line.span:
        return Text()
    batches = [part for number in line.batches for part in _batch(line, number, width)]
    told = [Text(f"{'':<{MARGIN}}… {line.told}", "dim")] if line.told else []
    legend = _legend(line, "".join(part.plain for part in batches))
    return Text("\n").join([_scale(line, width), *batches, *told, legend])


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
        yield Text(f"{'':<{MARGIN}}… and {left} more event{'s' * (left > 1)}", "dim")
    for kind, (mark, colour, name) in MARKS.items():
        labels = _counted(row.label for row in line.rows if (row.batch, row.kind) == (number, kind))
        if labels:
            shown = f"{mark} {_as_many_as_fit(labels, width - len(name) - 6)}  ({name})"
            yield Text(f"{'':<{MARGIN}}{shown}", colour)


def _as_many_as_fit(labels: list[str], width: int) -> str:
    """Name the first few, one at least, and count the others."""
    for count in range(min(len(labels), MOST_ROWS), 0, -1):
        more = f" and {len(labels) - count} more" if labels[count:] else ""
        text = ", ".join(labels[:count]) + more
        if len(text) <= width:
            break
    return text


def _counted(labels: Iterable[str]) -> list[str]:
    """Give each label once, and say how often it was there."""
    often = {1: "", 2: " (twice)"}
    return [
        label + often.get(times, f" ({times} times)") for label, times in Counter(labels).items()
    ]


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


def _legend(line: Timeline, drawn: str) -> Text:
    """Say what the signs mean that were drawn, and no others."""
    labels = [event.label for event in line.events] + [row.label for row in line.rows]
    said = {
        "S START": _is_there(r"\bS[\d?]", labels),
        "E END": _is_there(r"\bE[\d?]", labels),
        "F fare": _is_there(r"\bF[\d?]", labels),
        "D driver": _is_there(r"\bD\d", labels),
        f"! {line.behind}": any(event.late for event in line.events),
        "┃ watermark": "┃" in drawn,
        "¦ end of a window": "¦" in drawn,
    }
    return Text(" " * MARGIN + "   ".join(text for text, there in said.items() if there), "dim")


def _is_there(sign: str, labels: list[str]) -> bool:
    return any(re.search(sign, label) for label in labels)
