"""A case as code: pasted, it is the same case again."""

from dataclasses import replace

import pytest

from trainer.course.exercise import exercises, find
from trainer.display.as_code import as_code
from trainer.lessons import stepper
from trainer.rows import HARTFORD, NOWHERE, at, block, end, fare, minutes, ride, rule, unblock
from trainer.running.loading import load_module
from trainer.running.scenario import Scenario

SORTER = find("event_sorter")


def scripts_of(exercise) -> list[Scenario]:
    """Give what an exercise's grader runs, the same for everyone."""
    there = vars(load_module(exercise.grader)).values()
    declared = [thing.declared for thing in there if hasattr(thing, "declared")]
    return [each.scenario(1) for each in declared if not each.seeded]


@pytest.fixture
def pasted(monkeypatch):
    """Run code as a notebook would; give the name and the scenario that `step` was called with."""

    def paste(code: str) -> tuple[str, Scenario]:
        called = []
        monkeypatch.setattr(
            stepper, "step", lambda name, **given: called.append((name, Scenario.of(**given)))
        )
        exec(code, {})
        return called[0]

    return paste


@pytest.mark.parametrize("exercise", exercises(), ids=lambda each: each.stem)
def test_what_graders_run_comes_back_as_it_was(pasted, exercise, monkeypatch):
    """Each script that is the same for everyone, whatever rows it is of."""
    monkeypatch.setattr("trainer.display.as_code.MOST_LINES", 2000)
    codes = [(scenario, as_code(exercise, scenario)) for scenario in scripts_of(exercise)]
    assert any(code for _, code in codes)
    for scenario, code in codes:
        # To look into state in the end is the grader's business, and no part of what happens.
        options = {key: value for key, value in scenario.options.items() if key != "state_held"}
        assert not code or pasted(code) == (exercise.stem, replace(scenario, options=options))


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (ride(1), "ride(1)"),
        (end(1, at="12:20:30"), 'end(1, at="12:20:30")'),
        (ride(None, at=None, driver=None), "ride(None, at=None, driver=None)"),
        (ride(2, starts_at=HARTFORD, ends_at=NOWHERE), "starts_at=HARTFORD, ends_at=NOWHERE"),
        (ride(2, starts_at=(-74.05, 40.7)), "ride(2, starts_at=(-74.05, 40.7))"),
        (fare(3, tip=4.35, payment="CASH"), 'fare(3, payment="CASH", tip=4.35)'),
        (ride(1) | {"taxi_id": 7}, 'ride(1) | {"taxi_id": 7}'),
        (ride(1, is_start=None), 'ride(1) | {"is_start": None}'),
        (ride(1, at=at("12:00") + minutes(1440)), "datetime(2020, 1, 2, 12, 0, tzinfo=UTC)"),
        (fare(1, tip=float("inf")), 'tip=float("inf")'),
        (block(1, at="12:10"), 'block(1, at="12:10")'),
        (unblock(2, at="12:40"), 'unblock(2, at="12:40")'),
        (rule(3, over=80.5, active=False), "rule(3, over=80.5, active=False)"),
        ({"value": 'a "quoted" \\ line\n'}, "'a \"quoted\" \\\\ line\\n'"),
        ({"cell": 1, "event_time": at("12:00")}, '{"cell": 1, "event_time": at("12:00")}'),
    ],
)
def test_rows_are_written_short_and_are_the_same(pasted, row, text):
    """As scripts of the course write them, or else as they are."""
    code = as_code(SORTER, Scenario.of(rides=[[row], []]))
    assert text in code
    assert repr(pasted(code)[1].inputs) == repr({"rides": [[row], []]})


def test_equal_rows_numbers_and_options_are_written_too(pasted):
    """Twenty equal rows are one, twenty times."""
    scenario = Scenario.of(rides=[20 * [ride(1)]], threshold=20, restart_after=1)
    code = as_code(SORTER, scenario)
    assert "[*20 * [ride(1)]]" in code
    assert pasted(code) == (SORTER.stem, scenario)


def test_what_nobody_would_read_is_not_written():
    """A thousand rides are no case to look at."""
    assert as_code(SORTER, Scenario.of(rides=[[ride(number) for number in range(1000)]])) == ""


def test_the_name_of_an_exercise_stands_for_the_learners_answer(monkeypatch):
    """As it was last saved."""
    ran = []
    monkeypatch.setattr("trainer.running.drive.run", lambda answer, **given: ran.append(answer))
    monkeypatch.setattr(stepper, "Steps", lambda outcome: outcome)
    stepper.step(SORTER.stem, rides=[[ride(1)]])
    assert ran[0].__name__ == SORTER.function
    assert ran[0].__code__.co_filename.endswith(SORTER.stub.name)


def test_options_say_what_they_do():
    """Nobody who pastes a case has to look up what `role` or `killed_after` is."""
    exercise = find("keep_the_rides")
    killed = Scenario.of(rides=[[ride(1)], [end(1)]], role="program", killed_after=1)
    *_, role, kills, _ = as_code(exercise, killed).splitlines()
    assert role == '    role="program",  # your function starts the query: once for each list'
    assert kills.endswith(
        "  # in this micro-batch, counted from 1, the query is killed, and started again"
    )
