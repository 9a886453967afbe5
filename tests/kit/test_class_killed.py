"""The board's server is killed while learners check: nothing that was acknowledged is lost."""

import signal
import threading

import pytest

from bench.class_board import board
from tests.kit.classroom import WRONG, Seat, until
from trainer.course import safe_file
from trainer.workshop import collected
from trainer.workshop.seat import archive
from trainer.workshop.seat.courier import deliver
from trainer.workshop.seat.joining import join
from trainer.workshop.seat.membership import membership
from trainer.workshop.seat.outbox import Outbox
from trainer.workshop.seat.post import Unreachable, ask, send

pytestmark = pytest.mark.slow

AT_A_TIME = 10


class Learner(threading.Thread):
    """Somebody who checks again and again; what was acknowledged is noted."""

    def __init__(self, folder, server, number):
        """Join the class."""
        super().__init__(daemon=True)
        join(f"127.0.0.1:{server.port}", server.code, f"Learner {number}", folder)
        self.seat, self.place = Seat(folder), membership(folder)
        self.acknowledged: list[str] = []
        self.enough = threading.Event()

    def run(self):
        """Check, deliver, and go on, whatever becomes of the server."""
        outbox = Outbox(self.seat.folder)
        while not self.enough.is_set():
            # However long the server is away: the board takes only so many at a time from anybody.
            if len(outbox.waiting()) < AT_A_TIME:
                self.seat.put(WRONG)
            body = {"events": [each.told() for each in outbox.waiting()], "after": 0}
            try:
                answer = ask(
                    self.place.host, self.place.port, "/api/deliver", body, self.place.token
                )
            except Unreachable:
                self.enough.wait(0.1)
                continue
            self.acknowledged += answer["taken"]
            outbox.sent(answer["taken"])


def test_what_was_acknowledged_survives_a_kill(tmp_path):
    """And what was not is sent again by itself; nothing is there twice."""
    with board() as server:
        learners = [Learner(tmp_path / str(number), server, number) for number in range(4)]
        for each in learners:
            each.start()
        for times in (5, 40):
            until(lambda times=times: all(len(each.acknowledged) > times for each in learners))
            server.end(signal.SIGKILL)
            acknowledged = {name for each in learners for name in [*each.acknowledged]}
            assert acknowledged <= {*server.kept()}
            server.start()
        for each in learners:
            each.enough.set()
            each.join()
            until(lambda each=each: deliver(each.seat.folder))
            assert Outbox(each.seat.folder).waiting() == []
        kept = server.kept()
        assert len(kept) == len({*kept})
        assert {name for each in learners for name in each.acknowledged} <= {*kept}


class HandsIn(threading.Thread):
    """Somebody who hands in another text again and again; what was acknowledged last is noted."""

    def __init__(self, folder, server, number):
        """Join the class."""
        super().__init__(daemon=True)
        join(f"127.0.0.1:{server.port}", server.code, f"Learner {number}", folder)
        self.place, self.sent, self.acknowledged = membership(folder), 0, 0
        self.enough = threading.Event()

    def run(self):
        """Hand in, and go on, whatever becomes of the server."""
        while not self.enough.is_set():
            self.sent += 1
            texts = {f"exercises/{NAME}.py": b"#" * 200_000 + str(self.sent).encode()}
            place = (self.place.host, self.place.port, "/api/hand-in")
            try:
                send(*place, archive.packed(texts, {}), self.place.token, 30)
            except Unreachable:
                self.enough.wait(0.05)
                continue
            self.acknowledged = self.sent


NAME = "ch01a_ride_cleansing"


def test_what_was_handed_in_survives_a_kill(tmp_path):
    """What was acknowledged, or what came after it; whole, and nothing half beside it."""
    with board() as server:
        folder = collected.folder_of(server.file)
        learners = [HandsIn(tmp_path / str(number), server, number) for number in range(3)]
        for each in learners:
            each.start()
        for times in (1, 5):
            until(lambda times=times: all(each.acknowledged >= times for each in learners))
            server.end(signal.SIGKILL)
            for number, each in enumerate(learners, 1):
                acknowledged, sent = each.acknowledged, each.sent
                (file,) = collected.there(folder, number)
                ((_, text),) = archive.unpacked(file.read_bytes())[0].items()
                assert acknowledged <= int(text.lstrip(b"#")) <= sent
            left = [*folder.glob(safe_file.DRAFTS)]
            server.start()
            # Another one may be there by now: all go on handing in.
            assert not [file for file in left if file.exists()]
        for each in learners:
            each.enough.set()
            each.join()
