"""A profile: one device with one set of compiler choices, read from `profiles/NAME.toml`, every field with its evidence.

A file has a `[profile]` table (name, device, arch; flags, where it was calibrated with some) and one `[fields.NAME]` table a field: `value`,
`evidence`, `source`, and for what `devsem calibrate` found (`measured` on a GPU or a processor, `emulated` without either) its `record` file, which
must say the same.
Nothing is guessed: a missing field, an unknown one or one without evidence is refused. A field that probes could not decide has
`evidence = "undecided"` and no value; such a file can be shown and compared, and `devsem verify` decides under it only the kernels that do
not consult the field (consult.py). So does a value that probes can find, but FloatLib has no meaning for (`UNMODELLED`).

>>> load_profile("ieee").contract
False
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from devsem import calibrated, flags as flag_table
from devsem.errors import UsageError, Where

Evidence = Literal["emulated", "documented", "compiled", "measured"]
STRENGTH: tuple[Evidence, ...] = ("emulated", "documented", "compiled", "measured")  # weakest first
UNDECIDED = "undecided"
RECORDED = ("emulated", "measured", UNDECIDED)     # these name their record, and `compiled` may
# every field a profile must have, with the values it can take
FIELDS: Mapping[str, tuple[bool | str, ...]] = {
    "contract": (True, False),                  # a*b+c is one fused operation
    "ftz": (True, False),                       # subnormal inputs and results become zeros of the same sign
    "window": ("result", "after", "before"),    # where flushing, what of a result that rounds to 2^-126: kept; or flushed if tiny, as IEEE 754, 7.5
                                                # has it after or before rounding
    "division": ("ieee", "full", "approx"),
    "sqrt": ("ieee", "approx"),
    "libm": ("accurate", "fast"),
    "rewrites": (True, False),                  # the compiler's identities and constant folding (rewrite.py)
    "minmax": ("number",),                      # fminf and fmaxf: a NaN loses, -0 < +0
    "nan": ("canonical",),                      # an arithmetic result that is NaN is 0x7fffffff
    "exact": (True,),                           # the rows of ops.py that IEEE 754 and PTX fix: sums, conversions, saturation, moves
}
UNMODELLED: Mapping[str, tuple[str, ...]] = {"window": ("after", "before")}     # Lean's `Fp.ftz` is of the rounded result
HEAD, OPTIONAL = ("name", "device", "arch"), ("flags",)
COLUMNS = ("value", "evidence", "source", "record")


@dataclass(frozen=True)
class Field:
    """A value with the kind of its evidence, its source in words, and for one that was calibrated its record file."""

    value: bool | str
    evidence: Evidence
    source: str
    record: str = ""


@dataclass(frozen=True)
class Undecided:
    """A field of which the probes decided nothing, and why."""

    source: str
    record: str
    value: None = None
    evidence: Literal["undecided"] = "undecided"


@dataclass(frozen=True)
class Draft:
    """What a profile's file says, decided or not. `driver`: of the device that its fields were measured on, as "13.0"."""

    name: str
    device: str
    arch: str
    fields: Mapping[str, Field | Undecided]
    driver: str = ""
    flags: str = ""


@dataclass(frozen=True)
class Profile:
    """One device with one set of compiler choices. `driver`: the one that it was measured with, as "13.0"; empty where it was not measured.
    `open` says of each field that is undecided, or has a value without a meaning in FloatLib, why; the attribute of such a field is a stand-in, and
    only consult.py says what does not depend on it."""

    name: str
    device: str
    arch: str
    flags: str
    contract: bool
    ftz: bool
    division: Literal["ieee", "full", "approx"]
    sqrt: Literal["ieee", "approx"]
    libm: Literal["accurate", "fast"]
    rewrites: bool
    fields: Mapping[str, Field | Undecided]
    driver: str = ""
    open: Mapping[str, str] = field(default_factory=dict)

    @property
    def sm(self) -> int:
        """The architecture as a number, sm_90 as 90; 0 for a profile that is no device."""
        return int(self.arch.removeprefix("sm_")) if self.arch else 0

    @property
    def evidence(self) -> Evidence:
        """The weakest kind of evidence among the decided fields; the weakest of all where none is."""
        return min((f.evidence for f in self.fields.values() if isinstance(f, Field)), key=STRENGTH.index, default=STRENGTH[0])


def profiles_dir() -> Path:
    """Where the profiles lie: packaged inside the wheel, or beside the package in a source checkout."""
    here = Path(__file__).resolve().parent
    packaged = here / "_profiles"
    return packaged if packaged.is_dir() else here.parent / "profiles"


