"""A timeline as a compact drawing in text: event time to the right, micro-batches downwards."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap

from rich.text import Text

from trainer.display.ruler import Ruler, cut
from trainer.display.tables import cell
from trainer.display.timeline import Event, Timeline

WIDTH = 60
MARGIN = 10
MOST_LANES, MOST_ROWS = 3, 6
UPGRADED = " version two goes on from here "
MARKS = {
    "came": ("→", "green", "came"),
    "changed": ("≠", "red", "came with a wrong value"),
    "moved": ("↕", "red", "came in the wrong micro-batch"),
    "missing": ("○", "yellow", "missing"),
    "due": ("○", "yellow", "belongs here"),
    "surplus": ("✗", "red", "came, not expected"),
}


def draw(line: Timeline, width: int = WIDTH) -> Text:
    """Draw a timeline, so wide and the margin; empty where nothing has a time."""
    if not line.span:
        return Text()
    ruler = Ruler(line, width)
    batches = [part for number in line.batches for part in _batch(ruler, number)]
    told = _below(f"… {line.told}", width, "dim") if line.told else []
    legend = _legend(line, "".join(part.plain for part in batches), width)
    scale = Text(" " * MARGIN + ruler.scale(), "dim")
    return Text("\n").join([scale, *batches, *told, *legend])


def _batch(ruler: Ruler, number: int) -> Iterator[Text]:
    """Draw a micro-batch: lanes of events, and below them what came out."""
    line, width = ruler.line, ruler.width
    if number == line.upgraded_after + 1 > 1:
        yield Text(" " * MARGIN + f"{UPGRADED:─^{width}}", "magenta")
    lanes, left = line.lanes(number, ruler.longest(number) / ruler.right, MOST_LANES)
    for at, drawn in enumerate(_lanes(ruler, number, lanes or [[]])):
        label = f"batch {number}" if at == 0 else ""
        yield Text(f"{label:<{MARGIN}}", "dim") + drawn
    if left:
        yield from _below(f"… and {left} more event{'s' * (left > 1)}", width, "dim")
    for kind, (mark, colour, name) in MARKS.items():
        rows = [row for row in line.rows if (row.batch, row.kind) == (number, kind)]
        if labels := _counted(cut(row.label, width - 2) for row in rows):
            named = _as_many_as_fit(labels, width - len(name) - 6)
            yield from _below(f"{mark} {named}  ({name})", width, colour)


def _below(text: str, width: int, style: str) -> Iterator[Text]:
    """Write below the lanes; what is too long goes on in the next line."""
    for part in wrap(text, width, subsequent_indent="  "):
        yield Text(" " * MARGIN + part, style)


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


def _lanes(ruler: Ruler, number: int, lanes: list[list[Event]]) -> list[Text]:
    """Draw lanes, and the watermark where no label covers it, if need be in a lane of its own."""
    drawn = [_lane(ruler, lane) for lane in lanes]
    if not (watermark := ruler.line.watermark(number)):
        return drawn
    edge = ruler.edge(watermark)
    at, mark = edge or (ruler.at(watermark), "┃")
    free = [place for place, lane in enumerate(lanes) if _is_free(ruler, lane, at, len(mark))]
    if not free:
        if not edge:
            at, mark = _told(ruler, at, cell(watermark))
        return [*drawn, _put(_lane(ruler, []), at, mark, "cyan")]
    for place in free[:1] if edge else free:
        drawn[place] = _put(drawn[place], at, mark, "cyan")
    return drawn


def _lane(ruler: Ruler, lane: list[Event]) -> Text:
    """Draw a lane: the windows' ends, and on top of them the events."""
    drawn = Text("·" * ruler.width, "dim")
    for end in ruler.line.window_ends:
        drawn = _put(drawn, ruler.at(end), "¦", "blue")
    for event in lane:
        style = "bold red" if event.behind else "bold"
        drawn = _put(drawn, ruler.at(event.time), ruler.label(event), style)
    return drawn


def _is_free(ruler: Ruler, lane: list[Event], at: int, length: int) -> bool:
    """Tell whether no label stands where something is to be put."""
    starts = [(ruler.at(event.time), len(ruler.label(event))) for event in lane]
    return all(at + length <= start or at >= start + taken for start, taken in starts)


def _told(ruler: Ruler, at: int, time: str) -> tuple[int, str]:
    """Put the watermark's time beside its mark: it may be an event's time to the second."""
    if at + len(time) + 2 <= ruler.width:
        return at, f"┃ {time}"
    return (at - len(time) - 1, f"{time} ┃") if at > len(time) else (at, "┃")


def _put(drawn: Text, at: int, text: str, style: str) -> Text:
    return drawn[:at] + Text(text, style) + drawn[at + len(text) :]


def _legend(line: Timeline, drawn: str, width: int) -> Iterator[Text]:
    """Say what the signs mean that were drawn, and no others."""
    labels = [event.label for event in line.events] + [row.label for row in line.rows]
    said = {
        "S START": _is_there(r"\bS[\d?]", labels),
        "E END": _is_there(r"\bE[\d?]", labels),
        "F fare": _is_there(r"\bF[\d?]", labels),
        "D driver": _is_there(r"\bD\d", labels),
        f"! {line.behind}": any(event.behind for event in line.events),
        "┃ watermark": "┃" in drawn,
        "¦ end of a window": "¦" in drawn,
    }
    text = ""
    for entry in (entry for entry, there in said.items() if there):
        if text and len(text) + 3 + len(entry) > width:
            yield from _below(text, width, "dim")
            text = ""
        text += "   " * bool(text) + entry
    yield from _below(text, width, "dim")


def _is_there(sign: str, labels: list[str]) -> bool:
    return any(re.search(sign, label) for label in labels)
