"""Issues the stubs: keeps a copy of each, to tell an untouched stub from an edited one.

And shows their contracts in the chapters, below the cells that bring the stubs.

Learners edit `exercises/` in place, may commit what they wrote, and may have no git at all. So the
text as issued lies beside the code that asks for it. Authors run `python -m trainer.issue` after
they changed a stub; continuous integration runs it with `--check`, which changes nothing. (It is no
test: on a learner's clone the two differ, as they should.)
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator

from trainer.course.clone import EXERCISES, NOTEBOOKS
from trainer.course.exercise import ISSUED, Exercise, find
from trainer.learner.contract import contract


def issue() -> None:
    """Make the issued copies equal to the stubs in `exercises/`."""
    shutil.rmtree(ISSUED, ignore_errors=True)
    ISSUED.mkdir()
    for stub in sorted(EXERCISES.glob("ch*.py")):
        shutil.copyfile(stub, ISSUED / stub.name)
        print(f"issued {stub.name}")


def show() -> None:
    """Put today's contracts into the notebooks, as running their cells would."""
    for notebook in sorted(NOTEBOOKS.glob("[0-9]*.ipynb")):
        text = notebook.read_text(encoding="utf-8")
        chapter = json.loads(text)
        for exercise, shown in contracts(chapter):
            shown["text/markdown"] = contract(exercise).splitlines(keepends=True)
        now = json.dumps(chapter, indent=1, ensure_ascii=False) + "\n"
        if now != text:
            notebook.write_text(now, encoding="utf-8")
            print(f"contracts in {notebook.name}")


def contracts(chapter: dict) -> Iterator[tuple[Exercise, dict]]:
    """Find in a notebook what shows contracts, and of which exercises."""
    for cell in chapter["cells"]:
        brought = re.match(r"%exercise (\S+)", "".join(cell["source"]))
        for output in cell.get("outputs", []) if brought else []:
            if "text/markdown" in output.get("data", {}):
                yield find(brought[1]), output["data"]


def differing() -> list[str]:
    """Name the stubs whose issued copy is another, or missing, or left over."""
    stubs, copies = (
        {file.name: file.read_bytes() for file in folder.glob("ch*.py")}
        for folder in (EXERCISES, ISSUED)
    )
    return sorted(name for name in stubs | copies if stubs.get(name) != copies.get(name))


if __name__ == "__main__":
    if sys.argv[1:] != ["--check"]:
        issue()
        show()
    elif names := differing():
        sys.exit(f"Not as issued: {', '.join(names)}. Run `uv run python -m trainer.issue`.")
