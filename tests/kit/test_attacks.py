"""No attack on the grader earns a pass, harms another submission, or leaves anything behind."""

import hashlib
from pathlib import Path

import psutil
import pytest

from tools import attacks
from trainer.course.clone import ROOT
from trainer.grading.sandbox.sandbox import LEVELS, best, works
from trainer.spark import quick_start

NEVER = ("untouched", "correct")
# Of different kinds, and quick: the rest takes minutes.
FEW = ("always_equal", "leaves_in_a_call", "writes_to_the_kit")
MARKS = ("trapped", "filler-0", "usercustomize.py", "sitecustomize.py", ".local", "conftest.py")

# On the machine itself, some of these would do what they say.
shut_in = pytest.mark.skipif(
    not best().startswith("bubblewrap"), reason="attacks are only let loose inside bubblewrap"
)


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """Give every judge a temporary folder of ours, to see what is left in it."""
    quick_start.path()
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def kit() -> str:
    """Give one number for all files of the kit, of Spark and of the archive, as they are now."""
    places = [ROOT / name for name in ("trainer", "datagen", "solutions", "tests", "data")]
    files = [
        path for place in places for path in place.rglob("*") if "__pycache__" not in str(path)
    ]
    files += [quick_start.path(), Path(psutil.__file__), ROOT / "pyproject.toml"]
    state = [
        (str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files if path.exists()
    ]
    return hashlib.sha256(repr(sorted(state)).encode()).hexdigest()


def left_running() -> list[str]:
    """Give the commands of processes that come from a sandbox of this test."""
    found = [each.info for each in psutil.process_iter(["cmdline", "pid"])]
    commands = [(each["pid"], " ".join(each["cmdline"] or [])) for each in found]
    ours = [str(each.pid) for each in psutil.Process().children(recursive=True)]
    return [
        text
        for pid, text in commands
        if "outlives the run" in text or (str(pid) in ours and "bwrap" in text)
    ]


def left_lying() -> list[Path]:
    """Give files that attacks write, where nobody else writes any of that name."""
    places = (Path("/tmp"), Path("/dev/shm"), Path("/var/tmp"), Path.home(), ROOT, Path("/"))
    return [place / mark for place in places for mark in MARKS if (place / mark).exists()]


def left_in_the_kernel() -> list[str]:
    """Give what outlives its process: System V's memory, queues and semaphores, and keys."""
    files = [Path("/proc/sysvipc", name) for name in ("shm", "msg", "sem")]
    found = [line for file in files if file.exists() for line in file.read_text().splitlines()]
    keys = Path("/proc/keys")
    seen = keys.read_text().splitlines() if keys.exists() else []
    return found + [line for line in seen if "taxi-streams" in line]


def judged(chosen: list[attacks.Attack], level: str, scratch: Path) -> str:
    """Judge submissions; name those that came out otherwise than expected, or told of it badly."""
    before, there, kernel = kit(), set(left_lying()), left_in_the_kernel()
    wrong = []
    for attack, verdict in attacks.grade_all(chosen, level):
        if verdict.kind not in attack.expected or not verdict.message.isprintable():
            wrong.append(f"{attack.name}: {verdict.kind}, {verdict.message!r}")
    assert kit() == before
    assert left_running() == []
    assert set(left_lying()) == there
    assert left_in_the_kernel() == kernel
    assert list(scratch.iterdir()) == []
    return "\n".join(wrong)


def test_the_table_of_attacks_is_up_to_date():
    """It is written from the files, by `uv run python -m tools.attacks`."""
    assert attacks.README.read_text(encoding="utf-8") == attacks.table()


def test_only_what_is_documented_comes_out_correct():
    """Every other attack is expected to fail."""
    for attack in attacks.attacks():
        assert bool(set(attack.expected) & set(NEVER)) == bool(attack.not_defended), attack.name


@shut_in
def test_a_few_attacks_fail_beside_a_right_answer(scratch):
    """A right answer that is judged among them is correct; nothing is changed, nothing is left."""
    few = [attacks.read(attacks.FOLDER / f"{name}.py") for name in FEW]
    assert not judged([*few, attacks.right_answer()], best(), scratch)


@pytest.mark.overnight
@shut_in
@pytest.mark.parametrize("level", [level for level in LEVELS[:-1] if works(level)])
def test_every_attack_fails_and_right_answers_among_them_are_correct(level, scratch):
    """At the same time and right after; nothing is changed, nothing is left."""
    rest = [attack for attack in attacks.attacks() if attack.path.stem not in FEW]
    # Some leave something for the next, who is themselves.
    again = [attack for attack in rest if attack.path.stem.startswith("leaves")]
    right = attacks.right_answer()
    half = len(rest) // 2
    everyone = [*rest[:half], right, *rest[half:], *again, right, right]
    assert not judged(everyone, level, scratch)
