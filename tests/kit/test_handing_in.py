"""Handing in: what a learner's machine packs, what the board takes, and where it lies."""

import io
import json
import os
import stat
import struct
import zipfile

import pytest
from typer.testing import CliRunner

from tests.kit.classroom import open_class, until
from trainer.cli import app
from trainer.course.exercise import find
from trainer.course.problem import Problem
from trainer.grading import class_cli, commands
from trainer.grading.intake.collect import collect
from trainer.grading.intake.names import children
from trainer.workshop import collected, stored
from trainer.workshop.room import opened
from trainer.workshop.seat import archive, handing_in, joining
from trainer.workshop.seat.courier import deliver
from trainer.workshop.seat.membership import membership
from trainer.workshop.seat.words import Malformed

EXERCISE = find("ride_cleansing")
PLACE = f"exercises/{EXERCISE.stem}.py"
TEXT = b"def cleanse(rides):\n    return rides\n"
OTHER = TEXT.replace(b"return rides", b"return rides.limit(1)")
ZIP = "application/zip"


@pytest.fixture
def classroom(tmp_path):
    """A class that is open."""
    with open_class(tmp_path) as classroom:
        yield classroom


@pytest.fixture
def wrote(tmp_path, monkeypatch):
    """Let a learner have written something in a copy of exercises/."""
    written = {}
    monkeypatch.setattr(handing_in, "answers", lambda: dict(written))
    monkeypatch.setattr(handing_in, "ROOT", tmp_path)

    def wrote(text: bytes = TEXT, place: str = PLACE) -> None:
        written[place] = text

    wrote()
    return wrote


def of(classroom) -> dict[str, bytes]:
    """Give what lies in a class's folder, by file."""
    folder = collected.folder_of(classroom.room.ledger.file)
    return {file.name: file.read_bytes() for file in folder.glob("*")}


def hand_in(classroom, seat, data: bytes):
    """Send the board an archive as a learner, whatever it is."""
    token = membership(seat.folder).token
    headers = {"Authorization": f"Bearer {token}", "Content_Type": ZIP}
    return classroom.ask("POST", "/api/hand-in", data, **headers)


