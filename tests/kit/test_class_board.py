"""The class board: what it keeps, what it shows to whom, and what it refuses."""

import csv
import http.client
import io
import json
import re
from contextlib import suppress

import pytest
from rich.console import Console
from typer.testing import CliRunner

from tests.kit.classroom import CORRECT, TOKEN, event, open_class
from trainer import cli as front
from trainer.checking.misconceptions import misconceptions
from trainer.course.exercise import exercises, find
from trainer.course.problem import Problem
from trainer.workshop import addresses, cli, course_words, opening, plan, shown, stored
from trainer.workshop.board import Board, Happened
from trainer.workshop.bodies import MOST_READ
from trainer.workshop.ledger import Ledger
from trainer.workshop.opening import open_board
from trainer.workshop.pace import Pace
from trainer.workshop.seat.words import LARGEST_BODY, MOST_EVENTS
from trainer.workshop.shown import ideas
from trainer.workshop.stuck import SILENT, THE_SAME, stuck

STEM = "ch01a_ride_cleansing"
OTHER = "ch01b_quarantine"
IDEA = "looks_at_the_start_only"
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def classroom(tmp_path):
    """A class that is open, and whose instructor is there."""
    with open_class(tmp_path) as classroom:
        yield classroom


@pytest.fixture
def ann(classroom):
    """A learner's token."""
    return joined(classroom, "Ann")


def joined(classroom, name: str, number: int = 0) -> str:
    """Let somebody join; give their token."""
    token = TOKEN[:-4] + f"{number:04}"
    body = {"code": classroom.code, "name": name, "token": token}
    assert classroom.post("/api/join", body).status == 200
    return token


def deliver(classroom, token: str, *events: dict, after: int = 0):
    """Deliver events as a learner's machine does."""
    return classroom.post("/api/deliver", {"events": [*events], "after": after}, token)


def test_what_is_acknowledged_is_in_the_file(classroom, ann):
    """Before the answer goes out: another reader of the file sees it."""
    told = event()
    assert deliver(classroom, ann, told).told["taken"] == [told["id"]]
    assert stored.exported(classroom.room.ledger.file).count(",wrong,") == 1


def test_the_file_is_synced_at_each_commit(tmp_path):
    """A write-ahead log that is synced for each: a power cut takes nothing that was answered."""
    ledger = Ledger(tmp_path / "b.sqlite")
    found = [next(ledger.rows(f"PRAGMA {name}"))[0] for name in ("journal_mode", "synchronous")]
    ledger.close()
    assert found == ["wal", 2]


def test_after_a_restart_the_board_is_what_it_was(tmp_path):
    """Codes, learners, checks, who wants help, lines, what is open, and whoever is logged in."""
    with open_class(tmp_path) as classroom:
        classroom.instruct()
        token = joined(classroom, "Ann")
        help_wanted = {"id": event()["id"], "kind": "help", "age": 0}
        deliver(classroom, token, event(idea=IDEA), help_wanted)
        classroom.post("/say", {"text": "Hello"})
        classroom.post("/release", {"kind": "solution", "exercise": STEM})
        before, cookie, code = classroom.live(), classroom.cookie, classroom.code
    with open_class(tmp_path) as classroom:
        classroom.cookie = cookie
        after = classroom.live()
        assert classroom.code == code
        assert deliver(classroom, token, event()).status == 200
    del before["now"], after["now"]
    assert after == before


def test_two_boards_do_not_share_a_file(classroom):
    """The second says who has it, and `forget` deletes nothing under a board that is open."""
    with pytest.raises(Problem, match="open; stop that first"):
        Ledger(classroom.room.ledger.file)
    with pytest.raises(Problem, match="open; stop that first"):
        stored.forget(classroom.room.ledger.file)


def test_forget_deletes_all(tmp_path):
    """No name is left in any file, and the next class begins with codes of its own."""
    with open_class(tmp_path) as classroom:
        code = classroom.code
        joined(classroom, "Annabella")
    stored.forget(tmp_path / "board.sqlite")
    assert not [file for file in tmp_path.iterdir() if b"Annabella" in file.read_bytes()]
    with open_class(tmp_path) as classroom:
        assert classroom.code != code
    with pytest.raises(Problem, match="Nothing is stored of a class"):
        stored.forget(tmp_path / "none.sqlite")


