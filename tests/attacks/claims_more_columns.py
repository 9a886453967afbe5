"""expect: crashed

Patches the runner to claim 6,000 columns that all stand on one buffer.
"""

import json

import __main__ as runner


def _send(self, header, tables=()):
    rows = sum(table.num_rows for table in tables)
    about = {"columns": "x bigint", "rows": rows, "sizes": [0, 8 * rows] * 6000}
    text = json.dumps(header | {"tables": [about]}).encode()
    self.answers.write(len(text).to_bytes(4, "big") + text + bytes(8 * rows))
    self.answers.flush()


runner.Runner.send = _send


def cleanse(rides):
    """Keep everything."""
    return rides
