"""Grades in all their forms: each can be read by whom it is for, and gives nothing else away."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import jsonschema
import pytest
import xmlschema

from tests.kit import grades as made
from trainer.grading.book.grades import from_json
from trainer.grading.book.texts import alike
from trainer.grading.pages import exports, overview_page, student_page
from trainer.grading.pages.showing import shown

DATA = Path(__file__).parent / "data"
NUMBER, TEXT = {"type": "number"}, {"type": "string"}
SEEN = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
# As Gradescope's documentation of autograders describes results.json.
GRADESCOPE = {
    "type": "object",
    "additionalProperties": False,
    "anyOf": [
        {"required": ["score"]},
        {"required": ["tests"], "properties": {"tests": {"items": {"required": ["score"]}}}},
    ],
    "properties": {
        "score": NUMBER,
        "execution_time": NUMBER,
        "output": TEXT,
        "output_format": FORMAT,
        "visibility": SEEN,
        "stdout_visibility": SEEN,
        "extra_data": {"type": "object"},
        "leaderboard": {"type": "array"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "score": NUMBER,
                    "max_score": NUMBER,
                    "status": {"enum": ["passed", "failed"]},
                    "name": TEXT,
                    "name_format": FORMAT,
                    "number": TEXT,
                    "output": TEXT,
                    "output_format": FORMAT,
                    "tags": {"type": "array", "items": TEXT},
                    "visibility": SEEN,
                    "extra_data": {"type": "object"},
                },
            },
        },
    },
}
STUDENT = pytest.mark.parametrize("grade", made.ALL, ids=lambda grade: grade.student)


def for_the_student(grade, feedback: str) -> str:
    """Write all that a student may be given."""
    page = student_page.page(grade, feedback, DATA)
    return page + (exports.to_gradescope(grade, feedback) or "")


def test_the_table_has_a_line_for_each_student_and_exercise():
    """An error of the grader has no score, which is not a zero."""
    lines = list(csv.DictReader(exports.to_csv(made.ALL).splitlines()))
    assert list(lines[0]) == [*exports.COLUMNS]
    assert [(line["student"], line["verdict"], line["score"]) for line in lines] == [
        ("ann", "correct", "1"),
        ("bob", "wrong", "0"),
        ("cem", "wrong", "0"),
        ("dee", "wrong", "0"),
        ("<eve>", "crashed", "0"),
        ("fay", "untouched", "0"),
        ("gus", "error", ""),
    ]


def test_a_name_is_no_formula():
    """A spreadsheet would compute it."""
    assert "\n'=1+1,ch01a" in exports.to_csv([made.of("=1+1", "correct")])


def test_junit_s_file_is_valid():
    """By the schema that its readers agree on, with whatever stands in messages."""
    xmlschema.validate(exports.to_junit(made.ALL), DATA / "junit.xsd")


def test_junit_s_file_counts_what_it_holds():
    """A crash and a failure of the grader are errors; what was not run is skipped."""
    suites = {suite.get("name"): suite for suite in ET.fromstring(exports.to_junit(made.ALL))}
    names = ("tests", "failures", "errors", "skipped")
    counts = {n.split(".")[0]: [int(s.get(key)) for key in names] for n, s in suites.items()}
    assert counts == {
        "ann": [2, 0, 0, 0],
        "bob": [2, 1, 0, 0],
        "cem": [2, 1, 0, 0],
        "dee": [2, 1, 0, 0],
        "<eve>": [2, 0, 1, 1],
        "fay": [1, 1, 0, 0],
        "gus": [1, 0, 1, 0],
    }
    for suite in suites.values():
        found = [len(suite.findall(f".//{tag}")) for tag in ("failure", "error", "skipped")]
        assert found == [int(suite.get(name)) for name in names[1:]]


@STUDENT
@pytest.mark.parametrize("feedback", ["full", "public", "none"])
def test_gradescope_s_file_is_valid(grade, feedback):
    """There is none while the grader failed: a missing file is no zero."""
    text = exports.to_gradescope(grade, feedback)
    if grade is made.FAILED:
        assert text is None
    else:
        jsonschema.validate(json.loads(text), GRADESCOPE)


@STUDENT
def test_a_grade_is_read_as_it_was_written(grade):
    """Nothing is lost on the way."""
    assert from_json(grade.to_json()) == grade


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"exercises": 5}, "'5' is no list"),
        ({"exercises": [5]}, "'5' is no dict"),
        ({"exercises": [{"exercise": made.STEM}]}, "'verdict' is missing"),
        ({"colour": "red"}, "'colour' is not known here"),
        ({"times": {made.STEM: "soon"}}, "'soon' is no number"),
        ({"notes": None}, "'None' is no list"),
    ],
)
def test_a_grade_of_another_shape_is_not_read(changed, why):
    """What it would do to a page, nobody knows."""
    with pytest.raises(ValueError, match=why):
        from_json(json.dumps(json.loads(made.WRONG.to_json()) | changed))


def test_a_grade_of_an_older_version_is_read_as_far_as_it_goes():
    """What it could not know is as if there were none."""
    given = json.loads(made.CORRECT.to_json())
    for exercise in given["exercises"]:
        del exercise["text"]
    assert from_json(json.dumps(given)) == made.CORRECT


def test_a_report_names_the_idea_and_shows_the_rows():
    """What failed in words, what is behind it, and where it shows."""
    page = student_page.page(made.WRONG, "public", DATA)
    assert "wrong" in page
    assert "<li>A ride to Hartford is dropped.</li>" in page
    assert re.search(
        r"You kept rides that <em>start</em> in the city; see <code[^>]*>end_lon</code>\.", page
    )
    assert "2718" in page


@STUDENT
@pytest.mark.parametrize("feedback", ["public", "none"])
def test_nothing_hidden_is_in_what_a_student_gets(grade, feedback):
    """No hidden test's name, fact or rows, nothing of seeded rows, and no seed."""
    text = for_the_student(grade, feedback)
    assert "trap" not in text
    assert "8128" not in text
    if grade is not made.WRONG or feedback == "none":
        assert "2718" not in text


