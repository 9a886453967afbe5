"""Compares what students handed in with each other: texts are read apart, then only numbers are."""

from collections.abc import Callable, Sequence
from contextlib import suppress

from trainer.grading.book.similar import Similar, similar
from trainer.grading.book.terms import Terms
from trainer.grading.book.texts import fingerprint
from trainer.grading.intake.collect import Submission
from trainer.grading.intake.prints import prints
from trainer.grading.sandbox.apart import Apart, Failed

MEMORY = 512 * 2**20
SECONDS = 60


def compared(
    terms: Terms,
    handed_in: Sequence[Submission],
    tell: Callable[[str], None] = lambda student: None,
) -> list[Similar]:
    """Find the answers that are alike, exercise by exercise; tell of each student."""
    known: dict[tuple[str, bytes], frozenset[int]] = {}
    by_exercise: dict[str, dict[str, frozenset[int]]] = {}
    stubs = {each.stem: each.issued.read_bytes() for each in terms.exercises}
    reader = Apart(_prints, memory=MEMORY)
    try:
        for submission in handed_in:
            tell(submission.student)
            own = [
                (each.stem, text)
                for each in terms.exercises
                if (text := submission.files.get(each.stem)) and fingerprint(each, text)
            ]
            new = [each for each in own if each not in known]
            # A text that can't be compared is like none.
            with suppress(Failed):
                given = [(text, stubs[stem]) for stem, text in new]
                answers = reader.ask_anew(given, SECONDS) if given else []
                known.update(zip(new, answers, strict=True))
            for stem, text in own:
                found = known.get((stem, text), frozenset())
                by_exercise.setdefault(stem, {})[submission.student] = found
    finally:
        reader.dismiss()
    return [
        each
        for exercise in terms.exercises
        for each in similar(exercise.stem, by_exercise.get(exercise.stem, {}))
    ]


def _prints(given: Sequence[tuple[bytes, bytes]]) -> list[frozenset[int]]:
    return [prints(text, stub) for text, stub in given]
