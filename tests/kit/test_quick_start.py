"""The archive that makes Spark start quickly."""

import os
from pathlib import Path

import pytest

from trainer.spark import quick_start


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """A cache folder of the test's own, with no archive asked for or refused."""
    monkeypatch.setenv("TRAINER_CACHE", str(tmp_path))
    monkeypatch.delenv("TRAINER_ARCHIVE", raising=False)
    return tmp_path


def test_without_an_archive_java_gets_no_option(cache):
    """What isn't there isn't asked for."""
    assert quick_start.options() == []


def test_an_archive_that_fits_is_used(cache):
    """The option names the file, and Java is told to say nothing if it can't use it."""
    quick_start.path().touch()
    assert quick_start.options() == [
        *quick_start.SILENT,
        f"-XX:SharedArchiveFile={quick_start.path()}",
    ]


def test_an_archive_can_be_declined(cache, monkeypatch):
    """TRAINER_ARCHIVE=off does without."""
    quick_start.path().touch()
    monkeypatch.setenv("TRAINER_ARCHIVE", "off")
    assert quick_start.options() == []


def test_each_java_and_spark_has_its_own(cache, monkeypatch):
    """The name holds the version of Spark and of Java; another Spark has another archive."""
    before = quick_start.path()
    monkeypatch.setattr(quick_start, "version", lambda package: "9.9.9")
    assert quick_start.path() != before
    assert "spark-9.9.9-java-" in quick_start.path().name


def test_another_copy_of_pyspark_in_front_changes_nothing(cache, monkeypatch, tmp_path):
    """A task of Spark's finds one in a zip, and what it starts has the archive of this place."""
    before = quick_start.path()
    (tmp_path / "pyspark").mkdir()
    (tmp_path / "pyspark" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert quick_start.path() == before


def test_only_the_newest_are_kept(cache, monkeypatch):
    """Old clones and versions don't fill the disk: with a new one three stay, each whole."""
    for age in range(5):
        for file in (cache / f"spark-{age}.jsa", cache / f"spark-{age}.base"):
            file.touch()
            os.utime(file, (1e9 - age, 1e9 - age))
    quick_start.base().touch()  # Java need not make one.

    def rehearse(TRAINER_ARCHIVE: str) -> None:
        Path(TRAINER_ARCHIVE.removeprefix("make:")).touch()

    monkeypatch.setattr(quick_start, "rehearse", rehearse)
    quick_start.make()
    kept = [path for n in range(2) for path in (f"spark-{n}.base", f"spark-{n}.jsa")]
    kept += [quick_start.path().name, quick_start.base().name]
    assert sorted(file.name for file in cache.iterdir()) == sorted(kept)
