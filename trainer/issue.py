"""Issues the stubs: keeps a copy of each, to tell an untouched stub from an edited one.

Learners edit `exercises/` in place, may commit what they wrote, and may have no git at all. So the
text as issued lies beside the code that asks for it. Authors run `python -m trainer.issue` after
they changed a stub; continuous integration runs it with `--check`, which changes nothing. (It is no
test: on a learner's clone the two differ, as they should.)
"""

import shutil
import sys

from trainer.course.clone import EXERCISES
from trainer.course.exercise import ISSUED


def issue() -> None:
    """Make the issued copies equal to the stubs in `exercises/`."""
    shutil.rmtree(ISSUED, ignore_errors=True)
    ISSUED.mkdir()
    for stub in sorted(EXERCISES.glob("ch*.py")):
        shutil.copyfile(stub, ISSUED / stub.name)
        print(f"issued {stub.name}")


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
    elif names := differing():
        sys.exit(f"Not as issued: {', '.join(names)}. Run `uv run python -m trainer.issue`.")
