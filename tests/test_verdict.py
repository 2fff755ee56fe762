"""The verdict: its invariants, its JSON there and back, its schema, its exit codes, and what a person reads of it."""

from __future__ import annotations

import io
import json
import re
from dataclasses import fields, replace
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from devsem import report
from devsem.errors import Bug, Rejection, UsageError, Where
from devsem.explain import explain
from devsem.verdict import (
    Comparison,
    Document,
    HexBound,
    HexWitness,
    Obligation,
    Safety,
    Verdict,
    differ,
    document,
    exit_code,
    from_json,
    load,
    save,
    to_json,
)

DOCS = Path(__file__).resolve().parents[1] / "docs"

PROVED = Verdict(
    kernel="sigmoid.cu", function="sigmoid_kernel", spec="sigmoid.py", device="h100", flags="-fmad=false", verdict="PROVED", evidence="documented",
    safety=Safety("PASS"), theorem="Sigmoid.kernel_eq_spec", lean_file="out/sigmoid.lean", assumptions=("1 <= n <= 2^30",),
    seconds={"total": 1.5, "lean": 0.25},
    obligations=(Obligation("expf", "D.expf x = S.expf x", "assumed", "no record"),),
)
REFUTED = Verdict(
    kernel="relu.cu", function="k", spec="relu.py", device="ieee", flags="", verdict="REFUTED", evidence="documented", seconds={"total": 0.5},
    witness=HexWitness({"x": "0x7fc00000"}, 3, "0x00000000", "0x7fffffff"), theorem="Relu.kernel_ne_spec", lean_file="out/relu.lean",
    bounds=(HexBound("D.expf", ("0x42c80000",), ("0x7f800000",), "overflow"),),
)
OPEN = Verdict(kernel="k.cu", function="k", spec="s.py", device="t4", flags="", verdict="OPEN", evidence="compiled", reason="time-out", seconds={"total": 60.0})
REJECTED = Verdict(
    kernel="k.cu", function="", spec="s.py", device="t4", flags="", verdict="REJECTED", evidence="documented", seconds={"total": 0.0},
    rejections=(Rejection("cuda.atomic", Where("k.cu", 12, 5), "an atomic operation", "write each cell once"),),
)
UNSAFE = Verdict(
    kernel="k.cu", function="k", spec="s.py", device="ieee", flags="", verdict="REFUTED", evidence="documented", seconds={"total": 0.1},
    safety=Safety("FAIL", {"condition": "in bounds", "n": 1, "threadIdx.x": 1}),
)
ALL = (PROVED, REFUTED, OPEN, REJECTED, UNSAFE)


@pytest.mark.parametrize("change, why", [
    ({"axioms": ("sorryAx",)}, "axioms"), ({"theorem": ""}, "no theorem"), ({"lean_file": ""}, "no Lean file"), ({"safety": Safety("NOT_RUN")}, "safety"),
    ({"safety": Safety("OPEN")}, "safety"), ({"safety": Safety("FAIL")}, "safety"), ({"witness": REFUTED.witness}, "witness"), ({"seconds": {}}, "total"),
    ({"obligations": (replace(PROVED.obligations[0], status="violated"),)}, "violated"), ({"rejections": REJECTED.rejections}, "rejections"),
])
def test_a_proved_that_is_none_cannot_be_made(change: dict[str, Any], why: str) -> None:
    with pytest.raises(Bug, match=why):
        replace(PROVED, **change)


@pytest.mark.parametrize("base, change, why", [
    (REFUTED, {"witness": None, "bounds": ()}, "neither"), (REFUTED, {"theorem": ""}, "Lean did not evaluate"), (REFUTED, {"axioms": ("a",)}, "axioms"),
    (REFUTED, {"witness": HexWitness({"x": "0x7fc00000"}, 0, "0x7fc00001", "0xffffffff")}, "no difference"),
    (REFUTED, {"witness": HexWitness({"x": "0x00000000"}, 0, "0x00000000", "0x80000000"), "equality": "zero-sign"}, "no difference"),
    (REFUTED, {"witness": HexWitness({"x": "nan"}, 0, "0x00000000", "0x3f800000")}, "bit patterns"),
    (REFUTED, {"witness": HexWitness({"x": "0x7FC00000"}, 0, "0x00000000", "0x3f800000")}, "bit patterns"),
    (REFUTED, {"verdict": "OPEN", "reason": "r", "witness": None}, "bounds"), (OPEN, {"reason": ""}, "no reason"), (REJECTED, {"rejections": ()}, "rejections"),
    (REJECTED, {"witness": REFUTED.witness}, "witness"),
])
def test_other_verdicts_that_are_none_cannot_be_made(base: Verdict, change: dict[str, Any], why: str) -> None:
    with pytest.raises(Bug, match=why):
        replace(base, **change)