def zipped(*members: tuple[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Pack anything."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", packing) as made:
        for name, text in members:
            made.writestr(name, text)
    return whole.getvalue()


def test_what_is_handed_in_lies_where_it_can_be_graded(classroom, wrote):
    """One student for each learner, by their name, with the text that they wrote."""
    for name, text in (("Ann Lee", TEXT), ("Bob", OTHER)):
        wrote(text)
        said = handing_in.submit(None, folder=classroom.seat(name).folder)
        assert said.startswith("Handed in to the class") and "1 answer (1a)" in said
    folder = collected.folder_of(classroom.room.ledger.file)
    found = children(folder)
    assert [*found] == ["Ann Lee", "Bob"]
    graded = {
        name: collect(name, child.paths, [EXERCISE], child.notes) for name, child in found.items()
    }
    assert [each.files[EXERCISE.stem] for each in graded.values()] == [TEXT, OTHER]
    assert [each.notes for each in graded.values()] == [(), ()]
    assert {stat.S_IMODE(f.stat().st_mode) for f in folder.iterdir()} == {0o600}


def test_again_replaces(classroom, wrote):
    """Under another name, too; the number stays."""
    ann = classroom.seat("Ann")
    handing_in.submit(None, folder=ann.folder)
    wrote(OTHER)
    joining.join(f"127.0.0.1:{classroom.port}", classroom.code, "Ann Lee", ann.folder)
    handing_in.submit(None, folder=ann.folder)
    ((name, data),) = of(classroom).items()
    assert name == "Ann Lee.1.taxi.zip"
    assert archive.unpacked(data)[0] == {PLACE: OTHER}


def test_the_same_again_is_not_later(classroom, wrote, monkeypatch):
    """An answer of the board that was lost costs nobody a day; what is new has a new time."""
    ann = classroom.seat("Ann")
    handing_in.submit(None, folder=ann.folder)
    monkeypatch.setattr(collected, "_now", lambda: "2030-01-01T00:00:00+00:00")
    handing_in.submit(None, folder=ann.folder)
    (before,) = of(classroom).values()
    wrote(OTHER)
    handing_in.submit(None, folder=ann.folder)
    (after,) = of(classroom).values()
    times = [archive.unpacked(each)[1]["at"] for each in (before, after)]
    assert times[0] < "2030" and times[1] == "2030-01-01T00:00:00+00:00"


def test_the_board_shows_who_handed_in(tmp_path, wrote):
    """With the time, at once and after a restart; the wall counts, and names nobody."""
    with open_class(tmp_path) as classroom:
        classroom.instruct()
        classroom.seat("Bob")
        handing_in.submit(None, folder=classroom.seat("Ann").folder)
        before = shown(classroom)
        (data,) = of(classroom).values()
        assert classroom.live("projector")["handed_in"] == 1
        assert "Ann" not in json.dumps(classroom.live("projector"))
    with open_class(tmp_path) as classroom:
        classroom.instruct()
        assert shown(classroom) == before
    at = collected.seconds(archive.unpacked(data)[1]["at"])
    assert before == (1, {"Ann": at, "Bob": None})


def shown(classroom) -> tuple[int, dict]:
    """Give what the instructor's page is told of who handed in."""
    live = classroom.live()
    return live["handed_in"], {row["name"]: row["handed_in"] for row in live["rows"]}


@pytest.mark.parametrize("at", ["", "yesterday", None])
def test_a_broken_file_keeps_no_board_closed(tmp_path, at):
    """Somebody may have put it there by hand; nobody's time is made up."""
    with open_class(tmp_path) as classroom:
        classroom.seat("Ann")
        folder = collected.folder_of(classroom.room.ledger.file)
    folder.mkdir()
    broken = b"" if at is None else archive.packed({PLACE: TEXT}, {"at": at})
    (folder / "Ann.1.taxi.zip").write_bytes(broken)
    with open_class(tmp_path) as classroom:
        assert classroom.room.board.learners[1].handed_in is None


def test_what_was_handed_in_stays_when_its_learner_is_taken_off(classroom, wrote, capsys):
    """Beside that of whoever has the name now; it counts no more, and is told of."""
    classroom.instruct()
    handing_in.submit(None, folder=(first := classroom.seat("Ann")).folder)
    told = classroom.post("/off", {"number": 1}).told
    assert told == {"left": "Ann.1.taxi.zip"}
    with pytest.raises(Problem, match="did not take it: The instructor took you off"):
        handing_in.submit(None, folder=first.folder)
    joining.join(f"127.0.0.1:{classroom.port}", classroom.code, "Ann", classroom.folder / "new")
    wrote(OTHER)
    handing_in.submit(None, folder=classroom.folder / "new")
    assert shown(classroom)[0] == 1
    folder, _ = class_cli.collect(classroom.room.ledger.file, [])
    said = " ".join(capsys.readouterr().out.split())
    assert "1 of the 1 in the class handed in" in said
    assert "Taken off the class, but what they handed in lies there too: Ann." in said
    assert len(children(folder)) == 2


def test_a_learner_s_clock_decides_nothing(classroom):
    """Whatever an archive says of itself."""
    ann = classroom.seat("Ann")
    lie = {"at": "2001-01-01T00:00:00+00:00", "name": "Bob", "clock": "board"}
    assert hand_in(classroom, ann, archive.packed({PLACE: TEXT}, lie)).status == 200
    (kept,) = of(classroom).values()
    about = archive.unpacked(kept)[1]
    assert (about["name"], about["clock"]) == ("Ann", "board") and about["at"] > "2020"


@pytest.mark.parametrize("name", ["../../ann", "a/b", "..", "a_1_assignsubmission_file_", "🚕"])
def test_a_name_leads_nowhere(classroom, wrote, name):
    """One learner's file can be no other's, wherever the name would lead."""
    for each in ("Zoe", name):
        handing_in.submit(None, folder=classroom.seat(each).folder)
    assert len(of(classroom)) == 2
    found = children(collected.folder_of(classroom.room.ledger.file))
    assert len(found) == 2 and "Zoe" in found


def test_two_whose_names_look_alike_are_two(classroom, wrote):
    """Neither takes the other's place."""
    for each in ("a/b", "a_b", "A-B"):
        handing_in.submit(None, folder=classroom.seat(each.replace("/", ":")).folder)
    assert len(of(classroom)) == 3
    assert len(children(collected.folder_of(classroom.room.ledger.file))) == 3


def bomb() -> bytes:
    """Pack more than is ever handed in into little."""
    return zipped((PLACE, b"#" * (archive.MOST_TEXT + 1)))


def liar() -> bytes:
    """Claim that a large member is small."""
    data = bytearray(bomb())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    return bytes(data)


HOSTILE = {
    "no archive": (b"hello", "broken, or no archive"),
    "nothing": (b"", "broken, or no archive"),
    "cut": (zipped((PLACE, TEXT))[:-10], "broken, or no archive"),
    "no answer": (zipped(), "holds no answer"),
    "above": (zipped(("../../etc/passwd", b"x")), "never handed in"),
    "absolute": (zipped(("/exercises/a.py", b"x")), "never handed in"),
    "hidden": (zipped(("exercises/.a.py", b"x")), "never handed in"),
    "climbs": (zipped(("exercises/../a.py", b"x")), "never handed in"),
    "other kind": (zipped(("exercises/a.sh", b"x")), "never handed in"),
    "bomb": (bomb(), "unpacked it is larger than 512 kB"),
    "lies": (liar(), "broken|larger"),
    "many": (zipped(*((f"exercises/a{i}.py", b"") for i in range(300))), "more than 200 files"),
    "bzip2": (zipped((PLACE, TEXT), packing=zipfile.ZIP_BZIP2), "packed in another way"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_are_refused_in_a_line(classroom, kind):
    """And nothing of them is kept."""
    data, why = HOSTILE[kind]
    answer = hand_in(classroom, classroom.seat("Eve"), data)
    assert answer.status == 400 and "\n" not in answer.told["why"]
    with pytest.raises(Malformed, match=why):
        archive.unpacked(data)
    assert of(classroom) == {}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_of_a_name_are_refused():
    """Which one counts would be anybody's guess."""
    with pytest.raises(Malformed, match="two files of one name"):
        archive.unpacked(zipped((PLACE, TEXT), (PLACE, OTHER)))


def test_more_than_may_be_sent_is_not_taken(classroom):
    """It is said so; the board goes on."""
    ann = classroom.seat("Ann")
    assert hand_in(classroom, ann, b"x" * (archive.LARGEST + 1)).status == 413
    assert hand_in(classroom, ann, archive.packed({PLACE: TEXT}, {})).status == 200


def test_who_has_not_joined_hands_in_nothing(classroom):
    """Nor as something else than an archive, nor without end."""
    data = archive.packed({PLACE: TEXT}, {})
    stranger = {"Authorization": "Bearer " + "x" * 64, "Content_Type": ZIP}
    assert classroom.ask("POST", "/api/hand-in", data, **stranger).status == 401
    ann = classroom.seat("Ann")
    token = membership(ann.folder).token
    assert classroom.post("/api/hand-in", {}, token).status == 415
    answers = [hand_in(classroom, ann, data).status for _ in range(10)]
    assert answers[0] == 200 and answers[-1] == 429
    assert hand_in(classroom, classroom.seat("Bob"), data).status == 200


def test_off_line_it_waits_and_goes_by_itself(tmp_path, wrote):
    """Once, the last that was handed in."""
    with open_class(tmp_path) as classroom:
        ann, port = classroom.seat("Ann"), classroom.port
    said = handing_in.submit(None, folder=ann.folder)
    assert "1 answer waits here and goes by itself as soon as it can" in said
    wrote(OTHER, f"exercises/{find('quarantine').stem}.py")
    said = handing_in.submit(None, folder=ann.folder)
    assert "2 answers wait here and go by themselves" in said
    wrote(OTHER)
    handing_in.submit(None, folder=ann.folder)
    assert "what you hand in waits here" in joining.told_of_the_class(ann.folder)
    with open_class(tmp_path, port) as classroom:
        assert deliver(ann.folder)
        (data,) = of(classroom).values()
        assert archive.unpacked(data)[0][PLACE] == OTHER
        assert not handing_in.waiting(ann.folder).exists()


def test_what_is_handed_in_meanwhile_is_not_forgotten(tmp_path):
    """What was sent makes way for nothing that is newer."""
    handing_in.wait_with(b"new", tmp_path)
    handing_in._sent(handing_in.waiting(tmp_path), b"old")
    assert handing_in.waiting(tmp_path).read_bytes() == b"new"


def test_without_a_class_it_is_a_file_to_send(tmp_path, wrote):
    """Named for its owner; without a name nothing is made."""
    said = handing_in.submit("Ann / Lee", folder=tmp_path / "no class")
    (file,) = tmp_path.glob("*.taxi.zip")
    assert file.name == "Ann - Lee.taxi.zip" and str(file) in said
    assert [*children(tmp_path)] == ["Ann - Lee"]
    with pytest.raises(Problem, match="--name Ann"):
        handing_in.submit(None, folder=tmp_path / "no class")


def test_answers_are_what_was_written(tmp_path):
    """With what lies beside them; stubs as they were issued are none."""
    (tmp_path / "helpers").mkdir()
    for place, text in (
        (f"{EXERCISE.stem}.py", TEXT),
        ("helpers/geo.py", b"X = 1\n"),
        ("notes.txt", b"-"),
        ("__pycache__/a.py", b"-"),
        ("two words.py", b"-"),
    ):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_bytes(text)
    found = handing_in.answers(tmp_path)
    assert found == {PLACE: TEXT, "exercises/helpers/geo.py": b"X = 1\n"}


def test_stubs_as_issued_are_nothing_to_hand_in(tmp_path):
    """Nor are helpers without an answer."""
    issued = EXERCISE.issued.read_bytes()
    (tmp_path / f"{EXERCISE.stem}.py").write_bytes(issued.replace(b"\n", b"\r\n"))
    (tmp_path / "helper.py").write_bytes(b"")
    with pytest.raises(Problem, match="nothing to hand in"):
        handing_in.answers(tmp_path)


def test_too_much_is_refused_before_it_is_sent(tmp_path):
    """With what to do."""
    (tmp_path / f"{EXERCISE.stem}.py").write_bytes(b"#" * (archive.MOST_TEXT + 1))
    with pytest.raises(Problem, match="more than can be handed in"):
        handing_in.answers(tmp_path)


def test_what_a_kill_left_is_tidied(tmp_path):
    """A draft is nobody's, and of two files of a learner the newer counts."""
    folder = collected.folder_of(tmp_path / "board.sqlite")
    collected.keep(folder, 7, "Ann", archive.packed({PLACE: TEXT}, {}))
    old = folder / "Anna.7.taxi.zip"
    old.write_bytes(b"old")
    os.utime(old, (1, 1))
    (folder / ".abc.draft").write_bytes(b"half")
    (folder / "By hand.taxi.zip").write_bytes(b"kept")
    opened(tmp_path / "board.sqlite", []).ledger.close()
    assert {file.name for file in folder.iterdir()} == {"Ann.7.taxi.zip", "By hand.taxi.zip"}


def test_forgetting_a_class_forgets_what_was_handed_in(tmp_path, wrote):
    """Its folder is gone."""
    with open_class(tmp_path) as classroom:
        handing_in.submit(None, folder=classroom.seat("Ann").folder)
        file = classroom.room.ledger.file
    assert collected.folder_of(file).exists()
    stored.forget(file)
    assert not collected.folder_of(file).exists()


def test_a_refusal_is_told(classroom, wrote, monkeypatch):
    """In a line, and what was refused waits no more."""
    ann = classroom.seat("Ann")
    wrote(TEXT, "exercises/no program.txt")
    with pytest.raises(Problem, match="The class did not take it: The archive is refused"):
        handing_in.submit(None, folder=ann.folder)
    assert until(lambda: not handing_in.waiting(ann.folder).exists())


def test_a_class_is_graded_with_what_came_another_way(tmp_path, wrote, capsys, monkeypatch):
    """By the command that grades, with its options; who handed in nothing is named."""
    with open_class(tmp_path) as classroom:
        handing_in.submit(None, folder=classroom.seat("Ann").folder)
        classroom.seat("Bob")
        file = classroom.room.ledger.file
    handing_in.submit("Cem.2", folder=tmp_path / "no class")
    given = {}
    monkeypatch.setattr(commands, "settings_for", lambda **told: given.update(told))
    monkeypatch.setattr(commands, "grade", lambda *told: True)
    arguments = ["class", "grade", "--out", str(tmp_path / "out"), "--file", str(file)]
    found = CliRunner().invoke(app, [*arguments, "--also", str(tmp_path), "--exercises", "1a"])
    assert found.exit_code == 0
    assert "1 of the 2 in the class handed in" in capsys.readouterr().out + found.output
    assert given["exercises"] == "1a"
    assert [*children(given["submissions"])] == ["Ann", "Cem-2"]
    assert stored.class_and_missing(file) == (2, ["Bob"])


ABOVE = zipped((PLACE, TEXT), ("../../zipslip.py", b"X = 1"))


def test_what_came_another_way_and_is_broken_keeps_nobody_from_a_grade(tmp_path):
    """It is told with its reason, and goes to who grades: a note, and what is whole counts."""
    sent, folder = tmp_path / "sent", tmp_path / "in"
    sent.mkdir()
    whole = archive.packed({PLACE: TEXT}, {"name": "Ann"})
    for name, data in {"Ann": whole, "bomb": bomb(), "cut": b"PK", "slip": ABOVE}.items():
        (sent / f"{name}.taxi.zip").write_bytes(data)
    odd = collected.add(folder, sent)
    assert [each.file.name for each in odd] == [f"{n}.taxi.zip" for n in ("bomb", "cut", "slip")]
    assert "nothing that `trainer submit` made: unpacked it is larger" in str(odd[0])
    assert "holds what is never handed in: '../../zipslip.py'. It is graded for" in str(odd[2])
    found = children(folder)
    came = {who: collect(who, child.paths, [EXERCISE]) for who, child in found.items()}
    assert {who: bool(each.files) for who, each in came.items()} == {
        **{"Ann": True, "bomb": False, "cut": False, "slip": True}
    }
    assert came["bomb"].unread and came["cut"].unread
    assert "leads out of the archive" in came["slip"].notes[0]


def test_what_can_not_be_taken_is_left_out_and_told(tmp_path):
    """A link, a folder, a browser's second copy; what was typed wrong is refused."""
    sent, folder = tmp_path / "sent", tmp_path / "in"
    (sent / "folder.taxi.zip").mkdir(parents=True)
    (sent / "link.taxi.zip").symlink_to(tmp_path / "else")
    (tmp_path / "else").write_bytes(archive.packed({PLACE: TEXT}, {}))
    (sent / "Ann.taxi (1).zip").write_bytes(archive.packed({PLACE: TEXT}, {}))
    odd = collected.add(folder, sent)
    assert "Ann.taxi (1).zip is left out: its name does not end in .taxi.zip." in str(odd[0])
    assert [each.why for each in odd[1:]] == ["it is no plain file"] * 2
    assert not any(each.taken for each in odd) and not folder.exists()
    assert collected.add(folder, sent / "Ann.taxi (1).zip") == []
    assert collected.add(folder, sent / "link.taxi.zip") == []
    with pytest.raises(Problem, match=r"There is no .*gone\.taxi\.zip; --also takes a name"):
        collected.add(folder, tmp_path / "gone.taxi.zip")


def test_who_came_another_way_is_not_missing(tmp_path, wrote, capsys, monkeypatch):
    """Now, and when the class is graded again; what was left out shows in the exit code."""
    with open_class(tmp_path) as classroom:
        handing_in.submit(None, folder=classroom.seat("Ann").folder)
        for name in ("Bob", "Dora"):
            classroom.seat(name)
        file = classroom.room.ledger.file
    (sent := tmp_path / "sent").mkdir()
    (sent / "dora.taxi.zip").write_bytes(b"broken")
    for also in ([sent], []):
        _, whole = class_cli.collect(file, also)
        said = capsys.readouterr().out
        assert whole and "2 of the 3 in the class handed in" in said and "Not yet: Bob." in said
    monkeypatch.setattr(commands, "settings_for", lambda **told: None)
    monkeypatch.setattr(commands, "grade", lambda *told: True)
    arguments = ["class", "grade", "--out", str(tmp_path / "out"), "--file", str(file), "--also"]
    assert CliRunner().invoke(app, [*arguments, str(sent)]).exit_code == 0
    assert CliRunner().invoke(app, [*arguments, str(sent), "--jobs", "x"]).exit_code == 2
    (sent / "Bob.taxi.zip").mkdir()
    assert CliRunner().invoke(app, [*arguments, str(sent)]).exit_code == 1
    (sent / "Bob.taxi.zip").rmdir()
    monkeypatch.setattr(commands, "grade", lambda *told: False)
    assert CliRunner().invoke(app, [*arguments, str(sent)]).exit_code == 1


def test_a_class_without_submissions_is_not_graded(tmp_path):
    """And that is said."""
    with open_class(tmp_path) as classroom:
        classroom.seat("Ann")
        file = classroom.room.ledger.file
    with pytest.raises(Problem, match="None of the 1 in the class has handed in"):
        class_cli.collect(file, [])
