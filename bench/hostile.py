"""How much memory does the grader itself take, and how late is it, when everyone attacks it?

uv run python -m bench.hostile [LEVEL] [TIMEOUT]

Grades all attacks of tests/attacks as one folder, honest answers among them, with `trainer grade`.
Prints the most memory that its own processes held, one and all together, beside the runners and
beside Java, which explains wrong answers; the slowest submission, from its start to its grade; and
every verdict that is not as expected.
"""

import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from tools import attacks
from trainer.course.clone import ROOT
from trainer.grading.book.out_folder import all_saved
from trainer.grading.sandbox.sandbox import best

WRONG = f"def {attacks.EXERCISE.function}(rides):\n    return rides\n"
HONEST = 3
LOOK_EVERY = 0.1
MB = 2**20


class Watch:
    """Looks at the grader's own processes while they run."""

    def __init__(self, number: int) -> None:
        """Watch one and its children."""
        self.process, self.most, self.together, self.java = psutil.Process(number), 0, 0, 0
        self.thread = threading.Thread(target=self._look, daemon=True)
        self.thread.start()

    def _look(self) -> None:
        while self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE:
            own, java = self._sizes()
            self.most = max(self.most, *own, 0)
            self.together = max(self.together, sum(own))
            self.java = max(self.java, java)
            time.sleep(LOOK_EVERY)

    def _sizes(self) -> tuple[list[int], int]:
        own, java, waiting = [0], 0, [self.process]
        while waiting:
            each = waiting.pop()
            try:
                command = " ".join(each.cmdline())
                if "launch.py" in command or "bwrap" in command or "judging.runner" in command:
                    # From here on it is a runner and all that it started.
                    continue
                waiting += each.children()
                if "java" in each.name():
                    java += each.memory_info().rss
                else:
                    own.append(each.memory_full_info().uss)
            except psutil.Error:
                continue
        return own, java


def fill(folder: Path) -> dict[str, tuple[str, ...]]:
    """Have all attacks handed in, and honest answers; give what is expected of each."""
    expected = {}
    for attack in attacks.attacks():
        expected[f"attack-{attack.path.stem}"] = attack.expected
        place = folder / f"attack-{attack.path.stem}"
        place.mkdir()
        (place / f"{attacks.EXERCISE.stem}.py").write_bytes(attack.path.read_bytes())
    for number in range(HONEST):
        for kind, text in (("correct", attacks.EXERCISE.solution.read_text()), ("wrong", WRONG)):
            expected[f"{number}-{kind}"] = (kind,)
            (folder / f"{number}-{kind}.py").write_text(f"{text}# {number}\n")
    return expected


def main(level: str, timeout: float) -> None:
    """Grade them, and print what it took."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, out = Path(scratch, "in"), Path(scratch, "out")
        folder.mkdir()
        expected = fill(folder)
        command = [sys.executable, "-m", "trainer.cli", "grade", str(folder), "--out", str(out)]
        command += ["--exercises", attacks.EXERCISE.stem, "--timeout", str(timeout), "--jobs", "2"]
        began = time.monotonic()
        running = subprocess.Popen(
            [*command, "--sandbox", level], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        watch = Watch(running.pid)
        said = running.communicate()[0]
        seconds = time.monotonic() - began
        grades = all_saved(out)
    came = {student: grade.exercises[0] for student, grade in grades.items()}
    slowest = max(grades.values(), key=lambda grade: sum(grade.times.values()))
    print(f"{level}: {len(came)} of {len(expected)} submissions in {seconds:.0f} s")
    print(f"most memory: one process {watch.most // MB} MB, all {watch.together // MB} MB,")
    print(f"  and Java, which explains, {watch.java // MB} MB")
    took = sum(slowest.times.values())
    print(f"slowest: {slowest.student}, {took:.0f} s, of {timeout:.0f} s that it may take")
    for student, kinds in expected.items():
        if student not in came or came[student].verdict not in kinds:
            print(f"NOT AS EXPECTED {student}: {came.get(student)}")
    if re.search("Traceback", said):
        print("A TRACEBACK", said)


if __name__ == "__main__":
    main(
        sys.argv[1] if len(sys.argv) > 1 else best(),
        float(sys.argv[2]) if len(sys.argv) > 2 else 60,
    )
