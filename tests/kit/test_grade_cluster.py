"""Grading on a cluster: the same grades as here, whatever dies, and no secret left behind."""

import csv
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from bench.cluster import Measured, World, simulated
from tests.kit.course import as_submitted
from tests.kit.machines import PATIENCE, cluster_of, wait_for
from trainer.checking.misconceptions import misconceptions
from trainer.course.clone import ROOT
from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.grading.book.grades import from_json
from trainer.grading.cluster import cluster
from trainer.grading.cluster.task import Kit
from trainer.grading.intake.collect import Submission
from trainer.grading.judging.crew import Crew
from trainer.grading.judging.worker import GraderFailed, GraderStuck, Job
from trainer.grading.sandbox.limits import Limits

EXERCISE = find("ride_cleansing")
SECRET, HIDDEN, OWN = "a-seed-that-nobody-knows", "hidden_marker_4711", "own_marker_4712"
HIDDEN_TEST = f'''
from trainer.rows import ride
from trainer.runs import scripted

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)

result = scripted(rides=[[ride(4711)]])

def test_trap(result):
    """Ride 4711 is kept, {HIDDEN}."""
    assert result.column("ride_id") == [4711]
'''


@pytest.mark.parametrize(
    ("address", "what"),
    [
        ("local[2]", "expected a Spark cluster's address, as spark://host:7077"),
        ("http://localhost:7077", "expected a Spark cluster's address"),
        ("spark://", "expected a Spark cluster's address"),
        ("spark://127.0.0.1:1", "nothing answers there"),
        ("spark://127.0.0.1:port", "nothing answers there"),
        ("spark://no.such.host.invalid:7077", "nothing answers there"),
    ],
)
def test_what_is_no_cluster_is_refused_at_once(address, what):
    """Spark would try for a minute, and end with a page."""
    with pytest.raises(Problem, match=f"--on {re.escape(address)}: .*{what}"):
        cluster.Cluster.at(address, None).__enter__()


def test_a_machine_with_another_kit_is_named():
    """A grade from there would be another one."""
    here = Kit("1", {"pyspark": "4.3.0", "java": "17"})
    assert here.lacks(here) == ""
    assert Kit("2", here.versions).lacks(here) == "another version of the kit"
    other = Kit("1", here.versions | {"java": "21"})
    assert other.lacks(here) == "java 21, not 17"


@pytest.mark.parametrize(
    ("said", "kind", "why"),
    [
        (
            "An error occurred while calling o1.\n: org.apache.spark.SparkException: Job "
            "aborted\nTraceback (most recent call last):\ntrainer.grading.cluster.task."
            "Unfit: b has java 21, not 17\n\tat org.apache.spark.api.python\nDriver stacktrace:",
            GraderFailed,
            "b has java 21, not 17",
        ),
        (
            "An error occurred while calling o1.\n: org.apache.spark.SparkException: Job aborted\n"
            "ExecutorLostFailure (executor 1 exited) Reason: Command exited with code 137\n"
            "Driver stacktrace:\n\tat org.apache.spark.scheduler",
            GraderStuck,
            "no worker came to its end with it: ExecutorLostFailure (executor 1 exited) Reason: "
            "Command exited with code 137",
        ),
    ],
)
def test_what_spark_says_becomes_one_line(said, kind, why):
    """A machine that can't grade is no submission's fault; workers that die of one may be."""
    failure = cluster._failure(RuntimeError(said))
    assert (type(failure), str(failure)) == (kind, why)


class Growing:
    """A workplace with room for one, and for many as soon as that one is at work."""

    def __init__(self) -> None:
        """Have room for one."""
        self.room, self.at_work = 1, threading.Barrier(3, action=self._full)
        self.together = False

    def _full(self) -> None:
        self.together = True

    def places(self) -> int:
        """Say how many there is room for."""
        return self.room

    def hire(self) -> "Growing":
        """Give one more."""
        return self

    def asked(self, job: Job) -> dict:
        """Wait for two others."""
        self.room = 3
        self.at_work.wait(PATIENCE)
        return {}

    def dismiss(self) -> None:
        """Nothing goes on."""


