"""Answers that are off by a step: at a border, a bound, a delay or a count that a task names.

Each is a right answer with one place changed, by so little that a learner may well have written it:
ten metres, a second, ten seconds of a watermark's delay, one of a count.
"""

from typing import NamedTuple

from tests.kit.course import alternatives_file, as_submitted
from trainer.course.exercise import find

WEST, EAST, SOUTH, NORTH = -74.05, -73.7, 40.5, 41.0


class Off(NamedTuple):
    """What is changed, and into what: in the solution, or in another right answer."""

    exercise: str
    old: str
    new: str
    alternative: str | None = None

    def text(self) -> str:
        """Give the whole answer."""
        exercise = find(self.exercise)
        # The hints, which come first, say much of what the code says.
        hints, end, code = exercise.solution.read_text().partition("\n)\n")
        if self.alternative:
            hints, end = "", ""
            code = as_submitted(exercise, alternatives_file(exercise), self.alternative)
        assert code.count(self.old) == 1, f"{self.old!r} is there {code.count(self.old)} times"
        return hints + end + code.replace(self.old, self.new)


def off(exercise: str, old: str, *new: str, alternative: str | None = None) -> list[Off]:
    """Change one place, in several ways."""
    return [Off(exercise, old, each, alternative) for each in new]


def delays(exercise: str, before: str = "", **where: str) -> list[Off]:
    """Nudge a watermark's delay of ten minutes to both sides."""
    nudged = [f'{before}"{delay}"' for delay in ("9 minutes 50 seconds", "10 minutes 10 seconds")]
    return off(exercise, f'{before}"10 minutes"', *nudged, **where)


def box(lon: str, lat: str, west=WEST, east=EAST, south=SOUTH, north=NORTH) -> str:
    """Write the city's box in place of `is_in_nyc`."""
    return f"({lon}.between({west}, {east}) & {lat}.between({south}, {north}))"


def boxes(lon: str, lat: str) -> list[str]:
    """Move each side of the box, out and in; a ten-thousandth of a degree is ten metres."""
    sides = {"west": WEST, "east": EAST, "south": SOUTH, "north": NORTH}
    return [
        box(lon, lat, **{side: round(place + step, 4)})
        for side, place in sides.items()
        for step in (0.0001, -0.0001)
    ]


def cell(
    lon: str, lat: str, west=WEST, north=NORTH, wide=0.0014, high=0.00125, columns=250, rows=400
) -> str:
    """Write the cells of the grid in place of `grid_cell`."""
    across, down = f"(({lon} - ({west})) / {wide})", f"(({north} - {lat}) / {high})"
    there = f"({across} >= 0) & ({across} < {columns}) & ({down} >= 0) & ({down} < {rows})"
    return f'F.when({there}, (F.floor({across}) + 250 * F.floor({down})).cast("int"))'


def grids(lon: str, lat: str) -> list[str]:
    """Move the grid, make its cells smaller or larger by a thousandth, or fewer or more."""
    nudged = {
        "west": (-74.0501, -74.0499),
        "north": (40.9999, 41.0001),
        "wide": (0.0013986, 0.0014014),
        "high": (0.00124875, 0.00125125),
        "columns": (249, 251),
        "rows": (399, 401),
    }
    return [cell(lon, lat, **{name: value}) for name, values in nudged.items() for value in values]


def place(which: str) -> list[str]:
    """Write a place of a ride, its start or its end, as two columns."""
    return [f'F.col("{which}_{axis}").cast("double")' for axis in ("lon", "lat")]


CLEANSING = [
    each
    for which in ("start", "end")
    for each in off(
        *("ride_cleansing", f'is_in_nyc("{which}_lon", "{which}_lat")'),
        *boxes(f"rides.{which}_lon", f"rides.{which}_lat"),
    )
]

CAN_HOLD = "| _typed(name).isNull()\n"
PASSENGERS = 'F.try_variant_get("json", "$.passenger_count", "bigint")'
READ = 'F.try_variant_get("json", f"$.{name}", RIDE[name][0])\n'
DIGITS = r"\d{4}-(0[1-9]|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ"
QUARANTINE = [
    *off("quarantine", '"^BIGINT$", "', '"^(BIGINT|DECIMAL|DOUBLE)", "'),
    *off(
        *("quarantine", CAN_HOLD),
        *(f"{CAN_HOLD[:-1]} | ({PASSENGERS} {bad})\n" for bad in ("< -32767", "> 32766", "< 0")),
        *(
            f'| (~{PASSENGERS}.between({held}) if name == "passenger_count" else '
            "_typed(name).isNull())\n"
            for held in ("-32769, 32767", "-32768, 32768")
        ),
        # By their looks alone, 30 February is a day.
        f'| (~F.try_variant_get("json", "$.event_time", "string").rlike(r"^{DIGITS}$") '
        'if name == "event_time" else _typed(name).isNull())\n',
    ),
    # A double holds no more than 53 bits of a number.
    *off(
        "quarantine",
        READ,
        READ.replace("RIDE[name][0]", '"double"').strip() + ".cast('bigint')"
        ' if RIDE[name][0] == "bigint" else ' + READ,
    ),
    *off(
        "quarantine", r"-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", r"-\d\d-\d\d.\d\d:\d\d:\d\d(\.\d+)?Z"
    ),
]

