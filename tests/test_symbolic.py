"""Program to Stores: joins, early returns, memory; exact texts by hand, and random programs against a concrete interpreter."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest
from draw import SPECIALS, seed

from devsem import program as p
from devsem.errors import Bug, Rejected, Where
from devsem.expr import Expr, const, const_bool, const_int, fold, mk, var
from devsem.frontend.cuda import parse_kernel
from devsem.ops import B32, BOOL, F32, OPS, Sort
from devsem.program import Assign, If, Inline, Param, Program, Return, Statement, well_formed
from devsem.simplify import FALSE, TRUE, make
from devsem.symbolic import Stores, run, show

HEAD = "__global__ void k(const float* x, float* y, int n, float a) { int i = threadIdx.x; "
T = "threadIdx.x"


def stores(text: str, before: str = "") -> str:
    return show(run(parse_kernel("k.cu", f"{before}\n{HEAD}{text} }}")))


@pytest.mark.parametrize(("c", "shown"), [
    ("y[i] = a;", f"y[{T}] = a"),
    # a guard, in both styles
    ("if (i < n) y[i] = x[i];", f"x@0 = x[{T}] when slt_b32({T}, n)\ny[{T}] = x@0 when slt_b32({T}, n)"),
    ("if (i >= n) return; y[i] = x[i];", f"x@0 = x[{T}] when slt_b32({T}, n)\ny[{T}] = x@0 when slt_b32({T}, n)"),
    ("if (i < n) { y[i] = a; } else return; y[i] += 1;", f"y[{T}] = w_add(a, 1.0) when slt_b32({T}, n)"),
    # both branches write: no guard remains
    ("if (a > 0) y[i] = 1; else y[i] = 2;", f"y[{T}] = select(w_lt(0.0, a), 1.0, 2.0)"),
    ("if (a > 0) { y[i] = 1; return; } y[i] = 2;", f"y[{T}] = select(w_lt(a, 0.0), 2.0, 1.0)".replace("w_lt(a, 0.0), 2.0, 1.0", "w_lt(0.0, a), 1.0, 2.0")),
    ("y[i] = 2; if (a > 0) y[i] = 1;", f"y[{T}] = select(w_lt(0.0, a), 1.0, 2.0)"),
    # written under a condition on values: the guard says so
    ("if (a > 0) y[i] = 1;", f"y[{T}] = 1.0 when w_lt(0.0, a)"),
    ("if (a > 0) y[i] = 1; else if (a < 0) y[i] = 2;", f"y[{T}] = select(w_lt(0.0, a), 1.0, 2.0) when or(w_lt(0.0, a), w_lt(a, 0.0))"),
    # a return on one side of a nested branch
    ("float s = 0; if (a > 0) { if (a > 1) return; s = 1; } else s = 2; y[i] = s;",
     f"y[{T}] = select(w_lt(0.0, a), 1.0, 2.0) when or(not(w_lt(0.0, a)), not(w_lt(1.0, a)))"),
    # locals join; a local of a branch that returned is not asked
    ("float s; if (a > 0) s = 1; else s = a; y[i] = s;", f"y[{T}] = select(w_lt(0.0, a), 1.0, a)"),
    ("float s; if (a > 0) return; else s = a; y[i] = s;", f"y[{T}] = a when not(w_lt(0.0, a))"),
    ("bool b = a > 0; if (a < 1) b = n < 3; y[i] = b ? a : 0;", f"y[{T}] = select(select_bool(w_lt(a, 1.0), slt_b32(n, 3), w_lt(0.0, a)), a, 0.0)"),
    ("int j = i; if (a > 0) { j = n; return; } y[j] = a;", f"y[{T}] = a when not(w_lt(0.0, a))"),
    # memory
    ("y[i] = x[i] + x[i];", f"x@0 = x[{T}]\ny[{T}] = w_add(x@0, x@0)"),
    ("y[i] += a; y[i] *= y[i];", f"y@0 = y[{T}]\ny[{T}] = w_mul(w_add(y@0, a), w_add(y@0, a))"),
    ("if (a > 0) y[i] = 1; y[i] += 2;", f"y@0 = y[{T}] when not(w_lt(0.0, a))\ny[{T}] = w_add(select(w_lt(0.0, a), 1.0, y@0), 2.0)"),
    ("y[i] = a > 0 ? x[i] : 0.0f; if (i < n) y[i] += x[i];",
     f"x@0 = x[{T}] when or(w_lt(0.0, a), slt_b32({T}, n))\n"
     f"y[{T}] = select(slt_b32({T}, n), w_add(select(w_lt(0.0, a), x@0, 0.0), x@0), select(w_lt(0.0, a), x@0, 0.0))"),
    ("y[0] = x[1]; y[1] = x[1];", "x@0 = x[1]\ny[0] = x@0\ny[1] = x@0"),
    ("int j = i; y[j + 0] = a; size_t l = i; y[l] = y[j];", f"y[{T}] = a"),
    ("y[i + 1 - 1] = a;", f"y[sub_b32(add_b32({T}, 1), 1)] = a"),
    # an unwritten buffer, nothing at all, and dead code
    ("float v = x[i];", f"x@0 = x[{T}]"),
    ("", ""),
    ("return; y[i] = a;", ""),
    ("if (a != a && a == a) return; if (false) y[i] = 1;", ""),
    # constants meet in a variable
    ("float c = 2.0f; c *= 3; y[i] = c * a;", f"y[{T}] = w_mul(6.0, a)"),
    ("float c = 1e-40f; y[i] = c * 0.5f;", f"y[{T}] = w_mul(1e-40, 0.5)"),
    ("float c = 0; y[i] = c / c;", f"y[{T}] = w_div(0.0, 0.0)"),
])
def test_stores(c: str, shown: str) -> None:
    assert stores(c) == shown


def test_inlined_functions_return_their_own_way() -> None:
    before = """__device__ float clip(float v) { if (v < 0) return 0; if (v > 1) { v = 1; } return v; }
    __device__ float odd(float v) { if (v > 0) { if (v > 1) return 1; v = -v; } return v; }"""
    assert stores("y[i] = clip(a);", before) == f"y[{T}] = select(w_lt(a, 0.0), 0.0, select(w_lt(1.0, a), 1.0, a))"
    assert stores("y[i] = odd(a);", before) == (
        f"y[{T}] = select(or(not(w_lt(0.0, a)), not(w_lt(1.0, a))), select(w_lt(0.0, a), w_neg(a), a), 1.0)")


def test_a_return_of_an_inlined_function_does_not_end_the_thread() -> None:
    before = "__device__ void nothing(float v) { if (v > 0) return; v = 1; }"
    assert stores("nothing(a); y[i] = a;", before) == f"y[{T}] = a"


@pytest.mark.parametrize(("c", "codes"), [
    ("float r; if (i < n) r = 1; y[i] = r;", ["cuda.uninitialized"]),
    ("float r, s; y[i] = r; y[i] = s;", ["cuda.uninitialized"] * 2),
    ("int j = i; if (a > 0) j = 0; y[j] = a;", ["cuda.integer_select"]),
    ("y[i] = y[i + 1];", ["cuda.alias"]),
    ("y[i + 1] = a; if (a > 0) y[i] += 1;", ["cuda.alias"]),
])
def test_refused(c: str, codes: list[str]) -> None:
    with pytest.raises(Rejected) as caught:
        stores(c)
    assert [r.code for r in caught.value.rejections] == codes


@pytest.mark.parametrize(("program", "what"), [
    (Program("k", (Param("y", "float*"), Param("y", "int")), ()), "two parameters"),
    (Program("k", (), (Assign(var("v", F32), const_int(B32, 1)),)), "malformed Assign"),
    (Program("k", (Param("v", "int"),), (Assign(var("v", F32), const(1.0)),)), "two sorts"),
    (Program("k", (), (If(const_bool(True), (Return(const(1.0)),)),)), "wrong sort"),
    (Program("k", (), (Inline("f", var("r", F32), (If(TRUE, (Return(const(1.0)),)),)),)), "malformed Inline"),
    (Program("k", (Param("x", "const float*"),), (p.Store("x", const_int(B32, 0), const(1.0)),)), "malformed Store"),
    (Program("k", (), (p.Load(var("x@0", F32), "x", const_int(B32, 0)),)), "malformed Load"),
    (Program("k", (), (Inline("f", None, (Assign(var("v", F32), const(1.0)),)), Assign(var("w", F32), var("v", F32)))), "another function"),
    (Program("k", (), (Assign(var("v", F32), mk("D.expf", const(1.0))),)), "no written operation"),
])
def test_a_malformed_program_is_our_bug(program: Program, what: str) -> None:
    with pytest.raises(Bug, match=what):
        well_formed(program)


# --- every simplification, on every assignment of its variables

B = [var(name, BOOL) for name in "bcd"]


@pytest.mark.parametrize("rows", [
    (mk("not", B[0]), TRUE), (mk("not", mk("not", B[0])), B[0]), (B[0], B[0]), (B[0], FALSE), (B[0], mk("not", B[0])), (B[0], B[1]),
])
def test_truth_tables(rows: tuple[Expr, Expr]) -> None:
    for name in ("and", "or", "select_bool", "not"):
        for args in ((rows, rows[::-1]) if name in ("and", "or") else ((rows[0],), (rows[1],)) if name == "not" else
                     [(c, x, y) for c in rows for x in (*rows, B[2]) for y in (*rows, B[2])]):
            for n in range(8):
                env: dict[Expr, int] = {b: n >> i & 1 for i, b in enumerate(B)}
                assert concrete(make(name, *args), env) == concrete(mk(name, *args), env)


@pytest.mark.parametrize("name", ["slt_b32", "sle_b32", "ult_b32", "ule_b32"])
def test_negated_comparisons(name: str) -> None:
    u, v = var("u", B32), var("v", B32)
    for a in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        for b in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
            assert concrete(make("not", make(name, u, v)), {u: a, v: b}) == 1 - concrete(mk(name, u, v), {u: a, v: b})


# --- random programs

DTYPE = {F32: np.uint32, BOOL: np.bool_, B32: np.uint32, "B64": np.uint64}
EXACT = {"w_add": "add_rn", "w_sub": "sub_rn", "w_mul": "mul_rn", "w_lt": "lt", "w_eq": "eq", "w_neg": "neg"}
I, NUM = var(T, B32), var("n", B32)
Scope = tuple[list[Expr], list[Expr]]
OUTER: Scope = ([var(n, F32) for n in ("f0", "f1")], [var(n, BOOL) for n in ("b0", "b1")])
CELLS = [const_int(B32, 0), const_int(B32, 1), I]


def concrete(e: Expr, env: dict[Expr, int]) -> int:
    """The value of an expression on one assignment."""
    def at(node: Expr, args: tuple[np.ndarray, ...]) -> np.ndarray:
        if not node.args:
            return np.array(node.value if node.is_const else env[node], dtype=DTYPE[node.sort])
        evaluate = OPS[EXACT.get(node.op, node.op)].eval
        assert evaluate is not None
        return np.asarray(evaluate(*args))
    return int(fold((e,), at)[e].item())


class Ended(Exception):
    """A Return, with its value."""


def interpret(body: tuple[Statement, ...], env: dict[Expr, int], memory: dict[int, int]) -> None:
    """One thread on concrete numbers, statement by statement; the only buffer is y."""
    for s in body:
        match s:
            case p.Assign():
                env[s.variable] = concrete(s.value, env)
            case p.Load():
                env[s.variable] = memory[concrete(s.index, env)]
            case p.Store():
                memory[concrete(s.index, env)] = concrete(s.value, env)
            case p.If():
                interpret(s.then if concrete(s.condition, env) else s.other, env, memory)
            case p.Return():
                raise Ended(None if s.value is None else concrete(s.value, env))
            case p.Inline():
                try:
                    interpret(s.body, env, memory)
                except Ended as e:
                    if s.variable is not None:
                        env[s.variable] = e.args[0]


def draw_expr(rng: random.Random, sort: Sort, depth: int, scope: Scope) -> Expr:
    def below(s: Sort) -> Expr:
        return draw_expr(rng, s, depth - 1, scope)
    if sort == BOOL:
        if depth == 0 or rng.random() < 0.2:
            return rng.choice([*scope[1], mk("slt_b32", I, NUM)])
        if rng.random() < 0.5:
            return make(rng.choice(("w_lt", "w_eq")), below(F32), below(F32))
        return make(rng.choice(("and", "or")), below(BOOL), make("not", below(BOOL)))
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([*scope[0], const(1.0), const(-0.5)])
    if rng.random() < 0.3:
        return make("select", below(BOOL), below(F32), below(F32))
    return make(rng.choice(("w_add", "w_sub", "w_mul")), below(F32), below(F32))


def draw_inline(rng: random.Random, depth: int, cell: Expr, scope: Scope) -> Inline:
    """A call whose body has a float and a truth value of its own, and returns a float."""
    number = rng.getrandbits(40)
    own: Scope = ([var(f"g{number}", F32)], [var(f"c{number}", BOOL)])
    start = (Assign(own[0][0], draw_expr(rng, F32, 1, scope)), Assign(own[1][0], draw_expr(rng, BOOL, 1, scope)))
    end = Return(draw_expr(rng, F32, 1, own))
    return Inline("f", rng.choice(scope[0]), (*start, *draw_body(rng, depth, True, cell, own), end))


def draw_body(rng: random.Random, depth: int, inline: bool, cell: Expr, scope: Scope) -> tuple[Statement, ...]:
    """Statements over a scope's floats and truth values and one cell of y; an inlined body returns a float."""
    out: list[Statement] = []
    for _ in range(rng.randint(1, 4)):
        roll = rng.random()
        if roll < 0.2:
            out.append(Assign(rng.choice(scope[0]), draw_expr(rng, F32, 2, scope)))
        elif roll < 0.3:
            out.append(Assign(rng.choice(scope[1]), draw_expr(rng, BOOL, 2, scope)))
        elif roll < 0.45:
            out.append(p.Store("y", cell, draw_expr(rng, F32, 2, scope)))
        elif roll < 0.6:
            out.append(p.Load(rng.choice(scope[0]), "y", cell))
        elif roll < 0.7:
            out.append(Return(draw_expr(rng, F32, 1, scope) if inline else None))
        elif depth > 0 and roll < 0.9:
            out.append(If(draw_expr(rng, BOOL, 2, scope), *(draw_body(rng, depth - 1, inline, cell, scope) for _ in range(2))))
        elif depth > 0:
            out.append(draw_inline(rng, depth - 1, cell, scope))
    return tuple(out)


