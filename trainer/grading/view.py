"""What a runner that bubblewrap shuts in sees: no network, no secret, no answer."""

import sys
from pathlib import Path

from trainer import archive, java
from trainer.clone import ROOT
from trainer.grading.limits import Limits

# What a program needs of /etc, and nothing that is anyone's secret.
ETC = ("alternatives", "hosts", "ld.so.cache", "localtime", "nsswitch.conf")
# The one account there is in a sandbox: Spark asks who it is.
PASSWD = Path(__file__).parent / "passwd"


def bubblewrap(submission: Path, limits: Limits) -> list[str]:
    """Give the command that shuts in what follows it; it finds the answers in /submission."""
    command = ["bwrap", "--die-with-parent", "--new-session", "--unshare-all"]
    command += ["--uid", "1000", "--gid", "1000", "--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp", "/run"):
        command += ["--size", str(limits.disk // 2), "--tmpfs", place]
    command += ["--ro-bind", str(PASSWD), "/etc/passwd"]
    for folder in _folders():
        command += _shown(folder)
    command += ["--ro-bind", str(submission), "/submission"]
    # Both are file systems in memory, without a limit: a place to fill, if they could be written.
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*command, "--chdir", "/tmp", "--"]


def _folders() -> list[Path]:
    """What a runner reads: the system, this Python and its packages, the kit less its answers."""
    folders = [Path("/", name) for name in ("usr", "bin", "sbin", "lib", "lib64")]
    folders += [Path("/etc", name) for name in ETC]
    folders += sorted(Path("/etc").glob("java-*"))
    folders += programs()
    folders += [ROOT / "trainer", ROOT / "datagen", ROOT / "data"]
    folders += [archive.path()]
    return [folder for folder in dict.fromkeys(folders) if folder.exists()]


def programs() -> list[Path]:
    """Name the folders of this Python, of its packages, and of Java."""
    python, program = Path(sys.executable).resolve(), java.choose().java.program.resolve()
    return [Path(sys.prefix), Path(sys.base_prefix), python.parents[1], program.parents[1]]


def _shown(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)]
