"""An answer is recognised by what it gives, whoever wrote it and however."""

import re

import pytest

from tests.kit.course import wrong_answers
from trainer.checking import outcomes
from trainer.checking.graders import verdict_on
from trainer.checking.misconceptions import fits, misconceptions
from trainer.checking.outcomes import Known
from trainer.checking.recognition import misconception, told_by
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.checking.written import reached
from trainer.course.exercise import Exercise, exercises, find

CLEANSING = find("ride_cleansing")
START_ONLY = """
from datagen.grid import EAST, NORTH, SOUTH, WEST

def cleanse(rides):
    return rides.filter(
        f"start_lon between {WEST} and {EAST} and start_lat between {SOUTH} and {NORTH}"
    )
"""
NO_FILTER = "def cleanse(rides):\n    return rides\n"
KEPT = pytest.mark.parametrize(
    "exercise",
    [exercise for exercise in exercises() if exercise.outcomes.exists()],
    ids=lambda exercise: exercise.stem,
)


@pytest.fixture
def judged(tmp_path):
    """Grade an answer to ride cleansing."""

    def judge(text):
        (tmp_path / "answer.py").write_text(text)
        return verdict_on(CLEANSING, tmp_path / "answer.py")

    return judge


def test_the_same_idea_in_other_words_is_recognised(judged):
    """What counts is what comes out; nothing has to be run for it."""
    told = misconception(CLEANSING, judged(START_ONLY), seconds=0)
    assert told.startswith("You kept rides that *start* in the city.")


def test_a_stream_from_a_secret_seed_need_not_be_run(tmp_path):
    """What is known of the scripts is enough: a batch would wait for each such run."""
    (tmp_path / "answer.py").write_text(START_ONLY)
    verdict = verdict_on(CLEANSING, tmp_path / "answer.py", seed=2718)
    assert misconception(CLEANSING, verdict, seconds=0).startswith("You kept rides that *start*")


def test_without_known_outcomes_the_misconceptions_are_run(judged, monkeypatch):
    """A changed grader, or a secret seed, costs time but no insight."""
    monkeypatch.setattr("trainer.checking.recognition.known", lambda exercise: Known())
    verdict = judged(START_ONLY)
    told = misconception(CLEANSING, verdict, seconds=float("inf"))
    assert told.startswith("You kept rides that *start* in the city.")
    assert misconception(CLEANSING, verdict, seconds=0) is None


@pytest.fixture
def twins(monkeypatch):
    """Have two misconceptions of ride cleansing that give what an answer gave."""

    def make(verdict, **marks):
        names = ("looks_at_the_start_only", "drops_repeats_as_well")
        wrong = [each for each in misconceptions(CLEANSING) if each.__name__ in names]
        wrong[1].caught_by = wrong[0].caught_by
        vars(wrong[1]).update(marks)
        given = Known(dict.fromkeys(names, outcomes.marks(verdict)))
        monkeypatch.setattr("trainer.checking.recognition.known", lambda _: given)
        monkeypatch.setattr("trainer.checking.recognition.misconceptions", lambda _: wrong)
        return wrong

    return make


def test_of_two_that_give_the_same_none_is_told(judged, twins):
    """They may exclude each other, and only the learner knows which of them it was."""
    verdict = judged(START_ONLY)
    twins(verdict)
    assert misconception(CLEANSING, verdict, seconds=0) is None


def test_of_two_that_give_the_same_the_code_may_decide(judged, twins):
    """An idea that names what the learner didn't write, or wrote otherwise, is not told."""
    verdict = judged(START_ONLY)
    for marks in ({"written": ("dropDuplicates",)}, {"not_written": (r"filter\(",)}):
        first, _ = twins(verdict, **{"written": (), "not_written": ()} | marks)
        assert misconception(CLEANSING, verdict, seconds=0) == told_by(first)


def test_comments_docstrings_and_what_is_not_used_are_no_code():
    """A contract that says `withWatermark` doesn't make an answer one that has a watermark."""
    text = (
        '"""dropDuplicates"""\n'
        "DELAY = '5 minutes'\n"
        "UNUSED = 'withWatermark'\n"
        "def wait(frame):\n    return frame.where(DELAY)\n"
        "def answer(frame):\n"
        '    """Use a window."""\n'
        "    # or a join\n"
        "    return wait(frame)\n"
    )
    code = reached(text, "answer")
    assert "5 minutes" in code
    assert "where" in code
    assert not re.search("withWatermark|window|join|dropDuplicates", code)


