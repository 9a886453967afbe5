"""PySpark is published as source alone: its wheel is made of the files that were installed."""

import base64
import hashlib
import os
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from trainer.course.problem import Problem

# What an installer leaves beside the files of the wheel.
INSTALLERS = {
    "INSTALLER",
    "REQUESTED",
    "RECORD",
    "direct_url.json",
    "uv_cache.json",
    "uv_build.json",
}


def make(version: str, folder: Path) -> Path:
    """Make the wheel, once; each file must be as it was when it was installed."""
    wheel = folder / f"pyspark-{version}-py3-none-any.whl"
    if wheel.exists():
        return wheel
    spark = metadata.distribution("pyspark")
    if spark.version != version:
        raise Problem(f"PySpark {spark.version} found, expected {version}: run `uv sync`.")
    draft = wheel.with_suffix(f".{os.getpid()}.draft")
    try:
        _write(spark, draft)
        draft.replace(wheel)
    finally:
        draft.unlink(missing_ok=True)
    return wheel


def _write(spark: metadata.Distribution, draft: Path) -> None:
    info = f"pyspark-{spark.version}.dist-info"
    record = []
    # Its jars are packed already: packing them again takes a minute and saves a hundredth.
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_STORED) as archive:
        for name, file in _files(spark):
            data = _checked(file)
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (file.locate().stat().st_mode & 0o777 | 0o100000) << 16
            archive.writestr(entry, data)
            record.append(f"{name},{_sum(data)},{len(data)}")
        record.append(f"{info}/RECORD,,")
        archive.writestr(f"{info}/RECORD", "\n".join(record) + "\n")


def _files(spark: metadata.Distribution) -> Iterator[tuple[str, metadata.PackagePath]]:
    """Give each file of the wheel by its name there."""
    for file in spark.files or []:
        if "__pycache__" in file.parts or file.name in INSTALLERS:
            continue
        if file.parts[0] == "..":
            yield f"pyspark-{spark.version}.data/scripts/{file.name}", file
        else:
            yield file.as_posix(), file


def _checked(file: metadata.PackagePath) -> bytes:
    data = file.locate().read_bytes()
    if file.hash and _sum(data) != f"{file.hash.mode}={file.hash.value}":
        raise Problem(
            f"{file} of PySpark was changed since it was installed: "
            "`uv sync --reinstall-package pyspark` puts it right."
        )
    return data


def _sum(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.decode().rstrip('=')}"
