"""A batch that was cut short goes on; who was graded is not graded again, unless it must be."""

import json
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from trainer import cli
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.grading import batch, commands, workplace
from trainer.grading.book.catalogue import catalogue
from trainer.grading.book.out_folder import SCRATCH, all_saved, claimed, file_name, write
from trainer.grading.book.provenance import seed_for
from trainer.grading.book.terms import settings_in
from trainer.grading.judging.worker import GraderFailed, Judged
from trainer.grading.names import find_student
from trainer.running.answer import Crashed

EXERCISE = find("ride_cleansing")
ANSWERS = {"ann": "right", "bob": "wrong", "cem": "no runner"}


@cache
def all_checks() -> list[str]:
    """Name the checks of the exercise: who is right has passed them all."""
    return [listed.name for listed in catalogue([EXERCISE], None)[EXERCISE.stem]]


class PretendedCrew:
    """Judges by a word in the submission, and remembers whom; may be cut short."""

    asked: list[str]
    most = 10

    def __init__(self, size: int) -> None:
        """Hire nobody."""

    def judge(self, jobs, started):
        """Give a verdict on each."""
        for job in jobs[: self.most]:
            started(job.submission.student)
            self.asked.append(job.submission.student)
            yield job, self.answer(job)
        if len(jobs) > self.most:
            raise KeyboardInterrupt

    def answer(self, job):
        """Judge."""
        text = job.submission.files[EXERCISE.stem].decode()
        if text == "no runner":
            return GraderFailed("no runner")
        if text == "crash":
            name, error = "test_the_border_is_inside", Crashed("KeyError: 'x' (line 3)")
            crash = Verdict(Kind.CRASHED, str(error), (Check(name, name, False, error),))
            return {EXERCISE.stem: Judged(crash, 1.0)}
        right = text.strip() == "right"
        names = all_checks() if right else ["test_the_border_is_inside"]
        checks = tuple(Check(name, name, right) for name in names)
        kind = Kind.CORRECT if right else Kind.WRONG
        return {EXERCISE.stem: Judged(Verdict(kind, "Because.", checks), 1.0)}


class Silent:
    """Explains nothing, and at once: no test here looks at a reason."""

    def __init__(self, pictures: Path) -> None:
        """Draw nothing."""

    def explain_all(self, job, answer):
        """Have nothing to say."""
        return {}

    def close(self):
        """Have nothing to end."""


@pytest.fixture
def crew(monkeypatch):
    """Put a pretended crew in the place of the real one, and nobody in that of who explains."""
    monkeypatch.setattr(batch, "Crew", PretendedCrew)
    monkeypatch.setattr(workplace, "Explainer", Silent)
    monkeypatch.setattr(PretendedCrew, "asked", [], raising=False)
    return PretendedCrew


@pytest.fixture
def grade(tmp_path, crew):
    """Run `trainer grade` on three students; give its result and who was judged."""
    folder = tmp_path / "in"
    folder.mkdir()
    for student, text in ANSWERS.items():
        (folder / f"{student}.py").write_text(text)

    def run(*options: str, out: str = "out"):
        crew.asked.clear()
        command = ["grade", str(folder), "--out", str(tmp_path / out), "--seed", "s"]
        command += ["--exercises", EXERCISE.name, "--sandbox", "none", *options]
        return CliRunner().invoke(cli.app, command), list(crew.asked)

    run.folder, run.out = folder, tmp_path / "out"
    return run


def test_who_was_graded_is_not_graded_again(grade):
    """Only the grader's own failure is tried anew."""
    first, asked = grade()
    assert (first.exit_code, asked) == (1, ["ann", "bob", "cem"])
    again, asked = grade()
    assert asked == ["cem"]
    assert "2 were graded before" in again.output


def test_the_grader_s_failure_is_no_zero(grade):
    """It has a verdict of its own, and no score."""
    grade()
    lines = (grade.out / "grades.csv").read_text().splitlines()
    assert lines[3] == "cem,ch01a_ride_cleansing,error,,1,0.0,none"
    assert not (grade.out / "gradescope").exists()


