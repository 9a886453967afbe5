"""Unmatched: rides without a fare, and fares without a ride.

Every ride should be paid for, and every fare should belong to a ride. Where one has no partner,
somebody drove for free, or a meter lies. An inner join would drop exactly those rows. The
accountants want them, and nothing else.
"""

from pyspark.sql import DataFrame


def unmatched(rides: DataFrame, fares: DataFrame) -> DataFrame:
    """Report START events without a fare, and fares without a START, within an hour.

    Input: the columns of the ride stream and of the fare stream. On the ride side only START events
    count, with their `event_time`; a fare has its `start_time`. For each `ride_id` there is at most
    one START and at most one fare. Ids and times are never null. Each stream on its own comes less
    than ten minutes of event time out of order: that is the watermark's delay, and you set it.
    But one stream may be hours behind the other.

    Output: `ride_id` (bigint), `missing` (string): `fare` for a START without a fare, `ride` for a
    fare without a START.

    The rules:
    - A START and a fare of one `ride_id` are partners if their times are at most one hour apart,
      exactly one hour included, whichever is earlier and whichever arrives first. Partners must
      not be reported.
    - Farther apart, they are no partners: both must be reported, each in its own time.
    - A row must be reported as soon as the watermark is at its time plus one hour, when no partner
      can come any more, and not before. (Where it is there to the very millisecond, the next
      micro-batch will do.) As long as one of the streams has not begun, nothing may be reported.
    - A row that comes so late that Spark drops it must give nothing.
    - Nothing may be kept of a row once the watermark is past its time plus one hour. When partners
      have met, none of their timers may be left.

    Example: ride 1 starts at 12:00, and its fare says 12:00: partners. Ride 2 starts at 12:05, and
    no fare comes. When the watermark of both streams has reached 13:05, out comes (2, fare).
    """
    # TODO: bring both streams to the same columns, and let one processor wait for partners.
    raise NotImplementedError
