"""Sets up the course from the bundle that this file lies in; nothing but Python is needed for it.

It is run by `./install`, by whatever Python is there, and so is written to start on an old one.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Says which bundle a folder was set up from.
MARK = ".bundle.json"
# The archive of classes that halves Spark's start, and what an installation itself needs.
SPARE = 500_000_000
DOCTOR = "The doctor looks at it; before its line on Spark it is silent, for a minute or more:"
UV = """\
#!/bin/sh
# All that the course needs is here: `uv run` runs it, and asks no network for anything newer.
UV_NO_SYNC=1 exec "$(dirname "$0")/uv-itself" "$@"
"""


class Stop(Exception):
    """What keeps this machine from being set up, in one line."""


def main() -> None:
    """Set up the course, or say in one line why that can't be."""
    try:
        manifest = read_manifest()
        chosen = fitting(manifest)
        if sys.argv[1:] != ["--fits"]:
            install(manifest, chosen, *addressed(sys.argv[1:]))
    except Stop as stop:
        print(f"install: {stop}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"install: {error}. Mend that, and run it again.", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("install: stopped. Run it again: it goes on from where it was.", file=sys.stderr)
        sys.exit(130)


def read_manifest() -> dict:
    """Read what is in the bundle."""
    try:
        return json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Stop(
            f"manifest.json is missing or damaged ({error}): copy the bundle again."
        ) from None


def addressed(arguments: list[str]) -> tuple[str | None, Path]:
    """Tell the address of a bundle that is served, if there is one, and the folder to set up."""
    address = None
    if arguments and arguments[0].startswith(("http://", "https://")):
        address = arguments[0].rstrip("/")
        arguments = arguments[1:]
    if len(arguments) > 1 or any(each.startswith("-") for each in arguments):
        raise Stop(f"expected at most a folder, found {' '.join(arguments)}: ./install [FOLDER]")
    return address, Path(arguments[0] if arguments else "~/taxi-streams").expanduser().absolute()


def fitting(manifest: dict) -> str:
    """Name the set of files for this machine and this Python."""
    system = {"Darwin": "macos"}.get(platform.system(), platform.system().lower())
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64"}.get(machine, machine)
    if (system, machine) == ("linux", "arm64"):
        machine = "aarch64"
    name = f"{system}-{machine}"
    if name not in manifest["needs"]:
        held = ", ".join(manifest["needs"])
        raise Stop(
            f"this machine is {name}; the bundle is for {held}: ask for one with --platform {name}."
        )
    _require_a_system(manifest["needs"][name])
    _require_a_python(manifest["pythons"])
    return f"{name} {sys.version_info[0]}.{sys.version_info[1]}"


def _require_a_system(needs: str) -> None:
    if platform.system() == "Linux":
        name, version = platform.libc_ver()
        fits = name == "glibc" and _numbers(version) >= (2, 28)
        found = f"{name or 'another C library than glibc'} {version}".strip()
    else:
        found = f"macOS {platform.mac_ver()[0]}"
        fits = _numbers(platform.mac_ver()[0]) >= (12,)
    if not fits:
        raise Stop(f"this system has {found}; the packages need {needs}.")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _require_a_python(held: list[str]) -> None:
    found = f"{sys.version_info[0]}.{sys.version_info[1]}"
    usual = platform.python_implementation() == "CPython"
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        found, usual = f"{found} without its global lock", False
    if found not in held or not usual:
        raise Stop(
            f"Python {found} found ({sys.executable}), expected {' or '.join(held)}, and the "
            "bundle holds none: install one, and run this again."
        )


def install(manifest: dict, chosen: str, address: str | None, target: Path) -> None:
    """Set up the course in a folder, and let its doctor look at it."""
    began = time.monotonic()
    files = [*manifest["always"], *manifest["sets"][chosen]]
    _require_a_place(target, _sum(HERE / "manifest.json"))
    _require_space(manifest["files"], files, target, bool(address))
    source = _fetch(address, manifest["files"], files, target) if address else HERE
    _require_whole(manifest["files"], files, source)
    _claim(target)
    _unpack_kit(source, target)
    _copy_jars(manifest, source, target)
    _install_packages(manifest, chosen, source, target)
    if address:
        shutil.rmtree(source)
    print(f"Set up in {target} in {time.monotonic() - began:.0f} s.")
    print(DOCTOR, flush=True)
    _examine(target)
    print(f"In each new terminal: cd {target} && . .venv/bin/activate")


def _require_a_place(target: Path, bundle: str) -> None:
    """Let nothing be written over that isn't of this bundle."""
    if not target.exists() or not any(target.iterdir() if target.is_dir() else [target]):
        return
    try:
        before = json.loads((target / MARK).read_text(encoding="utf-8"))["bundle"]
    except (OSError, ValueError, KeyError):
        raise Stop(f"{target} holds something else: name a new folder, ./install FOLDER.") from None
    if before != bundle:
        raise Stop(
            f"{target} was set up from another bundle: name a new folder, ./install FOLDER, and "
            "copy exercises/, mine/ and progress.json there."
        )


def _require_space(known: dict, files: list[str], target: Path, fetched: bool) -> None:
    if (target / ".venv" / "bin" / "uv-itself").exists():
        return
    need = sum(known[name]["unpacked"] for name in files) + SPARE
    need += sum(known[name]["size"] for name in files) * fetched
    at = next(folder for folder in [target, *target.parents] if folder.exists())
    free = shutil.disk_usage(at).free
    if free < need:
        raise Stop(
            f"{free / 1e9:.1f} GB free at {at}, expected {need / 1e9:.1f} GB: make room, or name "
            "a folder on another disk, ./install FOLDER."
        )


def _fetch(address: str, known: dict, files: list[str], target: Path) -> Path:
    """Bring the files for this machine over from the instructor's; what is here already stays."""
    folder = target / ".bundle"
    _claim(target)
    whole = sum(known[name]["size"] for name in files)
    here = 0
    for name in files:
        place = folder / name
        if not (place.exists() and _sum(place) == known[name]["sha256"]):
            place.parent.mkdir(parents=True, exist_ok=True)
            _fetch_one(f"{address}/{name}", place, known[name]["size"])
        here += known[name]["size"]
        _show(f"{here / 1e6:.0f} of {whole / 1e6:.0f} MB from {address}")
    _show(None)
    return folder


def _fetch_one(address: str, place: Path, size: int) -> None:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer, place.open("wb") as file:
            shutil.copyfileobj(answer, file, 1 << 20)
    except (OSError, urllib.error.URLError) as error:
        raise Stop(f"{address} can't be had ({error}): run this again, it goes on there.") from None


def _require_whole(known: dict, files: list[str], source: Path) -> None:
    """Compare each file with the sum that it had when the bundle was made."""
    for number, name in enumerate(files, 1):
        _show(f"checking file {number} of {len(files)}")
        try:
            found = _sum(source / name)
        except OSError:
            _show(None)
            raise Stop(f"{name} is missing from the bundle: copy it again.") from None
        if found != known[name]["sha256"]:
            _show(None)
            raise Stop(
                f"{name} is damaged: its SHA-256 sum is {found[:12]}…, expected "
                f"{known[name]['sha256'][:12]}…: copy the bundle again."
            )
    _show(None)


def _sum(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while part := opened.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()


def _show(line: str | None) -> None:
    """Say how far it is, in one line that is written over; nothing where nobody watches."""
    if sys.stdout.isatty():
        print(f"\r\033[K{line or ''}", end="", flush=True)


def _claim(target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    (target / MARK).write_text(json.dumps({"bundle": _sum(HERE / "manifest.json")}) + "\n")


def _unpack_kit(source: Path, target: Path) -> None:
    """Write the files of the kit that aren't there; what a learner has stays as it is."""
    with tarfile.open(source / "kit.tar.gz") as kit:
        missing = [each for each in kit if not (target / each.name).exists()]
        # Debian 12's Python 3.11.2 is older than the filter; the archive's sum has been checked.
        filtered = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        kit.extractall(target, members=missing, **filtered)


def _copy_jars(manifest: dict, source: Path, target: Path) -> None:
    for name in manifest["always"]:
        if name.startswith("jars/"):
            (target / "jars").mkdir(exist_ok=True)
            shutil.copy(source / name, target / name)


def _install_packages(manifest: dict, chosen: str, source: Path, target: Path) -> None:
    """Install all packages, and the kit, where it lies, by the uv of the bundle."""
    scratch = target / ".setting-up"
    scratch.mkdir(exist_ok=True)
    uv = _take_uv(manifest["sets"][chosen], source, scratch)
    own = ("UV_", "PIP_", "VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME")
    clean = {key: text for key, text in os.environ.items() if not key.startswith(own)}
    # Its cache lies on the same disk, so that a file is linked from there, not copied.
    clean |= {"UV_CACHE_DIR": str(scratch / "cache"), "UV_NO_CONFIG": "1", "UV_OFFLINE": "1"}
    wanted = scratch / "requirements.txt"
    wanted.write_text("\n".join(manifest["requirements"][chosen.split()[0]]) + "\n")
    venv = target / ".venv"
    version = chosen.split()[1]
    kept = "--allow-existing" if (venv / "lib" / f"python{version}").exists() else "--clear"
    _run([uv, "venv", "-q", kept, "--no-python-downloads", "--python", sys.executable, venv], clean)
    wheels = ["--no-index", "--find-links", source / "wheels", "--python", venv / "bin" / "python"]
    print("Installing the packages …", flush=True)
    _run([uv, "pip", "install", "-q", "--no-deps", *wheels, "-r", wanted], clean)
    _run([uv, "pip", "install", "-q", "--no-deps", *wheels, "-e", target], clean)
    shutil.copy(uv, venv / "bin" / "uv-itself")
    (venv / "bin" / "uv").write_text(UV)
    (venv / "bin" / "uv").chmod(0o755)
    shutil.rmtree(scratch)


def _take_uv(files: list[str], source: Path, scratch: Path) -> Path:
    name = next(file for file in files if file.startswith("wheels/uv-"))
    with zipfile.ZipFile(source / name) as wheel:
        inside = next(each for each in wheel.namelist() if each.endswith("/scripts/uv"))
        (scratch / "uv").write_bytes(wheel.read(inside))
    (scratch / "uv").chmod(0o755)
    return scratch / "uv"


def _run(command: list[str | Path], environment: dict[str, str]) -> None:
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    if ran.returncode:
        said = " ".join(ran.stderr.split()) or "nothing"
        raise Stop(f"uv could not do `{Path(command[0]).name} {command[1]}`; it said: {said}")


def _examine(target: Path) -> None:
    ran = subprocess.run([target / ".venv" / "bin" / "trainer", "doctor"], cwd=target)
    if ran.returncode:
        raise Stop("all is in place, but the doctor found the above: mend that, and run it again.")


if __name__ == "__main__":
    main()
