"""What a spec's operators mean once a device is chosen: `resolve` gives the spec in instructions, with no function left to assume.

- `ieee`: each PyTorch operation is rounded by itself; a library function is CUDA's accurate one, as the compiler expands it.
- `eager`: each operator is PyTorch's CUDA kernel, compiled by itself with nvcc's default flags; between operators a tensor is float32.

Approximate instructions stay: `D.ex2_approx_ftz` on the kernel's side, `S.ex2_approx_ftz` here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from devsem.aten_eager import eager_row
from devsem.aten_eager_rows import EAGER, Applied, Formula
from devsem.aten_rows import AtenRow, Call, Refused
from devsem.compiled import Body, compile_formulas, library_formula
from devsem.errors import Bug, Rejected
from devsem.expr import Expr, const_int, fold, mk, rebuild, topo, var
from devsem.frontend.spec import Reference, Spec, ieee, translate
from devsem.frontend.toolkits import choose_toolkit
from devsem.ops import B32, F32, LIBM1, LIBM2
from devsem.ptx_bits import FIRST_SITE
from devsem.ptx_symbolic import NAN_NOTE
from devsem.simplify import make, resimplify

LIBRARY = frozenset(f"S.{name}" for name in (*LIBM1, *LIBM2))
NAN_WORD = const_int(B32, 0x7FFFFFFF)
COMPUTED = ("add_r", "sub_r", "mul_r", "div_r", "fma_r", "sqrt_r")
NO_ROW = "its CUDA kernel is not in the table of `--reference eager`"


def resolve(spec: Spec, reference: Literal["ieee", "eager"], arch: str, toolkit: str | None = None) -> Spec:
    """The spec as compiled for `arch` ("sm_90") by `toolkit` ("13.0"; None: the newest installed), with notes for the verdict.

    Raises Rejected (`spec.eager`) where an operator's CUDA kernel is not known or its code cannot be read, and UsageError without NVRTC."""
    version = choose_toolkit(toolkit)
    return _eager(spec, arch, version) if reference == "eager" else _ieee(spec, arch, version)


def _ieee(spec: Spec, arch: str, version: str) -> Spec:
    """Library functions expanded; one whose code cannot be read stays a named function."""
    names = sorted({n.op[2:] for n in topo(*spec.outputs) if n.op in LIBRARY})
    found = compile_formulas(map(library_formula, names), arch, version) if names else {}
    bodies = {f"S.{name}": b for name in names if isinstance(b := found[library_formula(name)], Body)}

    payloads = Payloads.of(spec)

    def step(node: Expr, args: tuple[Expr, ...]) -> Expr:
        return at(bodies[node.op], args, payloads) if node.op in bodies else rebuild(node, args)

    done = fold(spec.outputs, step)
    made = [f"the spec's {row[2:]} is CUDA's, as NVRTC {version} compiles it for {arch}" for row in bodies]
    notes = _joined(spec.assumptions, made, *(b.notes for b in bodies.values()), payloads.notes)
    return replace(spec, outputs=tuple(done[o] for o in spec.outputs), assumptions=notes)


def _eager(spec: Spec, arch: str, version: str) -> Spec:
    """Every operator by its CUDA kernel: the formulas are collected first and compiled together."""
    if spec.captured is None:
        raise Bug("a spec without its captured graph has no eager reference")
    path, graph = spec.captured.path, spec.captured.graph
    wanted: dict[Formula, None] = {}

    def collect(row: AtenRow, call: Call) -> tuple[Expr, tuple[str, ...]]:
        plan = _plan(row, call)
        if isinstance(plan, Applied):
            wanted[plan.formula] = None
        return ieee(row, call)

    translate(path, graph, Reference(_has, EAGER, NO_ROW, collect))
    bodies, payloads = compile_formulas(wanted, arch, version), Payloads.of(spec)

    def build(row: AtenRow, call: Call) -> tuple[Expr, tuple[str, ...]]:
        found, plan = eager_row(row.name), _plan(row, call)
        assumed = (found.assumption,) if found and found.assumption and found.when(call) else ()
        return (plan if isinstance(plan, Expr) else _applied(plan, bodies, payloads)), assumed

    note = f"each PyTorch operator is its CUDA kernel, as NVRTC {version} compiles its formula for {arch} with nvcc's default flags"
    made = translate(path, graph, Reference(_has, EAGER, NO_ROW, build))
    return replace(made, assumptions=_joined(made.assumptions, [note], *(b.notes for b in bodies.values() if isinstance(b, Body)), payloads.notes))


