"""Grades the quarantine: typed rides on one side, rejects with their reason on the other."""

import json

from datagen import ride_lines
from trainer.rows import HARTFORD, end, in_order, ride
from trainer.runs import scripted, seeded

COLUMNS = {
    "rides": "ride_id bigint, taxi_id bigint, driver_id bigint, is_start boolean, "
    "event_time timestamp, start_lon float, start_lat float, end_lon float, end_lat float, "
    "passenger_count smallint",
    "rejects": "value string, reason string",
}
MALFORMED, MISSING, BAD = "malformed", "missing field", "bad value"


def line(event: dict, **changes: object) -> str:
    """Write an event as the cars send it, with some fields changed; `...` leaves one out."""
    fields = event | {"event_time": f"{event['event_time']:%Y-%m-%dT%H:%M:%SZ}"} | changes
    return json.dumps({name: value for name, value in fields.items() if value is not ...})


def rows(lines: list[str | None]) -> list[dict]:
    """Make rows of lines."""
    return [{"value": text} for text in lines]


GOOD = {
    line(ride(1)): ride(1),
    line(end(2, ends_at=HARTFORD, passengers=4)): end(2, ends_at=HARTFORD, passengers=4),
    line(ride(3), colour="yellow", event_id=7): ride(3),
    line(ride(4, starts_at=(-74.0, 40.75)), start_lon=-74): ride(4, starts_at=(-74.0, 40.75)),
    line(ride(2**40, passengers=32767)): ride(2**40, passengers=32767),
    line(ride(2**53 + 1)): ride(2**53 + 1),
    line(ride(2**63 - 1, passengers=-32768)): ride(2**63 - 1, passengers=-32768),
}
NOT_AN_OBJECT = [
    *(None, "", "   ", "ERROR meter 17 did not answer", line(ride(5))[:-1], line(ride(5))[:40]),
    *("[]", f"[{line(ride(5))}]", "42", '"ride"', "null"),
]
INCOMPLETE = [
    "{}",
    *(line(ride(6), **{name: ...}) for name in ride(6)),
    *(line(ride(6), **{name: None}) for name in ride(6)),
]
WRONG_CASE = [line(ride(7), ride_id=..., RIDE_ID=7)]
INCOMPLETE_AND_BAD = [line(ride(8), ride_id="8", end_lat=None), '{"ride_id": "8"}']
IN_QUOTES = [
    line(ride(9), **{name: str(value)})
    for name, value in ride(9).items()
    if name not in ("is_start", "event_time")
]
WRONG_TYPE = [
    line(ride(10), is_start="true"),
    line(ride(10), is_start=1),
    line(ride(10), event_time=1577880000),
    line(ride(10), event_time=True),
    line(ride(10), ride_id=True),
    line(ride(10), taxi_id={"id": 10}),
    line(ride(10), end_lon=[-73.9]),
]
OUT_OF_RANGE = [
    line(ride(11), passenger_count=32768),
    line(ride(11), passenger_count=-40000),
    line(ride(11), passenger_count=-32769),
    line(ride(11), passenger_count=1.5),
    line(ride(11), ride_id=2**63),
    line(ride(11), ride_id=-(2**63) - 1),
]
WRONG_TIME = [
    line(ride(12), event_time=time)
    for time in (
        *("2020-01-01", "2020-01-01 12:00:00", "2020-01-01T12:00:00", "noon", ""),
        *("2020-13-45T12:00:00Z", "2020-01-01T25:61:00Z", "2020-01-01T12:00:00+00:00"),
        *("2020-01-01 12:00:00Z", "2020-02-30T12:00:00Z", "2021-02-29T12:00:00Z"),
    )
]
WRONG_VALUES = IN_QUOTES + WRONG_TYPE + OUT_OF_RANGE + WRONG_TIME

# One script with all that can come: each test looks at its own lines.
result = scripted(
    lines=[
        rows([*GOOD, *NOT_AN_OBJECT]),
        rows(INCOMPLETE + WRONG_CASE + INCOMPLETE_AND_BAD),
        rows(WRONG_VALUES),
    ]
)


def lines_of(seed: int) -> list[dict]:
    """Generate 400 lines, each with its flaw."""
    return ride_lines(0, 400, seed=seed, malformed=0.4, truth=True).to_pylist()


@seeded
def generated(seed):
    """Two micro-batches of generated lines."""
    values = rows([text["value"] for text in lines_of(seed)])
    return {"lines": [values[:150], values[150:]]}