ENRICHMENT = [
    each
    for which in ("start", "end")
    for each in off(
        *("ride_enrichment", f'grid_cell("{which}_lon", "{which}_lat")'),
        *grids(*place(which)),
    )
]

EARLIEST, LATEST = 'starts["event_time"] - apart', 'starts["event_time"] + apart'
SECOND, TEN_SECONDS = 'F.expr("INTERVAL 1 SECOND")', 'F.expr("INTERVAL 10 SECONDS")'
RIDES_AND_FARES = [
    *off("rides_and_fares", EARLIEST, f"{EARLIEST} + {SECOND}", f"{EARLIEST} - {TEN_SECONDS}"),
    *off("rides_and_fares", LATEST, f"{LATEST} - {SECOND}", f"{LATEST} + {TEN_SECONDS}"),
    *delays("rides_and_fares", '"event_time", '),
    *delays("rides_and_fares", '"start_time", '),
    *off(
        *("rides_and_fares", "HALF_AN_HOUR = 30 * 60 * 1000"),
        *(f"HALF_AN_HOUR = (30 * 60 {step}) * 1000" for step in ("- 10", "+ 10")),
        alternative="with_a_processor",
    ),
]

PROCESSOR = "class Durations(StatefulProcessor):\n"
DURATIONS = [
    *off(
        *("ride_durations", PROCESSOR),
        *(
            "from pyspark.sql import functions as F\n\n\ndef grid_cell(lon, lat):\n"
            f"    return {grid}\n\n\n{PROCESSOR}"
            for grid in grids(*place("start"))
        ),
    ),
    *off(
        *("ride_durations", "(end - start) / timedelta(minutes=1)"),
        "float((end - start) // timedelta(minutes=1))",
        "round((end - start) / timedelta(minutes=1), 1)",
    ),
]

LONGEST = [
    *off(
        *("longest_rides", "if row.minutes > longest:"),
        "if row.minutes >= longest:",
        "if row.minutes > longest + 1 / 60:",
        "if round(row.minutes, 1) > round(longest, 1):",
    ),
    *off("longest_rides", "else -1.0", "else 0.0"),
    *off(
        *("longest_rides", "(row.event_time, row.ride_id)"),
        "(row.event_time.replace(second=0), row.ride_id)",
        "(row.event_time, -row.ride_id)",
    ),
]

# From 15 minutes on a repeat is known, since Spark forgets as late as it lets late rows in.
DEDUPLICATE = [
    *off(
        *("deduplicate", '"30 minutes"'),
        *('"14 minutes 50 seconds"', '"9 minutes 50 seconds"', '"12 hours 10 minutes"'),
    ),
    *off(
        *("deduplicate", "HOUR_MS = 60 * 60 * 1000"),
        *(f"HOUR_MS = ({span}) * 1000" for span in ("20 * 60 - 10", "24 * 3600 + 600")),
        alternative="with_a_timer",
    ),
    *off(
        "deduplicate",
        '"10 minutes").groupBy("ride_id", "is_start")\n    return events.transform',
        '"9 minutes 50 seconds").groupBy("ride_id", "is_start")\n    return events.transform',
        alternative="with_a_timer",
    ),
]

NUMBERS = [
    *off("ride_numbers", "else 0", "else 1", "else -1"),
    *off(
        *("ride_numbers", "(row.event_time, row.ride_id)"),
        "(row.event_time.replace(second=0), row.ride_id)",
        "(row.event_time, -row.ride_id)",
    ),
]

HOURS = 'F.window("start_time", "1 hour")'
SHIFTED = [f'F.window("start_time", "1 hour", "1 hour", "{step} second")' for step in ("1", "-1")]
HOURLY_TIPS = [
    *delays("hourly_tips"),
    *off(
        *("hourly_tips", HOURS, *SHIFTED),
        *(f'F.window("start_time", "{span}")' for span in ("59 minutes 59 seconds", "30 minutes")),
    ),
    *off("hourly_tips", '-F.col("driver_id")', 'F.col("driver_id")'),
    *off("hourly_tips", 'F.struct("total_tips", -', 'F.struct(F.floor("total_tips"), -'),
    *off(
        *("hourly_tips", "registerTimer(key[0] * 1000)"),
        *(f"registerTimer(key[0] * 1000 {step} 10_000)" for step in "-+"),
        alternative="by_hand",
    ),
]

