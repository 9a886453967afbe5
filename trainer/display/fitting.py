"""Tables that fit a terminal: columns that say little give way to those that say more."""

from dataclasses import replace

from trainer.display.tables import SELDOM_SHOWN, Grid, Line

GAP = 2


def fitting(grid: Grid, width: int) -> Grid:
    """Leave out columns, the least telling first, until a table is no wider than this."""
    kept = list(range(len(grid.columns)))
    while len(kept) > 1 and _width(grid, kept) > width:
        kept.remove(max(kept, key=lambda at: (_dullness(grid, at), at)))
    gone = len(grid.columns) - len(kept)
    title = f"{grid.title} ({gone} columns not shown)" if gone > 1 else grid.title
    columns = tuple(grid.columns[at] for at in kept)
    return replace(
        grid, title=title, columns=columns, lines=tuple(_cut(line, kept) for line in grid.lines)
    )


def _cut(line: Line, kept: list[int]) -> Line:
    differing = frozenset(place for place, at in enumerate(kept) if at in line.differing)
    return Line(line.label, tuple(line.cells[at] for at in kept), differing)


def _width(grid: Grid, kept: list[int]) -> int:
    columns = [[grid.columns[at], *(line.cells[at] for line in grid.lines)] for at in kept]
    widths = [max(map(len, column)) for column in columns]
    label = max(len(grid.rest), *(len(line.label) for line in grid.lines), 0)
    return label + sum(width + GAP for width in widths)


def _dullness(grid: Grid, at: int) -> int:
    """Rank a column: what differs stays longest, what is the same everywhere goes first."""
    if any(at in line.differing for line in grid.lines):
        return 0
    values = {line.cells[at] for line in grid.lines}
    return 1 + (grid.columns[at] in SELDOM_SHOWN) + 2 * (len(values) == 1)
