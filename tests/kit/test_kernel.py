"""The kernel that `trainer lab` starts: its words before the first cell, and how it is stopped."""

import contextlib
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from ipykernel.kernelspec import get_kernel_dict
from jupyter_client import BlockingKernelClient, KernelManager
from jupyter_client.kernelspec import KernelSpecManager

from trainer.kernel import load_ipython_extension
from trainer.learner import interrupting
from trainer.learner.interrupting import STOPPED
from trainer.learner.lab import SETTINGS
from trainer.spark import cells

SPEC = SETTINGS / "kernels" / "python3"
PATIENCE = 180
CELLS = 1000


class Kernel:
    """A kernel of the lab's, and what its cells say."""

    def __init__(self, client: BlockingKernelClient, manager: KernelManager) -> None:
        """Talk to it by a client."""
        self.client, self.manager = client, manager

    def run(self, code: str, until: str = "") -> str:
        """Run a cell, and give all that it says; interrupt it once it has said `until`."""
        said = []

        def hear(message: dict) -> None:
            content = message["content"]
            said.append(content.get("text") or content.get("data", {}).get("text/plain") or "")
            said.extend(content.get("traceback", []))
            if until and until in said[-1]:
                self.manager.interrupt_kernel()

        self.client.execute_interactive(code, output_hook=hear, timeout=PATIENCE)
        return "".join(said)


@contextlib.contextmanager
def running() -> Iterator[Kernel]:
    """Start a kernel as the lab starts them, and end it as the lab does."""
    specs = KernelSpecManager(kernel_dirs=[str(SPEC.parent)])
    manager = KernelManager(kernel_name="python3", kernel_spec_manager=specs)
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(client, manager)
    finally:
        client.stop_channels()
        manager.shutdown_kernel()


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    """A kernel that some tests share."""
    with running() as kernel:
        yield kernel


def test_it_takes_the_place_of_the_kernel_that_notebooks_name():
    """The same name and the same abilities; only what it loads is ours."""
    ours, plain = json.loads((SPEC / "kernel.json").read_text()), get_kernel_dict()
    extension = f"--ext={load_ipython_extension.__module__}"
    assert ours.pop("argv")[1:] == [*plain.pop("argv")[1:], extension]
    assert {**ours, "display_name": ""} == {**plain, "display_name": ""}


def test_the_words_are_there_before_the_first_cell(kernel):
    """And Spark is not loaded yet."""
    assert "%%exercise" in kernel.run("%lsmagic")
    words = "check, hint, solution, step, live"
    assert "solution" in kernel.run(f"print({words}); hint('nonsense')")
    assert kernel.run("import sys; {'pyspark', 'matplotlib'} & {*sys.modules}") == "set()"


def test_an_interrupt_ends_the_jobs_of_its_cell_and_no_stream(kernel):
    """The next action begins at once; nobody sees how Python waits for Java."""
    kernel.run(
        "import trainer\n"
        "spark = trainer.session()\n"
        "stream = spark.readStream.format('rate').load().writeStream.format('noop').start()"
    )
    slow = "spark.range(10**15).selectExpr('sum(id * id % 7)').collect()"
    told = kernel.run(f"print('begun')\n{slow}", until="begun")
    assert told == f"begun\n{STOPPED}\n"
    assert kernel.run("spark.range(10).count(), stream.isActive") == "(10, True)"


def test_an_interrupt_may_come_at_any_moment_of_a_call_to_spark(kernel):
    """py4j closes connections then, at times a new one too; the cell ends with one line, always.

    Not even a job that Java begins a moment later is left: one of the next cells ends it.
    """
    kernel.run("from trainer.spark.session import session; spark = session()")
    job = 'print("begun", flush=True); spark.range(10**15).selectExpr("sum(id % 7)").collect()'
    for _ in range(40):
        told = kernel.run(job, until="begun")
        found = [word for word in ("Custom TB", "Py4J", "py4j", "ERROR") if word in told]
        assert not found, told
    left = "len(spark.sparkContext.statusTracker().getActiveJobsIds())"
    assert any(kernel.run(left) == "0" for _ in range(CELLS))
    assert "3" in kernel.run("spark.range(3).count()")


def test_an_interrupt_just_before_a_cell_is_the_cells(monkeypatch):
    """It comes while Spark is told of the cell, and isn't lost: a moment later it comes again."""

    def begin(title):
        raise KeyboardInterrupt

    monkeypatch.setattr(cells, "begin", begin)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupting._begin(SimpleNamespace(raw_cell="1 + 1"))
        with pytest.raises(KeyboardInterrupt):
            threading.Event().wait(PATIENCE)
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_while_an_object_goes_is_not_lost():
    """Python only prints what is raised in a finalizer, and py4j has one for each object of Java's:
    it comes again a moment later."""

    class Gone:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)
            sum(range(1000))

    before = signal.getsignal(signal.SIGINT)
    try:
        cells.listen()
        gone = Gone()
        with pytest.raises(KeyboardInterrupt):
            del gone
            threading.Event().wait(PATIENCE)
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupted_loop_shows_where_it_was(kernel):
    """There it is the learner's own line that matters."""
    told = kernel.run("print('begun')\nwhile True:\n    pass", until="begun")
    assert "KeyboardInterrupt" in told
    assert STOPPED not in told


def test_temporary_folders_go_with_the_kernel():
    """Those that a cell makes, too."""
    with running() as kernel:
        folder = Path(kernel.run("import tempfile; print(tempfile.mkdtemp())").strip())
        assert folder.is_dir()
    assert not folder.parent.exists()
