"""expect: crashed
seconds: 10

Writes without end into the pipe that leads to the judge, whatever its number.
"""

import os


def cleanse(rides):
    """Write zeros into every open file, for ever."""
    while True:
        for number in range(3, 64):
            try:
                os.set_blocking(number, False)
                os.write(number, bytes(2**16))
            except OSError:
                continue
