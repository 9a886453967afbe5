"""Popular places, written in other ways that are right too."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from datagen.geo import grid_cell, is_in_nyc


def in_sql(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Say it in SQL; the arithmetic of the grid is written out."""
    rides = rides.withWatermark("event_time", "10 minutes")
    return rides.sparkSession.sql(
        """SELECT window.end AS window_end, cell, is_start, count(*) AS ride_count
        FROM (
          SELECT *, int(floor((lon + 74.05D) / 0.0014D)
                        + 250 * floor((41.0D - lat) / 0.00125D)) AS cell
          FROM (
            SELECT event_time, is_start,
              double(if(is_start, start_lon, end_lon)) AS lon,
              double(if(is_start, start_lat, end_lat)) AS lat
            FROM {rides}
          ) WHERE lon BETWEEN -74.05D AND -73.7D AND lat BETWEEN 40.5D AND 41.0D
        )
        GROUP BY window(event_time, '15 minutes', '5 minutes'), cell, is_start
        HAVING count(*) >= {threshold}""",
        rides=rides,
        threshold=threshold,
    )


def starts_beside_ends(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Give starts and ends their places apart, and put them together again."""

    def placed(events: DataFrame, lon: str, lat: str) -> DataFrame:
        events = events.where(is_in_nyc(lon, lat))
        return events.select("event_time", "is_start", grid_cell(lon, lat).alias("cell"))

    rides = rides.withWatermark("event_time", "10 minutes")
    starts = placed(rides.where("is_start"), "start_lon", "start_lat")
    ends = placed(rides.where("NOT is_start"), "end_lon", "end_lat")
    window = F.window("event_time", "15 minutes", "5 minutes")
    counts = starts.union(ends).groupBy(window, "cell", "is_start").count()
    counts = counts.withColumnRenamed("count", "ride_count").where(F.col("ride_count") >= threshold)
    return counts.select(F.col("window.end").alias("window_end"), "cell", "is_start", "ride_count")


def in_two_steps(rides: DataFrame, threshold: int = 20) -> DataFrame:
    """Count every five minutes by themselves, and add three such counts for each window."""
    start = F.struct(F.col("start_lon").alias("lon"), F.col("start_lat").alias("lat"))
    end = F.struct(F.col("end_lon").alias("lon"), F.col("end_lat").alias("lat"))
    events = rides.withColumn("own", F.when(F.col("is_start"), start).otherwise(end))
    events = events.filter(is_in_nyc("own.lon", "own.lat"))
    events = events.withWatermark("event_time", "10 minutes")
    cell = grid_cell("own.lon", "own.lat").alias("cell")
    fives = events.groupBy(F.window("event_time", "5 minutes"), cell, "is_start").count()
    # Counts of five minutes are few; only they are put into the windows that slide.
    sums = fives.groupBy(
        F.window(F.window_time("window"), "15 minutes", "5 minutes"), "cell", "is_start"
    ).agg(F.sum("count").alias("ride_count"))
    sums = sums.filter(F.col("ride_count") >= threshold)
    return sums.select(F.col("window.end").alias("window_end"), "cell", "is_start", "ride_count")
