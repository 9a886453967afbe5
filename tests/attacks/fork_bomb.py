"""expect: crashed
seconds: 5

Starts processes that start processes.
"""

import os


def cleanse(rides):
    """Fork, fork, fork."""
    while True:
        try:
            os.fork()
        except OSError:
            continue
