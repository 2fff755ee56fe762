"""`devsem.toml`: which kernels a project wants decided. Paths in it count from its own folder.

    devices = ["ieee", "h100"]     # any option of `devsem verify` but kernel, spec, function, bind and proof: for every kernel below
    lemmas = ["mine.lean"]         # theorems that the prover may use, docs/PROOFS.md
    records = "records"            # what was measured of devices' functions, calibration/README.md

    [[kernel]]
    kernel = "relu.cu"
    spec = "relu.py"
    flags = "-ftz=true"            # for this kernel only

    [[kernel]]
    kernel = "tiled.cu"
    spec = "naive.cu"              # another kernel, or a PyTorch module
    launch = "grid=(N+15)/16,(M+15)/16 block=16,16"
    bind = "A=M*K,B=K*N,C=M*N"
    assume = ["K % 4 == 0"]
    max_numel = 1048576
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from devsem.errors import UsageError
from devsem.request import Request

FILE = "devsem.toml"


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(value) if isinstance(value, list) and all(isinstance(part, str) for part in value) else None


def _number(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) else None


def _whole(value: Any) -> int | None:
    return value if type(value) is int else None


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _paths(value: Any) -> tuple[Path, ...] | None:
    found = _texts(value)
    return None if found is None else tuple(map(Path, found))


def _path(value: Any) -> Path | None:
    return Path(value) if isinstance(value, str) else None


# key -> what it must be, and how it is read; a reader gives None for a value of another kind
READ: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "kernel": ("a string", _path), "spec": ("a string", _path), "function": ("a string", _text), "bind": ("a string", _text),
    "devices": ("a list of strings", _texts), "flags": ("a string", _text), "assume": ("a list of strings", _texts),
    "equality": ("a string", _text), "reading": ("a string", _text), "reference": ("a string", _text), "toolkit": ("a string", _text),
    "launch": ("a string", _text), "timeout": ("a number", _number), "max_numel": ("a whole number", _whole),
    "lemmas": ("a list of strings", _paths), "proof": ("a string", _path),
    "records": ("a string", _path), "require_discharged": ("true or false", _truth),
}
EACH = ("kernel", "spec", "function", "bind", "proof")
COMMON = tuple(key for key in READ if key not in EACH)


def load(path: Path, overrides: Mapping[str, Any]) -> tuple[Request, ...]:
    """One request for each `[[kernel]]`; `overrides` are fields of Request that hold for all, whatever the file says."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"there is no {path.name} here: name a kernel and its spec, `devsem verify KERNEL --spec SPEC`, or write one") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    entries = data.pop("kernel", [])
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"{path} has no [[kernel]]: each needs a `kernel` and a `spec`")
    common = _read(data, COMMON, str(path))
    return tuple(_request(entry, f"{path}, kernel {i}", path.parent, common, overrides) for i, entry in enumerate(entries, 1))


def _request(entry: dict[str, Any], where: str, folder: Path, common: dict[str, Any], overrides: Mapping[str, Any]) -> Request:
    own = _read(entry, tuple(READ), where)
    for key in ("kernel", "spec"):
        if key not in own:
            raise UsageError(f"{where} has no `{key}`")
    fields = {**common, **own}
    for key in ("kernel", "spec", "proof", "records"):
        if key in fields:
            fields[key] = folder / fields[key]
    if "lemmas" in fields:
        fields["lemmas"] = tuple(folder / path for path in fields["lemmas"])
    try:
        return Request(**{**fields, **overrides})
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from None


def _read(table: Mapping[str, Any], allowed: tuple[str, ...], where: str) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in table.items():
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            raise UsageError(f"{where}: unknown key `{key}`; " + (f"did you mean `{near[0]}`?" if near else f"known are {', '.join(allowed)}"))
        kind, read = READ[key]
        out[key] = read(value)
        if out[key] is None:
            raise UsageError(f"{where}: `{key}` is {kind}, not {value!r}")
    return out
