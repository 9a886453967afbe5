"""expect: crashed

Patches the runner to send 64 MB of emoji, which take a multiple of that as a text of Python's.
"""

import json

import __main__ as runner

TEXT = "\N{GRINNING FACE}".encode() * 2**24


def _send(self, header, tables=()):
    about = {"columns": "x string", "rows": 1, "sizes": [0, 8, len(TEXT)]}
    text = json.dumps(header | {"tables": [about]}).encode()
    self.answers.write(len(text).to_bytes(4, "big") + text)
    self.answers.write(bytes(4) + len(TEXT).to_bytes(4, "little") + TEXT)
    self.answers.flush()


runner.Runner.send = _send


def cleanse(rides):
    """Keep everything."""
    return rides