def final(s: Stores, env: dict[Expr, int], memory: dict[int, int]) -> dict[int, int]:
    """Memory after the thread, by its loads and stores; a load whose guard is false must not matter."""
    before, after = dict(env), dict(memory)
    for load in s.loads:
        before[load.variable] = memory[concrete(load.index, env)]
        if not concrete(load.guard, before):
            before[load.variable] = 0x12345678
    for store in s.stores:
        if concrete(store.guard, before):
            after[concrete(store.index, before)] = concrete(store.value, before)
    return after


def test_random_programs_agree_with_an_interpreter() -> None:
    rng = random.Random(seed())
    for _ in range(150):
        cell = rng.choice(CELLS)
        start = (*(Assign(v, const(rng.choice((0.0, 2.0)))) for v in OUTER[0]), *(Assign(v, mk("w_lt", var("a", F32), const(1.0))) for v in OUTER[1]))
        params = (Param("y", "float*"), Param("n", "int"), Param("a", "float"))
        program = well_formed(Program("k", params, (*start, *draw_body(rng, 3, False, cell, OUTER))))
        s = run(program)
        assert len({(x.buffer, x.index) for x in s.stores}) == len(s.stores)
        for _ in range(6):
            a = int(rng.choice(SPECIALS))
            env = {I: rng.randint(0, 1), NUM: rng.randint(0, 2), var("a", F32): 0x7FFFFFFF if a & 0x7FFFFFFF > 0x7F800000 else a}
            memory = {0: 0x40400000, 1: 0xC0A00000}
            expected = dict(memory)
            with suppress(Ended):
                interpret(program.body, dict(env), expected)
            assert final(s, env, memory) == expected, p.show(program)


def test_where_a_store_stands() -> None:
    s = run(parse_kernel("dir/k.cu", HEAD + "\n  y[i] = x[i]; }"))
    assert s.stores[0].where == Where("dir/k.cu", 2, 3)
    assert s.loads[0].where == Where("dir/k.cu", 2, 10)