def test_a_batch_that_was_cut_short_goes_on(grade, crew, monkeypatch):
    """Each grade was written when it was known, and no row is missing in the end."""
    monkeypatch.setattr(crew, "most", 1)
    cut, asked = grade()
    assert (cut.exit_code, asked) == (130, ["ann"])
    assert list(all_saved(grade.out)) == ["ann"]
    monkeypatch.setattr(crew, "most", 10)
    _, asked = grade()
    assert asked == ["bob", "cem"]
    assert len((grade.out / "grades.csv").read_text().splitlines()) == 4


def test_another_submission_or_another_seed_is_graded_again(grade):
    """What a grade rests on has changed."""
    grade()
    (grade.folder / "ann.py").write_text("right ")
    assert grade()[1] == ["ann", "cem"]
    assert grade("--seed", "t")[1] == ["ann", "bob", "cem"]


def test_other_points_and_other_feedback_need_no_judge(grade):
    """They are worked out from what is written."""
    (grade.folder / "cem.py").unlink()
    grade()
    before = (grade.out / "reports" / "bob.html").read_text()
    weights = grade.folder.parent / "w.toml"
    weights.write_text(f"[points]\n{EXERCISE.stem} = 5\n")
    _, asked = grade("--weights", str(weights), "--feedback", "none")
    assert asked == []
    assert "ann,ch01a_ride_cleansing,correct,5,5," in (grade.out / "grades.csv").read_text()
    assert (grade.out / "reports" / "bob.html").read_text() != before


def test_the_same_input_gives_the_same_bytes(grade):
    """Times, which stand in one place, are here pretended to be the same."""
    grade("--format", "csv,junit,gradescope")
    grade("--format", "csv,junit,gradescope", out="other")
    names = [path for path in sorted(grade.out.rglob("*")) if path.is_file()]
    assert len(names) > 10
    for path in names:
        other = grade.out.parent / "other" / path.relative_to(grade.out)
        assert path.read_bytes() == other.read_bytes()


def test_compare_overwrites_nothing_unasked(grade):
    """Whose grade would change is shown first."""
    grade()
    before = (grade.out / "grades.csv").read_text()
    (grade.folder / "bob.py").write_text("right")
    shown, _ = grade("--compare", str(grade.out))
    assert "the submission" in " ".join(shown.output.split())
    assert "was overwritten" in shown.output
    assert (grade.out / "grades.csv").read_text() == before
    grade("--compare", str(grade.out), "--yes")
    assert "bob,ch01a_ride_cleansing,correct" in (grade.out / "grades.csv").read_text()
    assert not (grade.out / ".next").exists()


def test_regrade_replays_one_and_changes_nothing(grade):
    """By the seed and the settings that were recorded."""
    grade()
    before = {path: path.read_bytes() for path in grade.out.rglob("*") if path.is_file()}
    same = CliRunner().invoke(cli.app, ["regrade", "bob", "--out", str(grade.out)])
    assert (same.exit_code, "No grade changed." in same.output) == (0, True)
    (grade.folder / "bob.py").write_text("right")
    other = CliRunner().invoke(cli.app, ["regrade", "bob", "--out", str(grade.out)])
    assert other.exit_code == 1
    assert {path: path.read_bytes() for path in before} == before
    CliRunner().invoke(cli.app, ["regrade", "bob", "--out", str(grade.out), "--write"])
    assert "bob,ch01a_ride_cleansing,correct" in (grade.out / "grades.csv").read_text()


BROKEN = pytest.mark.parametrize(
    "text", ["", '{"student": "an', "[]", '{"student": "ann"}', '{"colour": 1}', "\0"]
)


@BROKEN
def test_a_broken_grade_is_told_and_graded_again(grade, text):
    """A disk that was full is no reason for a traceback."""
    grade()
    (grade.out / "students" / "ann.json").write_text(text)
    again, asked = grade()
    assert (asked, again.exit_code) == (["ann", "cem"], 1)
    (told,) = [line for line in again.output.splitlines() if "can't be read" in line]
    assert "students/ann.json can't be read (" in told
    assert told.endswith("); ann is graded again.")
    assert "can't be read" not in grade()[0].output


