"""The one Spark session that every lesson, exercise and grade uses."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from trainer.course.problem import Problem
from trainer.spark import cells, dropped_rows, java, local_files, quick_start, scratch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark import SparkContext
    from pyspark.sql import SparkSession

WORKERS = Path(__file__).parent / "workers" / "python"
LOG_SETTINGS = Path(__file__).parent / "log4j2.properties"
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
    # A micro-batch of a few rows is mostly files: these three make it two to three times as fast,
    # and `local_files` that once more.
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
    "spark.sql.streaming.checkpoint.fileChecksum.enabled": "false",
    "spark.sql.streaming.checkpointFileManagerClass": FILE_MANAGER,
    # Stores of queries that have ended go soon, and with them what they hold in memory.
    "spark.sql.streaming.stateStore.maintenanceInterval": "1s",
    # What Spark remembers for its web page: enough to look at, not all that a long day brings.
    "spark.ui.retainedJobs": "100",
    "spark.ui.retainedStages": "100",
    "spark.ui.retainedTasks": "1000",
    "spark.sql.ui.retainedExecutions": "50",
    "spark.sql.streaming.ui.retainedQueries": "20",
}
_one_at_a_time = threading.Lock()


def require_a_supported_system() -> None:
    """Say at once where Spark doesn't run natively, with the way that works."""
    if platform.system() == "Windows":
        raise Problem(
            "This is Windows, where Spark's streaming does not run natively. Install WSL2 "
            "(`wsl --install` in PowerShell, once), clone this kit inside it, and go on there."
        )


def session(*, ui: bool | None = None, peak: bool = False, heap: str | None = None) -> SparkSession:
    """Give the Spark session: the one that exists, or a new one.

    `ui` turns Spark's own web page on (by default, in a notebook). `peak` lets Java compile for
    top speed, which a long benchmark wants; without it the first results come sooner. `heap`
    (`512m`) is the memory for Java's objects where Spark's own default is too much. The variable
    TRAINER_MASTER (`spark://…`) or TRAINER_REMOTE (`sc://…`) names a cluster to run on.
    """
    require_a_supported_system()
    from pyspark.sql import SparkSession

    import datagen

    _tell_time_in_utc()
    _keep_quiet()
    # Runs side by side all come here.
    with _one_at_a_time:
        builder = SparkSession.builder
        if heap:
            builder = builder.config("spark.driver.memory", heap)
        spark = _reach(builder, in_a_notebook() if ui is None else ui, peak)
        datagen.register(spark)
    return spark


def _reach(builder: SparkSession.Builder, ui: bool, peak: bool) -> SparkSession:
    from pyspark import SparkContext

    if remote := os.environ.get("TRAINER_REMOTE"):
        return builder.remote(remote).config(map=SETTINGS).getOrCreate()
    if SparkContext._active_spark_context is None:
        return _start(builder, ui, peak)
    return builder.getOrCreate()


def _start(builder: SparkSession.Builder, ui: bool, peak: bool) -> SparkSession:
    from pyspark.errors import PySparkRuntimeError

    roof = scratch.claim()
    log = roof / "spark.log"
    os.environ.update(_environment(log, _master()))
    try:
        spark = builder.config(map=SETTINGS | _start_settings(roof, ui, peak)).getOrCreate()
    except PySparkRuntimeError as error:
        said = log.read_text().strip().splitlines() if log.exists() else []
        last = said[-1] if said else str(error)
        raise Problem(
            f"Java did not start: {last}{_kept(log)}. `trainer doctor` says what to do."
        ) from None
    _let_java_tidy_up(spark)
    cells.take_over()
    if _master().startswith("local"):
        local_files.without_processes(spark)
    if ui:
        # For those who look at a query that has run for long.
        dropped_rows.count(spark)
    return spark


def cluster_context(master: str, settings: Mapping[str, str]) -> SparkContext:
    """Reach a cluster for work that is plain Python: without a session, and without our streams.

    Its workers run the Python that PYSPARK_PYTHON names, or one at the place of this.
    """
    from pyspark import SparkConf, SparkContext

    roof = scratch.claim()
    python = os.environ.get("PYSPARK_PYTHON", sys.executable)
    os.environ.update(_environment(roof / "spark.log", master) | {"PYSPARK_PYTHON": python})
    options = [f"-Dlog4j2.configurationFile={LOG_SETTINGS}", f"-Djava.io.tmpdir={roof}"]
    given = {
        "spark.master": master,
        "spark.driver.extraJavaOptions": shlex.join(options),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    return SparkContext(conf=SparkConf().setAll([*given.items(), *settings.items()]))


def _kept(log: Path) -> str:
    """Keep a log that would go with this process, and say where."""
    place = quick_start.folder() / log.name
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        return f" (all of it in {shutil.copyfile(log, place)})"
    except OSError:
        return ""


def _let_java_tidy_up(spark: SparkSession) -> None:
    """Where this process is killed, Java ends a moment later: let it take away what is left."""
    java = spark._jvm
    for roof in {scratch.claim(), scratch.fast_roof()}:
        folder = java.java.io.File(str(roof))
        java.org.apache.spark.util.ShutdownHookManager.registerShutdownDeleteDir(folder)


def _environment(log: Path, master: str) -> dict[str, str]:
    """Variables that the JVM and its Python workers are started with."""
    return {
        **java.environment(),
        "TRAINER_LOG": str(log),
        "SPARK_HOME": str(spark_home()),
        "SPARK_LAUNCHER_OPTS": "-XX:TieredStopAtLevel=1 -Xshare:auto",
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        **(_on_this_machine() if master.startswith("local") else {}),
    }


def spark_home() -> Path:
    """Find where Spark's own programs are; on a cluster's worker its Python comes as an archive."""
    above = Path(find_spec("pyspark").origin).parents
    return next(folder for folder in above if (folder / "bin" / "spark-submit").exists())


def _on_this_machine() -> dict[str, str]:
    """Variables for a Spark that is no cluster."""
    return {
        # No name of this machine has to resolve, and no firewall is asked.
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": str(WORKERS),
        "TRAINER_PYTHON": sys.executable,
        "TRAINER_PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }


def _start_settings(roof: Path, ui: bool, peak: bool) -> dict[str, str]:
    """Settings that count only when the JVM starts."""
    java_options = [
        f"-Dlog4j2.configurationFile={LOG_SETTINGS}",
        "-Duser.timezone=UTC",
        f"-Djava.io.tmpdir={roof}",
        # With one tier only, Java's own room for compiled code is too small for a long day.
        *([] if peak else ["-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=256m"]),
        *quick_start.options(),
    ]
    return {
        "spark.master": _master(),
        "spark.driver.extraJavaOptions": shlex.join(java_options),
        "spark.executorEnv.TZ": "UTC",
        "spark.sql.warehouse.dir": f"{roof}/warehouse",
        "spark.ui.enabled": str(ui).lower(),
        "spark.ui.showConsoleProgress": "false",
    }


def _master() -> str:
    return os.environ.get("TRAINER_MASTER", "local[2]")


def _tell_time_in_utc() -> None:
    """Make Python show Spark's times as they are in the streams, wherever the learner lives."""
    os.environ["TZ"] = "UTC"
    time.tzset()


def _keep_quiet() -> None:
    """Let an error be told once: PySpark's own loggers also print it, as a page of JSON."""
    from pyspark.logger import PySparkLogger

    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel("CRITICAL")


def in_a_notebook() -> bool:
    """Say whether this process is a notebook's kernel: not only one that has loaded its package."""
    app = sys.modules.get("ipykernel.kernelapp")
    return app is not None and app.IPKernelApp.initialized()
