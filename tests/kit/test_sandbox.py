"""What a sandbox shows, what it bounds, and that nothing outlives it."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from trainer import cli
from trainer.checking.graders import at_a_glance
from trainer.checking.verdict import Kind
from trainer.course.clone import ROOT
from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.grading.batch import job_for
from trainer.grading.book.terms import Settings, terms
from trainer.grading.intake.collect import Submission
from trainer.grading.sandbox import limits, sandbox
from trainer.grading.sandbox.limits import ControlGroup, Limits
from trainer.grading.sandbox.sandbox import (
    LEVELS,
    Sandbox,
    best,
    choose,
    require_secrecy,
)
from trainer.grading.sandbox.strangers import stranger
from trainer.grading.sandbox.system_calls import number

BEST = best()
SHUT_IN = [
    pytest.param(level, marks=pytest.mark.skipif(BEST not in LEVELS[: number + 1], reason=BEST))
    for number, level in enumerate(LEVELS[:2])
]
AS_ROOT = pytest.mark.skipif(stranger() is None, reason="root, who may become another user")

LOOKS = """
import glob, json, os, sys
def writable(place):
    try:
        open(place + "/try", "w").close()
        return True
    except OSError:
        return False
print(json.dumps({
    "there": [p for p in sys.argv[1].split(":") if os.path.exists(p)],
    "answers": sorted(os.listdir("/submission")),
    "writable": [p for p in sys.argv[2].split(":") if writable(p)],
    "processes": len(glob.glob("/proc/[0-9]*")),
    "environment": sorted(os.environ),
    "files": sorted(map(int, os.listdir("/proc/self/fd"))),
    "uid": os.getuid(),
    "network": [l.split(":")[0].strip() for l in list(open("/proc/net/dev"))[2:]],
    "accounts": open("/etc/passwd").read().count("\\n"),
    "capabilities": [l.split()[1] for l in open("/proc/self/status") if l.startswith("CapEff")],
}))
"""


@pytest.fixture
def start(tmp_path):
    """Start a program in a sandbox; end it after the test."""
    started = []

    def make(level: str, *program: str, **options: int) -> tuple[Sandbox, subprocess.Popen]:
        place = Sandbox(level, tmp_path, Limits(**options), program)
        process = place.start()
        started.append((place, process))
        return place, process

    yield make
    for place, process in started:
        place.end(process)


def eventually(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait until something holds."""
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        os.sched_yield()
    return true()


def alive(mark: str) -> list[psutil.Process]:
    """Give the processes that have a mark in their command."""
    found = psutil.process_iter(["cmdline", "status"])
    return [
        each
        for each in found
        if mark in (each.info["cmdline"] or []) and each.info["status"] != psutil.STATUS_ZOMBIE
    ]


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_submission_sees_nothing_it_does_not_need(start, tmp_path, monkeypatch, level):
    """No tests, no solutions, no secrets, no other process, no network; and it can write nowhere
    but to its own scratch folders."""
    (tmp_path / "ch01a.py").touch()
    monkeypatch.setenv("GITHUB_TOKEN", "secret")
    hidden = [ROOT / name for name in ("solutions", "tests", "notebooks", "exercises", ".git")]
    hidden += ["/etc/shadow", "/root/.ssh", "/home", "/var", "/sys", tmp_path, ROOT / "uv.lock"]
    places = ["/", "/dev", "/etc", "/usr", "/submission", ROOT / "trainer", sys.prefix, "/proc"]
    arguments = [":".join(map(str, paths)) for paths in (hidden, [*places, "/tmp", "/dev/shm"])]
    _, process = start(level, sys.executable, "-c", LOOKS, *arguments)
    seen = json.loads(process.stdout.read())
    assert seen["there"] == []
    assert seen["answers"] == ["ch01a.py"]
    assert seen["writable"] == ["/tmp", "/dev/shm"]
    assert seen["processes"] <= 2
    assert "GITHUB_TOKEN" not in seen["environment"]
    assert len(seen["files"]) == 4  # three, and the one that lists them
    assert (seen["network"], seen["accounts"]) == (["lo"], 1)
    assert seen["uid"] not in (0, os.getuid())
    assert int(seen["capabilities"][0], 16) == 0


