"""The probes' headers: every shipped one is read, and a broken one is refused at its line."""

from __future__ import annotations

import math
import re
import struct
from fractions import Fraction
from pathlib import Path

import pytest

from devsem.errors import UsageError
from devsem.probes import Probe, load_probes, parse_probe
from devsem.profile import FIELDS

GOOD = """// field: ftz
// fact: a subnormal factor
// source: PTX ISA 9.1, 9.7.3
// runs: default, -ftz=true
// outcome: flushes = true if default, any if -ftz=true
// outcome: keeps it = false if default
// row: 00400000 4b000000 = 00000000 0b800000
// rule: column
extern "C" __global__ void p(const float* a, const float* b, const float* c, const float* d, float* r) { r[threadIdx.x] = a[threadIdx.x]; }
"""


def test_a_header_is_read() -> None:
    p = parse_probe(GOOD, Path("p.cu"))
    assert (p.name, p.field, p.runs, len(p.rows)) == ("p", "ftz", ("default", "-ftz=true"), 1)
    flushes, keeps = p.outcomes
    assert [flushes.value(run, 90) for run in p.runs] == ["true", "any"] and [keeps.value(run, 90) for run in p.runs] == ["false", "none"]
    assert p.outcome([0]) is flushes and p.outcome([0x0B800000]) is keeps and p.outcome([1]) is None


def test_conditions_on_the_architecture_and_cells_of_any_nan() -> None:
    text = GOOD.replace("true if default, any if -ftz=true", "true if sm>=100 and default, any if sm<100").replace("00000000 0b800000", "nan 0b800000")
    p = parse_probe(text, Path("p.cu"))
    assert [p.outcomes[0].value("default", sm) for sm in (90, 100)] == ["any", "true"] and p.outcomes[0].value("-ftz=true", 100) == "none"
    assert p.outcome([0xFFC00001]) is p.outcomes[0] and p.outcome([0x7F800000]) is None


@pytest.mark.parametrize(("old", "new", "line", "words"), [
    ("// field: ftz", "// field: flush", 1, "unknown field 'flush'"),
    ("// field: ftz", "// fild: ftz", 1, "a header line is"),
    ("// field: ftz", "//field ftz", 1, "a header line is"),
    ("// fact: a subnormal factor", "// field: ftz", 2, "`field` is given twice"),
    ("// fact: a subnormal factor\n", "", 1, "no `fact`"),
    ("// rule: column\n", "", 1, "no `rule`"),
    ("// row: 00400000 4b000000 = 00000000 0b800000\n", "", 1, "no `row`"),
    ("rule: column", "rule: most", 8, "a rule is one of column, code"),
    ("rule: column", "rule: code", 7, "what the code decides has no rows"),
    ("default, -ftz=true\n", "default, -ftz\n", 4, "a run is"),
    ("default, -ftz=true\n", "default, \n", 4, "a run is"),
    ("flushes = true if", "flushes = yes if", 5, "speaks for one of any, none, true, false, not 'yes'"),
    ("true if default, any", "true if fast, any", 5, "a condition is one of the runs"),
    ("outcome: keeps it = false if default", "outcome: keeps it", 6, "an outcome is"),
    ("= 00000000 0b800000", "= 00000000", 7, "a cell for each of the 2 outcomes"),
    ("= 00000000 0b800000", "= 0 0b800000", 7, "eight hexadecimal digits, not '0'"),
    ("row: 00400000", "row: nan", 7, "eight hexadecimal digits, not 'nan'"),
    ("row: 00400000", "row: 1 2 3 4 00400000", 7, "1 to 4 operands"),
    ("= 00000000 0b800000", "= 0b800000 0b800000", 5, "no row tells `keeps it` from `flushes`"),
    ("void p(", "void q(", 1, "the kernel is named as its file"),
])
def test_a_broken_header_is_refused_at_its_line(old: str, new: str, line: int, words: str) -> None:
    assert old in GOOD
    with pytest.raises(UsageError) as e:
        parse_probe(GOOD.replace(old, new, 1), Path("p.cu"))
    assert str(e.value).startswith(f"p.cu:{line}:1: ") and words in str(e.value)


def test_every_field_has_probes_and_a_folder_without_any_is_refused(tmp_path: Path) -> None:
    assert {p.field for p in load_probes()} == set(FIELDS)
    with pytest.raises(UsageError, match="there are no probes in"):
        load_probes(tmp_path)


# --- the expected cells, by exact fractions: a cell is the number nearest to the exact result ---


def value(w: int) -> Fraction:
    exponent = w >> 23 & 255
    x = Fraction(w & 0x7FFFFF | (0x800000 if exponent else 0)) * Fraction(2) ** ((exponent or 1) - 150)
    return -x if w >> 31 else x


def nearest(w: int, exact: Fraction) -> bool:
    """Is `w` the closest of its neighbours to an exact number, ties to even?"""
    error = abs(value(w) - exact)
    others = [abs(value(v) - exact) for v in (w - 1, w + 1) if v & 0x7FFFFFFF < 0x7F800000 and (v ^ w) >> 31 == 0]
    return all(error < o or (error == o and w & 1 == 0) for o in others)


