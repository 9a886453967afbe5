"""expect: crashed

Takes memory that belongs to no process: files in memory without a name, and pipes.
"""

import os


def cleanse(rides):
    """Fill one after the other; nobody's size grows."""
    held = []
    while True:
        number = os.memfd_create("hidden")
        held.append(number)
        for _ in range(512):
            os.write(number, b"x" * 2**20)
