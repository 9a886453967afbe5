"""A timeline in a sentence, for those who can't see the picture."""

from collections.abc import Iterator

from trainer.display.timeline import Timeline

OUT = {
    "came": "came out",
    "changed": "came with a wrong value",
    "moved": "came in another micro-batch",
    "missing": "missing",
    "surplus": "came and not expected",
}


def described(line: Timeline) -> str:
    """Say what a timeline shows: events by micro-batch, the watermark, what came out."""
    return f"Timeline of the case. {' '.join(_batch(line, number) for number in line.batches)}"


def _batch(line: Timeline, number: int) -> str:
    events = [each for each in line.events if each.batch == number]
    told = ", ".join(f"{e.label} at {e.time:%H:%M}{' (late)' * e.late}" for e in events)
    return f"Micro-batch {number}: {'; '.join((told or 'no events', *_rest(line, number)))}."


def _rest(line: Timeline, number: int) -> Iterator[str]:
    watermark = line.watermarks[number - 1] if number <= len(line.watermarks) else None
    if watermark:
        yield f"watermark {watermark:%H:%M}"
    for kind, word in OUT.items():
        count = sum((row.batch, row.kind) == (number, kind) for row in line.rows)
        if count:
            yield f"{count} {'row' if count == 1 else 'rows'} {word}"