def test_what_is_no_python_has_no_code():
    """What can't be read is not looked into."""
    assert reached("def answer(:", "answer") == ""
    assert reached("(" * 100_000, "answer") == ""


DELAYED = """
def hourly_tips(fares):
    return sums(fares.withWatermark("start_time", "{delay}"))
"""


@pytest.mark.parametrize(
    ("delay", "told"),
    [
        ("0 seconds", "You closed hours too soon."),
        ("9 minutes", "You closed hours too soon."),
        ("10 minutes", None),
        ("600 seconds", None),
        ("11 minutes", "You waited longer than needed."),
        ("1 day", "You waited longer than needed."),
    ],
)
def test_what_the_code_shows_is_told_whatever_comes_of_it(delay, told):
    """Each delay gives rows of its own; that it is too short, or too long, is the same fault."""
    tips, code = find("hourly_tips"), reached(DELAYED.format(delay=delay), "hourly_tips")
    names = {name for wrong in misconceptions(tips) for name in wrong.caught_by}
    checks = tuple(Check(name, "A fact.", passed=False) for name in sorted(names))
    idea = misconception(tips, Verdict(Kind.WRONG, "A fact.", checks, code), seconds=0)
    assert (idea and idea[: len(told or "")]) == told


def test_what_the_code_shows_is_not_told_of_a_check_that_passed():
    """A delay that does no harm to this answer is not what is wrong with it."""
    tips, code = find("hourly_tips"), reached(DELAYED.format(delay="1 day"), "hourly_tips")
    verdict = Verdict(Kind.WRONG, "A.", (Check("test_one", "A.", passed=False),), code)
    assert misconception(tips, verdict, seconds=0) is None


def test_another_fault_is_not_taken_for_one_of_the_library(judged):
    """Who filters nothing at all kept rides that start in the city too; that isn't the idea."""
    assert misconception(CLEANSING, judged(NO_FILTER), seconds=float("inf")) is None


def test_what_does_not_explain_the_check_that_is_shown_is_not_told(tmp_path):
    """Who gives nothing at all fails the check on `threshold` too, but didn't write 20."""
    places = find("popular_places")
    nothing = places.solution.read_text().replace(
        'F.col("ride_count") >= threshold', "F.lit(False)"
    )
    (tmp_path / "answer.py").write_text(nothing)
    assert misconception(places, verdict_on(places, tmp_path / "answer.py")) is None


@KEPT
def test_known_outcomes_are_of_todays_files(exercise: Exercise) -> None:
    """After a change to a grader or its misconceptions, find them out again."""
    remedy = f"run `uv run python -m trainer.outcomes {exercise.stem}`"
    names = {wrong.__name__ for wrong in misconceptions(exercise)}
    assert set(outcomes.known(exercise).given) == names, remedy


@pytest.mark.overnight
@pytest.mark.parametrize(("exercise", "wrong"), wrong_answers())
def test_every_misconception_is_recognised(exercise: Exercise, wrong) -> None:
    """What is told belongs to it; where outcomes are kept, nothing has to be run for it."""
    verdict = verdict_on(exercise, exercise.misconceptions, function=wrong.__name__)
    assert verdict.kind == Kind.WRONG
    if not any(check.runs for check in verdict.checks):
        # Refused before it gave a row, it is told why by that.
        assert misconception(exercise, verdict) is None
        return
    if exercise.outcomes.exists():
        assert outcomes.marks(verdict) == outcomes.known(exercise).given[wrong.__name__]
    seconds = 0 if exercise.outcomes.exists() else float("inf")
    assert misconception(exercise, verdict, seconds) == told_by(wrong)


@pytest.mark.parametrize(("exercise", "wrong"), wrong_answers())
def test_a_misconception_is_told_apart_from_its_twins(exercise: Exercise, wrong) -> None:
    """Of those that give just the same, only one is true of this one's own code."""
    given, code = outcomes.known(exercise).given, reached(*code_of(exercise, wrong))
    assert fits(wrong, code)
    others = [each for each in misconceptions(exercise) if each.__name__ != wrong.__name__]
    mine = given.get(wrong.__name__)
    twins = [each for each in others if mine and given[each.__name__] == mine]
    assert [each.__name__ for each in twins if fits(each, code)] == []


def code_of(exercise: Exercise, wrong) -> tuple[str, str]:
    """Give the file that a misconception stands in, and its name."""
    return exercise.misconceptions.read_text(encoding="utf-8"), wrong.__name__