def _joined(*groups: Iterable[str]) -> tuple[str, ...]:
    """Notes in order, each once."""
    return tuple(dict.fromkeys(note for group in groups for note in group))


def _has(name: str) -> bool:
    return eager_row(name) is not None


def _plan(row: AtenRow, call: Call) -> Applied | Expr:
    found = eager_row(row.name)
    if found is None:
        raise Refused(NO_ROW, EAGER)
    return found.plan(call)


def _applied(plan: Applied, bodies: Mapping[Formula, Body | Rejected], payloads: Payloads) -> Expr:
    """A compiled formula at a call's arguments."""
    body = bodies[plan.formula]
    if isinstance(body, Rejected):
        raise Refused(f"its CUDA kernel, as compiled, is not read: {body.rejections[0].message}", EAGER)
    return at(body, plan.args, payloads)


def at(body: Body, args: Sequence[Expr], payloads: Payloads) -> Expr:
    """A body on the reference's side at these arguments, in the order of its parameters, and what that makes constant worked out."""
    value = payloads.own(reference_side(body.value))
    put = dict(zip((var(name, F32) for name in body.params), args, strict=True))
    used = frozenset(topo(value))
    for n, (v, x) in enumerate(tuple(put.items())):
        node = mk("S.nan_bits", const_int(B32, n), v)
        if node in used:
            put[node] = payloads.bits(x)
            if put[node] is NAN_WORD:       # the whole word is then the number's bits
                put[mk("select_b32", mk("is_nan", v), node, mk("bits_of", v))] = make("bits_of", x)
    return resimplify(value, put)


@dataclass
class Payloads:
    """The bits of NaNs, which `S.nan_bits(key, x)` leaves open: one key for each of the spec's inputs, and one for each place that hands on a NaN
    which it did not compute, so that no two are taken to be equal. What is computed has 0x7fffffff, and then `notes` says so."""

    inputs: Mapping[Expr, int]
    sites: int = FIRST_SITE
    notes: tuple[str, ...] = ()

    @staticmethod
    def of(spec: Spec) -> Payloads:
        """Nothing seen yet but the inputs."""
        return Payloads({var(i.name, F32): n for n, i in enumerate(spec.inputs)})

    def key(self) -> Expr:
        """A key that nothing else has."""
        self.sites += 1
        return const_int(B32, self.sites - 1)

    def own(self, value: Expr) -> Expr:
        """A formula with keys of its own for its places."""
        keys: dict[Expr, Expr] = {}

        def one(node: Expr, args: tuple[Expr, ...]) -> Expr:
            if node.op != "S.nan_bits" or node.args[0].value < FIRST_SITE:
                return rebuild(node, args)
            if node.args[0] not in keys:
                keys[node.args[0]] = self.key()
            return mk(node.op, keys[node.args[0]], args[1])
        return fold((value,), one)[value]

    def bits(self, x: Expr) -> Expr:
        """What a tensor's element has in memory where it is NaN."""
        if x in self.inputs:
            return mk("S.nan_bits", const_int(B32, self.inputs[x]), x)
        if x.op == "select":
            return make("select_b32", x.args[0], self.bits(x.args[1]), self.bits(x.args[2]))
        if not (x.is_const or x.op.startswith(COMPUTED) or "_approx" in x.op):
            return mk("S.nan_bits", self.key(), x)
        self.notes = (NAN_NOTE,)
        return NAN_WORD


def reference_side(value: Expr) -> Expr:
    """The same expression over the reference's functions: S.f for each D.f."""
    return fold((value,), lambda n, args: mk(f"S.{n.op[2:]}", *args) if n.op.startswith("D.") else rebuild(n, args))[value]
