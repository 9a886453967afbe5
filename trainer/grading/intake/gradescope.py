"""Gradescope's list of an export: which folder is whose, and since when.

It is YAML, but always of one shape: a line for each field, below the line of its folder.
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

FILE = "submission_metadata.yml"
LARGEST = 2**25
FOLDER = re.compile(r"(submission_\d+):\s*")
FIELD = re.compile(r"\s+(?:- )?:(name|sid|email|created_at): ?(.*?)\s*")


@dataclass
class Entry:
    """A submission: who handed it in, each told by e-mail, id and name; and when."""

    people: list[dict[str, str]] = field(default_factory=list)
    at: str = ""


def listed(folder: Path) -> dict[str, Entry]:
    """Read the list in a folder of submissions, if there is one."""
    file = folder / FILE
    if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST:
        return {}
    found: dict[str, Entry] = {}
    entry = Entry()
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        if begins := FOLDER.fullmatch(line):
            entry = found[begins[1]] = Entry()
        elif (told := FIELD.fullmatch(line)) and not entry.at:
            name, value = told[1], _plain(told[2])
            if name == "created_at":
                # What follows is older versions, and an autograder's own words.
                entry.at = value
                continue
            if not entry.people or name in entry.people[-1]:
                entry.people.append({})
            entry.people[-1][name] = value
    return found


def _plain(text: str) -> str:
    if text[:1] == text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] == '"':
        try:
            return str(json.loads(text))
        except ValueError:
            return text
    return text