def test_a_file_that_is_no_class_is_told_in_a_line(tmp_path):
    """And it is left as it is."""
    (tmp_path / "essay.txt").write_text("An essay, which is no database at all. " * 50)
    for reading in (Ledger, stored.exported):
        with pytest.raises(Problem, match="is no file of a class board"):
            reading(tmp_path / "essay.txt")


def test_the_order_of_checks_is_that_of_their_times():
    """What comes late changes what was, and not what is."""
    board = Board()
    board.joined(1, "t", "Ann", 0)
    for name, at, verdict in (("b", 200.0, "correct"), ("a", 100.0, "wrong")):
        board.happened(1, name, Happened(at, 300.0, "check", STEM, verdict))
    found = board.learners[1].standings[STEM]
    assert (found.verdict, found.since, found.checks) == ("correct", 200.0, 2)


def wrong_at(*times: float, rule: str = "test_x", verdict: str = "wrong"):
    """Make a learner who failed at these times."""
    board = Board()
    learner = board.joined(1, "t", "Ann", 0)
    for at in times:
        board.happened(1, str(at), Happened(at, at, "check", STEM, verdict, rule))
    return learner


def test_stuck_is_who_fails_the_same_rule_for_long():
    """Not who fails it for a moment, nor who checked once."""
    learner = wrong_at(0, 300)
    assert stuck(learner, THE_SAME - 1) is None
    assert stuck(learner, THE_SAME).exercise == STEM
    assert stuck(wrong_at(0), THE_SAME) is None


def test_another_rule_is_a_step_forward():
    """Time begins anew."""
    learner = wrong_at(0, 300)
    learner.happened("n", Happened(400, 400, "check", STEM, "wrong", "test_y"))
    assert stuck(learner, THE_SAME) is None


def test_stuck_is_of_whom_nothing_is_heard():
    """After they joined, or after a check, correct or not; but not who went home."""
    assert stuck(wrong_at(), SILENT).why == "nothing heard"
    assert stuck(wrong_at(100, verdict="correct"), SILENT + 99) is None
    assert stuck(wrong_at(100, verdict="correct"), SILENT + 100).why == "nothing heard"
    assert stuck(wrong_at(100), 24 * 3600) is None


def test_help_is_asked_for_and_ticked_off(classroom, ann):
    """The instructor sees it, and who asked sees that it is seen to."""
    classroom.instruct()
    about = {"id": event()["id"], "kind": "help", "age": 0, "exercise": OTHER}
    assert deliver(classroom, ann, about).told["help"] is True
    (asking,) = classroom.live()["help"]
    assert (asking["name"], asking["exercise"]) == ("Ann", OTHER)
    assert classroom.post("/helped", {"number": asking["number"]}).status == 200
    assert classroom.live()["help"] == []
    assert deliver(classroom, ann).told["help"] is False


def test_who_is_taken_off_is_on_no_page(classroom, ann):
    """Nor in counts or the table for a spreadsheet; all that others did stays as it was."""
    classroom.instruct()
    bob = joined(classroom, "Bob", 1)
    deliver(classroom, bob, event(**CORRECT))
    before = classroom.live()
    wish = {"id": event()["id"], "kind": "help", "age": 0}
    deliver(classroom, joined(classroom, "Bob", 2), event(idea=IDEA), event(**CORRECT), wish)
    assert classroom.post("/off", {"number": 3}).status == 200
    after = classroom.live()
    assert after.pop("off") == [3] and before.pop("off") == []
    assert after | {"now": 0} == before | {"now": 0}
    assert "(2)" not in classroom.ask("GET", "/class.csv").text
    assert "(2)" not in stored.exported(classroom.room.ledger.file)
    assert deliver(classroom, bob, event()).status == 200


