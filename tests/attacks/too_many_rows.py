"""expect: crashed
seconds: 25

Gives each ride ten million times, for the judge to read.
"""


def cleanse(rides):
    """Multiply."""
    return rides.crossJoin(rides.sparkSession.range(10_000_000)).drop("id")
