"""Which open fields of a profile a kernel consults: those that could change what it computes, so that no verdict may go past them.

What the compiler decides (contraction, flushing, division, square root, library, rewriting) is asked by trying: the field is not consulted if
the text lowers to the same operations under each of its values. What an operation itself does is asked of the operations: `TOUCHES` says which
of them a field is about. Both are asked of a text; of compiled code, where nothing is left to lower, a field about the compiler touches all.
Whatever is not understood consults: an obligation is a device's function whose code is not looked into, so it touches every field, and so does a
variable that stands for something else than an element, a parameter or a thread's number.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from devsem.expr import Expr, topo
from devsem.lower import lower, prepare
from devsem.ops import F32, OPS
from devsem.profile import FIELDS, Profile

MOST_CHOICES = 6
# for a processor nothing says for which device the compiler rewrites: one of each kind that rewrite.py tells apart
ARCHS = ("", "sm_75", "sm_90", "sm_100")
TYPED = ("contract", "ftz", "division", "sqrt", "libm", "rewrites")
WINDOW = "window"
COMPARISONS = ("lt", "le", "eq", "lt_u", "le_u", "eq_u")
SYMBOLS = ("symbol.", "state.")         # symbols.py: a loop's results, and its state
ROUNDED = ("mul_", "div_", "fma_")      # what can round to 2^-126 from below: a sum of normal numbers below it is exact, a root is far above

Touches = Callable[[Expr], bool]


def _starts(*names: str) -> Touches:
    return lambda n: n.op.startswith(names) and n.sort == F32


def _float(n: Expr) -> bool:
    """An operation on numbers or their bits, choices included."""
    return n.sort == F32 or any(a.sort == F32 for a in n.args)


def _bits(n: Expr) -> bool:
    return n.op in ("bits_of", "of_bits", "sign_bit", "copysign")


def _bound(n: Expr) -> bool:
    """A choice that compilers may make a minimum or maximum of, whose arms are what is compared. They see through identities, so that it is one unless
    elements, parameters and constants are compared, and an arm is surely neither: a multiple of one, or both arms are constants."""
    if n.op != "select":
        return False
    condition, *arms = n.args
    while condition.op == "not":
        condition = condition.args[0]
    plain = condition.op in COMPARISONS and all(not _bare(a).args for a in condition.args)
    return not plain or not (all(a.is_const for a in arms) or any(_multiple(_bare(a)) for a in arms))


def _multiple(e: Expr) -> bool:
    """An element or parameter times a normal number that is not 1."""
    bare = [_bare(a) for a in e.args] if e.op == "mul_rn" else []
    factor = next((a.value & 0x7FFFFFFF for a in bare if a.is_const), 0)
    return 0x00800000 <= factor < 0x7F800000 and factor != 0x3F800000 and any(a.is_var for a in bare)


def _bare(e: Expr) -> Expr:
    """The number under signs and flushes."""
    while e.op in ("neg", "abs", "ftz"):
        e = e.args[0]
    return e


def _flushed_product(n: Expr) -> bool:
    return n.op == "ftz" and n.args[0].op.startswith(ROUNDED)


def _extremum(n: Expr) -> bool:
    return n.op in ("min_num", "max_num", "min_nan", "max_nan", "sat") or _bound(n)


TOUCHES: Mapping[str, Touches] = {
    "contract": _starts("add_", "sub_", "fma_"), "ftz": _float, WINDOW: _flushed_product, "division": _starts("div_"), "sqrt": _starts("sqrt_"),
    "libm": lambda n: False, "rewrites": _bound, "minmax": _extremum, "nan": _bits, "exact": _float,
}
COMPILED: Mapping[str, Touches] = {**TOUCHES, **dict.fromkeys(("contract", "libm", "rewrites", "nan"), _float)}     # of a reading of compiled code
if TOUCHES.keys() != FIELDS.keys():
    raise ValueError(f"consult.py and profile.py disagree on {sorted(TOUCHES.keys() ^ FIELDS.keys())}")


def of_text(profile: Profile, values: Sequence[Expr], known: Collection[Expr]) -> Mapping[str, str]:
    """The open fields that a kernel's written values consult, each with what of the kernel it is about; `known` are the variables with no operation
    behind them."""
    if not profile.open:
        return {}
    base = _readings(profile, tuple(values))
    if base is None:
        return dict.fromkeys(profile.open, "it is compiled in more ways than are tried")
    found = {name: f"it is compiled otherwise under another value of {name}" for name in _tried(profile, tuple(values), base)}
    return _ordered({**_touched(profile, [n for reading in base for n in topo(*reading)], TOUCHES, known), **found})


def of_compiled(profile: Profile, admissible: Sequence[Sequence[Expr]], reference: Sequence[Expr], known: Collection[Expr]) -> Mapping[str, str]:
    """The same of compiled code, under every choice that is left open; `reference` is what else was compiled for the device."""
    return _touched(profile, [n for values in (*admissible, reference) for n in topo(*values)], COMPILED, known) if profile.open else {}


def has_numbers(*conditions: Expr) -> bool:
    """Does an index or a condition depend on arithmetic of numbers, or on a symbol, behind which there may be some?"""
    return any(_float(n) if n.args else n.is_var and n.name.startswith(SYMBOLS) for n in topo(*conditions))


def says(profile: Profile, consulted: Mapping[str, str]) -> str:
    """Why there is no verdict, in one sentence."""
    return "; ".join(f"{name} is {profile.open[name]}, and the kernel consults it: {what}" for name, what in consulted.items())


def notes(profile: Profile, consulted: Mapping[str, str]) -> tuple[str, ...]:
    """What a verdict rests on that goes past open fields: it consults the window at most, and then its witness is no input where that matters."""
    others = [name for name in profile.open if name not in consulted]
    said = (f"open on {profile.name}, and not consulted by the kernel: {', '.join(others)}",) if others else ()
    return (*said, *(f"{name} is open on {profile.name}: no flushed operation rounds to 2^-126 at the witness" for name in consulted))


def _touched(profile: Profile, nodes: Sequence[Expr], touches: Mapping[str, Touches], known: Collection[Expr]) -> dict[str, str]:
    hidden = next((n for n in nodes if n.is_var and (n not in known or n.name.startswith(SYMBOLS))), None)
    if hidden is not None:
        return dict.fromkeys(profile.open, f"what {hidden.name} stands for is not looked into")
    operations = [n for n in nodes if n.args]
    device = next((n for n in operations if OPS[n.op].kind == "obligation"), None)
    if device is not None:
        return dict.fromkeys(profile.open, f"the code of {device.op[2:]} is not looked into")
    first = {name: next((n for n in operations if touches[name](n)), None) for name in profile.open}
    return {name: f"it has the operation {n.args[0].op if name == WINDOW else n.op}" for name, n in first.items() if n is not None}


def _tried(profile: Profile, values: tuple[Expr, ...], base: list[tuple[Expr, ...]]) -> Iterator[str]:
    """The open fields of the compiler on whose values it depends what is computed; all of them where no single one does it."""
    tried = {name: _variants(profile, name) for name in TYPED if name in profile.open}
    if any(_readings(replace(profile, **{k: v for one in each for k, v in one.items()}), values) != base for each in itertools.product(*tried.values())):
        alone = [name for name, each in tried.items() if any(_readings(replace(profile, **one), values) != base for one in each)]
        yield from alone or tried


def _variants(profile: Profile, name: str) -> list[Mapping[str, Any]]:
    """What the profile may be, as far as one open field goes."""
    archs = ARCHS if name == "rewrites" and not profile.arch else (profile.arch,)
    return [{name: value, **({"arch": arch} if arch != profile.arch else {})} for value in FIELDS[name] for arch in archs]


def _readings(profile: Profile, values: tuple[Expr, ...]) -> list[tuple[Expr, ...]] | None:
    """What the values compute under each choice that a profile without open fields leaves; None if there are too many."""
    sites = prepare(values, profile)
    if sites.choices > MOST_CHOICES:
        return None
    return [tuple(lower(v, profile, choice) for v in sites.values) for choice in itertools.product((True, False), repeat=sites.choices)]


def _ordered(found: Mapping[str, str]) -> Mapping[str, str]:
    return {name: found[name] for name in FIELDS if name in found}
