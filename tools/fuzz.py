"""Fuzzes what reads strangers' bytes: collecting, and what a runner says to its judge.

uv run --with atheris==3.0.0 python -m tools.fuzz collecting|protocol --seconds 3600

Atheris looks for bytes that lead somewhere new, by coverage. It ends with the first traceback, the
first input that takes more than 20 seconds, and the first that takes more than 1 GB; the input is
left in the folder for temporary files. At its end it prints how many inputs it tried.
"""

import argparse
import contextlib
import gzip
import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["trainer.grading", "zipfile", "tarfile", "gzip"]):
    import tarfile
    import zipfile

    from trainer.course.exercise import exercises
    from trainer.course.problem import Problem
    from trainer.grading.intake import collect as collecting
    from trainer.grading.intake.names import children
    from trainer.grading.intake.reading import LONGEST_NOTE, MOST_NOTES
    from trainer.grading.judging import protocol
    from trainer.grading.judging.claims import outcome
    from trainer.grading.judging.protocol import Broken
    from trainer.running.scenario import Scenario

SLOWEST, MOST_MEMORY = 20, 1024
SUFFIXES = (".zip", ".tar", ".tgz", ".ipynb", ".py", ".py.txt")
COLUMNS = "ride_id bigint, tip double, zone string, paid boolean, event_time timestamp"
ANSWER = b"def cleanse(rides):\n    return rides\n"


def collect(data: bytes) -> None:
    """Collect a file or a folder made of fuzzed bytes, and look at what is told of it."""
    given = atheris.FuzzedDataProvider(data)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        folder = Path(scratch)
        if given.ConsumeBool():
            _built(given, folder)
        else:
            suffix = SUFFIXES[given.ConsumeIntInRange(0, len(SUFFIXES) - 1)]
            (folder / f"ann{suffix}").write_bytes(given.ConsumeBytes(len(data)))
        with contextlib.suppress(Problem):
            for child in children(folder).values():
                came = collecting.collect(child.student, child.paths, exercises(), child.notes)
                _require_bounds(came)


