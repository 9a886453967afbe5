"""The machinery of the course: session, scenarios, verdicts, feedback, command line, grading."""

import sys

from trainer.problem import Problem
from trainer.session import require_a_supported_system, session

try:
    # First of all: what is loaded next wants modules that only a Unix has.
    require_a_supported_system()
except Problem as problem:
    # There is no command line yet, and no kernel, that would make one line of it.
    raise SystemExit(f"trainer: {problem}") from None

from trainer.check import check, hint, solution

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
