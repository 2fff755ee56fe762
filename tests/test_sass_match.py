"""Predictions are confirmed in the machine code that NVRTC makes, and nothing else is: every other choice and every changed operation is told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from devsem.frontend import ptx_graph
from devsem.frontend.machine_flow import UNDEFINED, Reach, Step
from devsem.frontend.machine_graph import Graph, classes, signed
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function, Immediate, Instruction, Register
from devsem.frontend.ptx_flow import Flow
from devsem.frontend.ptxas import Machine, machine
from devsem.frontend.sass import SassFunction, disassemble, nvdisasm_path
from devsem.frontend.sass_match import compare, confirm

needs_nvdisasm = pytest.mark.skipif(nvdisasm_path() is None, reason="needs nvidia-cuda-nvdisasm")
HEAD = ('extern "C" __global__ void k{}(const float* __restrict__ p, const float* __restrict__ q, float* __restrict__ o, int n) {{\n'
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) {{ float a = p[i], b = p[i + n], c = q[i], d = q[i + 1], e = p[3];\n  {} }} }}\n")
BODIES = (
    "o[i] = a * b + c * d;", "o[i] = a * b - c;", "o[i] = c - a * b;", "o[i] = -(a * b) - c;", "o[i] = a * b - c * d;",
    "float t = a * b; o[i] = (t + c) * (t - d);", "float t = a * b; o[i] = t; o[i + n] = t - c;", "float x = a * b, s = x + c; o[i] = c - (s - x);",
    "float t = a * b, u = c * d; o[i] = t - u; o[i + n] = u - e;", "o[i] = a / b - c;", "o[i] = __fdividef(a, b) - c;",
    "o[i] = a > 0.f ? a * b - c : c * d - b;",

    "o[i] = sqrtf(a) * b - c;", "o[i] = expf(a) - b;", "o[i] = fminf(fmaxf(a * b - c, 0.f), 1.f);", "o[i] = 1.f / (1.f + __expf(-a));",
    "o[i] = a <= 0.f ? 0.f : a;", "o[i] = a - b < 0.f ? a * c - d : e;", "o[i] = tanhf(a * b - c);", "o[i] = logf(a) * b - c;",
    "if (a > b) { a = a * c - d; b = a * b; } o[i] = a - b;", "o[i] = fabsf(a * a) - b;", "o[i] = floorf(a * b - c);", "o[i] = rsqrtf(a) - __logf(b) * c;",
    "o[i] = __fmul_rn(a, b) - c;", "o[i] = a * b * e - c;", "float4 v = *(const float4*)q; o[i] = v.x * v.y - v.z * v.w;", "o[i] = -(a * b);",
)
POWERS = tuple(f"o[i] = powf({x});" for x in ("a, b", "a, 2.f", "a, 3.f", "a, 0.5f", "a, -0.5f", "a, 1.f / 3.f", "a, 2.f) + powf(b, 3.f", "fabsf(a), b"))
EVERY = [(arch, flags) for arch in ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120") for flags in ("", "-ftz=true", "-fmad=false", "-use_fast_math")]
QUICK = [("sm_90", ""), ("sm_100", "-ftz=true")]
UNFLUSHED = [x for x in EVERY if x != QUICK[0] and x[1] in ("", "-fmad=false")]


@cache
def compiled(arch: str, flags: str, bodies: tuple[str, ...] = BODIES) -> dict[str, tuple[Function, SassFunction]]:
    """PTX and machine code of every body."""
    found = compile_device("".join(HEAD.format(k, body) for k, body in enumerate(bodies)), file="k.cu", arch=arch, options=nvrtc_options(flags))
    code = {f.name: f for f in disassemble(found.cubin)}
    return {f.name: (f, code[f.name]) for f in parse(found.ptx, "k.ptx").functions}


def predicted(f: Function, arch: str, flags: str) -> Machine:
    return machine(f, arch=arch, fmad="-fmad=false" not in flags)


def agree(arch: str, flags: str, bodies: tuple[str, ...] = BODIES) -> None:
    for k, body in enumerate(bodies):
        f, code = compiled(arch, flags, bodies)[f"k{k}"]
        found = confirm(predicted(f, arch, flags).function, code, arch=arch)
        assert found.confirmed and not found.reason, f"{body}: {found.reason}"


@needs_nvdisasm
@pytest.mark.parametrize(("arch", "flags"), QUICK)
def test_predictions_are_confirmed(arch: str, flags: str) -> None:
    agree(arch, flags)


@needs_nvdisasm
@pytest.mark.slow
@pytest.mark.parametrize(("arch", "flags"), [x for x in EVERY if x not in QUICK])
def test_predictions_are_confirmed_everywhere(arch: str, flags: str) -> None:
    agree(arch, flags)


@needs_nvdisasm
@pytest.mark.parametrize(("arch", "flags"), [QUICK[0], *(pytest.param(*x, marks=pytest.mark.slow) for x in UNFLUSHED)])
def test_powers_are_confirmed(arch: str, flags: str) -> None:
    agree(arch, flags, POWERS)


@needs_nvdisasm
def test_another_choice_is_not_confirmed() -> None:
    """Of all admissible choices exactly the predicted one is in the code."""
    tried = 0
    for f, code in compiled("sm_90", "").values():
        m = predicted(f, "sm_90", "")
        for choice in m.choices():
            function = m.choose(choice)
            assert confirm(function, code, arch="sm_90").confirmed == (function == m.function), choice
            tried += 1
    assert tried > 60


def mutants(f: Function) -> Iterator[tuple[Instruction, Function]]:
    """The function with one float operation changed: its flush, its rounding, a sign, an operand, a constant, its kind."""
    flow = Flow(f)
    for n, i in flow.instructions():
        if n not in flow.live or i.modifiers[-1:] != ("f32",) or i.opcode in ("ld", "st", "mov", "copysign", "cvt", "div", "sqrt", "rcp"):
            continue
        changed = []
        if i.opcode in ("fma", "mul", "add", "sub"):
            changed.append(replace(i, modifiers=tuple({"rn": "rz", "rm": "rp"}.get(m, m) for m in i.modifiers)))
            flush = tuple(m for m in i.modifiers if m != "ftz") if "ftz" in i.modifiers else (*i.modifiers[:-1], "ftz", "f32")
            changed.append(replace(i, modifiers=flush))
        if i.opcode in ("fma", "add"):
            changed.append(replace(i, operands=(i.operands[0], i.operands[-1], *i.operands[2:-1], i.operands[1])))
            if i.opcode == "add":
                changed[-1] = replace(i, opcode="sub")
        if i.opcode in ("max", "min"):
            changed.append(replace(i, opcode={"max": "min", "min": "max"}[i.opcode]))
        for k, o in enumerate(i.operands):
            if isinstance(o, Immediate) and o.kind == "f32" and o.value & 0x7FFFFFFF:
                changed.append(replace(i, operands=(*i.operands[:k], Immediate(o.value ^ 1, "f32"), *i.operands[k + 1:])))
        yield from ((i, replace(f, body=(*f.body[:n], c, *f.body[n + 1:]))) for c in changed)


@needs_nvdisasm
@pytest.mark.parametrize(("arch", "flags"), QUICK)
def test_a_changed_operation_is_not_confirmed(arch: str, flags: str) -> None:
    """Every operation counts, except where the machine code has the same value: none of these bodies has such a place."""
    tried, missed = 0, []
    for k, body in enumerate(BODIES):
        f, code = compiled(arch, flags)[f"k{k}"]
        for i, mutant in mutants(predicted(f, arch, flags).function):
            tried += 1
            if confirm(mutant, code, arch=arch).confirmed:
                missed.append(f"{body}: {i}")
    assert tried > 150 and not missed, missed


@needs_nvdisasm
def test_what_is_not_understood_is_said() -> None:
    text = ('extern "C" __global__ void k(const float* a, float* o) { o[0] = atomicAdd(o + 1, a[0]); }\n'
            'extern "C" __global__ void m(const double* a, float* o) { o[0] = (float)a[0]; }\n'
            'extern "C" __global__ void t(float* a, float* o) { float x = a[0]; o[1] = 2.f; if (x > 0.f) o[0] = x * a[0]; }\n')
    found = compile_device(text, file="k.cu", arch="sm_90", options=())
    code = {f.name: f for f in disassemble(found.cubin)}
    reasons = {f.name: confirm(predicted(f, "sm_90", "").function, code[f.name], arch="sm_90") for f in parse(found.ptx, "k.ptx").functions}
    assert not any(r.confirmed for r in reasons.values())
    assert "atom" in reasons["k"].reason and "ld.global.f64" in reasons["m"].reason and "two loads of one place" in reasons["t"].reason


@needs_nvdisasm
def test_a_second_load_is_another_value() -> None:
    """The store between them may change it: which of the two is squared is told apart."""
    text = 'extern "C" __global__ void k(float* a, float* o) { float x = a[0]; o[1] = 2.f; o[0] = x * x - a[0]; }'
    found = compile_device(text, file="k.cu", arch="sm_90", options=())
    f, (code,) = predicted(parse(found.ptx, "k.ptx").functions[0], "sm_90", "").function, disassemble(found.cubin)
    first, second = (str(i.operands[0]) for i in f.instructions() if i.mnemonic == "ld.global.f32")
    other = {first: second, second: first}

    def exchanged(i: Instruction) -> Instruction:
        return replace(i, operands=tuple(replace(o, name=other.get(str(o), str(o))) if isinstance(o, Register) else o for o in i.operands))

    assert confirm(f, code, arch="sm_90").confirmed
    body = tuple(exchanged(i) if isinstance(i, Instruction) and i.opcode in ("fma", "neg") else i for i in f.body)
    assert body != f.body and not confirm(replace(f, body=body), code, arch="sm_90").confirmed


@needs_nvdisasm
def test_an_unrolled_loop_is_not_confirmed() -> None:
    """ptxas fuses from the second round on, which no text of the loop says (docs/PTXAS.md)."""
    text = ('extern "C" __global__ void k(const float* a, float* o, int n, float b) { float x = 0.f;\n'
            "for (int i = 0; i < n; ++i) x = (x - a[i]) * b; o[0] = x; }\n")
    found = compile_device(text, file="k.cu", arch="sm_90", options=())
    m = predicted(parse(found.ptx, "k.ptx").functions[0], "sm_90", "")
    assert m.limits and not confirm(m.function, disassemble(found.cubin)[0], arch="sm_90").confirmed


def test_reaching_definitions_know_guards() -> None:
    """0: R=, 1: @P R=, 2: @!P R=, 3: P=, 4: @P uses R, 5: uses R."""
    steps = [Step(("R",), "", ((1, ""),)), Step(("R",), "P", ((2, ""),)), Step(("R",), "!P", ((3, ""),)), Step(("P",), "", ((4, ""),)),
             Step((), "P", ((5, ""),)), Step((), "", ())]
    reach = Reach(steps)
    assert reach("R", 2) == {0} and reach("R", 3) == {1, 2} and reach("R", 4) == {1, 2} and reach("R", 5) == {1, 2}
    assert reach("R", 3, frozenset({"P"})) == {2} and reach("R", 3, frozenset({"!P"})) == {1}
    assert reach("Q", 5) == {UNDEFINED}
    branch = [Step(("R",), "", ((1, ""),)), Step((), "", ((2, "!P"), (3, "P"))), Step(("R",), "", ((3, ""),)), Step((), "", ())]
    needed = [Step(("P",), "", ((1, ""),)), Step(("Q",), "", ((2, ""),), (("Q", "P"),)), Step(("R",), "", ((3, ""),)), Step(("R",), "P", ((4, ""),)),
              Step((), "Q", ((5, ""),)), Step(("P",), "", ((6, ""),)), Step((), "Q", ())]
    assert Reach(needed)("R", 4) == {3} and Reach(needed)("R", 4, frozenset({"P"})) == set() and Reach(needed)("R", 6) == {2, 3}
    assert Reach(branch)("R", 3) == {0, 2} and Reach(branch)("R", 3, frozenset({"P"})) == {2}


def test_graphs_with_loops_are_compared() -> None:
    """x = x * a, and the same loop unrolled once; not x = x + a."""
    def loop(times: int, kind: str) -> Graph:
        g = Graph()
        a, start, hole = g.leaf("load", "a"), g.number(0x3F800000), g.hole()
        first = x = start | frozenset({replace(next(iter(start)), node=hole)})
        for _ in range(times):
            x = g.node((kind,), x | (first - first), a, alike=2)
        g.fill(hole, x)
        g.stores["o"] = set(x)
        return g

    assert compare(loop(1, "mul"), loop(1, "mul")).confirmed
    assert not compare(loop(1, "mul"), loop(1, "add")).confirmed
    assert not compare(loop(1, "mul"), loop(2, "mul")).confirmed


def test_equal_values_have_one_form() -> None:
    """-a * b is a * -b and |a| * |a| is a * a; min(max(x, 0), 1) is a saturation; a + -0 is a; a * 1 is a; fma(a, b, -0) is a * b."""
    g = Graph()
    a, b, one, zero, minus_zero = g.leaf("a"), g.leaf("b"), g.number(0x3F800000), g.number(0), g.number(0x80000000)
    pairs = [
        (g.mul(signed(a, True), b), g.mul(a, signed(b, True))), (g.mul(signed(a, absolute=True), signed(a, absolute=True)), g.mul(a, a)),
        (g.bound("min", False, [g.bound("max", False, [zero, g.mul(a, b)]), one]), g.sat(g.mul(b, a))), (g.add(minus_zero, a), a), (g.mul(a, one), a),
        (g.fma(a, b, minus_zero), g.mul(a, b)), (g.add(g.flushed(a), b, ftz=True), g.add(a, b, ftz=True)),
        (g.bitwise(0xB8, a, minus_zero, b), g.node(("copysign",), a, b)),
    ]
    different = [(g.mul(a, b), g.mul(a, b, ftz=True)), (g.add(zero, a), a), (g.fma(a, b, zero), g.mul(a, b)), (g.add(a, b), g.add(a, signed(b, True))),
                 (g.flushed(a), a), (g.bound("max", True, [a, b]), g.bound("max", False, [a, b])), (g.mul(a, b, "rz"), g.mul(a, b))]
    class_of = classes(g, Graph()).left

    def key(source: object) -> object:
        return {(class_of[w.node], w.negative, w.absolute) for w in source}  # type: ignore[attr-defined]

    assert all(key(x) == key(y) for x, y in pairs) and not any(key(x) == key(y) for x, y in different)


def test_parameters_lie_where_the_abi_says() -> None:
    text = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u32 a, .param .u64 b, .param .align 8 .b8 c[12], .param .f32 d) { ret; }"
    assert ptx_graph.offsets(parse(text, "k.ptx").functions[0].params) == {"a": 0, "b": 8, "c": 16, "d": 28}
