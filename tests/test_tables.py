"""The tables in Python and the definitions and theorems in Lean say the same: Lean elaborates a line for each row, and names the bad ones.

Rows of operations against FloatLib's constants; rows of lemmas against its theorems, both ways; and FloatLib's own order: definitions
apart from theorems, nothing assumed, nothing left out.
"""

from __future__ import annotations

from functools import cache

import pytest
from asklean import answers, refusals, theorems

from devsem import leanlib, leanprint, leantext
from devsem.expr import Expr, mk, var
from devsem.lemmas import COMMUTE, LEMMAS, Lemma
from devsem.ops import DIRECTED, OPS, Op
from devsem.term import Claim

pytestmark = pytest.mark.lean

EVERYTHING = ("FloatLib.Pool", "FloatLib.Profile", "FloatLib.Libm")

# Commutative rows that the prover does not swap, and why Lean has them commutative. `eq_u` is rewritten away.
OTHER_COMMUTE = {
    "eq_u": "fun a b => congrArg2 Bool.or (Bool.or_comm _ _) (Fp.eq_comm a b)",
    **{f"{name}_{mode}": f"Fp.{name}_comm" for name in ("add", "mul", "fma") for mode in DIRECTED},
    **{row: f"{OPS[row].lean}_comm" for row in ("and", "or", "xor", "add_b32", "mul_b32", "add_b64", "mul_b64")},
}

# Theorems about operations on floats that are no lemmas of the prover, and why.
INTERNAL = {
    "Fp.same_self": "it closes a verdict whose two sides are one term", "F32.eq_of_same": "it turns a verdict's test into an equation",
    "Fp.neg_cond": "the prover decides choices instead", "Fp.posZero_cond": "the prover decides choices instead",
    "Fp.posZero_of_notZero": "the registered lemmas ask `isNonzero`, or an order, instead of `isZero`", "Fp.isNonzero_false_of_isZero": "it joins those two",
    "F32.ofBits_toBits": "no front end writes the pattern of a number yet",
    "F32.isZero_eq": "no front end asks it; the lemmas compare with zero", "Fp.isZero_of_isNonzero": "the lemmas ask `isNonzero`",
    "Fp.isNonzero_of_notZero": "a step of proofs", "F32.isNan_mul_neg": "a step of proofs", "Fp.add_le_finite": "a step of `F32.add_le_of_le`",
    "Fp.isNan_add_eq": "`F32.isNan_add_eq` says it with comparisons", "Fp.isNan_add_neg_neg": "a step of proofs", "Fp.isNan_cond_of_notNan": "a step of proofs",
    "Fp.isNan_add_of_sign": "a step of proofs", "Fp.isFinite_of_add_neg": "a step of `F32.add_ne_negZero`",
    **dict.fromkeys(("F32.isInf_of_above", "F32.isInf_of_below", "F32.isInf_of_isFinite", "F32.le_low", "F32.le_high", "F32.notNan_fma", "F32.fma_low",
                     "F32.fma_high", "F32.notNan_of_signs"), "a step of the proofs in Between.lean"),
    "Fp.eq_eq_and": "the order lemmas about `eq` come from it", "Fp.mul_neg_neg": "two applications of registered lemmas",
}

# What a statement over operations may mention: Lean's own words, floats and their constants, and the tests of `closed`.
VOCABULARY = {"Eq", "F32", "Fp", "Format", "Mode", "Bool", "true", "false", "Mode.rn", "Format.binary32", "F32.ofBits", "Fp.nan"}
CLOSED_TESTS = {test for lemma in LEMMAS.values() for test, _ in lemma.closed}

# Outside Lemmas/ and Examples/: the logic of equality, which has no definitions to be apart from; what the elaborator looks up for
# pattern matching; and the two facts without which a rounded result is no value.
THEOREMS_AMONG_DEFINITIONS = {
    "FloatLib.Base.Logic": {"rfl", "Eq.subst", "Eq.symm", "Eq.trans", "Eq.mp", "Eq.mpr", "congrArg", "congrFun", "congr", "congrArg2", "congrArg3", "congrArg4",
                            "eq_of_heq", "heq_of_eq", "Or.elim", "Exists.elim", "Eq.step", "Eq.done"},
    "FloatLib.Base.Decide": {"Bool.false_ne_true", "Nat.eq_of_beq", "Nat.beq_self", "noConfusion_of_Nat"},
    "FloatLib.Float.Value": {"Fp.ble_self"},
    "FloatLib.Float.Round": {"Fp.min_le"},
}


