"""The one Spark session that every lesson, exercise and grade uses."""

import os
import platform
import shlex
import sys
import tempfile
import time
from pathlib import Path

import pyspark
from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

import datagen
from trainer import archive, java

HERE = Path(__file__).parent
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
FILE_MANAGER = (
    "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
)
SETTINGS = {
    "spark.app.name": "taxi streams",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.streaming.stateStore.providerClass": ROCKSDB,
    # A micro-batch of a few rows is mostly files: these three make it two to three times as fast.
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    "spark.sql.streaming.checkpointFileManagerClass": FILE_MANAGER,
    "spark.ui.showConsoleProgress": "false",
    "spark.executorEnv.TZ": "UTC",
}


class Unsupported(Exception):
    """Spark doesn't run natively on this machine."""


def require_a_supported_system() -> None:
    """Say at once where Spark doesn't run natively, with the way that works."""
    if platform.system() == "Windows":
        raise Unsupported(
            "This is Windows, where Spark's streaming does not run natively. Install WSL2 "
            "(`wsl --install` in PowerShell, once), clone this kit inside it, and go on there."
        )


def session(*, ui: bool | None = None, peak: bool = False) -> SparkSession:
    """Give the Spark session, the one that exists or a new one.

    `ui` turns Spark's web page on (by default: in a notebook). `peak` lets Java compile for top
    speed, which a long benchmark wants; without it the first results come sooner. The variables
    TRAINER_MASTER (`spark://…`) and TRAINER_REMOTE (`sc://…`) name a cluster to run on.
    """
    require_a_supported_system()
    _tell_time_in_utc()
    spark = _builder(_in_a_notebook() if ui is None else ui, peak).getOrCreate()
    datagen.register(spark)
    return spark


def _builder(ui: bool, peak: bool) -> SparkSession.Builder:
    if remote := os.environ.get("TRAINER_REMOTE"):
        return SparkSession.builder.remote(remote).config(map=SETTINGS)
    if SparkSession.getActiveSession() is None:
        os.environ.update(java.environment())
        os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
        os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    master = os.environ.get("TRAINER_MASTER", "local[2]")
    builder = SparkSession.builder.master(master).config(map=SETTINGS | _paths(peak))
    builder = builder.config("spark.ui.enabled", str(ui).lower())
    if master.startswith("local"):
        # No name of this machine has to resolve, and no firewall is asked.
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        builder = builder.config("spark.driver.host", "127.0.0.1")
    return builder


def _paths(peak: bool) -> dict[str, str]:
    """Settings that name files: a scratch folder for this session, the log in it, the archive."""
    scratch = tempfile.mkdtemp(prefix="taxi-streams-")
    os.environ["TRAINER_LOG"] = f"{scratch}/spark.log"
    options = [
        f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}",
        "-Duser.timezone=UTC",
        "-XX:-UsePerfData",
        *([] if peak else ["-XX:TieredStopAtLevel=1"]),
        *archive.options(),
    ]
    return {
        "spark.driver.extraJavaOptions": shlex.join(options),
        "spark.sql.warehouse.dir": f"{scratch}/warehouse",
    }


def _tell_time_in_utc() -> None:
    """Make Python show Spark's times as they are in the streams, wherever the learner lives."""
    os.environ["TZ"] = "UTC"
    time.tzset()


def _keep_quiet() -> None:
    """Let an error be told once: PySpark's own loggers also print it, as a page of JSON."""
    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel("CRITICAL")


def _in_a_notebook() -> bool:
    return "ipykernel" in sys.modules
