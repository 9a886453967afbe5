"""Where submissions are judged and their faults explained: on this machine, or on a cluster's."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from trainer.grading.judging.crew import Process, Staff
from trainer.grading.judging.worker import Job, Judged
from trainer.grading.pages.explain import Explainer, Explanations
from trainer.grading.sandbox.sandbox import choose


class Explains(Protocol):
    """Whoever says why answers are wrong."""

    def explain_all(self, job: Job, answer: Mapping[str, Judged]) -> Explanations:
        """Explain the wrong ones of one student's answers."""

    def close(self) -> None:
        """End it."""


class Workplace(Staff, Protocol):
    """Where workers are, each with a sandbox."""

    def level(self, wanted: str | None, require: bool) -> str:
        """Choose the level of the sandbox that submissions are shut in there."""

    def explainer(self, pictures: Path) -> Explains:
        """Give who explains; pictures go into a folder."""


class Here:
    """This machine, with so many workers, and one who explains."""

    def __init__(self, jobs: int) -> None:
        """Hire nobody yet."""
        self.jobs = jobs

    def level(self, wanted: str | None, require: bool) -> str:
        """Choose the best level there is here, or the one that was asked for."""
        return choose(wanted, require)

    def places(self) -> int:
        """Give what was asked for."""
        return self.jobs

    def hire(self) -> Process:
        """Give a process."""
        return Process()

    def explainer(self, pictures: Path) -> Explainer:
        """Give one who does it in a process of this machine."""
        return Explainer(pictures)