# A kit below a folder that is shown whole, as containers have it in /usr/src/app.
SHUTS_IN = """
import json, sys
from pathlib import Path
level, folder, runs = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
sys.base_prefix = str(folder)
from trainer.checking.graders import at_a_glance
from trainer.course.clone import ROOT
from trainer.course.exercise import find
from trainer.grading.judging.remote import Remote
from trainer.grading.sandbox.sandbox import Sandbox
from trainer.rows import ride
from trainer.scenario import Scenario
assert ROOT == folder / "kit"
secret = [folder / name for name in ("in", "out", "own", "weights.toml", "not there")]
def sandbox(code):
    program = (sys.executable, "-P", "-s", "-c", code.replace("HERE", repr(str(folder))))
    return Sandbox(level, folder / "in" / "ann", program=program, secret=tuple(secret))
if runs == "a probe":
    place = sandbox(sys.stdin.read())
    process = place.start()
    print(process.stdout.read().decode())
    place.end(process)
else:
    remote = Remote(sandbox(sys.stdin.read()), 100)
    given = {"result": Scenario.of(rides=[[ride(1)], [ride(2)]])}
    columns = "ride_id bigint, event_time timestamp"
    came = remote.start(find("ride_cleansing"), columns, 60, given).outcome("result")
    print(json.dumps(came.column("ride_id")))
    remote.stop()
"""
PROBES = """
import json, os
def readable(path):
    try:
        return bool(open(path).read())
    except (OSError, UnicodeDecodeError):
        return False
def writable(folder):
    try:
        open(folder + "/try", "w").close()
        return True
    except OSError:
        return False
found = {"seen": [], "written": []}
for folder, _, files in os.walk(HERE):
    found["seen"] += [f"{folder}/{file}" for file in files if readable(f"{folder}/{file}")]
    found["written"] += [folder] if writable(folder) else []
print(json.dumps(found))
"""
RUNS_THE_RUNNER = """
import runpy, sys
sys.path.insert(0, HERE + "/kit")
runpy.run_module("trainer.grading.judging.runner", run_name="__main__")
"""


