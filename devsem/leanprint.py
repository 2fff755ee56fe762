"""Expressions and proofs as Lean text. With `leanfile.py` and `leangrid.py` the only place that writes Lean.

Names from a kernel or a spec never reach the text: variables are printed by the names that the caller gives. A sub-term that
occurs often is printed once, as a definition of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from devsem.errors import Bug
from devsem.expr import Expr, fold, topo
from devsem.ops import B32, B64, BOOL, F32, OPS
from devsem.term import Absurd, AnyOf, Argument, Block, Claim, Done, Function, Reason, Split, Step, Use

TYPES = {F32: "F32", BOOL: "Bool", B32: "Nat", B64: "Nat"}
SHORT, LONG = 12, 48  # characters, roughly: of a leaf; a shorter sub-term is not worth a name


def constant(e: Expr) -> str:
    """A constant as Lean text."""
    if e.sort == BOOL:
        return "true" if e.value else "false"
    if e.sort == F32:
        return "(@Fp.nan Format.binary32)" if e.value == 0x7FFFFFFF else f"(F32.ofBits {e.value:#010x})"
    return str(e.value)


def apply(e: Expr, args: Sequence[str]) -> str:
    """One operation on printed arguments. `Libm.f D` and `Profile.f P` rows need D, S and P in scope."""
    return f"({OPS[e.op].lean} {' '.join(args)})"


def text(root: Expr, names: Mapping[Expr, str]) -> str:
    """An expression; `names` gives a text for each variable and for any sub-term that has a name."""
    def one(node: Expr, args: tuple[str, ...]) -> str:
        if node in names:
            return names[node]
        if node.is_var:
            raise Bug(f"variable {node.name} has no name in the Lean text")
        return constant(node) if node.is_const else apply(node, args)
    return fold((root,), one)[root]


@dataclass(frozen=True)
class Scheme:
    """How definitions for shared sub-terms are written: `def PREFIX0 BINDERS : …`, used as `(PREFIX0 ARGUMENTS)`."""

    prefix: str
    binders: str
    arguments: str


def shared(roots: Sequence[Expr], names: Mapping[Expr, str], scheme: Scheme, wanted: Collection[Expr] = ()) -> tuple[list[str], dict[Expr, str]]:
    """A definition for each sub-term that occurs more than once and is long, or is wanted; and the names extended by theirs."""
    order = topo(*roots)
    uses = Counter(a for node in order for a in node.args)
    uses.update(roots)
    known: dict[Expr, str] = dict(names)
    lines: list[str] = []
    length: dict[Expr, int] = {}
    for node in order:
        length[node] = SHORT if node in known or not node.args else SHORT + sum(length[a] for a in node.args)
        if node.args and node not in known and (node in wanted or (uses[node] > 1 and length[node] > LONG)):
            name = f"{scheme.prefix}{len(lines) // 2}"
            lines += ["/-- A shared part. -/", f"def {name} {scheme.binders} : {TYPES[node.sort]} := {text(node, known)}"]
            known[node] = f"({name} {scheme.arguments})".replace(" )", ")")
            length[node] = SHORT
    return lines, known


def claim(c: Claim, names: Mapping[Expr, str]) -> str:
    """An equation."""
    return f"Eq {text(c.lhs, names)} {text(c.rhs, names)}"


def _argument(a: Argument, names: Mapping[Expr, str]) -> str:
    if isinstance(a, Expr):
        return text(a, names)
    if isinstance(a, Use):
        return a.name
    if isinstance(a, Function):
        return f"({OPS[a.op].lean})" if " " in OPS[a.op].lean else OPS[a.op].lean
    if isinstance(a, Reason):
        return f"({reason(a, names)})"
    return a


def reason(r: Reason, names: Mapping[Expr, str]) -> str:
    """A Lean constant with its arguments."""
    return " ".join([r.head, *(_argument(a, names) for a in r.args)])


def block(b: Block, names: Mapping[Expr, str], indent: str = "  ") -> Iterator[str]:
    """The lines of a proof."""
    for step in b.steps:
        yield from _step(step, names, indent)
    if isinstance(b.end, Done):
        yield indent + b.end.name
    elif isinstance(b.end, Absurd):
        yield f"{indent}Bool.not_both {b.end.yes} {b.end.no}"
    elif isinstance(b.end, Split):
        yield from _split(b.end, names, indent)
    else:
        yield from _any_of(b.end.hypothesis, b.end.branches, names, indent)


def _any_of(hypothesis: str, branches: Sequence[tuple[str, Claim, Block]], names: Mapping[Expr, str], indent: str) -> Iterator[str]:
    """One `Or.elim` for each alternative but the last."""
    name, case, inner = branches[0]
    if len(branches) == 1:
        yield f"{indent}have {name} : {claim(case, names)} := {hypothesis}"
        yield from block(inner, names, indent)
        return
    yield f"{indent}Or.elim {hypothesis}"
    yield f"{indent}  (fun ({name} : {claim(case, names)}) =>"
    yield from _closed(block(inner, names, indent + "    "))
    yield f"{indent}  (fun {name}_or =>"
    yield from _closed(_any_of(f"{name}_or", branches[1:], names, indent + "    "))


def _closed(lines: Iterator[str]) -> Iterator[str]:
    """The lines with a closing parenthesis after the last."""
    whole = list(lines)
    yield from whole[:-1]
    yield whole[-1] + ")"


def _step(step: Step, names: Mapping[Expr, str], indent: str) -> Iterator[str]:
    head = f"{indent}have {step.name} : {claim(step.claim, names)} :="
    if isinstance(step.reason, Block):
        yield head
        yield from block(step.reason, names, indent + "  ")
    else:
        yield f"{head} {reason(step.reason, names)}"


def _split(split: Split, names: Mapping[Expr, str], indent: str) -> Iterator[str]:
    yield indent + reason(Reason(split.head, split.args), names)
    for name, case, inner in split.branches:
        yield f"{indent}  (fun ({name} : {claim(case, names)}) =>"
        yield from _closed(block(inner, names, indent + "    "))


def _mentioned(r: Reason) -> Iterator[Expr]:
    for a in r.args:
        if isinstance(a, Expr):
            yield a
        elif isinstance(a, Reason):
            yield from _mentioned(a)


def expressions(b: Block) -> Iterator[Expr]:
    """Every expression that a proof mentions, in order."""
    for step in b.steps:
        yield from (step.claim.lhs, step.claim.rhs)
        if isinstance(step.reason, Block):
            yield from expressions(step.reason)
        else:
            yield from _mentioned(step.reason)
    if isinstance(b.end, Split):
        yield from (a for a in b.end.args if isinstance(a, Expr))
    if isinstance(b.end, Split | AnyOf):
        for _, case, inner in b.end.branches:
            yield from (case.lhs, case.rhs)
            yield from expressions(inner)


def proof(b: Block, names: Mapping[Expr, str], indent: str = "  ") -> str:
    """A whole proof, one step a line."""
    return "\n".join(block(b, names, indent))