@pytest.mark.parametrize("kernel, spec, bits, zero_sign", [
    ("0x00000000", "0x80000000", True, False), ("0x7fc00000", "0xffc00001", False, False), ("0x7f800000", "0x7f800001", True, True),
    ("0x3f800000", "0x3f800000", False, False), ("0x00000001", "0x80000001", True, True), ("0x00000000", "0x00000001", True, True),
])
def test_difference(kernel: str, spec: str, bits: bool, zero_sign: bool) -> None:
    assert (differ(kernel, spec, "bits"), differ(kernel, spec, "zero-sign")) == (bits, zero_sign)


def test_json_there_and_back() -> None:
    doc = document(ALL, "4.35.0")
    assert from_json(to_json(doc)) == doc
    rejection = json.loads(to_json(doc))["verdicts"][3]["rejections"][0]
    assert rejection == {"code": "cuda.atomic", "file": "k.cu", "line": 12, "column": 5, "message": "an atomic operation", "hint": "write each cell once"}


def edited(place: tuple[str | int, ...], value: Any) -> str:
    """The JSON of ALL with one value changed; `...` removes it."""
    data = json.loads(to_json(document(ALL, "4.35.0")))
    spot = data
    for step in place[:-1]:
        spot = spot[step]
    if value is ...:
        del spot[place[-1]]
    else:
        spot[place[-1]] = value
    return json.dumps(data)


AT = "verdicts"


