"""Makes values of classes from plain data, and takes nothing of another shape: files do change."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints


def shaped(data: object, kind: Any) -> Any:
    """Make a value of a type; a ValueError says what is not as it should be."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if data is None else shaped(data, inner[0])
    if is_dataclass(kind):
        return _made(_required(data, dict), kind)
    if origin in (tuple, frozenset):
        return origin(shaped(each, inner[0]) for each in _required(data, list))
    if origin is Mapping:
        return {key: shaped(each, inner[1]) for key, each in _required(data, dict).items()}
    return _required(data, (int, float) if kind is float else kind)


def _made(data: dict, kind: Any) -> Any:
    hints = get_type_hints(kind)
    if strange := data.keys() - hints.keys():
        raise ValueError(f"{min(strange)!r} is not known here")
    for each in fields(kind):
        if each.name not in data and each.default is each.default_factory is MISSING:
            raise ValueError(f"{each.name!r} is missing")
    return kind(**{name: shaped(each, hints[name]) for name, each in data.items()})


def _required(data: object, kind: Any) -> Any:
    if not isinstance(data, kind):
        raise ValueError(f"{str(data)[:40]!r} is no {getattr(kind, '__name__', 'number')}")
    return data
