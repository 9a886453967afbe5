"""expect: crashed wrong

Has grandchildren without a parent take the memory, where nobody counts it as its own.
"""

import os
import time


def cleanse(rides):
    """Take four gigabytes in eight processes."""
    for _ in range(8):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                held = bytearray(b"x" * 2**29)
                time.sleep(600 if held else 0)
            os._exit(0)
    time.sleep(5)
    return rides
