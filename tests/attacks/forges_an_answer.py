"""expect: wrong crashed
seconds: 8

Finds the pipe to the judge and the number of the request, and answers it itself: all is well.
"""

import os
import sys
import threading

from trainer.grading.judging import protocol


def frames():
    """Give every frame of every thread."""
    for frame in sys._current_frames().values():
        while frame:
            yield frame
            frame = frame.f_back


def cleanse(rides):
    """Answer with no rows, a verdict, and made-up micro-batches; then hang up."""
    run = next(frame for frame in frames() if frame.f_code.co_name == "_run")
    asked, pipe = run.f_locals["header"], run.f_locals["self"].answers
    about = {
        "lengths": [0],
        "state_rows": [0],
        "dropped_late": [0],
        "watermarks": [None],
        "schema": asked["columns"],
    }
    answer = {"status": "ran", "verdict": "correct", "id": asked["id"], "outputs": {"": about}}
    rows = protocol.schema_of(asked["columns"]).empty_table()
    os.write(pipe.fileno(), protocol.message(answer, [rows]))
    threading.Event().wait()
    return rides
