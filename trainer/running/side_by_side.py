"""Scenarios run side by side in this process, some at a time."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from trainer.running.result import Outcome
from trainer.running.scenario import Scenario

# Each waits for Spark's planning most of the time; more than four at a time gain nothing.
SIDE_BY_SIDE = 4


class SideBySide:
    """Runs that are on their way, in the order in which they were given."""

    def __init__(self, run: Callable[..., Outcome], scenarios: Mapping[str, Scenario]) -> None:
        """Start them by this function, which takes `stop` too: an event that ends a run."""
        self.stopped = Event()
        self.pool = ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="run")
        self.waiting = {
            name: self.pool.submit(scenario.run, run, stop=self.stopped)
            for name, scenario in scenarios.items()
        }

    def outcome(self, name: str) -> Outcome:
        """Wait for what came of one of them; what is wrong with the answer is raised."""
        return self.waiting[name].result()

    def stop(self) -> None:
        """End those that still run: nobody waits for them any more."""
        self.stopped.set()
        self.pool.shutdown(cancel_futures=True)
