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

from trainer.later import live, step
from trainer.learner.check import check, hint, solution

__all__ = ["check", "hint", "live", "session", "solution", "step"]


if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
    from trainer.kernel import prepare

    prepare(shell)