def test_who_is_taken_off_stays_so_after_a_restart(tmp_path):
    """And the number is nobody else's; who joins again is there, under a name that is free."""
    with open_class(tmp_path) as classroom:
        classroom.instruct()
        token, cookie = joined(classroom, "Ann"), classroom.cookie
        classroom.post("/off", {"number": 1})
    with open_class(tmp_path) as classroom:
        classroom.cookie = cookie
        assert classroom.live()["rows"] == []
        assert deliver(classroom, token, event()).status == 410
        joined(classroom, "Ann", 1)
        joined(classroom, "Ann")
    with open_class(tmp_path) as classroom:
        classroom.cookie = cookie
        names = {row["number"]: row["name"] for row in classroom.live()["rows"]}
        assert names == {1: "Ann (2)", 2: "Ann"}
        assert deliver(classroom, token, event()).status == 200


@pytest.mark.parametrize("number", [None, True, 2, "1", 1.0, [1]])
def test_only_who_is_there_can_be_taken_off(classroom, ann, number):
    """Or ticked off; and who is off is there no more."""
    classroom.instruct()
    for path in ("/off", "/helped"):
        assert classroom.post(path, {"number": number}).status == 404
    assert classroom.post("/off", {"number": 1}).status == 200
    assert classroom.post("/off", {"number": 1}).status == 404


def test_ideas_are_counted_by_learners(classroom):
    """One who has it ten times is one; who got over it had it all the same."""
    classroom.instruct()
    for number in range(3):
        token = joined(classroom, f"L{number}", number)
        deliver(classroom, token, *(event(idea=IDEA, age=9) for _ in range(number + 1)))
    deliver(classroom, token, event(**CORRECT))
    (idea,) = classroom.live("projector")["ideas"]
    assert (idea["had"], idea["have"]) == (3, 2)
    assert idea["what"] == "We kept rides that start in the city"


def test_what_one_alone_got_wrong_is_not_put_on_the_wall(classroom, ann):
    """All would know whose it was; the instructor sees it."""
    classroom.instruct()
    deliver(classroom, ann, event(idea=IDEA))
    assert classroom.live("projector")["ideas"] == []
    assert len(classroom.live("board")["ideas"]) == 1


def test_the_wall_shows_no_name(classroom):
    """Not even where a browser could look for it."""
    classroom.instruct()
    deliver(classroom, joined(classroom, "Annabella"), event())
    wall = [json.dumps(classroom.live("projector")), classroom.ask("GET", "/projector").text]
    assert not [text for text in wall if "Annabella" in text]
    assert "Annabella" in json.dumps(classroom.live("board"))


@pytest.mark.parametrize("exercise", exercises(), ids=lambda each: each.stem)
def test_an_idea_is_said_of_all_of_us(exercise):
    """Nobody in particular is spoken to, and English stays English."""
    for wrong in misconceptions(exercise):
        said = course_words.idea(exercise.stem, wrong.__name__)
        assert not re.search(r"\byou(r|rs|rself)?\b", said, re.IGNORECASE)
        assert not re.search(r"\b(for|to|with|gives|tells|lets|helps) we\b", said)


def test_the_plan_says_what_it_is_time_for(tmp_path):
    """The last part that has begun; none before the first."""
    file = tmp_path / "plan.txt"
    file.write_text("# A day\n\n13:00 Lunch\n9:30 Watermarks (ch05)\n")
    parts = plan.read(file)
    assert [(part.time, part.text) for part in parts] == [
        ("09:30", "Watermarks (ch05)"),
        ("13:00", "Lunch"),
    ]
    at = [plan.at(parts, plan.datetime(2026, 1, 1, *when)) for when in ((9, 29), (9, 30), (18, 0))]
    assert at == [-1, 0, 1]


@pytest.mark.parametrize("line", ["25:00 Late", "Lunch", "12:60 x", "12:00"])
def test_what_is_no_line_of_a_plan_is_told(tmp_path, line):
    """With what one looks like."""
    (tmp_path / "plan.txt").write_text(line)
    with pytest.raises(Problem, match="is no line of a plan"):
        plan.read(tmp_path / "plan.txt")


