"""The city's box, in degrees, and the grid of cells over it, counted from the north-west."""

WEST, EAST = -74.05, -73.7
SOUTH, NORTH = 40.5, 41.0
COLUMNS, ROWS = 250, 400
CELL_WIDTH, CELL_HEIGHT = 0.0014, 0.00125
