"""Made-up outcomes, for tests that need no Spark."""

from trainer.rows import at
from trainer.running.result import Result
from trainer.running.scenario import Scenario


def result(*batches, state=(), watermarks=(), dropped=(), given=None, held=None):
    """Make the result of a run that gave these micro-batches, from given streams."""
    number = len(batches)
    return Result(
        batches=[list(batch) for batch in batches],
        state_rows=list(state) or [0] * number,
        dropped_late=list(dropped) or [0] * number,
        watermarks=[time and at(time) for time in watermarks] or [None] * number,
        schema="",
        scenario=Scenario(given or {}, {}),
        state_held=held,
    )