def test_a_line_and_what_is_open_reach_the_learner(classroom, ann):
    """With the next letter, each line once."""
    classroom.instruct()
    classroom.post("/say", {"text": "  Break \n until ten "})
    classroom.post("/release", {"kind": "hints", "exercise": STEM})
    told = deliver(classroom, ann).told
    said, opened = told["lines"]
    assert said == {"number": 1, "text": "Break until ten"}
    assert opened["text"].endswith("the hints of ch01a_ride_cleansing: trainer hint ride_cleansing")
    assert told["released"] == {"hints": [STEM], "solution": []}
    assert deliver(classroom, ann, after=2).told["lines"] == []


def test_the_table_for_a_spreadsheet(classroom):
    """A line for each check; a name is text, whatever a spreadsheet takes it for."""
    classroom.instruct()
    deliver(classroom, joined(classroom, "=HYPERLINK(1)"), event(rule="test_x"), event(**CORRECT))
    lines = [*csv.DictReader(io.StringIO(classroom.ask("GET", "/class.csv").text))]
    assert [line["learner"] for line in lines] == ["'=HYPERLINK(1)"] * 2
    assert {line["verdict"] for line in lines} == {"wrong", "correct"}


INSIDE = (
    "/",
    "/projector",
    "/live?view=board",
    "/live?view=projector",
    "/class.csv",
    "/way-in.svg",
)


@pytest.mark.parametrize("path", INSIDE)
@pytest.mark.parametrize("cookie", ["", "class_board=", "class_board=x", "class_board=" + "é" * 3])
def test_pages_are_for_the_instructor(classroom, path, cookie):
    """Without the code there is nothing to see: neither names nor the code that joins."""
    classroom.cookie = cookie.encode().decode("latin-1")
    answer = classroom.ask("GET", path)
    assert answer.status == 403
    assert classroom.code not in answer.text


@pytest.mark.parametrize("path", ["/say", "/helped", "/off", "/release"])
def test_a_learner_does_not_instruct(classroom, ann, path):
    """With the code that joins, or the token that it got."""
    assert classroom.post(path, {"text": "Go home"}, ann).status == 403
    assert classroom.post("/enter", {"code": classroom.code}).status == 403


def test_the_instructors_code_is_on_no_page(classroom):
    """Nor is what the cookie holds."""
    classroom.instruct()
    texts = [classroom.ask("GET", path).text for path in ("/", "/projector", "/enter", "/join")]
    texts += [json.dumps(classroom.live())]
    session = classroom.room.ledger.meta("session")
    assert not [text for text in texts if classroom.instructor in text or session in text]


def test_another_page_can_instruct_nothing(classroom):
    """The cookie stays on this one, and a form of another can't send what is understood."""
    answer = classroom.ask("POST", "/enter", {"code": classroom.instructor})
    assert "SameSite=Strict" in answer.headers["Set-Cookie"]
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    classroom.instruct()
    told = classroom.ask("POST", "/say", b'{"text": "x"}', Content_Type="text/plain")
    assert told.status == 415
    assert classroom.room.board.lines == {}


def test_nobody_writes_as_another(classroom, ann):
    """The name alone, or another's token, is nobody's."""
    joined(classroom, "Bob", 1)
    deliver(classroom, TOKEN[:-4] + "0001", event())
    assert deliver(classroom, "", event()).status == 401
    assert deliver(classroom, "x" * 40, event()).status == 401
    assert [len(each.checks) for each in classroom.room.board.learners.values()] == [0, 1]
    impostor = {"code": classroom.code, "name": "Ann", "token": "i" * 40}
    assert classroom.post("/api/join", impostor).told["name"] == "Ann (2)"


def test_an_event_of_one_is_no_double_of_anothers(classroom, ann):
    """Who knows another's id can't keep that one's check from being counted."""
    bob, told = joined(classroom, "Bob", 1), event()
    deliver(classroom, bob, told)
    deliver(classroom, ann, told)
    assert [len(each.checks) for each in classroom.room.board.learners.values()] == [1, 1]


