"""Natural numbers and machine words in Lean: the kernel computes the former by name, so the definitions must say the same.

The definitions of FloatLib are copied under other names, which the kernel does not know, and compared with its arithmetic.
"""

from __future__ import annotations

import itertools
import math
import operator
import random
import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from asklean import disagreements, refusals
from draw import seed

from devsem import leanlib
from devsem.ops import B32, B64, BOOL, F32, OPS, Op


def logarithm(a: int) -> int:
    """The binary logarithm rounded down, 0 of 0."""
    return max(a.bit_length() - 1, 0)


# What the kernel computes by name: the same on Python's integers, and up to which number all arguments are tried on the copy.
ACCELERATED: dict[str, tuple[Callable[..., int], int]] = {
    "add": (operator.add, 14), "sub": (lambda a, b: max(a - b, 0), 14), "mul": (operator.mul, 14), "div": (lambda a, b: a // b if b else 0, 14),
    "mod": (lambda a, b: a % b if b else a, 14), "gcd": (math.gcd, 10), "land": (operator.and_, 9), "lor": (operator.or_, 9), "xor": (operator.xor, 9),
    "shiftLeft": (operator.lshift, 6), "shiftRight": (operator.rshift, 7), "pow": (operator.pow, 5), "log2": (logarithm, 40),
    "beq": (operator.eq, 18), "ble": (operator.le, 18),
}
HELPERS = ("pred", "gcdLoop", "odd", "bitwise")
UNARY = ("log2",)   # this Lean computes it by its definition, so only of small numbers; other kernels for Lean know its name
EXPONENT = {"pow": 8, "shiftLeft": 500, "shiftRight": 500}  # the second argument stays below

# What a check needs: the copies, and `below2 n p`, that `p` holds of all pairs below `n`. It compares with the copy of `beq`.
CHECKERS = """def below (n : Nat) (p : Nat → Bool) : Bool := n.rec true (fun k rest => (p k).and rest)
def below2 (n : Nat) (p : Nat → Nat → Bool) : Bool := below n (fun a => below n (fun b => p a b))"""

WORDS = [op for op in OPS.values() if op.kind == "exact" and {B32, B64} & {*op.args, op.out} and F32 not in {*op.args, op.out}]


@cache
def copies() -> str:
    """FloatLib's own definitions of the accelerated functions and their helpers, in the namespace `Slow`."""
    root = leanlib.sources()
    text = "\n\n".join((root / "FloatLib" / name).read_text() for name in ("Base/Data.lean", "Nat/Defs.lean"))
    found = {m[1]: m[0] for m in re.finditer(r"^def (?:Nat\.)?(\w+) .*?(?=\n\n|\Z)", text, re.S | re.M)}
    wanted = [found[name] for name in found if name in ACCELERATED or name in HELPERS]
    assert len(wanted) == len(ACCELERATED) + len(HELPERS)
    body = re.sub(r"\b(zero|succ)\b", r"Nat.\1", "\n".join(wanted).replace("def Nat.", "def "))
    assert not re.search(r"Nat\.(?!zero|succ)\w", body), "the copy uses a function that the kernel computes by name"
    return f"namespace Slow\n{body}\nend Slow\n{CHECKERS}"


def agreement(name: str, slow: str, bound: int) -> str:
    """The copy of `name` equals the kernel's function on all arguments below the bound; `slow` is the copy applied to `a b`."""
    same = "Bool.beq" if name in ("beq", "ble") else "Slow.beq"
    if name in UNARY:
        return f"example : Eq (below {bound} (fun a => {same} ({slow}) (Nat.{name} a))) true := rfl"
    return f"example : Eq (below2 {bound} (fun a b => {same} ({slow}) (Nat.{name} a b))) true := rfl"


def test_every_function_the_kernel_knows_is_here() -> None:
    kernel = {name.removeprefix("Nat.") for name in leanlib.KERNEL_NAMES if name.startswith("Nat.")} - {"zero", "succ"}
    assert set(ACCELERATED) == kernel


@pytest.mark.lean
def test_definitions_have_the_kernels_values_on_small_numbers() -> None:
    lines = [agreement(name, f"Slow.{name} a" + " b" * (name not in UNARY), bound) for name, (_, bound) in ACCELERATED.items()]
    assert refusals(lines, before=copies()) == {}


@pytest.mark.lean
def test_a_wrong_definition_is_noticed() -> None:
    wrong = {"add": "Slow.add a (Nat.succ b)", "sub": "Slow.sub b a", "mul": "Slow.mul a (Nat.succ b)", "div": "cond (Slow.beq b 0) a (Slow.div a b)",
             "mod": "cond (Slow.beq b 0) 0 (Slow.mod a b)", "gcd": "cond (Slow.beq a 0) 0 (Slow.gcd a b)", "land": "Slow.lor a b", "lor": "Slow.xor a b",
             "xor": "Slow.lor a b", "shiftLeft": "Slow.mul a b", "shiftRight": "Slow.div a b", "pow": "Slow.pow b a",
             "log2": "cond (Slow.beq a 0) 1 (Slow.log2 a)", "beq": "Slow.ble a b", "ble": "Slow.ble (Nat.succ a) b"}
    assert wrong.keys() == ACCELERATED.keys()
    lines = [agreement(name, slow, ACCELERATED[name][1]) for name, slow in wrong.items()]
    assert refusals(lines, before=copies()).keys() == set(range(len(lines)))


def big_arguments(name: str, rng: random.Random) -> list[tuple[int, ...]]:
    """Corners crossed, and random numbers of up to 600 bits."""
    def number(bound: int) -> int:
        return rng.getrandbits(rng.randrange(1, 600)) % bound

    corners = (0, 1, 2, 3, 2**32 - 1, 2**64, 2**277)
    if name in UNARY:
        return [(a,) for a in (*corners[:4], *range(20, 60))]
    bound = EXPONENT.get(name, 2**600)
    seconds = [b for b in corners if b < bound]
    return [*itertools.product(corners, seconds), *((number(2**600), number(bound)) for _ in range(20))]


@pytest.mark.lean
def test_the_kernels_arithmetic_is_python_s_on_big_numbers() -> None:
    rng = random.Random(seed())
    lines, wrong = [], []
    for name, (function, _) in ACCELERATED.items():
        for args in big_arguments(name, rng):
            value, term = function(*args), f"(Nat.{name} {' '.join(map(hex, args))})"
            right, other = (hex(value), hex(value ^ 1)) if value.__class__ is int else (("true", "false") if value else ("false", "true"))
            lines.append(f"example : Eq {term} {right} := rfl")
        wrong.append(f"example : Eq {term} {other} := rfl")
    bad = refusals([*lines, *wrong])
    assert {i: lines[i] for i in bad if i < len(lines)} == {}
    assert len(bad) == len(wrong)


@pytest.mark.lean
def test_search_for_the_top_bit_finds_it() -> None:
    rng = random.Random(seed())
    numbers = [0, 1, 2, 3, *(2**k + d for k in range(3, 512, 29) for d in (-1, 0, 1)), *(rng.getrandbits(rng.randrange(1, 512)) for _ in range(40))]
    lines = [f"example : Eq (Fp.topBit 9 {a:#x}) {logarithm(a)} := rfl" for a in numbers]
    wrong = [f"example : Eq (Fp.topBit 9 {a:#x}) {logarithm(a) + 1} := rfl" for a in numbers[::20]]
    assert refusals([*lines, *wrong]).keys() == set(range(len(lines), len(lines) + len(wrong)))


def words(op: Op) -> list[np.ndarray]:
    """Columns of machine words: the corners crossed, then random ones."""
    kind = {B32: np.uint32, B64: np.uint64, BOOL: np.bool_}
    width = {B32: 32, B64: 64, BOOL: 1}
    rng = random.Random(seed())
    corners = [[0, 1] if w == 1 else
               [0, 1, 2, 31, 32, 33, 63, 64, 2**(w - 1) - 1, 2**(w - 1), 2**(w - 1) + 1, 2**w - 2, 2**w - 1, *((2**31, 2**32 - 1, 2**32) if w == 64 else ())]
               for w in (width[s] for s in op.args)]
    rows = [*itertools.product(*corners), *(tuple(rng.getrandbits(width[s]) for s in op.args) for _ in range(100))]
    return [np.array(column, dtype=kind[s]) for column, s in zip(zip(*rows, strict=True), op.args, strict=True)]


@pytest.mark.lean
@pytest.mark.parametrize("op", WORDS, ids=lambda op: op.name)
def test_words_are_those_of_the_evaluator(op: Op) -> None:
    assert disagreements(op, words(op)) == []
