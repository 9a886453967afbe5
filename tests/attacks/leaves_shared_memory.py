"""expect: wrong

Leaves segments of shared memory, queues and semaphores that outlive their process.
"""

import ctypes
from multiprocessing import shared_memory

KEY, CREATE = 0x7A71, 0o1666


def leave() -> bool:
    """Leave them; tell whether somebody was here before."""
    libc = ctypes.CDLL(None)
    before = libc.shmget(KEY, 4096, 0) >= 0
    libc.shmget(KEY, 4096, CREATE)
    libc.msgget(KEY, CREATE)
    libc.semget(KEY, 1, CREATE)
    try:
        shared_memory.SharedMemory("trapped", create=True, size=4096)
    except FileExistsError:
        return True
    return before


# Once a process, however often the function is called, and by how many at once.
FOUND = leave()


def cleanse(rides):
    """Give all rides, or an error if somebody was here before."""
    if FOUND:
        raise LookupError("somebody was here before")
    return rides
