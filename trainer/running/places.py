"""The folders of an answer that starts its query itself, and the rows that came into them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from trainer.rows import Row, in_order
from trainer.running.answer import ContractError
from trainer.running.contract import described
from trainer.spark.session import session

# What a function that starts its query is given besides its streams.
GIVEN = ("folder", "checkpoint")


class Places:
    """The two folders that an answer is given, as it finds them: not yet there."""

    def __init__(self, scratch: Path) -> None:
        """Put both into a folder that goes with the run."""
        self.folder, self.checkpoint = scratch / "table", scratch / "checkpoint"

    def rows(self, columns: str | None) -> list[Row]:
        """Read what lies in the table's folder, sorted; nothing where there is nothing."""
        files = [path for path in self.folder.rglob("*") if not path.name.startswith((".", "_"))]
        if not any(path.is_file() for path in files):
            return []
        try:
            frame = session().read.parquet(str(self.folder))
            _require(frame, columns)
            return in_order(frame.toArrow().to_pylist(), *frame.columns)
        except (PySparkException, Py4JError):
            names = ", ".join(sorted(path.name for path in files)[:3])
            raise ContractError(f"`folder` holds {names}; expected parquet.") from None

    def undo_the_commit(self) -> None:
        """Leave the last micro-batch written, and not noted: as if the query was killed then."""
        notes = [path for path in (self.checkpoint / "commits").glob("*") if path.name.isdigit()]
        if not notes:
            raise ContractError(
                "The query noted nothing in `checkpoint`, where it is looked for once the machine "
                'is up again: set option("checkpointLocation", checkpoint).'
            )
        max(notes, key=lambda path: int(path.name)).unlink()


def still_there(batches: Sequence[list[Row]], now: Sequence[Row]) -> list[list[Row]]:
    """Keep of earlier rows those that are still there; what is there besides them is new."""
    there = _counted(now)
    kept = [_split(batch, there)[0] for batch in batches]
    return [*kept, _split(now, _counted(row for batch in kept for row in batch))[1]]


def _require(frame: DataFrame, columns: str | None) -> None:
    came = described(frame.schema)
    if columns and came != columns:
        raise ContractError(f"`folder` holds the columns {came}; expected {columns}.")


def _split(rows: Sequence[Row], among: Counter[str]) -> tuple[list[Row], list[Row]]:
    """Split rows into those that are among others, each of which counts once, and the rest."""
    found, rest = [], []
    for row in rows:
        (found if among[_key(row)] > 0 else rest).append(row)
        among[_key(row)] -= 1
    return found, rest


def _counted(rows: Iterable[Row]) -> Counter[str]:
    return Counter(map(_key, rows))


def _key(row: Row) -> str:
    return repr(list(row.items()))
