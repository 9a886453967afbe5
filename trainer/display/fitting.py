"""Tables that fit a terminal: columns that say little give way to those that say more."""

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from trainer.display.columns import seldomness
from trainer.display.tables import Grid, Line

GAP = 2


def fitting(grid: Grid, width: int) -> Grid:
    """Leave out columns, the least telling first, until a table is no wider than this.

    Keys and what differs stay in any case.
    """
    kept = list(range(len(grid.columns)))
    while _width(grid, kept) > width:
        rest = [at for at in kept if not _stays(grid, at)]
        if not rest or len(kept) == 1:
            break
        kept.remove(max(rest, key=lambda at: (_dullness(grid, at), at)))
    gone = grid.left_out + len(grid.columns) - len(kept)
    title = f"{grid.title} ({gone} column{'s' * (gone > 1)} not shown)" if gone else grid.title
    columns = tuple(grid.columns[at] for at in kept)
    return replace(
        grid, title=title, columns=columns, lines=tuple(_cut(line, kept) for line in grid.lines)
    )


def fits(grid: Grid, width: int) -> bool:
    """Tell whether a table is no wider than this."""
    return _width(grid, range(len(grid.columns))) <= width


def _stays(grid: Grid, at: int) -> bool:
    return grid.columns[at] in grid.keys or any(at in line.differing for line in grid.lines)


def _cut(line: Line, kept: list[int]) -> Line:
    differing = frozenset(place for place, at in enumerate(kept) if at in line.differing)
    return Line(line.label, tuple(line.cells[at] for at in kept), differing)


def _width(grid: Grid, kept: Sequence[int]) -> int:
    columns = [[grid.columns[at], *(line.cells[at] for line in grid.lines)] for at in kept]
    widths = [max(map(cell_len, column)) for column in columns]
    label = max((len(line.label) for line in grid.lines), default=0)
    return label + sum(width + GAP for width in widths)


def _dullness(grid: Grid, at: int) -> int:
    """Rank a column: what is the same everywhere goes first, then what is seldom shown."""
    values = {line.cells[at] for line in grid.lines}
    return seldomness(grid.columns[at]) + 2 * (len(values) == 1)
