"""How a device's instructions may behave other than documented: the switches through which calibration plants what it must find.

`DOCUMENTED` is what PTX 9.1 and the CUDA C++ Programming Guide 13.1 say [Q], where PTX leaves a NaN's bits open the Guide's
"quiet NaN of bit pattern 0x7fffffff" [Q:CPG 20.3]. `neg` and `abs` are additions in machine code [M:e2,e3], so that by the Guide they
give that NaN, too [D]; PTX says "unspecified NaN".

>>> from devsem.frontend.ptx_ast import Instruction
>>> Behaviour(flushing=frozenset({"add"})).performed(Instruction("add", ("rn", "f32"))).mnemonic
'add.rn.ftz.f32'
>>> Behaviour(division="rz").performed(Instruction("rcp", ("rn", "f32"))).mnemonic
'rcp.rz.f32'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.frontend.ptx_ast import Instruction
from devsem.lanes import NAN, nan
from devsem.rounding import SIGN, Mode

Array = npt.NDArray[Any]
SIGNS = ("neg", "abs")
AFTER_FTZ = ("sat", "NaN", "f32", "f16", "bf16", "s32", "u32", "s64", "u64", "b32")      # what stands behind `.ftz` in a mnemonic


@dataclass(frozen=True)
class Behaviour:
    """`flushing`: opcodes that flush subnormals without `.ftz`; `keeping`: those that keep them in spite of it (`atom`, `cvt.f64`:
    emulator_only.py). `bounds_pass_nan`: `min` and
    `max` give NaN for a NaN without `.NaN`. `division`: how `div.rn` and `rcp.rn` round. `nan`: the NaN that arithmetic gives.
    `sign_keeps_nan`: `neg` and `abs` change a NaN's sign bit only. `rows`: operations of `ops.py` computed by other functions of bit patterns.
    `own_nans`: every operation takes and gives NaNs as they are, bit by bit, and `nan` says nothing. `moves`: what `selp` does to the bits it passes.
    """

    flushing: frozenset[str] = frozenset()
    keeping: frozenset[str] = frozenset()
    bounds_pass_nan: bool = False
    division: Mode = "rn"
    nan: int = int(NAN)
    sign_keeps_nan: bool = False
    rows: Mapping[str, Callable[..., Array]] = field(default_factory=dict)
    own_nans: bool = False
    moves: Callable[[Array], Array] | None = None

    def performed(self, i: Instruction) -> Instruction:
        """The instruction whose documented meaning is what this device does on the given one."""
        words, last = i.modifiers[:-1], i.modifiers[-1:]
        if last != ("f32",):
            return i
        if i.opcode in self.keeping:
            words = tuple(w for w in words if w != "ftz")
        if i.opcode in self.flushing and "ftz" not in words:
            at = next((k for k, w in enumerate(words) if w in AFTER_FTZ), len(words))
            words = (*words[:at], "ftz", *words[at:])
        if i.opcode in ("min", "max") and self.bounds_pass_nan and "NaN" not in words:
            words = (*words, "NaN")
        if i.opcode in ("div", "rcp"):
            words = tuple(self.division if w == "rn" else w for w in words)
        return i if words == i.modifiers[:-1] else replace(i, modifiers=words + last)

    def written(self, opcode: str, value: Array, read: Array) -> Array:
        """The bits of a Float32 result that has only the NaN 0x7fffffff, `read` being the first operand's bits."""
        if self.own_nans:
            return value
        if self.sign_keeps_nan and opcode in SIGNS:
            return np.where(nan(read), read ^ SIGN if opcode == "neg" else read & ~SIGN, value)
        return value if self.nan == NAN else np.where(nan(value), np.uint32(self.nan), value)

    def moved(self, opcode: str, value: Array) -> Array:
        """The bits of a word that an instruction gives."""
        return self.moves(value) if self.moves is not None and opcode == "selp" else value


DOCUMENTED = Behaviour()
