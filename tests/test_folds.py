"""Loops with a symbolic number of rounds: one form for tiles and plain loops, pieces, and theorems that Lean accepts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import pytest

from devsem import leancheck
from devsem.array_goal import Both, Side, array_goal, carries_a_product
from devsem.decide import Decision, decide
from devsem.expr import Expr, const, const_int, mk, var
from devsem.folds import Normal
from devsem.goal import Goal
from devsem.leanrun import Lean
from devsem.ops import B32, F32
from devsem.pairing import Unpaired
from devsem.polynomial import Poly, atom, number, read
from devsem.profile import load_profile
from devsem.symbols import Symbols

K, N, ROW, COL, T, J = (var(name, B32) for name in ("K", "N", "row", "col", "t", "j"))
ACC, MID, TOP = var("acc", F32), var("mid", F32), var("top", F32)
SIXTEEN = const_int(B32, 16)
Body = Callable[[Symbols, Expr, Expr], Expr]


def plus(a: Expr, b: Expr) -> Expr:
    return mk("add_b32", a, b)


def times(a: Expr, b: Expr) -> Expr:
    return mk("mul_b32", a, b)


def product(s: Symbols, j: Expr) -> tuple[Expr, Expr]:
    return s.read("A", plus(times(ROW, K), j)), s.read("B", plus(times(j, N), COL))


def written(s: Symbols, j: Expr, acc: Expr) -> Expr:
    return mk("w_add", acc, mk("w_mul", *product(s, j)))


def exact(s: Symbols, j: Expr, acc: Expr) -> Expr:
    return mk("add_rn", acc, mk("mul_rn", *product(s, j)))


def plain(s: Symbols, body: Body, count: Expr = K) -> Expr:
    return s.fold(J, count, (ACC,), (const(0.0),), (body(s, J, ACC),))[0]


def tiled(s: Symbols, body: Body, count: Expr, index: Expr) -> Expr:
    inner = s.fold(J, SIXTEEN, (MID,), (ACC,), (body(s, index, MID),))
    return s.fold(T, count, (ACC,), (const(0.0),), inner)[0]


def whole(a: Poly, b: Poly) -> bool:
    """Numbers of rounds that are one where K is a multiple of 16: both are K."""
    tiles = number(16) * atom(mk("udiv_b32", K, SIXTEEN))
    return a == b or {a, b} == {tiles, atom(K)}


def goal(make_left: Callable[[Symbols], Expr], make_right: Callable[[Symbols], Expr]) -> Goal:
    shared = Symbols()
    sides = [(s, make(s)) for make in (make_left, make_right) for s in [Symbols()]]
    left, right = (Normal(s, {}, lambda c, inside: None, symbols=shared) for s, _ in sides)
    ours, theirs = (n.values((v,))[0] for n, (_, v) in zip((left, right), sides, strict=True))
    index = read(plus(times(ROW, N), COL))
    both = Both("C", Side(index, ours, left), Side(index, theirs, right), (ROW, COL), whole, lambda a, b: False)
    return array_goal("tiled", "naive", [both], ["A", "B", "C"])


def decision(g: Goal, device: str = "ieee", flags: str = "") -> Decision:
    return decide(g, load_profile(device, flags), "bits", 10.0, lambda name: nullcontext())


def accepted(d: Decision) -> bool:
    assert d.lean is not None
    return leancheck.check_text(d.lean.text, d.lean.theorems, lean=Lean.choose(None)).accepted


IN_TILES = plus(times(T, SIXTEEN), J)
TILES = mk("udiv_b32", K, SIXTEEN)


def test_a_loop_over_tiles_is_the_plain_loop() -> None:
    d = decision(goal(lambda s: tiled(s, written, TILES, IN_TILES), lambda s: plain(s, exact)))
    assert d.verdict == "PROVED"
    assert d.lean is not None
    assert "Eq (Nat.mod n0 16) 0" in d.lean.text
    assert "Grid.upTo_mul" in d.lean.text
    assert accepted(d)


def test_a_theorem_without_its_condition_on_sizes_is_refused() -> None:
    d = decision(goal(lambda s: tiled(s, written, TILES, IN_TILES), lambda s: plain(s, exact)))
    assert d.lean is not None
    text = d.lean.text.replace("Eq (Nat.mod n0 16) 0", "Eq (Nat.mod n0 17) 0")
    assert not leancheck.check_text(text, d.lean.theorems, lean=Lean.choose(None)).accepted


@pytest.mark.parametrize("index", [plus(times(T, SIXTEEN), plus(J, const_int(B32, 1))), plus(times(T, const_int(B32, 15)), J), plus(T, times(J, SIXTEEN))])
def test_another_order_or_other_cells_are_not_the_plain_loop(index: Expr) -> None:
    try:
        d = decision(goal(lambda s: tiled(s, written, TILES, index), lambda s: plain(s, exact)))
    except Unpaired:
        return
    assert d.verdict != "PROVED"


def test_fused_on_one_side_is_not_equal() -> None:
    g = goal(lambda s: plain(s, written), lambda s: plain(s, exact))
    assert decision(g).verdict == "PROVED"
    assert decision(g, "h100").verdict != "PROVED"
    assert decision(goal(lambda s: plain(s, written), lambda s: plain(s, lambda t, j, acc: mk("fma_rn", *product(t, j), acc))), "h100").verdict == "PROVED"


def test_numbers_of_rounds_have_to_agree() -> None:
    with pytest.raises(Unpaired, match="number of its rounds"):
        goal(lambda s: plain(s, written, plus(K, const_int(B32, 1))), lambda s: plain(s, exact))


def test_loops_of_two_numbers_in_one_another() -> None:
    def rows(add: str, most: str) -> Callable[[Symbols], Expr]:
        def made(s: Symbols) -> Expr:
            inner = s.fold(J, N, (MID, TOP), (const(0.0), ACC), (mk(add, MID, s.read("A", plus(times(T, N), J))), mk(most, TOP, s.read("B", J))))
            return s.fold(T, K, (ACC,), (const(1.0),), (mk(add, *inner),))[0]
        return made
    d = decision(goal(rows("w_add", "w_max"), rows("add_rn", "max_num")))
    assert d.verdict == "PROVED"
    assert accepted(d)
    assert decision(goal(rows("w_add", "w_max"), rows("add_rn", "min_num"))).verdict != "PROVED"


def test_a_product_that_is_carried_is_noticed() -> None:
    def running(s: Symbols) -> Expr:
        return s.fold(J, K, (ACC, MID), (const(0.0), const(0.0)), (mk("w_add", ACC, MID), mk("w_mul", *product(s, J))))[0]
    assert carries_a_product(goal(running, running))
    assert not carries_a_product(goal(lambda s: plain(s, written), lambda s: plain(s, exact)))


@pytest.mark.parametrize(("index", "joined"), [(plus(times(T, SIXTEEN), J), True), (mk("sdiv_b32", J, const_int(B32, 2)), False)])
def test_a_tile_is_joined_only_where_its_counters_stand_together(index: Expr, joined: bool) -> None:
    s = Symbols()
    inner = s.fold(J, SIXTEEN, (MID,), (ACC,), (mk("w_add", MID, s.read("A", index)),))
    normal = Normal(s, {}, lambda c, inside: None)
    normal.values(s.fold(T, K, (ACC,), (const(0.0),), inner))
    assert bool(normal.tiles) == joined
