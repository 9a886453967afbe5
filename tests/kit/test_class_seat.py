"""A learner's seat in a class: what is told, when it can't be, and what comes back."""

import io
import json
import re
import socket
import stat
import subprocess
import sys
import threading
import time
from functools import partial
from types import SimpleNamespace

import pytest
from rich.console import Console

from tests.kit.classroom import CORRECT, WRONG, Seat, open_class, until
from tests.kit.conftest import copied
from trainer.checking.misconceptions import misconceptions
from trainer.checking.recognition import told_by
from trainer.checking.report import Report
from trainer.checking.verdict import Check, Kind, Verdict
from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.learner import class_magic, course_server, hints, in_notebook, in_terminal
from trainer.learner.in_class import in_class
from trainer.learner.progress import Progress
from trainer.workshop.seat import courier as couriers
from trainer.workshop.seat import handing_in, joining, reporting
from trainer.workshop.seat.courier import A_MOMENT, AT_ITS_END, Courier, deliver, settle
from trainer.workshop.seat.letters import Letters
from trainer.workshop.seat.membership import Membership, keep, membership, parted
from trainer.workshop.seat.outbox import MOST_WAITING, Outbox
from trainer.workshop.seat.released import released
from trainer.workshop.seat.words import MOST_EVENTS, TAKEN_OFF, clean

EXERCISE = find("ride_cleansing")
# How late a busy machine may be.
PATIENT = 60
NOWHERE = Membership("127.0.0.1", 9, "Ann", "t" * 40, "r")


@pytest.fixture
def classroom(tmp_path):
    """A class that is open."""
    with open_class(tmp_path) as classroom:
        yield classroom


def standing(classroom, name: str, stem: str = EXERCISE.stem):
    """Give how a learner stands, as the board has it."""
    (found,) = (each for each in classroom.room.board.learners.values() if each.name == name)
    return found.standings.get(stem)


def test_a_check_is_told_in_names_alone(tmp_path):
    """Exercise, verdict, the test that failed, the idea: no code, no rows, no message."""
    idea = misconceptions(EXERCISE)[0]
    failed = Check("test_both_ends", "Both ends must lie in the city.", False)
    report = Report(
        EXERCISE,
        Verdict(Kind.WRONG, "row 12 of secret", (failed,), code="secret = 1"),
        rule=failed,
        misconception=told_by(idea),
    )
    keep(NOWHERE, tmp_path)
    reporting.checked(report, tmp_path)
    (told,) = (each.told() for each in Outbox(tmp_path).waiting())
    assert {key: told[key] for key in ("exercise", "verdict", "rule", "idea")} == {
        "exercise": EXERCISE.stem,
        "verdict": "wrong",
        "rule": "test_both_ends",
        "idea": idea.__name__,
    }
    assert set(told) == {"id", "kind", "age", "exercise", "verdict", "rule", "idea"}


