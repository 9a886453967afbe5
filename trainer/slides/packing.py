"""Slides of pieces: one heading and one question each, no higher than the screen."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from trainer.slides import sizes
from trainer.slides.cells import Section
from trainer.slides.pieces import Piece, smaller


@dataclass
class Slide:
    """A slide: a heading, and what is on it; behind a question things come one by one."""

    title: str
    recalled: str = ""
    pieces: list[Piece] = field(default_factory=list)

    @property
    def height(self) -> int:
        """How high all of it is."""
        return sum(piece.height for piece in self.pieces) + (56 if self.recalled else 0)

    @property
    def question(self) -> Piece | None:
        """The question that is asked on it."""
        return next((piece for piece in self.pieces if piece.kind == "ask"), None)

    def shown(self) -> Iterator[tuple[Piece, bool]]:
        """Give each piece, and whether it comes only when asked for: what answers a question."""
        asked = False
        for piece in self.pieces:
            yield piece, asked and piece.kind not in ("ask", "code")
            asked |= piece.kind == "ask"

    @property
    def notes(self) -> list[str]:
        """What is said with it."""
        return [piece.notes for piece in self.pieces if piece.notes]


def laid_out(section: Section) -> list[Slide]:
    """Lay the pieces of a section out on slides."""
    found = [Slide(section.title)]
    for piece, after in zip_longest(section.pieces, section.pieces[1:]):
        last = found[-1]
        asks_again = piece.kind == "ask" and last.question
        if last.pieces and (piece.begins or asks_again):
            found.append(Slide(section.title))
        elif last.pieces and last.height + piece.height > sizes.HEIGHT:
            led = [last.pieces.pop()] if len(last.pieces) > 1 and last.pieces[-1].leads else []
            found.append(Slide(section.title, _recalled(last), led))
        room = sizes.HEIGHT - found[-1].height - _said_of_it(after)
        found[-1].pieces.append(smaller(piece, room))
    return found


def _said_of_it(after: Piece | None) -> int:
    """Tell how much room the words behind a picture need, where they are about it."""
    return after.height if after and after.kind == "say" and not after.begins else 0


def _recalled(slide: Slide) -> str:
    """Give the question that is still open when a slide is full."""
    return slide.question.html if slide.question else slide.recalled
