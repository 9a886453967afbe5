"""expect: crashed

Rows whose `__eq__` says yes to everything: they would equal whatever is expected.
"""

from trainer.running import result


class Yes(list):
    """A list that equals anything."""

    def __eq__(self, other):
        return True

    __hash__ = None


def cleanse(rides):
    """Make every list of rows one that equals anything."""
    result.Result.rows = property(lambda self: Yes())
    return rides
