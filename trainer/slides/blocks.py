"""The blocks of a Markdown cell: paragraphs, lists, tables, what folds out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt

KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "blockquote_open": "quote",
    "code_block": "code",
    "fence": "code",
    "html_block": "html",
}
SUMMARY = re.compile(r"<summary>(.*?)</summary>(.*)", re.DOTALL)
LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")
TAG = re.compile(r"</?(?:b|i|em|strong)>")


@dataclass(frozen=True)
class Block:
    """A block of Markdown; one that folds out has a question, and the blocks that answer it."""

    kind: str
    text: str
    inside: list["Block"] = field(default_factory=list)


@cache
def markdown() -> MarkdownIt:
    """Give the one that reads Markdown."""
    return MarkdownIt("commonmark").enable("table")


def html(text: str) -> str:
    """Write a block as HTML; links lead nowhere from a slide, so their words are left."""
    return markdown().render(LINK.sub(r"\1", text)).strip()


def inline(text: str) -> str:
    """Write words as HTML."""
    return markdown().renderInline(LINK.sub(r"\1", text))


def blocks(text: str) -> list[Block]:
    """Cut a cell into its blocks; what folds out holds the blocks up to its end."""
    found: list[Block] = []
    into = found
    for block in _flat(text):
        if block.kind == "html" and (summary := SUMMARY.search(block.text)):
            question = TAG.sub("", summary[1]).replace("<code>", "`").replace("</code>", "`")
            found.append(Block("fold", " ".join(question.replace("&lt;", "<").split())))
            into = found[-1].inside
            if rest := summary[2].replace("</details>", "").strip():
                into.append(Block("paragraph", rest))
        elif block.kind != "html":
            into.append(block)
        if block.kind == "html" and "</details>" in block.text:
            into = found
    return found


def _flat(text: str) -> Iterator[Block]:
    lines = text.splitlines()
    for token in markdown().parse(text):
        if token.level == 0 and token.map and token.type in KINDS:
            first, last = token.map
            yield Block(KINDS[token.type], "\n".join(lines[first:last]).strip("\n"))