@BROKEN
def test_a_broken_grade_is_told_once_when_grades_are_compared(grade, text):
    """The others are compared."""
    grade()
    (grade.out / "students" / "ann.json").write_text(text)
    again, asked = grade("--compare", str(grade.out), out="other")
    assert asked == ["ann", "cem"]
    assert again.output.count("can't be read") == 1
    assert "no grade" in again.output


@BROKEN
def test_a_broken_grade_is_told_when_one_is_graded_again(grade, text):
    """Whether it is one's own or a neighbour's, who then is missing in the tables."""
    grade()
    (grade.out / "students" / "ann.json").write_text(text)
    command = ["regrade", "ann", "--out", str(grade.out)]
    own = CliRunner().invoke(cli.app, command)
    assert "ann is graded again." in own.output
    command[1:2] = ["bob", "--write"]
    other = CliRunner().invoke(cli.app, command)
    assert "ann is left out of the tables until `trainer grade` runs again." in other.output
    assert "Traceback" not in own.output + other.output


def test_what_is_no_file_is_no_grade(tmp_path):
    """The reason is the system's own."""
    told = []
    (tmp_path / "students" / "ann.json").mkdir(parents=True)
    assert all_saved(tmp_path, lambda *lost: told.append(lost)) == {}
    ((student, why),) = told
    assert student == "ann"
    assert "students/ann.json can't be read (" in why


def test_a_neighbour_s_grade_is_no_grade(grade):
    """A copy under another name says nothing of whom it is named after."""
    grade()
    students = grade.out / "students"
    (students / "ann.json").write_bytes((students / "bob.json").read_bytes())
    again, asked = grade()
    assert asked == ["ann", "cem"]
    assert "it is the grade of 'bob'" in again.output


@BROKEN
def test_broken_settings_are_a_problem_in_one_line(grade, text):
    """With what to do: the seed is in them."""
    grade()
    (grade.out / "batch.json").write_text(text)
    with pytest.raises(Problem, match=r"batch\.json can't be read \(.*--seed") as told:
        settings_in(grade.out)
    assert "\n" not in str(told.value)
    assert isinstance(regrade(grade, "bob").exception, Problem)


def regrade(grade, student: str, *options: str):
    """Run `trainer regrade`."""
    command = ["regrade", student, "--out", str(grade.out), *options]
    return CliRunner().invoke(cli.app, command)


@pytest.mark.parametrize("typed", ["=eve", "'=eve", "=eve.json"])
def test_a_student_may_be_named_as_in_the_table_or_as_a_file(grade, typed):
    """What was copied from there is what is pasted here."""
    (grade.folder / "=eve.py").write_text("right")
    grade()
    assert "'=eve," in (grade.out / "grades.csv").read_text()
    assert "=eve  ✓" in regrade(grade, typed).output


def test_a_long_name_may_be_typed_as_its_file_s():
    """It is cut there."""
    name = "n" * 200
    assert find_student(file_name(name), [name, "ann"]) == name


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("anna", "Did you mean ann?"),
        ("SMITH", "Did you mean smith_42 or smithers?"),
        ("smiht_43", "Did you mean smith_42?"),
        ("smitt", "Did you mean smith_42 or smithers?"),
        ("nobody like that", "grades.csv has all names."),
    ],
)
def test_a_name_that_nobody_has_is_answered_with_close_ones(typed, hint):
    """In one line."""
    with pytest.raises(Problem) as told:
        find_student(typed, ["ann", "smith_42", "smithers"])
    assert str(told.value) == f"No student {typed!r} among the 3 of this batch. {hint}"


def test_a_crash_is_no_failed_check(grade):
    """What the check is about was never seen."""
    (grade.folder / "bob.py").write_text("crash")
    grade()
    (exercise,) = all_saved(grade.out)["bob"].exercises
    (check,) = [check for check in exercise.checks if check.outcome == "failed"]
    assert check.raised == "crashed"
    page = (grade.out / "overview.html").read_text()
    assert "<h2>Crashes</h2>" in page
    assert '<p class="dim">None.</p>' in page


