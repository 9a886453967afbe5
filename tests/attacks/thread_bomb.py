"""expect: crashed wrong
seconds: 5

Starts threads until there are no more.
"""

import threading
import time


def cleanse(rides):
    """Start thread after thread."""
    while True:
        try:
            threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
        except RuntimeError:
            continue