# --- operations


def arguments(op: Op) -> tuple[Expr, ...]:
    """A variable for each argument."""
    return tuple(var(f"a{i}", sort) for i, sort in enumerate(op.args))


def elaborated(op: Op) -> str:
    """An `example` that is accepted if the row's constant, printed as verdicts print it, has the row's sorts."""
    variables = arguments(op)
    arrows = " → ".join(leanprint.TYPES[sort] for sort in (*op.args, op.out))
    names = " ".join(v.name for v in variables)
    value = leanprint.text(mk(op.name, *variables), {v: v.name for v in variables})
    return f"example : Profile → Libm → Libm → {arrows} := fun P D S {names} => {value}"


def test_every_row_has_its_constant() -> None:
    bad = refusals([elaborated(op) for op in OPS.values()], modules=EVERYTHING)
    assert {list(OPS)[i]: message for i, message in bad.items()} == {}


def test_a_missing_constant_and_a_wrong_sort_are_named() -> None:
    missing = Op(name="add_rn", args=("F32", "F32"), out="F32", lean="Fp.addd .rn")
    mistyped = Op(name="lt", args=("F32", "F32"), out="F32", lean="Fp.lt")
    lines = [elaborated(OPS["add_rn"]), elaborated(missing).replace(OPS["add_rn"].lean, missing.lean), elaborated(mistyped), elaborated(OPS["D.expf"])]
    assert refusals(lines, modules=EVERYTHING).keys() == {1, 2}


def test_every_obligation_is_a_field_of_the_record() -> None:
    fields = {op.lean.split()[0] for op in OPS.values() if op.kind == "obligation"}
    assert all(op.lean.split()[1] == op.name[0] and op.lean == f"Libm.{op.name[2:]} {op.name[0]}" for op in OPS.values() if op.kind == "obligation")
    (shown,) = answers(["#print Libm"], modules=EVERYTHING)
    declared = {f"{line.split()[0]}" for line in shown[0].message.partition("fields:")[2].partition("constructor:")[0].splitlines() if line.strip()}
    assert fields == declared, "the record has a field that no row names, or the other way round"


def commutation(op: Op) -> str:
    """An `example` that the row commutes in its first two arguments, by its lemma."""
    a, b, *rest = arguments(op)
    names = {v: v.name for v in (a, b, *rest)}
    binders = " ".join(f"({v.name} : {leanprint.TYPES[v.sort]})" for v in (a, b, *rest))
    reason = COMMUTE[op.name].lean if op.name in COMMUTE else OTHER_COMMUTE[op.name]
    return f"example : ∀ {binders}, {leanprint.claim(Claim(mk(op.name, a, b, *rest), mk(op.name, b, a, *rest)), names)} := {reason}"


def test_every_commutative_row_commutes() -> None:
    rows = [op for op in OPS.values() if "comm" in op.laws]
    assert {op.name for op in rows} == COMMUTE.keys() | OTHER_COMMUTE.keys() and not COMMUTE.keys() & OTHER_COMMUTE.keys()
    bad = refusals([commutation(op) for op in rows])
    assert {rows[i].name: message for i, message in bad.items()} == {}


# --- lemmas


def statement(lemma: Lemma) -> str:
    """A lemma's statement in Lean, from its row."""
    names = {v: v.name for v in lemma.variables}
    binders = [f"({v.name} : {leanprint.TYPES[v.sort]})" for v in lemma.variables]
    binders += [f"(h{i} : {leanprint.claim(Claim(*pair), names)})" for i, pair in enumerate(lemma.given)]
    binders += [f"(k{i} : Eq ({test} {' '.join(leanprint.text(a, names) for a in args)}) true)" for i, (test, args) in enumerate(lemma.closed)]
    return f"∀ {' '.join(binders)}, {leanprint.claim(Claim(lemma.lhs, lemma.rhs), names)}"


