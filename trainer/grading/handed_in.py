"""Reads what all have handed in: each apart, for nobody knows what it is."""

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from trainer.course.exercise import Exercise
from trainer.grading.book.terms import Terms
from trainer.grading.intake.collect import Submission, collect
from trainer.grading.intake.names import Child, children
from trainer.grading.intake.reading import cut
from trainer.grading.names import find_student
from trainer.grading.sandbox.apart import Apart, Failed

READERS = 2
MEMORY = 512 * 2**20
SECONDS = 60


def submissions(
    terms: Terms, only: str | None = None, tell: Callable[[str], None] = lambda student: None
) -> list[Submission]:
    """Collect what was handed in, by all or by one; tell of each."""
    found = children(Path(terms.settings.submissions))
    wanted = list(found.values()) if only is None else [found[find_student(only, found)]]
    readers = [Apart(_collected, memory=MEMORY) for _ in wanted[:READERS]]
    free = queue.SimpleQueue()
    for reader in readers:
        free.put(reader)

    def read(child: Child) -> Submission:
        tell(child.student)
        reader = free.get()
        try:
            return reader.ask_anew((child, terms.exercises), SECONDS)
        except Failed as error:
            why = cut(f"What was handed in can't be read: {error}.")
            return Submission(child.student, {}, (why,), unread=(why,), who=child.notes)
        finally:
            free.put(reader)

    try:
        with ThreadPoolExecutor(READERS) as pool:
            return list(pool.map(read, wanted))
    finally:
        for reader in readers:
            reader.dismiss()


def _collected(asked: tuple[Child, Sequence[Exercise]]) -> Submission:
    child, exercises = asked
    return collect(child.student, child.paths, exercises, child.notes)
