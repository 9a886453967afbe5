"""An exercise's story and contract, from its stub's docstrings, for reading in a notebook."""

import ast
import re

from trainer.course.exercise import Exercise

HEADS = re.compile(r"^([A-Z][^:`.{\n]{0,80}):(?=\s)", re.MULTILINE)

HOW = (
    "Once it is run, the cell above holds the stub. {}, and run it again: that saves and checks it."
)
WRITE = "Write your answer there, in place of `# TODO` and `raise NotImplementedError`"
CHANGE = "Change its code there, at the `# TODO` and wherever it must become another"


def contract(exercise: Exercise) -> str:
    """Give an exercise's story and contract as Markdown."""
    text = exercise.issued.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    asked = next(node for node in functions if node.name == exercise.function)
    title, _, story = (ast.get_docstring(tree) or "").partition("\n")
    call = f"{asked.name}({', '.join(argument.arg for argument in asked.args.args)})"
    rules = HEADS.sub(r"**\1:**", ast.get_docstring(asked) or "")
    how = HOW.format(WRITE if "raise NotImplementedError" in text else CHANGE)
    return f"#### {title}\n{story}\n\n---\n`{call}`: {rules}\n\n---\n{how}"
