"""Is a PTX module one that a later stage may walk: every name declared once, predicates `.pred`, operands of the right kind?

What an instruction's types allow is `ptx_meaning.py`'s business; an opcode that OPERANDS does not list is that table's to refuse, too.

>>> from devsem.frontend.ptx import parse
>>> head = ".version 9.0 .target sm_90 .address_size 64 .entry k() { .reg .b32 %r<2>; "
>>> well_formed(parse(head + "mov.b32 %r1, 1; ret; }", "k.ptx")).functions[0].name
'k'
>>> well_formed(parse(head + "mov.b32 %r2, 1; @%r1 ret; ret; }", "k.ptx"))
Traceback (most recent call last):
devsem.errors.Rejected: k.ptx:1:75: the register `%r2` is not declared [ptx.undeclared] (the text must be accepted by ptxas); \
k.ptx:1:91: `%r1` is used as a predicate, but its type is .b32 [ptx.predicate] (the text must be accepted by ptxas)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from devsem.errors import Rejected, Rejection, Where
from devsem.frontend.ptx_ast import (
    ALONE,
    Address,
    Arguments,
    Function,
    Immediate,
    Instruction,
    Label,
    Module,
    Operand,
    Pair,
    Register,
    Symbol,
    Vector,
)
from devsem.rejections import rejection

MAX_REPORTED = 20
VERSION = re.compile(r"[6-9]\.[0-9]")                         # PTX ISA 6.0 (CUDA 9) to 9.x (CUDA 13)
TARGET = re.compile(r"sm_([5-9][0-9]|1[0-9][0-9])[af]?")     # Maxwell to Blackwell; a and f: features of one architecture or family

# what one thread sees of the launch, and fixed names of the machine; all are read-only
SPECIAL = frozenset({
    *(f"%{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid") for axis in "xyz"),
    *(f"%lanemask_{relation}" for relation in ("eq", "lt", "le", "gt", "ge")),
    "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%clock", "%clock_hi", "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
    "%cluster_ctarank", "%cluster_nctarank", "%is_explicit_cluster", "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size", "WARP_SZ"})

# Operands by kind, one letter each, as a pattern for each opcode: r register, p predicate, i number, s special register, v vector, a address, y variable
# or parameter, l label, f function, q pair `%p1|%p2`, n negated predicate, g list in parentheses
ONE = dict.fromkeys("abs neg not cnot cvt sqrt rsqrt rcp sin cos tanh ex2 lg2 brev clz popc bfind testp".split(), "[rp][ripsn]")
TWO = dict.fromkeys("add sub mul div rem min max copysign shl shr mul24 addc subc set".split(), "r[risy]{2}")
LOGIC = dict.fromkeys("and or xor".split(), "r[ris]{2}|p[pni]{2}")
THREE = dict.fromkeys("fma mad sad slct mad24 madc shf bfe dp4a dp2a prmt".split(), "r[risy]{2,3}")
OPERANDS = ONE | TWO | LOGIC | THREE | {
    "min": "r[ris]{2,3}", "max": "r[ris]{2,3}", "set": "r[ris]{2}[pn]?", "bfi": "r[ris]{4}", "lop3": "[rq][ris]{4}[pn]?", "selp": "[rp][risp]{2}[pn]",
    "setp": "[pq][ris]{2}[pn]?", "mov": "[rpv][rpisvyf]", "cvta": "r[ry]", "isspacep": "p[ry]", "szext": "r[ris]{2}", "fns": "r[ris]{3}",
    "ld": "[rv]a", "ldu": "[rv]a", "st": "a[risv]", "atom": "[rv]a[riv]{1,2}", "red": "a[riv]", "prefetch": "a", "prefetchu": "a",
    "bra": "l", "ret": "", "exit": "", "trap": "", "brkpt": "", ".branchtargets": "l+", "call": "g?fg?",
    "bar": "[ir][irpn]{0,2}|r[ir]{1,2}[pn]", "barrier": "[ir][irpn]{0,2}|r[ir]{1,2}[pn]", "membar": "", "fence": "", "activemask": "r",
    "shfl": "[rq][ris]{3,4}", "vote": "[rp][pni][ris]?", "match": "[rq][ris]{2}", "redux": "r[ris]{2}", "nanosleep": "[ri]",
}
UNLISTED = "[^flg?]*"    # an opcode for the meaning table to refuse: still no label, function or argument list


@dataclass(frozen=True)
class Names:
    """What the names in one function are: its registers' types are asked of `function`."""

    function: Function
    labels: frozenset[str]
    variables: frozenset[str]
    functions: frozenset[str]

    def register(self, name: str) -> str | None:
        """The type of a register, "special" for a special one, "_" for the one that takes what is not wanted; None if it is not declared."""
        if name == "_":
            return "_"
        return "special" if name in SPECIAL else self.function.register_type(name)


def well_formed(module: Module) -> Module:
    """The module itself; raises Rejected with all that is wrong in it, MAX_REPORTED things at most."""
    found = [*_header(module), *_module_names(module)]
    functions = frozenset(f.name for f in (*module.functions, *module.declarations))
    outside = frozenset(v.name for v in module.variables)
    for function in module.functions:
        found.extend(_duplicates(function, functions | outside))
        labels = frozenset(item.name for item in function.body if isinstance(item, Label))
        own = frozenset(v.name for v in (*function.params, *function.results, *function.variables))
        names = Names(function, labels, own | outside, functions)
        for instruction in function.instructions():
            found.extend(_instruction(instruction, names))
        if len(found) > MAX_REPORTED:
            break
    if found:
        raise Rejected(*found[:MAX_REPORTED])
    return module


