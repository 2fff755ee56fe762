"""The sample on which a function of two arguments runs: a stated list of pairs, the same on every machine. A sample is evidence of no equality.

>>> [hex(int(v)) for v in first(1)[0]], [hex(int(v)) for v in first(1)[1]]
(['0x0'], ['0x0'])
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint32]
COUNT = 1 << 24
# zeros, the ends of the subnormals and of the normals, one and its neighbours, small integers and a half, thirds, infinities and a NaN; each with its negative
POSITIVE = (0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x00800001, 0x3EAAAAAB, 0x3F000000, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x40000000, 0x40400000,
            0x4B7FFFFF, 0x4B800000, 0x7EFFFFFF, 0x7F000000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000)
SPECIAL = (*POSITIVE, *(p | 0x80000000 for p in POSITIVE))
GENERATOR = (f"2^24 pairs: number i is pair i of the {len(SPECIAL)}^2 of the special values, in order, as long as there are; then the high and the low word of "
             "splitmix64(i), odd numbers with each word w as (w & 0x83ffffff) + 0x3e000000, a magnitude from 2^-3 to 2^5")


def splitmix64(n: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Output number n, from 0, of the generator of that name (Steele, Lea, Flood 2014) with the seed 0."""
    with np.errstate(over="ignore"):
        z = (n + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def first(count: int, start: int = 0) -> tuple[Bits, Bits]:
    """`count` pairs from number `start` on."""
    number = np.arange(start, start + count, dtype=np.uint64)
    word = splitmix64(number)
    odd = number % np.uint64(2) == 1
    a, b = ((word >> np.uint64(32)).astype(np.uint32), word.astype(np.uint32))
    a, b = (np.where(odd, (w & np.uint32(0x83FFFFFF)) + np.uint32(0x3E000000), w) for w in (a, b))
    special, many = np.array(SPECIAL, np.uint32), np.uint64(len(SPECIAL))
    listed = number < many * many
    i, j = (np.where(listed, k, 0).astype(np.intp) for k in (number // many, number % many))
    return np.where(listed, special[i], a), np.where(listed, special[j], b)
