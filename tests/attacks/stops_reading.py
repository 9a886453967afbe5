"""expect: crashed
seconds: 8

Answers the first request, then never reads the next, so that whoever writes it waits.
"""

import threading

from trainer.grading.judging import protocol

protocol.receive = lambda read: threading.Event().wait()


def cleanse(rides):
    """Keep everything in the city, to be asked again."""
    from datagen.geo import is_in_nyc

    return rides.filter(is_in_nyc("start_lon", "start_lat") & is_in_nyc("end_lon", "end_lat"))
