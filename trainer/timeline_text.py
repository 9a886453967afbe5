"""A timeline as a compact drawing in text: event time to the right, micro-batches downwards."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from rich.text import Text

from trainer.timeline import Timeline

WIDTH = 56
MARKS = {"came": ("→", "green"), "missing": ("○", "yellow"), "surplus": ("✗", "red")}
NAMES = {"came": "came", "missing": "missing", "surplus": "came, not expected"}


def draw(line: Timeline, width: int = WIDTH) -> Text:
    """Draw a timeline; empty where nothing has a time."""
    if not line.span:
        return Text()
    return Text("\n").join([_scale(line, width), *_batches(line, width), _legend(line)])


def _scale(line: Timeline, width: int) -> Text:
    first, last = line.span
    labels = [f"{first:%H:%M}", f"{first + (last - first) / 2:%H:%M}", f"{last:%H:%M}"]
    gap = (width - sum(map(len, labels))) // 2
    return Text("event time  " + (" " * gap).join(labels), "dim")


def _batches(line: Timeline, width: int) -> Iterator[Text]:
    last = max([each.batch for each in (*line.events, *line.rows)], default=0)
    for number in range(1, last + 1):
        yield Text(f"batch {number:<4}  ", "dim") + _row(line, number, width)
        for kind, (mark, colour) in MARKS.items():
            labels = [row.label for row in line.rows if (row.batch, row.kind) == (number, kind)]
            if labels:
                shown = ", ".join(labels[:8]) + (
                    f" and {len(labels) - 8} more" if labels[8:] else ""
                )
                yield Text(f"            {mark} {shown}  ({NAMES[kind]})", colour)


def _row(line: Timeline, number: int, width: int) -> Text:
    """Draw one micro-batch: windows' ends, the watermark, and events on top, labels where free."""
    drawn = Text("·" * (width + 6), "dim")
    canvas = list(drawn.plain)
    styles: dict[int, str] = {}
    for end in line.window_ends:
        _put(canvas, styles, _column(line, end, width), "¦", "blue")
    watermark = line.watermarks[number - 1] if number <= len(line.watermarks) else None
    if watermark and line.span[0] <= watermark <= line.span[1] + timedelta(minutes=1):
        _put(canvas, styles, _column(line, watermark, width), "┃", "cyan")
    for event in sorted((e for e in line.events if e.batch == number), key=lambda e: e.time):
        at = _column(line, event.time, width)
        while at < len(canvas) and canvas[at] not in "·¦":
            at += 1
        label = event.label + ("!" if event.late else "")
        style = "bold red" if event.late else "bold"
        _put(canvas, styles, at, label, style)
    text = Text("".join(canvas[: width + 6]), "dim")
    for at, style in styles.items():
        text.stylize(style, at, at + 1)
    return text


def _put(canvas: list[str], styles: dict[int, str], at: int, text: str, style: str) -> None:
    for offset, letter in enumerate(text):
        if at + offset < len(canvas):
            canvas[at + offset] = letter
            styles[at + offset] = style


def _column(line: Timeline, time: datetime, width: int) -> int:
    first, last = line.span
    share = (time - first) / (last - first) if last > first else 0
    return min(width, max(0, round(share * (width - 4))))


def _legend(line: Timeline) -> Text:
    parts = ["S START", "E END"] if any(e.stream == "rides" for e in line.events) else []
    parts += ["F fare"] * any(e.stream == "fares" for e in line.events)
    parts += ["! late"] * any(e.late for e in line.events)
    parts += ["┃ watermark"] * any(line.watermarks) + ["¦ end of a window"] * bool(line.window_ends)
    return Text("            " + "   ".join(parts), "dim")