def list_profiles() -> list[str]:
    """The names of the profiles that come with devsem."""
    return sorted(p.stem for p in profiles_dir().glob("*.toml"))


def load_profile(name_or_path: str, flags: str = "") -> Profile:
    """The profile of that name, or in that `.toml` file, with the compiler flags applied and no field open; raises UsageError."""
    text, tables = _read(name_or_path)
    profile = _profile(text, _checked(text, tables), flags)
    for name, why in profile.open.items():
        raise text.error(f"{name} is {why}, so nothing can be decided on this device but by `devsem verify`, of kernels that do not consult it",
                         f"fields.{name}")
    return profile


def load_open(name_or_path: str, flags: str = "") -> Profile:
    """The same, where fields may be open: for those who ask consult.py what depends on them. Raises UsageError."""
    text, tables = _read(name_or_path)
    return _profile(text, _checked(text, tables), flags)


def _profile(text: _Text, draft: Draft, flags: str) -> Profile:
    values: dict[str, Any] = {}
    why: dict[str, str] = {}
    for name, f in draft.fields.items():
        values[name] = FIELDS[name][0] if isinstance(f, Undecided) else f.value
        if isinstance(f, Undecided):
            why[name] = f"undecided ({f.source})"
        elif f.value in UNMODELLED.get(name, ()):
            why[name] = f'"{f.value}", which FloatLib has no meaning for ({f.source})'
    typed = {name: values[name] for name in ("contract", "ftz", "division", "sqrt", "libm", "rewrites")}
    profile = Profile(draft.name, draft.device, draft.arch, draft.flags, **typed, fields=draft.fields, driver=draft.driver,
                      open=MappingProxyType(why))
    changed = _with_flags(profile, flags)
    ftz = draft.fields["ftz"]
    if not draft.arch and ftz.evidence == "measured" and changed.ftz is not profile.ftz:
        raise text.error(f"{draft.name} is a processor, whose mode decides what is flushed: {changed.flags} says nothing of it", "fields.ftz")
    return changed


def read_draft(name_or_path: str) -> Draft:
    """What the profile of that name, or in that `.toml` file, says, undecided fields included; raises UsageError."""
    return _checked(*_read(name_or_path))


def _read(name_or_path: str) -> tuple[_Text, dict[str, Any]]:
    path = profile_path(name_or_path)
    try:
        text = path.read_text(encoding="utf-8")
        return _Text(path, text), tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"cannot read profile {path}: {e}") from e
    except tomllib.TOMLDecodeError as e:
        at = re.search(r" \(at line (\d+), column (\d+)\)$", str(e))
        where = Where(str(path), int(at[1]), int(at[2])) if at else Where(str(path), max(1, len(text.splitlines())), 1)
        raise UsageError(f"{where}: not TOML: {str(e)[:at.start()] if at else e}") from e


def lean_fields(profile: Profile) -> dict[str, str]:
    """The fields of the Lean structure `Profile`, as Lean text; `fuseLeft` is the caller's."""
    words = {True: "true", False: "false"}
    return {"contract": words[profile.contract], "ftz": words[profile.ftz], "division": f".{profile.division}", "sqrt": f".{profile.sqrt}",
            "libm": f".{profile.libm}"}


