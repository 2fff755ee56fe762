"""One kernel under many flags, architectures and toolkits: a verdict for each cell of the matrix, and what each change did to the kernel.

    compile every cell side by side ─► read each (PTX, ptxas' rule) ─► Goal against the spec ──────► decide ─► Lean ─► Verdict
                                                                  └─► Goal against another cell ──► decide ─► Lean ─► Against

A cell is compared with those that differ from it in one thing: with the base flags, with the first architecture, with the first toolkit.
Equal goals are decided once. Lean runs beside the search, at most two at a time.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from devsem import __version__, assume, mnemonics
from devsem.audit_against import Work, against, against_text, against_values, others
from devsem.audit_cells import SCHEMA, Against, Audit, Cell, Key, digest, shortened
from devsem.audit_judge import Judge
from devsem.compare import compare
from devsem.discharge import Asked as Device, settle
from devsem.door import CLOSED
from devsem.errors import Rejected, UsageError
from devsem.exprrows import rows, values
from devsem.frontend import capture_process, nvrtc
from devsem.frontend.device_text import device_text
from devsem.frontend.sass import code_of
from devsem.frontend.spec import load_spec
from devsem.frontend.toolkits import build_of, choose_toolkit
from devsem.goal import parse_launch
from devsem.heads import Clock, Progress, as_rejected
from devsem.leanrun import VERSION, Lean
from devsem.lock import LockedKernel, fitting
from devsem.pipeline import Asked, Question, as_unsafe, as_verdict, ask_compiled, open_book, text_goal
from devsem.profile import Profile, list_profiles, load_profile
from devsem.readings import Compiled, Made, Written, disassembled, is_ptx, make, read_compiled, read_written
from devsem.request import Request
from devsem.verdict import Comparison, Verdict


def devices_of(archs: Sequence[str]) -> tuple[str, ...]:
    """A profile's name for each architecture, the first by the alphabet; UsageError for one that no profile has."""
    by_arch: dict[str, str] = {}
    for name in list_profiles():
        arch = load_profile(name).arch
        if arch:
            by_arch.setdefault(arch, name)
    for arch in archs:
        if arch not in by_arch:
            known = ", ".join(sorted(by_arch, key=lambda a: int(a.removeprefix("sm_"))))
            raise UsageError(f"no profile has the architecture {arch!r} (known: {known}); or name devices: --device h100,b200")
    return tuple(by_arch[arch] for arch in archs)


def audit(request: Request, flags: Sequence[str], toolkits: Sequence[str], progress: Progress, text_too: bool = False,
          locked: LockedKernel | None = None) -> Audit:
    """The matrix of flags (the base first) x the request's devices x toolkits ("13.0"; none: the newest installed).

    `text_too` compares each cell also with what the kernel's text says, without any compiler; a function that is not the `locked` one is compared with that."""
    start = time.perf_counter()
    if is_ptx(request.kernel):
        raise UsageError(f"an audit compiles the kernel in several ways, so it needs CUDA text: {request.kernel} is PTX")
    capture_process.warm()
    nvrtc.warm()
    lean, clock = Lean.choose(request.lean), Clock()
    matrix = _matrix(request, flags, toolkits)
    text = device_text(request.kernel.read_bytes(), str(request.kernel))
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        compiling = [pool.submit(_made, request.kernel, text, profile, key.toolkit) for key, profile in matrix]
        with clock.stage("kernel"):
            written = _written(request)
        with clock.stage("spec"):
            progress(f"capturing {request.spec}")
            spec = load_spec(str(request.spec), timeout=max(request.timeout, 120.0))
        assumptions = tuple(assume.parse(t, [i.name for i in spec.inputs]) for t in request.assume)
        question = Question(request, spec, assumptions, parse_launch(request.launch), written, None, lean, CLOSED, {}, progress, open_book(request))
        with clock.stage("compile"):
            progress(f"compiling {len(matrix)} cells")
            made = _with_code([f.result() for f in compiling], pool)
        with clock.stage("read"):
            works = [_work(question, key, profile, m) for (key, profile), m in zip(matrix, made, strict=True)]
    with Judge(question, clock) as judge:
        cells = _cells(works, judge, clock, text_too, locked)
    total = {"total": round(time.perf_counter() - start, 3), **{k: round(v, 3) for k, v in clock.seconds.items()}}
    return Audit(SCHEMA, __version__, VERSION, str(request.kernel), str(request.spec), hashlib.sha256(text.encode()).hexdigest(), cells, total)


def _matrix(request: Request, flags: Sequence[str], toolkits: Sequence[str]) -> list[tuple[Key, Profile]]:
    versions = tuple(dict.fromkeys(choose_toolkit(t) for t in toolkits)) or (choose_toolkit(None),)
    found: dict[Key, Profile] = {}
    for text in flags:
        for name in request.devices:
            profile = load_profile(name, text)
            if not profile.arch:
                raise UsageError(f"the profile {name} is no device, so nothing is compiled for it: audit h100, for one")
            found.update({Key(profile.flags, profile.name, profile.arch, v): profile for v in versions})
    return list(found.items())


