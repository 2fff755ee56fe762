"""An audit as a terminal table, one row a cell; below it what the rows have no room for, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from devsem.audit_cells import Against, Audit, Axis, Cell, Result
from devsem.mnemonics import Change
from devsem.report import STYLE, comparison, difference, value
from devsem.verdict import HexWitness

BASE: Mapping[Axis, str] = {"flags": "base flags", "arch": "first arch", "toolkit": "first toolkit", "text": "its text", "lock": "the lock"}
WORDS: Mapping[Result, str] = {"same": "same program", "equal": "equal (theorem)", "differs": "differs", "open": "open"}
MOST = 6                # changes in a row
# what computes with floats, in machine code; moves, addresses and branches differ between architectures in any case
FLOAT_SASS = ("FADD", "FMUL", "FFMA", "FMNMX", "FSEL", "FSETP", "FSET", "FCHK", "FRND", "MUFU", "DADD", "DMUL", "DFMA", "F2F")


def show(found: Audit, to: Console) -> None:
    """Print the audit."""
    to.print(Text(f"{found.kernel} against {found.spec}", style="bold"))
    table = Table(box=box.SIMPLE_HEAD if to.is_terminal else None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("flags", "arch", "toolkit", "spec", "against", "instructions"):
        table.add_column(name, overflow="fold")
    for cell in found.cells:
        key, said = cell.key, "; ".join(map(against, cell.against)) or "-"
        table.add_row(key.flags or "-", key.arch, key.toolkit, Text(cell.verdict.verdict, STYLE[cell.verdict.verdict]), escape(said), escape(changed(cell)))
    to.print(table)
    for line in notes(found.cells):
        to.print(Text(line))
    to.print()


def against(a: Against) -> str:
    """One comparison in a few words."""
    assumed = [o.name for o in a.obligations if o.status == "assumed"]
    given = f", given {' and '.join(assumed)}" if a.result == "equal" and assumed else ""
    return f"{BASE[a.axis]}: {WORDS[a.result]}{_at(a.witness) if a.result == 'differs' and a.witness else ''}{given}"


def _at(w: HexWitness) -> str:
    return f" at {', '.join(f'{name} = {value(p)}' for name, p in w.inputs.items())}: {value(w.kernel)}, not {value(w.spec)}"


def changed(cell: Cell) -> str:
    """Which instructions differ from the base: PTX's, and in machine code those that compute."""
    parts = []
    for a in cell.against:
        machine = [c for c in a.sass if c.mnemonic.split(".")[0] in FLOAT_SASS]
        text = "; ".join(filter(None, (_few(a.ptx), _few(machine))))
        parts += [f"{BASE[a.axis]}: {text}"] if text else []
    return " | ".join(parts) or "-"


def _few(found: Sequence[Change]) -> str:
    return ", ".join(map(str, found[:MOST])) + (f" and {len(found) - MOST} more" if len(found) > MOST else "")


def notes(cells: Sequence[Cell]) -> list[str]:
    """The lines below the table; what holds for several cells is said once, naming them."""
    lines: dict[str, list[str]] = {}
    for cell in cells:
        for line in _notes(cell):
            lines.setdefault(line, []).append(str(cell.key))
    return [line if len(set(names)) == len(cells) else f"{', '.join(dict.fromkeys(names))}: {line}" for line, names in lines.items()]


def _notes(cell: Cell) -> Iterable[str]:
    v = cell.verdict
    if v.witness is not None:
        yield f"{v.verdict}: {difference(v.witness)}"
    if v.reason:
        yield v.reason
    yield from map(str, v.rejections)
    for a in cell.against:
        if a.result == "open":
            yield f"against {a.other}: {a.reason}"
        yield from (f"against {a.other}, {o.name} is {o.evidence}" for o in a.obligations if o.status == "assumed")
    bounds = (*v.bounds, *(b for a in cell.against for b in a.bounds))
    yield from dict.fromkeys(f"a difference rests on {b.function[2:]}: {b.reason}" for b in bounds)
    if cell.text is not None and cell.text.result != "agree":
        yield comparison(cell.text)
