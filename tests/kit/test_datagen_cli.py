"""The command line writes whole files of the streams, and nothing else."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.csv
import pyarrow.parquet
import pytest
from typer.testing import CliRunner

import datagen
from datagen import cli, source_options
from datagen.live import due_ranges
from datagen.options import OptionError
from datagen.reading import Reading
from datagen.stream import RideStream


def run(*args: object) -> str:
    """Run a command in this process and give what it printed."""
    result = CliRunner().invoke(cli.app, [str(arg) for arg in args])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 130), result.output
    return result.output


def names(folder: Path) -> list[str]:
    """The names of the files in a folder, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def test_files_hold_the_rows_of_the_stream_in_order(tmp_path):
    """Files of at most rows-per-file rows, one after the other, are the stream."""
    run("rides", "--rides", 1000, "--out", tmp_path, "--rows-per-file", 800, "--seed", 4)
    files = [tmp_path / f"rides-{number:06d}.parquet" for number in range(3)]
    tables = [pyarrow.parquet.read_table(path) for path in files]
    assert [path.name for path in files] == names(tmp_path)
    assert [table.num_rows for table in tables] == [800, 800, 400]
    expected = datagen.ride_events(0, 2000, rides=1000, seed=4)
    assert pyarrow.concat_tables(tables).combine_chunks() == expected.combine_chunks()


@pytest.mark.parametrize("stream", ["rides", "fares"])
@pytest.mark.parametrize("kind", ["parquet", "json", "csv"])
def test_spark_reads_every_format_as_the_stream(spark, tmp_path, stream, kind):
    """With the columns of the source as its schema, Spark reads the same rows from files."""
    run(stream, "--rides", 300, "--out", tmp_path, "--format", kind, "--duplicates", 0.1)
    options = {"rides": 300, "duplicates": 0.1}
    expected = spark.read.format(f"taxi_{stream}").options(**options).load()
    found = spark.read.schema(expected.schema).option("header", True).format(kind)
    assert found.load(str(tmp_path)).toArrow() == expected.toArrow()


def test_raw_lines_are_written_as_they_are(tmp_path):
    """A broken line stays broken, and each line of the file is one of the stream."""
    run("lines", "--rides", 50, "--out", tmp_path, "--format", "json", "--malformed", 0.3)
    lines = (tmp_path / "lines-000000.json").read_text().split("\n")[:-1]
    expected = datagen.ride_lines(0, 100, rides=50, malformed=0.3)["value"].to_pylist()
    assert lines == expected


def test_a_json_row_has_the_columns_of_the_stream(tmp_path):
    """Numbers are numbers, text is text, times are ISO 8601 in UTC."""
    run("fares", "--rides", 1, "--out", tmp_path, "--format", "json", "--profile", "classic")
    row = json.loads((tmp_path / "fares-000000.json").read_text())
    assert row == {
        "ride_id": 1,
        "taxi_id": 2013000185,
        "driver_id": 2013000185,
        "start_time": "2020-01-01T12:00:20Z",
        "payment_type": "CASH",
        "tip": 33,
        "tolls": 0,
        "total_fare": 118,
    }


def test_truth_adds_its_columns(tmp_path):
    """With --truth a file tells which rows are flawed."""
    out = ("--out", tmp_path, "--format", "csv", "--truth")
    run("rides", "--rides", 100, *out, "--duplicates", 0.2)
    table = pyarrow.csv.read_csv(tmp_path / "rides-000000.csv")
    assert sum(table["is_duplicate"].to_pylist()) == table.num_rows - 200 > 0


def test_what_is_there_is_not_overwritten_unless_told_to(tmp_path):
    """A second run names what it found and changes nothing; --overwrite replaces it all."""
    first = ("rides", "--rides", 100, "--out", tmp_path)
    run(*first, "--rows-per-file", 50)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(OptionError, match=r"holds rides-000000\.parquet.*--overwrite"):
        run(*first, "--seed", 2)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    run(*first, "--seed", 2, "--format", "csv", "--overwrite")
    assert names(tmp_path) == ["rides-000000.csv"]