OWN = 'F.col("is_start")'
PLACES = [
    *delays("popular_places"),
    *off("popular_places", "is_in_nyc(lon, lat)", *boxes("lon", "lat")),
    *off(
        *("popular_places", "is_in_nyc(lon, lat)"),
        *(
            f"F.when({OWN}, {nudged}).otherwise(is_in_nyc(lon, lat))"
            for nudged in boxes("lon", "lat")
        ),
        *(
            f"F.when({OWN}, is_in_nyc(lon, lat)).otherwise({nudged})"
            for nudged in boxes("lon", "lat")
        ),
    ),
    *(
        each
        for each in off("popular_places", "grid_cell(lon, lat)", *grids("lon", "lat"))
        # The city ends where the grid does: there is nothing in a cell more.
        if "< 251" not in each.new and "< 401" not in each.new
    ),
    *off(
        *("popular_places", 'F.col("ride_count") >= threshold'),
        *(
            f'F.col("ride_count") {enough}'
            for enough in ("> threshold", ">= threshold - 1", ">= 20")
        ),
    ),
    *off("popular_places", "threshold: int = 20", "threshold: int = 19", "threshold: int = 21"),
    *off(
        *("popular_places", '"15 minutes", "5 minutes"'),
        '"14 minutes 59 seconds", "5 minutes"',
        '"15 minutes 1 second", "5 minutes"',
        '"15 minutes", "5 minutes", "1 second"',
        '"15 minutes", "5 minutes", "-1 second"',
        '"10 minutes", "5 minutes"',
        '"20 minutes", "5 minutes"',
        '"15 minutes", "15 minutes"',
    ),
]

SHIFTS = [
    *delays("driver_shifts"),
    *off(
        *("driver_shifts", '"event_time", "1 hour"'),
        *('"event_time", "59 minutes 59 seconds"', '"event_time", "1 hour 1 second"'),
    ),
    *off(
        *("driver_shifts", "start - merged[-1][1] <= _HOUR_MS"),
        *(f"start - merged[-1][1] {near}" for near in ("< _HOUR_MS", "<= _HOUR_MS + 1000")),
        alternative="by_hand",
    ),
    *off(
        *(
            "driver_shifts",
            "registerTimer(end + _HOUR_MS)",
            "registerTimer(end + _HOUR_MS + 10_000)",
        ),
        alternative="by_hand",
    ),
]

QUARTERS = [
    *delays("quarter_hours"),
    *off(
        *("quarter_hours", '"event_time", "15 minutes"'),
        *('"event_time", "14 minutes 59 seconds"', '"event_time", "15 minutes 1 second"'),
        '"event_time", "15 minutes", "15 minutes", "1 second"',
        '"event_time", "15 minutes", "15 minutes", "-1 second"',
    ),
]

SORTER = [
    *off(
        *("event_sorter", '"event_time", "60 seconds"'),
        *('"event_time", "59 seconds"', '"event_time", "61 seconds"'),
    ),
    *off(
        *("event_sorter", "watermark = timerValues.getCurrentWatermarkInMs()"),
        *(f"watermark = timerValues.getCurrentWatermarkInMs() {step} 1000" for step in "-+"),
        alternative="with_a_list",
    ),
]

LATE_FARES = [
    *delays("late_fares"),
    *off("late_fares", HOURS, *SHIFTED),
    *off(
        *("late_fares", "row.hour_ends <= before"),
        *(f"row.hour_ends {late}" for late in ("< before", "<= before + 1000", "<= before - 1000")),
    ),
    *off(
        *("late_fares", '"hour", "start_time")'),
        *(f'"hour", F.expr("start_time {step} interval 1 second"))' for step in "-+"),
    ),
]

RINGS = "registerTimer(time + TWO_HOURS if row.is_start else time)\n"
ALERTS = [
    *off("long_ride_alerts", '"60 seconds")\n', '"59 seconds")\n', '"61 seconds")\n'),
    *off(
        *("long_ride_alerts", "> TWO_HOURS:"),
        *(">= TWO_HOURS:", "> TWO_HOURS + 1000:", "> TWO_HOURS - 1000:"),
    ),
    *off(
        *("long_ride_alerts", RINGS),
        *(RINGS.replace("TWO_HOURS", f"TWO_HOURS {step} 1000") for step in "-+"),
        *(RINGS.replace("else time", f"else time {step} 10_000") for step in "-+"),
    ),
]

