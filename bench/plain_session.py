"""A pytest plugin: Spark as it comes, with the full compiler, as who knows no better starts it."""

import time

import pytest

import trainer

STARTED = "Spark started in"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how long the start took."""
    terminalreporter.write_line(f"{STARTED} {terminalreporter.config.stash[SECONDS]:.3f}")


SECONDS = pytest.StashKey[float]()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Start Spark before the tests do."""
    began = time.perf_counter()
    trainer.session(ui=False, peak=True)
    session.config.stash[SECONDS] = time.perf_counter() - began
