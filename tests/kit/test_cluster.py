"""The course where one machine is not enough: a Spark cluster of one master and two workers."""

import json
import os
import re
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark
import pytest

from trainer.course.exercise import find
from trainer.spark import java

PATIENCE = 120
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


@contextmanager
def daemon(log: Path, *command: str):
    """Run one of Spark's own daemons, from the pyspark package."""
    spark_class = Path(pyspark.__file__).parent / "bin" / "spark-class"
    environment = os.environ | java.environment() | {"SPARK_LOCAL_IP": "127.0.0.1"}
    environment.pop("TRAINER_LOG", None)
    with log.open("w") as output:
        process = subprocess.Popen(
            [spark_class, *command], env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def wait_for(log: Path, pattern: str) -> re.Match:
    """Wait until a daemon has said something."""
    until = time.monotonic() + PATIENCE
    while not (found := re.search(pattern, log.read_text())):
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)
    return found


@pytest.fixture
def cluster(tmp_path):
    """A master and two workers, processes of their own; gives the master's address."""
    package = "org.apache.spark.deploy"
    place = ["--host", "127.0.0.1", "--webui-port", "0"]
    with ExitStack() as daemons:
        log = tmp_path / "master.log"
        daemons.enter_context(daemon(log, f"{package}.master.Master", *place, "--port", "0"))
        master = wait_for(log, r"Starting Spark master at (spark://\S+)")[1]
        for number in (1, 2):
            log = tmp_path / f"worker{number}.log"
            size = ["--cores", "1", "--memory", "1g", "--work-dir", str(tmp_path / f"w{number}")]
            worker = (f"{package}.worker.Worker", *place, *size, master)
            daemons.enter_context(daemon(log, *worker))
            wait_for(log, "Successfully registered with master")
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
