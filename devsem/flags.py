"""THE TABLE of compiler flags: what each one changes in a profile, with its evidence (facts/GPU_FLOAT.md 1.1, 1.2).

The order of flags does not matter: an explicit value overrides what `-use_fast_math` implies. nvcc's own behaviour is known only for
the explicit flag after `-use_fast_math`, so the other order is refused, as is a flag given twice with different values.

>>> normalise("--use_fast_math -prec-div true")
'-use_fast_math -prec-div=true'
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from devsem.errors import UsageError

Value = bool | str
FAST = "use_fast_math"


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A flag's value gives a profile field this value."""

    flag: str
    given: bool
    field: str
    value: Value
    evidence: Literal["documented", "compiled"]
    source: str


HELP = "nvcc 13.0 --help; cicc's command line by nvcc --dryrun (GPU_FLOAT 1.2)"
EFFECTS = (
    Effect(flag="ftz", given=True, field="ftz", value=True, evidence="documented", source=HELP),
    Effect(flag="ftz", given=False, field="ftz", value=False, evidence="documented", source=HELP),
    Effect(flag="fmad", given=True, field="contract", value=True, evidence="documented", source=HELP),
    Effect(flag="fmad", given=False, field="contract", value=False, evidence="documented", source=f"{HELP}; PTX `mul.rn`, `add.rn` and ptxas --fmad false"),
    Effect(flag="prec-div", given=True, field="division", value="ieee", evidence="documented", source=HELP),
    Effect(flag="prec-div", given=False, field="division", value="full", evidence="compiled", source="GPU_FLOAT 6.2: PTX div.full, rcp.approx"),
    Effect(flag="prec-sqrt", given=True, field="sqrt", value="ieee", evidence="documented", source=HELP),
    Effect(flag="prec-sqrt", given=False, field="sqrt", value="approx", evidence="compiled", source="GPU_FLOAT 6.2: PTX sqrt.approx"),
)
# beyond the four flags it implies, -use_fast_math substitutes functions and, unless -prec-div=true follows, divides by div.approx
FAST_EFFECTS = (
    Effect(flag=FAST, given=True, field="libm", value="fast", evidence="documented", source="CUDA C++ Programming Guide 13.1, table 20"),
    Effect(flag=FAST, given=True, field="division", value="approx", evidence="compiled", source="cicc --gen_div_approx_ftz (GPU_FLOAT 1.2, 6.2)"),
)
FAST_IMPLIES = {"ftz": True, "prec-div": False, "prec-sqrt": False, "fmad": True}
SWITCHES = tuple(FAST_IMPLIES)
WORDS = {"true": True, "false": False}
UNMODELLED = ("G", "device-debug", "O", "Xcicc", "Xptxas", "Ofc", "Ofast-compile", "dopt", "dlto", "extra-device-vectorization", "ffp-contract", "maxrregcount")


def _unknown(flag: str) -> UsageError:
    name = flag.lstrip("-").partition("=")[0]
    if name in UNMODELLED or (name[:1] == "O" and name[1:].isdigit()):
        return UsageError(f"flag {flag} is not modelled yet: it can change which instructions the compiler emits")
    near = difflib.get_close_matches(name.replace("_", "-"), (*SWITCHES, "use-fast-math"), n=1)
    hint = f"; did you mean -{near[0].replace('use-fast-math', FAST)}?" if near else ""
    return UsageError(f"unknown flag {flag}{hint} (known: {', '.join(f'-{s}=true|false' for s in SWITCHES)}, -{FAST})")


def parse(text: str) -> dict[str, bool]:
    """The flags given, by name; raises UsageError on an unknown flag, a missing or wrong value, or a contradiction."""
    given: dict[str, bool] = {}
    words = text.split()
    while words:
        word = words.pop(0)
        dashes = len(word) - len(word.lstrip("-"))
        name, equals, value = word.lstrip("-").partition("=")
        if dashes not in (1, 2) or name not in (*SWITCHES, FAST) or (name == FAST and equals):
            raise _unknown(word)
        if name == FAST:
            if given.keys() - {FAST}:
                raise UsageError(f"put -{FAST} before the flags that override it: what nvcc does in the other order is not known")
            given[FAST] = True
            continue
        if not equals:
            value = words.pop(0) if words else ""
        if value not in WORDS:
            raise UsageError(f"flag -{name} takes true or false, got {value or 'nothing'!r}")
        if given.setdefault(name, WORDS[value]) != WORDS[value]:
            raise UsageError(f"flag -{name} is given both as true and as false")
    return given


def normalise(text: str) -> str:
    """The one spelling of a set of flags, as a verdict names it."""
    given = parse(text)
    explicit = [f"-{s}={'true' if given[s] else 'false'}" for s in sorted(SWITCHES) if s in given]
    return " ".join(([f"-{FAST}"] if FAST in given else []) + explicit)


def merged(first: str, then: str) -> str:
    """The flags of both, in one spelling; where both give a value, that of `then`. Raises UsageError as `parse`.

    >>> merged("-use_fast_math -ftz=false", "-ftz=true")
    '-use_fast_math -ftz=true'
    """
    given, over = parse(first), parse(then)
    if FAST in over and given.keys() - over.keys() - {FAST}:
        raise UsageError(f"put -{FAST} before the flags that override it: what nvcc does in the other order is not known")
    both = {**given, **over}
    return normalise(" ".join(f"-{name}" if name == FAST else f"-{name}={'true' if both[name] else 'false'}" for name in sorted(both, key=lambda n: n != FAST)))


def effects(text: str) -> Mapping[str, Effect]:
    """What the flags change, by profile field."""
    given = parse(text)
    values = {**(FAST_IMPLIES if FAST in given else {}), **given}
    out = {e.field: e for e in EFFECTS if values.get(e.flag) is e.given}
    if FAST in given:
        out.update({e.field: e for e in FAST_EFFECTS if e.field != "division" or not values["prec-div"]})
    return out
