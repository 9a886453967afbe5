"""expect: crashed

Patches the runner to send text where numbers are due: text could be made to compare like numbers.
"""

import pyarrow as pa

import __main__ as runner


def _as_text(result, columns):
    names = [column.split()[0] for column in columns.split(",")]
    return pa.table({name: [str(row[name]) for row in result.rows] for name in names})


runner._table = _as_text


def cleanse(rides):
    """Keep everything."""
    return rides
