"""The query whose state exercise 8c reads: `duty(rides)` tells who comes on duty, and who goes."""

from trainer.running.duty import Duty, duty

__all__ = ["Duty", "duty"]
