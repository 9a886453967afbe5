"""A runner that lies, drips, hangs or dies: the judge hears one error, in time, and goes on."""

import json
import sys
import time
from functools import partial
from textwrap import dedent, indent

import pytest

from trainer.course.exercise import find
from trainer.grading.judging import judge, protocol, remote
from trainer.grading.judging.remote import NoRunner, Remote
from trainer.grading.sandbox.sandbox import Sandbox
from trainer.rows import ride
from trainer.running.answer import Crashed, TooSlow, Unfinished
from trainer.running.scenario import Scenario

CLEANSING = find("ride_cleansing")
COLUMNS = "ride_id bigint, event_time timestamp"

# A runner without Spark: what it does when it is asked stands in its place.
FAKE = """
import json, os, struct, sys, time
import pyarrow as pa
from trainer.grading.judging.protocol import message, receive, schema_of

def ask():
    return receive(sys.stdin.buffer.read)[0]

def say(header, tables=()):
    os.write(1, message(header, tables))

ROWS = schema_of("ride_id bigint, event_time timestamp").empty_table()
ONE = pa.table({{"ride_id": [1], "event_time": [0]}}, schema=ROWS.schema)
NOON = "2020-01-01T12:00:00+00:00"
ABOUT = dict(lengths=[1], state_rows=[0], dropped_late=[0], watermarks=[NOON])
{before}
say({{"status": "ready"}})
while True:
    asked = ask()
    right = {{"status": "ran", "id": asked.get("id"), "outputs": {{"": ABOUT}}}}
{does}
"""


@pytest.fixture
def runner(tmp_path):
    """Make a judge's side for a runner that does something when it is asked."""
    made = []

    def make(does: str, before: str = "", seconds: float = 10) -> Remote:
        code = FAKE.format(does=indent(dedent(does), "    "), before=before)
        sandbox = Sandbox("none", tmp_path, program=(sys.executable, "-c", code))
        made.append(Remote(sandbox, seconds))
        return made[-1]

    yield make
    for each in made:
        each.stop()


def asked(to: Remote, rides: int = 1, timeout: float = 5) -> object:
    """Ask for a run."""
    scenario = Scenario.of(rides=[[ride(1)] * rides])
    asked = to.start(CLEANSING, COLUMNS, timeout, {"result": scenario})
    try:
        return asked.outcome("result")
    finally:
        asked.stop()


def test_an_honest_answer_is_heard(runner):
    """Rows, and what is said of the micro-batches."""
    result = asked(runner("say(right, [ONE])"))
    assert result.column("ride_id") == [1]
    assert [time.hour for time in result.watermarks] == [12]
    assert result.schema == COLUMNS


def test_answers_come_in_any_order(runner):
    """All is asked for at once; what comes first is kept until it is wanted."""
    does = """
    if asked['inputs']['rides'] == [1]:
        first = right
    else:
        say(right, [ONE]); say(first, [ONE])
"""
    scenarios = {str(n): Scenario.of(rides=[[ride(1)] * n]) for n in (1, 2)}
    asked = runner(does).start(CLEANSING, COLUMNS, 5, scenarios)
    assert [asked.outcome(name).scenario for name in "12"] == list(scenarios.values())


def test_what_is_not_wanted_any_more_is_forgotten(runner):
    """The runner is told, its late answers are passed over, and the next question gets its own."""
    does = """
    if 'forget' in asked:
        say({"status": "ran", "id": asked["forget"][0], "outputs": {"": ABOUT}}, [ONE])
    elif asked['inputs']['rides'] != [2]:
        say(right, [ONE])
"""
    to = runner(does)
    scenarios = {str(n): Scenario.of(rides=[[ride(1)] * n]) for n in (1, 2)}
    abandoned = to.start(CLEANSING, COLUMNS, 5, scenarios)
    abandoned.outcome("1")
    process = to.process
    abandoned.stop()
    assert asked(to).column("ride_id") == [1]
    assert to.process is process


