"""Where in a line of text a time lies, and the times along its top."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from trainer.display.tables import cell
from trainer.display.timeline import Event, Timeline
from trainer.rows import DAY

# As much room as the last event's label has in any case.
ROOM = 6
MINUTES_WILL_DO = 600


@dataclass(frozen=True)
class Ruler:
    """A line of text so wide, along which a timeline's times lie; labels fit into it."""

    line: Timeline
    width: int

    @property
    def right(self) -> int:
        """The column of the last time; right of it is room for a label."""
        return self.width - max([ROOM, *(len(self.label(e)) for e in self.line.events)])

    def at(self, time: datetime) -> int:
        """Give the column of a time."""
        return round(self.line.share(time) * self.right)

    def label(self, event: Event) -> str:
        """Name an event, and mark it if it came behind the watermark."""
        return cut(event.label, self.width // 2 - event.behind) + "!" * event.behind

    def longest(self, batch: int) -> int:
        """Tell how much room the longest label of a micro-batch takes, with a gap behind it."""
        labels = [self.label(e) for e in self.line.events if e.batch == batch]
        return 1 + max(map(len, labels), default=2)

    def scale(self) -> str:
        """Write the first time, the one in the middle and the last, as far as there is room."""
        first, last = self.line.span
        if first == last:
            return f"{'':<{self.at(first)}}{_clocks([first])[0]}"
        for times in ([first, first + (last - first) / 2, last], [first, last]):
            labels = _clocks(times)
            if (text := self._laid_out(labels)) and len(text) <= self.width:
                return text
        return cut(_clocks([first])[0], self.width)

    def _laid_out(self, labels: Sequence[str]) -> str:
        """Put the first at the left, the last at the right, others centred; '' where they meet."""
        text, last = labels[0], labels[-1]
        for label in labels[1:-1]:
            text = _after(text, round(self.right / 2) - len(label) // 2, label)
        return text and _after(text, self.right + 1 - len(last), last)

    def edge(self, time: datetime) -> tuple[int, str] | None:
        """Say which way a time lies that is left or right of the line, and which it is."""
        first, last = self.line.span
        if first <= time <= last:
            return None
        told = [f"◂┃ {cell(time)}", "◂┃"] if time < first else [f"{cell(time)} ┃▸", "┃▸"]
        text = next((each for each in told if len(each) <= self.width), told[-1])
        return (0 if time < first else self.width - len(text)), text


def cut(text: str, width: int) -> str:
    """Cut a text that is too long, and say so by three dots."""
    return text if len(text) <= width else f"{text[: max(0, width - 1)]}…"


def _after(text: str, start: int, label: str) -> str:
    return f"{text:<{start}}{label}" if start > len(text) else ""


def _clocks(times: Sequence[datetime]) -> list[str]:
    seconds = (times[-1] - times[0]).total_seconds() <= MINUTES_WILL_DO
    return list(_dated(times, "%H:%M:%S" if seconds else "%H:%M"))


def _dated(times: Sequence[datetime], form: str) -> Iterator[str]:
    """Write times by the clock, with their day where it is another than before."""
    day = DAY.date()
    for time in times:
        clock = time.strftime(form)
        yield clock if time.date() == day else f"{time.date()} {clock}"
        day = time.date()
