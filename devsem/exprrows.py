"""Expressions as rows of words, for files: one row a node, arguments before uses, by number. What is read back is checked.

>>> from devsem.expr import const, mk, var
>>> rows([mk("add_rn", var("x", F32), const(1.0))])
((('var', 'F32', 'x'), ('const', 'F32', '0x3f800000'), ('add_rn', '0', '1')), (2,))
"""

from __future__ import annotations

from collections.abc import Sequence

from devsem.expr import CONST, VAR, WIDTH, Expr, bits, const_bool, const_int, mk, topo, var
from devsem.ops import B32, B64, BOOL, F32, OPS, Sort

Rows = tuple[tuple[str, ...], ...]
SORTS: dict[str, Sort] = {F32: F32, BOOL: BOOL, B32: B32, B64: B64}


def rows(values: Sequence[Expr]) -> tuple[Rows, tuple[int, ...]]:
    """The rows of the values' nodes, and the values' numbers."""
    nodes = topo(*values)
    number = {n: i for i, n in enumerate(nodes)}
    return tuple(_row(n, number) for n in nodes), tuple(number[v] for v in values)


def _row(node: Expr, number: dict[Expr, int]) -> tuple[str, ...]:
    if node.is_const:
        return CONST, node.sort, f"{node.value:#0{WIDTH[node.sort] // 4 + 2}x}"
    return (VAR, node.sort, node.name) if node.is_var else (node.op, *(str(number[a]) for a in node.args))


def values(table: Rows, outputs: Sequence[int]) -> tuple[Expr, ...]:
    """The expressions that rows mean; ValueError where they mean none."""
    nodes: list[Expr] = []
    for at, row in enumerate(table):
        try:
            nodes.append(_node(row, nodes))
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ValueError(f"row {at} is no expression: {' '.join(row)}") from error
    if any(not 0 <= o < len(nodes) for o in outputs):
        raise ValueError("a value's number is that of no row")
    return tuple(nodes[o] for o in outputs)


def _node(row: Sequence[str], nodes: Sequence[Expr]) -> Expr:
    op, *words = row
    if op not in (CONST, VAR):
        if op not in OPS or any(not w.isdecimal() for w in words):
            raise ValueError(op)
        return mk(op, *(nodes[int(w)] for w in words))
    sort, text = words
    if op == VAR:
        return var(text, SORTS[sort])
    value = int(text, 16)
    if not 0 <= value < 1 << WIDTH[SORTS[sort]]:
        raise ValueError(text)
    return bits(value) if sort == F32 else const_bool(bool(value)) if sort == BOOL else const_int(SORTS[sort], value)
