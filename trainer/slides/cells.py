"""The pieces of a notebook's cells, in their order, under the headings of their sections."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from trainer.slides import pieces
from trainer.slides.blocks import Block, blocks
from trainer.slides.pieces import Piece
from trainer.slides.programs import of_code
from trainer.slides.sentences import is_asked_of_the_class, is_question, sentences

# What leads to a question is said before it, if it is longer.
LEADS = 60
OF_COURSE = ("Run the next cell: the stub",)


@dataclass
class Section:
    """What stands under one heading."""

    title: str
    pieces: list[Piece] = field(default_factory=list)

    def add(self, found: Iterator[Piece] | list[Piece], *, begins: bool = False) -> None:
        """Add pieces; with the first of them a slide may begin."""
        for number, piece in enumerate(found):
            self.pieces.append(replace(piece, begins=(begins and not number) or piece.begins))


def sections(notebook: dict) -> list[Section]:
    """Cut a notebook at its headings."""
    found = [Section("")]
    for number, cell in enumerate(notebook["cells"]):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            _add_prose(found, text, answers=_gave(notebook["cells"], number - 1))
        elif cell["cell_type"] == "code":
            found[-1].add(of_code(cell, text, found[-1].title))
    return [section for section in found if section.pieces]


def _gave(cells: list[dict], number: int) -> bool:
    """Tell whether a cell showed something that the next may speak of."""
    return number >= 0 and bool(cells[number].get("outputs"))


def _add_prose(found: list[Section], text: str, *, answers: bool) -> None:
    """Add what a cell says. Behind an output its first words are the answer."""
    begins = not answers
    for block in blocks(text):
        if block.kind == "heading":
            found.append(Section(block.text.lstrip("# ")))
            begins, answers = True, False
        elif answers and block.kind == "paragraph":
            answer, rest = _answer(sentences(block.text))
            found[-1].add([pieces.say(answer)] if answer else [])
            found[-1].add(_paragraph(rest), begins=True)
            answers, begins = False, not rest
        else:
            new = of_block(block)
            found[-1].add(new, begins=begins or (block.kind == "fold" and new[0].kind == "ask"))
            begins = begins and not new


def _answer(said: list[str]) -> tuple[list[str], list[str]]:
    """Part the answer to the last question from the next one, and what is said before that."""
    asked = next((n for n, each in enumerate(said) if is_asked_of_the_class(each)), len(said))
    if asked == len(said):
        return said, []
    return (said[:-1], said[-1:]) if asked == len(said) - 1 else (said[:asked], said[asked:])


def of_block(block: Block) -> list[Piece]:
    """Make pieces of a block."""
    match block.kind:
        case "paragraph":
            return _paragraph(sentences(block.text))
        case "list":
            return [*pieces.items(block.text)]
        case "table":
            return [*pieces.table(block.text)]
        case "quote":
            return [pieces.quote(block.text)]
        case "code":
            return [*_code(block.text)]
        case "fold":
            if block.text.endswith("…"):
                return of_block(_unfolded(block))
            inside = [piece for each in block.inside for piece in of_block(each)]
            return [pieces.ask([block.text]), *inside]
    return []


def _unfolded(block: Block) -> Block:
    """Join an answer to the words that it begins with, as "Because …"."""
    told = " ".join(each.text for each in block.inside)
    return Block("paragraph", f"{block.text.rstrip(' …')} {told.lstrip('… ')}")


def _paragraph(said: list[str]) -> list[Piece]:
    """Say, ask, and say: a question in bold stands by itself, with those that follow at once."""
    if not said or said[0].startswith(OF_COURSE):
        return []
    first = next((n for n, each in enumerate(said) if is_asked_of_the_class(each)), None)
    if first is None:
        return [pieces.say(said)]
    last = first + 1
    while last < len(said) and is_question(said[last]):
        last += 1
    before, asked = _asked(said[first])
    before = [*said[:first], *([before] if before else [])]
    made = [pieces.say(before)] if before else []
    made.append(pieces.ask([asked, *said[first + 1 : last]]))
    return [*made, *([pieces.say(said[last:])] if last < len(said) else [])]


def _asked(sentence: str) -> tuple[str, str]:
    """Part a long sentence into what leads to its question, and the question."""
    before, _, rest = sentence.partition("**")
    if len(before) < LEADS:
        return "", sentence
    return before.rstrip(" :") + ":", rest[:1].upper() + rest[1:]


def _code(text: str) -> Iterator[Piece]:
    lines = text.splitlines()
    if lines[0].startswith("```"):
        return pieces.code("\n".join(lines[1:-1]), lines[0].strip("` ") or "text")
    return pieces.code("\n".join(line.removeprefix("    ") for line in lines), "python")
