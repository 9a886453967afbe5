"""The machinery of the course: session, scenarios, verdicts, feedback, command line, grading."""

import sys

from trainer.course.problem import Problem
from trainer.spark.session import require_a_supported_system, session

try:
    # First of all: what is loaded next may want modules that only a Unix has.
    require_a_supported_system()
except Problem as problem:
    # There is no command line yet, and no kernel, that would make one line of it.
    print(f"trainer: {problem}", file=sys.stderr)
    sys.exit(2)

from trainer.learner.check import check, hint, solution

__all__ = ["check", "hint", "live", "session", "solution", "step"]


def __getattr__(name: str) -> object:
    """Load what draws only when it is asked for: a terminal wants none of it."""
    if name == "live":
        from trainer.lessons.pulse import live

        return live
    if name == "step":
        from trainer.lessons.stepper import step

        return step
    raise AttributeError(f"module 'trainer' has no attribute {name!r}")


if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
    from trainer.learner.magics import ExerciseMagics

    shell.register_magics(ExerciseMagics)