@pytest.mark.parametrize(
    "bad",
    [
        {"id": "x"},
        {"id": 7},
        {"kind": "grade"},
        {"kind": "help"},
        {"kind": "off", "verdict": None},
        {"kind": "back", "verdict": None},
        {"age": -1},
        {"age": "1"},
        {"age": True},
        {"age": float("nan")},
        {"age": float("inf")},
        {"verdict": "excellent"},
        {"verdict": None},
        {"exercise": EVIL},
        {"exercise": None},
        {"exercise": "x" * 101},
        {"rule": "a b"},
        {"idea": EVIL},
        {"idea": ["a"]},
        {"code": "print(1)"},
    ],
    ids=str,
)
def test_only_what_was_agreed_on_gets_through(classroom, ann, bad):
    """Words, numbers and verdicts; no text that could be shown to anybody, and no code."""
    answer = deliver(classroom, ann, event() | bad)
    assert answer.status == 400
    assert EVIL not in answer.text
    assert not classroom.room.board.learners[1].known


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"[" * 60_000,
        b'{"events": {}}',
        b'{"events": [1]}',
        b'{"else": 1}',
    ],
    ids=lambda body: body[:15],
)
def test_what_is_no_letter_is_refused_in_a_line(classroom, ann, body):
    """And the board goes on."""
    answer = classroom.ask("POST", "/api/deliver", body, Authorization=f"Bearer {ann}")
    assert answer.status == 400
    assert set(answer.told) == {"why"}
    assert deliver(classroom, ann, event()).status == 200


def test_what_is_too_large_is_refused(classroom, ann):
    """A letter of megabytes is not read, and one of too many events not taken."""
    assert deliver(classroom, ann, *(event() for _ in range(MOST_EVENTS + 1))).status == 400
    for size in (LARGEST_BODY + 1, 2 * 2**20):
        large = b" " * size
        answer = classroom.ask("POST", "/api/deliver", large, Authorization=f"Bearer {ann}")
        assert answer.status == 413
        assert answer.told == {"why": f"{size:,} bytes came, expected 65,536 at most: send less."}
        assert answer.headers["Cache-Control"] == "no-store"
    # What is without end is not even read.
    with suppress(OSError, http.client.HTTPException):
        assert classroom.ask("POST", "/api/deliver", b" " * (MOST_READ + 1)).status == 400
    assert deliver(classroom, ann, event()).status == 200


def test_a_name_is_text_on_every_page(classroom):
    """Whatever it says; pages get it as data, and may run no script but their own."""
    classroom.instruct()
    joined(classroom, EVIL)
    page = classroom.ask("GET", "/")
    assert EVIL not in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'; script-src 'self'" in policy
    assert "unsafe" not in policy
    assert len(classroom.live()["rows"][0]["name"]) <= 40


def test_a_flood_from_one_is_slowed_and_not_the_class(classroom, ann):
    """Who sends too much is told to wait; what was taken stays, and others are not kept waiting."""
    bob = joined(classroom, "Bob", 1)
    answers = [deliver(classroom, ann, *(event() for _ in range(25))) for _ in range(8)]
    slowed = [each for each in answers if each.status == 429]
    assert {each.status for each in answers} == {200, 429}
    assert int(slowed[0].headers["Retry-After"]) > 0
    assert len(classroom.room.board.learners[1].known) == 25 * (len(answers) - len(slowed))
    assert deliver(classroom, bob, event()).status == 200


def test_codes_cannot_be_tried_out(classroom):
    """After some that were wrong, not even the right one counts for a while."""
    guess = {"code": "A", "name": "Eve", "token": "e" * 40}
    answers = [classroom.post("/api/join", guess).status for _ in range(80)]
    assert {*answers} == {403, 429} and answers[-1] == 429
    assert classroom.post("/api/join", guess | {"code": classroom.code}).status == 429
    assert classroom.ask("GET", f"/projector?code={classroom.code}").status == 429


