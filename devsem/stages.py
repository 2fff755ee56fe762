"""Any stage of a kernel as a readable text, with what it is in its first lines: `devsem show`.

| stage | what |
|---|---|
| source | the device text that the compiler gets |
| program | the text as a thread program, in the operations that are written |
| ptx | what NVRTC makes of it |
| machine | the PTX after ptxas' rule: nothing left to choose; what is fused or replaced is marked |
| sass | the machine code, by nvdisasm |
| expr | what a thread loads and stores, as written and as compiled |
| lean | the theorem that a verdict gives to Lean, or the evaluation of a witness |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from devsem import decide, leangrid, program, safety
from devsem.errors import Rejected, UsageError
from devsem.expr import Expr, show as show_expr, topo
from devsem.frontend import sass
from devsem.frontend.device_text import device_text
from devsem.frontend.ptx_ast import Function, Instruction
from devsem.frontend.spec import load_spec
from devsem.goal import make_goal, parse_launch
from devsem.profile import Profile
from devsem.readings import Compiled, Made, disassembled, is_ptx, make, read_compiled, read_written
from devsem.reference import resolve
from devsem.request import Request
from devsem.symbolic import Stores

LONG = 100          # characters of an expression in one line; a longer one gets a line for each shared part
SECONDS = 20.0


@dataclass(frozen=True)
class Asked:
    """What is to be shown: a kernel on a device, with a spec where the stage needs one."""

    kernel: Path
    function: str | None
    profile: Profile
    toolkit: str | None
    request: Request | None


def show(stage: str, asked: Asked) -> str:
    """The text of one stage. UsageError for what this device, kernel or command does not have; Rejected as the readings raise it."""
    if stage not in STAGES:
        raise UsageError(f"there is no stage {stage!r}; the stages are {', '.join(STAGES)}")
    return "\n".join(STAGES[stage](asked)).rstrip("\n") + "\n"


def _head(comment: str, asked: Asked, what: str) -> str:
    p = asked.profile
    return f"{comment} {asked.kernel}: {what}; {p.name} ({p.arch or 'no device'}), flags {p.flags or '(none)'}"


def _text(asked: Asked) -> str:
    if is_ptx(asked.kernel):
        raise UsageError(f"{asked.kernel} is PTX: it has the stages ptx, machine, expr and lean")
    return device_text(asked.kernel.read_bytes(), str(asked.kernel))


def _made(asked: Asked) -> Made | None:
    """What NVRTC makes of the kernel; None of PTX, which is there."""
    if not asked.profile.arch:
        raise UsageError(f"the profile {asked.profile.name} is no device, so nothing is compiled for it: --device h100, for one")
    return None if is_ptx(asked.kernel) else make(asked.kernel, _text(asked), asked.profile, asked.toolkit)


def _compiled(asked: Asked, code: bool = False) -> Compiled:
    made = _made(asked)
    if made is not None and code:
        made = replace(made, code=disassembled(made.cubin))
    return read_compiled(asked.kernel, asked.function, asked.profile, asked.toolkit, made)


def _source(asked: Asked) -> Iterator[str]:
    yield from _text(asked).splitlines()


def _program(asked: Asked) -> Iterator[str]:
    _text(asked)
    yield _head("#", asked, "the text as a thread program")
    yield program.show(read_written(asked.kernel, asked.function).program)


def _ptx(asked: Asked) -> Iterator[str]:
    made = _made(asked)
    yield _head("//", asked, made.compiler if made else "as it is")
    yield made.ptx if made else asked.kernel.read_text(encoding="utf-8")


def _machine(asked: Asked) -> Iterator[str]:
    compiled = _compiled(asked)
    yield _head("//", asked, f"{compiled.compiler}, and ptxas' rule, {'confirmed' if compiled.confirmed else 'not confirmed'}")
    lines = asked.kernel.read_text(encoding="utf-8", errors="replace").splitlines() if is_ptx(asked.kernel) else compiled.ptx.splitlines()
    yield from _marked(compiled.entry, lines)


def _marked(function: Function, ptx: Sequence[str]) -> Iterator[str]:
    """The function's instructions; one that is not what the PTX has at its place is marked with what stands there."""
    yield f"{'.entry' if function.entry else '.func'} {function.name}({', '.join(f'.{p.type} {p.name}' for p in function.params)})"
    for s in function.body:
        there = " ".join(ptx[s.where.line - 1].split("//")[0].split()).rstrip(";") if 0 < s.where.line <= len(ptx) else ""
        if not isinstance(s, Instruction):
            yield str(s)
        elif _packed(there) in (_packed(str(s)), _packed(_bare(s))):
            yield f"    {s};"
        else:
            yield f"    {str(s) + ';':54} // the PTX: {there}"


