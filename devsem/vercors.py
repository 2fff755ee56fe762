"""A kernel with permissions, bounds and loop invariants in VerCors' notation, from the trace that the safety gate asks its questions about.

What is written is for VerCors users to run and to complete; nothing here runs VerCors, and the text says so. Integers are VerCors' unbounded ones:
that nothing wraps is the gate's part. What has no name in the source, such as a condition on a float, is left out of a permission's condition,
as the gate leaves it out, or named in a comment.

>>> print(_clause(["0 <= i", "i < n"], ["i"], "Perm(&y[i], write)"))
(\\forall* int i; 0 <= i && i < n; Perm(&y[i], write))
>>> print(_clause(["t < n"], [], "Perm(&y[t], write)"))
(t < n ==> Perm(&y[t], write))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from jinja2 import Environment, StrictUndefined

from devsem.case import plan_case
from devsem.errors import Where
from devsem.expr import Expr, const_int, mk, topo
from devsem.frontend.device_text import device_text
from devsem.frontend.host_load import PlannedKernel
from devsem.gate_facts import swap
from devsem.gate_setting import Setting
from devsem.ops import B64
from devsem.program import BUILTINS, Program
from devsem.simplify import make
from devsem.trace import trace
from devsem.trace_facts import Access, Induction, Known, Round, Traced
from devsem.vercors_text import integer

NOTE = "exported for VerCors users; not run here"
TEMPLATE = """\
// {{ note }}.
// What devsem's safety gate says of the launches below: {{ said }}
// Sizes and indices are unbounded integers here; that no index wraps is part of the gate's answer, not of this text.
// An element of an array of several dimensions is named by its number. Where two permissions name one cell, one of them has to go.
{% for line in missing %}// Not expressed: {{ line }}.
{% endfor %}{{ text }}"""
BLOCK = "/*@\n{% for line in lines %}{{ pad }}  {{ line }}\n{% endfor %}{{ pad }}@*/\n{{ pad }}"
JINJA = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)
DIMENSIONS = tuple(b for b in BUILTINS if b.name.startswith(("blockDim", "gridDim")))


def exported(kernel: PlannedKernel, said: str) -> str:
    """The device text of a file with the annotations of every kernel that its wrapper launches; `said`: what the safety gate says of them."""
    text = device_text(kernel.text[1], kernel.text[0])
    settings = (plan_case(program, kernel.plan, k).setting for k, program in enumerate(kernel.programs))
    return annotated(tuple(zip(kernel.programs, settings, strict=True)), said, text)


def annotated(kernels: Sequence[tuple[Program, Setting]], said: str, text: str) -> str:
    """The text with the annotations of its kernels, each with its launches; of a kernel that is launched more than once, for the first launch."""
    places: dict[Where, list[str]] = {}
    starts: set[Where] = set()
    missing: list[str] = []
    for program, setting in kernels:
        if program.where in starts:
            missing.append(f"another launch of {program.function}")
            continue
        starts.add(program.where)
        found = _Export(program, setting, trace(program))
        places[program.where] = found.contract()
        for r in found.trace.rounds.values():
            places.setdefault(r.where, found.invariants(r))
        for where in dict.fromkeys(m.where for m in found.trace.meetings if m.number):
            places.setdefault(where, found.barrier(where))
        missing += found.missing
    return JINJA.from_string(TEMPLATE).render(note=NOTE, said=said, missing=list(dict.fromkeys(missing)),
                                              text=_tidy(_inserted(text, starts, places)))


def _tidy(text: str) -> str:
    """Without the blank lines where host code stood."""
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)).strip("\n") + "\n"


def _inserted(text: str, kernels: set[Where], places: Mapping[Where, Sequence[str]]) -> str:
    """The text with a block before each place; a contract stands before the line with its kernel's `__global__`."""
    lines = text.encode().split(b"\n")
    for where, block in sorted(places.items(), key=lambda p: (p[0].line, p[0].column), reverse=True):
        at, column = where.line - 1, where.column - 1
        if where in kernels:
            while at > 0 and b"__global__" not in lines[at]:
                at -= 1
            column = 0
        pad = re.match(rb"\s*", lines[at])
        indent = pad[0].decode() if pad and where not in kernels else ""
        made = JINJA.from_string(BLOCK).render(lines=block, pad=indent)
        lines[at] = lines[at][:column] + made.encode() + lines[at][column:]
    return b"\n".join(lines).decode()


