"""expect: crashed wrong
seconds: 10

Fills every place that it may write to, the memory of /dev/shm and the root folder among them.
"""

import os
from pathlib import Path

PLACES = ("/", "/tmp", "/dev", "/dev/shm", "/run", "/submission", "/var/tmp", os.getcwd())


def cleanse(rides):
    """Write until it is refused, everywhere."""
    for place in PLACES:
        for number in range(100):
            try:
                with Path(place, f"filler-{number}").open("wb") as file:
                    for _ in range(100):
                        file.write(bytes(10_000_000))
            except OSError:
                break
    return rides