def reasons(result, lines: list[str | None]) -> dict[str | None, str]:
    """Say why each of these lines was rejected; one that wasn't is left out."""
    rejects = {row["value"]: row["reason"] for row in result["rejects"].rows}
    return {text: rejects[text] for text in lines if text in rejects}


def test_a_good_line_becomes_a_typed_ride(result):
    """A line with all ten fields must become a ride, each column of its own type."""
    assert in_order(result["rides"].batches[0]) == in_order([*GOOD.values()])


def test_a_good_line_is_not_rejected(result):
    """A good line must not be rejected: not for a further field, and not for a whole number as a
    coordinate."""
    assert reasons(result, [*GOOD]) == {}


def test_what_is_no_json_object_is_malformed(result):
    """A line that is null, empty, cut short or not one JSON object must be rejected as
    `malformed`."""
    assert reasons(result, NOT_AN_OBJECT) == dict.fromkeys(NOT_AN_OBJECT, MALFORMED)


def test_an_absent_or_null_field_is_missing(result):
    """A line in which one of the ten fields is absent or null must be rejected for a `missing
    field`."""
    assert reasons(result, INCOMPLETE) == dict.fromkeys(INCOMPLETE, MISSING)


def test_names_are_case_sensitive(result):
    """The names of fields must be taken as they are written: RIDE_ID is not ride_id, so a line with
    only the former has a `missing field`."""
    assert reasons(result, WRONG_CASE) == dict.fromkeys(WRONG_CASE, MISSING)


def test_the_first_reason_that_applies_is_given(result):
    """The first reason that applies must be given: `missing field`, where one field is missing and
    another is bad."""
    assert reasons(result, INCOMPLETE_AND_BAD) == dict.fromkeys(INCOMPLETE_AND_BAD, MISSING)


def test_a_number_in_quotes_is_a_bad_value(result):
    """A number in quotes must be a `bad value`: it is a string, though Spark would gladly cast
    it."""
    assert reasons(result, IN_QUOTES) == dict.fromkeys(IN_QUOTES, BAD)


def test_another_json_type_is_a_bad_value(result):
    """A field of another JSON type than its column's must be a `bad value`."""
    assert reasons(result, WRONG_TYPE) == dict.fromkeys(WRONG_TYPE, BAD)


def test_a_number_that_its_column_cannot_hold_is_a_bad_value(result):
    """A number that its column can't hold must be a `bad value`: one that is too large, or a
    fraction where the column is of whole numbers."""
    assert reasons(result, OUT_OF_RANGE) == dict.fromkeys(OUT_OF_RANGE, BAD)


def test_a_time_that_is_not_iso_8601_with_z_is_a_bad_value(result):
    """A time without its T or its Z, or one that no calendar has, must be a `bad value`."""
    assert reasons(result, WRONG_TIME) == dict.fromkeys(WRONG_TIME, BAD)


def test_every_line_is_in_exactly_one_output(result):
    """Every line must be in exactly one of the outputs: none is lost, and none is in both."""
    came = len(GOOD) + len(NOT_AN_OBJECT) + len(INCOMPLETE) + len(WRONG_CASE)
    came += len(INCOMPLETE_AND_BAD) + len(WRONG_VALUES)
    assert len(result["rides"].rows) + len(result["rejects"].rows) == came


def test_each_line_comes_out_in_its_own_micro_batch(result):
    """Every line must come out in the micro-batch in which it came: splitting needs no state."""
    both = zip(result["rides"].batches, result["rejects"].batches, strict=True)
    came = (len(GOOD) + len(NOT_AN_OBJECT), len(INCOMPLETE) + 3, len(WRONG_VALUES))
    assert tuple(len(rides) + len(rejects) for rides, rejects in both) == came
    assert not any(result["rides"].state_rows + result["rejects"].state_rows)


def test_a_generated_stream_is_split_as_it_was_broken(generated, seed):
    """Of 400 generated lines those that are broken must be rejected, each for its own flaw."""
    why = {
        **dict.fromkeys(("cut_off", "not_json", "empty_line"), MALFORMED),
        "missing_field": MISSING,
        **dict.fromkeys(("wrong_type", "quoted_number", "out_of_range", "bad_time"), BAD),
    }
    lines = lines_of(seed)
    broken = [text for text in lines if text["flaw"]]
    expected = [{"value": text["value"], "reason": why[text["flaw"]]} for text in broken]
    assert generated["rejects"].sorted() == in_order(expected)
    ids = sorted(json.loads(text["value"])["ride_id"] for text in lines if not text["flaw"])
    assert sorted(generated["rides"].column("ride_id")) == ids
