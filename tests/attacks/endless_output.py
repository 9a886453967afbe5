"""expect: crashed
seconds: 5

Writes without end, on standard output and into each open file.
"""

import os


def cleanse(rides):
    """Write and write."""
    while True:
        for number in (1, 2):
            os.write(number, b"correct\n" * 10_000)
