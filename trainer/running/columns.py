"""Columns as contracts write them, `ride_id bigint, place struct<x:int,y:int>`, taken apart."""

import re

_OPENS = {"<": ">", "(": ")"}
# Spark writes types without the room that people leave inside brackets.
_ROOM = re.compile(r"\s*([<>(),:])\s*")


def columns(contract: str) -> list[tuple[str, str]]:
    """Give the names and types of a contract's columns; ValueError where it isn't well formed."""
    found = [_column(part, contract) for part in _parts(contract)]
    names = [name for name, _ in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise _malformed(contract, f"it has {', '.join(twice)} more than once")
    return found


def _parts(contract: str) -> list[str]:
    """Split at the commas that stand in no bracket."""
    parts, awaited = [""], []
    for sign in contract:
        if sign in _OPENS:
            awaited.append(_OPENS[sign])
        elif sign in _OPENS.values() and (not awaited or awaited.pop() != sign):
            raise _malformed(contract, f"a {sign!r} closes what was not opened")
        if sign == "," and not awaited:
            parts.append("")
        else:
            parts[-1] += sign
    if awaited:
        raise _malformed(contract, f"a {awaited[-1]!r} is missing")
    return parts


def _column(part: str, contract: str) -> tuple[str, str]:
    words = part.split(maxsplit=1)
    if len(words) != 2:
        what = f"{words[0]!r} has no type" if words else "a column is missing"
        raise _malformed(contract, what)
    return words[0], _ROOM.sub(r"\1", words[1]).strip()


def _malformed(contract: str, what: str) -> ValueError:
    return ValueError(f"The contract {contract!r} is malformed: {what}. Write `name type, …`.")
