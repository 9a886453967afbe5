"""The rooms of trainer, as docs/architecture.md tells of them: imports go down, never up."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from trainer.course.clone import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
# A table from the top to the bottom; rooms on one line don't know each other.
LEVELS = [
    re.findall(r"`([a-z_/.]+)`", line.split("|")[1])
    for line in re.findall(r"^\| `.*", PAGE, re.MULTILINE)
]
DEPTH = {room: depth for depth, rooms in enumerate(LEVELS) for room in rooms}
MODULES = [
    path
    for path in sorted((ROOT / "trainer").rglob("*.py"))
    if "issued" not in path.parts and path.name != "__init__.py"
]
# A result can draw itself: notebooks say `result.timeline()`.
DRAWS_ITSELF = {("running", "display")}


def room_of(path: Path) -> str:
    """Name the room in which a file of trainer lies; rows.py, below all, is one of its own."""
    place = path.relative_to(ROOT / "trainer")
    if place.name == "rows.py" or len(place.parts) > 1:
        return place.name if len(place.parts) == 1 else place.parent.as_posix()
    return "trainer"


def imported(path: Path) -> Iterator[Path]:
    """Give the files of trainer that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "trainer":
            for alias in node.names:
                yield file_of(node.module, alias.name)


def file_of(module: str, name: str) -> Path:
    """Find the file behind `from module import name`."""
    place = ROOT / module.replace(".", "/")
    inside = [place / f"{name}.py", place.with_suffix(".py"), place / name / "__init__.py"]
    return next((file for file in inside if file.exists()), place / "__init__.py")


def test_the_page_tells_of_every_room():
    """Each once, and of no other."""
    rooms = sorted(room for rooms in LEVELS for room in rooms)
    assert rooms == sorted({*map(room_of, MODULES)})


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down(module):
    """From a room to itself or to one that stands further down."""
    own = room_of(module)
    wrong = {
        (own, other)
        for other in map(room_of, imported(module))
        if other != own and DEPTH[other] <= DEPTH[own]
    }
    assert wrong - DRAWS_ITSELF == set()


def test_the_places_that_the_page_names_are_there():
    """Files that the two walks pass by."""
    links = re.findall(r"\]\(\.\./(trainer[^)]*)\)", PAGE)
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).exists()] == []