def test_a_runner_that_does_not_even_hear_that_is_ended(runner, monkeypatch):
    """It hangs, and would not hear the next question either."""
    monkeypatch.setattr(remote, "GRACE_SECONDS", 0)
    to = runner("time.sleep(600)")
    many = {str(n): Scenario.of(rides=[[ride(1)] * 10_000]) for n in range(3)}
    with pytest.raises(TooSlow):
        to.start(CLEANSING, COLUMNS, 1, many).outcome("0")
    assert to.process is None


LIES = {
    "no table": "say(right)",
    "another number": "say(right | {'id': 'x'}, [ONE])",
    "no number": "say({'status': 'ran', 'outputs': {'': ABOUT}}, [ONE])",
    "no JSON": "os.write(1, struct.pack('>I', 5) + b'hello')",
    "a huge header": "os.write(1, struct.pack('>I', 2**32 - 1) + b'x' * 1000)",
    "huge tables": "text = json.dumps(right | dict(tables=[dict(rows=10**9, sizes=[])])).encode(); "
    "os.write(1, struct.pack('>I', len(text)) + text)",
    "two tables": "say(right, [ONE, ONE])",
    "an error with a table": "say(right | {'status': 'error'}, [ONE])",
    "other types": "say(right, [ONE.cast(pa.schema([('ride_id', 'int32'), ROWS.schema[1]]))])",
    "other columns": "say(right, [ONE.select(['ride_id'])])",
    "too many rows": "many = {'outputs': {'': ABOUT | {'lengths': [60_000]}}}; "
    "say(right | many, [pa.concat_tables([ONE] * 60_000)])",
    "it ends": "os._exit(0)",
    "it ends in the middle": "os.write(1, message(right, [ONE])[:-9]); os._exit(0)",
}


@pytest.mark.parametrize("does", LIES.values(), ids=LIES.keys())
def test_what_cannot_be_an_answer_is_a_crash(runner, does):
    """Whatever was wrong with it, and the runner is ended."""
    to = runner(does)
    scenarios = {str(n): Scenario.of(rides=[[ride(1)]]) for n in range(2)}
    started = to.start(CLEANSING, COLUMNS, 5, scenarios)
    with pytest.raises(Crashed, match="ended the process"):
        [started.outcome(name) for name in scenarios]
    assert to.process is None


TAKES_BACK = """
def take():
    os.set_blocking(number, False)
    while True:
        try:
            os.read(number, 1)
        except BlockingIOError:
            pass
number = os.open("/proc/self/fd/1", os.O_RDONLY)
import threading
threading.Thread(target=take, daemon=True).start()
while True:
    os.write(1, b"x")
"""


def test_who_takes_its_bytes_back_is_too_slow(runner, monkeypatch):
    """They were in the pipe when the judge looked, and are gone when it reads."""
    monkeypatch.setattr(remote, "GRACE_SECONDS", 0)
    monkeypatch.setattr(protocol, "MOST_HEADER_BYTES", 2**32)
    with pytest.raises(TooSlow):
        asked(runner(TAKES_BACK), timeout=2)


@pytest.mark.parametrize(
    ("kind", "error"),
    [("'Unfinished'", Unfinished), ("'TooSlow'", TooSlow), ("'SystemExit'", Crashed)]
    + [(kind, Crashed) for kind in ("None", "[]", "{'a': 1}", "'AnswerError'")],
)
def test_an_error_is_one_of_four_kinds(runner, kind, error):
    """None of which is a pass; what is none of them is a crash."""
    does = f"say({{'status': 'error', 'id': asked['id'], 'kind': {kind}, 'message': 'x'}})"
    with pytest.raises(error):
        asked(runner(does))


@pytest.mark.parametrize("text", ["'a' * 5000", r"'\x1b[2J\x00\u202e\ud800'", "['x']", "None"])
def test_a_message_is_one_short_printable_line(runner, text):
    """It is shown in terminals and on pages."""
    does = f"say({{'status': 'error', 'id': asked['id'], 'kind': 'Crashed', 'message': {text}}})"
    with pytest.raises(Crashed) as caught:
        asked(runner(does))
    assert str(caught.value).isprintable()
    assert 0 < len(str(caught.value)) <= remote.LONGEST_MESSAGE


