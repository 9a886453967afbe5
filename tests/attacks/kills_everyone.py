"""expect: crashed wrong

Sends the signal that cannot be refused to every process there is.
"""

import os
import signal


def cleanse(rides):
    """End everything else."""
    os.kill(-1, signal.SIGKILL)
    return rides
