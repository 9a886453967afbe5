"""Longest rides: announce every new record, cell by cell.

The company puts a screen into the drivers' canteen: whenever somebody has driven a longer ride
than anyone before them from the same spot, it lights up. Yesterday's record is what today's ride
is measured against, so the screen must remember; but one number for each spot is enough, however
many rides there have been.
"""

from pyspark.sql import DataFrame


def longest_rides(durations: DataFrame) -> DataFrame:
    """Give a row whenever a ride is longer than all rides seen before it from the same cell.

    Input: the columns that ride durations gives, one row for each finished ride: `ride_id` bigint,
    `driver_id` bigint, `start_cell` int, `minutes` double, `event_time` timestamp. Here every row
    has a cell, a length and a time.

    Output: `start_cell` int, `ride_id` bigint, `minutes` double of each ride that broke the record
    of its cell.

    The rules:
    - Each start_cell must have its own record.
    - A cell's first ride is a record, even if it took 0 minutes. After that a ride must be longer:
      an equal one breaks no record.
    - The rides of one micro-batch must be taken in order of event_time, and those of the same time
      in order of ride_id. A later micro-batch goes on from there: a record that has been announced
      stands, even if a ride with an earlier event_time comes later.
    - Every record must have its row, not just a micro-batch's last one.
    - The state must grow with the cells, not with the rides: one number for each cell is enough,
      so a list or an array of rides is too much.

    Example: in one micro-batch come three rides from cell 7: ride 3, 12 minutes, at 12:30; ride 1,
    8 minutes, at 12:10; ride 2, 5 minutes, at 12:20. By time that is 8, 5, 12: the rows are
    (7, 1, 8.0) and (7, 3, 12.0). In the next one ride 4 from cell 7 takes 12 minutes: no row.
    """
    # TODO: group by the cell; in a processor of your own keep the longest ride's minutes, take the
    # rows in order, and yield a Row(start_cell=…, ride_id=…, minutes=…) for each that is longer.
    raise NotImplementedError