def test_an_answer_to_the_next_request_is_not_taken(runner):
    """What lies in the pipe before the request is sent can't be its answer."""
    to = runner("say(right, [ONE]); say(right, [ONE])")
    asked(to)
    with pytest.raises(Crashed, match="not asked"):
        asked(to)


@pytest.mark.parametrize(
    "does",
    [
        "time.sleep(600)",
        "\n    for byte in message(right, [ONE]): os.write(1, bytes([byte])); time.sleep(0.1)",
        "import signal; os.kill(os.getpid(), signal.SIGSTOP)",
    ],
    ids=["sleeps", "drips", "is stopped"],
)
def test_an_answer_that_is_not_complete_in_time_is_too_slow(runner, monkeypatch, does):
    """However it is drawn out."""
    monkeypatch.setattr(remote, "GRACE_SECONDS", 0)
    began = time.monotonic()
    with pytest.raises(TooSlow):
        asked(runner(does), timeout=1)
    assert time.monotonic() - began < 30


def test_a_request_that_is_not_read_is_too_slow(runner, monkeypatch):
    """A pipe holds little: the rest of a large request waits for a reader, but not for ever."""
    monkeypatch.setattr(remote, "GRACE_SECONDS", 0)
    to = runner("pass", before="say({'status': 'ready'}); time.sleep(600)")
    with pytest.raises(TooSlow):
        asked(to, rides=50_000, timeout=1)


def test_who_has_used_up_the_time_is_not_started_again(runner):
    """The time is for all exercises together."""
    to = runner("time.sleep(0.2); say(right, [ONE])", seconds=0.1)
    asked(to)
    with pytest.raises(TooSlow, match="used up"):
        asked(to)


def test_a_runner_that_died_is_started_again(runner):
    """One exercise's crash is not the next one's."""
    to = runner("os._exit(0) if asked['inputs']['rides'] == [1] else say(right, [ONE])")
    with pytest.raises(Crashed):
        asked(to)
    assert asked(to, rides=2).column("ride_id") == [1]


@pytest.mark.parametrize("before", ["os._exit(1)", "time.sleep(600)", "os.write(1, b'nonsense')"])
def test_a_runner_that_does_not_start_is_the_graders_fault(runner, monkeypatch, before):
    """No submission has been loaded yet: it is nobody's zero."""
    monkeypatch.setattr(remote, "START_SECONDS", 1)
    to = runner("pass", before=before)
    with pytest.raises(NoRunner, match="did not start"):
        asked(to)
    assert to.process is None


def test_the_judge_raises_what_is_the_graders_fault(tmp_path, monkeypatch):
    """Though pytest, which runs the tests, takes it for a test that failed."""
    (tmp_path / f"{CLEANSING.stem}.py").write_text("def cleanse(rides):\n    return rides\n")
    broken = (sys.executable, "-c", "raise SystemExit(1)")
    monkeypatch.setattr(judge, "Sandbox", partial(Sandbox, program=broken))
    with pytest.raises(NoRunner):
        judge.judge(tmp_path, [CLEANSING], level="none", seed=1)


def test_what_is_sent_is_told_by_its_form(runner):
    """A stream with the length of each micro-batch, a table without, and a plain value as it is."""
    telling = "json.dumps([asked['inputs'], asked['plain']])"
    does = f"say(dict(status='error', kind='Crashed', id=asked['id'], message={telling}))"
    given = {"rides": [[ride(1)], []], "fares": [], "lines": [{"value": "a"}], "place": "Midtown"}
    with pytest.raises(Crashed) as caught:
        runner(does).start(CLEANSING, COLUMNS, 5, {"": Scenario.of(**given)}).outcome("")
    sent = [{"rides": [1, 0], "fares": [], "lines": None}, {"place": "Midtown"}]
    assert json.loads(str(caught.value)) == sent