def _built(given: atheris.FuzzedDataProvider, folder: Path) -> None:
    """Pack fuzzed names and contents as an honest program would."""
    members = [(_name(given), _content(given)) for _ in range(given.ConsumeIntInRange(0, 6))]
    kind = given.ConsumeIntInRange(0, 3)
    if kind == 0:
        for name, content in members:
            with contextlib.suppress(OSError, ValueError):
                (folder / name.replace("/", "_")).write_bytes(content)
    elif kind == 1:
        with zipfile.ZipFile(folder / "ann.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members:
                info = zipfile.ZipInfo(name or "x")
                info.filename = name
                with contextlib.suppress(UnicodeError):
                    archive.writestr(info, content)
    else:
        packed = io.BytesIO()
        with tarfile.open(
            fileobj=packed, mode="w", format=given.ConsumeIntInRange(0, 2)
        ) as archive:
            for name, content in members:
                info = tarfile.TarInfo(name)
                info.size, info.type = len(content), bytes([given.ConsumeIntInRange(48, 120)])
                info.linkname = name
                with contextlib.suppress(ValueError, UnicodeError):
                    archive.addfile(info, io.BytesIO(content))
        whole = packed.getvalue()
        (folder / "ann.tgz").write_bytes(gzip.compress(whole, 1) if kind == 2 else whole)


def _name(given: atheris.FuzzedDataProvider) -> str:
    stem = ("ch01a_ride_cleansing", "exercises/hourly_tips", "", "a")[given.ConsumeIntInRange(0, 3)]
    return (
        stem
        + given.ConsumeUnicode(12)
        + (".py", ".ipynb", ".zip", "")[given.ConsumeIntInRange(0, 3)]
    )


def _content(given: atheris.FuzzedDataProvider) -> bytes:
    text = given.ConsumeBytes(given.ConsumeIntInRange(0, 200))
    if given.ConsumeBool():
        cell = {"cell_type": "code", "source": text.decode(errors="replace")}
        return json.dumps({"cells": [cell] * 2}).encode()
    return ANSWER + text if given.ConsumeBool() else text


def _require_bounds(came: collecting.Submission) -> None:
    assert sum(map(len, came.texts.values())) <= collecting.MOST_BYTES
    assert len(came.texts) <= len(came.files) * (1 + collecting.MOST_MODULES)
    assert all(len(place) <= 400 for place in came.texts)
    assert len(came.notes) <= MOST_NOTES + 1
    assert all(len(note) <= LONGEST_NOTE and note.isprintable() for note in came.notes)
    assert all(len(place) <= LONGEST_NOTE for place in came.unmatched)


def hear(data: bytes) -> None:
    """Hear a message of fuzzed bytes, as the judge does: it is an outcome, or Broken."""
    rest = io.BytesIO(_message(data))

    def read(size: int) -> bytes:
        part = rest.read(size)
        if len(part) < size:
            raise Broken("it hung up")
        return part

    with contextlib.suppress(Broken):
        schema = protocol.schema_of(COLUMNS)
        header, tables = protocol.receive(read, lambda header: [schema])
        result = outcome(header, tables, COLUMNS, Scenario({}, {}))
        assert len(result.rows) <= protocol.MOST_ROWS


def _message(data: bytes) -> bytes:
    """Take the bytes as they are, or put them where an honest message has its values."""
    given = atheris.FuzzedDataProvider(data)
    if given.ConsumeBool():
        return given.ConsumeBytes(len(data))
    rows = given.ConsumeIntInRange(0, 12)
    nulls, texts = (rows + 7) // 8, given.ConsumeIntInRange(0, 40)
    sizes = []
    for values in ([8 * rows], [8 * rows], [4 * (rows + 1), texts], [nulls], [8 * rows]):
        sizes += [nulls * given.ConsumeBool(), *values]
    if given.ConsumeProbability() < 0.1:
        sizes[given.ConsumeIntInRange(0, len(sizes) - 1)] = given.ConsumeInt(4)
    lengths = [given.ConsumeIntInRange(0, rows) for _ in range(given.ConsumeIntInRange(0, 3))]
    about = {
        "lengths": [*lengths, max(0, rows - sum(lengths))],
        "state_rows": [0] * (len(lengths) + 1),
        "dropped_late": [given.ConsumeInt(4)] * (len(lengths) + 1),
        "watermarks": [given.ConsumeUnicode(30) if given.ConsumeBool() else None]
        * (len(lengths) + 1),
    }
    header = {"outputs": {"": about}, "tables": [{"rows": rows, "sizes": sizes}]}
    text = json.dumps(header).encode()
    due = sum(size for size in sizes if size > 0)
    body = given.ConsumeBytes(min(due, 4096))
    return len(text).to_bytes(4, "big") + text + body + bytes(max(0, min(due, 2**20) - len(body)))


TARGETS: dict[str, Callable[[bytes], None]] = {"collecting": collect, "protocol": hear}


def seeds(folder: Path) -> None:
    """Begin with what honest programs make."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("exercises/ch01a_ride_cleansing.py", ANSWER)
    (folder / "zip").write_bytes(packed.getvalue() + bytes([0, 0]))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        info = tarfile.TarInfo("ch01a_ride_cleansing.py")
        info.size = len(ANSWER)
        archive.addfile(info, io.BytesIO(ANSWER))
    (folder / "tar").write_bytes(packed.getvalue() + bytes([1, 0]))
    (folder / "tgz").write_bytes(gzip.compress(packed.getvalue()) + bytes([2, 0]))
    cell = {"cell_type": "code", "source": "%%exercise ch01a_ride_cleansing\n" + ANSWER.decode()}
    (folder / "ipynb").write_bytes(json.dumps({"cells": [cell]}).encode() + bytes([3, 0]))
    (folder / "py").write_bytes(ANSWER + bytes([4, 0]))
    table = protocol.schema_of(COLUMNS).empty_table()
    (folder / "message").write_bytes(protocol.message({"outputs": {}}, [table]) + bytes([1]))


def main() -> None:
    """Fuzz one of the two for so many seconds."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("target", choices=TARGETS)
    given.add_argument("--seconds", type=int, default=3600)
    chosen = given.parse_args()
    with tempfile.TemporaryDirectory() as corpus:
        seeds(Path(corpus))
        limits = (f"-max_total_time={chosen.seconds}", f"-timeout={SLOWEST}")
        more = (f"-rss_limit_mb={MOST_MEMORY}", "-max_len=8192", "-print_final_stats=1")
        left = f"-artifact_prefix={tempfile.gettempdir()}/"
        atheris.Setup([sys.argv[0], *limits, *more, left, corpus], TARGETS[chosen.target])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