class _Export:
    """One kernel's annotations; `missing` grows by what has no name in the source."""

    def __init__(self, program: Program, setting: Setting, traced: Traced) -> None:
        self.program, self.setting, self.trace = program, setting, traced
        self.missing: list[str] = [f"{reason} (the gate's trace)" for reason in traced.open]
        self.names: dict[Expr, str] = {b: b.name for b in BUILTINS} | {q.expr: q.name for q in program.params if not q.is_buffer}
        for p, e in setting.scalars.items():
            inner = e.args[0] if e.op in ("wrap", "sext") else e
            if inner.is_var and inner in setting.sizes:
                self.names.setdefault(inner, p)
        self.given = [v for v in setting.sizes if v not in self.names]
        self.names |= {v: re.sub(r"\W+", "_", v.name).strip("_") for v in self.given}
        axes = [*zip(DIMENSIONS, (*setting.block, *setting.grid), strict=True)]
        self.all = " * ".join(b.name for b, e in axes if not (e.is_const and e.value == 1)) or "1"
        block = [b.name for b, e in axes[:3] if not (e.is_const and e.value == 1)]
        self.block = " * ".join(block) or "1"

    def text(self, e: Expr, names: Mapping[Expr, str] | None = None) -> str | None:
        """An integer or a condition in C's notation; None where something in it has no name."""
        return integer(e, {**self.names, **(names or {})})

    # --- permissions ---

    def permission(self, a: Access, part: str) -> str | None:
        """Permission on the cells of an access, for the threads and rounds that make it."""
        inside = [f for f in a.path if isinstance(f, Induction) and f.loop in a.loops]
        by: dict[Expr, Expr] = {}
        quantified: dict[Expr, str] = {}
        conditions: list[str] = []
        for f in inside:
            simple = all(e.is_const for e in (f.first, f.step)) and (f.first.value, f.step.value) == (0, 1)
            name = f.variable.name.split("@")[0].replace(".", "_") + ("" if simple else "_round")
            v = f.variable if simple else f.counter
            quantified[v] = name
            if not simple:
                w = f.variable.sort.lower()
                counter = f.counter if f.variable.sort == B64 else mk("wrap", f.counter)
                by[f.variable] = make(f"add_{w}", swap(f.first, by), make(f"mul_{w}", counter, swap(f.step, by)))
            conditions.append(f"0 <= {name}")
        for fact in a.path:
            e = fact if isinstance(fact, Expr) else None
            said = None if e is None else self.text(swap(e, by), quantified)
            conditions += [said] if said is not None else []
        index = self.text(swap(a.index, by), quantified)
        if index is None:
            self.missing.append(f"the {a.kind} of {a.buffer} at line {a.where.line}, whose index has no name in the text")
            return None
        unused = [n for n in quantified.values() if not re.search(rf"\b{n}\b", index)]     # the same cell in every round: permission once
        kept = [c for c in conditions if not any(re.search(rf"\b{n}\b", c) for n in unused)]
        return _clause(kept, [n for n in quantified.values() if n not in unused], f"Perm(&{a.buffer}[{index}], {part})")

    def cells(self, accesses: Iterable[Access], shared: bool) -> list[str]:
        """What the threads may touch in these accesses: write permission on what they write, a fraction of what they read."""
        chosen = [a for a in accesses if (a.space == "shared") == shared and a.space != "local" and a.kind != "aligned"]
        whole = self.block if shared else self.all
        out: dict[str, None] = {}
        for buffer in dict.fromkeys(a.buffer for a in chosen):
            of = [a for a in chosen if a.buffer == buffer]
            if any(a.kind == "write" for a in of):
                writes = [c for a in of if a.kind == "write" and (c := self.permission(a, "write")) is not None]
                reads = [c for a in of if a.kind == "read" and (c := self.permission(a, "write")) is not None and c not in writes]
                out |= dict.fromkeys([*writes, *(_last(c, f"write \\ ({whole})") for c in reads)])
            else:
                out[f"(\\forall* int i; 0 <= i && i < {self.length(buffer)}; Perm(&{buffer}[i], write \\ ({whole})))"] = None
        return list(out)

    def length(self, buffer: str) -> str:
        """The number of a buffer's or array's elements."""
        array = next((a for a in self.program.arrays if a.name == buffer), None)
        if array is not None:
            return f"\\shared_mem_size({buffer})" if array.elements is None else str(array.elements)
        return f"\\pointer_length({buffer})"

    # --- places ---

    def contract(self) -> list[str]:
        """What holds of every thread at the kernel's beginning and end."""
        out = [f"given int {self.names[v]};" for v in self.given]
        for b, e in zip(DIMENSIONS, (*self.setting.block, *self.setting.grid), strict=True):
            said = self.text(e)
            out.append(f"context {b.name} == {said};" if said is not None else f"context {b.name} >= 1;")
        for v, (low, high) in self.setting.sizes.items():
            out.append(f"context {low} <= {self.names[v]} && {self.names[v]} <= {high};")
        for c in self.setting.conditions:
            said = self.text(c)
            out += [f"context {said};"] if said is not None else []
            self.missing += [] if said is not None else ["a condition of the host's code"]
        for p, e in self.setting.scalars.items():
            said = self.text(e)
            out += [f"context {p} == {said};"] if said not in (None, p) else []
        for p, buffer in self.setting.buffers.items():
            elements = const_int(B64, 1)
            for d in buffer.dims:
                elements = make("mul_b64", elements, d)
            out += [f"context {p} != NULL;", f"context \\pointer_length({p}) == {self.text(elements)};"]
        for a in self.program.arrays:
            bytes_ = self.text(self.setting.shared_bytes)
            out += [f"context \\shared_mem_size({a.name}) == ({bytes_}) / {8 if a.sort == B64 else 4};"] if a.elements is None and bytes_ else []
        out += [f"context {c};" for c in self.cells(self.trace.accesses, shared=False)]
        first = [a for a in self.trace.accesses if any(t.barrier == 0 for t in a.tags)]
        return [*out, *(f"requires {c};" for c in self.cells(first, shared=True))]

    def invariants(self, r: Round) -> list[str]:
        """What holds before each round of a loop."""
        mine = {v: v.name.split("@")[0] for f in r.inductions for v in (f.variable,) if "." not in v.name}
        mine |= {v: v.name.split("@")[0] for f in r.before if isinstance(f, Known) for v in topo(f.holds) if v.is_var and self.trace.owner.get(v) == r.number}
        out: list[str] = []
        for f in r.inductions:
            out += self._induction(r, f, mine)
        out += [said for f in r.before if not isinstance(f, Induction)
                and (said := self.text(f.holds if isinstance(f, Known) else f, mine)) is not None]
        inside = [a for a in self.trace.accesses if r.number in a.loops]
        if r.barriers:
            shared = [a for a in inside if any(r.number in t.first | t.later for t in a.tags)]
        else:
            tags = {t.barrier for a in inside for t in a.tags}
            shared = [a for a in self.trace.accesses if any(t.barrier in tags for t in a.tags)]
        kept = [*self.cells(self.trace.accesses, shared=False), *self.cells(shared, shared=True)]
        return [f"loop_invariant {line};" for line in dict.fromkeys([*out, *kept])]

    def _induction(self, r: Round, f: Induction, mine: Mapping[Expr, str]) -> Iterator[str]:
        """The bounds of a variable that grows by the same step in every round."""
        name, first, step = self.text(f.variable, mine), self.text(f.first, mine), self.text(f.step, mine)
        if name is None or first is None or step is None:
            return
        width = 32 if f.step.sort != B64 else 64
        falling = f.step.is_const and bool(f.step.value >> (width - 1))
        yield f"{name} <= {first}" if falling else f"{first} <= {name}"
        if step not in ("1", "-1"):
            yield f"({name} - ({first})) % ({step}) == 0"
        before = make(f"sub_{f.variable.sort.lower()}", f.variable, f.step)
        said = self.text(swap(r.condition, {f.variable: before}), mine)
        if said is not None:
            yield f"({name} == {first} || {said})"

    def barrier(self, where: Where) -> list[str]:
        """What threads hand over at a barrier: what they touched before it for what they touch after it."""
        here = [m for m in self.trace.meetings if m.where == where and m.number]
        out = [f"context {c};" for c in self.cells(self.trace.accesses, shared=False)]
        if len(here) > 1:
            self.missing.append(f"what the barrier of line {where.line} hands over in each of the {len(here)} rounds that the gate wrote out")
            return out
        before = {t.barrier for m in here for t in m.tags}
        heads = {-b for b in before if b < 0}        # the beginning of a round of these loops
        ended = [a for a in self.trace.accesses if a.number < here[0].after
                 and any(t.barrier in before or (t.first | t.later) & heads & set(a.loops) for t in a.tags)]
        begun = [a for a in self.trace.accesses if any(t.barrier == here[0].number for t in a.tags)]
        return [*out, *(f"requires {c};" for c in self.cells(ended, shared=True)), *(f"ensures {c};" for c in self.cells(begun, shared=True))]


def _last(clause: str, part: str) -> str:
    """The clause with a fraction for its `write`."""
    head, _, tail = clause.rpartition(", write)")
    return f"{head}, {part}){tail}"


def _clause(conditions: Sequence[str], quantified: Sequence[str], permission: str) -> str:
    """A permission under conditions, for all values of the quantified variables."""
    under = " && ".join(dict.fromkeys(conditions))
    if quantified:
        return f"(\\forall* {', '.join(f'int {q}' for q in quantified)}; {under}; {permission})"
    return f"({under} ==> {permission})" if conditions else permission
