"""An interrupted cell ends what it has running in Spark, in a line; streams go on."""

import logging
from collections.abc import Iterator
from pathlib import Path
from traceback import walk_tb
from types import TracebackType

from IPython.core.interactiveshell import ExecutionInfo, InteractiveShell
from py4j.protocol import Py4JError

from trainer.spark import cells

PARTS_OF_SPARK = {"pyspark", "py4j"}
STOPPED = "Stopped: what this cell had running in Spark has ended. Streams go on."


def watch_over(shell: InteractiveShell) -> None:
    """End the Spark jobs of each cell that is interrupted."""
    shell.events.register("pre_run_cell", _begin)
    # What py4j has under way when it is interrupted may fail in its own way.
    shell.set_custom_exc((KeyboardInterrupt, Py4JError, OSError), _failed)
    logging.getLogger().addFilter(_is_news)
    # What else goes wrong in py4j is raised as well.
    logging.getLogger("py4j").setLevel(logging.CRITICAL)


def _is_news(record: logging.LogRecord) -> bool:
    """Leave out py4j's own page about an interrupt."""
    return not str(record.msg).startswith("KeyboardInterrupt while")


def _begin(info: ExecutionInfo) -> None:
    lines = (info.raw_cell or "").strip().splitlines()
    cells.listen()
    try:
        cells.begin(lines[0][:80] if lines else "")
    except (KeyboardInterrupt, Py4JError) as error:
        if not _interrupted(error):
            raise
        # It was meant for the cell, which is about to run: it hears of it then.
        cells.mark()
        cells.again()


def _failed(
    shell: InteractiveShell,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType,
    tb_offset: int | None = None,
) -> None:
    if not _interrupted(error):
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        return
    cells.end()
    if isinstance(error, cells.Told):
        return
    if any(PARTS_OF_SPARK & {*Path(file).parts} for file in _files(error)):
        # It waited for Spark: a hundred lines of how it did so tell nobody anything.
        print(STOPPED)
    else:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def _interrupted(error: BaseException) -> bool:
    """Tell whether an interrupt is what it began with."""
    return any(isinstance(each, KeyboardInterrupt) for each in _back_from(error))


def _files(error: BaseException) -> Iterator[str]:
    """Give the files of the code that was under way, also while another error was handled."""
    for each in _back_from(error):
        yield from (frame.f_code.co_filename for frame, _ in walk_tb(each.__traceback__))


def _back_from(error: BaseException | None) -> Iterator[BaseException]:
    while error:
        yield error
        error = error.__context__
