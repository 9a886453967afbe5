"""Five verdicts, never mistaken for each other; how answers are found and loaded."""

from pathlib import Path

import pytest

from trainer.checking.graders import verdict_on
from trainer.checking.verdict import Kind, Verdict
from trainer.course import exercise
from trainer.course.exercise import NoSuchExercise, find
from trainer.course.problem import Problem
from trainer.learner.check import check
from trainer.running.loading import load

CLEANSING = find("ride_cleansing")
HEAD = "from datagen.geo import is_in_nyc\n\n\ndef cleanse(rides):\n"
RIGHT = """    rides = rides.filter(is_in_nyc("start_lon", "start_lat"))
    return rides.filter(is_in_nyc("end_lon", "end_lat"))
"""


@pytest.fixture
def answer(tmp_path):
    """Write an answer to ride cleansing; give its path."""

    def write(text: str) -> Path:
        path = tmp_path / f"{CLEANSING.stem}.py"
        path.write_text(text)
        return path

    return write


@pytest.fixture
def own_checks(tmp_path):
    """Grade the reference by one of the grader's checks, and by some that do this."""

    def graded(*bodies: str) -> Verdict:
        extra = tmp_path / f"test_{CLEANSING.stem}.py"
        numbered = enumerate(bodies)
        extra.write_text("\n".join(f"def test_{n}():\n    {body}\n" for n, body in numbered))
        one = "test_the_border_is_inside"
        return verdict_on(CLEANSING, CLEANSING.solution, tests=[one], extra=extra)

    return graded


def test_a_right_answer_is_correct(answer):
    """All its checks passed, and it says how many."""
    came = verdict_on(CLEANSING, answer(HEAD + RIGHT))
    assert came.kind == Kind.CORRECT
    assert came.message == f"All {len(came.checks)} checks passed."


def test_a_wrong_answer_is_told_the_rule_it_breaks(answer):
    """The first check that failed states the rule."""
    came = verdict_on(CLEANSING, answer(HEAD + "    return rides\n"))
    assert came.kind == Kind.WRONG
    assert came.message.startswith("A ride that ends outside the city must be dropped")


def test_an_answer_with_other_columns_is_wrong(answer):
    """What breaks the contract is told in the contract's words."""
    came = verdict_on(CLEANSING, answer(HEAD + '    return rides.select("ride_id")\n'))
    assert came.kind == Kind.WRONG
    assert "a DataFrame that lacks taxi_id, driver_id" in came.message


def test_an_answer_that_raises_has_crashed(answer):
    """The learner's own line is quoted."""
    came = verdict_on(CLEANSING, answer(HEAD + "    return rides.where(rides.nowhere)\n"))
    assert came.kind == Kind.CRASHED
    assert came.message.count("(line 5: return rides.where(rides.nowhere))") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "def cleanse(rides)\n",
            "ch01a_ride_cleansing.py is not Python: SyntaxError: expected ':' (line 1: def",
        ),
        ("import nothing_like_it\n", 'cannot be loaded: ModuleNotFoundError("No module named'),
        ("exit()\n", "ch01a_ride_cleansing.py cannot be loaded: SystemExit(None) (line 1: exit())"),
    ],
)
def test_a_file_that_cannot_be_loaded_has_crashed(answer, text, message):
    """What is wrong with the file is told in one line."""
    came = verdict_on(CLEANSING, answer(text))
    assert came.kind == Kind.CRASHED
    assert message in came.message


def test_a_file_without_the_function_is_wrong(answer):
    """The function that is looked for is named."""
    came = verdict_on(CLEANSING, answer("def clean(rides):\n    return rides\n"))
    assert came.kind == Kind.WRONG
    assert "has no function cleanse" in came.message


def test_an_answer_that_still_raises_somewhere_is_unfinished(answer):
    """Even if some code stands before it."""
    begun = HEAD + "    rides = rides.filter('is_start')\n    raise NotImplementedError\n"
    assert verdict_on(CLEANSING, answer(begun)).kind == Kind.UNFINISHED