@pytest.mark.parametrize("place, value, says", [
    ((AT, 0, "axioms"), ["sorryAx"], r"v\.verdicts\[0\]: .* depends on axioms"),
    ((AT, 0, "theorem"), ..., r"v\.verdicts\[0\]\.theorem is missing"),
    ((AT, 0, "extra"), 1, r"v\.verdicts\[0\]\.extra is unknown"),
    ((AT, 0, "verdict"), "proved", r"v\.verdicts\[0\]\.verdict is 'proved', none of PROVED"),
    ((AT, 0, "verdict"), ["PROVED"], r"none of PROVED"),
    ((AT, 0, "seconds", "total"), "1", r"seconds\.total is a string, not a number"),
    ((AT, 1, "witness", "index"), True, r"witness\.index is a truth value, not an integer"),
    ((AT, 1, "witness", "inputs", "x"), 3, r"witness\.inputs\.x is an integer, not a string"),
    ((AT, 1, "bounds", 0), "D.expf", r"bounds\[0\] is a string, not an object"),
    ((AT, 3, "rejections", 0, "line"), ..., r"rejections\[0\]\.line is missing"),
    ((AT, 4, "safety", "counterexample", "n"), 1.5, r"counterexample\.n is a number, not a string or an integer"),
    (("schema",), 2, r"schema 2"),
    ((AT,), None, r"v\.verdicts is null, not a list"),
])
def test_a_changed_text_is_refused_with_its_place(place: tuple[str | int, ...], value: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        from_json(edited(place, value), "v")


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null", '{"schema": 1}'])
def test_what_is_no_document_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^v"):
        from_json(text, "v")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "new" / "verdict.json"
    for verdicts in ((PROVED,), ALL):
        save(document(verdicts, "4.35.0"), file)
        assert load(file).verdicts == verdicts
    assert [p.name for p in file.parent.iterdir()] == ["verdict.json"]
    with pytest.raises(UsageError, match="cannot write"):
        save(document(ALL, "4.35.0"), tmp_path)
    with pytest.raises(UsageError, match="cannot read"):
        load(tmp_path / "absent.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="cannot read"):
        load(tmp_path / "binary")


@pytest.mark.parametrize("verdicts, code", [
    ((PROVED,), 0), ((REFUTED,), 1), ((UNSAFE,), 1), ((OPEN,), 2), ((REJECTED,), 3), ((), 4), ((PROVED, OPEN), 2), ((OPEN, REJECTED, PROVED), 3),
    ((REJECTED, OPEN, REFUTED), 1), ((replace(OPEN, safety=Safety("FAIL", {"n": 1})),), 1),
])
def test_exit_code(verdicts: tuple[Verdict, ...], code: int) -> None:
    assert exit_code(verdicts) == code


SCHEMA = json.loads((DOCS / "verdict.schema.json").read_text(encoding="utf-8"))


PARTS = (Verdict, Comparison, HexWitness, HexBound, Safety, Obligation)


@pytest.mark.parametrize("kind, schema", [(Document, SCHEMA), *((kind, SCHEMA["$defs"][kind.__name__]) for kind in PARTS)])
def test_the_schema_is_the_dataclass(kind: type, schema: dict[str, Any]) -> None:
    names = [f.name for f in fields(kind)]
    assert schema["required"] == list(schema["properties"]) == names
    assert not schema["additionalProperties"]
    for name, hint in get_type_hints(kind).items():
        assert _matches(hint, schema["properties"][name]), f"{kind.__name__}.{name}"


def _matches(hint: Any, schema: dict[str, Any]) -> bool:
    """Whether the schema of a field is what its type says, one level deep."""
    if "const" in schema:
        return hint is type(schema["const"])
    if get_origin(hint) is Literal:
        return schema == {"enum": list(get_args(hint))}
    if get_origin(hint) is UnionType:
        return schema["oneOf"][1] == {"type": "null"} and _matches(get_args(hint)[0], schema["oneOf"][0])
    if "$ref" in schema:
        return schema["$ref"] == ("#/$defs/pattern" if hint is str else f"#/$defs/{hint.__name__}")
    kinds = {str: "string", int: "integer", float: "number", tuple: "array"}
    return schema["type"] == kinds.get(get_origin(hint) or hint, "object") and ("items" not in schema or _matches(get_args(hint)[0], schema["items"]))


def test_the_document_names_every_field() -> None:
    text = (DOCS / "VERDICT.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)`", text))
    for kind in (Document, *PARTS):
        assert {f.name for f in fields(kind)} <= named, kind.__name__


def table(*verdicts: Verdict) -> str:
    stream = io.StringIO()
    report.show(verdicts, report.console(stream))
    return stream.getvalue()


def test_the_table_is_plain_text_in_a_pipe() -> None:
    text = table(REFUTED, replace(REFUTED, device="h100", flags="[red]"))
    rows = text.splitlines()
    assert rows[0].rstrip() == "relu.cu (k) against relu.py"
    assert rows[1].split() == "device flags reading verdict witness or theorem obligations seconds".split()
    assert rows[2].split() == "ieee - written REFUTED x = 0x7fc00000 (nan): kernel 0x00000000 (0.0), spec 0x7fffffff (nan) - 0.50".split()
    assert "[red]" in rows[3]
    assert rows[4].rstrip() == "given that D.expf(0x42c80000) is one of 0x7f800000: overflow"
    assert "\x1b" not in text


def test_the_table_says_why() -> None:
    assert "k.cu:12:5: an atomic operation [cuda.atomic] (write each cell once)" in table(REJECTED)
    assert "time-out" in table(OPEN)
    assert "unsafe: condition = in bounds, n = 1, threadIdx.x = 1" in table(UNSAFE)
    assert "expf assumed" in table(PROVED)
    assert "assumes 1 <= n <= 2^30" in table(PROVED)
    assert "both zeros taken as one" in table(replace(PROVED, equality="zero-sign"))
    assert "t4: time-out" in table(OPEN, replace(PROVED, device="h100"))


def test_explain_tells_the_ways_apart() -> None:
    """Who is trusted with what, by the way of deciding; none is named that had no part in it."""
    naive = replace(PROVED, spec="naive.cu", way="all-sizes")
    everywhere, once, seen, ran = explain(document((naive, replace(PROVED, way="fixed-launch"), replace(UNSAFE, way="all-sizes"),
                                                    replace(UNSAFE, way="fixed-launch")), "4.35.0")).split("\n\n")
    assert all(part in everywhere for part in ("For every size that the assumptions admit", "z3", "summary", "The other kernel's operations are this device's"))
    assert not any(part in everywhere for part in ("bitwuzla", "executor", "executed to be captured"))
    assert all(part in once for part in ("In the one launch", "executor's word", "devsem's executor", "meant as `ieee`", "executed to be captured"))
    assert not any(part in once for part in ("bitwuzla", "z3", "For every size"))
    for text in (seen, ran):
        assert "The executor ran this launch" in text and "devsem's executor" in text and "bitwuzla" not in text and "z3" not in text


def test_explain_tells_what_was_shown_assumed_and_trusted() -> None:
    proved, refuted, undecided, rejected, unsafe = explain(document(ALL, "4.35.0")).split("\n\n")
    for part in ("PROVED. For every size", "Sigmoid.kernel_eq_spec", "1 <= n <= 2^30", "expf: D.expf x = S.expf x (assumed: no record)", "Lean kernel",
                 "bitwuzla", "vendor's documents", "devsem lean check out/sigmoid.lean", "Lean 4.35.0"):
        assert part in proved
    assert "x = 0x7fc00000 (nan): kernel 0x00000000 (0.0), spec 0x7fffffff (nan), at element 3" in refuted
    assert "D.expf(0x42c80000) is one of 0x7f800000: overflow" in refuted
    assert "bitwuzla" not in refuted
    assert "Neither proved nor refuted: time-out." in undecided
    assert "Lean" not in undecided
    assert "[cuda.atomic]" in rejected
    assert "The kernel is unsafe: condition = in bounds" in unsafe
