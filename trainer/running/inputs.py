"""What an input of a scenario is, told by its form: a stream, a static table, or a plain value."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto


class Kind(Enum):
    """The kinds of inputs."""

    STREAM = auto()
    TABLE = auto()
    PLAIN = auto()


def kind_of(given: object) -> Kind:
    """Tell a stream, a list of lists of rows, from a table, a list of rows, and from all else.

    An empty list is a stream without micro-batches, `[[]]` one with a single micro-batch that is
    empty. Rows are dicts; a number, a text, a list of numbers are plain values. ValueError where
    rows and lists of rows are mixed.
    """
    if not _is_list(given):
        return Kind.PLAIN
    if all(map(_is_list, given)):
        return Kind.STREAM
    if all(map(_is_row, given)):
        return Kind.TABLE
    if not any(_is_list(each) or _is_row(each) for each in given):
        return Kind.PLAIN
    raise ValueError(
        "An input mixes rows with something else: give a list of rows, which is a static table, "
        "or a list of lists of rows, which is a stream."
    )


def _is_list(thing: object) -> bool:
    return isinstance(thing, Sequence) and not isinstance(thing, str | bytes | bytearray)


def _is_row(thing: object) -> bool:
    return isinstance(thing, Mapping)
