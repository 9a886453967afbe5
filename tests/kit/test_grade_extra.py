"""An instructor's own graders, run in addition to the kit's."""

import pytest

from trainer.exercise import find
from trainer.grading.catalogue import catalogue
from trainer.problem import Problem
from trainer.verdict import Kind, grade

EXERCISE = find("ride_cleansing")
TEXT = '''
from trainer.rows import ride

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)

def test_trap(run):
    """Ride 4711 is kept."""
    assert run(rides=[[ride(4711)]]).column("ride_id") == [4711]

def test_seeded(run, seed):
    """The seed comes."""
    assert isinstance(seed, int)
'''
FALLS_FOR_IT = (
    '\n\nkept = cleanse\n\ndef cleanse(rides):\n    return kept(rides).filter("ride_id != 4711")\n'
)


@pytest.fixture
def folder(tmp_path):
    """Write an own grader."""
    folder = tmp_path / "hidden"
    folder.mkdir()
    (folder / EXERCISE.grader.name).write_text(TEXT)
    return folder


def test_own_checks_are_told_from_the_kit_s(folder):
    """By their folder's name; which rest on the seed is known as well."""
    listed = catalogue([EXERCISE], folder)[EXERCISE.stem]
    own = [(check.name, check.fact, check.seeded) for check in listed if check.extra]
    assert own == [
        ("hidden/test_trap", "Ride 4711 is kept.", False),
        ("hidden/test_seeded", "The seed comes.", True),
    ]
    assert len(listed) > 10


def test_an_answer_must_pass_both(folder, tmp_path, spark):
    """The kit's checks alone would let this one through."""
    answer = tmp_path / f"{EXERCISE.stem}.py"
    answer.write_text(EXERCISE.solution.read_text() + FALLS_FOR_IT)
    verdict = grade(EXERCISE, answer, extra=folder / EXERCISE.grader.name)
    assert [check.name for check in verdict.checks if not check.passed] == ["hidden/test_trap"]
    assert verdict.kind == Kind.WRONG
    assert grade(EXERCISE, answer).kind == Kind.CORRECT


@pytest.mark.parametrize("text", ["import nothing_like_it", "", "def test_x(:\n"])
def test_a_grader_that_holds_no_check_is_refused(folder, text):
    """Before anyone is graded by it."""
    (folder / EXERCISE.grader.name).write_text(text)
    with pytest.raises(Problem, match="holds no check that can run"):
        catalogue([EXERCISE], folder)


def test_a_folder_without_a_grader_is_refused(tmp_path):
    """A name that is not quite right would go unnoticed."""
    with pytest.raises(Problem, match=r"No grader in .* expected test_ch01a_ride_cleansing\.py"):
        catalogue([EXERCISE], tmp_path)
