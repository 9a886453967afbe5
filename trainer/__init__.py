"""The machinery of the course: session, scenarios, verdicts, feedback, command line, grading."""

import sys

from trainer.check import check, hint, solution
from trainer.session import session

__all__ = ["check", "hint", "live", "session", "solution", "step"]


def __getattr__(name: str) -> object:
    """Load what draws only when it is asked for: a terminal wants none of it."""
    if name == "live":
        from trainer.pulse import live

        return live
    if name == "step":
        from trainer.stepper import step

        return step
    raise AttributeError(f"module 'trainer' has no attribute {name!r}")


if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
    from trainer.magics import ExerciseMagics

    shell.register_magics(ExerciseMagics)
