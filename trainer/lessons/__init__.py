"""What notebooks call: a walk through a run, a look at a living query, pictures of streams."""

from datagen.style import PALE
from trainer.lessons.join_pictures import draw_arrivals, draw_cells, draw_reach, draw_state
from trainer.lessons.pictures import INK, INSIDE, OUTSIDE, draw_batches, draw_rides
from trainer.lessons.plan import print_steps
from trainer.lessons.query_pictures import draw_shuffle, draw_triggers
from trainer.lessons.stream_pictures import draw_delays, draw_time_line

__all__ = [
    "INK",
    "INSIDE",
    "OUTSIDE",
    "PALE",
    "draw_arrivals",
    "draw_batches",
    "draw_cells",
    "draw_delays",
    "draw_reach",
    "draw_rides",
    "draw_shuffle",
    "draw_state",
    "draw_time_line",
    "draw_triggers",
    "print_steps",
]
