"""expect: wrong crashed
seconds: 15

Starts queries of its own, in threads of Java, that go on without end.
"""

import threading


def cleanse(rides):
    """Give the machine something else to do."""
    spark = rides.sparkSession

    def toil():
        spark.range(10**15).selectExpr("sum(id * id % 7)").collect()

    for _ in range(4):
        threading.Thread(target=toil, daemon=True).start()
    return rides
