"""A range of a stream, split into pieces that Spark's tasks make side by side."""

from itertools import pairwise

from pyspark.sql.datasource import InputPartition


class Piece(InputPartition):
    """Rows start…stop−1 of a stream, made by one task."""

    def __init__(self, start: int, stop: int) -> None:
        """Take the positions of the first row and of the first one after."""
        self.start, self.stop = start, stop


def split(start: int, stop: int, pieces: int) -> list[Piece]:
    """Split a range into at most so many pieces of nearly the same size, in order, none empty."""
    edges = [start + (stop - start) * piece // pieces for piece in range(pieces + 1)]
    return [Piece(low, high) for low, high in pairwise(edges) if low < high]
