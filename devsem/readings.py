"""A kernel's two readings: what its text says, and what NVRTC and ptxas make of that text for one device.

The compiled one is the PTX after ptxas' contraction rule (`frontend/ptxas.py`). Where the disassembled machine code confirms the prediction
there is one reading; otherwise every choice that PTX permits is one, and a verdict has to hold for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from pathlib import Path

from devsem.errors import Rejected, Rejection, Where
from devsem.flags import effects
from devsem.frontend import nvrtc, sass
from devsem.frontend.cuda import parse_kernel, signature
from devsem.frontend.device_text import device_text
from devsem.frontend.mangled import entry_name
from devsem.frontend.nvrtc import Job, compile_device, compile_many, nvrtc_options
from devsem.frontend.ptx import decode, parse
from devsem.frontend.ptx_ast import Function, Module
from devsem.frontend.ptx_check import well_formed
from devsem.frontend.ptx_params import ptx_params
from devsem.frontend.ptxas import Machine, machine
from devsem.frontend.sass_match import confirm
from devsem.profile import Profile
from devsem.program import Param, Program, is_plain
from devsem.ptx_symbolic import notes as bit_notes, run_ptx
from devsem.rejections import rejection
from devsem.symbolic import Stores, run
from devsem.threads_doubts import doubts
from devsem.unroll import flatten

MOST_CHOICES = 64
# what a profile's fields are in the code that the compiler makes without flags
EMITTED: Mapping[str, bool | str] = {"contract": True, "ftz": False, "division": "ieee", "sqrt": "ieee", "libm": "accurate", "rewrites": True}
UNCONFIRMED = "the machine code does not confirm which products ptxas fuses ({why}), so every choice that PTX permits is decided"


@dataclass(frozen=True)
class Written:
    """The kernel as its text says."""

    program: Program
    stores: Stores


@dataclass(frozen=True)
class Compiled:
    """The kernel as compiled for one device: the text of the compiler, the predicted machine operations, and what a thread does under each
    choice that is left open. `sass` is empty where nvdisasm is not installed."""

    compiler: str
    params: tuple[Param, ...]
    ptx: str
    entry: Function
    sass: tuple[str, ...]
    confirmed: bool
    admissible: tuple[Stores, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """What the compiler made of a kernel: its PTX and that text's name, the machine code (empty of a PTX file), and its disassembly, if it was wanted."""

    ptx: str
    file: str
    compiler: str
    cubin: bytes
    code: tuple[sass.SassFunction, ...] = ()


def is_ptx(kernel: Path) -> bool:
    """Is the kernel file PTX, so that there is only the compiled reading?"""
    return kernel.suffix == ".ptx"


def read_written(kernel: Path, function: str | None) -> Written:
    """The kernel's text under clang, a pointwise one; raises Rejected."""
    return written(parse_kernel(str(kernel), kernel.read_bytes(), function))


def written(program: Program) -> Written:
    """A pointwise program with what each thread stores; raises Rejected."""
    if not is_plain(program) and (program.arrays or doubts(program) or not is_plain(flatten(program))):     # in a loop, the compiler may fuse otherwise
        raise Rejected(Rejection("cuda.sizes", program.where, "a kernel with loops, arrays, barriers or several dimensions is decided against this spec "
                                 "for a launch of fixed size only", 'give it: --launch "grid=1,1,1 block=256,1,1"'))
    return Written(program, run(program))


def _parameters(kernel: Path, function: str | None, module: Module) -> tuple[str, tuple[Param, ...]]:
    """The kernel's name and its parameters, by its text; of a PTX file, by the PTX."""
    if not is_ptx(kernel):
        found = signature(str(kernel), kernel.read_bytes(), function)
        return found.function, found.params
    names = [f.name for f in module.functions]
    name = function or (names[0] if len(names) == 1 else "")
    if name not in names:
        raise Rejected(Rejection("ptx.kernel", Where(str(kernel)), f"the kernel is one of {', '.join(names) or 'none'}", "choose with --function"))
    return name, ptx_params(next(f for f in module.functions if f.name == name))


def make(kernel: Path, text: str, profile: Profile, toolkit: str | None) -> Made:
    """Compile the kernel's device text for the profile's architecture and flags; raises Rejected. May run in several threads: no expression is made."""
    made = compile_device(text, file=str(kernel), arch=profile.arch, options=nvrtc_options(profile.flags), toolkit=toolkit)
    return _made_of(made, kernel)


def _made_of(compiled: nvrtc.Compiled, kernel: Path) -> Made:
    return Made(compiled.ptx, f"{kernel}.ptx", f"NVRTC {compiled.toolkit} for {compiled.arch}", compiled.cubin)


Key = tuple[str, str]     # what the compiler is told of a device: its architecture and the flags