def _header(module: Module) -> Iterator[Rejection]:
    where = Where(next((f.where.file for f in module.functions), ""))
    if not VERSION.fullmatch(module.version):
        yield rejection("ptx.target", where, what=f"the PTX version `{module.version}` is not known")
    if not TARGET.fullmatch(module.target):
        yield rejection("ptx.target", where, what=f"the target `{module.target}` is not known")


def _module_names(module: Module) -> Iterator[Rejection]:
    """A function may be declared before it is defined, and more than once; all else is named once."""
    seen: set[str] = set()
    for name, where in (*((v.name, v.where) for v in module.variables), *((f.name, f.where) for f in module.functions)):
        if name in seen:
            yield rejection("ptx.duplicate", where, name=name)
        seen.add(name)
    for declared in module.declarations:
        if any(declared.name == v.name for v in module.variables):
            yield rejection("ptx.duplicate", declared.where, name=declared.name)


def _duplicates(function: Function, outside: frozenset[str]) -> Iterator[Rejection]:
    seen = set(outside)
    classes = replace(function, registers={name: row for name, row in function.registers.items() if row[1] != ALONE})
    for name in function.registers:
        if name in seen or name in SPECIAL or _is_member(classes, name):
            yield rejection("ptx.duplicate", function.where, name=name)
        seen.add(name)
    variables = (*function.results, *function.params, *function.variables)
    labels = (item for item in function.body if isinstance(item, Label))
    for name, where in (*((v.name, v.where) for v in variables), *((item.name, item.where) for item in labels)):
        if name in seen or name in SPECIAL or _is_member(classes, name):
            yield rejection("ptx.duplicate", where, name=name)
        seen.add(name)


def _is_member(function: Function, name: str) -> bool:
    """Has a register class a member of that name?"""
    return name not in function.registers and function.register_type(name) is not None


def _instruction(instruction: Instruction, names: Names) -> Iterator[Rejection]:
    where = instruction.where
    wrong = list(_undeclared(instruction, names))
    if wrong:
        yield from wrong
        return
    if instruction.predicate is not None:
        yield from _predicate(instruction.predicate, where, names)
    for operand in instruction.operands:
        if isinstance(operand, Pair) and operand.negated:
            yield from _predicate(operand.first, where, names)
        if isinstance(operand, Pair) and operand.second is not None and operand.second.name != "_":
            yield from _predicate(operand.second, where, names)
    kinds = "".join(_kind(operand, names) for operand in instruction.operands)
    if instruction.opcode == "call" and "f" not in kinds:
        yield rejection("ptx.indirect", where, name=str(instruction))
        return
    if not _compiled(OPERANDS.get(instruction.opcode, UNLISTED)).fullmatch(kinds):
        yield rejection("ptx.operand", where, name=str(instruction))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _predicate(register: Register, where: Where, names: Names) -> Iterator[Rejection]:
    kind = names.register(register.name)
    if kind != "pred":
        yield rejection("ptx.predicate", where, name=register.name, type=str(kind))


def _undeclared(instruction: Instruction, names: Names) -> Iterator[Rejection]:
    """The names in an instruction that nothing declares, each once."""
    used: dict[str, str] = {}
    for part in _parts(instruction):
        if isinstance(part, Register) and names.register(part.name) is None:
            used[part.name] = "register"
        if isinstance(part, Symbol) and not any(part.name in known for known in (names.labels, names.variables, names.functions, SPECIAL)):
            used[part.name] = "label" if instruction.opcode == "bra" else "name"
    return (rejection("ptx.undeclared", instruction.where, kind=kind, name=name) for name, kind in used.items())


def _parts(instruction: Instruction) -> Iterator[Register | Symbol | Immediate]:
    if instruction.predicate is not None:
        yield instruction.predicate
    for operand in instruction.operands:
        if isinstance(operand, Address):
            yield operand.base
        elif isinstance(operand, Vector | Arguments):
            yield from operand.items
        elif isinstance(operand, Pair):
            yield operand.first
            if operand.second is not None:
                yield operand.second
        else:
            yield operand


def _kind(operand: Operand, names: Names) -> str:
    """The operand's letter; "?" for one that no instruction has."""
    if isinstance(operand, Register):
        return {"pred": "p", "special": "s"}.get(names.register(operand.name) or "", "r")
    if isinstance(operand, Symbol):
        if operand.name in SPECIAL:
            return "s"
        return "l" if operand.name in names.labels else "y" if operand.name in names.variables else "f"
    if isinstance(operand, Address):
        fits = names.register(operand.base.name) not in ("pred", "special", "_") if isinstance(operand.base, Register) else \
            not isinstance(operand.base, Symbol) or operand.base.name in names.variables
        return "a" if fits else "?"
    if isinstance(operand, Vector):
        return "v" if 1 < len(operand.items) <= 8 else "?"
    if isinstance(operand, Pair):
        return "n" if operand.second is None else "q"
    return {Immediate: "i", Arguments: "g"}[type(operand)]
