"""Issues the stubs: keeps a copy of each, to tell an untouched stub from an edited one.

Learners edit `exercises/` in place, may commit what they wrote, and may have no git at all. So the
text as issued lies beside the code that asks for it. Authors run `python -m trainer.issue` after
they changed a stub; a test reminds them.
"""

import shutil

from trainer.clone import EXERCISES
from trainer.exercise import ISSUED


def issue() -> None:
    """Make the issued copies equal to the stubs in `exercises/`."""
    shutil.rmtree(ISSUED, ignore_errors=True)
    ISSUED.mkdir()
    for stub in sorted(EXERCISES.glob("ch*.py")):
        shutil.copyfile(stub, ISSUED / stub.name)
        print(f"issued {stub.name}")


if __name__ == "__main__":
    issue()