TIME, HOUR_END = "start_time.timestamp() * 1000)", "registerTimer(int(key[1].timestamp() * 1000)"
BY_HAND = [
    *delays("hourly_tips_by_hand"),
    *off("hourly_tips_by_hand", "time - time % HOUR + HOUR", "time + -time % HOUR"),
    *off("hourly_tips_by_hand", TIME, *(f"{TIME} {step} 1000" for step in "-+")),
    *off(
        *("hourly_tips_by_hand", HOUR_END),
        *(f"{HOUR_END} {step} 1000" for step in "-+"),
        alternative="with_the_hour_in_the_key",
    ),
]

DUE = "time.value // 1_000_000 + HOUR"
UNMATCHED = [
    *delays("unmatched", 'starts.withWatermark("event_time", '),
    *delays("unmatched", 'fares.withWatermark("event_time", '),
    *off(
        *("unmatched", "abs(times[0] - times[1]) <= HOUR"),
        "-HOUR <= times[0] - times[1] < HOUR",
        "-HOUR < times[0] - times[1] <= HOUR",
        "-HOUR <= times[0] - times[1] <= HOUR + 1000",
        "-HOUR - 1000 <= times[0] - times[1] <= HOUR",
    ),
    *off("unmatched", DUE, *(f"{DUE} {step} 10_000" for step in "-+"), alternative="in_pandas"),
]

BLOCKED = [
    *delays("blocked_drivers", 'starts.withWatermark("event_time", '),
    *delays("blocked_drivers", 'said.withWatermark("event_time", '),
    *off("blocked_drivers", "if t <= time)", "if t < time)", "if t <= time + 1000)"),
]

RULES = [
    *delays("fare_rules", 'paid.withWatermark("event_time", '),
    *delays("fare_rules", 'said.withWatermark("event_time", '),
    *off("fare_rules", "total > over", "total >= over", "total > over + 0.01"),
]

LATENESS, QUARTER = "30 * 60 * 1000\n", "15 * 60 * 1000, "
EARLY_TOTALS = [
    *off("early_totals", '"1 minute"', '"50 seconds"', '"1 minute 10 seconds"'),
    *off("early_totals", LATENESS, *(f"(30 * 60 {step}) * 1000\n" for step in ("- 1", "+ 1"))),
    *off("early_totals", QUARTER, *(f"(15 * 60 {step}) * 1000, " for step in ("- 1", "+ 1"))),
    *off("early_totals", "time - time % HOUR + HOUR", "time + -time % HOUR"),
]

LAST_FIVE = [
    *delays("last_five"),
    *off("last_five", "five[-4:]", "five[-3:]", "five[-5:]"),
    *off("last_five", "(fare[0], fare[1])", "(fare[0], -fare[1])"),
]

PHANTOMS = [
    *delays("phantom_rides"),
    *off(
        *("phantom_rides", "now - start >= MINUTE:"),
        *("now - start > MINUTE:", "now - start >= MINUTE - 1000:"),
    ),
    *off("phantom_rides", "<= HALF_HOUR]", "< HALF_HOUR]", "<= HALF_HOUR - 1000]"),
]

UPGRADE = [
    *delays("upgrade"),
    *off(
        *("upgrade", 'F.date_trunc("hour", "start_time")'),
        *(
            f'F.date_trunc("hour", F.col("start_time") {step} F.expr("INTERVAL 1 MILLISECOND"))'
            for step in "+-"
        ),
    ),
    *off("upgrade", "row.ride_id) < (", "-row.ride_id) < ("),
]

LEAK = off(
    *("leak", "4 * 60 * 60 * 1000"),
    *(f"(4 * 60 * 60 {step}) * 1000" for step in ("- 10", "+ 10")),
)

SINCE = 'F.timestamp_millis("value.since")'
INSPECT = [
    *off("inspect", '"batchId", batch_id)', '"batchId", max(batch_id - 1, 0))'),
    *off(
        *("inspect", SINCE),
        *(SINCE.replace('"value.since"', f'F.expr("value.since {step} 1")') for step in "-+"),
    ),
]

OFF = [
    *(*CLEANSING, *QUARANTINE, *ENRICHMENT, *RIDES_AND_FARES),
    *(*DURATIONS, *LONGEST, *DEDUPLICATE, *NUMBERS),
    *(*HOURLY_TIPS, *PLACES, *SHIFTS, *QUARTERS),
    *(*SORTER, *LATE_FARES),
    *(*ALERTS, *BY_HAND, *UNMATCHED),
    *(*BLOCKED, *RULES, *EARLY_TOTALS, *LAST_FIVE, *PHANTOMS),
    *(*UPGRADE, *INSPECT, *LEAK),
]