def test_workers_that_come_later_are_given_work():
    """Three must be at work at once, or none comes to its end."""
    where = Growing()
    jobs = [Job(Submission(str(n), {}), (), "none", 1, 1, Limits(), {}) for n in range(3)]
    assert len(list(Crew(where).judge(jobs))) == 3
    assert where.together


class Closed(Growing):
    """A workplace at which nothing can be judged any more."""

    def asked(self, job: Job) -> dict:
        """Say so."""
        raise Problem("The cluster let go of this batch.")


def test_where_nothing_can_be_judged_any_more_the_batch_ends():
    """It is nobody's grade: those who are left are judged another time."""
    job = Job(Submission("ann", {}), (), "none", 1, 1, Limits(), {})
    with pytest.raises(Problem, match="let go of this batch"):
        list(Crew(Closed()).judge([job, job]))


NOTHING = World(slow=0, hours_between_deaths=1e9)
PLAIN = Measured(0, [10.0], booking=0, dispatch=0)


def test_simulated_workers_share_the_work():
    """Where nobody is slow and nobody dies, it is plain arithmetic."""
    assert simulated(PLAIN.tasks, 100, 1, PLAIN, NOTHING)[0] == pytest.approx(1000)
    assert simulated(PLAIN.tasks, 100, 10, PLAIN, NOTHING)[0] == pytest.approx(100)
    assert simulated(PLAIN.tasks, 100, 1000, PLAIN, NOTHING)[0] == pytest.approx(10)


def test_simulated_bookkeeping_bounds_the_whole():
    """However many workers there are, one process writes all grades."""
    slow = Measured(0, [10.0], booking=1, dispatch=0)
    seconds, busy = simulated(slow.tasks, 100, 1000, slow, NOTHING)
    assert seconds == pytest.approx(110)
    assert busy == pytest.approx(100 / 110)


def test_simulated_deaths_cost_time():
    """What was begun is begun anew, and all is graded in the end."""
    dying = World(slow=0, hours_between_deaths=0.05)
    seconds, _ = simulated(PLAIN.tasks, 100, 10, PLAIN, dying)
    assert seconds > 110


@pytest.fixture(scope="module")
def submissions(tmp_path_factory):
    """A class: right answers, wrong ones, one that raises, one that hands in nothing."""
    place = tmp_path_factory.mktemp("class")
    folder, hidden = place / "submissions", place / "hidden"
    hidden.mkdir()
    (hidden / EXERCISE.grader.name).write_text(HIDDEN_TEST)
    texts = {f"right{n}": EXERCISE.solution.read_text() + f"# {OWN} {n}\n" for n in range(5)}
    for wrong in misconceptions(EXERCISE)[:3]:
        name = wrong.__name__
        texts[name] = as_submitted(EXERCISE, EXERCISE.misconceptions, name)
    texts["raises"] = f"def {EXERCISE.function}(rides):\n    return rides.nowhere\n"
    texts["stub"] = EXERCISE.issued.read_text()
    for student, text in texts.items():
        (folder / student).mkdir(parents=True)
        (folder / student / f"{EXERCISE.stem}.py").write_text(text)
    return place


@pytest.fixture(scope="module")
def here(submissions):
    """The grades that this machine gives."""
    ran = grading(submissions, "here", "--jobs", "2")
    assert ran.wait(5 * PATIENCE) == 0, said(submissions, "here")
    assert any(row["idea"] and row["evidence"] for row in grades(submissions / "here"))
    return grades(submissions / "here")


@pytest.fixture
def there(tmp_path):
    """A cluster of two workers, and where they keep what they log."""
    with cluster_of(2, tmp_path) as address:
        yield address


