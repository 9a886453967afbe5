"""From NumPy columns to Arrow batches.

`pyarrow.array` would do, but it loads pandas, and every Python worker of Spark would wait for that.
"""

import numpy as np
import pyarrow as pa


def record_batch(columns: list[np.ndarray | pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    """Put columns into a batch of this schema."""
    arrays = [
        to_arrow(column, field.type) if isinstance(column, np.ndarray) else column
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def to_arrow(column: np.ndarray, kind: pa.DataType) -> pa.Array:
    """View a column without nulls as Arrow; a time is an int64 in the unit of its type."""
    packed = np.packbits(column, bitorder="little") if pa.types.is_boolean(kind) else column
    if column.dtype.itemsize * 8 != max(kind.bit_width, 8):
        raise TypeError(f"A column of {column.dtype} cannot be viewed as {kind}.")
    buffer = pa.py_buffer(np.ascontiguousarray(packed))
    return pa.Array.from_buffers(kind, column.size, [None, buffer])