def test_without_a_class_nothing_is_kept(tmp_path):
    """Who learns alone leaves no trace of it."""
    reporting.checked(Report(EXERCISE, Verdict(Kind.CORRECT, "")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_each_check_reaches_the_board(classroom):
    """The last verdict is what counts; that it was solved before is known."""
    ann = classroom.seat("Ann")
    ann.check(CORRECT)
    ann.check(WRONG | {"rule": "test_x"})
    found = standing(classroom, "Ann")
    assert (found.verdict, found.rule, found.solved, found.checks) == ("wrong", "test_x", True, 2)


def test_what_could_not_be_sent_goes_later_and_once(tmp_path):
    """With its own time, though it came late; sent twice, it is one check all the same."""
    with open_class(tmp_path) as classroom:
        ann, port = classroom.seat("Ann"), classroom.port
    ann.put(WRONG, ago=600)
    assert not deliver(ann.folder)
    (waiting,) = Outbox(ann.folder).waiting()
    kept = [*(ann.folder / "outbox").iterdir()]
    copies = {file: file.read_text() for file in kept}
    with open_class(tmp_path, port) as classroom:
        ann.check(CORRECT)
        for file, text in copies.items():
            file.write_text(text)
        assert deliver(ann.folder)
        found = standing(classroom, "Ann")
        assert (found.verdict, found.checks) == ("correct", 2)
        (late, _) = classroom.room.board.learners[1].checks[EXERCISE.stem]
        assert late.came - late.at == pytest.approx(600, abs=PATIENT)
        assert waiting.id in classroom.room.board.learners[1].known
    assert Outbox(ann.folder).waiting() == []


def test_many_that_wait_go_in_several_letters(classroom):
    """None is left behind, whatever fits into one."""
    ann = classroom.seat("Ann")
    for _ in range(MOST_EVENTS + 3):
        ann.put(WRONG)
    assert deliver(ann.folder)
    assert standing(classroom, "Ann").checks == MOST_EVENTS + 3


def test_an_outbox_does_not_grow_for_ever(tmp_path):
    """The oldest make way."""
    outbox = Outbox(tmp_path)
    (tmp_path / "outbox").mkdir()
    for number in range(MOST_WAITING + 5):
        (tmp_path / "outbox" / f"{number:020}-{number:032x}.json").write_text("{}")
    outbox.put("help")
    assert len([*(tmp_path / "outbox").iterdir()]) == MOST_WAITING


def test_what_is_broken_in_the_outbox_is_dropped(classroom):
    """It would stand in the way of all that follows."""
    ann = classroom.seat("Ann")
    ann.put(WRONG)
    (broken,) = (ann.folder / "outbox").iterdir()
    broken.write_text('{"id": ')
    ann.check(CORRECT)
    assert standing(classroom, "Ann").checks == 1


def test_a_board_that_is_not_there_keeps_nobody_waiting(tmp_path):
    """Once it is known, the end of a process waits for nothing."""
    keep(NOWHERE, tmp_path)
    courier = Courier(tmp_path)
    until(courier.idle.is_set)
    assert not courier.reached
    courier.idle.clear()
    courier.wait(patience=3600)


def test_a_courier_goes_on_by_itself_when_the_board_is_back(tmp_path):
    """Nobody has to check again for it."""
    with open_class(tmp_path) as classroom:
        ann, port = classroom.seat("Ann"), classroom.port
    ann.put(WRONG)
    courier = Courier(ann.folder)
    until(courier.idle.is_set)
    assert len(Outbox(ann.folder).waiting()) == 1
    with open_class(tmp_path, port) as classroom:
        courier.call()
        until(lambda: standing(classroom, "Ann"))
        until(courier.idle.is_set)
    assert Outbox(ann.folder).waiting() == []


def test_a_command_does_not_end_before_its_first_round(classroom, monkeypatch):
    """However short it was, and however slow the machine: a busy one takes its time for a round."""

    def slow(folder, **more):
        time.sleep(0.5)
        return deliver(folder, **more)

    monkeypatch.setattr(couriers, "deliver", slow)
    ann = classroom.seat("Ann")
    ann.put(WRONG)
    Courier(ann.folder).wait(PATIENT)
    assert Outbox(ann.folder).empty


def test_a_call_at_the_end_of_a_round_is_heard(classroom, monkeypatch):
    """What was put there after that round had looked is not taken for sent."""
    ann = classroom.seat("Ann")
    began, go_on = threading.Event(), threading.Event()

    def held(folder, **more):
        delivered = deliver(folder, **more)
        began.set()
        go_on.wait(PATIENT)
        return delivered

    monkeypatch.setattr(couriers, "deliver", held)
    courier = Courier(ann.folder)
    began.wait(PATIENT)
    ann.put(WRONG)
    courier.call()
    go_on.set()
    courier.wait(PATIENT)
    assert Outbox(ann.folder).empty


@pytest.mark.parametrize("outcome", [WRONG, None])
def test_any_command_delivers_what_waits_and_tells_what_is_new(tmp_path, monkeypatch, outcome):
    """A check of the time without a board, or what was handed in; once, and nothing twice."""
    monkeypatch.setattr(handing_in, "answers", lambda: {"exercises/a.py": b"x = 1"})
    with open_class(tmp_path) as classroom:
        ann, port = classroom.seat("Ann"), classroom.port
    if outcome:
        ann.put(outcome)
    else:
        handing_in.wait_with(handing_in.archive.packed(handing_in.answers(), {}), ann.folder)
    told = []
    with in_class(told.append, ann.folder):
        pass
    assert told == [] and "by itself" in joining.told_of_the_class(ann.folder)
    with open_class(tmp_path, port) as classroom:
        classroom.instruct()
        classroom.post("/say", {"text": "Break"})
        # A machine with much else to do is no fault of the command.
        monkeypatch.setattr(couriers, "AT_ITS_END", PATIENT)
        for _ in range(2):
            with in_class(told.append, ann.folder):
                pass
        learner = classroom.room.board.learners[1]
        assert (len(learner.known), bool(learner.handed_in)) == (bool(outcome), not outcome)
    assert told == ["Your instructor: Break"]
    assert "by itself" not in joining.told_of_the_class(ann.folder)


def test_nobody_looks_on_while_an_archive_goes(classroom, monkeypatch):
    """Asking for help, or for a hint, waits for a letter alone; the rest goes at the end."""
    ann = classroom.seat("Ann")
    handing_in.wait_with(handing_in.archive.packed({"exercises/a.py": b"x"}, {}), ann.folder)
    assert "sees that you want help" in joining.help_told(None, folder=ann.folder)
    assert not released("hints", EXERCISE.stem, ann.folder)
    assert handing_in.waiting(ann.folder).exists()
    monkeypatch.setattr(couriers, "AT_ITS_END", PATIENT)
    settle(ann.folder)
    assert not handing_in.waiting(ann.folder).exists()


def test_a_command_that_fails_delivers_all_the_same(classroom, monkeypatch):
    """And the failure is what is told."""
    monkeypatch.setattr(couriers, "AT_ITS_END", PATIENT)
    ann = classroom.seat("Ann")
    ann.put(WRONG)
    with pytest.raises(Problem, match="No such"), in_class(print, ann.folder):
        raise Problem("No such exercise.")
    assert Outbox(ann.folder).empty


def test_a_board_that_says_nothing_costs_a_command_a_moment(tmp_path, monkeypatch):
    """Two seconds where something waits, and those once; else one, and then next to nothing."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        keep(Membership("127.0.0.1", mute.getsockname()[1], "Ann", "t" * 40, "r"), tmp_path)
        assert A_MOMENT / 2 < took(tmp_path) < A_MOMENT + 1
        assert took(tmp_path) < A_MOMENT
        in_the_next_process(monkeypatch)
        assert took(tmp_path) < A_MOMENT
        in_the_next_process(monkeypatch)
        Seat(tmp_path).put(WRONG)
        assert AT_ITS_END / 2 < took(tmp_path) < AT_ITS_END + 1
        assert took(tmp_path) < A_MOMENT
    assert not Outbox(tmp_path).empty


def in_the_next_process(monkeypatch) -> None:
    """Let a command know only what lies on the disk."""
    monkeypatch.setattr(couriers, "_couriers", {})


def test_who_is_in_no_class_waits_for_nothing(tmp_path):
    """No thread sets out, no file is made."""
    threads = threading.active_count()
    assert took(tmp_path) < 1
    assert threading.active_count() == threads and [*tmp_path.iterdir()] == []


def took(folder) -> float:
    """Measure what a command's end costs, in seconds."""
    began = time.monotonic()
    settle(folder)
    return time.monotonic() - began


@pytest.mark.slow
def test_commands_of_a_learner_deliver_and_tell(tmp_path_factory, tmp_path):
    """In processes of their own, short as they are."""
    kit = copied(tmp_path_factory.mktemp("learner") / "kit")
    # As above: a machine with much else to do is no fault of the command.
    courier = kit / "trainer" / "workshop" / "seat" / "courier.py"
    patient = re.sub(r"(A_MOMENT|AT_ITS_END) = [\d.]+", rf"\1 = {PATIENT}", courier.read_text())
    courier.write_text(patient)

    def trainer(*words: str) -> str:
        command = [sys.executable, "-m", "trainer.cli", *words]
        ran = subprocess.run(command, cwd=kit, capture_output=True, text=True, timeout=600)
        return ran.stdout + ran.stderr

    with open_class(tmp_path) as classroom:
        port = classroom.port
        trainer("class", "join", f"127.0.0.1:{port}", classroom.code, "--name", "Ann")
    seat = Seat(kit / ".class")
    for number, command in enumerate(
        (["next"], ["list"], ["class"], ["hint", "1a"], ["check", "1a"], ["class", "help"])
    ):
        seat.put(WRONG)
        with open_class(tmp_path, port) as classroom:
            classroom.instruct()
            classroom.post("/say", {"text": f"Line {number}"})
            said = trainer(*command)
            assert Outbox(seat.folder).empty, command
            assert f"Your instructor: Line {number}" in said, command
            assert "not sent yet" not in said
    (exercise,) = (kit / "exercises").glob(f"{EXERCISE.stem}.py")
    exercise.write_text("x = 1\n")
    assert "1 answer waits here and goes by itself" in " ".join(trainer("submit").split())
    with open_class(tmp_path, port) as classroom:
        trainer("next")
        assert classroom.room.board.learners[1].handed_in
    assert not handing_in.waiting(seat.folder).exists()


def test_what_answers_and_is_no_board_takes_nothing(tmp_path):
    """Some other server may have got the address."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        keep(Membership("127.0.0.1", other.getsockname()[1], "Ann", "t" * 40, "r"), tmp_path)
        Seat(tmp_path).put(WRONG)
        courier = Courier(tmp_path)
        connection, _ = other.accept()
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        connection.close()
        until(courier.idle.is_set)
    assert len(Outbox(tmp_path).waiting()) == 1


@pytest.mark.parametrize(("letters", "told"), [(40, False), (41, True), (500, True)])
def test_a_name_that_is_cut_is_told_so(classroom, letters, told):
    """By the command that joins: nobody finds out by a roster that doesn't match."""
    name = "x" * letters
    place = joining.join(
        f"127.0.0.1:{classroom.port}", classroom.code, name, classroom.folder / "long"
    )
    said = joining.welcome(place, name)
    assert ("That name is cut: 40 letters are shown at most." in said) is told
    assert f"You are {'x' * 40} in the class" in said


def test_what_the_board_refuses_waits_no_more(classroom):
    """What comes behind it goes all the same: a kit may have an exercise that the board's lacks."""
    ann = classroom.seat("Ann")
    ann.put(WRONG | {"exercise": "ch99x_new"})
    ann.check(CORRECT)
    assert Outbox(ann.folder).empty
    assert [*classroom.room.board.learners[1].checks] == [EXERCISE.stem]


def test_joining_again_is_the_same_learner(classroom):
    """After an answer that was lost on the way, or under another name."""
    classroom.seat("Ann")
    (folder,) = (each for each in classroom.folder.iterdir() if each.is_dir())
    joining.join(f"127.0.0.1:{classroom.port}", classroom.code, "Annie", folder)
    assert [each.name for each in classroom.room.board.learners.values()] == ["Annie"]


def test_two_of_a_name_are_told_apart(classroom):
    """And the second is told by which name."""
    classroom.seat("Ann")
    second = joining.join(
        f"127.0.0.1:{classroom.port}", classroom.code, "ann", classroom.folder / "second"
    )
    assert second.name == "ann (2)"


def test_a_wrong_code_is_told_in_a_line(classroom, tmp_path):
    """And nobody has joined."""
    with pytest.raises(Problem, match="not the code of this class"):
        joining.join(f"127.0.0.1:{classroom.port}", "WRONG1", "Ann", tmp_path / "ann")
    assert membership(tmp_path / "ann") is None


@pytest.mark.parametrize("address", ["", "http://", "a b", "host:99999", "host:x", "host/else"])
def test_what_is_no_address_is_told_in_a_line(address):
    """With what one looks like."""
    with pytest.raises(Problem, match="is no address of a class board"):
        parted(address)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("10.0.0.2", ("10.0.0.2", 8765)),
        ("http://10.0.0.2:80/", ("10.0.0.2", 80)),
        ("anna.local:9000", ("anna.local", 9000)),
        ("[fe80::1]:9000", ("fe80::1", 9000)),
    ],
)
def test_an_address_may_be_typed_as_it_is_shown(address, found):
    """With `http://` and port, or without."""
    assert parted(address) == found


