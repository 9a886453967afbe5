"""An instructor's own graders, run in addition to the kit's."""

import pytest

from trainer.checking.graders import verdict_on
from trainer.checking.verdict import Kind
from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.grading.book.catalogue import catalogue

EXERCISE = find("ride_cleansing")
TEXT = '''
from trainer.rows import ride
from trainer.runs import scripted, seeded

COLUMNS = (
    "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, event_time timestamp, "
    "start_lon float, start_lat float, end_lon float, end_lat float, passenger_count smallint"
)

result = scripted(rides=[[ride(4711)]])

@seeded
def secret(seed):
    return {"rides": [[ride(seed)]]}

def test_trap(result):
    """Ride 4711 is kept."""
    assert result.column("ride_id") == [4711]

def test_seeded(secret):
    """A secret ride is kept."""
    assert len(secret.rows) == 1

def test_seed(seed):
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
        ("hidden/test_seeded", "A secret ride is kept.", True),
        ("hidden/test_seed", "The seed comes.", True),
    ]
    assert len(listed) > 10


def test_an_answer_must_pass_both(folder, tmp_path, spark):
    """The kit's checks alone would let this one through."""
    answer = tmp_path / f"{EXERCISE.stem}.py"
    answer.write_text(EXERCISE.solution.read_text() + FALLS_FOR_IT)
    verdict = verdict_on(EXERCISE, answer, extra=folder / EXERCISE.grader.name)
    assert [check.name for check in verdict.checks if not check.passed] == ["hidden/test_trap"]
    assert [run.name for run in verdict.checks[-3].runs] == ["hidden/result"]
    assert verdict.kind == Kind.WRONG
    assert verdict_on(EXERCISE, answer).kind == Kind.CORRECT


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nothing_like_it", "ModuleNotFoundError: No module named 'nothing_like_it'"),
        ("", "it holds no check"),
        ("def test_x(:\n", "SyntaxError"),
        ("def test_x(run):\n    pass\n", "fixture 'run' not found"),
        (TEXT.replace("COLUMNS =", "COLUMN ="), "it has no COLUMNS"),
    ],
)
def test_a_grader_that_cannot_be_run_is_refused(folder, text, why):
    """Before anyone is graded by it: its fault would look like theirs."""
    (folder / EXERCISE.grader.name).write_text(text)
    with pytest.raises(Problem, match=f"can't be run: .*{why}"):
        catalogue([EXERCISE], folder)


def test_a_folder_without_a_grader_is_refused(tmp_path):
    """A name that is not quite right would go unnoticed."""
    with pytest.raises(Problem, match=r"No grader in .* expected test_ch01a_ride_cleansing\.py"):
        catalogue([EXERCISE], tmp_path)
