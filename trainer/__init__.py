"""The machinery of the course: session, scenarios, verdicts, feedback, command line, grading."""

import sys

from trainer.check import check, hint, solution
from trainer.session import session

__all__ = ["check", "hint", "session", "solution"]

if "IPython" in sys.modules and (shell := sys.modules["IPython"].get_ipython()):
    from trainer.magics import ExerciseMagics

    shell.register_magics(ExerciseMagics)
