"""expect: crashed
seconds: 8

Reads no further request and sends no answer, so that whoever writes to it, or waits, waits.
"""

import threading

import __main__ as runner
from trainer.grading.judging import protocol

protocol.receive = lambda read: threading.Event().wait()
runner.Runner.send = lambda *_: threading.Event().wait()


def cleanse(rides):
    """Keep everything in the city: a right answer, which nobody hears of."""
    from datagen.geo import is_in_nyc

    return rides.filter(is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat"))
