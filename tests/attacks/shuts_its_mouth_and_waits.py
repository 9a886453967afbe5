"""expect: crashed

Closes every file there is, the pipe to the judge too, and goes on in silence.
"""

import os
import time


def cleanse(rides):
    """Be quiet."""
    os.closerange(0, 4096)
    while True:
        time.sleep(1)
