"""expect: crashed
seconds: 5

Sleeps, and uses no processor time at all that could be counted.
"""

import time


def cleanse(rides):
    """Sleep for a day."""
    time.sleep(86_400)
    return rides
