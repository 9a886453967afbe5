"""A timeline in a sentence, for those who can't see the picture."""

from collections.abc import Iterator

from trainer.display.in_words import in_words
from trainer.display.timeline import Timeline

OUT = {
    "came": "came out",
    "changed": "came with a wrong value",
    "moved": "came in another micro-batch",
    "missing": "missing",
    "due": "belongs here, came elsewhere",
    "surplus": "came and not expected",
}


def described(line: Timeline) -> str:
    """Say what a timeline shows: events by micro-batch, the watermark, what came out."""
    return f"Timeline of the case. {' '.join(_batch(line, number) for number in line.batches)}"


def _batch(line: Timeline, number: int) -> str:
    behind = f" ({line.behind})"
    events = [each for each in line.events if each.batch == number]
    told = ", ".join(f"{e.label} at {in_words(e.time)}{behind * e.behind}" for e in events)
    return f"Micro-batch {number}: {'; '.join((told or 'no events', *_rest(line, number)))}."


def _rest(line: Timeline, number: int) -> Iterator[str]:
    if number == line.upgraded_after + 1 > 1:
        yield "from here on it is version two"
    if watermark := line.watermark(number):
        yield f"watermark {in_words(watermark)}"
    for kind, word in OUT.items():
        count = sum((row.batch, row.kind) == (number, kind) for row in line.rows)
        if count:
            yield f"{count} {'row' if count == 1 else 'rows'} {word}"
