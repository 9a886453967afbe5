"""expect: wrong

Leaves a process behind that hides from its parent, and goes on when the run is over.
"""

import os
import subprocess
import sys

STAY = "import time\nwhile True: time.sleep(1)  # outlives the run"

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 256)
        subprocess.Popen([sys.executable, "-c", STAY], start_new_session=True)
    os._exit(0)


def cleanse(rides):
    """Keep everything."""
    return rides
