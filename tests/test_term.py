"""Proofs as data: what is pruned, and which reasons are written inside others."""

from __future__ import annotations

from devsem import leanprint
from devsem.expr import Expr, mk, var
from devsem.term import INLINE, Block, Claim, Done, Function, Reason, Split, Step, Use, heads, inline, prune, size

X, Y = var("x", "F32"), var("y", "F32")
CLAIM = Claim(X, Y)
NAMES: dict[Expr, str] = {X: "x", Y: "y"}


def step(name: str, head: str, *args: Expr | Use | Function | str) -> Step:
    return Step(name, CLAIM, Reason(head, args))  # type: ignore[arg-type]


def written(*steps: Step, end: str) -> list[str]:
    return [line.strip() for line in leanprint.block(inline(Block(CLAIM, steps, Done(end))), NAMES)]


def test_a_reason_used_once_stands_where_it_is_used() -> None:
    assert written(step("h1", "Fp.add_comm", X, Y), step("h2", "congrArg2", Function("mul_rn"), "rfl", Use("h1")),
                   step("h3", "Eq.trans", Use("h2"), Use("given")), end="h3") == [
        "have h3 : Eq x y := Eq.trans (congrArg2 (Fp.mul .rn) rfl (Fp.add_comm x y)) given", "h3"]


def test_a_reason_used_twice_keeps_its_claim() -> None:
    steps = step("h1", "Fp.add_comm", X, Y), step("h2", "Eq.trans", Use("h1"), Use("h1"))
    assert written(*steps, end="h2") == ["have h1 : Eq x y := Fp.add_comm x y", "have h2 : Eq x y := Eq.trans h1 h1", "h2"]


def test_what_lean_must_compute_keeps_its_claim() -> None:
    steps = step("h1", "Fp.div_eq_mul", X, "rfl"), step("h2", "rfl"), step("h3", "Eq.trans", Use("h1"), Use("h2"))
    assert written(*steps, end="h3")[:2] == ["have h1 : Eq x y := Fp.div_eq_mul x rfl", "have h2 : Eq x y := rfl"]


def test_a_step_used_inside_a_branch_only_stays_outside() -> None:
    inner = Block(CLAIM, (step("h2", "Eq.symm", Use("h1")),), Done("h2"))
    whole = Block(CLAIM, (step("h1", "Fp.add_comm", X, Y),), Split("Bool.byCases", (mk("is_nan", X),), (("c", CLAIM, inner),)))
    assert inline(whole) == whole
    nested = Block(CLAIM, (step("h1", "Fp.add_comm", X, Y), Step("h3", CLAIM, inner)), Done("h3"))
    assert inline(nested) == nested


def test_a_long_chain_is_cut() -> None:
    chain = [step("h0", "Fp.add_comm", X, Y), *(step(f"h{i}", "Eq.symm", Use(f"h{i - 1}")) for i in range(1, 40))]
    found = inline(Block(CLAIM, tuple(chain), Done("h39")))
    assert size(found) == 40 // INLINE
    assert [str(s.reason).count("Reason(") for s in found.steps] == [INLINE] * (40 // INLINE)  # type: ignore[union-attr]


def test_the_lemmas_of_a_nested_reason_are_heads() -> None:
    found = inline(Block(CLAIM, (step("h1", "Fp.add_comm", X, Y), step("h2", "Eq.symm", Use("h1"))), Done("h2"))).steps[0].reason
    assert isinstance(found, Reason) and heads(found) == {"Eq.symm", "Fp.add_comm"}
    assert list(leanprint.expressions(Block(CLAIM, (Step("h2", CLAIM, found),), Done("h2")))) == [X, Y, X, Y]


def test_pruning_keeps_what_a_branch_needs() -> None:
    inner = Block(CLAIM, (step("h9", "Eq.symm", Use("h1")),), Done("h9"))
    whole = Block(CLAIM, (step("h1", "Fp.add_comm", X, Y), step("h2", "Fp.mul_comm", X, Y)), Split("Bool.byCases", (), (("c", CLAIM, inner),)))
    assert [s.name for s in prune(whole).steps] == ["h1"]
