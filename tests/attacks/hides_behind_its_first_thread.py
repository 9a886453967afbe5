"""expect: crashed | wrong

Lets the first thread of a process end, which tells how much memory it has, and takes it then.
"""

import ctypes
import mmap
import os
import platform
import threading
import time

EXIT = 93 if platform.machine() == "aarch64" else 60


def _take():
    held = []
    while True:
        held.append(mmap.mmap(-1, 2**27))
        held[-1].write(b"x" * 2**27)


def cleanse(rides):
    """Take all the memory there is, where nobody looks."""
    if not os.fork():
        threading.Thread(target=_take).start()
        ctypes.CDLL(None).syscall(EXIT, 0)
    time.sleep(30)
    return rides
