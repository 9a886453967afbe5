"""The course where one machine is not enough: a Spark cluster of one master and two workers."""

import json
import os
import subprocess
import sys

import pytest

from tests.kit.machines import cluster_of
from trainer.course.exercise import find

LESSON = """
import json, sys
import trainer
from datagen import ride_events, fares
from trainer.running.loading import load
from trainer.course.exercise import find
from trainer.scenario import run

spark = trainer.session()
stream = spark.readStream.format("taxi_rides").options(rides=500, rows_per_batch=400).load()
query = (
    stream.groupBy("is_start").count().writeStream.format("memory").queryName("counts")
    .outputMode("complete").trigger(availableNow=True).start()
)
query.awaitTermination()
found = {"stream": sorted(map(list, spark.table("counts").collect()))}
rides, paid = ride_events(0, 60, rides=30).to_pylist(), fares(0, 30, rides=30).to_pylist()
inputs = {
    "ride_cleansing": {"rides": [rides[:30], rides[30:]]},
    "rides_and_fares": {"rides": [rides[:30], rides[30:]], "fares": [paid[:15], paid[15:]]},
    "ride_durations": {"rides": [rides[:30], rides[30:]]},
}
for name, given in inputs.items():
    exercise = find(name)
    result = run(load(exercise.solution, exercise.function), timeout=100, **given)
    found[name] = sorted(str(sorted(row.items())) for row in result.rows)
found["master"] = spark.conf.get("spark.master")
print(json.dumps(found))
"""


@pytest.fixture
def cluster(tmp_path):
    """A master and two workers, processes of their own; gives the master's address."""
    with cluster_of(2, tmp_path) as master:
        yield master


def lesson(**environment: str) -> dict:
    """Run the lesson in a process of its own; give what it found."""
    command = [sys.executable, "-c", LESSON]
    ran = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.slow
def test_a_cluster_gives_the_rows_that_a_laptop_gives(cluster):
    """A taxi stream, a filter, a join and a processor, through TRAINER_MASTER."""
    there, here = lesson(TRAINER_MASTER=cluster), lesson()
    assert there.pop("master") == cluster
    assert here.pop("master") == "local[2]"
    assert there == here
    assert there["stream"] == [[False, 500], [True, 500]]
    assert all(there[find(name).name] for name in ("ride_cleansing", "ride_durations"))
