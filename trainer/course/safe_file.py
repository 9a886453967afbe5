"""Writes files that survive a power cut: each is there whole, as it was or as it should be."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

DRAFTS = ".*.draft"


def write(file: Path, text: str | bytes, mode: int | None = None) -> None:
    """Put a file in place whole, and let it last; what is as it should be is left alone.

    It keeps the rights it had, or gets those that `mode` says, from its first byte on.
    """
    data = text.encode() if isinstance(text, str) else text
    # Where a link leads is what is written; the link stays.
    file = Path(os.path.realpath(file))
    if _is_there(file, data, mode):
        return
    make_folder(file.parent)
    # A name of its own: another writer of this file, or of its neighbour, has another.
    draft = file.with_name(DRAFTS.replace("*", secrets.token_hex(8)))
    try:
        _write_draft(draft, data, _rights(file) if mode is None else mode)
        draft.replace(file)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    _sync_folder(file.parent)


def copy(source: Path, target: Path) -> None:
    """Copy a file with its rights, as `write` writes it; `shutil.copytree` can be given this."""
    write(Path(target), Path(source).read_bytes(), _rights(Path(source)))


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder, and those above it, so that they last."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode, exist_ok=True)
        _sync_folder(folder.parent)


@contextlib.contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Let one program at a time do what is done here; the others wait."""
    # Not on Windows, where this module must load all the same: to say what works there.
    import fcntl

    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _is_there(file: Path, data: bytes, mode: int | None) -> bool:
    try:
        return file.read_bytes() == data and mode in (None, _rights(file))
    except OSError:
        return False


def _rights(file: Path) -> int | None:
    return file.stat().st_mode & 0o777 if file.exists() else None


def _write_draft(draft: Path, data: bytes, mode: int | None) -> None:
    # At first for its owner alone: its text may be a secret.
    first = 0o666 if mode is None else mode & 0o600
    number = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, first)
    with os.fdopen(number, "wb") as file:
        file.write(data)
        if mode is not None:
            os.fchmod(number, mode)
        file.flush()
        os.fsync(number)


def _sync_folder(folder: Path) -> None:
    """Let a folder's entries last, where the file system knows how."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
