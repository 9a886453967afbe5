"""expect: wrong

Gives rows enough, all different, to keep whoever writes out the differences busy for hours.
"""


def cleanse(rides):
    """Give each ride a thousand times, each with another number."""
    copies = rides.sparkSession.range(1000).selectExpr("id AS copy")
    return rides.crossJoin(copies).selectExpr(
        *(c if c != "ride_id" else "ride_id * 1000 + copy AS ride_id" for c in rides.columns)
    )