def test_every_lemma_is_its_theorem() -> None:
    lemmas = list(LEMMAS.values())
    bad = refusals([f"example : {statement(lemma)} := {lemma.lean}" for lemma in lemmas])
    assert {lemmas[i].lean: message for i, message in bad.items()} == {}
    assert {name for name in LEMMAS if not theorems().get(name, "").startswith("FloatLib.Lemmas.")} == set()


def test_a_wrong_statement_is_refused() -> None:
    lemmas = list(LEMMAS.values())
    swapped = [f"example : {statement(lemma)} := {other.lean}" for lemma, other in zip(lemmas, lemmas[1:] + lemmas[:1], strict=True)]
    assert len(refusals(swapped)) == len(swapped)


@cache
def pool() -> set[str]:
    """The modules that FloatLib.Pool reaches."""
    root, found, todo = leanlib.sources(), set(), ["FloatLib.Pool"]
    files = leanlib.modules(root)
    while todo:
        module = todo.pop()
        if module not in found:
            found.add(module)
            todo += leanlib.imports(root / files[module], files)
    return found


def over_operations(shown: str) -> bool:
    """Whether a statement, as Lean prints it, mentions a float operation and nothing but operations, constants and logic."""
    operations = {op.lean.split()[0] for op in OPS.values() if op.kind == "exact"} | CLOSED_TESTS
    words = {t.text for t in leantext.tokens(shown.replace("@", "")) if t.is_word}
    constants = {w for w in words if "." in w or w[0].isupper() or w in operations | VOCABULARY}
    return constants <= operations | VOCABULARY and any(w in operations and w.startswith("Fp.") for w in constants)


def test_every_theorem_over_operations_is_a_lemma() -> None:
    names = sorted(name for name, module in theorems().items() if module in pool() and module.startswith("FloatLib.Lemmas."))
    said = answers([f"#check @{name}" for name in names])
    shown = {name: row[0].message.partition(" : ")[2] for name, row in zip(names, said, strict=True) if len(row) == 1}
    assert shown.keys() == set(names) and not any("failed" in text or "⋯" in text for text in shown.values())
    found = {name for name in names if over_operations(shown[name])}
    assert found - LEMMAS.keys() == INTERNAL.keys()
    assert LEMMAS.keys() - found == set()


# --- FloatLib


def test_no_declaration_depends_on_an_axiom() -> None:
    names, modules = sorted(theorems()), list(leanlib.modules(leanlib.sources()))
    said = answers([f"#print axioms _root_.{name}" for name in names], modules=modules)
    assert {n: row for n, row in zip(names, said, strict=True) if [d.message for d in row] != [f"'{n}' does not depend on any axioms"]} == {}


@cache
def words(module: str) -> list[str]:
    """A module's tokens, comments aside."""
    root = leanlib.sources()
    return [t.text for t in leantext.tokens(leanlib.text(root / leanlib.modules(root)[module]))]


def test_definitions_are_apart_from_theorems() -> None:
    found: dict[str, set[str]] = {}
    for name, module in theorems().items():
        if not module.startswith(("FloatLib.Lemmas.", "FloatLib.Examples.")):
            found.setdefault(module, set()).add(name)
    assert found == THEOREMS_AMONG_DEFINITIONS
    defining = {"def", "abbrev", "instance", "structure", "inductive", "class", "opaque"}
    assert {m: defining & set(words(m)) for m in leanlib.modules(leanlib.sources()) if m.startswith("FloatLib.Lemmas.") and defining & set(words(m))} == {}


def test_nothing_is_assumed_and_nothing_left_out() -> None:
    marks = []
    for module in leanlib.modules(leanlib.sources()):
        row = words(module)
        assert not {"sorry", "admit", "native_decide", "implemented_by", "extern", "csimp"} & set(row), module
        marks += [(module, row[i - 1], row[i + 1]) for i, word in enumerate(row) if word == "axiom"]
    assert marks == [("FloatLib.Base.Logic", "unsafe", name) for name in ("lcErased", "lcAny", "lcVoid")]
