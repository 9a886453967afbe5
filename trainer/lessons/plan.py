"""The plan that Spark makes for a stream, shortened to the steps that lessons speak of."""

import io
import re
from contextlib import redirect_stdout

from pyspark.sql import DataFrame

STEPS = re.compile(r"Filter .*|Exchange \w+\(.*?\)|StateStoreSave \[.*?\]|StreamingRelation \w+")


def steps(frame: DataFrame) -> list[str]:
    """Give the source, the filters, the shuffles and the state of a plan, the last step first."""
    with redirect_stdout(io.StringIO()) as plan:
        frame.explain()
    # Spark numbers its columns: driver_id#17L.
    return [re.sub(r"#\d+L?", "", step[0]) for step in STEPS.finditer(plan.getvalue())]


def print_steps(frame: DataFrame) -> None:
    """Print the steps of a plan, the last one first."""
    print(*steps(frame), sep="\n")
