"""expect: wrong

Patches the runner to claim as many legal rows as it may, all wrong, for each check to look through.
"""

import pyarrow as pa

import __main__ as runner
from trainer.grading.judging.protocol import schema_of

MANY = 49_000
_answer, claimed = runner._answer, []


def _made_up(folder, header, tables, stop):
    found, rows = _answer(folder, header, tables, stop)
    if not claimed:
        claimed.append(True)
        schema = schema_of(header["columns"])
        columns = [pa.array([1] * MANY).cast(field.type, safe=False) for field in schema]
        rows = [pa.Table.from_arrays(columns, schema=schema)]
        about = found["outputs"][""]
        about["lengths"] = [MANY] + [0] * (len(about["lengths"]) - 1)
    return found, rows


runner._answer = _made_up


def cleanse(rides):
    """Keep everything."""
    return rides
