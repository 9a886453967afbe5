"""The machinery of the course: session, scenarios, verdicts, feedback, command line, grading."""

from trainer.check import check
from trainer.session import session

__all__ = ["check", "session"]
