"""The corpus of tests/safety: kernels with the launches that they are for, and faults that are planted one at a time.

A file begins with what it is and with its setting, in lines of comment (integers are 64 bits, `//` and `%` are of numbers that are not negative):

    //: sizes   n 1..2**30, B 32..1024; most 2**30      the sizes and their ranges; how many elements a tensor may have (2**30)
    //: where   n % 4 == 0, pow2(B)                      preconditions
    //: grid    cdiv(n, B)                               x, y, z
    //: block   B
    //: shared  4 * B                                    bytes of `extern __shared__`
    //: in x[n, 3]                                       tensors by the kernel's parameter; `out` is empty before and must be written in whole,
    //: out y[n]                                         `zeros` is zero before, `inout` is given and changed
    //: args    m = 3 * n                                integer parameters that are no size by that name

A line `//! name | kinds | text` plants a fault: `text` stands in place of the last line that is no such comment, and a run of some launch shows one of
`kinds`, divided by `/` where it depends on the sizes which is first. Which fault it is was decided by people, never by a tool.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from devsem.expr import Expr, const_int, fold, mk, rebuild, var
from devsem.gate_setting import Buffer, Setting
from devsem.ops import B64, F32
from devsem.plan import Condition, Launched, Plan, Tensor, Three
from devsem.program import Program

FOLDER = Path(__file__).resolve().with_name("safety")
MOST = 1 << 30
KINDS = frozenset({"out of bounds", "uninitialised", "race", "divergent barrier", "misaligned", "unwritten"})
KEYS = ("sizes", "where", "grid", "block", "shared", "args", "in", "out", "zeros", "inout")
INITIAL = {"in": "input", "out": "empty", "zeros": "zeros", "inout": "input"}
FAULT = re.compile(r"\s*//! ([^|]+) \| ([a-z /]+) \| ?(.*)")
BINARY = {ast.Add: "add_b64", ast.Sub: "sub_b64", ast.Mult: "mul_b64", ast.FloorDiv: "sdiv_b64", ast.Mod: "srem_b64"}
ONE = const_int(B64, 1)


@dataclass(frozen=True)
class Kernel:
    """A text; `expected` is empty for a clean one, else the kinds of fault of which it shows one."""

    name: str
    text: str
    expected: frozenset[str] = frozenset()


def corpus(file: str = "*") -> tuple[Kernel, ...]:
    """The kernels of all files, each file's clean one first."""
    return tuple(k for path in sorted(FOLDER.glob(f"{file}.cu")) for k in planted(path.stem, path.read_text(encoding="utf-8")))


def planted(name: str, text: str) -> Iterator[Kernel]:
    """The clean text, and one for each fault; the lines keep their numbers."""
    lines = text.splitlines()
    found = [FAULT.fullmatch(line) for line in lines]
    blank = ["" if m else line for m, line in zip(found, lines, strict=True)]
    yield Kernel(name, "\n".join(blank) + "\n")
    for i, m in enumerate(found):
        if m is None:
            continue
        at = next(j for j in range(i - 1, -1, -1) if not found[j])
        kinds = frozenset(m[2].split("/"))
        if not kinds <= KINDS or m[3].startswith("//:") != lines[at].startswith("//:"):
            raise ValueError(f"{name}: {m[0].strip()}")
        yield Kernel(f"{name}: {m[1]}", "\n".join([*blank[:at], m[3], *blank[at + 1:]]) + "\n", kinds)


@dataclass(frozen=True)
class Heading:
    """A setting as a file gives it. `tensors`: by parameter, the key of its line and its dimensions."""

    sizes: Mapping[Expr, tuple[int, int]]
    most: int
    where: tuple[Expr, ...]
    grid: Three
    block: Three
    shared: Expr
    args: Mapping[str, Expr]
    tensors: Mapping[str, tuple[str, tuple[Expr, ...]]]


