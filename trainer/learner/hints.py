"""Help for a learner who is stuck: hints one by one, and in the end the solution."""

import ast
import inspect

from trainer.course.exercise import Exercise
from trainer.course.problem import Problem
from trainer.learner.progress import Progress
from trainer.workshop.seat.released import released


def hints(exercise: Exercise) -> tuple[str, ...]:
    """Read an exercise's hints, Markdown, mild to strong, without running its solution."""
    for node in ast.parse(exercise.solution.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HINTS":
            return tuple(map(inspect.cleandoc, ast.literal_eval(node.value)))
    return ()


def next_hint(exercise: Exercise, progress: Progress) -> tuple[list[str], int]:
    """Go one hint further: give the hints read so far, and how many are left.

    Where the instructor of a class has opened them, go to the last.
    """
    all_of_them = hints(exercise)
    read = progress.of(exercise.stem).hints
    steps = len(all_of_them) - read if released("hints", exercise.stem) else 1
    for _ in range(min(steps, len(all_of_them) - read)):
        read = progress.took_hint(exercise.stem).hints
    return list(all_of_them[:read]), len(all_of_them) - min(read, len(all_of_them))


def solution(exercise: Exercise, progress: Progress, *, spoil: bool = False) -> str:
    """Give the reference solution: solved, all hints read, opened to the class, or insisted on."""
    record, total = progress.of(exercise.stem), len(hints(exercise))
    earned = spoil or record.solved or record.hints >= total
    if not earned and not released("solution", exercise.stem):
        raise Problem(
            f"The solution of {exercise.stem} opens when you have solved it or read all {total} "
            f"hints; you have read {record.hints}. Ask for the next hint, or insist: --spoil, or "
            "spoil=True in a notebook, shows the solution anyway."
        )
    return _without_hints(exercise.solution.read_text(encoding="utf-8"))


def _without_hints(source: str) -> str:
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HINTS":
            del lines[node.lineno - 1 : node.end_lineno]
            if not lines[node.lineno - 1].strip():
                del lines[node.lineno - 1]
    return "".join(lines)
