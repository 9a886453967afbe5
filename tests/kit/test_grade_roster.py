"""A roster and submissions: who is who, who is missing, and what goes into a gradebook."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from tests.kit import grades as made
from trainer.course.problem import Problem
from trainer.grading import batch
from trainer.grading.book import beside, comments, lateness, points, roster
from trainer.grading.book.grades import from_json
from trainer.grading.book.lateness import Rule
from trainer.grading.book.roster import Claim, Matched, Person
from trainer.grading.book.similar import Similar
from trainer.grading.book.terms import Settings
from trainer.grading.intake.names import children
from trainer.grading.pages import exports, gradebooks, overview_page, student_page, telling

ANN = Person("1001", "Ann Lee", "ann.lee@x.edu", "A")
BOB = Person("1002", "de la Cruz, José María", "jcruz@x.edu", "B")
CEM = Person("1003", "Cem Öz", "cem@x.edu", "A")
PEOPLE = (ANN, BOB, CEM)
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATE = "[late]\ndeadline = 2026-11-20T12:00:00Z\n"
RULE = Rule(NOON, grace_minutes=15, percent_a_day=10, most_percent=25)
# Files as learning platforms name them, and as people do; and whose each is.
FILES = {
    "leeann_1001_555001_hourly_tips.py": ANN,
    "leeann_LATE_1001_555001_hourly_tips.py": ANN,
    "delacruzjosmara_1002_555002_hourly_tips.py": BOB,
    "Ann Lee_77_assignsubmission_file_hourly_tips.py": ANN,
    "Cem Oz_1002_assignsubmission_file_": CEM,
    "Task 1_jcruz_attempt_2026-11-20-12-00-00_hourly_tips.py": BOB,
    "77-1234 - Ann Lee - Nov 20, 2026 1201 PM - hourly_tips.py": ANN,
    "1003.zip": CEM,
    "ann.lee@x.edu.py": ANN,
    "jcruz.zip": BOB,
    "Lee, Ann.py": ANN,
    "jose-maria_de_la_cruz.py": BOB,
    "Cem Öz.3.taxi.zip": CEM,
    "1002_final.py": BOB,
}


def handed_in(folder: Path, *names: str) -> Path:
    """Put files there, all with the same answer."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("def hourly_tips(fares):\n    return fares\n")
    return folder


def along(folder: Path, people=PEOPLE, rule: Rule | None = None) -> beside.Beside:
    """Join what lies in a folder to people."""
    found = beside.beside(Settings(str(folder)), rule)
    found.people = people
    found.match(children(folder))
    return found


@pytest.mark.parametrize("name", FILES)
def test_a_submission_is_joined_as_platforms_name_it(tmp_path, name):
    """By id, e-mail or name; a number that only Moodle knows is nobody's id."""
    found = along(handed_in(tmp_path / "in", name)).matched
    assert [*found.people.values()] == [(FILES[name],)]
    assert found.strangers == {}
    assert {*found.absent} == {*PEOPLE} - {FILES[name]}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("dora.py", "nobody has this id"),
        ("1001_cem_oz.py", "its id is one person's, its name another's"),
        ("1001_1002.py", "it may be 1001 or 1002"),
        ("10011.py", "nobody has this id"),
    ],
)
def test_what_is_not_certain_is_listed(tmp_path, name, why):
    """And joined to nobody."""
    found = along(handed_in(tmp_path / "in", name)).matched
    assert found.people == {}
    assert why in next(iter(found.strangers.values()))
    assert [*found.absent] == [*PEOPLE]


def test_who_handed_in_twice_is_listed_with_both():
    """Neither is chosen silently; of two of a name neither is."""
    found = roster.matched(PEOPLE, [Claim("1001", ("1001",)), Claim("Ann Lee", ("Ann Lee",))])
    assert found.people == {} and {*found.strangers} == {"1001", "Ann Lee"}
    assert all("Ann Lee handed in 2 times" in why for why in found.strangers.values())
    assert ANN not in found.absent
    twins = (ANN, replace(ANN, id="1009", email="other@x.edu"))
    found = roster.matched(twins, [Claim("ann lee", ("ann lee",))])
    assert found.strangers == {"ann lee": "it may be 1001 or 1009"}


