"""The kernel as written, under the profile, against the kernel as compiled: are the two readings one function?

They must be; where they are not, the profile or the translation of the text is wrong, or the compiler did what no fact predicts. The
comparison never makes a verdict: the compiled reading decides. CUDA's functions in the text are their compiled bodies here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from devsem import sampling
from devsem.compiled import library
from devsem.decide import MOST_CHOICES, with_numbers
from devsem.errors import Rejected, Rejection, Where
from devsem.expr import Expr, fold, mk, rebuild, show, substitute, topo
from devsem.goal import Goal
from devsem.lower import lower, prepare
from devsem.ops import LIBM1, LIBM2, OPS
from devsem.profile import Profile
from devsem.prove import Proof, prove
from devsem.reference import Payloads, at, reference_side
from devsem.verdict import Comparison

SECONDS, MOST_TEXT = 2.0, 160


def compare(text: Goal, machine: Goal, admissible: Sequence[tuple[Expr, ...]], profile: Profile, toolkit: str | None) -> Comparison:
    """Whether some admissible reading of the text is the compiled code's value; otherwise an input where the likeliest differs."""
    sites = prepare(tuple(o.written for o in text.outputs), profile)
    if sites.choices > MOST_CHOICES:
        return Comparison("unknown", f"the text has 2^{sites.choices} admissible readings")
    compiled = [reference_side(with_numbers(v, machine.scalars)) for v in admissible[0]]
    payloads = Payloads({b.before: b.number for b in machine.buffers})
    rename = {b.before: o.before for b in text.buffers for o in machine.buffers if b.param == o.param}
    different: list[Comparison | None] = []
    for choice in itertools.product((True, False), repeat=sites.choices):
        try:
            written = [inlined(substitute(lower(with_numbers(v, text.scalars), profile, choice), rename), profile, toolkit, payloads) for v in sites.values]
        except Rejected as rejected:
            return Comparison("unknown", f"a function in the text has a body that is not read: {rejected.rejections[0].message}")
        pairs = list(zip(written, compiled, strict=True))
        if all(a is b or isinstance(prove(a, b, seconds=SECONDS), Proof) for a, b in pairs):
            return Comparison("agree")
        different.append(_difference(pairs))
    if all(different):
        return different[0] or Comparison("unknown")
    return Comparison("unknown", "no proof that they agree, and no input where they differ")


def _difference(pairs: Sequence[tuple[Expr, Expr]]) -> Comparison | None:
    """An input where one output differs between the readings, found by evaluation with nominal instructions."""
    for a, b in pairs:
        at = None if _foreign(a, b) else sampling.difference(a, b)
        if at is not None:
            inputs = {name: f"{pattern:#010x}" for name, pattern in at.items()}
            return Comparison("differ", "the compiler made another function than the profile says", inputs, _short(a), _short(b))
    return None


def _short(e: Expr) -> str:
    """An expression in at most so many characters."""
    text = show(e)
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def _foreign(*roots: Expr) -> bool:
    """Is there a function whose body is not known, so that evaluation would compare different functions?"""
    return any(n.op[:2] in ("D.", "S.") and _function(n.op) for n in topo(*roots))


def _function(row: str) -> str:
    """The CUDA function that an obligation row means, in whatever form; empty for an instruction."""
    return next((f for f in (*LIBM1, *LIBM2) if row[2:].split("_")[0] == f), "")


def inlined(value: Expr, profile: Profile, toolkit: str | None, payloads: Payloads) -> Expr:
    """The value on the reference's side, with the bodies of CUDA's functions. Raises Rejected, also for those compiled with -ftz=true, as yet."""
    def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
        name = _function(node.op) if node.op.startswith("D.") else ""
        if name and f"S.{node.op[2:]}" not in OPS:
            raise Rejected(Rejection("compare.function", Where(""), f"{name} under these flags is not compiled by itself yet"))
        if not name or "_ftz" in node.op:
            return rebuild(node, args) if args else node
        body = library(name, profile.arch, toolkit)
        at_ = at(body, args[:len(body.params)], payloads)
        if node.op == f"D.{name}":
            return at_
        if at_.op != "mul_rn":
            return rebuild(node, args)
        first, second = at_.args
        return mk("fma_rn", first if node.op.endswith("_add") else mk("neg", first), second, args[-1])
    return reference_side(fold((value,), one)[value])
