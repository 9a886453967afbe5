"""Putting a bundle together: what is downloaded, what is made here, and the list of it all."""

import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trainer.bundle import download, kit, pins, spark_wheel
from trainer.bundle.platforms import Platform
from trainer.bundle.store import Store, sum_of
from trainer.course.clone import ROOT
from trainer.course.problem import Problem

MANIFEST = "manifest.json"
ARCHIVES = {".zip": "zip", ".tar": "tar", ".tar.gz": "gztar", ".tgz": "gztar"}
COPIED = ("install", "install.py", "README.md")
# Jars that services beside Spark want; a bundle takes along what lies there.
JARS = ROOT / "jars"


@dataclass(frozen=True)
class Made:
    """A bundle that was made: where it lies, and how large each part of it is."""

    out: Path
    size: int
    sets: dict[str, int]


def make(
    out: Path,
    platforms: Sequence[Platform],
    pythons: Sequence[str],
    store: Store,
    tell: Callable[[str], object],
) -> Made:
    """Make a bundle in a folder beside OUT, and call it OUT when it is whole."""
    _require_a_place(out)
    wanted = pins.pins()
    sets = _sets(wanted, platforms, pythons, store, tell)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".bundle-") as scratch:
        folder = Path(scratch, out.name.split(".")[0] or "bundle")
        manifest = _lay_out(folder, sets, wanted, platforms, pythons, tell)
        _put(folder, out, tell)
    files = manifest["files"]
    sizes = {
        name: sum(files[file]["size"] for file in {*manifest["always"], *listed})
        for name, listed in manifest["sets"].items()
    }
    whole = sum(each.stat().st_size for each in out.rglob("*")) if out.is_dir() else None
    return Made(out, out.stat().st_size if whole is None else whole, sizes)


def _require_a_place(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).exists():
        raise Problem(f"{out} holds other things than a bundle: name a new folder.")
    if out.is_file() and not _format(out):
        raise Problem(f"{out} is a file, and no archive by its name: name a new folder.")


def _format(out: Path) -> str | None:
    return next((ARCHIVES[end] for end in ARCHIVES if out.name.endswith(end)), None)


def _sets(
    wanted: Sequence[pins.Pin],
    platforms: Sequence[Platform],
    pythons: Sequence[str],
    store: Store,
    tell: Callable[[str], object],
) -> dict[str, list[Path]]:
    """Give the wheels for each platform and Python, by a name such as `linux-x86_64 3.12`."""
    version = next(str(pin.wanted.specifier)[2:] for pin in wanted if pin.wanted.name == pins.SPARK)
    tell("PySpark's wheel, made of what is installed here")
    spark = spark_wheel.make(version, store.folder)
    sets = {}
    for platform in platforms:
        for python in pythons:
            name = f"{platform.name} {python}"
            here = [
                pin
                for pin in wanted
                if pin.is_for(platform, python) and pin.wanted.name != pins.SPARK
            ]

            def told(file: str, name: str = name) -> None:
                tell(f"{name}: {file}")

            tell(f"{name} …")
            wheels = download.pinned(here, platform, python, store, told)
            sets[name] = [spark, *wheels, *download.tools(platform, store, told)]
    return sets


def _lay_out(
    folder: Path,
    sets: dict[str, list[Path]],
    wanted: Sequence[pins.Pin],
    platforms: Sequence[Platform],
    pythons: Sequence[str],
    tell: Callable[[str], object],
) -> dict:
    """Fill the folder, and write the list by which it is checked and set up."""
    tell("the kit, and the sums of all files")
    (folder / "wheels").mkdir(parents=True)
    (folder / "jars").mkdir()
    for name in COPIED:
        shutil.copy(Path(__file__).with_name(name), folder / name)
    (folder / "install").chmod(0o755)
    kit.write(folder / "kit.tar.gz")
    for wheel in {wheel for wheels in sets.values() for wheel in wheels}:
        _link(wheel, folder / "wheels" / wheel.name)
    for jar in sorted(JARS.glob("*.jar")):
        _link(jar, folder / "jars" / jar.name)
    jars = [f"jars/{jar.name}" for jar in sorted((folder / "jars").iterdir())]
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    manifest = {
        "pythons": [*pythons],
        "needs": {each.name: each.needs for each in platforms},
        "requirements": {each.name: _requirements(wanted, each, pythons) for each in platforms},
        "always": ["kit.tar.gz", *jars],
        "sets": {
            name: sorted({f"wheels/{wheel.name}" for wheel in wheels})
            for name, wheels in sets.items()
        },
        "files": {each.relative_to(folder).as_posix(): _described(each) for each in files},
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def _requirements(
    wanted: Sequence[pins.Pin], platform: Platform, pythons: Sequence[str]
) -> list[str]:
    chosen = (pin for pin in wanted if any(pin.is_for(platform, python) for python in pythons))
    return [str(pin.wanted) for pin in chosen]


def _link(file: Path, place: Path) -> None:
    try:
        os.link(file, place)
    except OSError:
        shutil.copy(file, place)


def _described(file: Path) -> dict[str, int | str]:
    """Give a file's sum, its size, and what it takes once it is unpacked."""
    size = file.stat().st_size
    unpacked = size
    if file.suffix == ".whl":
        with zipfile.ZipFile(file) as wheel:
            unpacked = sum(entry.file_size for entry in wheel.infolist())
    return {"sha256": sum_of(file), "size": size, "unpacked": unpacked}


def _put(folder: Path, out: Path, tell: Callable[[str], object]) -> None:
    """Let the bundle be called OUT, packed where OUT's name says so."""
    packed = _format(out)
    if packed is None:
        if out.exists():
            shutil.rmtree(out)
        folder.replace(out)
        return
    tell(f"packing {out.name}")
    draft = shutil.make_archive(
        str(folder.with_name("packed")), packed, root_dir=folder.parent, base_dir=folder.name
    )
    Path(draft).replace(out)
