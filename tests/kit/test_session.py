"""The session that everything runs on."""

import json
import os
import subprocess
import sys

import pytest

import trainer
from trainer.spark import quick_start


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run some Python in a process of its own, on a session of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_the_session_has_the_settings_of_the_course(spark):
    """UTC, two shuffle partitions, the RocksDB state store, Arrow; no web page in tests."""
    settings = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    assert {name: spark.conf.get(name) for name in settings} == settings
    assert "RocksDB" in spark.conf.get("spark.sql.streaming.stateStore.providerClass")


def test_a_second_call_gives_the_same_session(spark):
    """There is one session, whoever asks."""
    assert trainer.session() is spark


def test_times_come_back_as_they_are_in_the_stream(spark):
    """Noon in New York's stream is noon in Python, wherever the machine believes it is."""
    noon = spark.sql("SELECT timestamp'2020-01-01 12:00:00' AS noon").collect()[0].noon
    assert noon.isoformat() == "2020-01-01T12:00:00"


def test_a_program_that_loads_jupyter_is_no_notebook():
    """Only a kernel gets Spark's page and HTML: nbval, say, loads the package and is none."""
    ran = run_python(
        "import ipykernel.kernelapp; from trainer.spark.session import *; print(in_a_notebook())"
    )
    assert ran.stdout == "False\n"


SETTINGS_AS_JSON = """
import json, trainer
spark = trainer.session()
names = ["spark.master", "spark.ui.enabled"]
print(json.dumps({name: spark.conf.get(name) for name in names} | {"rows": spark.range(7).count()}))
"""


def test_a_master_can_be_named_and_nothing_else_is_said():
    """TRAINER_MASTER decides where Spark runs; the screen stays clean in a learner's time zone."""
    ran = run_python(SETTINGS_AS_JSON, TRAINER_MASTER="local[1]", TZ="America/New_York")
    assert ran.stderr == ""
    assert json.loads(ran.stdout) == {
        "spark.master": "local[1]",
        "spark.ui.enabled": "false",
        "rows": 7,
    }


def test_a_damaged_archive_is_passed_over_in_silence(monkeypatch, tmp_path):
    """A quick start that can't be had costs time, and nothing else."""
    monkeypatch.setenv("TRAINER_CACHE", str(tmp_path))
    quick_start.path().write_text("this is no archive")
    ran = run_python(SETTINGS_AS_JSON)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["rows"] == 7


def test_a_java_that_dies_at_once_is_one_line():
    """What the JVM said last is in the message, with the place of the rest."""
    ran = run_python(SETTINGS_AS_JSON, SPARK_DRIVER_MEMORY="1k")
    last = ran.stderr.strip().splitlines()[-1]
    assert last.startswith(
        "trainer.course.problem.Problem: Java did not start: Too small maximum heap"
    )
    assert "`trainer doctor` says what to do" in last


# As much of it as matters: its name, and that it lacks what only a Unix has.
ON_WINDOWS = """
import os, platform, sys, time
platform.system = lambda: "Windows"
sys.modules |= dict.fromkeys(["fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"])
del time.tzset, os.fork, os.getuid
"""


@pytest.mark.parametrize(
    "code",
    [
        "import trainer; trainer.session()",
        "from trainer.spark.session import session; session()",
        "sys.argv = ['trainer', 'list']; from trainer.cli import main; main()",
    ],
    ids=["in a notebook", "in a program", "on the command line"],
)
def test_windows_is_told_at_once_what_works(code):
    """Spark's streaming doesn't run natively there; WSL2 does; it takes one line to say so."""
    ran = run_python(ON_WINDOWS + code)
    (line,) = ran.stderr.splitlines()
    assert line.startswith("trainer: This is Windows") and "WSL2" in line
    assert (ran.returncode, ran.stdout) == (2, "")


def test_files_are_made_without_a_process_each(spark):
    """Hadoop would start `chmod` for every file, which takes more time than the micro-batch."""
    settings = spark._jsc.hadoopConfiguration()
    files = spark._jvm.org.apache.hadoop.fs.FileSystem.get(settings)
    assert files.getClass().getName() == "QuietLocalFiles"
