"""expect: wrong

Tells others of itself, and hears of them, by the files that all submissions read: by locks, and by
notices of who opens what.
"""

import ctypes
import fcntl
import os
import struct
import sys

SHARED = os.open(os.__file__, os.O_RDONLY)
LOCK = struct.Struct("hhqqi4x")


def _allowed(call, *given):
    try:
        return call(*given)
    except OSError:
        return None


def cleanse(rides):
    """Keep everything; say so if anything was heard."""
    asked = LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    found = _allowed(fcntl.fcntl, SHARED, fcntl.F_GETLK, asked)
    if found and LOCK.unpack(found)[0] != fcntl.F_WRLCK:
        raise LookupError("a neighbour holds a lock")
    _allowed(fcntl.fcntl, SHARED, fcntl.F_SETLK, LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, 0, 9, 0))
    folder = os.open(sys.prefix, os.O_RDONLY)
    if _allowed(fcntl.fcntl, folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS) is not None:
        raise LookupError("it is told who reads")
    if ctypes.CDLL(None).inotify_init() >= 0:
        raise LookupError("it is told who opens")
    return rides
