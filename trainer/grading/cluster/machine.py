"""This machine in a cluster: Spark's own master, or one of its workers, with the kit's Java."""

import os
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.spark import java
from trainer.spark.session import spark_home

MASTER, WORKER = (f"org.apache.spark.deploy.{name}" for name in ("master.Master", "worker.Worker"))
# What Spark logs, and puts aside. No submission sees it.
WORK = ROOT / ".cluster"
# A master takes programs from anyone at a further port, without asking for the secret, and whoever
# sees its page may end what runs.
SHUT = "-Dspark.master.rest.enabled=false -Dspark.ui.killEnabled=false"


def master(address: str, port: int, page: int) -> tuple[list[str], dict[str, str]]:
    """Give the command that is a master, and its environment."""
    at = ["--host", address] if address else []
    command, environment = _spark(MASTER, *at, "--port", str(port), "--webui-port", str(page))
    options = f"{environment.get('SPARK_MASTER_OPTS', '')} {SHUT}".strip()
    return command, environment | {"SPARK_MASTER_OPTS": options}


def worker(of: str, jobs: int, address: str, work: Path = WORK) -> tuple[list[str], dict[str, str]]:
    """Give the command that is a worker, and its environment: one of its cores is one place."""
    at = ["--host", address] if address else []
    # Only what judges takes memory, of which Spark knows nothing.
    room = ("--cores", str(jobs), "--memory", "1g", "--work-dir", str(work))
    return _spark(WORKER, *at, *room, "--webui-port", "0", of)


def _spark(*arguments: str) -> tuple[list[str], dict[str, str]]:
    home = spark_home()
    environment = {**os.environ, **java.environment(), "SPARK_HOME": str(home)}
    environment.pop("TRAINER_LOG", None)
    return [str(home / "bin" / "spark-class"), *arguments], environment
