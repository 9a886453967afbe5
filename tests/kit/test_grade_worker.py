"""The processes that judge: what they pass on is plain, and one that fails is asked once more."""

import ctypes
import multiprocessing
import os
import pickle
import time
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

import psutil
import pytest

from tests.kit.course import as_submitted
from trainer.checking.runs import Run
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import find
from trainer.grading.book.catalogue import catalogue
from trainer.grading.intake.collect import Submission
from trainer.grading.judging import crew, worker
from trainer.grading.judging.crew import Crew
from trainer.grading.judging.portable import portable, readable
from trainer.grading.judging.worker import GraderFailed, Job, judged
from trainer.grading.sandbox.limits import Limits
from trainer.running.answer import Crashed
from trainer.running.result import Result
from trainer.running.scenario import Scenario

EXERCISE = find("ride_cleansing")
NOWHERE = Path("/nowhere")


def job(text: bytes | None) -> Job:
    """Make a job of one file; None hands in nothing."""
    files = {} if text is None else {EXERCISE.stem: text}
    return Job(Submission("ann", files), (EXERCISE.stem,), "none", 1, 60, Limits(), {})


def ran(rows: list[dict], **options) -> Run:
    """Make a run of a scenario."""
    scenario = Scenario({"rides": [[{"ride_id": 1}]]}, options)
    times = [datetime(2020, 1, 1, tzinfo=UTC)]
    return Run("result", scenario, Result([rows], [0], [0], times, "x string", scenario))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (None, Kind.UNTOUCHED),
        (EXERCISE.issued.read_bytes(), Kind.UNTOUCHED),
        (b"def cleanse(rides):\n    raise NotImplementedError\n", Kind.UNFINISHED),
    ],
)
def test_what_need_not_run_starts_no_runner(monkeypatch, text, kind):
    """A stub, and nothing at all, are known without a JVM."""
    monkeypatch.setattr("trainer.grading.judging.worker.judging", None)
    assert judged(job(text))[EXERCISE.stem].verdict.kind == kind


def test_a_message_can_be_shown_anywhere_and_is_the_same_each_time(tmp_path):
    """No control signs, no addresses, no places of this machine, no more than 600 letters."""
    text = f"{tmp_path}/a.py: \x1b[31mred\x00 <object at 0x7f3a5c2b9d90>" + "é" * 1000
    assert readable(text, tmp_path).startswith("/submission/a.py: �[31mred� <object at 0x…>é")
    assert len(readable(text)) == 600


def test_what_is_passed_on_can_be_pickled_with_its_runs():
    """Of an error its first line is passed on."""
    check = Check("a", "A.", False, Crashed("x\ny"), (ran([]),))
    (check,) = portable(Verdict(Kind.WRONG, "A.", (check,)), NOWHERE).checks
    assert str(check.error) == "x"
    assert pickle.loads(pickle.dumps(check)).runs == check.runs


def test_very_large_outcomes_are_not_passed_on():
    """Nobody could read them, and hundreds of them would fill the memory."""
    runs = (ran([{"x": "1"}] * 3000), ran([{"x": "1" * 200_000}]), ran([{"x": "1"}]))
    (check,) = portable(
        Verdict(Kind.WRONG, "A.", (Check("a", "A.", False, None, runs),)), NOWHERE
    ).checks
    assert [len(run.outcome.rows) for run in check.runs] == [1]


def test_a_verdict_without_a_judgement_is_refused(monkeypatch):
    """Where no check could be run, the grader failed: that is nobody's mistake."""
    verdicts = ((EXERCISE.stem, Verdict(Kind.CRASHED, why)) for why in ["No check could be run."])
    monkeypatch.setattr(worker, "judging", lambda *_, **__: verdicts)
    with pytest.raises(GraderFailed, match="No check could be run"):
        judged(job(b"def cleanse(rides):\n    return rides\n"))


def judge_without_prctl(pipe: Connection, parent: int) -> None:
    """Work as on a system whose C library has no `prctl`; a long job takes for ever."""
    ctypes.CDLL = lambda name: object()
    worker.judged = lambda job: time.sleep(600) if job == "a long job" else "judged"
    worker.work(pipe, parent)


def start_a_worker(pipe: Connection, last_job: str) -> None:
    """Start one, give it two jobs, and tell its number once it has done the first."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    started = context.Process(target=judge_without_prctl, args=(theirs, os.getpid()))
    started.start()
    theirs.close()
    for number, each in enumerate(("a short job", last_job)):
        ours.send(each)
        assert number or ours.recv() == "judged"
    pipe.send(started.pid)
    time.sleep(600)


@pytest.mark.parametrize("last_job", ["a short job", "a long job"])
def test_a_worker_ends_with_its_parent_where_the_kernel_does_not_see_to_it(last_job):
    """At work or waiting for some, though its parent was killed."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    parent = context.Process(target=start_a_worker, args=(theirs, last_job))
    parent.start()
    theirs.close()
    judging = psutil.Process(ours.recv())
    parent.kill()
    parent.join()
    gone, _ = psutil.wait_procs([judging], timeout=20)
    assert gone == [judging]


class Moody:
    """A worker who fails the first so many times."""

    fails, asked, gone = 0, 0, 0

    def ask(self, job):
        """Fail, or answer."""
        Moody.asked += 1
        return GraderFailed("no") if Moody.asked <= Moody.fails else "an answer"

    def dismiss(self):
        """Go."""
        Moody.gone += 1


@pytest.mark.parametrize(("fails", "answers", "asked"), [(0, 1, 1), (1, 1, 2), (2, 0, 2)])
def test_a_job_that_failed_is_given_once_more(monkeypatch, fails, answers, asked):
    """Then it is reported as it is."""
    monkeypatch.setattr(crew, "Worker", Moody)
    monkeypatch.setattr(Moody, "fails", fails)
    monkeypatch.setattr(Moody, "asked", 0)
    monkeypatch.setattr(Moody, "gone", 0)
    ((_, answer),) = Crew(1).judge([job(b"")])
    assert (answer == "an answer", Moody.asked, Moody.gone) == (bool(answers), asked, 1)


def test_no_public_check_has_rows_of_the_secret_stream():
    """Each check has the runs that it names, whatever else ran in the worker's process."""
    tips = find("hourly_tips")
    text = as_submitted(tips, tips.misconceptions, "stops_after_the_sums").encode()
    one = Job(Submission("ann", {tips.stem: text}), (tips.stem,), "none", 2718, 120, Limits(), {})
    ((_, answer),) = Crew(1).judge([one])
    seeds = {
        check.name: {run.seed for run in check.runs} for check in answer[tips.stem].verdict.checks
    }
    secret = {check.name for check in catalogue([tips], None)[tips.stem] if check.seeded}
    assert {name for name, made_from in seeds.items() if made_from != {None}} == secret
    assert all(seeds[name] == {2718} for name in secret)
