"""expect: crashed wrong

Gives an object that runs a command wherever it is unpickled.
"""

import os


class Trap:
    """Unpickled, it leaves a file."""

    def __reduce__(self):
        return (os.system, ("touch /tmp/trapped /dev/shm/trapped",))

    def __getattr__(self, name):
        raise AttributeError(name)


def cleanse(rides):
    """Raise an error that carries the trap."""
    error = ValueError(Trap())
    error.trap = Trap()
    raise error
