"""How tests are shared out among processes, each with a JVM of its own, and what is compared."""

import os

import psutil
import pytest
from nbval.plugin import IPyNbCell
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# A worker's JVM, a notebook's kernel and its JVM, and what else a test starts.
MEMORY_OF_A_WORKER = 4 * 2**30
# Their tests look at runs, or at cells, that come one after the other.
WHOLE = ("tests/exercises", "notebooks")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use the cores, as far as memory goes; tests that are named run in this process."""
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return 0
    room = psutil.virtual_memory().available // MEMORY_OF_A_WORKER
    return max(1, min(os.cpu_count() or 1, room))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Keep a grader, and a notebook, in one process; all other tests go wherever there is room."""
    return Sharing(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Compare what notebooks tell as plain text: their HTML says the same, in today's dress."""
    for notebook in {item.parent for item in items if isinstance(item, IPyNbCell)}:
        notebook.skip_compare += ("text/html",)


class Sharing(LoadScopeScheduling):
    """Hands out tests one by one, but for those that belong together."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::")[0]
        return file if file.startswith(WHOLE) else nodeid