def _packed(text: str) -> str:
    return "".join(text.split())


def _bare(i: Instruction) -> str:
    """A product or a sum whose rounding is spelled out because it is fused with nothing, as the PTX has it."""
    rounded = i.opcode in ("mul", "add", "sub") and i.modifiers[:1] == ("rn",)
    return str(replace(i, modifiers=i.modifiers[1:])) if rounded else str(i)


def _sass(asked: Asked) -> Iterator[str]:
    if is_ptx(asked.kernel):
        raise UsageError(f"{asked.kernel} is PTX, which is not assembled here: give CUDA text")
    if sass.nvdisasm_path() is None:
        raise UsageError(f"machine code is read with the package {sass.PACKAGE}, which is not installed: pip install {sass.PACKAGE}")
    compiled = _compiled(asked, code=True)
    yield _head("//", asked, compiled.compiler)
    yield from compiled.sass


def _expr(asked: Asked) -> Iterator[str]:
    if not is_ptx(asked.kernel):
        yield _head("#", asked, "as written")
        yield from _or_why(lambda: _stores(read_written(asked.kernel, asked.function).stores))
    if asked.profile.arch:
        yield _head("#", asked, "as compiled")
        yield from _or_why(lambda: _each(_compiled(asked)))


def _or_why(lines: Callable[[], Iterator[str]]) -> Iterator[str]:
    """The lines, or why there are none: the other reading may have some."""
    try:
        yield from tuple(lines())
    except Rejected as rejected:
        yield f"not read: {rejected.rejections[0]}"


def _each(compiled: Compiled) -> Iterator[str]:
    for number, stores in enumerate(compiled.admissible):
        if number:
            yield f"# or, by another choice that the machine code leaves open ({number + 1} of {len(compiled.admissible)})"
        yield from _stores(stores)
    yield from (f"# assumes {note}" for note in compiled.notes)


def _stores(stores: Stores) -> Iterator[str]:
    """What a thread loads and stores. A part that is used more than once, or long, has a name."""
    for x in stores.loads:
        yield f"{x.variable.name} = {x.buffer}[{show_expr(x.index)}]"
    for y in stores.stores:
        names: dict[Expr, str] = {}
        yield from _parts(y.value, names)
        yield f"{y.buffer}[{show_expr(y.index)}] = {_named(y.value, names)}"
        yield f"    when {show_expr(y.guard)}"


def _parts(value: Expr, names: dict[Expr, str]) -> Iterator[str]:
    if len(show_expr(value)) <= LONG:
        return
    uses = Counter(a for n in topo(value) for a in n.args)
    for n in topo(value):
        if n.args and n is not value and uses[n] > 1:
            text = _named(n, names)
            names[n] = f"t{len(names)}"
            yield f"{names[n]} = {text}"


def _named(e: Expr, names: Mapping[Expr, str]) -> str:
    if e in names:
        return names[e]
    return show_expr(e) if not e.args else f"{e.op}({', '.join(_named(a, names) for a in e.args)})"


def _lean(asked: Asked) -> Iterator[str]:
    """The text that a verdict gives to Lean; it is not checked here."""
    if asked.request is None:
        raise UsageError("the theorem is about a spec: add --spec SPEC")
    request = asked.request
    spec, launch = load_spec(str(request.spec), timeout=max(request.timeout, 120.0)), parse_launch(request.launch)
    if not asked.profile.arch:
        stores = read_written(asked.kernel, asked.function).stores
        goal = make_goal(stores, spec, request.bind, launch, (), str(asked.kernel))
        decision = decide.decide(goal, asked.profile, request.equality, SECONDS, lambda _: nullcontext())
    else:
        compiled = _compiled(asked)
        resolved = resolve(spec, request.reference, asked.profile.arch, asked.toolkit)
        goals = [make_goal(s, resolved, request.bind, launch, (), str(asked.kernel)) for s in compiled.admissible]
        values = tuple(dict.fromkeys(tuple(o.written for o in g.outputs) for g in goals))
        goal, stores = goals[0], compiled.admissible[0]
        decision = decide.decide_compiled(goal, asked.profile, values, request.equality, SECONDS, lambda _: nullcontext())
    if not leangrid.is_thread_number(goal) or safety.check(goal, stores).verdict != "PASS":
        raise UsageError(f"there is no theorem, since the safety gate does not pass {asked.kernel}; `devsem verify` says why")
    if decision.lean is None:
        raise UsageError(f"there is no theorem: {decision.verdict}: {decision.reason}")
    yield decision.lean.text


STAGES: Mapping[str, Callable[[Asked], Iterator[str]]] = {
    "source": _source, "program": _program, "ptx": _ptx, "machine": _machine, "sass": _sass, "expr": _expr, "lean": _lean}
