"""Verdicts as a terminal table: one table for each kernel, one row for each device; below it reasons and assumptions, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import IO

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from devsem.expr import bits, show_const
from devsem.verdict import Comparison, HexBound, HexWitness, Outcome, Verdict

STYLE: Mapping[Outcome, str] = {"PROVED": "bold green", "REFUTED": "bold red", "OPEN": "bold yellow", "REJECTED": "bold magenta"}
PLAIN_WIDTH = 4000  # a pipe has no width; a row stays on its line


def console(stream: IO[str]) -> Console:
    """A console on the stream: colours and lines in a terminal, plain text anywhere else."""
    return Console(file=stream, highlight=False, soft_wrap=False) if stream.isatty() else Console(file=stream, highlight=False, width=PLAIN_WIDTH)


def show(verdicts: Sequence[Verdict], to: Console) -> None:
    """Print the verdicts on one kernel."""
    first = verdicts[0]
    to.print(Text(heading(first), style="bold"))
    table = Table(box=box.SIMPLE_HEAD if to.is_terminal else None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("device", "flags", "reading", "verdict", "witness or theorem", "obligations"):
        table.add_column(name, overflow="fold")
    table.add_column("seconds", justify="right")
    for v in verdicts:
        texts = (v.device, v.flags or "-", reading(v), finding(v), obligations(v), f"{v.seconds['total']:.2f}")
        device, flags, read, *rest = map(escape, texts)
        table.add_row(device, flags, read, Text(v.verdict, STYLE[v.verdict]), *rest)
    to.print(table)
    for line in notes(verdicts):
        to.print(Text(line))
    to.print()


def heading(v: Verdict) -> str:
    """Which question the verdict answers."""
    function = f" ({v.function})" if v.function else ""
    return f"{v.kernel}{function} against {v.spec}" + (", both zeros taken as one" if v.equality == "zero-sign" else "")


def value(pattern: str) -> str:
    """A bit pattern with the number it means, as `0x3f800000 (1.0)`; 16-digit patterns are integers."""
    number = int(pattern, 16)
    return f"{pattern} ({show_const(bits(number)) if len(pattern) == 10 else number})"


def difference(w: HexWitness) -> str:
    """A witness in one line."""
    inputs = ", ".join(f"{name} = {value(pattern)}" for name, pattern in w.inputs.items())
    return f"{inputs}: kernel {value(w.kernel)}, spec {value(w.spec)}"


def bound(b: HexBound) -> str:
    """What a refutation assumes of one application, in one line."""
    if b.allowed:
        return f"{b.function}({', '.join(b.args)}) is one of {', '.join(b.allowed)}: {b.reason}"
    args = [f"{low} to {high}" for low, high in zip(b.args, b.upto, strict=True)] if b.upto else b.args
    return f"{b.function}({', '.join(args)}) is from {value(b.low or '')} to {value(b.high or '')}: {b.reason}"


def finding(v: Verdict) -> str:
    """What the row shows: the witness, the theorem, the failing access, or the first refusal."""
    if v.witness is not None:
        return difference(v.witness)
    if v.safety.verdict == "FAIL":
        return "unsafe: " + ", ".join(f"{name} = {part}" for name, part in (v.safety.counterexample or {}).items())
    if v.rejections:
        return str(v.rejections[0].where)
    return v.theorem


def reading(v: Verdict) -> str:
    """Which reading decided: of both, the compiled one, and whether the text agrees."""
    if v.readings is None:
        return v.reading
    return {"agree": "both agree", "differ": "compiled (text differs)", "unknown": "compiled"}[v.readings.result]


def comparison(c: Comparison) -> str:
    """What is known of a text that is not shown to agree with the compiled code."""
    if c.inputs is None:
        return f"readings not compared to the end: {c.reason}"
    at = ", ".join(f"{name} = {value(pattern)}" for name, pattern in c.inputs.items())
    return f"readings differ at {at}: {c.reason}; the text says {c.written}, the compiled code is {c.compiled}"


def obligations(v: Verdict) -> str:
    """The obligations with their status."""
    return ", ".join(f"{o.name} {o.status}" for o in v.obligations) or "-"


def notes(verdicts: Sequence[Verdict]) -> list[str]:
    """The lines below the table; what holds for several devices is said once, naming them."""
    lines: dict[str, list[str]] = {}
    for v in verdicts:
        for line in _notes(v):
            devices = lines.setdefault(line, [])
            if v.device not in devices:
                devices.append(v.device)
    devices_of_all = list(dict.fromkeys(v.device for v in verdicts))
    return [line if devices == devices_of_all else f"{', '.join(devices)}: {line}" for line, devices in lines.items()]


def _notes(v: Verdict) -> Iterable[str]:
    if v.reason:
        yield v.reason
    if v.readings is not None and v.readings.result != "agree":
        yield comparison(v.readings)
    yield from map(str, v.rejections)
    yield from (f"given that {bound(b)}" for b in v.bounds)
    for assumption in v.assumptions:
        yield f"assumes {assumption}"
    if v.safety.verdict == "OPEN":
        yield "the safety gate did not decide"
