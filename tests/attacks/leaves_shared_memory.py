"""expect: wrong

Leaves segments of shared memory, queues and semaphores that outlive their process.
"""

import ctypes
from multiprocessing import shared_memory

KEY, CREATE = 0x7A71, 0o1666


def cleanse(rides):
    """Give all rides, or an error if somebody was here before."""
    libc = ctypes.CDLL(None)
    if libc.shmget(KEY, 4096, 0) >= 0:
        raise LookupError("somebody was here before")
    libc.shmget(KEY, 4096, CREATE)
    libc.msgget(KEY, CREATE)
    libc.semget(KEY, 1, CREATE)
    shared_memory.SharedMemory("trapped", create=True, size=4096)
    return rides
