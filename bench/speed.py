"""How fast the parts are, as ratios within one run: stages of a verdict, Lean by proof size, the pool's size against proving, closed evaluations.

    python bench/speed.py [--size 200]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from devsem import leanprint, lemmas, prove
from devsem.expr import Expr, const, mk, topo, var
from devsem.leancheck import check_text
from devsem.leanrun import Lean
from devsem.ops import F32
from devsem.pipeline import verify
from devsem.request import Request
from devsem.term import size

EXAMPLES = Path(__file__).parent.parent / "examples"
HEAD = ("prelude\nimport FloatLib.Profile\nimport FloatLib.Pool\nset_option exponentiation.threshold 600\nset_option maxRecDepth 10000\n"
        "noncomputable section\nnamespace Bench\n")


def seconds(action: Callable[[], object], times: int = 3) -> float:
    """The median time of an action."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def chain(length: int) -> tuple[Expr, Expr]:
    """Two sides of about `length` nodes that differ by commuted products, halved quotients and a branch's form."""
    x, half, two, zero = var("x", F32), const(0.5), const(2.0), const(0.0)
    left = right = x
    while len(topo(left)) < length:
        left = mk("add_rn", mk("mul_rn", left, x), mk("div_rn", left, two))
        right = mk("add_rn", mk("mul_rn", right, half), mk("mul_rn", x, right))
    return mk("select", mk("lt", zero, x), left, x), mk("select", mk("le", x, zero), x, mk("select", mk("is_nan", x), x, right))


def theorem(left: Expr, right: Expr, proof: prove.Proof) -> str:
    """A text for Lean."""
    lines, known = leanprint.shared([left, right, *leanprint.expressions(proof.block)], {var("x", F32): "x0"}, leanprint.Scheme("e", "(x0 : F32)", "x0"))
    body = [f"theorem t (x0 : F32) : Eq {leanprint.text(left, known)} {leanprint.text(right, known)} :=", leanprint.proof(proof.block, known)]
    return HEAD + "\n".join([*lines, *body, "end Bench"]) + "\n"


def by_size(lean: Lean, largest: int) -> None:
    """Proving and Lean's check by the size of the expression."""
    sizes = [n for n in (10, 25, 50, 100, 200, 400) if n <= largest]
    base = 0.0
    for n in sizes:
        left, right = chain(n)
        start = time.perf_counter()
        proof = prove.prove(left, right)
        proving = time.perf_counter() - start
        if not isinstance(proof, prove.Proof):
            print(f"  {n:4} nodes: not proved: {proof.reason}")
            continue
        text = theorem(left, right, proof)
        check = check_text(text, ["Bench.t"], lean=lean)
        base = base or check.seconds
        print(f"  {n:4} nodes: {size(proof.block):5} steps, {len(text) / 1000:7.1f} kB, prove {proving:.3f} s, Lean {check.seconds:.2f} s "
              f"(x{check.seconds / base:.1f}), accepted {check.accepted}")


def by_pool() -> None:
    """Proving time with parts of the pool; what is not needed should cost nothing."""
    whole = dict(lemmas.REWRITES)
    left, right = chain(60)
    base = 0.0
    for share in (1.0, 0.5, 0.25):
        for op, rows in whole.items():
            needed = tuple(r for r in rows if r.lean in ("F32.add_self", "Fp.sub_eq_add_neg"))
            others = [r for r in rows if r not in needed]
            lemmas.REWRITES[op] = (*needed, *others[: round(len(others) * share)])
        taken = seconds(lambda: prove.prove(left, right), 5)
        base = base or taken
        print(f"  {sum(map(len, lemmas.REWRITES.values())):4} rewrite rows: prove x{taken / base:.2f}")
    lemmas.REWRITES.update(whole)


def evaluations(lean: Lean, count: int = 300) -> None:
    """Closed evaluations in Lean, each its own step."""
    from devsem.evaluate import constant
    rows = []
    for k in range(count):
        e = mk(("add_rn", "mul_rn", "div_rn")[k % 3], const(1.0 + k / 7), const(0.1 + k))
        rows.append(f"theorem e{k} : Eq {leanprint.text(e, {})} {leanprint.constant(constant(e))} := rfl")
    empty = check_text(f"{HEAD}theorem e0 : Eq 1 1 := rfl\nend Bench\n", ["Bench.e0"], lean=lean).seconds
    check = check_text(HEAD + "\n".join(rows) + "\nend Bench\n", ["Bench.e0"], lean=lean)
    print(f"  {count} in {check.seconds:.2f} s, of which start {empty:.2f} s: {count / (check.seconds - empty):.0f} a second, accepted {check.accepted}")


def stages() -> None:
    """Where a verdict's time goes."""
    with tempfile.TemporaryDirectory() as out:
        for name in ("relu_fmaxf", "leaky_relu", "sigmoid"):
            request = Request(kernel=EXAMPLES / f"{name}.cu", spec=EXAMPLES / f"{name}.py", devices=("h100",), out=Path(out))
            found = verify(request, lambda _: None)[0]
            total = found.seconds["total"]
            print(f"  {name:12} {total:5.2f} s: " + ", ".join(f"{k} {v / total:.0%}" for k, v in found.seconds.items() if k != "total"))


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=200)
    options = parser.parse_args()
    lean = Lean.bundled()
    print("stages of a verdict (share of its seconds)")
    stages()
    print("by size of the expression")
    by_size(lean, options.size)
    print("by size of the pool")
    by_pool()
    print("closed evaluations in the Lean kernel")
    evaluations(lean)


if __name__ == "__main__":
    main()
