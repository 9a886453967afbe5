"""Why an answer is wrong, found out without running it again: what it gave was recorded."""

import base64
import hashlib
import logging
import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from trainer.checking import recognition
from trainer.checking.case import Case
from trainer.checking.counterexample import breaking
from trainer.checking.cuts import KEYS, filtered
from trainer.checking.parts import Missing, had
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course import safe_file
from trainer.course.exercise import Exercise, find
from trainer.display import html, tables
from trainer.display.marks import title_of
from trainer.grading.book.grades import Evidence
from trainer.grading.judging.worker import Job, Judged
from trainer.grading.sandbox.apart import Apart, Failed
from trainer.rows import Row
from trainer.running.answer import AnswerError
from trainer.running.result import Outcome, Result, outputs
from trainer.spark.session import session

# What misconceptions give is mostly known; only what isn't takes time.
PATIENCE = 120
SECONDS = PATIENCE + 60
# What Java keeps of each query that has ended adds up in the course of a night.
MOST_IN_A_ROW = 100
HEAP = "512m"
Explained = dict[str, object]
Explanations = dict[str, Explained | Failed]


class Explainer:
    """Explains wrong answers in a process of its own: nobody knows how large what they gave is."""

    def __init__(self, pictures: Path) -> None:
        """Put pictures into a folder."""
        prepare = partial(session, ui=False, heap=HEAP)
        self.process, self.asked = Apart(partial(_explained, pictures), prepare=prepare), 0

    def explain(
        self,
        exercise: Exercise,
        verdict: Verdict,
        secrets: Collection[str],
        seconds: float = SECONDS,
    ) -> Explained:
        """Give what a wrong answer's grade gains: the idea behind it, the rows that show it.

        `secrets` are the checks whose rows are no learner's business: others are shown first.
        """
        if verdict.kind is not Kind.WRONG:
            return {}
        if seconds <= 0:
            raise Failed("the answers before it took all the time there is")
        self.asked += 1
        if self.asked % MOST_IN_A_ROW == 0:
            self.process.stop()
        return self.process.ask_anew((exercise, verdict, secrets), seconds)

    def explain_all(self, job: Job, answer: Mapping[str, Judged]) -> Explanations:
        """Explain the wrong ones of one student's answers; what can't be had stands as a failure.

        However many there are, they don't take more time than one may: others wait.
        """
        found, until = {}, time.monotonic() + SECONDS
        for stem, judged in answer.items():
            left = until - time.monotonic()
            try:
                found[stem] = self.explain(find(stem), judged.verdict, job.hidden[stem], left)
            except Failed as error:
                found[stem] = error
        return found

    def close(self) -> None:
        """End the process."""
        self.process.dismiss()


def _explained(pictures: Path, asked: tuple[Exercise, Verdict, set[str]]) -> Explained:
    exercise, verdict, secrets = asked
    failed = [check for check in verdict.checks if not check.passed]
    public_first = sorted(failed, key=lambda check: check.name in secrets)
    idea = partial(recognition.misconception, exercise, verdict, PATIENCE)
    return {
        "misconception": _part(exercise, "idea", idea),
        "evidence": _part(exercise, "rows", partial(_evidence, exercise, public_first, pictures)),
    }


def _part(exercise: Exercise, name: str, find: Callable[[], object]) -> object:
    """Give one part of an explanation; where it can't be had, the others stand without."""
    found = had(name, find)
    if not isinstance(found, Missing):
        return found
    if isinstance(found.error, MemoryError):
        # There may be more of it in another process.
        raise found.error
    logging.getLogger(__name__).warning(found.told(exercise.stem))
    return None


def _evidence(exercise: Exercise, failed: Sequence[Check], pictures: Path) -> Evidence | None:
    for check in failed:
        with suppress(AnswerError):
            if case := breaking(exercise, [check]):
                case = focus(case)
                grids = tuple(tables.of_case(case))
                picture = _part(exercise, "picture", partial(_picture, case, pictures))
                return Evidence(check.name, grids, picture or "", title_of(case))
    return None


def _picture(case: Case, pictures: Path) -> str:
    with warnings.catch_warnings():
        # Times that lie centuries apart are a hard case for an axis, and no news to anyone.
        warnings.simplefilter("ignore")
        picture = html.picture_of(case)
    if not picture:
        return ""
    drawn = base64.b64decode(picture.png)
    name = f"{hashlib.sha256(drawn).hexdigest()[:16]}.png"
    safe_file.write(pictures / name, drawn)
    return name


def focus(case: Case) -> Case:
    """Leave out what has nothing to do with the first row that differs, as far as keys tell."""
    shown = next((each.first for each in case.differences if each.first), [])
    wrong = case.about.rows if case.about else shown
    key = next((key for key in KEYS if any(key in row for row in wrong)), None)
    if key is None:
        return case
    values = [row[key] for row in wrong if key in row]

    def keep(row: Row) -> bool:
        return key not in row or row[key] in values

    smaller = replace(
        case,
        scenario=filtered(case.scenario, keep),
        came=_some(case.came, key, keep),
        expected=_some(case.expected, key, keep),
    )
    return smaller if smaller.differences else case


def _some(outcome: Outcome, key: str, keep: Callable[[Row], bool]) -> Outcome:
    """Leave out rows, and outputs without such a key: what is in them rests on all the input."""

    def some(result: Result) -> Result:
        return replace(result, batches=_batches(result.batches, keep))

    if isinstance(outcome, dict):
        results = outputs(outcome).items()
        return {name: some(each) for name, each in results if all(key in row for row in each.rows)}
    return some(outcome)


def _batches(batches: list, keep: Callable[[Row], bool]) -> list:
    return [[row for row in batch if keep(row)] for batch in batches]
