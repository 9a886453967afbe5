"""expect: wrong

Attaches to every process as a debugger would, to write into the judge's memory.
"""

import ctypes
import os

PTRACE_ATTACH, PTRACE_DETACH = 16, 17


def cleanse(rides):
    """Stop whatever can be stopped."""
    trace = ctypes.CDLL(None).ptrace
    for number in range(1, 100_000):
        if number != os.getpid() and os.path.exists(f"/proc/{number}"):
            if trace(PTRACE_ATTACH, number, None, None) == 0:
                os.waitpid(number, 0)
                trace(PTRACE_DETACH, number, None, None)
    return rides