def test_leaving_ends_it(classroom):
    """What was not sent is not sent, and nothing more is kept."""
    ann = classroom.seat("Ann")
    ann.put(WRONG)
    joining.leave(ann.folder)
    ann.put(WRONG)
    assert not deliver(ann.folder)
    assert standing(classroom, "Ann") is None
    with pytest.raises(Problem, match="You are in no class"):
        joining.leave(ann.folder)


def test_another_class_is_told_nothing_of_the_first(tmp_path):
    """What waited for the first is dropped."""
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    with open_class(tmp_path / "one") as classroom:
        ann = classroom.seat("Ann")
    ann.put(WRONG)
    with open_class(tmp_path / "other") as classroom:
        joining.join(f"127.0.0.1:{classroom.port}", classroom.code, "Ann", ann.folder)
        assert deliver(ann.folder)
        assert standing(classroom, "Ann") is None


def test_a_board_that_forgot_the_class_is_told_of(tmp_path):
    """In the line that says which class one is in; checks go on."""
    with open_class(tmp_path) as classroom:
        ann, port = classroom.seat("Ann"), classroom.port
    with open_class(tmp_path, port, file=tmp_path / "new.sqlite"):
        assert not deliver(ann.folder)
    assert "knows you no more" in joining.told_of_the_class(ann.folder)


