"""The text that goes to bitwuzla, its answers as bit patterns, and its limits."""

from __future__ import annotations

import time

import numpy as np
import pytest

from devsem.evaluate import DTYPE, evaluate
from devsem.expr import Expr, bits, const, const_bool, const_int, mk, var
from devsem.ops import B32, B64, BOOL, F32, OPS
from devsem.smt import Sat, Unknown, Unsat, check_sat, to_smt

X, Y, Z = var("x@0", F32), var("y", F32), var("z", F32)


def test_shared_nodes_are_written_once() -> None:
    e = X
    for _ in range(500):
        e = mk("add_rn", e, e)
    text = to_smt([mk("lt", e, X)])
    assert text.count("fp.add") == 500 and text.count("\n") == 500 + 4      # logic, variable, 500 sums, comparison, assertion


def test_text() -> None:
    assert to_smt([mk("lt", mk("D.expf", X), const(1.0))]) == """(set-logic ALL)
(declare-const |var x@0| (_ FloatingPoint 8 24))
(declare-fun |D.expf| ((_ FloatingPoint 8 24)) (_ FloatingPoint 8 24))
(define-fun n!1 () (_ FloatingPoint 8 24) (|D.expf| |var x@0|))
(define-fun n!3 () Bool (fp.lt n!1 (fp #b0 #b01111111 #b00000000000000000000000)))
(assert n!3)
"""


@pytest.mark.parametrize("name", ["n!1", "fp.add", "true", "let", "blockIdx.x"])
def test_a_variable_may_have_any_name(name: str) -> None:
    x = var(name, F32)
    assert isinstance(check_sat([mk("lt", mk("neg", x), x)], 5), Sat)


def test_models_are_patterns() -> None:
    i, k, p = var("i", B32), var("k", B64), var("p", BOOL)
    answer = check_sat([mk("ieq_b32", i, const_int(B32, -2)), mk("ieq_b64", k, mk("sext", i)), mk("not", p), mk("is_nan", X), mk("eq", Y, const(-0.5))], 5)
    assert isinstance(answer, Sat)
    assert answer.model == {i: 0xFFFFFFFE, k: 0xFFFFFFFFFFFFFFFE, p: 0, X: 0x7FC00000, Y: 0xBF000000}


def test_wrap_around_is_found() -> None:
    i = var("i", B32)
    answer = check_sat([mk("slt_b32", mk("add_b32", i, const_int(B32, 1)), i)], 5)
    assert isinstance(answer, Sat) and answer.model == {i: 0x7FFFFFFF}


def test_distinct_is_bits_with_nans_as_one() -> None:
    assert isinstance(check_sat([mk("is_nan", X), mk("is_nan", Y)], 5, [(X, Y)]), Unsat)
    zeros = check_sat([mk("eq", X, Y)], 5, [(X, Y)])
    assert isinstance(zeros, Sat) and set(zeros.model.values()) == {0, 0x80000000}
    assert isinstance(check_sat([], 5, [(X, X)]), Unsat)


def test_obligations_are_functions_and_nothing_more() -> None:
    assert isinstance(check_sat([mk("ieq_b32", const_int(B32, 1), const_int(B32, 1))], 5, [(mk("D.expf", X), mk("D.expf", X))]), Unsat)
    assert isinstance(check_sat([mk("lt", mk("S.expf", X), const(-1.0))], 5), Sat)
    assert isinstance(check_sat([mk("eq", X, Y), mk("lt", const(0.0), X)], 5, [(mk("D.expf", X), mk("D.expf", Y))]), Unsat)


def _random_leaf(sort: str, rng: np.random.Generator) -> Expr:
    if sort == BOOL:
        return const_bool(bool(rng.integers(0, 2)))
    if sort == F32:
        special = (0, 0x80000000, 1, 0x7FFFFF, 0x800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0x7F7FFFFF, 0x3FC00000, 0xC0200000)
        return bits(int(rng.choice(special)) if rng.integers(0, 2) else int(rng.integers(0, 1 << 32)))
    value = int(rng.integers(0, 1 << 32)) * (1 if sort == B32 else 0x100000001)
    return const_int(B32 if sort == B32 else B64, value)


EXACT = [op for op in OPS.values() if op.kind == "exact"]


@pytest.mark.parametrize("op", EXACT, ids=lambda op: op.name)
def test_every_exact_row_means_the_same_to_bitwuzla_and_to_the_evaluator(op) -> None:  # type: ignore[no-untyped-def]
    seed = 11
    rng = np.random.default_rng(seed)
    wrong = []
    for _ in range(30):
        node = mk(op.name, *(_random_leaf(s, rng) for s in op.args))
        value = int(evaluate([node], {})[0][0])
        same = {F32: bits, BOOL: lambda v: const_bool(bool(v)), B32: lambda v: const_int(B32, v), B64: lambda v: const_int(B64, v)}[op.out](value)
        if not isinstance(check_sat([], 10, [(node, same)]), Unsat):
            wrong.append((node, hex(value)))
    assert wrong == [], f"seed {seed}"


def test_the_time_limit_holds() -> None:
    pool = [X, Y, Z]
    rng = np.random.default_rng(3)
    for _ in range(150):
        a, b = (pool[-1 - int(rng.integers(0, 3))] for _ in range(2))
        pool.append(mk(str(rng.choice(["div_rn", "mul_rn", "add_rn", "sub_rn"])), a, mk("add_rn", b, X)))
    conditions = [mk("lt", pool[-1], pool[-2]), mk("lt", pool[-3], pool[-1]), mk("lt", const(1.0), pool[-4]), mk("lt", pool[-5], const(1.5)),
                  mk("lt", pool[-9], pool[-5])]
    started = time.process_time(), time.monotonic()
    answer = check_sat(conditions, 0.5)
    assert isinstance(answer, Unknown) and "0.5 s" in answer.reason
    assert time.process_time() - started[0] < 3 and time.monotonic() - started[1] < 30    # the second is for a machine that does other work
    assert isinstance(check_sat(conditions, 0), Unknown)


def test_written_operations_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="w_add"):
        to_smt([mk("lt", mk("w_add", X, Y), Y)])


def test_dtypes_cover_every_sort() -> None:
    assert set(DTYPE) == {F32, BOOL, B32, B64}
