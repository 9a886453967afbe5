"""The command line: `python -m datagen rides --rides 1000000 --out DIR`."""

import signal
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from datagen.files import WRITERS, file_name, make_room, write_file
from datagen.lines import LineStream
from datagen.live import due_ranges
from datagen.options import OptionError, make_options
from datagen.positions import in_batches
from datagen.reading import Reading
from datagen.source_options import SourceOptions
from datagen.stream import FareStream, RideStream

Stream = StrEnum("Stream", ["rides", "fares", "lines"])
Format = StrEnum("Format", list(WRITERS))
KINDS = {Stream.rides: RideStream, Stream.fares: FareStream, Stream.lines: LineStream}

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console(stderr=True, soft_wrap=True, highlight=False)


def flaw(help: str) -> typer.models.OptionInfo:
    """An option that lays a flaw over the stream."""
    return typer.Option(help=help, rich_help_panel="Flaws, all off by default")


def live(help: str, *names: str, **rest: object) -> typer.models.OptionInfo:
    """An option of a live run."""
    return typer.Option(*names, help=help, rich_help_panel="Live", **rest)


@app.command(no_args_is_help=True)
def write(
    stream: Annotated[Stream, typer.Argument(help="Which stream to write.", show_default=False)],
    out: Annotated[Path, typer.Option(help="The folder to write to.", show_default=False)],
    rides: Annotated[int | None, typer.Option(help="How many rides; live may do without.")] = None,
    format: Annotated[Format, typer.Option(help="How to write the rows.")] = Format["parquet"],
    rows_per_file: Annotated[int, typer.Option(min=1, help="Rows in a file, at most.")] = 1_000_000,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what is there.")] = False,
    profile: Annotated[str, typer.Option(help="city, or classic: Flink's own.")] = "city",
    seed: Annotated[int, typer.Option(help="Another seed is another city.")] = 0,
    truth: Annotated[bool, typer.Option("--truth", help="Add columns that tell flaws.")] = False,
    disorder: Annotated[float, flaw("Seconds that events come out of order, at most.")] = 0,
    late: Annotated[float, flaw("Share of events later than that.")] = 0,
    late_by: Annotated[float, flaw("Seconds that those are late, at most.")] = 1800,
    duplicates: Annotated[float, flaw("Share of events that come twice.")] = 0,
    missing_ends: Annotated[float, flaw("Share of rides without END.")] = 0,
    missing_fares: Annotated[float, flaw("Share of rides without fare.")] = 0,
    malformed: Annotated[float, flaw("Share of broken lines.")] = 0,
    hot_key: Annotated[float, flaw("Share of rides by one driver.")] = 0,
    is_live: Annotated[bool, live("Drop files at a pace.", "--live")] = False,
    every: Annotated[float, live("Seconds from one file to the next.", min=0.05)] = 1,
    rows_per_second: Annotated[float, live("The pace in rows.", min=0)] = 0,
    speedup: Annotated[float, live("The pace as event time against the clock.", min=0)] = 0,
) -> None:
    """Write a taxi stream to files: START and END of rides, fares, or raw lines of JSON.

    A file appears when it is whole, so a file source may watch the folder.
    """
    options = make_options(
        profile=profile,
        seed=seed,
        rides=rides,
        truth=truth,
        disorder=disorder,
        late=late,
        late_by=late_by,
        duplicates=duplicates,
        missing_ends=missing_ends,
        missing_fares=missing_fares,
        malformed=malformed,
        hot_key=hot_key,
    )
    own = SourceOptions(rows_per_second=rows_per_second, speedup=speedup)
    reading = Reading(KINDS[stream], options, own)
    _check(stream, format, rides, truth, is_live, own)
    make_room(out, stream, overwrite)
    ranges = due_ranges(reading, every) if is_live else [(0, reading.end())]
    pieces = (piece for range in ranges for piece in in_batches(*range, rows_per_file))
    _write_files(reading, pieces, out, stream, format)


def _check(
    stream: str, format: str, rides: int | None, truth: bool, is_live: bool, own: SourceOptions
) -> None:
    """Refuse what would never end, or what can't be written."""
    paced = own.rows_per_second or own.speedup
    if rides is None and not is_live:
        raise OptionError("The stream never ends. Say how many rides with --rides, or add --live.")
    if is_live and not paced:
        raise OptionError("--live needs a pace. Add --rows-per-second 100, or --speedup 60.")
    if paced and not is_live:
        raise OptionError("A pace is for live files. Add --live, or leave out the pace.")
    if stream == "lines" and format == "json" and truth:
        raise OptionError("A raw line has no room for the truth. Choose --format parquet or csv.")


def _write_files(
    reading: Reading, pieces: Iterator[tuple[int, int]], out: Path, name: str, format: str
) -> None:
    """Write a file for each piece, and say how far it came."""
    files, rows = 0, 0
    with _progress() as progress:
        bar = progress.add_task(f"{name} to {out}", total=reading.end())
        try:
            for start, stop in pieces:
                batches = _counted(reading.rows(start, stop), progress, bar)
                path = out / file_name(name, files, format)
                write_file(path, batches, reading.schema())
                files, rows = files + 1, rows + stop - start
        except KeyboardInterrupt:
            progress.stop()
            console.print(f"Stopped. {out} holds {rows:,} rows in {files:,} whole files.")
            raise typer.Exit(130) from None
    console.print(f"Wrote {rows:,} rows in {files:,} {'file' if files == 1 else 'files'} to {out}.")


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def _counted(batches: Iterator, progress: Progress, bar: int) -> Iterator:
    for batch in batches:
        yield batch
        progress.advance(bar, len(batch))


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Run the command; a mistake costs one line and exit code 2, being stopped leaves no draft."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        app(prog_name="python -m datagen")
    except (OptionError, OSError) as error:
        console.print(str(error), style="red")
        raise SystemExit(2) from None
