"""How a wrong answer is marked, with the checks that must fail it: `@caught_by("test_…")`."""

from trainer.checking.misconceptions import caught_by

__all__ = ["caught_by"]