def test_files_of_somebody_else_are_never_deleted(tmp_path):
    """Even --overwrite keeps away from a folder that holds something else."""
    (tmp_path / "thesis.csv").write_text("years of work")
    with pytest.raises(OptionError, match=r"already holds thesis\.csv\. Choose another folder\."):
        run("rides", "--rides", 1, "--out", tmp_path, "--overwrite")
    assert names(tmp_path) == ["thesis.csv"]


def test_an_interrupted_file_does_not_appear(tmp_path, monkeypatch):
    """Ctrl-C in the second file leaves the first whole and no draft."""
    whole = RideStream.batches

    def interrupted(self, start, stop, *rest):
        yield from whole(self, start, min(stop, 150), *rest)
        if stop > 150:
            raise KeyboardInterrupt

    monkeypatch.setattr(RideStream, "batches", interrupted)
    told = run("rides", "--rides", 200, "--out", tmp_path, "--rows-per-file", 100)
    assert "Stopped." in told and "100 rows in 1 whole file" in told
    assert names(tmp_path) == ["rides-000000.parquet"]


@pytest.mark.parametrize(
    "args, message",
    [
        (["--rides", 5, "--late", 3], "late is 3.0. It has to be"),
        (["--rides", 5, "--profile", "rome"], "profile is 'rome'. It has to be city or classic"),
        ([], "never ends. Say how many rides with --rides, or add --live"),
        (["--live"], "--live needs a pace"),
        (["--rides", 5, "--speedup", 60], "A pace is for live files"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_leaves_no_folder(tmp_path, args, message):
    """The line names what to do; nothing is written."""
    with pytest.raises(OptionError) as error:
        run("rides", "--out", tmp_path / "new", *args)
    assert message in str(error.value)
    assert not (tmp_path / "new").exists()


def datagen_process(*args: object) -> subprocess.Popen:
    """Start the command in a process of its own."""
    command = [sys.executable, "-m", "datagen", *map(str, args)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parent)


def test_the_command_tells_a_mistake_without_a_traceback(tmp_path):
    """On the terminal the line stands alone, and the exit code is 2."""
    process = datagen_process("rides", "--rides", 1, "--out", tmp_path, "--hot-key", 7)
    _, told = process.communicate(timeout=60)
    assert told == "Option hot_key is 7.0. It has to be a number from 0 to 1.\n"
    assert process.returncode == 2


def test_live_files_keep_coming_until_the_command_is_stopped(tmp_path):
    """An endless live stream drops file after file; a SIGTERM leaves only whole ones."""
    pace = ("--rows-per-second", 2000, "--every", 0.05)
    process = datagen_process("rides", "--out", tmp_path, "--live", *pace)
    deadline = time.monotonic() + 60
    while not (tmp_path / "rides-000002.parquet").exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGTERM)
    _, told = process.communicate(timeout=60)
    tables = [pyarrow.parquet.read_table(tmp_path / name) for name in names(tmp_path)]
    rows = pyarrow.concat_tables(tables).combine_chunks()
    assert process.returncode == 130
    assert f"holds {len(rows):,} rows in {len(tables)} whole files" in told
    assert rows == datagen.ride_events(0, len(rows)).combine_chunks()


def test_a_live_file_holds_what_became_due():
    """At 10 rows a second and a file every 2 seconds there are 20 rows a file, and the rest."""
    now = [0.0]
    reading = Reading(RideStream, *source_options.parse({"rides": "25", "rows_per_second": "10"}))
    ranges = due_ranges(reading, 2, lambda: now[0], lambda s: now.__setitem__(0, now[0] + s))
    assert list(ranges) == [(0, 20), (20, 40), (40, 50)]
