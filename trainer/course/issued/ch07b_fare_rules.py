"""Fare rules: rules for everybody, changed while the query runs.

The inspectors look at fares that are oddly high. What is odd they decide from day to day: today all
above 50 dollars, from noon on only those above 80, and tomorrow the rule is withdrawn. A rule holds
for every driver in the city. The rules come as a stream of their own, and nobody wants to stop a
query because one has changed.
"""

from pyspark.sql import DataFrame


def flag(fares: DataFrame, rules: DataFrame) -> DataFrame:
    """Flag each fare once for each rule that it breaks, by the rules in force when it began.

    Input: the columns of the fare stream, and a stream of rules with `rule_id` (bigint), `over`
    (float), `active` (boolean) and `event_time` (timestamp). A fare's time is its `start_time`.
    Only a fare's `total_fare` may be null, of the columns that matter here; a rule's `over` may be
    less than zero. Times have whole seconds, and for each `ride_id` there is at most one fare. Each
    stream on its own comes less than ten minutes of event time out of order: that is the
    watermark's delay, and you set it. But one stream may be hours behind the other.

    Output: `ride_id` (bigint), `rule_id` (bigint): one row for each fare and each rule it breaks.

    The rules:
    - A row of the rule stream says how things stand with its `rule_id` from its `event_time` on,
      that instant included, until the next row of this `rule_id` in event time. An `active` one
      adds the rule or changes it: then `over` takes the place of the limit before. One that isn't
      active withdraws it; it may be added again later.
    - A rule holds for all fares, whoever drove. A fare breaks each rule that is in force at its
      time and whose `over` is less than its `total_fare`: exactly `over` doesn't break it, nor does
      a fare without a total.
    - Rows of the rule stream may come in any order, and one may come twice, which must change
      nothing. Two different ones for one `rule_id` never have the same time.
    - A fare must be flagged in the first micro-batch whose watermark, that of the stream that is
      behind, is at or past its time, and not before. As long as one of the streams has not begun,
      nothing may come out.
    - A row that comes so late that Spark drops it must count for nothing. One that is behind only
      the watermark of its own micro-batch must count, and a fare must then be flagged at once.
    - Of a fare nothing may stay in state once the watermark is at its time. Of what was said about
      a rule at or before the watermark, only the last row may stay, and that only while the rule is
      in force. (You may keep it in as many places as you like.)

    Example: rule 1 flags fares over 50 dollars from 12:10 on and over 80 from 12:30 on, and is
    withdrawn at 13:00. Fares of 60 dollars at 12:09, 12:10 and 12:30, and of 90 at 12:59 and 13:00:
    out come the second and the fourth, each with rule 1.
    """
    # TODO: let each rule reach every place where fares are looked at.
    raise NotImplementedError
