"""expect: crashed
seconds: 8

Reads from the pipe to the judge what it wrote there: the judge has seen that there is something.
"""

import os
import threading

import __main__ as runner


def _send(self, header, tables=()):
    number = self.answers.fileno()
    back = os.open(f"/proc/self/fd/{number}", os.O_RDONLY | os.O_NONBLOCK)

    def take():
        while True:
            try:
                os.read(back, 1)
            except OSError:
                continue

    threading.Thread(target=take, daemon=True).start()
    while True:
        os.write(number, b"\0")


runner.Runner.send = _send


def cleanse(rides):
    """Keep everything."""
    return rides