GRADESCOPE = """---
submission_501:
  :submitters:
  - :name: Ann Lee
    :sid: '1001'
    :email: ann.lee@x.edu
  - :name: "Cem \\u00d6z"
    :sid:
    :email: cem@x.edu
  :created_at: 2026-11-21 13:00:00.123456000 Z
  :score: 0.0
  :history:
  - :id: 1
    :submitters:
    - :name: Somebody Else
    :created_at: 2026-11-19 13:00:00 Z
submission_502:
  :submitters:
  - :name: O'Nobody
    :sid: '9'
  :created_at: nonsense
"""


def test_gradescope_s_list_says_who_and_when(tmp_path):
    """A group's folder is each of theirs; older versions say nothing of it."""
    folder = tmp_path / "in"
    for name in ("submission_501", "submission_502"):
        handed_in(folder, "submission_metadata.yml")
        (folder / name).mkdir()
    (folder / "submission_metadata.yml").write_text(GRADESCOPE)
    found = along(folder, rule=replace(RULE, time="gradescope"))
    assert found.matched.people == {"submission_501": (ANN, CEM)}
    assert [*found.matched.strangers] == ["submission_502"]
    child = children(folder)["submission_501"]
    grade = found.on(replace(made.CORRECT, student="submission_501"), child)
    assert (grade.late_days, grade.score) == (2, 0.8)


def test_a_roster_is_read_whatever_its_columns_are_called(tmp_path):
    """As schools and platforms call them."""
    file = tmp_path / "roster.csv"
    file.write_bytes(
        "\ufeffName,SIS User ID,Email Address,Sections\nAnn Lee , 1001,ann.lee@x.edu,A\n".encode()
    )
    assert roster.read(file) == [ANN]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no line; expected a first line"),
        ("id,name\n \n,\n", "has a heading and nobody under it"),
        ("a,b\n1,2\n", "has a, b; expected a first line such as id,name,e-mail,section"),
        ("id,name\n1,Ann\n1,Bob\n", "has the id 1 twice"),
        ("id,name\n,Ann\n", "has Ann without an id"),
        ("id,name\n1,Ann\n2,\xff", 'is not UTF-8, see line 3: save it as "CSV UTF-8"'),
        ('id,name\n1,"Ann\n2,Bob\n', "from line 2 on .*: close the quotation mark there"),
        ('id,name\n1,"Ann\n2,"Bob"\n', "from line 2 on .*: close the quotation mark there"),
        ("id,name\n\n1,Lee, Ann\n", "line 3 has 3 cells and the heading 2: put a text"),
        ("id,name,section\n1,Ann\n", "line 2 has 2 cells and the heading 3"),
        ("id,name\n1,Ann,,\n", None),
        ("id,name\n" + "1,x\0y\n", None),
    ],
)
def test_a_roster_that_is_none_gets_one_line(tmp_path, text, why):
    """With what was expected."""
    file = tmp_path / "roster.csv"
    file.write_bytes(text.encode("latin-1"))
    if why is None:
        assert len(roster.read(file)) == 1
        return
    with pytest.raises(Problem, match=why) as problem:
        roster.read(file)
    assert "\n" not in str(problem.value)


def rows(text: str) -> list[list[str]]:
    """Read a table."""
    return [*csv.reader(io.StringIO(text))]


KNOWN = Matched({"ann": (ANN,), "bob": (BOB,), "gus": (CEM,)})
MARKED = (made.CORRECT, replace(made.WRONG, comment="=See me"), made.FAILED)


def test_canvas_imports_its_gradebook():
    """Its five columns, then the assignment; the points possible; a line for who has a grade."""
    assert rows(gradebooks.canvas(MARKED, KNOWN, "Taxis (77)")) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Taxis (77)"],
        ["    Points Possible", "", "", "", "", "1"],
        ["Ann Lee", "", "1001", "", "A", "1"],
        ["de la Cruz, José María", "", "1002", "", "B", "0"],
    ]
    named = replace(made.CORRECT, student="leeann_1001")
    found = rows(gradebooks.canvas([named], Matched({"leeann_1001": (ANN,)}), "T"))
    assert found[2][1:3] == ["", "1001"]


EXPORTED = """Student,ID,SIS User ID,SIS Login ID,Section,Taxis (77),Name
    Points Possible,,,,,1,
"Lee, Annie",70001,1002,alee,A,,x
"Kim, Bob",1002,1001,bkim,A,,x
"Roe, Zoe",70003,,zroe,B,,x
"""