def test_a_hidden_failure_is_told_as_no_more_than_that():
    """The verdict has to be said."""
    (grade,) = made.SECRETLY_WRONG.exercises
    told = shown(grade, "public")
    assert told.message == "It gives something else than expected in a check that is not shown."
    assert [check.name for check in told.checks] == ["test_kept"]


def test_a_crash_on_secret_rows_does_not_quote_them():
    """An error's text can hold what the answer saw."""
    seeded = made.CheckGrade("test_generated", "Generated.", "failed", seeded=True)
    (grade,) = made.of("hal", "crashed", "KeyError: 314159 (line 3)", seeded).exercises
    assert "314159" not in shown(grade, "public").message
    assert "314159" in shown(grade, "full").message


def test_no_feedback_means_the_verdict_and_the_score():
    """Nothing else of the check that failed."""
    text = for_the_student(made.WRONG, "none")
    assert "wrong" in text
    assert "Hartford" not in text


def test_what_a_student_writes_is_text_in_a_page():
    """Neither markup nor script."""
    for page in (
        student_page.page(made.CRASHED, "full", DATA),
        overview_page.page(made.ALL, "none", {grade.student: "x" for grade in made.ALL}),
    ):
        assert "<b>'" not in page
        assert "<eve>" not in page


def test_the_overview_counts():
    """Verdicts by exercise, ideas, checks, and who handed in nothing."""
    counts = overview_page.verdicts(made.ALL)[made.STEM]
    assert counts == {"correct": 1, "wrong": 3, "crashed": 1, "untouched": 1, "error": 1}
    assert overview_page.misconceptions(made.ALL) == [((made.STEM, made.IDEA), 1)]
    assert [count for _, count in overview_page.failing_checks(made.ALL)] == [1, 1, 1]
    assert "<h2>Handed in nothing</h2>\n<p>fay</p>" in overview(*made.ALL)


def overview(*grades) -> str:
    """Write the instructor's page."""
    files = {grade.student: f"file-of-{grade.student}" for grade in grades}
    return overview_page.page(grades, "none", files)


def test_the_overview_begins_with_all_students():
    """Each with a link, the score, and a mark for each exercise; what marks mean stands below."""
    page = overview(*made.ALL)
    assert page.index("<table") == page.index('<table class="students">')
    row = re.search(r"<tr><td><a [^>]*>bob</a>.*", page)[0]
    assert 'href="reports/file-of-bob.html"' in row
    assert re.findall(r">([^<>]+)<", row) == ["bob", "0 of 1", "✗"]
    assert f'title="{made.STEM}: wrong. A ride to Hartford is dropped."' in row
    assert "no score" in re.search(r"<tr><td><a [^>]*>gus</a>.*", page)[0]
    assert "✗ wrong" in page


def raised(name: str, kind: str, error: str) -> made.CheckGrade:
    """Make a check in which an answer came to nothing."""
    return made.CheckGrade(name, "A fact.", "failed", error=error, raised=kind)


def test_a_check_that_met_a_crash_says_nothing_of_its_fact():
    """Crashes are listed by themselves, once for each student, wherever the line was."""
    grades = [
        made.of("a", "crashed", "KeyError: 'x' (line 3: f(x))", raised("test_kept", "crashed", "")),
        made.of("b", "crashed", "KeyError: 'x' (line 9)", raised("test_kept", "crashed", "")),
        made.of("c", "unfinished", "Still.", raised("test_kept", "unfinished", "Still.")),
        made.of(
            *("d", "wrong", made.DROPPED.fact, made.DROPPED),
            raised("test_generated", "crashed", "ValueError: y (line 1)."),
        ),
    ]
    assert [key[1] for key, _ in overview_page.failing_checks(grades)] == ["test_dropped"]
    assert overview_page.crashes(grades) == [
        ((made.STEM, "KeyError: 'x'"), 2),
        ((made.STEM, "ValueError: y"), 1),
    ]
    assert "<h2>Crashes</h2>" in overview(*grades)
    assert "<h2>Crashes</h2>" not in overview(made.CORRECT)


def test_texts_handed_in_alike_are_pointed_out():
    """Whose, for which exercise; what nobody wrote is left out."""
    names = {"ann": "1", "bob": "1", "cem": "2", "dee": "", "eve": ""}
    grades = [made.of(student, "correct", text=text) for student, text in names.items()]
    assert alike(grades) == [(made.STEM, ("ann", "bob"))]
    assert f"<h2>Handed in alike</h2>\n<ul>\n<li>{made.STEM}: ann, bob</li>" in overview(*grades)
    assert "Handed in alike" not in overview(*grades[1:])
