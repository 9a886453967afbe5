"""What of a paragraph goes on a slide: its first words, what is stressed, and its questions."""

import re

# A sentence ends at a full stop, and another begins: not in `code`, in **bold** or in (brackets).
END = re.compile(r"(?<=[.?!])[*\"”)]*(\s+)(?=[A-Z*`\"“(\d…])")
ENOUGH = 70


def sentences(paragraph: str) -> list[str]:
    """Cut a paragraph into its sentences."""
    text, found, begun = " ".join(paragraph.split()), [], 0
    for end in END.finditer(text):
        if _closed(text[begun : end.start(1)]):
            found.append(text[begun : end.start(1)])
            begun = end.end()
    return [*found, text[begun:]]


def _closed(text: str) -> bool:
    brackets = text.count("(") == text.count(")")
    return brackets and not text.count("**") % 2 and not text.count("`") % 2


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks something."""
    return sentence.rstrip('*"”) ').endswith("?")


def is_asked_of_the_class(sentence: str) -> bool:
    """Tell whether it is a question in bold: one to answer before you read on."""
    return any("?" in bold for bold in re.findall(r"\*\*(.+?)\*\*", sentence))


def essence(said: list[str]) -> str:
    """Give the first words of what is said, up to a line or so, and all that is in bold."""
    kept: list[str] = []
    length = 0
    for sentence in said:
        if length < ENOUGH or "**" in sentence:
            kept.append(sentence)
            length += len(sentence)
    return " ".join(kept)
