"""A launch for all sizes, as text: `grid=(n+255)/256 block=256`, over the kernel's integer parameters.

>>> from devsem.expr import show
>>> from devsem.expr import var
>>> n = var("n", "B32")
>>> grid, block, shared = parse("grid=(n+15)/16,2 block=16,16", {"n": n})
>>> show(grid[0]), show(block[1]), show(grid[2])
('udiv_b64(add_b64(sext(n), 15), 16)', '16', '1')
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from devsem.errors import UsageError
from devsem.expr import Expr, const_int, mk
from devsem.ops import B64
from devsem.simplify import make

Three = tuple[Expr, Expr, Expr]
OPERATIONS: dict[type[ast.operator], str] = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "udiv", ast.FloorDiv: "udiv", ast.Mod: "urem"}
COMPARISONS: dict[type[ast.cmpop], tuple[str, bool, bool]] = {      # the operation, whether its sides are swapped, whether it is negated
    ast.Eq: ("ieq", False, False), ast.NotEq: ("ieq", False, True), ast.Lt: ("slt", False, False), ast.LtE: ("sle", False, False),
    ast.Gt: ("slt", True, False), ast.GtE: ("sle", True, False)}
FORM = "write `grid=(n+255)/256 block=256`, with up to three of each and the kernel's integer parameters as names, and ` smem=BYTES` if it needs any"


def parse(text: str, names: Mapping[str, Expr]) -> tuple[Three, Three, Expr]:
    """Grid, block and bytes of dynamic shared memory, as exact 64-bit integers; UsageError where the text is not one."""
    found = re.fullmatch(r"\s*grid=(.+?)[\s;]+block=(.+?)(?:[\s;]+smem=(.+))?\s*", text)
    if found is None:
        raise UsageError(f"cannot read the launch {text!r}: {FORM}")
    return _three(found[1], names), _three(found[2], names), number(found[3] or "0", names)


def _three(text: str, names: Mapping[str, Expr]) -> Three:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(f"{text},"):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(number(text[start:i], names))
            start = i + 1
    if not 1 <= len(parts) <= 3:
        raise UsageError(f"cannot read {text!r}: {FORM}")
    one = const_int(B64, 1)
    x, y, z = (*parts, one, one)[:3]
    return x, y, z


def number(text: str, names: Mapping[str, Expr]) -> Expr:
    """An integer expression."""
    return _value(_tree(text), text, names)


def condition(text: str, names: Mapping[str, Expr]) -> Expr:
    """A condition on sizes: `n % 4 == 0`, `K <= 1024`."""
    node = _tree(text)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in COMPARISONS:
        raise UsageError(f"cannot read the condition {text!r}: compare two integer expressions, as `n % 4 == 0`")
    name, swapped, negated = COMPARISONS[type(node.ops[0])]
    a, b = (_value(x, text, names) for x in (node.left, node.comparators[0]))
    made = make(f"{name}_b64", *((b, a) if swapped else (a, b)))
    return make("not", made) if negated else made


def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise UsageError(f"cannot read the integer {text!r}") from None


def _value(node: ast.expr, text: str, names: Mapping[str, Expr]) -> Expr:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and 0 <= value < 1 << 31:
            return const_int(B64, value)
        case ast.Name(id=name) if name in names:
            return names[name] if names[name].sort == B64 else mk("sext", names[name])
        case ast.BinOp(left=a, op=op, right=b) if type(op) in OPERATIONS:
            return make(f"{OPERATIONS[type(op)]}_b64", _value(a, text, names), _value(b, text, names))
        case ast.Name(id=name):
            raise UsageError(f"{name} in {text!r} is none of {', '.join(names) or 'the kernel has no integer parameter'}")
    raise UsageError(f"cannot read the integer {text!r}: + - * / % and parentheses over numbers and {', '.join(names) or 'nothing else'}")


