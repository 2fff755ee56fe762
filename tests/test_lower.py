"""As-written contraction, flushing and rewrites, against what nvcc 13.0.88 emits.

`COMPILED` holds a source and the SASS of facts/GPU_FLOAT.md (2.2, 3.3, 4.2 and appendix A) or of the same compiler. Each reading that we admit is
evaluated on many inputs: the compiler's must be among them, and where nothing is left open it must be the only one.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pytest
import sass
from draw import patterns, seed, tuples

from devsem.evaluate import evaluate
from devsem.expr import Expr, bits, const, const_int, mk, topo, var
from devsem.lower import lower, prepare
from devsem.ops import B32, F32, OPS
from devsem.profile import load_profile

A, B, C, D, E = (var(n, F32) for n in "abcde")
INPUTS = {v.name: v for v in (A, B, C, D, E)}
N = 3000


def number(x: float | Expr) -> Expr:
    return x if isinstance(x, Expr) else const(x)


def parse(text: str) -> tuple[Expr, ...]:
    """`add(mul(a,b),c); …` in written rows without their `w_`, constants as Python numbers, `t = …` names a value."""
    def row(name: str) -> object:
        return lambda *args: mk(name, *map(number, args))
    names: dict[str, object] = {**INPUTS, **{op.removeprefix("w_"): row(op) for op in OPS if op.startswith("w_")}, "select": row("select"), "no": row("not")}
    names.update(inf=bits(0x7F800000), nan=bits(0x7FFFFFFF))
    out = []
    for part in text.split(";"):
        target, equals, right = part.rpartition(" = ")
        value = eval(right, {"__builtins__": {}}, names)
        if equals:
            names[target.strip()] = value
        else:
            out.append(number(value))
    return tuple(out)


def draw() -> dict[Expr, npt.NDArray[np.uint32]]:
    s = seed()
    a, b, c = tuples(s, N, 3)
    d = np.where(patterns(s + 1, N) & 1 == 1, patterns(s + 2, N), a)
    return {A: a, B: b, C: c, D: d, E: patterns(s + 3, N)}


def readings(text: str, device: str, flags: str) -> list[tuple[Expr, ...]]:
    profile = load_profile(device, flags)
    found = prepare(parse(text), profile)
    return [tuple(lower(v, profile, choice) for v in found.values) for choice in itertools.product((True, False), repeat=found.choices)]


def agreeing(text: str, device: str, flags: str, compiled: str) -> list[bool]:
    """For each reading of the source, does it give the compiled values?"""
    env = draw()
    expected = evaluate(sass.read(compiled, INPUTS), env)
    return [all(bool((x == y).all()) for x, y in zip(evaluate(r, env), expected, strict=True)) for r in readings(text, device, flags)]


# source in written rows; SASS by default; how many bits the facts leave open
CONTRACTION = (
    ("add(mul(a,b),c)", "FFMA t1, a, b, c; ->t1", 0),
    ("add(c,mul(a,b))", "FFMA t1, a, b, c; ->t1", 0),
    ("sub(mul(a,b),c)", "FFMA t1, a, b, -c; ->t1", 0),
    ("add(mul(a,b),neg(c))", "FFMA t1, a, b, -c; ->t1", 0),
    ("sub(c,mul(a,b))", "FFMA t1, -a, b, c; ->t1", 0),
    ("add(neg(mul(a,b)),c)", "FFMA t1, -a, b, c; ->t1", 0),
    ("add(mul(a,neg(b)),c)", "FFMA t1, -a, b, c; ->t1", 0),
    ("add(mul(neg(a),b),c)", "FFMA t1, -a, b, c; ->t1", 0),
    ("sub(neg(mul(a,b)),c)", "FFMA t1, -a, b, -c; ->t1", 0),
    ("sub(c,neg(mul(a,b)))", "FFMA t1, a, b, c; ->t1", 0),
    ("add(mul(a,b),mul(c,d))", "FMUL t1, c, d; FFMA t2, a, b, t1; ->t2", 1),
    ("add(mul(c,d),mul(a,b))", "FMUL t1, c, d; FFMA t2, a, b, t1; ->t2", 1),
    ("add(mul(a,d),mul(b,c))", "FMUL t1, a, d; FFMA t2, b, c, t1; ->t2", 1),
    ("sub(mul(a,b),mul(c,d))", "FMUL t1, c, d; FFMA t2, a, b, -t1; ->t2", 1),
    ("add(add(mul(a,b),mul(c,d)),e)", "FMUL t1, c, d; FFMA t2, a, b, t1; FADD t3, e, t2; ->t3", 1),
    ("add(add(mul(a,b),mul(c,d)),mul(e,a))", "FMUL t1, c, d; FFMA t2, a, b, t1; FFMA t3, a, e, t2; ->t3", 1),
    ("add(mul(add(mul(a,b),c),d),e)", "FFMA t1, a, b, c; FFMA t2, d, t1, e; ->t2", 0),
    ("add(mul(add(mul(add(mul(a,b),c),b),d),b),e)", "FFMA t1, a, b, c; FFMA t2, t1, b, d; FFMA t3, t2, b, e; ->t3", 0),
    ("t = mul(a,b); t; add(t,c)", "FMUL t1, a, b; FADD t2, c, t1; ->t1; ->t2", 0),
    ("t = mul(a,b); mul(t,add(t,c))", "FMUL t1, a, b; FADD t2, c, t1; FMUL t3, t1, t2; ->t3", 0),
    ("t = mul(a,b); mul(add(t,c),add(t,d))", "FFMA t1, a, b, c; FFMA t2, a, b, d; FMUL t3, t1, t2; ->t3", 0),
    ("t = mul(a,b); mul(add(t,c),sub(t,d))", "FFMA t1, a, b, c; FFMA t2, a, b, -d; FMUL t3, t1, t2; ->t3", 0),
    ("t = mul(a,b); mul(sub(t,c),sub(t,d))", "FFMA t1, a, b, -c; FFMA t2, a, b, -d; FMUL t3, t1, t2; ->t3", 0),
    ("t = mul(a,b); add(t,c); add(t,d); add(t,e); sub(t,c); sub(t,d)",
     "FFMA t1, a, b, c; FFMA t2, a, b, d; FFMA t3, a, b, e; FFMA t4, a, b, -c; FFMA t5, a, b, -d; ->t1; ->t2; ->t3; ->t4; ->t5", 0),
    ("t = mul(a,b); s = add(t,c); sub(c,sub(s,t))", "FFMA t1, a, b, c; FFMA t2, -a, b, t1; FADD t3, c, -t2; ->t3", 0),
    ("add(mul(a,2.0),1.0)", "FFMA t1, a, 2, 1; ->t1", 0),
    ("sub(mul(a,2.0),c)", "FADD t1, a, a; FADD t2, -c, t1; ->t2", 0),
    ("sub(mul(a,2.0),1.0)", "FFMA t1, a, 2, -1; ->t1", 0),
    ("sub(1.0,mul(a,2.0))", "FADD t1, a, a; FADD t2, -t1, 1; ->t2", 0),
    ("add(mul(a,-2.0),c)", "FADD t1, a, a; FADD t2, c, -t1; ->t2", 1),
    ("add(mul(a,2.0),neg(b))", "FADD t1, a, a; FADD t2, -b, t1; ->t2", 1),
    ("sub(mul(a,2.0),mul(c,d))", "FADD t1, a, a; FFMA t2, -c, d, t1; ->t2", 0),
    ("mul(sub(mul(a,2.0),1.0),sub(mul(a,2.0),b))", "FADD t1, a, a; FADD t2, -b, t1; FADD t3, t1, -1; FMUL t4, t3, t2; ->t4", 2),
    ("mul(add(mul(a,2.0),c),add(mul(a,2.0),d))", "FFMA t1, a, 2, c; FFMA t2, a, 2, d; FMUL t3, t1, t2; ->t3", 0),
    ("mul(a,2.0)", "FADD t1, a, a; ->t1", 0),
    ("add(add(a,a),c)", "FADD t1, a, a; FADD t2, c, t1; ->t2", 0),
    ("t = mul(a,b); add(t,t)", "FMUL t1, a, b; FFMA t2, a, b, t1; ->t2", 0),
    ("mul(2.0,mul(a,b))", "FMUL t1, a, b; FFMA t2, a, b, t1; ->t2", 0),
    ("t = mul(a,b); sub(t,t)", "FMUL t1, a, b; FADD t2, t1, -t1; ->t2", 0),
    ("t = mul(a,b); mul(add(t,t),add(t,c))", "FMUL t1, a, b; FFMA t2, a, b, t1; FFMA t3, a, b, c; FMUL t4, t2, t3; ->t4", 0),
    ("add(mul(a,a),a)", "FFMA t1, a, a, a; ->t1", 0),
    ("mul(a,add(a,1.0))", "FADD t1, a, 1; FMUL t2, a, t1; ->t2", 0),
    ("mul(add(a,b),c)", "FADD t1, a, b; FMUL t2, c, t1; ->t2", 0),
    ("add(a,mul(c,sub(b,a)))", "FADD t1, -a, b; FFMA t2, c, t1, a; ->t2", 0),
    ("add(mul(a,sub(1.0,c)),mul(b,c))", "FADD t1, -c, 1; FMUL t2, a, t1; FFMA t3, b, c, t2; ->t3", 1),
    ("add(mul(0.9,a),mul(0.1,b))", "FMUL t1, b, 0.10000000149011611938; FFMA t2, a, 0.89999997615814208984, t1; ->t2", 1),
    ("x = sub(a,b); y = sub(c,d); add(mul(x,x),mul(y,y))", "FADD t1, a, -b; FADD t2, c, -d; FMUL t3, t2, t2; FFMA t4, t1, t1, t3; ->t4", 1),
    ("floor(add(mul(a,b),0.5))", "FFMA t1, a, b, 0.5; FRND.FLOOR t2, t1; ->t2", 0),
    ("add(select(lt(0.0,c),mul(a,b),d),e)", "FSETP.GT.AND P0, PT, c, RZ, PT; MOV t1, d; @P0 FMUL t1, a, b; FADD t2, t1, e; ->t2", 0),
    ("t = mul(a,b); select(lt(0.0,c),add(t,1.0),t)", "FSETP.GT.AND P0, PT, c, RZ, PT; FMUL t1, a, b; @P0 FADD t1, t1, 1; ->t1", 0),
    ("add(mul(a,b),abs(c))", "FFMA t1, a, b, |c|; ->t1", 0),
    ("add(mul_rn(a,b),c)", "FMUL t1, a, b; FADD t2, c, t1; ->t2", 0),
    ("add_rn(mul(a,b),c)", "FMUL t1, a, b; FADD t2, c, t1; ->t2", 0),
    ("sub_rn(mul(a,b),c)", "FMUL t1, a, b; FADD t2, -c, t1; ->t2", 0),
    ("add_rn(mul_rn(a,b),c)", "FMUL t1, a, b; FADD t2, c, t1; ->t2", 0),
    ("fma(a,b,c)", "FFMA t1, a, b, c; ->t1", 0),
    ("fma(a,b,0.0)", "FFMA t1, a, b, RZ; ->t1", 0),
    ("q = mul(a,b); fma(a,b,neg(q))", "FMUL t1, a, b; FFMA t2, a, b, -t1; ->t2", 0),
    ("add(div(a,2.0),c)", "FFMA t1, a, 0.5, c; ->t1", 0),
    ("sub(c,div(a,2.0))", "FFMA t1, a, -0.5, c; ->t1", 0),
    ("add(div(a,0.5),b)", "FFMA t1, a, 2, b; ->t1", 0),
    ("sub(div(a,0.5),b)", "FADD t1, a, a; FADD t2, -b, t1; ->t2", 0),
    ("t = div(a,2.0); mul(t,add(t,c))", "FMUL t1, a, 0.5; FADD t2, c, t1; FMUL t3, t1, t2; ->t3", 0),
    ("add(mul(mul(a,b),1.0),c)", "FFMA t1, a, b, c; ->t1", 0),
    ("add(sub(-0.0,mul(a,b)),c)", "FFMA t1, -a, b, c; ->t1", 0),
    ("t = mul(a,b); add(max(t,t),c)", "FFMA t1, a, b, c; ->t1", 0),
    ("add(mul(mul(a,b),-1.0),c)", "FFMA t1, -a, b, c; ->t1", 0),
    ("add(div(mul(a,b),1.0),c)", "FFMA t1, a, b, c; ->t1", 0),
    # a sum in both arms of a branch: sunk below the select, and then not fused, where the other arm has the same operand
    ("select(lt(0.0,c),add(mul(a,b),d),add(e,d))", "FSETP.GT.AND P0, PT, c, RZ, PT; MOV t1, e; @P0 FMUL t1, a, b; FADD t2, d, t1; ->t2", 1),
    ("select(lt(0.0,c),add(mul(a,b),d),add(mul(a,a),e))", "FSETP.GT.AND P0, PT, c, RZ, PT; FFMA t1, a, b, d; @!P0 FFMA t1, a, a, e; ->t1", 2),
    ("select(lt(0.0,c),add(mul(a,b),d),add(mul(a,e),d))", "FSETP.GT.AND P0, PT, c, RZ, PT; FSEL t1, b, e, P0; FFMA t2, a, t1, d; ->t2", 2),
    ("select(lt(0.0,c),add(d,mul(a,b)),d)", "FSETP.GT.AND P0, PT, c, RZ, PT; MOV t1, d; @P0 FFMA t1, a, b, t1; ->t1", 0),
    ("add(select(lt(0.0,c),mul(a,b),a),d)", "FSETP.GT.AND P0, PT, c, RZ, PT; MOV t1, a; @P0 FMUL t1, t1, b; FADD t2, d, t1; ->t2", 0),
    # a product that is rounded in one sum: whether its other sums fuse it depends on the order the compiler takes them in
    ("t = mul(a,b); mul(add(t,mul(c,d)),add(t,e))", "FMUL t1, c, d; FFMA t1, a, b, t1; FFMA t2, a, b, e; FMUL t3, t1, t2; ->t3", 2),
    ("t = mul(a,b); u = mul(c,d); mul(mul(add(t,u),sub(t,e)),add(u,e))",
     "FMUL t1, a, b; FFMA t2, c, d, t1; FADD t3, -e, t1; FFMA t4, c, d, e; FMUL t5, t2, t3; FMUL t6, t5, t4; ->t6", 3),
)


@pytest.mark.parametrize(("source", "compiled", "open_bits"), CONTRACTION, ids=[row[0] for row in CONTRACTION])
@pytest.mark.parametrize("device", ["a100", "b200"])
@pytest.mark.parametrize("flags", ["", "-ftz=true"])
def test_contraction_is_the_compilers(source: str, compiled: str, open_bits: int, device: str, flags: str) -> None:
    text = compiled
    if flags:
        text = "; ".join(_with_ftz(part) for part in compiled.split("; "))
    agrees = agreeing(source, device, flags, text)
    assert len(agrees) == 1 << open_bits
    assert any(agrees) if open_bits else all(agrees)


def _with_ftz(instruction: str) -> str:
    """3.2: `.ftz` on every operation but rounding to nearest, selections and moves; nvcc flushes the input of a floor."""
    for name in ("FMUL", "FADD", "FFMA", "FSETP.GT", "FRND.FLOOR"):
        instruction = instruction.replace(f"{name} ", f"{name}.FTZ ").replace(f"{name}.AND", f"{name}.FTZ.AND")
    return instruction


# GPU_FLOAT appendix A, column "-fmad=false"
UNFUSED = (
    ("add(mul(a,b),c)", "FMUL t1, a, b; FADD t2, c, t1; ->t2"), ("sub(mul(a,b),c)", "FMUL t1, a, b; FADD t2, -c, t1; ->t2"),
    ("sub(c,mul(a,b))", "FMUL t1, a, b; FADD t2, c, -t1; ->t2"), ("sub(neg(mul(a,b)),c)", "FMUL t1, a, b; FADD t2, -c, -t1; ->t2"),
    ("add(mul(a,b),mul(c,d))", "FMUL t1, a, b; FMUL t2, c, d; FADD t3, t1, t2; ->t3"),
    ("sub(mul(a,b),mul(c,d))", "FMUL t1, a, b; FMUL t2, c, d; FADD t3, t1, -t2; ->t3"),
    ("t = mul(a,b); mul(add(t,c),sub(t,d))", "FMUL t1, a, b; FADD t2, c, t1; FADD t3, -d, t1; FMUL t4, t2, t3; ->t4"),
    ("add(mul(a,2.0),1.0)", "FADD t1, a, a; FADD t2, t1, 1; ->t2"), ("add(mul(a,a),a)", "FMUL t1, a, a; FADD t2, a, t1; ->t2"),
    ("fma(a,b,c)", "FFMA t1, a, b, c; ->t1"), ("fma(mul(a,b),1.0,c)", "FMUL t1, a, b; FFMA t2, t1, 1, c; ->t2"),
    ("add(div(a,2.0),c)", "FMUL t1, a, 0.5; FADD t2, c, t1; ->t2"),
)


@pytest.mark.parametrize(("source", "compiled"), UNFUSED, ids=[row[0] for row in UNFUSED])
@pytest.mark.parametrize("device", ["h100", "ieee"])
def test_without_contraction_the_source_is_taken_literally(source: str, compiled: str, device: str) -> None:
    assert agreeing(source, device, "-fmad=false", compiled) == [True]


# device, flags, source, SASS, bits left open
REWRITES = (
    # 0.6: fmaf with a neutral operand is an addition or a product on sm_100 and later
    ("h100", "", "add(fma(a,b,-0.0),c)", "FFMA t1, a, b, -RZ; FADD t2, c, t1; ->t2", 0),
    ("b200", "", "add(fma(a,b,-0.0),c)", "FFMA t1, a, b, c; ->t1", 0),
    ("h100", "", "fma(mul(a,b),1.0,c)", "FMUL t1, a, b; FFMA t2, t1, 1, c; ->t2", 0),
    ("b200", "", "fma(mul(a,b),1.0,c)", "FFMA t1, a, b, c; ->t1", 0),
    ("rtx5090", "", "fma(mul(a,b),1.0,c)", "FFMA t1, a, b, c; ->t1", 0),
    ("b200", "", "fma(-1.0,mul(a,b),c)", "FFMA t1, -a, b, c; ->t1", 0),
    ("b200", "-ftz=true", "fma(a,1.0,-0.0)", "->a", 0),
    ("h100", "-ftz=true", "fma(a,1.0,-0.0)", "FFMA.FTZ t1, a, 1, -RZ; ->t1", 0),
    # 3.3: identities drop a flush
    *((d, "-ftz=true", s, "->a", 0) for d in ("t4", "h100", "b200")
      for s in ("mul(a,1.0)", "mul(1.0,a)", "div(a,1.0)", "sub(a,0.0)", "add(a,-0.0)", "add(-0.0,a)", "neg(neg(a))", "min(a,a)", "max(a,a)",
                "mul(mul(a,-1.0),-1.0)", "sub(-0.0,sub(-0.0,a))")),
    ("h100", "-ftz=true", "add(a,0.0)", "FADD.FTZ t1, RZ, a; ->t1", 0),
    ("h100", "-ftz=true", "mul(a,0.0)", "FMUL.FTZ t1, RZ, a; ->t1", 0),
    ("h100", "-ftz=true", "mul(a,-1.0)", "FADD.FTZ t1, -a, -RZ; ->t1", 0),
    ("h100", "-ftz=true", "div(a,-1.0)", "FADD.FTZ t1, -a, -RZ; ->t1", 0),
    ("h100", "-ftz=true", "mul_rn(a,1.0)", "FMUL.FTZ t1, a, 1; ->t1", 0),
    ("h100", "-ftz=true", "add_rn(a,-0.0)", "FADD.FTZ t1, -RZ, a; ->t1", 0),
    ("h100", "-ftz=true", "sub(b,1e-40)", "->b", 1),
    # 2.5: constants fold without a flush
    ("h100", "-ftz=true", "mul(1e-40,2.0)", "MOV t1, 1.9999892202229519163e-40; ->t1", 1),
    ("b200", "-ftz=true", "abs(mul(0.5,1e-40))", "->RZ", 1),
    ("h100", "-ftz=true", "select(lt(0.0,1e-40),a,b)", "->a", 0),
    ("h100", "", "sub(mul(1.1,1.3),1.43)", "MOV t1, 0; ->t1", 0),
    # 6.2, 6.4: constant divisors
    ("b200", "-ftz=true", "div(a,3.0)", "FMUL.FTZ t1, a, 0.3333333432674407959; ->t1", 0),
    ("b200", "-ftz=true", "add(div(a,3.0),b)", "FFMA.FTZ t1, a, 0.3333333432674407959, b; ->t1", 0),
    ("b200", "-ftz=true", "div(a,3e38)", "FMUL.FTZ t1, RZ, a; ->t1", 0),
    ("b200", "-ftz=true", "div(a,1e-38)", "FMUL.FTZ t1, a, +INF; ->t1", 0),
    ("b200", "-ftz=true -prec-div=false", "div(a,3.0)", "FMUL.FTZ t1, a, 0.3333333432674407959; ->t1", 0),
    ("h100", "-prec-div=false", "div(a,2.0)", "FMUL t1, a, 0.5; ->t1", 0),
    ("h100", "-prec-div=false", "add(div(a,2.0),b)", "FFMA t1, a, 0.5, b; ->t1", 0),
    # 4.2: selections that become min and max
    *((d, "", *row, 0) for d in ("t4", "h100", "b200") for row in (
        ("select(lt(0.0,a),a,0.0)", "FMNMX t1, RZ, a, !PT; ->t1"), ("select(lt(a,0.0),a,0.0)", "FMNMX t1, RZ, a, PT; ->t1"),
        ("select(no(lt(a,0.0)),0.0,a)", "FMNMX t1, RZ, a, PT; ->t1"), ("select(lt(-0.0,a),a,-0.0)", "FMNMX t1, -RZ, a, !PT; ->t1"),
        ("select(le(1.0,a),a,1.0)", "FMNMX t1, a, 1, !PT; ->t1"), ("select(lt(a,6.0),a,6.0)", "FMNMX t1, a, 6, PT; ->t1"),
        ("select(lt(mul(a,b),0.0),mul(a,b),0.0)", "FMUL t1, a, b; FMNMX t2, RZ, t1, PT; ->t2"),
        ("select(le(0.0,a),a,0.0)", "FSETP.GE.AND P0, PT, a, RZ, PT; FSEL t1, a, RZ, P0; ->t1"),
        ("select(lt(0.0,a),a,-0.0)", "FSETP.GT.AND P0, PT, a, RZ, PT; FSEL t1, a, -RZ, P0; ->t1"),
        ("select(lt(a,0.0),0.0,a)", "FSETP.GEU.AND P0, PT, a, RZ, PT; FSEL t1, a, RZ, P0; ->t1"),
        ("select(lt(b,a),a,b)", "FSETP.GT.AND P0, PT, a, b, PT; FSEL t1, a, b, P0; ->t1"),
        ("max(a,b)", "FMNMX t1, a, b, !PT; ->t1"), ("abs(a)", "FADD t1, |a|, -RZ; ->t1"),
        ("neg(a)", "FADD t1, -a, -RZ; ->t1"), ("rint(a)", "FRND t1, a; ->t1"))),
    ("h100", "", "select(le(a,0.0),0.0,a)", "FMNMX.NAN t1, RZ, a, !PT; ->t1", 0),
    ("h100", "", "select(lt(neg(a),0.0),neg(a),0.0)", "FSETP.GT.AND P0, PT, a, RZ, PT; FSEL t1, -a, RZ, P0; ->t1", 1),
    ("h100", "", "select(lt(neg(a),0.0),neg(a),0.0)", "FMNMX t1, RZ, -a, PT; ->t1", 1),
    ("h100", "-ftz=true", "select(lt(0.0,a),a,0.0)", "FMNMX.FTZ t1, RZ, a, !PT; ->t1", 0),
    ("h100", "-ftz=true", "select(le(-1.0,a),a,-1.0)", "FMNMX.FTZ t1, a, -1, !PT; ->t1", 0),
    ("h100", "-ftz=true", "select(le(0.0,a),a,0.0)", "FSETP.GE.FTZ.AND P0, PT, a, RZ, PT; FSEL t1, a, RZ, P0; ->t1", 0),
    # ptxas drops the flush of setp.ftz: PTX and SASS differ, so both are admitted
    ("h100", "-ftz=true", "select(le(a,0.0),0.0,a)", "FMNMX.NAN t1, RZ, a, !PT; ->t1", 1),
    ("h100", "-ftz=true", "select(le(a,0.0),0.0,a)", "FSETP.LE.FTZ.AND P0, PT, a, RZ, PT; FSEL t1, RZ, a, P0; ->t1", 1),
    ("t4", "-ftz=true", "select(le(a,0.0),0.0,a)", "FSETP.LE.FTZ.AND P0, PT, a, RZ, PT; FSEL t1, RZ, a, P0; ->t1", 0),
    ("t4", "-ftz=true", "select(le(a,0.0),a,0.0)", "FMNMX t1, RZ, a, PT; ->t1", 1),
    ("h100", "-ftz=true", "select(lt(-0.0,a),a,0.0)", "FMNMX t1, RZ, a, !PT; ->t1", 1),
    ("b200", "-ftz=true", "select(lt(-0.0,a),a,0.0)", "FMNMX.FTZ t1, RZ, a, !PT; ->t1", 1),
    ("b200", "-ftz=true", "max(a,nan)", "->a", 0),
    ("h100", "-ftz=true", "max(a,nan)", "FMNMX.FTZ t1, a, +QNAN, !PT; ->t1", 0),
    ("h100", "-ftz=true", "rint(a)", "FRND t1, a; ->t1", 0),
    ("h100", "-ftz=true", "floor(a)", "FRND.FLOOR.FTZ t1, a; ->t1", 0),
)


@pytest.mark.parametrize(("device", "flags", "source", "compiled", "open_bits"), REWRITES, ids=[f"{r[0]} {r[1]} {r[2]}" for r in REWRITES])
def test_rewrites_are_the_compilers(device: str, flags: str, source: str, compiled: str, open_bits: int) -> None:
    agrees = agreeing(source, device, flags, compiled)
    assert len(agrees) == 1 << open_bits and any(agrees)
    assert open_bits or all(agrees)


def rows(values: Iterable[Expr]) -> set[str]:
    return {n.op for n in topo(*values)}


@pytest.mark.parametrize(("device", "flags", "source", "expected"), [
    ("h100", "", "add(expf(a),b)", "D.expf_add(a, b)"), ("h100", "", "sub(expf(a),b)", "D.expf_add(a, neg(b))"),
    ("h100", "", "sub(b,expf(a))", "D.expf_rsub(a, b)"), ("h100", "-ftz=true", "add(b,expf(a))", "D.expf_ftz_add(a, b)"),
    ("h100", "-fmad=false", "add(expf(a),b)", "add_rn(D.expf(a), b)"), ("h100", "", "mul(expf(a),b)", "mul_rn(D.expf(a), b)"),
    ("h100", "", "add(exp2f(a),b)", "add_rn(D.exp2f(a), b)"), ("h100", "", "add(log10f(a),b)", "add_rn(D.log10f(a), b)"),
    ("h100", "", "add(tanhf(a),b)", "add_rn(D.tanhf(a), b)"), ("h100", "", "add(atanhf(a),b)", "D.atanhf_add(a, b)"),
    ("h100", "", "add(fast_expf(a),b)", "add_rn(D.ex2_approx(mul_rn(a, 1.442695)), b)"),
    ("h100", "", "add(fast_logf(a),b)", "fma_rn(D.lg2_approx(a), 0.6931472, b)"), ("h100", "", "add(fast_fdividef(a,b),c)", "D.div_approx_add(a, b, c)"),
    ("h100", "", "sub(c,fast_tanf(a))", "D.div_approx_rsub(D.sin_approx(a), D.cos_approx(a), c)"),
    ("h100", "-prec-div=false", "add(div(a,b),c)", "D.div_full_add(a, b, c)"), ("h100", "-prec-div=false", "add(div(1.0,b),c)", "D.rcp_approx_add(b, c)"),
    ("h100", "-prec-div=false -ftz=true", "add(div(1.0,b),c)", "ftz(add_rn(ftz(D.rcp_approx_ftz(b)), ftz(c)))"),
    ("h100", "-use_fast_math", "sub(c,div(a,b))", "D.div_approx_ftz_rsub(a, b, c)"), ("h100", "-use_fast_math", "div(a,b)", "D.div_approx_ftz(a, b)"),
    ("h100", "-use_fast_math -fmad=false", "add(logf(a),b)", "ftz(add_rn(ftz(ftz(mul_rn(ftz(D.lg2_approx_ftz(a)), ftz(0.6931472)))), ftz(b)))"),
    ("h100", "-use_fast_math", "expf(a)", "D.ex2_approx_ftz(ftz(mul_rn(ftz(a), ftz(1.442695))))"), ("h100", "-use_fast_math", "tanhf(a)", "D.tanh_approx(a)"),
    ("h100", "-use_fast_math -ftz=false", "powf(a,b)", "D.ex2_approx(mul_rn(b, D.lg2_approx(a)))"), ("h100", "-use_fast_math", "erff(a)", "D.erff_ftz(a)"),
    ("h100", "-use_fast_math -prec-div=true", "div(a,b)", "ftz(div_rn(ftz(a), ftz(b)))"), ("h100", "-prec-sqrt=false", "sqrt(a)", "D.sqrt_approx(a)"),
    ("h100", "-prec-sqrt=false -prec-div=false", "div(1.0,sqrt(a))", "D.rsqrt_approx(a)"),
    ("h100", "-prec-div=false", "div(1.0,sqrt(a))", "D.rcp_approx(sqrt_rn(a))"),
    ("h100", "", "rsqrtf(a)", "D.rsqrt_approx(a)"), ("ieee", "", "rsqrtf(a)", "D.rsqrtf(a)"),
    ("ieee", "-ftz=true", "mul(a,1.0)", "ftz(mul_rn(ftz(a), ftz(1.0)))"),
    ("h100", "-prec-div=false", "div_rn(a,b)", "div_rn(a, b)"), ("h100", "", "rcp_rn(a)", "div_rn(1.0, a)"),
    ("h100", "-ftz=true", "lt(a,b)", "lt(ftz(a), ftz(b))"),
    # directed roundings are never contracted, whatever the flags
    ("h100", "", "add(mul_rz(a,b),c)", "add_rn(mul_rz(a, b), c)"), ("h100", "", "add_rp(mul(a,b),c)", "add_rp(mul_rn(a, b), c)"),
    ("h100", "-use_fast_math", "div_rm(a,b)", "ftz(div_rm(ftz(a), ftz(b)))"), ("h100", "-ftz=true", "rcp_rp(a)", "ftz(div_rp(1.0, ftz(a)))"),
    ("h100", "-prec-sqrt=false", "sqrt_rz(a)", "sqrt_rz(a)"), ("h100", "", "sub_rm(fma_rz(a,b,c),d)", "sub_rm(fma_rz(a, b, c), d)"),
    ("h100", "-ftz=true", "saturate(a)", "sat(ftz(a))"), ("h100", "", "saturate(add(mul(a,b),c))", "sat(fma_rn(a, b, c))"),
    ("h100", "-ftz=true", "isnan(a)", "is_nan(a)"), ("ieee", "", "add(mul(a,b),c)", "add_rn(mul_rn(a, b), c)"),
    ("ieee", "-fmad=true", "add(mul(a,b),c)", "fma_rn(a, b, c)"),
])
def test_lowered_text(device: str, flags: str, source: str, expected: str) -> None:
    assert [r[0].__repr__() for r in readings(source, device, flags)] == [expected]


def test_two_ended_functions_leave_a_choice() -> None:
    texts = {repr(r[0]) for r in readings("add(expf(a),mul(b,c))", "h100", "")}
    assert texts == {"D.expf_add(a, mul_rn(b, c))", "fma_rn(b, c, D.expf(a))"}


@pytest.mark.parametrize("value", [1.0, -3.5, 2.0 ** -100, 2.0 ** 99])
def test_expf_and_a_constant_may_be_rounded_apart(value: float) -> None:
    """The last product of expf is exact or out of range; checked for a product of any two numbers, one a power of two."""
    profile = load_profile("h100")
    found = prepare((mk("w_add", mk("w_expf", A), const(value)),), profile)
    assert repr(lower(found.values[0], profile, ())) == repr(mk("add_rn", mk("D.expf", A), const(value))) and len(found.assumptions) == 1
    s = seed()
    m = patterns(s, N) & 0x7FFFFFFF
    scale = (np.random.default_rng(s).integers(1, 255, N).astype(np.uint32)) << np.uint32(23)
    fused, apart = evaluate([mk("fma_rn", A, B, const(value)), mk("add_rn", mk("mul_rn", A, B), const(value))], {A: m, B: scale})
    assert np.array_equal(fused, apart)


@pytest.mark.parametrize("value", [2.0 ** -101, 0.0, 2.0 ** 101, float("inf"), float("nan")])
def test_expf_and_another_constant_is_its_own_function(value: float) -> None:
    assert rows(readings_of(mk("w_sub", const(value), mk("w_expf", A)))) >= {"D.expf_rsub"}


def readings_of(value: Expr) -> tuple[Expr, ...]:
    profile = load_profile("h100")
    return tuple(lower(v, profile, ()) for v in prepare((value,), profile).values)


def test_a_condition_that_reads_a_product_blocks_its_fusion() -> None:
    t = mk("w_mul", A, B)
    profile = load_profile("h100")
    alone = prepare((mk("w_add", t, C),), profile).values[0]
    guarded = prepare((mk("w_add", t, C), mk("w_lt", t, D)), profile).values[0]
    assert (alone.op, guarded.op) == ("w_mul_add", "w_add")


def test_a_value_of_another_thread_is_a_copy_that_nothing_is_fused_with() -> None:
    """With any flags; a fused a*b+c would differ for some of these inputs, as `CONTRACTION` shows."""
    for device, flags in (("ieee", ""), ("h100", ""), ("h100", "-use_fast_math")):
        held, made = readings("add(hold(mul(a,b)),c); hold(d)", device, flags), readings("add_rn(mul_rn(a,b),c); d", device, flags)
        assert held == made and len(held) == 1
    assert readings("add(mul(a,b),c)", "h100", "") != readings("add(hold(mul(a,b)),c)", "h100", "")


def test_choices_are_numbered_by_what_is_left() -> None:
    two = mk("w_add", mk("w_mul", A, B), mk("w_mul", C, D))
    found = prepare((two, mk("w_sub", two, mk("w_mul", B, E)), mk("w_sub", mk("w_mul", A, E), mk("w_mul", D, E))), load_profile("h100"))
    sites = sorted(n.args[0].value for n in topo(*found.values) if n.args and n.args[0].sort == B32)
    assert sites == list(range(found.choices)) == [0, 1]


def test_every_written_row_lowers_to_exact_rows_and_obligations() -> None:
    for name, op in OPS.items():
        if op.kind != "written":
            continue
        for flags in ("", "-ftz=true", "-use_fast_math", "-prec-div=false -prec-sqrt=false", "-use_fast_math -ftz=false -fmad=false"):
            profile = load_profile("h100", flags)
            if ("w_div_" in name and name != "w_div_rn" and profile.division == "ieee") or (name.startswith("w_rcp_") and name != "w_rcp_rn" and profile.ftz):
                continue
            args = [const_int(B32, 0) if s == B32 else var(f"x{i}", F32) for i, s in enumerate(op.args)]
            kinds = {OPS[n.op].kind for n in topo(lower(mk(name, *args), profile, (True,))) if n.args}
            assert kinds <= {"exact", "obligation"}, (name, flags)


def test_print_the_score() -> None:
    """How many rows of facts 2.2 are expressed, and how many of them leave one reading only."""
    certain = sum(not bits for _, _, bits in CONTRACTION)
    print(f"contraction rows: {len(CONTRACTION)}, with one reading: {certain}; rewrites: {len(REWRITES)}; unfused: {len(UNFUSED)}")
    assert certain >= 55


@pytest.mark.parametrize(("text", "value"), [
    ("(v>0 ? v*1.5f : v*0.1f) + b", mk("w_add", mk("select", mk("w_lt", const(0.0), A), mk("w_mul", A, const(1.5)), mk("w_mul", A, const(0.1))), B)),
    ("fabsf(v*v) + b", mk("w_add", mk("w_abs", mk("w_mul", A, A)), B)),
    ("(c-t)*(t+t) with t = v*b", mk("w_mul", mk("w_sub", C, mk("w_mul", A, B)), mk("w_add", mk("w_mul", A, B), mk("w_mul", A, B)))),
])
def test_products_that_the_compiler_finds_or_leaves_are_a_choice(text: str, value: Expr) -> None:
    """nvcc 13.0.88 factors the first and fuses it, drops the absolute value of the second and fuses it, and fuses nothing in the third."""
    found = prepare((value,), load_profile("h100"))
    assert found.choices > 0, text
    assert prepare((value,), load_profile("h100", "-fmad=false")).choices == 0, text
