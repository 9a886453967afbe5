"""The processes that judge: what they pass on is plain, and one that fails is asked once more."""

import pickle
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.kit.course import as_submitted
from trainer.checking.graders import verdict_on
from trainer.checking.runs import Run
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import find
from trainer.grading.book.catalogue import catalogue
from trainer.grading.intake.collect import Submission
from trainer.grading.judging import crew, worker
from trainer.grading.judging.crew import Crew
from trainer.grading.judging.portable import portable, readable
from trainer.grading.judging.worker import GraderFailed, GraderStuck, Job, judged
from trainer.grading.sandbox.apart import Failed, Lost
from trainer.grading.sandbox.limits import Limits
from trainer.grading.workplace import Here
from trainer.running.answer import Crashed, Overloaded
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
    runs = (ran([{"x": "1"}] * 3000), ran([{"x": "1" * 3_000_000}]), ran([{"x": "1"}]))
    (check,) = portable(
        Verdict(Kind.WRONG, "A.", (Check("a", "A.", False, None, runs),)), NOWHERE
    ).checks
    assert [len(run.outcome.rows) for run in check.runs] == [1]


def test_what_is_passed_on_is_bounded_in_all_and_failures_come_first():
    """Many runs that are each not too large are; who is right needs none."""
    runs = [ran([{"x": "1" * 900_000}]) for _ in range(4)]
    checks = tuple(Check(str(at), "A.", at != 3, None, (run,)) for at, run in enumerate(runs))
    kept = [bool(each.runs) for each in portable(Verdict(Kind.WRONG, "A.", checks), NOWHERE).checks]
    assert kept == [True, False, False, True]
    right = portable(Verdict(Kind.CORRECT, "A.", checks), NOWHERE)
    assert not any(each.runs for each in right.checks)


def test_a_grader_that_ended_early_has_given_no_verdict(monkeypatch, tmp_path):
    """What passed before is no sign of what would have failed."""
    file = tmp_path / f"{EXERCISE.stem}.py"
    file.write_text("def cleanse(rides):\n    return rides\n")
    code = pytest.ExitCode.INTERNAL_ERROR
    monkeypatch.setattr("trainer.checking.graders.pytest.main", lambda *_, **__: code)
    assert verdict_on(EXERCISE, file).message == "No check could be run."


def test_a_verdict_without_a_judgement_is_refused(monkeypatch):
    """Where no check could be run, the grader failed: that is nobody's mistake."""
    verdicts = ((EXERCISE.stem, Verdict(Kind.CRASHED, why)) for why in ["No check could be run."])
    monkeypatch.setattr(worker, "judging", lambda *_, **__: verdicts)
    with pytest.raises(GraderFailed, match="No check could be run"):
        judged(job(b"def cleanse(rides):\n    return rides\n"))


def test_a_verdict_on_a_machine_that_was_too_busy_is_refused(monkeypatch):
    """A student is not graded down for what a neighbour of the grader's did."""
    checks = (Check("test_a", "a", False, Overloaded("busy"), ()),)
    verdicts = ((EXERCISE.stem, Verdict(Kind.CRASHED, why, checks)) for why in ["too busy"])
    monkeypatch.setattr(worker, "judging", lambda *_, **__: verdicts)
    with pytest.raises(GraderFailed, match="too busy"):
        judged(job(b"def cleanse(rides):\n    return rides\n"))


class Moody:
    """A judge who fails the first so many times."""

    failures, asked, gone = (), 0, 0

    def __init__(self, does):
        """Take up no work."""

    def ask(self, job, seconds):
        """Fail, or answer."""
        Moody.asked += 1
        if Moody.asked <= len(Moody.failures):
            raise Moody.failures[Moody.asked - 1]
        return "an answer"

    def dismiss(self):
        """Go."""
        Moody.gone += 1


NO, GONE = Failed("no"), Lost("its process ended")


@pytest.mark.parametrize(
    ("failures", "kind", "asked"),
    [
        ((), str, 1),
        ((NO,), str, 2),
        ((GONE,), str, 2),
        ((NO, NO), GraderFailed, 2),
        ((GONE, NO), GraderFailed, 2),
        ((NO, GONE), GraderStuck, 2),
        ((GONE, GONE), GraderStuck, 2),
    ],
)
def test_a_job_that_failed_is_given_once_more(monkeypatch, failures, kind, asked):
    """Then it is reported as it is: one that a judge was lost over is no machine's bad day."""
    monkeypatch.setattr(crew, "Apart", Moody)
    monkeypatch.setattr(Moody, "failures", failures)
    monkeypatch.setattr(Moody, "asked", 0)
    monkeypatch.setattr(Moody, "gone", 0)
    ((_, answer),) = Crew(Here(1)).judge([job(b"")])
    assert (type(answer), Moody.asked, Moody.gone) == (kind, asked, 1)


def test_no_public_check_has_rows_of_the_secret_stream():
    """Each check has the runs that it names, whatever else ran in the worker's process."""
    tips = find("hourly_tips")
    text = as_submitted(tips, tips.misconceptions, "stops_after_the_sums").encode()
    one = Job(Submission("ann", {tips.stem: text}), (tips.stem,), "none", 2718, 120, Limits(), {})
    ((_, answer),) = Crew(Here(1)).judge([one])
    seeds = {
        check.name: {run.seed for run in check.runs} for check in answer[tips.stem].verdict.checks
    }
    secret = {check.name for check in catalogue([tips], None)[tips.stem] if check.seeded}
    assert {name for name, made_from in seeds.items() if made_from != {None}} == secret
    assert all(seeds[name] == {2718} for name in secret)