@pytest.fixture
def shown_folder(clone):
    """A folder with the kit and everything that is secret, each with a text in it."""
    folder = clone.parent
    for name in ("in/ann/ch01a_ride_cleansing.py", "in/bob.py", "out/batch.json", "tmp/scratch"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("secret")
    (folder / "own").mkdir()
    for name in ("own/test_hidden.py", "weights.toml", "shown.txt"):
        (folder / name).write_text("text")
    answer = "def cleanse(rides):\n    return rides.select('ride_id', 'event_time')\n"
    (folder / "in" / "ann" / "ch01a_ride_cleansing.py").write_text(answer)
    # Whatever is not seen is hidden, not only forbidden.
    folder.chmod(0o755)
    return folder


def shut_in(level: str, folder: Path, runs: str, code: str) -> object:
    """Run something in a sandbox of the kit in that folder, which is shown."""
    ran = subprocess.run(
        [sys.executable, "-c", SHUTS_IN, level, str(folder), runs],
        cwd=folder / "kit",
        env=os.environ | {"TMPDIR": str(folder / "tmp")},
        input=code,
        stdout=subprocess.PIPE,
        text=True,
    )
    return json.loads(ran.stdout)


@pytest.mark.parametrize("level", SHUT_IN)
def test_what_is_secret_is_hidden_inside_a_folder_that_is_shown(shown_folder, level):
    """The kit's tests and solutions, the instructor's own, grades, others' answers, scratch."""
    found = shut_in(level, shown_folder, "a probe", PROBES)
    shown = {str(Path(file).relative_to(shown_folder)) for file in found["seen"]}
    below = ("kit/trainer/", "kit/datagen/", "kit/data/")
    assert {file for file in shown if not file.startswith(below)} == {"shown.txt"}
    assert "kit/trainer/grading/judging/runner.py" in shown
    assert found["written"] == []


@pytest.mark.slow
@pytest.mark.parametrize("level", SHUT_IN)
def test_a_runner_works_where_the_kit_lies_inside_a_folder_that_is_shown(shown_folder, level):
    """What it needs of the kit is there."""
    assert shut_in(level, shown_folder, "the runner", RUNS_THE_RUNNER) == [1, 2]


def test_a_secret_place_that_a_runner_needs_is_refused(monkeypatch, tmp_path):
    """In one line, before the first submission; where nothing is hidden, nothing is refused."""
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    with pytest.raises(Problem, match=f"would see what is in {tmp_path}"):
        require_secrecy("bubblewrap", [tmp_path])
    require_secrecy("none", [tmp_path])


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_batch_whose_secrets_would_be_seen_writes_nothing(monkeypatch, tmp_path, level):
    """It is refused before the first file."""
    out = tmp_path / "out"
    for folder in (out, tmp_path / "in"):
        folder.mkdir()
    monkeypatch.setattr(sys, "base_prefix", str(out))
    command = ["grade", str(tmp_path / "in"), "--out", str(out), "--sandbox", level]
    ran = CliRunner().invoke(cli.app, command)
    assert isinstance(ran.exception, Problem)
    assert list(out.iterdir()) == []


def test_a_batch_says_what_is_secret(tmp_path):
    """Where it takes from and where it writes to, and the grades that it is compared with."""
    names = ("in", "own", "weights.toml", "roster.csv", "comments.csv", "out", "before")
    submissions, tests, weights, roster, comments, out, before = (tmp_path / each for each in names)
    tests.mkdir()
    shutil.copy(find("ride_cleansing").grader, tests)
    settings = Settings(
        str(submissions),
        exercises=("ride_cleansing",),
        tests=str(tests),
        weights=str(weights),
        roster=str(roster),
        comments=str(comments),
    )
    job = job_for(terms(settings, out, before), Submission("ann", {}))
    assert set(job.secret) == {submissions, tests, weights, roster, comments, out, before}


STAYS = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", MARK])
    os._exit(0)
print(flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("level", SHUT_IN)
def test_the_end_of_a_runner_is_the_end_of_all_it_started(start, tmp_path, level):
    """One that hides from its parent too; no group and no folder is left."""
    mark = f"outlives {tmp_path}"
    program = sys.executable
    place, process = start(level, program, "-c", STAYS.replace("MARK", repr(mark)))
    process.stdout.readline()
    assert eventually(lambda: len(alive(mark)) == 1)
    folders = [*(process.group.folders if process.group else []), process.scratch]
    place.end(process)
    assert eventually(lambda: alive(mark) == [])
    assert not any(folder.exists() for folder in folders if folder)


RUNS = "import time; print(flush=True); time.sleep(600)"


@pytest.mark.parametrize("level", [*SHUT_IN, "none"])
def test_a_runner_dies_with_its_judge(tmp_path, level):
    """Though the judge was killed, and could tidy up nothing."""
    mark = f"orphan {tmp_path}"
    program = (sys.executable, "-c", RUNS)
    code = f"""
from pathlib import Path
from trainer.grading.sandbox.sandbox import Sandbox
Sandbox({level!r}, Path({str(tmp_path)!r}), program={(*program, mark)}).start().stdout.readline()
print(flush=True)
input()
"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    judge = subprocess.Popen([sys.executable, "-c", code], **pipes)
    judge.stdout.readline()
    assert alive(mark)
    judge.kill()
    judge.communicate()
    assert eventually(lambda: alive(mark) == [])


TABLES = (
    "import mmap\n"
    "held = [mmap.mmap(-1, 2**40, mmap.MAP_PRIVATE | mmap.MAP_NORESERVE) for _ in range(8)]\n"
    "for each in held:\n    for at in range(0, 2**40, 2**21): each[at]"
)
HOG = "x = []\nwhile True: x.append(bytearray(b'x' * 10_000_000))"
THREADS = (
    "import threading, time\n"
    "while True: threading.Thread(target=time.sleep, args=(600,), daemon=True).start()"
)


@pytest.mark.parametrize("level", [*SHUT_IN, "none"])
@pytest.mark.parametrize("code", [HOG, THREADS, TABLES], ids=["memory", "processes", "tables"])
def test_who_takes_too_much_is_ended(start, level, code):
    """Of memory, and of processes and threads."""
    program = sys.executable
    _, process = start(level, program, "-c", code, memory=200 * 2**20, processes=50)
    assert process.stdout.read() == b""
    assert eventually(lambda: process.poll() is not None)


@pytest.mark.parametrize("level", SHUT_IN)
@pytest.mark.parametrize("place", ["/tmp", "/dev/shm"])
def test_scratch_folders_are_of_limited_size(start, level, place):
    """Twenty megabytes, of which each folder has half."""
    code = f"open('{place}/x', 'wb').write(bytes(11_000_000))"
    _, process = start(level, sys.executable, "-c", code, disk=20_000_000)
    process.stdout.read()
    assert process.wait() != 0


def test_who_fills_the_disk_is_ended_where_there_is_no_private_one(start):
    """The watch looks at the runner's home folder."""
    code = "import os, time; open('x', 'wb').write(bytes(11_000_000)); time.sleep(600)"
    _, process = start("none", sys.executable, "-c", code, disk=10_000_000)
    assert process.stdout.read() == b""


def test_what_a_submission_writes_over_is_a_copy(start, tmp_path):
    """Also where it is not shut in, its home and its answers are its own."""
    (tmp_path / "a.py").write_text("mine")
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    code = (
        "import os, sys; os.chdir(sys.argv[1]); open('a.py', 'w').write('x'); print(os.listdir())"
    )
    place, process = start("none", sys.executable, "-c", code)
    assert b"a.py" in process.stdout.read()
    assert (tmp_path / "a.py").read_text() == "mine"
    assert (process.scratch / "submission" / "link.py").is_symlink()
    place.end(process)
    assert not process.scratch.exists()


@pytest.mark.parametrize("level", [*SHUT_IN, "none"])
def test_a_number_that_belongs_to_another_by_now_is_left_alone(start, level):
    """A runner that was waited for gives its number back, and anyone may get it."""
    place, process = start(level, sys.executable, "-c", "")
    process.wait()
    bystander = subprocess.Popen([sys.executable, "-c", RUNS], stdout=subprocess.PIPE)
    try:
        bystander.stdout.readline()
        process.pid = bystander.pid
        place.end(process)
        with pytest.raises(subprocess.TimeoutExpired):
            bystander.wait(0.5)
    finally:
        bystander.kill()
        bystander.communicate()


@pytest.mark.parametrize("level", [*SHUT_IN, "none"])
def test_no_python_runs_between_a_fork_and_its_program(start, monkeypatch, level):
    """Where threads live, it may wait for ever for what one of them held."""
    begin = subprocess.Popen.__init__

    def plainly(self, *given, **options) -> None:
        assert options.get("preexec_fn") is None
        begin(self, *given, **options)

    monkeypatch.setattr(subprocess.Popen, "__init__", plainly)
    monkeypatch.setattr(os, "fork", None)
    place, process = start(level, sys.executable, "-c", RUNS)
    assert process.stdout.readline()
    place.end(process)


@AS_ROOT
@pytest.mark.parametrize("level", SHUT_IN)
def test_no_two_runners_are_the_same_user(start, level):
    """And none is root, nor in a group, nor anyone that the machine knows."""
    code = "import os; print(os.getuid(), os.getgroups())"
    program = (level, sys.executable, "-c", code)
    said = [start(*program)[1].stdout.read().decode().split(maxsplit=1) for _ in range(2)]
    assert said[0][0] != said[1][0]
    assert all(int(uid) > 2**29 and groups == "[]\n" for uid, groups in said)


CALLS = """
import ctypes, errno, json, os
libc = ctypes.CDLL(None, use_errno=True)
def error(call):
    ctypes.set_errno(0)
    call()
    return errno.errorcode.get(ctypes.get_errno())
print(json.dumps([
    error(lambda: libc.syscall(NUMBER("keyctl"), 0, -3, 1)),
    error(lambda: libc.syscall(NUMBER("add_key"), b"user", b"x", b"y", 1, -3)),
    error(lambda: libc.shmget(0, 4096, 0o1600)),
    error(lambda: libc.msgget(0, 0o1600)),
    error(lambda: libc.memfd_create(b"x", 0)),
    error(lambda: libc.ptrace(0, 0, 0, 0)),
    error(lambda: libc.unshare(0x10000000)),
    error(lambda: libc.personality(0xFFFFFFFF)),
    error(lambda: libc.syscall(NUMBER("clone"), 0x10000011, 0, 0, 0, 0)),
    error(lambda: libc.syscall(NUMBER("clone3"), 0, 0)),
    error(lambda: libc.socket(40, 1, 0)),
    error(lambda: libc.socket(38, 5, 0)),
    error(lambda: libc.socket(16, 3, 2)),
    error(lambda: libc.socket(16, 3, 0)),
    error(lambda: libc.socket(2, 2, 0)),
    error(lambda: libc.socket(10, 2 | 0o2000000, 0)),
    error(lambda: libc.socket(2, 1, 132)),
    error(lambda: libc.socket(2, 1, 0)),
    error(lambda: libc.socket(10, 1 | 0o2000000, 6)),
]))
"""
# What tells of others who read the same files, or tells them something.
SHARED = """
import ctypes, errno, fcntl, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
file, folder = os.open(sys.executable, os.O_RDONLY), os.open("/usr", os.O_RDONLY)
def error(call):
    ctypes.set_errno(0)
    try:
        call()
    except OSError as error:
        return errno.errorcode[error.errno]
    return errno.errorcode.get(ctypes.get_errno())
print(json.dumps([
    [error(lambda: fcntl.fcntl(file, *call)) for call in (
        (fcntl.F_GETLK, bytes(32)), (1024, 0), (1025, 0))],
    error(lambda: fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)),
    error(lambda: os.preadv(file, [bytearray(4)], 0, 8)),
    error(lambda: libc.inotify_init()),
    error(lambda: libc.syscall(NUMBER("mincore"), 0, 0, 0)),
    error(lambda: libc.syscall(NUMBER("io_setup"), 9, 0)),
]))
print(json.dumps([
    error(lambda: fcntl.fcntl(file, fcntl.F_SETLK, bytes(32))),
    error(lambda: os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)),
]))
"""
# In a process whose first thread has ended, only the others tell how much it holds.
HIDDEN = """
import ctypes, mmap, os, threading
def take():
    held = []
    while True:
        held.append(mmap.mmap(-1, 2**23))
        held[-1].write(b"x" * 2**23)
if os.fork():
    os.wait()
else:
    threading.Thread(target=take).start()
    ctypes.CDLL(None).syscall(NUMBER("exit"), 0)
"""


def with_numbers(code: str) -> str:
    """Write the numbers of system calls, as they are on this machine, for their names."""
    return re.sub(r'NUMBER\("(\w+)"\)', lambda found: str(number(found[1])), code)


@pytest.mark.parametrize("level", SHUT_IN)
def test_what_an_answer_never_asks_of_the_kernel_is_refused(start, level):
    """Keyrings, memory nobody counts, other processes, name spaces, the machine around this one."""
    _, process = start(level, sys.executable, "-c", with_numbers(CALLS))
    said = json.loads(process.stdout.read())
    families, kinds = ["EAFNOSUPPORT"] * 4, ["EPROTONOSUPPORT"] * 3
    assert said == ["EPERM"] * 9 + ["ENOSYS"] + families + kinds + [None] * 2


@pytest.mark.parametrize("level", SHUT_IN)
def test_nobody_hears_of_others_by_the_files_that_all_read(start, level):
    """Locks, leases, notices and the memory behind a file; what a store asks for seems to work."""
    _, process = start(level, sys.executable, "-c", with_numbers(SHARED))
    refused, pretended = map(json.loads, process.stdout.read().splitlines())
    assert refused == [["EPERM"] * 3, *["EPERM"] * 5]
    assert pretended == [None, None]


@pytest.mark.parametrize("level", SHUT_IN)
def test_memory_counts_though_its_process_has_lost_its_first_thread(start, level):
    """What Linux tells of the first thread is then nothing."""
    code = with_numbers(HIDDEN)
    _, process = start(level, sys.executable, "-c", code, memory=200 * 2**20)
    assert process.stdout.read() == b""
    assert eventually(lambda: process.poll() is not None)


@pytest.mark.skipif(LEVELS[0] != BEST, reason=BEST)
def test_what_sockets_hold_is_bounded_by_the_control_group(tmp_path):
    """As memory where it counts as that, else by a limit of its own."""
    group = ControlGroup("trainer-0-sockets", Limits())
    try:
        files = [folder / "memory.kmem.tcp.limit_in_bytes" for folder in group.folders]
        known = [int(file.read_text()) for file in files if file.exists()]
        assert known == ([] if (limits.ROOT / "cgroup.controllers").exists() else [limits.SOCKETS])
    finally:
        group.remove()


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_that_does_not_work_says_why(monkeypatch, level):
    """In the words of what refused."""
    monkeypatch.setattr(sandbox, "TRIAL", "import nonsense")
    sandbox.hindrance.cache_clear()
    try:
        assert sandbox.hindrance(level) == "ModuleNotFoundError: No module named 'nonsense'"
    finally:
        sandbox.hindrance.cache_clear()


def test_less_than_the_best_is_refused_where_the_best_is_required():
    """And a level that there is not."""
    with pytest.raises(Problem, match="--require-sandbox wants"):
        choose("none", require=True)
    with pytest.raises(Problem, match="No sandbox level 'best'"):
        choose("best", require=False)
    assert choose("none", require=False) == "none"


def groups_below(folder: Path, own: Path, monkeypatch) -> None:
    """Pretend that a folder is the root of all groups, of version 2, and where ours is."""
    (folder / "cgroup.controllers").touch()
    monkeypatch.setattr(limits, "ROOT", folder)
    monkeypatch.setattr(limits, "own", lambda controller="": own)


@pytest.mark.parametrize("number", range(len(LEVELS)))
def test_the_best_level_is_the_first_that_works(monkeypatch, number):
    """Each is tried, from the best on."""
    monkeypatch.setattr(sandbox, "works", lambda level: level in LEVELS[number:])
    assert best() == LEVELS[number]


def test_where_nothing_shuts_submissions_in_there_is_no_grading_unasked(monkeypatch):
    """One line says what to install; who trusts the answers has to say so."""
    monkeypatch.setattr(sandbox, "hindrance", lambda level: "" if level == "none" else "no bwrap")
    with pytest.raises(Problem, match=r"No sandbox works here \(no bwrap\)\. `apt install bubble"):
        choose(None, require=False)
    with pytest.raises(Problem, match=r"level bubblewrap does not work here \(no bwrap\)"):
        choose("bubblewrap", require=False)
    assert choose("none", require=False) == "none"


@AS_ROOT
@pytest.mark.skipif(not shutil.which("unshare"), reason="no unshare")
def test_a_container_without_a_range_of_users_makes_its_own():
    """Root there can't become another: the kernel lends it users instead."""
    code = (
        "from trainer.grading.sandbox.strangers import stranger;"
        "from trainer.grading.sandbox.sandbox import hindrance;"
        "print(stranger(), hindrance('bubblewrap'))"
    )
    alone = ["unshare", "--user", "--map-root-user", sys.executable, "-c", code]
    assert subprocess.run(alone, capture_output=True).stdout == b"None \n"


def test_a_group_of_version_2_lies_beside_our_own(tmp_path, monkeypatch):
    """A group that has processes itself cannot bound a group inside it."""
    own = tmp_path / "user.slice" / "shell"
    own.mkdir(parents=True)
    groups_below(tmp_path, own, monkeypatch)
    (folder,) = ControlGroup("runner", Limits(memory=5, processes=6)).folders
    assert folder == tmp_path / "user.slice" / "runner"
    assert [(folder / f).read_text() for f in ("memory.max", "pids.max")] == ["5", "6"]


def test_the_groups_of_a_judge_that_was_killed_are_swept_up(tmp_path, monkeypatch):
    """The next one that is made takes them away; those of judges that live stay."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / f"trainer-{dead.pid}-1").mkdir()
    (tmp_path / f"trainer-{os.getpid()}-1").mkdir()
    groups_below(tmp_path, tmp_path / "own", monkeypatch)
    ControlGroup("new", Limits())
    there = sorted(path.name for path in tmp_path.iterdir() if path.is_dir())
    assert there == ["new", f"trainer-{os.getpid()}-1"]


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "def cleanse(rides):\n    return " + "-" * 50_000 + "1\n", "x = \0"],
    ids=["unfinished", "deep", "no text"],
)
def test_a_text_that_is_too_much_for_the_parser_is_no_stub(tmp_path, text):
    """It is left to the runner to fail on it."""
    file = tmp_path / "answer.py"
    file.write_text(text)
    assert at_a_glance(find("ride_cleansing"), file) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("def cleanse(rides):\n    raise NotImplementedError\n", Kind.UNFINISHED),
        (
            "def cleanse(rides):\n    raise NotImplementedError\n\n"
            "def cleanse(rides):\n    return rides\n",
            None,
        ),
    ],
)
def test_the_last_function_of_a_name_is_the_one_that_counts(tmp_path, text, kind):
    """Who leaves the stub above the answer has answered."""
    file = tmp_path / "x.py"
    file.write_text(text)
    verdict = at_a_glance(find("ride_cleansing"), file)
    assert (verdict and verdict.kind) == kind