def test_a_gradebook_of_canvas_is_a_roster_too(tmp_path):
    """In which Canvas's own numbers are one thing, and those of a school another."""
    file = tmp_path / "export.csv"
    file.write_text(EXPORTED)
    people = roster.read(file)
    assert [(each.id, each.canvas) for each in people] == [
        *(("1002", "70001"), ("1001", "1002"), ("70003", "70003"))
    ]
    folder = handed_in(tmp_path / "in", "leeann_70001_555_hourly_tips.py", "1001.py")
    found = along(folder, people).matched
    assert {who: whose[0].login for who, whose in found.people.items()} == {
        **{"leeann_70001": "alee", "1001": "bkim"}
    }
    grades = [replace(made.CORRECT, student=each) for each in ("leeann_70001", "1001", "zoe")]
    found.people["zoe"] = people[2:]
    lines = [line[1:4] for line in rows(gradebooks.canvas(grades, found, "T"))[2:]]
    assert lines == [["70001", "1002", "alee"], ["1002", "1001", "bkim"], ["70003", "", "zroe"]]


def test_a_number_of_canvas_is_no_school_s(tmp_path):
    """Whoever has that one by chance gets nobody else's grade."""
    folder = handed_in(tmp_path / "in", "leeannie_1002_555_hourly_tips.py")
    found = along(folder).matched
    assert found.people == {}
    assert found.strangers == {"leeannie_1002": "nobody has this name, or 1002 as canvas id"}
    found = along(folder, (ANN, replace(BOB, canvas="1001"), replace(CEM, canvas="1002"))).matched
    assert found.people == {"leeannie_1002": (replace(CEM, canvas="1002"),)}


def test_people_are_called_as_the_roster_has_them(tmp_path):
    """Beside what their files are called, where that is something else; lists too."""
    names = ("submission_501", "leeann_7_555_tips.py", "1002.py", "dora.py")
    folder = handed_in(tmp_path / "in", "submission_metadata.yml", *names[1:])
    (folder / names[0]).mkdir()
    (folder / "submission_metadata.yml").write_text(GRADESCOPE)
    found = along(folder, (ANN, BOB, CEM), RULE)
    students = ["submission_501", "1002", "dora", "Ann Lee"]
    found.matched.people["Ann Lee"] = (ANN,)
    called = [
        "submission_501 (Ann Lee, Cem Öz)",
        "1002 (de la Cruz, José María)",
        *students[2:],
    ]
    assert [found.called(each) for each in students] == called
    found.timeless.append("1002")
    grades = [replace(made.CORRECT, student=each) for each in students]
    similar = [Similar(made.STEM, "1002", "dora", 90)]
    page = overview_page.page(grades, "none", dict.fromkeys(students, "x"), found, similar)
    assert all(f">{each}</a>" in page for each in called)
    assert f"{called[1]}, dora</td>" in page and f"nothing taken off: {called[1]}" in page
    settings = SimpleNamespace(feedback="public", formats=("csv",), sandbox="none")
    batch.publish(SimpleNamespace(settings=settings), points.Points(), grades, found, tmp_path)
    report = (tmp_path / "reports" / "submission_501.html").read_text()
    assert f"<h1>{called[0]}</h1>" in report
    assert rows((tmp_path / "grades.csv").read_text())[1][0] == "submission_501"


def test_a_comment_that_nobody_gets_is_told(tmp_path, capsys):
    """Of somebody nobody knows, and of who handed in nothing; with a roster and without."""
    folder = handed_in(tmp_path / "in", "1001.py", "dora.py")
    found = beside.Beside(PEOPLE, dict.fromkeys(("1001", "dora", "1003", "4242"), "Nice"))
    found.match(children(folder))
    telling.beside(found, Console(width=200))
    absent = "1003 (in the roster, and nothing handed in is certainly theirs)"
    told = f"{absent}, 4242 (nobody is called so)"
    assert f"Commented on, and told to nobody: {told}." in capsys.readouterr().out
    page = overview_page.page([made.CORRECT], "none", {"ann": "ann"}, found)
    assert "4242: commented on, and told to nobody: nobody is called so." in page
    found = beside.Beside(None, {"1001": "Nice", "4242": "Nice"})
    found.match(children(folder))
    assert found.unheard == {"4242": "nobody is called so"}


def test_more_time_for_who_is_not_in_the_roster_is_told(tmp_path):
    """Where they are listed as that: it counts, and may be meant for another."""
    handed_in(tmp_path / "in", "dora.py")
    found = extended(tmp_path, "dora = 2", PEOPLE)
    assert found.matched.strangers["dora"].endswith(", and [late.extensions] gives more time")


