"""expect: correct
not defended: the rows are right; only how much state was kept for them is a lie

Keeps every ride in state for ever, and patches the runner to report that there is none.
"""

from datagen.geo import is_in_nyc
from trainer.running import output

output.total = lambda progress, what: 0


def cleanse(rides):
    """Remember all there is, for no reason."""
    rides.sparkSession.conf.set("spark.sql.shuffle.partitions", "1")
    kept = rides.filter(is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat"))
    return kept.selectExpr("*", "uuid() AS each").dropDuplicates(["each"]).drop("each")
