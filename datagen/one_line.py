"""Errors that a Spark worker reports in one line, without a stack trace of Spark's and ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from datagen.options import OptionError


@contextmanager
def in_one_line() -> Iterator[None]:
    """Let a wrong option end this Spark worker with its own line alone; the trace helps nobody."""
    try:
        yield
    except OptionError:
        # Read by Spark when it reports the error that ends this process, and by nothing else.
        if "PYTHON_WORKER_FACTORY_SECRET" in os.environ:
            os.environ["SPARK_HIDE_TRACEBACK"] = "1"
        raise