def test_moodle_imports_its_gradebook():
    """Two columns of a grade: it loses the grade where the feedback comes alone."""
    head, *lines = rows(gradebooks.moodle(MARKED, KNOWN, "Taxis"))
    assert head == ["ID number", "Full name", "Email address", "Taxis", "Taxis (feedback)"]
    assert [line[:4] for line in lines] == [
        ["1001", "Ann Lee", "ann.lee@x.edu", "1"],
        ["1002", "de la Cruz, José María", "jcruz@x.edu", "0"],
    ]
    assert lines[0][4] == "ch01a_ride_cleansing: correct"
    assert lines[1][4] == "'=See me\nch01a_ride_cleansing: wrong"


def test_all_students_are_in_one_table():
    """Also those who are nobody of the roster; a grader's failure is an empty score."""
    lines = rows(gradebooks.students((*MARKED, made.CRASHED), KNOWN))
    assert [line[0] for line in lines] == ["student", "ann", "bob", "gus", "<eve>"]
    assert [line[5] for line in lines[1:]] == ["1", "0", "", "0"]
    assert [line[10] for line in lines[1:]] == ["", "'=See me", "", ""]


@pytest.mark.parametrize(
    ("after", "days", "off"),
    [
        (timedelta(0), 0, 0),
        (timedelta(minutes=15), 0, 0),
        (timedelta(minutes=15, seconds=1), 1, 10),
        (timedelta(days=1), 1, 10),
        (timedelta(days=1, seconds=1), 2, 20),
        (timedelta(days=9), 9, 25),
        (timedelta(days=-1), 0, 0),
    ],
)
def test_each_day_begun_after_the_grace_costs(after, days, off):
    """Counted from the deadline; never more than the cap."""
    assert (RULE.days(NOON + after), RULE.penalty(NOON + after)) == (days, off)


def test_a_deadline_may_be_never():
    """The last day there is has no next one."""
    never = replace(RULE, deadline=datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    assert (never.days(NOON), never.penalty(NOON)) == (0, 0)


def test_lateness_is_taken_off_the_sum_and_told():
    """In the report, the overview and what Gradescope shows; written and read again."""
    late = replace(made.CORRECT, late_days=2, percent_off=20, comment="<b>Well done")
    assert (late.score, late.max_score, late.exercises[0].score) == (0.8, 1, 1)
    assert from_json(late.to_json()) == late
    page = student_page.page(late, "public", Path("pictures"))
    assert "Handed in 2 days late: 20 % off." in page and "&lt;b&gt;Well done" in page
    assert "2 days late" in exports.to_gradescope(late, "public")
    found = beside.Beside((), {}, RULE, timeless=["bob"])
    shown = overview_page.page([late], "none", {"ann": "ann"}, found)
    assert "2 days late" in shown and "nothing taken off: bob" in shown


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("T_jcruz_attempt_2026-11-21-12-00-00_a.py", datetime(2026, 11, 21, 12)),
        ("7-1 - Ann - Nov 21, 2026 1201 PM - a.py", datetime(2026, 11, 21, 12, 1)),
        ("7-1 - Ann - Nov 21, 2026 901 AM - a.py", datetime(2026, 11, 21, 9, 1)),
        ("T_jcruz_attempt_2026-13-21-12-00-00_a.py", None),
        ("ann.py", None),
    ],
)
def test_a_platform_s_name_may_say_when(name, at):
    """By the clock of this machine's place."""
    assert lateness.in_name(name) == (at and lateness.aware(at))


@pytest.mark.parametrize("source", lateness.SOURCES)
def test_the_time_is_taken_from_where_the_rule_says(tmp_path, source):
    """And where there is none, nothing is taken off, and that is said."""
    folder = handed_in(tmp_path / "in", "T_1001_attempt_2026-11-23-12-00-00_hourly_tips.py")
    people = (replace(ANN, submitted="2026-11-21T13:00:00+00:00"),)
    found = along(folder, people, replace(RULE, time=source))
    ((student, child),) = children(folder).items()
    grade = replace(made.CORRECT, student=student, packed_at="2026-11-20T12:30:00Z")
    days = {"archive": 1, "name": 3, "roster": 2, "gradescope": 0}[source]
    assert abs(found.on(grade, child).late_days - days) <= (source == "name")
    assert bool(found.timeless) == (source == "gradescope")


