"""expect: crashed
seconds: 5

Ignores every signal that can be ignored, and hangs.
"""

import signal
import time


def cleanse(rides):
    """Refuse to be ended."""
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    time.sleep(86_400)
    return rides
