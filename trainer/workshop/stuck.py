"""Who is stuck: the same rule fails for long, or nothing was heard for long."""

from dataclasses import dataclass

from trainer.workshop import course_words
from trainer.workshop.board import Learner, Standing

THE_SAME, SILENT = 10 * 60, 20 * 60
# After that a learner has gone home.
GONE = 3 * 3600


@dataclass(frozen=True)
class Stuck:
    """Why somebody seems to be stuck, at what, and since when."""

    why: str
    exercise: str | None
    since: float


def stuck(learner: Learner, now: float) -> Stuck | None:
    """Tell whether a learner seems to be stuck."""
    heard = max(learner.last, learner.joined)
    if now - heard > GONE:
        return None
    stem = learner.at_work
    standing = learner.standings[stem] if stem else None
    if standing and _the_same_for_long(standing, now):
        return Stuck(_why(stem, standing), stem, standing.since)
    return Stuck("nothing heard", stem, heard) if now - heard >= SILENT else None


def _the_same_for_long(standing: Standing, now: float) -> bool:
    if standing.verdict not in ("wrong", "crashed", "unfinished"):
        return False
    # One check long ago may mean that one went for lunch; two say that one tried.
    return standing.last > standing.since and now - standing.since >= THE_SAME


def _why(stem: str, standing: Standing) -> str:
    if standing.rule:
        return course_words.rule(stem, standing.rule)
    return f"{standing.verdict}, check after check"