def test_the_rule_stands_in_the_file_of_points(tmp_path):
    """Beside the points and the name of the gradebook's column."""
    file = tmp_path / "points.toml"
    file.write_text(
        'column = "Taxis (7)"\n[late]\ndeadline = 2026-11-20T12:00:00Z\ngrace_minutes = 15\n'
        "percent_a_day = 10\nmost_percent = 25\n"
    )
    found = points.read(file, False, {})
    assert (found.late, found.column) == (RULE, "Taxis (7)")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("late = 3", "has late = 3; expected a table"),
        (
            "[late]\ngrace_minutes = 1",
            "a .late. without a deadline; expected deadline = 2026-11-20T",
        ),
        ("[late]\ndedline = 2026-11-20T12:00:00Z", "names 'dedline', .* Did you mean deadline?"),
        ("[late]\ndeadline = 2026-11-20", "deadline = '2026-11-20' in .late.; expected a time"),
        ("[late]\ndeadline = '2026-11-20T12:00:00Z'", "not in quotation marks: deadline = 2026"),
        ("[late]\ndeadline = 2026-11-20T12:00:00", r"zone; write 2026-11-20T12:00:00\+01:00, with"),
        (f"{LATE}percent = 3", "names 'percent', .* Did you mean most_percent or percent_a_day?"),
        (f"{LATE}grace_minutes = -1", "a number, 0 or more"),
        (f"{LATE}most_percent = 101", "most_percent = 101; at most 100"),
        (f"{LATE}percent_a_day = 1000", "takes more than all by percent_a_day = 1000; at most 100"),
        (f"{LATE}grace_minutes = 1e300", "expected at most a year"),
        (
            "[late]\ndeadline = 9999-12-31T12:00:00Z\nextensions = {a = 1}",
            "has a = '1' in .late.ext",
        ),
        (f"{LATE}time = 'mail'", "archive or name or gradescope"),
        (
            "[late]\ndeadline = = 3",
            "cannot be read as weights: Invalid value .at line 2, column 12",
        ),
        ("column = 3", "expected its name"),
    ],
)
def test_a_rule_that_is_wrong_is_refused(tmp_path, text, why):
    """Before anything is graded, in a line."""
    file = tmp_path / "points.toml"
    file.write_text(text)
    with pytest.raises(Problem, match=why) as refused:
        points.read(file, False, {})
    assert "\n" not in str(refused.value)


def extended(folder: Path, table: str, people=None) -> beside.Beside:
    """Read a file of points with deadlines of single students; two have handed in."""
    file = folder / "points.toml"
    file.write_text(
        "[late]\ndeadline = 2026-11-20T12:00:00Z\ngrace_minutes = 15\npercent_a_day = 10\n"
        f"[late.extensions]\n{table}"
    )
    inside = handed_in(folder / "in", "1001.py", "1002.py")
    return along(inside, people, points.read(file, False, {}).late)


@pytest.mark.parametrize(
    ("table", "after", "days"),
    [
        ("1001 = 2", timedelta(days=2, minutes=15), 0),
        ("1001 = 2", timedelta(days=2, minutes=15, seconds=1), 1),
        ("1001 = 0.5", timedelta(hours=13), 1),
        ("1002 = 2", timedelta(hours=1), 1),
        ('1001 = "2026-11-22T13:00:00+01:00"', timedelta(days=2), 0),
        ('1001 = "2026-11-22T13:00:00+01:00"', timedelta(days=3, hours=1), 2),
        ("1001 = 2026-11-22T13:00:00+01:00", timedelta(days=2), 0),
        ("1001 = 0", timedelta(hours=1), 1),
    ],
)
def test_one_s_own_deadline_counts(tmp_path, table, after, days):
    """In days more, or as a time, with the same grace; nobody else's is another for it."""
    found = extended(tmp_path, table)
    child = children(tmp_path / "in")["1001"]
    at = (NOON + after).isoformat()
    grade = found.on(replace(made.CORRECT, student="1001", packed_at=at), child)
    assert (grade.late_days, grade.percent_off) == (days, days * 10)
    assert bool(grade.extended_to) == (table != "1001 = 0" and "1001" in table)


def test_a_group_has_the_latest_deadline_of_its_members():
    """Whoever waits for one waits for all."""
    rule = replace(RULE, extensions={"1001": NOON + lateness.DAY, "1003": NOON + 2 * lateness.DAY})
    assert rule.of(["group", "1001", "1003"]).deadline == NOON + 2 * lateness.DAY
    assert rule.of(["group", "1002"]) == rule


