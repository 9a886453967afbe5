"""expect: crashed

Reads from address zero, which ends the process with a signal.
"""

import ctypes


def cleanse(rides):
    """Crash."""
    ctypes.string_at(0)
