"""`%class`: joining a class in a notebook's cell, asking its instructor over, and leaving."""

import shlex
from collections.abc import Sequence

from IPython.core.magic import Magics, line_magic, magics_class

from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.learner.in_class import in_class
from trainer.workshop.seat import joining
from trainer.workshop.seat.courier import settle
from trainer.workshop.seat.handing_in import submit

USAGE = " · ".join(
    f"%class {words}"
    for words in ("join ADDRESS CODE --name NAME", "help [EXERCISE]", "fine", "submit", "leave")
)


@magics_class
class ClassMagics(Magics):
    """`%class` alone says which class one is in."""

    @line_magic("class")
    def class_(self, line: str) -> None:
        """Do what a line says, and tell what became of it."""
        with in_class(print):
            try:
                print(answer(shlex.split(line)))
            except (Problem, ValueError) as problem:
                print(problem)


def answer(words: Sequence[str]) -> str:
    """Do what some words say: they are those of `trainer class`."""
    match list(words):
        case []:
            settle()
            return joining.told_of_the_class()
        case ["join", address, code, "--name", first, *rest]:
            name = " ".join([first, *rest])
            return joining.welcome(joining.join(address, code, name), name)
        case ["help"]:
            return joining.help_told(None)
        case ["help", name]:
            return joining.help_told(find(name).stem)
        case ["fine"]:
            return joining.help_told(None, fine=True)
        case ["submit"]:
            return submit(None)
        case ["leave"]:
            return f"You have left the class at {joining.leave().address}."
    raise Problem(f"That is not understood; it is one of: {USAGE}")
