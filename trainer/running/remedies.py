"""What Spark's refusals mean: for those that learners meet most, a sentence of cause and remedy."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Remedy:
    """How a message of Spark's or Python's is said in plain words.

    `pattern` finds it, and its groups go into `says`; `calls` are the methods of which one is to
    blame, for messages that come when no line of the answer is running any more.
    """

    pattern: str
    says: str
    calls: tuple[str, ...] = ()


_NOTHING = (
    "A method of the processor returned nothing, expected an iterator: where there is nothing to "
    "give out, return iter(())"
)
REMEDIES = (
    Remedy(
        r"Window function is not supported in (?P<what>[A-Z_]+)",
        "{what} over a Window looks at all rows of a driver or a ride, and a stream is never all "
        "there: keep what you need of them in a processor's state (chapter 3), or, for the newest "
        "or the largest of each hour, group by a time window (chapter 4)",
        ("over",),
    ),
    Remedy(
        r"Sorting is not supported on streaming",
        "A stream can't be sorted, since its last row never comes: leave the sorting out (where "
        "order is asked for, chapter 5 shows how rows are held back until it is known)",
        ("orderBy", "sort", "sortWithinPartitions"),
    ),
    Remedy(
        r"Redefining watermark is disallowed",
        "There are two watermarks, one on top of the other, and Spark allows one: leave one of the "
        "two withWatermark out",
        ("withWatermark",),
    ),
    Remedy(
        r"Distinct aggregations are not supported",
        "Counting what is distinct would keep every value for ever: if every row is to count, even "
        "one that comes twice, use count; else approx_count_distinct, or group by the value too "
        "and count in a second groupBy",
        ("agg", "countDistinct", "count_distinct", "sum_distinct"),
    ),
    Remedy(
        r"(?P<kind>\w+Outer) join between two streaming",
        "An outer join of two streams must know when to give up on a partner: set withWatermark on "
        "both streams, and join on the key and on a bound of the times",
        ("join",),
    ),
    Remedy(
        r"Stream-stream join without equality predicate",
        "Two streams are joined without anything that is equal in both: join them on a key, on "
        "ride_id say",
        ("join", "crossJoin"),
    ),
    Remedy(
        r"pivot is not supported on a streaming",
        "A stream can't be pivoted, since which columns there are depends on all of it: use one "
        "F.sum(F.when(…)) for each column",
        ("pivot",),
    ),
    Remedy(
        r"Attribute `(?P<name>\w+)` is not supported",
        "A DataFrame has no column and no method `{name}`",
    ),
    Remedy(
        r"Reference `(?P<name>[^`]+)` is ambiguous",
        "Both sides of the join have a column {name}: say which one you mean, as in "
        'rides["{name}"], or join on the name alone: join(other, "{name}")',
    ),
    Remedy(
        r"CANNOT_CONVERT_COLUMN_INTO_BOOL",
        "A column is neither true nor false by itself: write & for and, | for or, ~ for not, with "
        "each condition in brackets; and where a name is wanted, give the name",
    ),
    Remedy(
        r"BINARY_OP_DIFF_TYPES\] Cannot resolve \"(?P<what>[^\n]+?)\" due",
        "The two sides of {what} have different types: put each condition in brackets, since & and "
        "| bind more tightly than == or >",
    ),
    Remedy(
        r"Unable to parse '(?P<what>[^']*)'",
        "'{what}' is no length of time: write a number and a unit, as in '10 minutes'",
    ),
    Remedy(
        r"can't (subtract|compare) offset-naive and offset-aware datetimes",
        "One of the two times knows its zone and the other doesn't: what comes back from state "
        "has no zone, it is UTC; give it one with .replace(tzinfo=UTC)",
    ),
    Remedy(
        r"Cannot write empty list values to State Store for StateName (?P<name>\w+)",
        "State {name} can't hold an empty list: to forget what is in it call {name}.clear()",
    ),
    Remedy(
        r"\.(get|getValue)\([^\n]*\n[\s^~]*TypeError: "
        r"('NoneType' object is not subscriptable|cannot unpack non-iterable NoneType)",
        "State gives None as long as nothing was put there under this name, as for the first event "
        "of each key, or where an earlier version of your program gave the variable another name: "
        "ask exists() first, of a map containsKey(…)",
    ),
    Remedy(
        r"(?s)\.(?P<call>containsKey|getValue|updateValue|removeKey)\([^\n]*\n[\s^~]*File[^\n]*"
        r"pyspark.*TypeError: '\w+' object is not iterable",
        "A key of a map in state is a tuple, also if it has one part: {call}((key,)), and what is "
        "put there is one as well",
    ),
    Remedy(
        r"TO_ASSIGN_TTL\] Cannot use TTL for state=(?P<name>\w+) in timeMode=(?P<mode>\w+)",
        "State {name} can't have a time to live here: that is counted by the clock on the wall, "
        "and timeMode is {mode}. Clear it by a timer, or leave ttlDurationMs out",
    ),
    Remedy(
        r"operation=register_timer with invalid timeMode=NoTime",
        'A timer needs a clock: with timeMode="none" there is none, say timeMode="eventTime"',
        ("transformWithState", "transformWithStateInPandas"),
    ),
    Remedy(
        r"(?s)convert_results.*AttributeError: '(?P<type>\w+)' object has no attribute 'asDict'",
        "The processor gave out something of type {type}, expected a Row: yield Row(name=…, …), "
        "named as the columns are",
        ("handleInputRows", "handleExpiredTimer"),
    ),
    Remedy(
        r"(?s)_handle_expired_timers.*TypeError: 'NoneType' object is not iterable",
        _NOTHING,
        ("handleExpiredTimer",),
    ),
    Remedy(
        r"(?s)convert_results.*TypeError: 'NoneType' object is not iterable",
        _NOTHING,
        ("handleInputRows",),
    ),
    Remedy(
        r"ArrowInvalid: Could not convert (?P<value>[^\n]+) with type (?P<type>\w+): tried to "
        r"convert to (?P<wanted>\w+)",
        "The processor gave out {value}, of type {type}, in a column of type {wanted}",
    ),
    Remedy(
        r"STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE",
        "What lies in the checkpoint has other fields, or other types, than a state variable of "
        "the same name here. Where its encoding is unsaferow, Spark's own choice, they must stay "
        "as they are: put what is new into a state variable of its own",
        ("init",),
    ),
    Remedy(
        r"STATE_STORE_INVALID_VALUE_SCHEMA_EVOLUTION",
        "A field of a state variable has another type than in the checkpoint. With avro fields may "
        "come and go, but one that stays must keep its type, or take one that can hold all of the "
        "old: a bigint may become a double, but no int and no string",
        ("init",),
    ),
    Remedy(
        r"STATE_STORE_INVALID_VARIABLE_TYPE_CHANGE\] Cannot change (?P<name>\w+) to",
        "The state variable {name} is of another kind than in the checkpoint: a value stays a "
        "value, a list a list, a map a map. What is of another kind needs another name",
        ("init",),
    ),
    Remedy(
        r"STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE",
        "The groups have other keys than those in the checkpoint: what is kept lies under its key, "
        "so number, order and types of the columns in groupBy must stay",
        ("groupBy", "groupby"),
    ),
    Remedy(
        r"STATE_STORE_INVALID_CONFIG_AFTER_RESTART\] Cannot change (?P<what>\w+) from "
        r"(?P<old>\w+) to (?P<new>\w+)",
        "What lies in the checkpoint was kept with {what} {old}, and here it is {new}: it must "
        "stay, since the timers in there go by it",
        ("transformWithState", "transformWithStateInPandas"),
    ),
    Remedy(
        r"STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA",
        "The query has other stateful operators than its checkpoint: none may be added, left out "
        "or moved, also no dropDuplicates and no join",
    ),
    Remedy(
        r"STDS_COMMITTED_BATCH_UNAVAILABLE",
        "The micro-batch that is asked for isn't in `commits`: it is still being worked on, or was "
        "cut short, or it is so old that Spark has deleted what it kept of it",
        ("load",),
    ),
    Remedy(
        r"TransformWithStateInPySpark driver worker exited unexpectedly",
        "The processor's init failed: look at the state it opens, each needs a name of its own "
        'and a schema, as in getValueState("last", "time bigint")',
        ("init",),
    ),
)


def remedy(message: str) -> tuple[str, tuple[str, ...]] | None:
    """Say a message in plain words, and which calls may be to blame; None if it isn't known."""
    for each in REMEDIES:
        if found := re.search(each.pattern, message):
            return each.says.format(**found.groupdict()), each.calls
    return None
