"""What a runner that bubblewrap shuts in sees: no network, no secret, no answer."""

import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trainer.course.clone import ROOT
from trainer.course.problem import Problem
from trainer.grading.sandbox.limits import Limits
from trainer.spark import java, quick_start

# What a program needs of /etc, and nothing that is anyone's secret.
ETC = ("alternatives", "hosts", "ld.so.cache", "localtime", "nsswitch.conf")
# The user it is where the kernel lends it users of its own.
OWN_UID = 1000


@dataclass(frozen=True)
class Handed:
    """Numbers of open files that bubblewrap reads: a filter of system calls, and the accounts."""

    system_calls: int
    accounts: int


def accounts(stranger: int | None) -> str:
    """Write the one account there is in a sandbox: Spark asks who it is."""
    uid = stranger or OWN_UID
    return f"learner:x:{uid}:{uid}::/tmp:/usr/sbin/nologin\n"


def bubblewrap(
    submission: Path,
    limits: Limits,
    secret: Iterable[Path] = (),
    stranger: int | None = None,
    handed: Handed | None = None,
) -> list[str]:
    """Give the command that shuts in what follows it; it finds the answers in /submission.

    The kit and the judge's scratch folder are secret, whatever else is; `stranger` is the user to
    become.
    """
    command = ["bwrap", "--die-with-parent", "--new-session", *_spaces(stranger)]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/dev/shm", "/tmp"):
        command += ["--perms", "1777", "--size", str(limits.disk // 2), "--tmpfs", place]
    shown = _folders()
    hidden = _hidden(shown, [ROOT, Path(tempfile.gettempdir()), *secret])
    # From above to below: what is shown inside a hidden folder is shown again.
    for path in sorted({*shown, *hidden}, key=lambda path: len(path.parts)):
        for folder in _above(path, shown, hidden):
            command += ["--perms", "0755", "--dir", str(folder)]
        command += _covered(path) if path in hidden else _shown(path)
    command += ["--ro-bind", str(submission), "/submission"]
    if handed:
        command += ["--perms", "0644", "--ro-bind-data", str(handed.accounts), "/etc/passwd"]
        command += ["--seccomp", str(handed.system_calls)]
    # All are file systems in memory, without a limit: a place to fill, if they could be written.
    for place in (*(path for path in hidden if path.is_dir()), "/dev", "/"):
        command += ["--remount-ro", str(place)]
    return [*command, "--chdir", "/tmp", "--", *_becoming(stranger)]


def _above(path: Path, shown: Sequence[Path], hidden: Sequence[Path]) -> list[Path]:
    """Give the folders above a place that don't come from outside, where a stranger passes."""
    above = []
    for folder in (folder for folder in path.parents if folder != Path("/")):
        if folder in hidden:
            break
        if folder in shown:
            return []
        above.append(folder)
    return above[::-1]


def _spaces(stranger: int | None) -> list[str]:
    """Name what is its own: as root all but the users, who are real; else the users, too."""
    if stranger is None:
        return ["--unshare-all", "--uid", str(OWN_UID), "--gid", str(OWN_UID)]
    spaces = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    kept = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")
    drop = ["--cap-drop", "ALL", *(word for name in kept for word in ("--cap-add", name))]
    return [*spaces, "--unshare-cgroup-try", *drop]


def _becoming(stranger: int | None) -> list[str]:
    """Give the command that becomes another user, for good and without any right of root's."""
    if stranger is None:
        return []
    user = [f"--reuid={stranger}", f"--regid={stranger}", "--clear-groups"]
    return ["setpriv", *user, "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"]


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