def _made(kernel: Path, text: str, profile: Profile, toolkit: str) -> Made | Rejected:
    try:
        return make(kernel, text, profile, toolkit)
    except Rejected as rejected:
        return rejected


def _with_code(made: Sequence[Made | Rejected], pool: ThreadPoolExecutor) -> list[Made | Rejected]:
    """The same with the machine code disassembled, each code once."""
    cubins = {code_of(m.cubin): m.cubin for m in made if isinstance(m, Made)}
    code = dict(zip(cubins, pool.map(disassembled, cubins.values()), strict=True))
    return [replace(m, code=code[code_of(m.cubin)]) if isinstance(m, Made) else m for m in made]


def _written(request: Request) -> Written | Rejected:
    try:
        return read_written(request.kernel, request.function)
    except Rejected as rejected:
        return rejected


def _work(question: Question, key: Key, profile: Profile, made: Made | Rejected) -> Work:
    """Read what was compiled, and ask it the spec's question."""
    q = replace(question, request=replace(question.request, toolkit=key.toolkit))
    if isinstance(made, Rejected):
        return Work(key, profile, q, made, made)
    try:
        compiled = read_compiled(q.request.kernel, q.request.function, profile, key.toolkit, made)
    except Rejected as rejected:
        return Work(key, profile, q, rejected, rejected)
    try:
        return Work(key, profile, q, compiled, ask_compiled(q, profile, compiled, Clock()))
    except Rejected as rejected:
        return Work(key, profile, q, compiled, rejected)


def _cells(works: Sequence[Work], judge: Judge, clock: Clock, text_too: bool, locked: LockedKernel | None) -> tuple[Cell, ...]:
    """Every cell; what is pending at Lean is awaited only when all are decided."""
    pending = []
    for w in works:
        judge.progress(f"deciding {w.key}")
        verdict = _verdict(w, judge)
        compared = [against(w, other, axis, judge) for axis, other in others(w, works)]
        compared += [against_text(w, judge)] if text_too else []
        old = fitting(locked, w.key) if locked else None
        if old is not None and old.rows and w.values and digest(w.values) != old.function:
            compared.append(against_values(w, Against("lock", old.key, "open"), values(old.rows, old.outputs), judge, old.key))
        with clock.stage("readings"):
            text = judge.remembered(_text_key(w), partial(_text, w)) if isinstance(w.asked, Asked) else None
        pending.append((w, verdict, compared, text))
    return tuple(_cell(w, verdict(), tuple(a() for a in compared), text) for w, verdict, compared, text in pending)


def _cell(w: Work, verdict: Verdict, compared: tuple[Against, ...], text: Comparison | None) -> Cell:
    compiled = None if isinstance(w.compiled, Rejected) else w.compiled
    found = w.values
    kept = rows(found[0]) if len(found) == 1 else ((), ())
    return Cell(w.key, verdict, digest(found) if found else "", shortened(found[0]) if found else "", *kept, text,
                mnemonics.of_ptx(compiled) if compiled else {}, mnemonics.of_sass(compiled.sass) if compiled else {}, compared)


def _verdict(w: Work, judge: Judge) -> Callable[[], Verdict]:
    """The cell against the spec, to be called when the verdict is needed."""
    request = w.question.request
    if isinstance(w.asked, Rejected):
        found = as_rejected(request, w.profile, w.asked.rejections, {"total": 0.0})
        return lambda: found
    asked, compiler = w.asked, w.compiled.compiler if isinstance(w.compiled, Compiled) else ""
    if asked.safe.verdict != "PASS":
        unsafe = replace(as_unsafe(request, w.profile, asked.goal, asked.safe, "compiled", {"total": 0.0}), compiler=compiler)
        return lambda: unsafe
    ruled = judge.rule(str(w.key), asked.goal, w.profile, asked.admissible or ())
    here, book = Device(w.profile, w.key.toolkit, build_of(w.key.toolkit)), w.question.book

    def when_judged() -> Verdict:
        decision, lean_file = ruled.settled()
        decision = settle(replace(decision, assumptions=tuple(dict.fromkeys((*asked.notes, *decision.assumptions)))), here, book)
        return replace(as_verdict(request, w.profile, asked.goal, asked.safe, decision, "compiled", lean_file, ruled.seconds), compiler=compiler)
    return when_judged


def _text_key(w: Work) -> object:
    p = w.profile
    return ("text", p.contract, p.ftz, p.division, p.sqrt, p.libm, p.rewrites, p.arch, w.key.toolkit, w.values)


def _text(w: Work) -> Comparison | None:
    """The kernel's text under the profile against the kernel as compiled; None where the text is not read."""
    q = w.question
    if isinstance(q.written, Rejected) or isinstance(w.asked, Rejected):
        return None
    try:
        return compare(text_goal(q), w.asked.goal, w.asked.admissible or (), w.profile, q.request.toolkit)
    except Rejected:
        return None