def test_who_was_taken_off_is_told_once(classroom):
    """In one line, and wherever one asks; what is not sent waits."""
    classroom.instruct()
    ann = classroom.seat("Ann")
    ann.check(CORRECT)
    assert classroom.post("/off", {"number": 1}).told == {"left": ""}
    ann.put(WRONG)
    assert not deliver(ann.folder)
    assert Letters(ann.folder).news() == [TAKEN_OFF]
    assert not deliver(ann.folder)
    assert Letters(ann.folder).news() == []
    assert joining.told_of_the_class(ann.folder) == TAKEN_OFF
    assert course_server.in_class(ann.folder)["off"]
    with pytest.raises(Problem, match="took you off the class"):
        joining.help_told(None, folder=ann.folder)


def test_who_was_taken_off_can_join_again(classroom):
    """As who they were; what waited goes then, and taken off again they are told again."""
    classroom.instruct()
    ann = classroom.seat("Ann")
    ann.check(CORRECT)
    for _ in range(2):
        classroom.post("/off", {"number": 1})
        ann.put(WRONG)
        assert not deliver(ann.folder)
        assert Letters(ann.folder).news() == [TAKEN_OFF]
        joining.join(f"127.0.0.1:{classroom.port}", classroom.code, "Ann", ann.folder)
        assert joining.told_of_the_class(ann.folder).startswith("You are Ann")
        assert deliver(ann.folder)
    assert standing(classroom, "Ann").checks == 3


