"""A thread's own arrays, word by word, and libdevice's tables of constants: what `sinf` needs for huge arguments.

A word is stored at a fixed place. It may be loaded from a place that is computed only in a function that reads libdevice's table for
that reduction: the place lies in the array there, by libdevice's own arithmetic on an exponent, and one that does not is taken as the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from devsem.errors import Rejected
from devsem.expr import Expr, const_int
from devsem.frontend.ptx_ast import Function, Instruction, Symbol, Variable
from devsem.ops import B32, B64
from devsem.ptx_address import BYTES, Pointer, quarter
from devsem.ptx_state import State
from devsem.rejections import rejection
from devsem.simplify import make

# libdevice's own table, byte for byte: 2 / pi in binary. An array of the user's cannot take its place.
REDUCTION = "__cudart_i2opi_f"
TABLES = {REDUCTION: bytes((65, 144, 67, 60, 153, 149, 98, 219, 192, 221, 52, 245, 209, 87, 39, 252, 41, 21, 68, 78, 110, 131, 249, 162))}
WORDS = 7       # of the array that the reduction fills


def constants(function: Function, variables: Sequence[Variable]) -> dict[str, bytes]:
    """The tables of libdevice that a function uses, among the arrays of its module."""
    used = {o.name for i in function.instructions() for o in i.operands if isinstance(o, Symbol)}
    return {v.name: TABLES[v.name] for v in variables if v.name in used & TABLES.keys() and bytes(x & 0xFF for x in v.data) == TABLES[v.name]
            and (v.type, v.count, v.external) == ("b8", len(TABLES[v.name]), False)}


def place_of(pointer: Pointer, offsets: list[int], i: Instruction) -> Expr:
    """The number of the word, B64; only single words are accepted."""
    index = quarter(make("add_b64", pointer.offset, const_int(B64, offsets[0]))) if len(offsets) == 1 else None
    if index is None:
        raise Rejected(rejection("ptx.local", i.where, name=i.mnemonic))
    return index


def own_word(pointer: Pointer, offsets: list[int], i: Instruction, state: State, tables: Mapping[str, bytes]) -> Expr:
    """A word of an array of the thread, or of a table."""
    index = place_of(pointer, offsets, i)
    words = known(pointer, state, tables)
    if index.is_const and index.value in words:
        return words[index.value]
    if index.is_const or pointer.space == "table" or REDUCTION not in tables or list(words) != list(range(WORDS)):
        raise Rejected(rejection("ptx.local", i.where, name=i.mnemonic))
    *before, out = words.values()
    for k, word in reversed(list(enumerate(before))):
        out = make("select_b32", make("ieq_b64", index, const_int(B64, k)), word, out)
    return out


def known(pointer: Pointer, state: State, tables: Mapping[str, bytes]) -> dict[int, Expr]:
    """The words that an array holds, by their numbers."""
    if pointer.space == "local":
        return dict(sorted((k, word) for (name, k), word in state.own.items() if name == pointer.buffer))
    data = tables[pointer.buffer]
    return {k: const_int(B32, int.from_bytes(data[BYTES * k:BYTES * (k + 1)], "little")) for k in range(len(data) // BYTES)}


def keep_word(pointer: Pointer, offsets: list[int], word: Expr, i: Instruction, state: State) -> None:
    """Store a word at a fixed place of a thread's array."""
    index = place_of(pointer, offsets, i)
    if not index.is_const or pointer.space != "local":
        raise Rejected(rejection("ptx.local", i.where, name=i.mnemonic))
    state.own[pointer.buffer, index.value] = word