def test_a_flood_of_wrong_codes_locks_out_no_instructor_and_no_learner(classroom, ann):
    """Behind one address stands a whole class: who is in stays in, and the instructor gets in."""
    guess = {"code": "A", "name": "Eve", "token": "e" * 40}
    for path in ("/api/join", "/enter"):
        given = guess if path == "/api/join" else {"code": "A"}
        assert [classroom.post(path, given).status for _ in range(80)][-1] == 429
    assert deliver(classroom, ann, event()).status == 200
    again = {"code": classroom.code, "name": "Annie", "token": ann}
    assert classroom.post("/api/join", again).status == 200
    classroom.instruct()
    assert classroom.live()["rows"][0]["name"] == "Annie"
    assert classroom.ask("GET", "/projector").status == 200


def test_a_slip_or_two_by_each_of_a_class_lock_nobody_out(classroom):
    """All of them behind one address."""
    guess = {"code": "A", "name": "Eve", "token": "e" * 40}
    assert {classroom.post("/api/join", guess).status for _ in range(30)} == {403}
    joined(classroom, "Ann")


def test_the_wall_is_opened_by_the_code_that_stands_on_it(classroom):
    """Nobody types the instructor's in front of all; it opens nothing that has a name on it."""
    joined(classroom, "Annabella")
    code = f"code={classroom.code}"
    page = classroom.ask("GET", f"/projector?{code}")
    assert page.status == 200 and f"/way-in.svg?{code}" in page.text
    assert classroom.ask("GET", f"/way-in.svg?{code}").status == 200
    stream = classroom.live(f"projector&{code}")
    assert stream["learners"] == 1 and "Annabella" not in json.dumps(stream)
    for path in ("/", "/live?view=board", "/class.csv"):
        beside = f"{path}{'&' if '?' in path else '?'}{code}"
        assert classroom.ask("GET", beside).status == 403
    assert classroom.ask("GET", "/projector?code=WRONG2").status == 403
    assert classroom.post(f"/say?{code}", {"text": "x"}).status == 403
    wrong = classroom.ask("GET", "/projector?code=WRONG2", Accept="text/html")
    assert (wrong.status, wrong.headers["Location"]) == (302, "/enter")


def test_a_code_is_not_shown_while_it_is_typed(classroom):
    """The page may be on the wall."""
    (field,) = re.findall(r"<input [^>]*>", classroom.ask("GET", "/enter").text)
    assert 'type="password"' in field and 'autocomplete="off"' in field


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_only_addresses_that_are_served_are_told(classroom, monkeypatch, host):
    """The others are of no use to anybody."""
    there = ["10.0.0.2", "192.0.2.2"]
    for place in (addresses, opening):
        monkeypatch.setattr(place, "addresses", lambda: there)
    console = Console(file=io.StringIO(), width=200)
    opening.tell(classroom.room, host, 8765, console)
    told = console.file.getvalue()
    assert ("192.0.2.2" in told) is (host == "0.0.0.0")
    assert f"/projector?code={classroom.code}" in told


def test_a_pace_recovers():
    """With time, and for each place by itself."""
    now = [0.0]
    pace = Pace(burst=2, a_second=0.5, clock=lambda: now[0])
    assert [pace.wait("a"), pace.wait("a"), pace.wait("a"), pace.wait("b")] == [0, 0, 2, 0]
    now[0] = 2.0
    assert pace.wait("a") == 0
    assert pace.wait("a") > 0


def test_what_is_not_there_is_answered_in_a_line(classroom):
    """No traceback, no version of anything."""
    for path in ("/nothing", "/page/../server.py", "/page/board.html.jinja", "/api/join"):
        answer = classroom.ask("GET", path)
        assert answer.status == (405 if path == "/api/join" else 404)
        assert "why" in answer.told
        assert "Traceback" not in answer.text
        assert "ornado" not in json.dumps(answer.headers)


def test_rules_are_said_as_the_course_says_them():
    """By the name of a test; one that is not known here is told by its name."""
    grader = find(STEM).grader.read_text()
    name, fact = re.search(r'def (test_\w+)\(.*\):\n    """(.+?)\.?"""', grader).groups()
    assert fact in course_words.rule(STEM, name)
    assert course_words.rule(STEM, "test_of_tomorrow") == "of tomorrow"
    assert course_words.rule("ch99x_new", "test_of_tomorrow") == "of tomorrow"