def test_the_token_is_for_its_owner_alone(classroom):
    """And so is the folder around it."""
    ann = classroom.seat("Ann")
    for file in (ann.folder, ann.folder / "seat.json", ann.folder / "secret"):
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0
    assert json.loads((ann.folder / "seat.json").read_text())["token"] not in {
        *(
            str(value)
            for row in classroom.room.ledger.rows("SELECT * FROM learners")
            for value in row
        )
    }


def test_a_line_of_the_instructor_is_told_once(tmp_path):
    """By whichever asks first: terminal or notebook."""
    letters = Letters(tmp_path)
    letters.arrived({"lines": [{"number": 1, "text": "Look here\x1b"}]})
    letters.arrived({"lines": [{"number": 2, "text": "Break"}]})
    assert letters.untold() == ["Look here", "Break"]
    assert letters.untold() == []


def test_the_magic_says_what_it_understands(capsys):
    """In a line, whatever was typed."""
    magic = class_magic.ClassMagics(None)
    magic.class_("dance")
    magic.class_('join "')
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("That is not understood; it is one of: %class join ADDRESS CODE")
    assert len(told) == 2


def test_the_magic_joins(classroom, monkeypatch, capsys):
    """As the command does; a name may have several words."""
    joined = []
    monkeypatch.setattr(joining, "join", lambda *given: joined.append(given) or NOWHERE)
    class_magic.ClassMagics(None).class_("join 10.0.0.2 ABCDEF --name Ann Lee")
    assert joined == [("10.0.0.2", "ABCDEF", "Ann Lee")]
    assert capsys.readouterr().out.startswith("You are Ann in the class at 127.0.0.1:9.")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  Ann\t\nLee ", "Ann Lee"),
        ("\x1b[2JAnn\u202eeel\u200b", "Anneel"),
        ("\x1b[1;31mAnn\x1b[0m \x9b5mLee\x1b(B", "Ann Lee"),
        ("\x1b]0;title\x07Ann\x1b]8;;http://x\x1b\\", "Ann"),
        ("Ann [2]", "Ann [2]"),
        ("Z" + "\u0300" * 30, "Z\u0300\u0300"),
        ("x" * 500, "x" * 40),
        (None, ""),
    ],
)
def test_a_name_can_steer_nothing(text, shown):
    """No terminal, no page's direction, no neighbour's line."""
    assert clean(text, 40) == shown


