"""expect: crashed

Lifts the recursion limit, and falls through the floor of the stack.
"""

import sys

sys.setrecursionlimit(2**31 - 1)


def deeper(depth):
    """Go one deeper."""
    return deeper([depth]) + repr(depth)


def cleanse(rides):
    """Go down until the process ends."""
    return deeper(0)