def test_an_exercise_that_is_not_known_here_is_refused(classroom, ann):
    """And said which; what else came is taken, and a wish for help is one whatever it is about."""
    classroom.instruct()
    forged, wish = event(exercise="nosuch"), {"kind": "help", "verdict": None}
    wish = event(exercise="nosuch") | wish
    told = deliver(classroom, ann, forged, wish, good := event(exercise=OTHER)).told
    assert told["taken"] == [wish["id"], good["id"]]
    assert told["refused"] == {forged["id"]: "no exercise nosuch here"}
    (asking,) = classroom.live()["help"]
    assert asking["exercise"] == OTHER
    assert "nosuch" not in json.dumps(classroom.live())
    assert "nosuch" not in stored.exported(classroom.room.ledger.file)


def test_an_exercise_that_is_gone_from_the_course_is_not_shown():
    """A class's file may be older than the course."""
    board = Board()
    board.joined(1, "t", "Ann", 0)
    board.happened(1, "a", Happened(1, 1, "check", "ch99x_old", "wrong", idea="some_idea"))
    assert shown.row(board.learners[1])["cells"] == {}
    assert ideas(board, 1, 9) == []


def test_what_is_released_takes_no_line_of_the_instructors_away(tmp_path):
    """Not on the pages, and not after a restart; learners are told both."""
    with open_class(tmp_path) as classroom:
        classroom.instruct()
        token, cookie = joined(classroom, "Ann"), classroom.cookie
        classroom.post("/release", {"kind": "solution", "exercise": OTHER})
        assert classroom.live()["line"] == ""
        classroom.post("/say", {"text": "Break at 10:25"})
        classroom.post("/release", {"kind": "hints", "exercise": STEM})
        assert len(deliver(classroom, token).told["lines"]) == 3
    with open_class(tmp_path) as classroom:
        classroom.cookie = cookie
        for view in ("board", "projector"):
            assert classroom.live(view)["line"] == "Break at 10:25"
            assert classroom.live(view)["released"] == {"hints": [STEM], "solution": [OTHER]}


@pytest.mark.parametrize(
    "command", cli.app.registered_commands, ids=lambda each: each.callback.__name__
)
def test_every_command_of_a_class_says_what_it_does(command):
    """--help works."""
    name = command.name or command.callback.__name__
    ran = CliRunner().invoke(front.app, ["class", name, "--help"])
    assert ran.exit_code == 0
    assert command.callback.__doc__.split()[0] in ran.output


def test_a_class_is_exported_and_forgotten_by_command(classroom, ann, tmp_path):
    """To a file or the screen, while it is open, too; what is deleted is asked about first."""
    deliver(classroom, ann, event())
    file, out = str(classroom.room.ledger.file), tmp_path / "class.csv"
    assert (
        CliRunner().invoke(front.app, ["class", "export", "--file", file]).output.count("Ann") == 1
    )
    CliRunner().invoke(front.app, ["class", "export", "--file", file, "--out", str(out)])
    assert out.read_text().splitlines()[0] == "learner,time,exercise,verdict,rule,idea"
    ran = CliRunner().invoke(front.app, ["class", "forget", "--file", file], input="n\n")
    assert ran.exit_code == 1
    assert classroom.room.ledger.file.exists()


def test_a_port_that_is_taken_is_told_in_a_line(classroom, tmp_path):
    """And another is to be named."""
    with pytest.raises(Problem, match="--port names another"):
        open_board(tmp_path / "b.sqlite", "127.0.0.1", classroom.port, None, Console())


def test_a_browser_is_led_to_the_door(classroom):
    """Who opens the page without the code is asked for it, by a page that says nothing else."""
    answer = classroom.ask("GET", "/", Accept="text/html")
    assert (answer.status, answer.headers["Location"]) == (302, "/enter")
    assert "learner" not in answer.text