def key_of(profile: Profile) -> Key:
    """The profile's key among what `begin` compiles."""
    return profile.arch, profile.flags


def begin(pool: Executor, kernel: Path, profiles: Sequence[Profile], toolkit: str | None) -> Future[Mapping[Key, Made | Rejected]]:
    """Compile the kernel for these profiles beside other work, all side by side. Each one's refusal is in the result; the future raises UsageError."""
    keys = tuple(dict.fromkeys(map(key_of, profiles)))
    try:
        text = device_text(kernel.read_bytes(), str(kernel))
    except Rejected as rejected:
        done: Future[Mapping[Key, Made | Rejected]] = Future()
        done.set_result(dict.fromkeys(keys, rejected))
        return done
    jobs = [Job(text, str(kernel), arch, nvrtc_options(flags), toolkit) for arch, flags in keys]
    return pool.submit(lambda: {k: m if isinstance(m, Rejected) else _made_of(m, kernel) for k, m in zip(keys, compile_many(jobs), strict=True)})


def disassembled(cubin: bytes) -> tuple[sass.SassFunction, ...]:
    """The machine code's kernels; none where there is no machine code, or no disassembler."""
    return sass.disassemble(cubin) if cubin and sass.nvdisasm_path() else ()


def read_compiled(kernel: Path, function: str | None, profile: Profile, toolkit: str | None, made: Made | None = None) -> Compiled:
    """What NVRTC makes of the kernel for the profile's architecture and flags, or what it has `made`; raises Rejected."""
    field, value, code = otherwise(profile)
    if field:
        raise Rejected(rejection("nvrtc.profile", Where(str(kernel)), name=profile.name, field=field, value=value, other=code))
    if is_ptx(kernel):
        made = Made(decode(kernel.read_bytes(), str(kernel)), str(kernel), "the PTX file as it is", b"")
    elif made is None:
        made = make(kernel, device_text(kernel.read_bytes(), str(kernel)), profile, toolkit)
    module = well_formed(parse(made.ptx, made.file))
    name, params = _parameters(kernel, function, module)
    entry = entry_name([f.name for f in module.functions], name)
    predicted = machine(next(f for f in module.functions if f.name == entry), arch=profile.arch, fmad=profile.contract)
    asked = bool(predicted.sites or predicted.limits)       # disassembling takes longer than compiling
    found = made.code or (disassembled(made.cubin) if asked else ())
    assembled = next((f for f in found if f.name == entry), None)
    why = _unconfirmed(predicted, assembled, profile.arch)
    functions = [predicted.function] if not why else _choices(predicted, kernel, why)
    admissible = tuple(replace(run_ptx(f, params, module.variables), function=name) for f in functions)
    notes = (f"compiled by {made.compiler}" if made.cubin else made.compiler, *((UNCONFIRMED.format(why=why),) if why else ()), *bit_notes(admissible[0]))
    sass_text = tuple(map(str, assembled.instructions)) if assembled else ()
    return Compiled(made.compiler, params, made.ptx, predicted.function, sass_text, not why, admissible, notes)


def otherwise(profile: Profile) -> tuple[str, str, str]:
    """The field in which a device does otherwise than the compiled code says (flushes without `.ftz`, for one), its value and the code's; else empty."""
    changed = effects(profile.flags)
    closed = {field: changed[field].value if field in changed else default for field, default in EMITTED.items() if field not in profile.open}
    said = ((field, getattr(profile, field), code) for field, code in closed.items())
    return next(((field, str(value).lower(), str(code).lower()) for field, value, code in said if value != code), ("", "", ""))


def _unconfirmed(predicted: Machine, code: sass.SassFunction | None, arch: str) -> str:
    """Why the prediction is not confirmed; empty if it is, or if there was nothing to predict."""
    if not predicted.sites and not predicted.limits:
        return ""
    if code is None:
        return "there is no machine code to compare: install nvidia-cuda-nvdisasm, and give CUDA text"
    return "" if (found := confirm(predicted.function, code, arch=arch)).confirmed else found.reason


def _choices(predicted: Machine, kernel: Path, why: str) -> list[Function]:
    """Every function that PTX permits; raises Rejected where they are too many, or not all known."""
    hint = "use -fmad=false, or the intrinsics __fmul_rn and __fmaf_rn"
    if predicted.limits:
        raise Rejected(Rejection("ptx.choices", Where(str(kernel)), f"what ptxas makes of the PTX is not confirmed ({why}), and not every other way is known: "
                                 f"{predicted.limits[0]}", hint))
    if predicted.count > MOST_CHOICES:
        raise Rejected(Rejection("ptx.choices", Where(str(kernel)), f"PTX leaves ptxas {predicted.count} choices, and {why}", hint))
    return [predicted.choose(c) for c in predicted.choices()]
