"""The pictures of the first lesson show the rows they are given."""

import matplotlib.pyplot as plt
import pytest
from pyspark.sql import functions as F

from trainer.lessons.query_pictures import draw_shuffle, draw_triggers
from trainer.lessons.stream_pictures import draw_delays, draw_time_line


@pytest.fixture(autouse=True)
def off_screen(monkeypatch):
    """Draw for a file, and close what was drawn."""
    monkeypatch.setattr(plt, "show", lambda: None)
    plt.switch_backend("agg")
    yield
    plt.close("all")


def texts() -> list[str]:
    """All that is written in the picture, but its scales."""
    return [text.get_text() for axes in plt.gcf().axes for text in axes.texts]


def dots() -> int:
    """How many dots the picture has."""
    lines = [line for axes in plt.gcf().axes for line in axes.lines if line.get_marker() in "o.X"]
    return sum(len(line.get_xdata()) for line in lines)


def test_a_time_line_names_each_event(spark):
    """Each ride is named, and so are its START and its END."""
    draw_time_line(spark.read.format("taxi_rides").option("rides", 2).load())
    assert sorted(texts()) == ["END\n1", "END\n2", "START\n1", "START\n2", "ride 1", "ride 2"]


def test_delays_show_each_event(spark):
    """Each event is a dot, and the one longest on the way is named."""
    flawed = spark.read.format("taxi_rides").options(rides=50, disorder=60, late=0.1, truth=True)
    draw_delays(flawed.load())
    assert dots() == 100
    assert len(texts()) == 1
    assert texts()[0].endswith("min on the way")


def test_triggers_show_each_row_and_the_size_of_each_micro_batch(spark):
    """Twelve rows, at most five to a micro-batch, are 5, 5 and 2."""
    stream = spark.readStream.format("taxi_rides").options(stop=12, rows_per_batch=5).load()
    query = stream.writeStream.format("noop").trigger(availableNow=True).start()
    query.awaitTermination()
    draw_triggers({"availableNow=True": query.recentProgress}, rows_per_second=20)
    assert texts() == ["5", "5", "2"]
    assert dots() == 12


def test_a_shuffle_shows_each_event_on_both_sides(spark):
    """Six events are twelve dots, each with the number of its ride."""
    events = spark.read.format("taxi_rides").options(rides=3, partitions=2).load()
    where = ("ride_id", "is_start", F.spark_partition_id().alias("partition"))
    after = events.repartition(2, "ride_id").select(*where).collect()
    draw_shuffle(events.select(*where).collect(), after)
    assert dots() == 12
    assert sum(len(text) == 1 for text in texts()) == 12