def grading(place: Path, out: str, *options: str) -> subprocess.Popen:
    """Start to grade."""
    command = [sys.executable, "-c", "from trainer.cli import main; main()", "grade"]
    command += [str(place / "submissions"), "--out", str(place / out), "--exercises", EXERCISE.stem]
    command += ["--tests", str(place / "hidden"), *options]
    environment = os.environ | {"TRAINER_SEED": SECRET}
    with (place / f"{out}.log").open("a") as log:
        return subprocess.Popen(
            command, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=ROOT
        )


def said(place: Path, out: str) -> str:
    """Give what was said."""
    return (place / f"{out}.log").read_text()


def grades(out: Path) -> list[dict]:
    """Read the grades, but for the times, and what explains them."""
    with (out / "grades.csv").open() as file:
        rows = [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]
    return [row | explained(out, row["student"]) for row in rows]


def explained(out: Path, student: str) -> dict:
    """Tell which idea a grade names, and by which rows and picture it is explained."""
    (exercise,) = from_json((out / "students" / f"{student}.json").read_text()).exercises
    evidence = exercise.evidence
    assert not evidence or (out / "pictures" / evidence.picture).exists()
    return {"idea": exercise.misconception, "evidence": evidence}


def until(found, ran: subprocess.Popen):
    """Wait for something to be found while it is graded."""
    end = time.monotonic() + 5 * PATIENCE
    while not (one := found()):
        assert ran.poll() is None, "it has ended already"
        assert time.monotonic() < end
        time.sleep(0.05)
    return one


def executors(of: str = "CoarseGrainedExecutorBackend") -> list[psutil.Process]:
    """Find the processes of this machine in which Spark's workers do a driver's work."""
    found = []
    for each in psutil.process_iter(["cmdline"]):
        line = each.info["cmdline"] or []
        if any(word.endswith(of) for word in line) and str(os.getpid()) in _above(each):
            found.append(each)
    return found


def _above(process: psutil.Process) -> list[str]:
    try:
        return [str(each.pid) for each in process.parents()]
    except psutil.Error:
        return []


@pytest.mark.slow
def test_a_master_takes_programs_at_one_port_alone(tmp_path):
    """Spark's other one, over HTTP, would run anybody's, without the secret that the first asks."""
    with cluster_of(0, tmp_path):
        log = tmp_path / "master.log"
        wait_for(log, "elected leader")
        assert "REST" not in log.read_text()


@pytest.mark.slow
def test_a_cluster_gives_the_same_grades_though_a_worker_dies(submissions, here, there, tmp_path):
    """One of the two that judge is killed while it does; all are graded, each once, none anew."""
    ran = grading(submissions, "there", "--on", there)
    done = submissions / "there" / "students"
    until(lambda: len(list(done.glob("*.json"))) >= 2, ran)
    until(executors, ran)[0].kill()
    assert ran.wait(5 * PATIENCE) == 0, said(submissions, "there")
    assert grades(submissions / "there") == here
    told = said(submissions, "there")
    assert [told.count(f"{row['student']}  ") for row in here] == [1] * len(here), told
    left = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any("stderr" in file.name for file in left)
    for file in left:
        text = file.read_text(errors="replace")
        assert not [word for word in (SECRET, HIDDEN, OWN) if word in text], file


@pytest.mark.slow
def test_a_driver_that_was_killed_goes_on_where_it_was(submissions, here, there):
    """Its workers end with it, and nobody is graded twice."""
    ran = grading(submissions, "again", "--on", there)
    done = submissions / "again" / "students"
    until(lambda: len(list(done.glob("*.json"))) >= 3, ran)
    ran.kill()
    ran.wait()
    before = {file: file.stat().st_mtime_ns for file in done.glob("*.json")}
    ran = grading(submissions, "again", "--on", there)
    assert ran.wait(5 * PATIENCE) == 0, said(submissions, "again")
    assert grades(submissions / "again") == here
    told = said(submissions, "again")
    kept = int(re.search(r"(\d+) were graded before", told)[1])
    assert len(before) >= kept >= len(before) - 1