def test_an_own_deadline_is_told_where_lateness_is(tmp_path):
    """In students.csv, the report and the overview, also of who was in time by it."""
    found = extended(tmp_path, "1001 = 2\n1002 = 1", PEOPLE)
    there = children(tmp_path / "in")
    at = (NOON + timedelta(days=1, hours=1)).isoformat()
    grades = [
        found.on(replace(made.CORRECT, student=each, packed_at=at), there[each]) for each in there
    ]
    told = ["Deadline extended to 2026-11-22 12:00+00:00."]
    told += ["Deadline extended to 2026-11-21 12:00+00:00. Handed in 1 day late: 10 % off."]
    assert [each.told_of_lateness for each in grades] == told
    assert [from_json(each.to_json()) for each in grades] == grades
    assert told[0] in student_page.page(grades[0], "public", Path("pictures"))
    shown = overview_page.page(grades, "none", {each: each for each in there}, found)
    assert told[0] in shown and told[1] in shown
    lines = rows(gradebooks.students(grades, found.matched))
    assert [line[-1] for line in lines] == [
        *("extended_to", "2026-11-22 12:00+00:00", "2026-11-21 12:00+00:00")
    ]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("1001 = -1", "1001 = '-1' in .late.extensions.; expected days, 0 or more, or a time with"),
        ("1001 = true", "expected days"),
        ("1001 = inf", "expected days"),
        ("1001 = nan", "expected days"),
        ("1001 = 1e300", "expected days"),
        ('1001 = "soon"', "expected days"),
        ("1001 = [2]", "expected days"),
        ("1001 = 2026-11-22", "expected days"),
        ('1001 = "2026-11-22T12:00:00"', "a time with its zone"),
        ("1001 = 2026-11-22T12:00:00", "a time with its zone"),
        ('1001 = "2026-10-22T12:00:00+01:00"', "that is before 2026-11-20"),
        (
            "1009 = 2",
            "names '1009', and neither the roster nor a submission does. Did you mean 100",
        ),
        ("ghost = 2", "names 'ghost', .* It takes an id of the roster"),
    ],
)
def test_an_extension_that_is_wrong_is_refused(tmp_path, table, why):
    """In a line, before anything is graded."""
    with pytest.raises(Problem, match=why) as refused:
        extended(tmp_path, table, PEOPLE)
    assert "\n" not in str(refused.value)


def test_extensions_are_a_table(tmp_path):
    """Nothing else."""
    file = tmp_path / "points.toml"
    file.write_text("[late]\ndeadline = 2026-11-20T12:00:00Z\nextensions = 3\n")
    with pytest.raises(Problem, match="extensions that are no table"):
        points.read(file, False, {})


def test_without_a_roster_who_is_not_there_is_told(tmp_path, capsys):
    """They may hand in later, or be written wrong."""
    found = extended(tmp_path, "1001 = 2\n1007 = 2")
    telling.beside(found, Console(width=200))
    assert "nobody who handed in is named so: 1007." in capsys.readouterr().out
    assert "is named so: 1007<" in overview_page.page([made.CORRECT], "none", {"ann": "ann"}, found)


def test_comments_go_beside_grades_by_student_or_id(tmp_path):
    """Several on one are put together."""
    file = tmp_path / "comments.csv"
    file.write_text('student,comment\n1001,"Nice, Ann"\nann,Again\nnobody,\n')
    folder = handed_in(tmp_path / "in", "1001.py")
    found = along(folder)
    found.comments = comments.read(file)
    (child,) = children(folder).values()
    assert found.on(replace(made.CORRECT, student="1001"), child).comment == "Nice, Ann"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a,b\n1,2\n", "has a, b; expected a first line student,comment"),
        ("", "has no line; expected a first line student,comment"),
        ("student,comment\nann,Nice, Ann\n", "line 2 has 3 cells and the heading 2"),
        ('student,comment\nann,"Nice\n', "from line 2 on .*: close the quotation mark"),
        ("student,comment\nann,Sch\xf6n\n", 'is not UTF-8, see line 2: save it as "CSV UTF-8"'),
    ],
)
def test_comments_that_would_be_cut_are_refused(tmp_path, text, why):
    """In a line."""
    file = tmp_path / "comments.csv"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(Problem, match=why) as refused:
        comments.read(file)
    assert "\n" not in str(refused.value)
