"""Keep the rides: write a stream into a folder, and go on the next night where you stopped."""

from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

HINTS = (
    "Three things turn a stream into a query that can be started again: a sink that knows which "
    "micro-batches it has, a checkpoint that stays where it is, and a trigger that ends. Look for "
    "one line each.",
    """
    The sink is `parquet`: it writes down which files belong to which micro-batch. The checkpoint
    is the folder that you are given, and has an option of that name:
    ```
    .option("checkpointLocation", …)
    ```
    The trigger that takes what is there and ends is `availableNow`.
    """,
    """
    All but the trigger, which comes before the last line:
    ```
    rides.writeStream.format("parquet")
    .option("checkpointLocation", checkpoint)
    .start(folder)
    ```
    `start` gives the query. Return that.
    """,
)


def keep_rides(rides: DataFrame, folder: str, checkpoint: str) -> StreamingQuery:
    """Start a query that writes the rides into a folder, and return it."""
    return (
        rides.writeStream.format("parquet")
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start(folder)
    )
