"""What a notebook's kernel has before its first cell: the course's own words."""

from IPython.core.interactiveshell import InteractiveShell

from trainer.later import live, step
from trainer.learner.check import check, hint, solution
from trainer.learner.class_magic import ClassMagics
from trainer.learner.interrupting import watch_over
from trainer.learner.magics import ExerciseMagics
from trainer.spark import scratch
from trainer.spark.session import in_a_notebook


def load_ipython_extension(shell: InteractiveShell) -> None:
    """Give a kernel that `trainer lab` starts what the notebooks of the course call."""
    prepare(shell)
    # What cells make by tempfile goes with the kernel, too.
    scratch.claim()
    words = (check, hint, solution, step, live)
    shell.push({word.__name__: word for word in words}, interactive=False)


def prepare(shell: InteractiveShell) -> None:
    """Add the magics to a shell; in a notebook, let an interrupt reach Spark too."""
    if "exercise" in shell.magics_manager.magics["cell"]:
        return
    shell.register_magics(ExerciseMagics, ClassMagics)
    if in_a_notebook():
        watch_over(shell)
