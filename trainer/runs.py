"""How a grader declares its runs: `scripted` or `seeded`; trainer/checking/runs.py says how."""

from trainer.checking.runs import scripted, seeded

__all__ = ["scripted", "seeded"]
