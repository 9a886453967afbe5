"""expect: crashed

Patches the runner to send its rows as a dictionary of lists of lists.
"""

import pyarrow as pa

import __main__ as runner


def _nested(result, columns):
    return pa.table(
        {"x": pa.array([[[0] * 1000] * 1000]), "y": pa.array(["a"]).dictionary_encode()}
    )


runner._table = _nested


def cleanse(rides):
    """Keep everything."""
    return rides
