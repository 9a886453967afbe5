"""expect: crashed

Looks for the seed and the expected rows in the memory, arguments and variables of other processes.
"""

from pathlib import Path

WANTED = (
    b"trainer.cli\0grade",
    b"bin/trainer\0grade",
    b"--seed",
    b"TRAINER_SEED",
    b"PYTEST_CURRENT_TEST",
)


def cleanse(rides):
    """Give a DataFrame only if there is another process to read."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            said = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            if any(word in said for word in WANTED):
                (process / "mem").open("r+b").close()
                return rides
            (process / "root" / "etc" / "shadow").stat()
            return rides
        except OSError:
            continue
    raise LookupError("nothing to read")
