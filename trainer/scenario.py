"""Runs an answer on a scripted stream: `run(answer, rides=[[ride(1)], [end(1)]])`."""

from trainer.running.drive import run
from trainer.running.scenario import Scenario

__all__ = ["Scenario", "run"]
