"""What a runner that bubblewrap shuts in sees: no network, no secret, no answer."""

import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.course.problem import Problem
from trainer.grading.sandbox.limits import Limits
from trainer.spark import java, quick_start

# What a program needs of /etc, and nothing that is anyone's secret.
ETC = ("alternatives", "hosts", "ld.so.cache", "localtime", "nsswitch.conf")
# The one account there is in a sandbox: Spark asks who it is.
PASSWD = Path(__file__).parent / "passwd"


def bubblewrap(submission: Path, limits: Limits, secret: Iterable[Path] = ()) -> list[str]:
    """Give the command that shuts in what follows it; it finds the answers in /submission.

    The kit and the judge's scratch folder are secret, whatever else is.
    """
    command = ["bwrap", "--die-with-parent", "--new-session", "--unshare-all"]
    command += ["--uid", "1000", "--gid", "1000", "--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp", "/run"):
        command += ["--size", str(limits.disk // 2), "--tmpfs", place]
    command += ["--ro-bind", str(PASSWD), "/etc/passwd"]
    shown = _folders()
    hidden = _hidden(shown, [ROOT, Path(tempfile.gettempdir()), *secret])
    # From above to below: what is shown inside a hidden folder is shown again.
    for path in sorted({*shown, *hidden}, key=lambda path: len(path.parts)):
        command += _covered(path) if path in hidden else _shown(path)
    command += ["--ro-bind", str(submission), "/submission"]
    # All are file systems in memory, without a limit: a place to fill, if they could be written.
    for place in (*(path for path in hidden if path.is_dir()), "/dev", "/"):
        command += ["--remount-ro", str(place)]
    return [*command, "--chdir", "/tmp", "--"]


def _hidden(shown: Sequence[Path], secret: Iterable[Path]) -> list[Path]:
    """Give what must be covered: secret places inside folders that are shown whole.

    Each is named as it would be seen, for a folder may be shown under the name of a link to it.
    """
    places = {place.resolve() for place in secret if place.exists()}
    found = set()
    for folder in (folder for folder in shown if not folder.is_symlink()):
        real = folder.resolve()
        for place in (place for place in places if place.is_relative_to(real)):
            if place == real:
                raise Problem(
                    f"Submissions would see what is in {place}: Python, Java or the kit needs it, "
                    "and it holds secrets of the grader too. Put these into a folder of their own."
                )
            found.add(folder / place.relative_to(real))
    return sorted(found)


def _folders() -> list[Path]:
    """What a runner reads: the system, this Python and its packages, the kit less its answers."""
    folders = [Path("/", name) for name in ("usr", "bin", "sbin", "lib", "lib64")]
    folders += [Path("/etc", name) for name in ETC]
    folders += sorted(Path("/etc").glob("java-*"))
    # A system that keeps its programs in /bin itself: that is shown already, and / is too much.
    folders += [folder for folder in programs() if folder != Path("/")]
    folders += [ROOT / "trainer", ROOT / "datagen", ROOT / "data"]
    folders += [quick_start.path()]
    return [folder for folder in dict.fromkeys(folders) if folder.exists()]


def programs() -> list[Path]:
    """Name the folders of this Python, of its packages, and of Java."""
    python, program = Path(sys.executable).resolve(), java.choose().java.program.resolve()
    return [Path(sys.prefix), Path(sys.base_prefix), python.parents[1], program.parents[1]]


def _shown(path: Path) -> list[str]:
    if path.is_symlink():
        return ["--symlink", str(path.readlink()), str(path)]
    return ["--ro-bind", str(path), str(path)]


def _covered(path: Path) -> list[str]:
    return ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind", "/dev/null", str(path)]
