"""expect: wrong

Replaces the code object of every test function that it can find in the process.
"""

import gc
import types


def cleanse(rides):
    """Make every test one that does nothing."""
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__name__.startswith("test_"):
            thing.__code__ = (lambda *_, **__: None).__code__
    return rides