def heading(text: str) -> Heading:
    """The setting of a text. Raises ValueError."""
    given: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("//:"):
            key, _, rest = line[3:].strip().partition(" ")
            if key not in KEYS or key in given:
                raise ValueError(line)
            given[key] = rest.strip()
    ranges, _, most = given["sizes"].partition("; most ")
    sizes = {}
    for part in ranges.split(","):
        name, _, bounds = part.strip().partition(" ")
        low, high = bounds.split("..")
        sizes[var(name, B64)] = number(low), number(high)
    tensors = {}
    for key in INITIAL:
        for found in re.finditer(r"(\w+)\[((?:[^][])*)\]", given.get(key, "")):
            tensors[found[1]] = key, expressions(found[2])
    args = dict(part.split("=") for part in given.get("args", "").split(",") if part)
    grid, block = three(given["grid"]), three(given["block"])
    return Heading(sizes, number(most or str(MOST)), expressions(given.get("where", "")), grid, block, expressions(given.get("shared", "0"))[0],
                   {name.strip(): expressions(value)[0] for name, value in args.items()}, tensors)


def number(text: str) -> int:
    """A number, perhaps written as a power."""
    e = fold((expressions(text)[0],), lambda n, args: rebuild(n, args))
    value = next(iter(reversed(e.values())))
    if not value.is_const:
        raise ValueError(text)
    return value.value


def three(text: str) -> Three:
    """Sizes along x, y and z, 1 where they are not given."""
    x, y, z = (*expressions(text), ONE, ONE)[:3]
    return x, y, z


def expressions(text: str) -> tuple[Expr, ...]:
    """Integers and truth values in Python's notation."""
    return tuple(_read(e) for e in ast.parse(f"({text},)" if text else "()", mode="eval").body.elts)      # type: ignore[attr-defined]


def _read(e: ast.expr) -> Expr:
    match e:
        case ast.Constant(int() as value):
            return const_int(B64, value)
        case ast.Name(name):
            return var(name, B64)
        case ast.BinOp(ast.Constant(int() as a), ast.Pow(), ast.Constant(int() as b)):
            return const_int(B64, a ** b)
        case ast.BinOp(a, op, b):
            left, right = _read(a), _read(b)
            if left.is_const and right.is_const:
                return const_int(B64, {ast.Add: left.value + right.value, ast.Sub: left.value - right.value}[type(op)])
            return mk(BINARY[type(op)], left, right)
        case ast.Call(ast.Name("cdiv"), [a, b]):
            by = _read(b)
            return mk("sdiv_b64", mk("add_b64", _read(a), mk("sub_b64", by, ONE) if not by.is_const else const_int(B64, by.value - 1)), by)
        case ast.Call(ast.Name("min" | "max" as name), [a, b]):
            return mk(f"s{name}_b64", _read(a), _read(b))
        case ast.Call(ast.Name("pow2"), [a]):
            return mk("ieq_b64", mk("and_b64", _read(a), mk("sub_b64", _read(a), ONE)), const_int(B64, 0))
        case ast.Compare(a, [ast.Eq()], [b]):
            return mk("ieq_b64", _read(a), _read(b))
        case ast.Compare(a, [ast.GtE()], [b]):
            return mk("sle_b64", _read(b), _read(a))
    raise ValueError(ast.unparse(e))


def setting_of(program: Program, h: Heading) -> Setting:
    """What the gate is asked."""
    buffers = {name: Buffer(name, dims, "empty" if key == "out" else "zeros" if key == "zeros" else "input", key == "out")
               for name, (key, dims) in h.tensors.items()}
    return Setting(buffers, h.grid, h.block, {q.name: _scalar(h, q.name) for q in program.params if not q.is_buffer and q.sort != F32}, h.sizes, h.where,
                   h.shared, h.most)


def plan_of(program: Program, h: Heading) -> Plan:
    """The same for hunts, with the ranges as conditions."""
    params = tuple(q.name for q in program.params)
    arguments = tuple(q.name if q.is_buffer else q.expr if q.sort == F32 else _scalar(h, q.name) for q in program.params)
    tensors = tuple(Tensor(name, dims, "zeros" if key == "zeros" else "empty" if key == "out" else "input") for name, (key, dims) in h.tensors.items())
    launched = Launched(program.function, (), params, h.grid, h.block, h.shared, arguments)
    inside = [mk("and", mk("sle_b64", const_int(B64, low), v), mk("sle_b64", v, const_int(B64, high))) for v, (low, high) in h.sizes.items()]
    return Plan(tensors, (launched,), tuple(Condition(c, "the setting") for c in (*inside, *h.where)), (), (), tuple(h.sizes), {})


def _scalar(h: Heading, name: str) -> Expr:
    return h.args[name] if name in h.args else var(name, B64)
