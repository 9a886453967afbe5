"""Files of a stream, each of which appears whole or not at all."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from datagen.options import OptionError
from datagen.text import json_lines, with_iso_times

Batches = Iterable[pa.RecordBatch]


def _write_parquet(file: IO[bytes], batches: Batches, schema: pa.Schema) -> None:
    with pa.parquet.ParquetWriter(file, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)


def _write_csv(file: IO[bytes], batches: Batches, schema: pa.Schema) -> None:
    file.write(",".join(schema.names).encode() + b"\n")
    plain = pa.csv.WriteOptions(include_header=False, quoting_style="needed")
    for batch in batches:
        pa.csv.write_csv(with_iso_times(batch), file, plain)


def _write_json(file: IO[bytes], batches: Batches, schema: pa.Schema) -> None:
    for batch in batches:
        # A raw line is one already, broken ones included.
        lines = batch["value"] if schema.names == ["value"] else json_lines(batch)
        file.write("".join(f"{line}\n" for line in lines.to_pylist()).encode())


WRITERS: dict[str, Callable[[IO[bytes], Batches, pa.Schema], None]] = {
    "parquet": _write_parquet,
    "json": _write_json,
    "csv": _write_csv,
}


def write_file(path: Path, batches: Batches, schema: pa.Schema) -> None:
    """Write a file under a hidden name, which Spark passes over, and show it when it is whole."""
    draft = path.with_name(f".{path.name}.part")
    try:
        with draft.open("wb") as file:
            WRITERS[path.suffix[1:]](file, batches, schema)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


def make_room(folder: Path, name: str, overwrite: bool) -> None:
    """Make an empty folder, or empty it of such files if that was asked for."""
    folder.mkdir(parents=True, exist_ok=True)
    ours = [path for path in folder.iterdir() if _is_ours(path, name)]
    others = [path for path in folder.iterdir() if path not in ours]
    if others or (ours and not overwrite):
        found = sorted(path.name for path in others or ours)[0]
        remedy = "" if others else ", or add --overwrite to replace it"
        raise OptionError(f"{folder} already holds {found}. Choose another folder{remedy}.")
    for path in ours:
        path.unlink()


def file_name(name: str, number: int, kind: str) -> str:
    """Name the file with a number."""
    return f"{name}-{number:06d}.{kind}"


def _is_ours(path: Path, name: str) -> bool:
    shown = path.name.removeprefix(".").removesuffix(".part")
    stem, _, kind = shown.partition(".")
    return kind in WRITERS and stem.startswith(f"{name}-") and stem[len(name) + 1 :].isdecimal()
