"""expect: crashed

Ends its process whenever it is called, so that another has to be started, again and again.
"""

import os
import threading


def cleanse(rides):
    """End it a little later, from elsewhere."""
    threading.Timer(0.1, os._exit, [0]).start()
    return rides
