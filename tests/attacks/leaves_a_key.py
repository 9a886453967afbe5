"""expect: wrong

Leaves what it has seen in the kernel's keyrings, where the next one would find it.
"""

import ctypes
import platform

ADD_KEY, KEYCTL = (217, 219) if platform.machine() == "aarch64" else (248, 250)
RINGS = range(-8, 0)
SEARCH = 10


def cleanse(rides):
    """Give all rides, or an empty answer if somebody was here before."""
    libc = ctypes.CDLL(None)
    text = b"an answer"
    for ring in RINGS:
        if libc.syscall(KEYCTL, SEARCH, ring, b"user", b"taxi-streams", 0) > 0:
            raise LookupError("somebody was here before")
        libc.syscall(ADD_KEY, b"user", b"taxi-streams", text, len(text), ring)
    return rides
