"""expect: crashed

Leaves answers in the pipe for requests that are yet to come.
"""

import os
import sys

from trainer.grading.judging import protocol


def cleanse(rides):
    """Answer the next ten requests now."""
    for frame in sys._current_frames().values():
        while frame:
            if frame.f_code.co_name == "_run":
                asked, pipe = frame.f_locals["header"], frame.f_locals["self"].answers
                rows = protocol.schema_of(asked["columns"]).empty_table()
                for _ in range(10):
                    os.write(pipe.fileno(), protocol.message({"status": "ran"}, [rows]))
            frame = frame.f_back
    return rides
