"""expect: crashed wrong

Deletes every file that it can reach.
"""

import shutil
from pathlib import Path

import trainer


def cleanse(rides):
    """Leave nothing behind."""
    for place in ("/submission", Path(trainer.__file__).parents[1], "/tmp", "/usr", "/dev/shm"):
        shutil.rmtree(place, ignore_errors=True)
    return rides