EXACT = {
    "division_quotient": lambda a, b: value(a) / value(b), "division_reciprocal": lambda a: 1 / value(a), "exact_mul": lambda a, b: value(a) * value(b),
    "exact_add": lambda a, b: value(a) + value(b), "exact_fma": lambda a, b, c: value(a) * value(b) + value(c),
    "contract_statement": lambda a, b, c: value(a) * value(b) + value(c), "contract_minuend": lambda a, b, c: value(a) * value(b) - value(c),
}


@pytest.mark.parametrize("name", EXACT)
def test_the_first_column_is_correctly_rounded(name: str) -> None:
    probe: Probe = next(p for p in load_probes() if p.name == name)
    rounded = [(row.results[0], EXACT[name](*row.operands)) for row in probe.rows]
    finite = [(w, exact) for w, exact in rounded if w is not None and w & 0x7FFFFFFF < 0x7F800000]
    assert len(finite) >= 4 and all(nearest(w, exact) for w, exact in finite)


def test_the_roots_are_correctly_rounded() -> None:
    """The middle to each neighbour, squared, is on the right side."""
    probe = next(p for p in load_probes() if p.name == "sqrt_root")
    for row in probe.rows:
        w, x = row.results[0], value(row.operands[0])
        assert w is not None and ((value(w - 1) + value(w)) / 2) ** 2 < x < ((value(w) + value(w + 1)) / 2) ** 2


def test_the_code_decides_by_the_first_instruction_that_occurs() -> None:
    probe = next(p for p in load_probes() if p.name == "division_instruction")
    said = [o.words if (o := probe.coded(mnemonics)) else None for mnemonics in (
        ("mov.b32", "div.full.ftz.f32"), ("div.approx.f32",), ("div.rn.f32", "div.full.f32"), ("div.rnd.f32", "rcp.rn.f32"), ())]
    assert said == ["div.full", "div.approx", "div.rn", None, None]


def cells(name: str) -> list[tuple[tuple[int, ...], tuple[int | None, ...]]]:
    """A probe's rows: operands and columns."""
    return [(row.operands, row.results) for row in next(p for p in load_probes() if p.name == name).rows]


@pytest.mark.parametrize(("name", "column"), [("exact_from_double", 0), ("ftz_from_double", 1)])
def test_a_double_is_correctly_rounded(name: str, column: int) -> None:
    """Python's own doubles, and exact fractions."""
    checked = 0
    for (high, *low), results in cells(name):
        (x,) = struct.unpack(">d", struct.pack(">II", high, *(low or [0])))
        w = results[column]
        if math.isfinite(x) and w is not None and w & 0x7FFFFFFF < 0x7F800000:
            assert nearest(w, Fraction(x)), f"{high:08x}"
            checked += 1
        elif math.isfinite(x):
            assert w is not None and abs(Fraction(x)) >= 2 ** 128 - 2 ** 103 and w == (0x7F800000 if x > 0 else 0xFF800000)
    assert checked >= 6


def test_a_subnormal_float_as_a_double() -> None:
    for (pattern,), (_, kept) in cells("ftz_to_double"):
        (x,) = struct.unpack(">f", struct.pack(">I", pattern))
        assert struct.unpack(">II", struct.pack(">d", x))[0] == kept


def test_halves_are_those_of_python() -> None:
    """Python's `struct` rounds to nearest even by itself; from 65520 on it refuses."""
    for (pattern,), (made, *_) in cells("exact_to_half"):
        (x,) = struct.unpack(">f", struct.pack(">I", pattern))
        assert made is not None
        if math.isinf(x) or abs(x) >= 65520:
            assert made == (0x7C00 if x > 0 else 0xFC00)
        else:
            assert struct.pack(">H", made) == struct.pack(">e", x), f"{pattern:08x}"
    for (half,), (read, flushed) in cells("exact_from_half"):
        (x,) = struct.unpack(">e", struct.pack(">H", half))
        assert read is None if math.isnan(x) else struct.pack(">I", read or 0) == struct.pack(">f", x)
        assert (read == flushed) == (not 0 < abs(x) < 2.0 ** -14)


def test_the_sum_after_expf_shows_whether_expf_was_rounded() -> None:
    """In units of 2^-149 the addend 2^-125 is 2^24, where every second unit is a Float32. What ex2.approx is wrong by changes no cell."""
    for (pattern, addend), (*columns, flushed) in cells("contract_libm"):
        (x,) = struct.unpack(">f", struct.pack(">I", pattern))
        assert addend == flushed == 0x01000000
        for error in (1 - 2.0 ** -20, 1.0, 1 + 2.0 ** -20):
            units = Fraction(math.exp(x + 149 * math.log(2)) * error)
            fused, rounded = (0x01000000 + round(u / 2) for u in (units, Fraction(round(units))))     # Python rounds ties to even
            assert [fused, rounded] == columns and fused != rounded != flushed


FIRST = {"3.3": "rewrite_flushed_compare", "4.2": "rewrite_min", "5": "nan_neg nan_abs", "6.4": "rewrite_reciprocal rewrite_reciprocal_flushed",
         "0.6": "rewrite_fma_zero"}


@pytest.mark.parametrize("section", FIRST)
def test_what_is_to_be_verified_on_hardware_first_has_a_probe(section: str) -> None:
    """The five items at the end of GPU_FLOAT.md."""
    sources = {p.name: p.source for p in load_probes()}
    for name in FIRST[section].split():
        assert "first to be verified on hardware" in sources[name] and re.search(rf"\b{re.escape(section)}\b", sources[name])
