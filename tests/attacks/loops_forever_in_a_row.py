"""expect: crashed
seconds: 5

A function of a row that never returns, in Spark's worker, where the time limit is not at hand.
"""

from pyspark.sql.functions import udf


@udf("boolean")
def forever(number):
    """Never come to a decision."""
    while True:
        pass


def cleanse(rides):
    """Ask it of every ride."""
    return rides.filter(forever("ride_id"))