def profile_path(name_or_path: str) -> Path:
    """The file of a profile; raises UsageError where there is no such name."""
    if name_or_path.endswith(".toml"):
        return Path(name_or_path)
    known = list_profiles()
    if name_or_path in known:
        return profiles_dir() / f"{name_or_path}.toml"
    near = difflib.get_close_matches(name_or_path.lower(), known, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UsageError(f"no profile named {name_or_path!r}{hint} (known: {', '.join(known)}; or give a .toml file)")


@dataclass(frozen=True)
class _Text:
    """A profile's text, to say on which line something is wrong."""

    path: Path
    text: str

    def error(self, what: str, table: str = "", key: str = "") -> UsageError:
        """The error at `key` of `[table]`, at the table's heading or wherever it is written, or at the end, where something is missing."""
        rows = self.text.splitlines()
        line, inside = 0, False
        for number, row in enumerate(rows, 1):
            heading = re.match(r"\s*\[\s*([^\]]*?)\s*\]", row)
            if heading:
                inside = re.sub(r"[\s\"']", "", heading[1]) == table
                line = number if inside and not line else line
            elif inside and key and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", row):
                line = number
                break
        written = re.compile(rf"\s*(\[\s*)?(fields\s*\.\s*)?[\"']?{re.escape(table.rpartition('.')[2])}[\"']?\s*[.=\]]")
        line = line or next((number for number, row in enumerate(rows, 1) if table and written.match(row)), max(1, len(rows)))
        return UsageError(f"{Where(str(self.path), line, 1)}: {what}")


def _checked(text: _Text, tables: Mapping[str, Any]) -> Draft:
    """What the file says, after every table and key was found to be what it must be."""
    for table in tables:
        if table not in ("profile", "fields") or not isinstance(tables[table], dict):
            raise text.error(f"unknown table [{table}]; a profile has [profile] and [fields.NAME]", table)
    head, fields = tables.get("profile", {}), tables.get("fields", {})
    for key in (*HEAD, *head):
        if key not in (*HEAD, *OPTIONAL):
            raise text.error(f"unknown key {key!r} in [profile]; it has {', '.join((*HEAD, *OPTIONAL))}", "profile", key)
        if not isinstance(head.get(key), str):
            raise text.error(f"[profile] needs {key} = \"...\"", "profile", key)
    if not re.fullmatch(r"(sm_\d+)?", head["arch"]):
        raise text.error(f"arch is \"sm_NN\", or \"\" for a profile that is no device; got {head['arch']!r}", "profile", "arch")
    flags = head.get("flags", "")
    try:
        spelled = flag_table.normalise(flags)
    except UsageError as e:
        raise text.error(str(e), "profile", "flags") from e
    if flags != spelled:
        raise text.error(f"flags are spelled {spelled!r}", "profile", "flags")
    for name in fields:
        if name not in FIELDS:
            raise text.error(f"unknown field {name!r}; a profile has {', '.join(FIELDS)}", f"fields.{name}")
    missing = [name for name in FIELDS if name not in fields]
    if missing:
        raise text.error(f"no [fields.{missing[0]}]: every field needs its value and evidence")
    found = {name: _field(text, name, fields[name], head["arch"], flags) for name in FIELDS}
    drivers = {calibrated.driver(text.path.parent / f.record) for f in found.values() if f.evidence == "measured"}
    if len(drivers) > 1:
        raise text.error(f"its fields were measured with several drivers: {', '.join(sorted(drivers))}")
    return Draft(**head, fields=MappingProxyType(found), driver=next(iter(drivers), ""))


def _field(text: _Text, name: str, table: Any, arch: str, flags: str) -> Field | Undecided:
    where = f"fields.{name}"
    if not isinstance(table, dict):
        raise text.error(f"write [fields.{name}] with value, evidence and source", "fields", name)
    for key in table:
        if key not in COLUMNS:
            raise text.error(f"unknown key {key!r} in [{where}]; it has {', '.join(COLUMNS)}", where, key)
    value, allowed, undecided = table.get("value"), FIELDS[name], table.get("evidence") == UNDECIDED
    if undecided and value is not None:
        raise text.error(f"{name} is undecided, so it has no value", where, "value")
    if not undecided and not any(type(value) is type(a) and value == a for a in allowed):
        raise text.error(f"{name} is one of {', '.join(str(a).lower() if isinstance(a, bool) else repr(a) for a in allowed)}; got {value!r}", where, "value")
    if table.get("evidence") not in (*STRENGTH, UNDECIDED):
        raise text.error(f"{name} needs evidence = one of {', '.join(STRENGTH)}; got {table.get('evidence')!r}", where, "evidence")
    if not isinstance(table.get("source"), str) or not table["source"].strip():
        raise text.error(f"{name} needs source = \"where this is known from\"", where, "source")
    record = table.get("record", "")
    kind = table["evidence"]
    if not isinstance(record, str) or (bool(record) != (kind in RECORDED) and kind != "compiled"):
        raise text.error(f"{name}: a field that is {', '.join(RECORDED)}, and only such a one or a compiled one, names its record file", where, "record")
    if record and (wrong := calibrated.unfit(text.path.parent / record, name, value, kind, arch, flags)):
        raise text.error(f"{name}: {wrong}", where, "record")
    return Undecided(table["source"], record) if undecided else Field(**table)


def _with_flags(profile: Profile, flags: str) -> Profile:
    """What the flags change; an open field stays open, whatever the compiler is told."""
    changes = {name: change for name, change in flag_table.effects(flags).items()
               if name not in profile.open and not (profile.flags and change.value == profile.fields[name].value)}
    fields = {name: Field(changes[name].value, changes[name].evidence, f"-{changes[name].flag}: {changes[name].source}") if name in changes else f
              for name, f in profile.fields.items()}
    values: dict[str, Any] = {name: change.value for name, change in changes.items()}
    return replace(profile, flags=flag_table.merged(profile.flags, flags), fields=MappingProxyType(fields), **values)