def test_what_was_handed_in_alike_is_pointed_out_and_stays_so(grade):
    """Whatever ends its lines; also where the grades of all but one were read from files."""
    (grade.folder / "bob.py").write_bytes(b"right \r\n")
    first, _ = grade()
    assert f"Handed in alike: {EXERCISE.stem} by ann, bob.\n" in first.output
    assert f"<li>{EXERCISE.stem}: ann, bob</li>" in (grade.out / "overview.html").read_text()
    regrade(grade, "bob", "--write")
    assert f"<li>{EXERCISE.stem}: ann, bob</li>" in (grade.out / "overview.html").read_text()


def test_the_seed_is_kept_for_the_instructor_alone(grade):
    """In the settings, which nobody else may read; each student has another, made from it."""
    grade()
    file = grade.out / "batch.json"
    assert json.loads(file.read_text())["seed"] == "s"
    assert file.stat().st_mode & 0o077 == 0
    assert all_saved(grade.out)["ann"].seed == seed_for("s", "ann") != seed_for("s", "bob")


def test_a_folder_takes_one_batch_at_a_time(tmp_path):
    """The second is told; when the first has ended, however it did, the folder is free."""
    with (
        claimed(tmp_path),
        pytest.raises(Problem, match="A batch is being graded"),
        claimed(tmp_path),
    ):
        pass
    with claimed(tmp_path):
        pass


def test_what_a_killed_batch_left_in_tmp_is_cleared(tmp_path):
    """The next batch in the same folder knows where it was."""
    left = tmp_path / f"{SCRATCH}left"
    left.mkdir()
    (tmp_path / ".running").write_text(str(left))
    with claimed(tmp_path):
        assert not left.exists()
        (scratch,) = Path((tmp_path / ".running").read_text()).parent.glob(
            Path((tmp_path / ".running").read_text()).name
        )
    assert not scratch.exists()


def test_a_file_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    """A reader never sees half of one."""
    file = tmp_path / "a"
    write(file, "one")

    def fails(*_):
        raise OSError

    monkeypatch.setattr(Path, "replace", fails)
    with pytest.raises(OSError):
        write(file, "two")
    assert file.read_text() == "one"


def test_nothing_is_written_among_the_submissions(grade):
    """It would be somebody's, the next time."""
    came, asked = grade(out="in/grades")
    assert isinstance(came.exception, Problem)
    assert "lies in the folder of submissions" in str(came.exception)
    assert asked == []
    assert not (grade.folder / "grades").exists()


def test_a_folder_that_cannot_be_written_is_told_in_a_line(grade, tmp_path):
    """A file is in its place, say."""
    (tmp_path / "out").write_text("mine")
    came, asked = grade()
    assert isinstance(came.exception, Problem)
    assert "can't be written to" in str(came.exception)
    assert asked == []


def test_what_lies_around_is_nobody_s_draft(grade, tmp_path):
    """A folder that holds the submissions can be written into, and nothing of theirs is touched."""
    (grade.folder / "ann").mkdir()
    (grade.folder / "ann" / ".essay.draft").write_text("mine")
    (tmp_path / ".folder.draft").mkdir()
    for _ in range(2):
        came, _ = grade(out=".")
        assert came.exit_code == 1  # cem's, as always
    assert (grade.folder / "ann" / ".essay.draft").read_text() == "mine"


def test_what_was_asked_for_once_is_kept_up_to_date(grade):
    """Points that were changed stand in every file that there is."""
    grade("--format", "csv,junit,gradescope")
    before = (grade.out / "gradescope" / "ann.json").read_text()
    weights = grade.folder.parent / "weights.toml"
    weights.write_text(f"[points]\n{EXERCISE.stem} = 7\n")
    grade("--weights", str(weights))
    after = (grade.out / "gradescope" / "ann.json").read_text()
    assert before != after
    assert json.loads(after)["tests"][0]["max_score"] == 7


def test_grades_that_are_compared_in_place_are_nobody_else_s_meanwhile(grade, monkeypatch):
    """Who takes over has the folder until the end."""
    grade()
    taken = []

    def take_over(fresh: Path, out: Path, yes: bool) -> None:
        with pytest.raises(Problem, match="A batch is being graded"), claimed(out):
            taken.append("claimed twice")
        taken.append(out)

    monkeypatch.setattr(commands, "_take_over", take_over)
    grade("--compare", str(grade.out), "--yes")
    assert taken == [grade.out]
