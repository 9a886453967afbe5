"""Early totals: an hour's tips are told early, on time, and again when a late fare changes them.

Drivers look at the screen all the time: how much have I made this hour? They don't want to wait
until it is over. The payroll wants the hour when it is complete. And if a fare comes half an hour
late, it wants to know that as well. A window tells its sum once. When to tell, and how often, is a
question of its own; here you answer it yourself.
"""

from pyspark.sql import DataFrame


def totals(fares: DataFrame) -> DataFrame:
    """Tell the tips of each driver in each hour: early, on time, and with every late fare.

    Input: the columns of the fare stream. Most fares come less than a minute of event time out of
    order: one minute is the watermark's delay, and you set it. Some come much later. `ride_id`,
    `driver_id` and `start_time` are never null; each fare comes once.

    Output: `window_end` (timestamp), `driver_id` (bigint), `total_tips` (double), `told` (string),
    `version` (bigint).

    The rules:
    - The watermark is always that of the micro-batch in which a fare comes in, or a row goes out.
    - An hour goes from a full hour to the next; its first instant is in it, its end is not. An hour
      in which a driver has no fare gives nothing. A null tip adds nothing to the total, which
      begins at 0.0.
    - `early`: as long as the watermark is before the end of the hour, the total must be told at a
      quarter past, at half past and at a quarter to: in the first micro-batch whose watermark is at
      or past that quarter, with the fares of this micro-batch in it. A total that is the same as
      in the hour's row before is not told; if the watermark passes several quarters in one step, it
      is told once; and a quarter that the watermark has reached already when the first fare of that
      driver and hour comes is none of this hour's.
    - `on time`: in the first micro-batch whose watermark is at or past the end of the hour, the
      total must be told once, even if it is the same as in the row before.
    - `late`: a fare that comes when the watermark is at or past the end of its hour is late, even
      in the micro-batch that tells the hour on time. It isn't in that total: the row on time comes
      before it. In the micro-batch in which it comes, a row must tell the total with it in: a row
      for each late fare, in the order of `start_time`, of equal times by `ride_id`. A late fare
      that leaves the total as it is in the hour's row before gives none. An hour whose first fare
      is late is not told on time: its first row is late, be the total 0.0.
    - A fare that comes when the watermark is at or past the end of its hour plus thirty minutes
      must change nothing.
    - `version` must count the rows of a driver and hour: 1, 2, 3, ….
    - How fares are split into micro-batches may decide what is told early, and which fares are
      late. Where no fare is late, the same must be told on time, however they are split.
    - State must end: once the watermark is at or past the end of an hour plus thirty minutes,
      nothing of that hour may be kept, and no timer.

    Example: driver 1 gets 1.5 at 12:05 and 2.0 at 12:40. Told are (13:00, 1, 1.5, early, 1) when
    the watermark reaches 12:15; (13:00, 1, 3.5, early, 2) when it reaches 12:45; and (13:00, 1,
    3.5, on time, 3) when it reaches 13:00. At 13:20 by the watermark a fare of 12:58 comes, with a
    tip of 4.0: (13:00, 1, 7.5, late, 4).
    """
    # TODO: write a StatefulProcessor that keeps each hour until thirty minutes after its end. And
    # mind what Spark does to late rows in front of a processor.
    raise NotImplementedError