def test_what_was_said_before_one_came_is_not_told(classroom):
    """Nor what was told already, after joining once more."""
    classroom.instruct()
    classroom.post("/say", {"text": "Good morning"})
    ann = classroom.seat("Ann")
    classroom.post("/say", {"text": "Look here"})
    assert deliver(ann.folder)
    assert Letters(ann.folder).untold() == ["Look here"]
    joining.join(f"127.0.0.1:{classroom.port}", classroom.code, "Ann", ann.folder)
    assert deliver(ann.folder)
    assert Letters(ann.folder).untold() == []


def test_asking_for_help_says_whether_it_arrived(tmp_path):
    """And where it did not, it goes later."""
    with open_class(tmp_path) as classroom:
        ann, port = classroom.seat("Ann"), classroom.port
        assert "sees that you want help" in joining.help_told(EXERCISE.stem, folder=ann.folder)
        assert "you asked for help" in joining.told_of_the_class(ann.folder)
        assert "got on" in joining.help_told(None, fine=True, folder=ann.folder)
    assert "as soon as it can" in joining.help_told(None, folder=ann.folder)
    with open_class(tmp_path, port) as classroom:
        assert deliver(ann.folder)
        assert classroom.room.board.learners[1].asked


def test_what_is_released_opens_for_the_learner(classroom, monkeypatch, tmp_path):
    """All hints at once; the solution without them; as soon as it was said."""
    classroom.instruct()
    ann = classroom.seat("Ann")
    monkeypatch.setattr(hints, "released", partial(released, folder=ann.folder))
    progress = Progress(tmp_path / "progress.json")
    with pytest.raises(Problem):
        hints.solution(EXERCISE, progress)
    classroom.post("/release", {"kind": "solution", "exercise": EXERCISE.stem})
    classroom.post("/release", {"kind": "hints", "exercise": EXERCISE.stem})
    assert "def cleanse" in hints.solution(EXERCISE, progress)
    read, left = hints.next_hint(EXERCISE, progress)
    assert (len(read), left) == (len(hints.hints(EXERCISE)), 0)
    assert any("trainer hint ride_cleansing" in line for line in Letters(ann.folder).untold())


def test_the_panel_shows_the_class(classroom):
    """Who one is there, whether one asked for help, and what was said; nothing for who is alone."""
    classroom.instruct()
    ann = classroom.seat("Ann")
    classroom.post("/say", {"text": "Look here"})
    joining.ask_for_help(None, ann.folder)
    assert course_server.in_class(ann.folder) == {
        "name": "Ann",
        "help": True,
        "unknown": False,
        "off": False,
        "lines": [{"number": 1, "text": "Look here"}],
    }
    assert course_server.in_class(classroom.folder / "nobody") is None


@pytest.fixture
def told(monkeypatch):
    """Checks that come out correct at once; what the board is told of is kept here."""
    told = []
    report = Report(EXERCISE, Verdict(Kind.CORRECT, "All passed."))

    def examine(exercise, tell, **more):
        tell(report)
        return report

    for place in (in_terminal, in_notebook):
        monkeypatch.setattr(place, "examine", examine)
        monkeypatch.setattr(place.reporting, "checked", told.append)
        lines = SimpleNamespace(news=lambda: ["Your instructor: Back at [ten]"])
        monkeypatch.setattr(place, "Letters", lambda lines=lines: lines)
    return told


def test_a_check_in_a_terminal_is_told_and_tells(told, tmp_path):
    """After the report: what the instructor said; `watch` checks by the same."""
    console = Console(file=io.StringIO(), width=120)
    in_terminal.check_one(EXERCISE, Progress(tmp_path / "progress.json"), console)
    assert [report.verdict.kind for report in told] == [Kind.CORRECT]
    assert console.file.getvalue().endswith("Your instructor: Back at [ten]\n")


def test_a_check_in_a_notebook_is_told_and_tells(told, monkeypatch, tmp_path, capsys):
    """Below the report."""
    monkeypatch.setattr(in_notebook, "Progress", lambda: Progress(tmp_path / "progress.json"))
    in_notebook.check(EXERCISE)
    assert [report.verdict.kind for report in told] == [Kind.CORRECT]
    assert capsys.readouterr().out.endswith("Your instructor: Back at [ten]\n")


def test_a_full_disk_keeps_no_check_from_its_learner(tmp_path, monkeypatch):
    """What the board is not told of is the lesser loss."""

    def full(*given, **more):
        raise OSError("no space left")

    keep(NOWHERE, tmp_path)
    monkeypatch.setattr(Outbox, "put", full)
    reporting.checked(Report(EXERCISE, Verdict(Kind.CORRECT, "")), tmp_path)
