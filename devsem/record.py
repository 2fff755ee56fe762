"""Frozen dataclasses to JSON values and back, strictly, by their field types: no field is skipped, invented or converted.

>>> decode(tuple[int, ...], [1, 2], "list")
(1, 2)
>>> decode(tuple[int, ...], [1, "2"], "list")
Traceback (most recent call last):
devsem.errors.UsageError: list[1] is a string, not an integer
>>> decode(tuple[int, int], [1], "pair")
Traceback (most recent call last):
devsem.errors.UsageError: pair has the length 1, not 2
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from devsem.errors import Bug, Rejection, UsageError, Where

NAMES = {str: "a string", int: "an integer", float: "a number", bool: "a truth value", NoneType: "null", list: "a list", dict: "an object"}


def encode(value: Any) -> Any:
    """The value as JSON has it."""
    if isinstance(value, Rejection):
        return {"code": value.code, "file": value.where.file, "line": value.where.line, "column": value.where.column,
                "message": value.message, "hint": value.hint}
    if is_dataclass(value):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {key: encode(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return [encode(part) for part in value]
    if type(value) in (str, int, float, bool, NoneType):
        return value
    raise TypeError(f"no JSON for {type(value).__name__}")


def decode(kind: Any, value: Any, path: str) -> Any:
    """The value of type `kind` that `value` encodes; `path` says where it stands."""
    origin, args = get_origin(kind), get_args(kind)
    if kind is Rejection:
        return _rejection(value, path)
    if isinstance(kind, type) and is_dataclass(kind):
        return _dataclass(kind, value, path)
    if origin is Literal:
        if value not in args:
            raise UsageError(f"{path} is {value!r}, none of {', '.join(args)}")
        return value
    if origin is UnionType:
        return _union(args, value, path)
    if origin is tuple:
        return _tuple(args, _expect(list, value, path), path)
    if origin is Mapping:
        return {key: decode(args[1], part, f"{path}.{key}") for key, part in _expect(dict, value, path).items()}
    if kind is float and type(value) is int:
        return float(value)
    return _expect(kind, value, path)


def _tuple(kinds: tuple[Any, ...], parts: list[Any], path: str) -> tuple[Any, ...]:
    """Of any length (`tuple[int, ...]`) or, as the types say, of one (`tuple[int, int]`)."""
    kinds = kinds[:1] * len(parts) if kinds[-1] is Ellipsis else kinds
    if len(kinds) != len(parts):
        raise UsageError(f"{path} has the length {len(parts)}, not {len(kinds)}")
    return tuple(decode(kind, part, f"{path}[{i}]") for i, (kind, part) in enumerate(zip(kinds, parts, strict=True)))


def _expect(kind: type, value: Any, path: str) -> Any:
    if type(value) is not kind:
        raise UsageError(f"{path} is {NAMES[type(value)]}, not {NAMES[kind]}")
    return value


def _object(names: tuple[str, ...], value: Any, path: str) -> dict[str, Any]:
    """An object with exactly these fields."""
    found: dict[str, Any] = _expect(dict, value, path)
    for name in names:
        if name not in found:
            raise UsageError(f"{path}.{name} is missing")
    for name in found:
        if name not in names:
            raise UsageError(f"{path}.{name} is unknown")
    return found


def _dataclass(kind: Any, value: Any, path: str) -> Any:
    names = tuple(f.name for f in fields(kind))
    found, hints = _object(names, value, path), get_type_hints(kind)
    parts = {name: decode(hints[name], found[name], f"{path}.{name}") for name in names}
    try:
        return kind(**parts)
    except Bug as error:
        raise UsageError(f"{path}: {error}") from None


def _rejection(value: Any, path: str) -> Rejection:
    kinds = {"code": str, "file": str, "line": int, "column": int, "message": str, "hint": str}
    found = _object(tuple(kinds), value, path)
    part = {name: _expect(kind, found[name], f"{path}.{name}") for name, kind in kinds.items()}
    return Rejection(part["code"], Where(part["file"], part["line"], part["column"]), part["message"], part["hint"])


def _union(kinds: tuple[Any, ...], value: Any, path: str) -> Any:
    if value is None and NoneType in kinds:
        return None
    rest = tuple(kind for kind in kinds if kind is not NoneType)
    if len(rest) == 1:
        return decode(rest[0], value, path)
    if type(value) not in rest:
        raise UsageError(f"{path} is {NAMES[type(value)]}, not {' or '.join(NAMES[kind] for kind in rest)}")
    return value