def test_an_answer_that_was_not_checked_is_not_correct(answer):
    """A test that isn't there can't pass."""
    came = verdict_on(CLEANSING, answer(HEAD + RIGHT), tests=["test_no_such_thing"])
    assert came.kind == Kind.CRASHED


def test_an_answer_that_skips_its_check_has_crashed(answer):
    """What pytest would take for a skip is an error in an answer like any other."""
    skips = "import pytest\n" + HEAD + "    pytest.skip('not today')\n"
    came = verdict_on(CLEANSING, answer(skips))
    assert came.kind == Kind.CRASHED
    assert came.message == "Skipped: not today (line 6: pytest.skip('not today'))"


def test_a_check_that_was_skipped_has_not_passed(own_checks):
    """Nobody knows what it would have shown."""
    came = own_checks("pass", "import pytest\n    pytest.skip('not today')")
    assert came.kind == Kind.WRONG
    assert [check.passed for check in came.checks[-2:]] == [True, False]


def test_a_second_look_sees_what_was_saved_since(answer):
    """An answer is read afresh each time, however fast it was edited."""
    assert load(answer("def cleanse(rides):\n    return 1\n"), "cleanse")(None) == 1
    assert load(answer("def cleanse(rides):\n    return 2\n"), "cleanse")(None) == 2


def test_a_name_without_its_place_finds_the_exercise():
    """Both names mean the same exercise."""
    assert find("quarantine") == find("ch01b_quarantine")
    assert (find("quarantine").chapter, find("quarantine").letter) == (1, "b")


def test_a_name_that_is_nearly_right_is_mended():
    """The nearest name is proposed, and where to look is told."""
    with pytest.raises(NoSuchExercise) as caught:
        find("ride_cleaning")
    assert str(caught.value) == (
        "No exercise 'ride_cleaning'. Did you mean ch01a_ride_cleansing? "
        "`trainer list` shows them all."
    )


def test_check_prints_the_verdict(monkeypatch, tmp_path, capsys):
    """On a stub as issued: that it is untouched, and what to do."""
    (tmp_path / "exercises").mkdir()
    stub = tmp_path / "exercises" / CLEANSING.stub.name
    stub.write_text(CLEANSING.issued.read_text())
    monkeypatch.setattr(exercise, "ROOT", tmp_path)
    check("ride_cleansing")
    assert capsys.readouterr().out == (
        "· ch01a_ride_cleansing: untouched  ch01a_ride_cleansing.py is as it was issued.\n"
        "Write your answer in exercises/ch01a_ride_cleansing.py, save it, and check again.\n"
    )


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        (["Crashed('x')", "ContractError('y')"], Kind.CRASHED),
        (["ContractError('x')", "Crashed('y')"], Kind.WRONG),
        (["Unfinished('x')", "Crashed('y')"], Kind.UNFINISHED),
        (["Overloaded('x')", "Crashed('y')"], Kind.CRASHED),
    ],
)
def test_the_first_check_that_fails_decides(own_checks, errors, kind):
    """Later ones don't change the verdict."""
    raising = [f"from trainer.running import answer\n    raise answer.{error}" for error in errors]
    came = own_checks("pass", *raising)
    assert (came.kind, came.message) == (kind, "x")


def test_what_keeps_anything_from_running_is_no_fault_of_the_answer(answer, monkeypatch):
    """A machine without even a loopback can't start Spark: that breaks no rule of the contract."""

    def start(*_):
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("trainer.checking.pytest_plugin._start", start)
    came = verdict_on(CLEANSING, answer(HEAD + RIGHT))
    assert came.kind == Kind.CRASHED
    assert "Network is unreachable), which says nothing about your answer" in came.message


def test_a_check_through_spark_connect_is_refused_in_one_line(monkeypatch):
    """Better a line that says what to do than an answer called wrong."""
    monkeypatch.setenv("TRAINER_REMOTE", "sc://elsewhere")
    with pytest.raises(Problem, match="name a cluster with TRAINER_MASTER"):
        verdict_on(CLEANSING, CLEANSING.solution)
