"""The learner's commands in Python: `check`, `hint` and `solution`, in a notebook or a shell."""

from collections.abc import Sequence

from trainer.course.exercise import Exercise, find
from trainer.course.problem import Problem
from trainer.learner.hints import next_hint
from trainer.learner.hints import solution as reference
from trainer.learner.in_class import in_class
from trainer.learner.progress import Progress
from trainer.spark.session import in_a_notebook


def check(name: str) -> None:
    """Check the answer in `exercises/` and show the verdict, and what teaches."""
    if not (exercise := _found(name)):
        return
    # Not needed, and not loaded, before something is checked.
    if in_a_notebook():
        from trainer.learner.in_notebook import check as show

        show(exercise)
    else:
        from rich.console import Console

        from trainer.learner.in_terminal import check_one

        check_one(exercise, Progress(), Console(highlight=False))


def hint(name: str | None = None) -> None:
    """Show the hints read so far, and one more: by default for the exercise last worked on."""
    with in_class(print):
        if exercise := _found(name):
            read, left = next_hint(exercise, Progress())
            more = f"{left} left" if left else f'no more; solution("{exercise.name}") shows it all'
            _show_hints(read, f"({more})")


def _show_hints(read: Sequence[str], more: str) -> None:
    if in_a_notebook():
        from IPython.display import Markdown, display

        from trainer.display.prose import markdown

        numbered = [f"**{number}.** {text}" for number, text in enumerate(read, 1)]
        display(Markdown(markdown("\n\n".join([*numbered, more]))))
    else:
        from rich.console import Console

        from trainer.display.prose import say, tell

        console = Console(highlight=False)
        for number, text in enumerate(read, 1):
            tell(text, console, title=f"{number}.")
        say(more, console)


def solution(name: str | None = None, *, spoil: bool = False) -> None:
    """Print the reference solution: when it is solved, after all hints, or with spoil=True."""
    with in_class(print):
        if exercise := _found(name):
            try:
                print(reference(exercise, Progress(), spoil=spoil))
            except Problem as problem:
                print(problem)


def _found(name: str | None) -> Exercise | None:
    try:
        if name := name or Progress().last():
            return find(name)
        print("Which exercise? You have checked none yet.")
        return None
    except Problem as problem:
        print(problem)
        return None
