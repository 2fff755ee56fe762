"""Records of functions: strict reading; and what they do to a verdict's obligations, which a bound, a sample or another toolkit never discharges."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devsem.audit import audit
from devsem.cli import run
from devsem.config import load as load_config
from devsem.decide import Decision
from devsem.discharge import Asked, Book, look_up, settle
from devsem.errors import Bug, UsageError
from devsem.explain import explain
from devsem.frontend.toolkits import build_of, choose_toolkit
from devsem.pipeline import verify
from devsem.profile import load_profile
from devsem.records import LAYOUT, LAYOUTS, SCHEMA, SUFFIX, Difference, Error, Record, Swept, is_of, load, load_folder, parse, sealed, to_json
from devsem.request import Request
from devsem.verdict import HexWitness, Obligation, Safety, Verdict, document

A, B = "a" * 64, "b" * 64
EX2, RCP = "ex2.approx.ftz.f32", "rcp.approx.ftz.f32"
BOUND = Error(1.5, "0x3f800000", 12, "planted")
EXACT = replace(BOUND, max_ulp=0.0)
DIFFERENCE = Difference("0x3f800000", "0x402df854", "0x402df855")


def built(toolkit: str) -> str:
    """The installed build of a toolkit, or one that is made up."""
    return build_of(toolkit) or f"{toolkit}.88"


def swept(function: str = "expf", **changes: Any) -> Swept:
    """A planted entry: no device gave it."""
    base: dict[str, Any] = {
        "function": function, "role": "kernel", "source": "planted by a test", "toolkit": "13.0", "flags": "", "date": "2026-01-31", "inputs": "all",
        "sample": "", "layout": LAYOUT, "digests": (A, A), "error": None, "monotone": "increasing", "special": {"0x00000000": "0x3f800000"},
        "subnormal_inputs": "kept", "subnormal_results": "unknown", "differs": None}
    base |= changes
    return Swept(**{**base, "build": changes.get("build", built(base["toolkit"]))})


def record(*functions: Swept, **changes: Any) -> Record:
    """A planted record, sealed as one that is written: no device gave it."""
    base: dict[str, Any] = {"schema": SCHEMA, "runner": "gpu", "profile": "h100", "device": "a planted H100", "compute_capability": "9.0",
                            "driver": "13.0", "digest": ""}
    return sealed(Record(**{**base, **changes, "functions": functions}))


def edited(r: Record) -> Record:
    """The record with the spec's digest made the kernel's by hand."""
    return replace(r, functions=tuple(replace(s, digests=(A,)) for s in r.functions))


# what has no compute capability and no driver
EMULATED: dict[str, Any] = {"runner": "emulator", "device": "the emulator, for h100", "compute_capability": "", "driver": ""}
HOST: dict[str, Any] = {"runner": "host", "device": "a processor", "compute_capability": "", "driver": ""}


def spec(function: str = "expf", **changes: Any) -> Swept:
    return swept(function, role="spec", **{"digests": (A,), **changes})


def pairs(function: str, **changes: Any) -> Swept:
    """A planted entry of a function of two arguments."""
    return swept(function, **{"inputs": "sample", "sample": "10 pairs", "layout": LAYOUTS[2], "special": {"0x00000000 0x80000000": "0x3f800000"}, **changes})


def test_there_and_back() -> None:
    r = record(swept(error=BOUND, differs=Difference("0x00000001", "0x3f800000", "0x3f800001")), swept(EX2, flags="-fmad=false"), spec(digests=(B,)))
    assert parse(to_json(r), "r") == r


@pytest.mark.parametrize("place, value, says", [
    (("functions", 0, "digests"), ["abc"], "64 lower-case"), (("functions", 0, "digests"), [A.upper()], "64 lower-case"),
    (("functions", 0, "digests"), [], "no evidence"), (("functions", 0, "source"), " ", "no source"), (("functions", 0, "toolkit"), "", "no toolkit"),
    (("functions", 0, "build"), "12.8.93", "build of another toolkit"),
    (("functions", 0, "function"), "frobf", "no function or instruction"), (("functions", 0, "flags"), "-fmad false", "flags"),
    (("functions", 0, "date"), "31.1.2026", "date"), (("functions", 0, "sample"), "every 7th", "sample"), (("functions", 0, "inputs"), "sample", "sample"),
    (("functions", 0, "inputs"), "most", "none of all, sample"), (("functions", 0, "layout"), "as it comes", "layout"),
    (("functions", 0, "function"), "powf", "two arguments"),
    (("functions", 0, "function"), "__fdividef", "two arguments"), (("functions", 0, "special"), {"0x0": "0x3f800000"}, "special values"),
    (("functions", 0, "extra"), 1, r"functions\[0\]\.extra is unknown"), (("functions", 0, "role"), ..., r"functions\[0\]\.role is missing"),
    (("functions", 0, "digests"), A, r"digests is a string, not a list"), (("functions", 0, "monotone"), True, "none of increasing"),
    (("functions", 0, "error"), {"max_ulp": -1, "at": "0x00000000", "misrounded": 0, "reference": "r"}, "no number of ulp"),
    (("functions", 0, "error"), {"max_ulp": 1, "at": "0", "misrounded": 0, "reference": "r"}, "without the input"),
    (("functions", 0, "error"), {"max_ulp": 1, "at": "0x00000000", "misrounded": 0, "reference": ""}, "against what"),
    (("functions", 0, "differs"), {"input": "0x00000000", "kernel": "0x7fc00000", "spec": "0xffffffff"}, "a difference that is none"),
    (("compute_capability",), "sm_90", "compute capability"), (("driver",), "", "names a driver"), (("schema",), 1, "schema 1"), (("device",), "", "no device"),
    (("runner",), "emulator", "compute capability just if it is of a GPU"), (("runner",), "cloud", "none of gpu, host, emulator"),
    (("functions", 0, "layout"), LAYOUTS[2], "another layout"), (("digest",), ..., "digest is missing"),
    (("profile",), ..., r"profile is missing"), (("functions",), None, "null, not a list"),
])
def test_what_is_no_record_is_refused_with_its_place(place: tuple[str | int, ...], value: Any, says: str) -> None:
    data = json.loads(to_json(record(swept())))
    spot = data
    for step in place[:-1]:
        spot = spot[step]
    if value is ...:
        del spot[place[-1]]
    else:
        spot[place[-1]] = value
    with pytest.raises(UsageError, match=rf"^r.*{says}"):
        parse(json.dumps(data), "r")


@pytest.mark.parametrize("text", ["", "[]", "3", '{"schema": 1, "schema": 1}', "[" * 100_000, '{"schema": NaN}'])
def test_what_is_no_json_object_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^r"):
        parse(text, "r")


def test_a_field_given_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="given twice"):
        parse(to_json(record()).replace('"schema": 2,', '"schema": 2, "schema": 2,'), "r")


def test_an_entry_stands_once() -> None:
    with pytest.raises(Bug, match="an entry twice: expf"):
        record(swept(), swept(digests=(B,)))


def test_folders(tmp_path: Path) -> None:
    (tmp_path / f"h{SUFFIX}").write_text(to_json(record(swept())), encoding="utf-8")
    (tmp_path / "other.json").write_text("probes are another file", encoding="utf-8")
    assert list(load_folder(tmp_path).values()) == [record(swept())]
    load_folder()       # devsem's own are read without a complaint
    with pytest.raises(UsageError, match="no folder of records"):
        load_folder(tmp_path / "absent")


FAST = "-fmad=false"


def status(name: str, *records: Record, flags: str = "", toolkit: str = "13.0", device: str = "h100") -> tuple[str, str]:
    """The status of an obligation under these records, with its evidence."""
    book = Book({Path(f"r{i}{SUFFIX}"): r for i, r in enumerate(records)})
    found = look_up(Obligation(name, "D.f x = S.f x", "assumed", "nothing looked"), Asked(load_profile(device, flags), toolkit, built(toolkit)), book)
    assert found.name == name and found.statement == "D.f x = S.f x"
    return found.status, found.evidence


@pytest.mark.parametrize("name, records, options, expected, says", [
    # a function as written: the kernel's and the spec's, one digest
    ("expf", [record(swept(), spec())], {}, "discharged", A),
    ("expf", [record(swept()), record(spec())], {}, "discharged", A),
    ("expf", [record(swept(flags=FAST), spec())], {"flags": FAST}, "discharged", A),
    ("expf", [record(swept(), spec(digests=(B,)))], {}, "assumed", "the digests differ, and no input is named"),
    ("expf", [record(swept(digests=(A, B)), spec())], {}, "assumed", "the digests differ"),
    ("expf", [record(swept(), spec()), record(swept(digests=(B,)))], {}, "assumed", "the digests differ"),
    ("expf", [record(swept())], {}, "assumed", "no record has the spec's expf"),
    ("expf", [record(spec())], {}, "assumed", "no record has the kernel's expf"),
    ("expf", [], {}, "assumed", "no record has the kernel's expf"),
    ("logf", [record(swept(), spec())], {}, "assumed", "no record has the kernel's logf"),
    # another device, architecture, toolkit, flags
    ("expf", [record(swept(), spec())], {"device": "h200"}, "assumed", r"no record of h200 \(sm_90\) has the kernel's expf .*planted H100"),
    ("expf", [record(swept(), spec(), compute_capability="8.0")], {}, "assumed", r"no record of h100 \(sm_90\)"),
    ("expf", [record(swept(toolkit="12.8"), spec(toolkit="12.8"))], {}, "assumed", "another toolkit than 13.0 .*toolkit 12.8"),
    ("expf", [record(swept(), spec(toolkit="12.8"))], {}, "assumed", "another toolkit than 13.0"),
    ("expf", [record(swept(build="13.0.48"), spec())], {}, "assumed", "another build of NVRTC 13.0 than 13.0.* .*toolkit 13.0.48"),
    ("expf", [record(swept(), spec(build="13.0.48"))], {}, "assumed", "another build of NVRTC 13.0"),
    ("expf", [record(swept(build=""), spec(build=""))], {}, "assumed", "another build of NVRTC 13.0"),
    ("expf", [record(swept(), spec())], {"toolkit": ""}, "assumed", "which toolkit"),
    ("expf", [record(swept(), spec())], {"flags": FAST}, "assumed", "other flags than -fmad=false"),
    ("expf", [record(swept(), spec())], {"device": "ieee"}, "assumed", "ieee is no device"),
    # less than all inputs
    ("expf", [record(swept(inputs="sample", sample="every 7th"), spec())], {}, "assumed", "only a sample was run, every 7th"),
    ("expf", [record(swept(), spec(inputs="sample", sample="every 7th"))], {}, "assumed", "only a sample was run, every 7th"),
    ("expf", [record(swept(digests=(), error=BOUND), spec())], {}, "assumed", "only an error bound of 1.5 ulp, and a bound is no equality"),
    ("expf", [record(swept(digests=(), error=EXACT), spec(digests=(), error=EXACT))], {}, "assumed", "a bound is no equality"),
    # another driver or device than the spec's, or than another record's; the card of a name, and not one whose name has it
    ("expf", [record(swept()), record(spec(), driver="12.8")], {}, "assumed", "several devices or drivers.*driver 13.0; .*driver 12.8"),
    ("expf", [record(swept(), spec()), record(swept(), spec(), device="another H100")], {}, "assumed", "several devices or drivers"),
    ("expf", [record(swept(), spec(), device="NVIDIA GH200 480GB")], {}, "assumed", "another device than NVIDIA H100"),
    ("expf", [record(swept(), spec(), device="NVIDIA H200")], {}, "assumed", "another device than NVIDIA H100"),
    # changed after it was written; what no GPU gave, whatever it says of itself
    ("expf", [edited(record(swept(), spec(digests=(B,))))], {}, "assumed", "changed after it was written"),
    ("expf", [replace(record(swept(), spec()), driver="12.0")], {}, "assumed", "changed after it was written"),
    ("expf", [record(swept(), spec(), **EMULATED)], {}, "assumed", "no GPU's record"),
    ("expf", [record(swept(), spec(), **HOST)], {}, "assumed", "no GPU's record"),
    ("expf", [record(swept(), **HOST), record(spec())], {}, "assumed", "no GPU's record has the kernel's"),
    ("expf", [record(swept()), record(spec(), **EMULATED)], {}, "assumed", "no GPU's record has the spec's"),
    (EX2, [record(swept(EX2), **EMULATED)], {}, "assumed", "no GPU's record"),
    # another function, the roles mixed up, an intrinsic of the same name
    ("expf", [record(swept("__expf"), spec("__expf"))], {}, "assumed", "no record has the kernel's expf"),
    ("expf", [record(spec(digests=(A, A)))], {}, "assumed", "no record has the kernel's expf"),
    ("expf", [record(swept(flags=FAST), spec(flags=FAST))], {"flags": FAST}, "assumed", r"other flags than \(none\)"),
    # a difference counts, whatever the digests
    ("expf", [record(swept(differs=DIFFERENCE), spec(digests=(B,))), record(swept(), spec(), driver="12.8")], {}, "violated", "at 0x3f800000"),
    ("expf", [record(swept(differs=DIFFERENCE), spec(digests=(B,)))], {}, "violated", "at 0x3f800000 the kernel's gives"),
    ("expf", [record(swept(differs=DIFFERENCE, toolkit="12.8"))], {}, "assumed", "another toolkit"),
    # an instruction: two runs, one digest
    (EX2, [record(swept(EX2))], {}, "discharged", "2 runs, one digest, a{64}"),
    (EX2, [record(swept(EX2, digests=(A,)))], {}, "assumed", "run once"),
    (EX2, [record(swept(EX2, digests=(A,)))] * 2, {}, "assumed", "run once"),        # the same file twice
    (EX2, [record(swept(EX2, digests=(A, B)))], {}, "assumed", "the digests differ"),
    (EX2, [record(swept(EX2, differs=Difference("0x3f800000", "0x40000000", "0x40000001")))], {}, "violated", "one run gives 0x40000000, another"),
    (EX2, [record(swept(RCP))], {}, "assumed", "no record has"),
    (EX2, [record(swept(EX2, role="spec"))], {}, "assumed", "no record has the kernel's"),
    # two arguments: never
    ("div.full.f32", [record(pairs("div.full.f32"))], {}, "assumed", "two arguments.*only a sample was run, 10 pairs"),
    ("powf", [record(pairs("powf"), pairs("powf", role="spec"))], {}, "assumed", "two arguments.*only a sample was run, 10 pairs"),
    ("powf", [record(pairs("powf", differs=Difference("0x3f800000 0x40000000", "0x3f800000", "0x3f800001")))], {}, "violated", "at 0x3f800000 0x40000000"),
    ("powf", [record(pairs("powf", digests=(), error=replace(EXACT, at="0x3f800000 0x40000000")))], {}, "assumed", "a bound is no equality"),
    ("powf", [], {}, "assumed", "two arguments"),
    ("rcp_approx_add", [], {}, "assumed", "two arguments"),
])
def test_what_a_record_discharges(name: str, records: list[Record], options: dict[str, str], expected: str, says: str) -> None:
    found, evidence = status(name, *records, **options)
    assert found == expected, evidence
    assert re.search(says, evidence), evidence


@pytest.mark.parametrize("cut", [0.2, 0.5, 0.95])
def test_half_a_file_is_no_record(tmp_path: Path, cut: float) -> None:
    text, file = to_json(record(swept(), spec())), tmp_path / f"h{SUFFIX}"
    file.write_text(text[:int(len(text) * cut)], encoding="utf-8")
    with pytest.raises(UsageError, match="is no record"):
        load(file)


@pytest.mark.parametrize("profile, device, expected", [
    ("h100", "NVIDIA H100 80GB HBM3", True), ("h100", "NVIDIA GH100", False), ("rtx4090", "NVIDIA GeForce RTX 4090", True), ("t4", "Tesla T4", True),
    ("rtx4090", "NVIDIA GeForce RTX 4090 Laptop GPU", False), ("rtx4090", "NVIDIA GeForce RTX 4090 D", False), ("l40s", "NVIDIA L40", False),
])
def test_which_device_is_a_profiles(profile: str, device: str, expected: bool) -> None:
    assert is_of(load_profile(profile), device) == expected
    assert not is_of(replace(load_profile(profile), name="mine"), device)      # a profile of another name gives its device's


def test_a_measured_profile_takes_records_of_its_driver_and_device_alone() -> None:
    mine = replace(load_profile("h100"), name="mine", device="NVIDIA H100 PCIe", driver="13.0")
    for device, driver, expected, says in (("NVIDIA H100 PCIe", "13.0", "discharged", A), ("NVIDIA H100 PCIe", "13.1", "assumed", "another driver than 13.0"),
                                           ("NVIDIA H100 NVL", "13.0", "assumed", "another device than NVIDIA H100 PCIe")):
        r = record(swept(), spec(), profile="mine", device=device, driver=driver)
        found = look_up(Obligation("expf", "s", "assumed", "e"), Asked(mine, "13.0", built("13.0")), Book({Path("r"): r}))
        assert found.status == expected and says in found.evidence


def test_what_is_discharged_otherwise_stays() -> None:
    given = Obligation("nan_bits", "s", "discharged", "both sides read the same words")
    assert look_up(given, Asked(load_profile("h100"), "13.0", built("13.0")), Book({})) == given


OBLIGATION = Obligation(EX2, "s", "assumed", "e")
DECISIONS = [Decision("PROVED", theorem="t", obligations=(OBLIGATION,)),
             Decision("REFUTED", theorem="t", witness=HexWitness({"x": "0x00000000"}, 0, "0x00000000", "0x00000001"), obligations=(OBLIGATION,))]
VIOLATED = record(swept(EX2, differs=Difference("0x3f800000", "0x40000000", "0x40000001")))


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda d: d.verdict)
@pytest.mark.parametrize("records, required, opens, says", [
    ((), False, False, ""), ((), True, True, "no record discharges"), ((record(swept(EX2)),), True, False, ""), ((VIOLATED,), False, True, "does not hold"),
    ((VIOLATED,), True, True, "at 0x3f800000 one run gives 0x40000000, another 0x40000001"),
])
def test_what_rests_on_an_obligation(decision: Decision, records: tuple[Record, ...], required: bool, opens: bool, says: str) -> None:
    book = Book({Path(f"{i}{SUFFIX}"): r for i, r in enumerate(records)}, required)
    found = settle(decision, Asked(load_profile("h100"), "13.0", built("13.0")), book)
    assert found.verdict == ("OPEN" if opens else decision.verdict) and bool(found.theorem) != opens
    assert says in found.reason and found.witness == decision.witness
    assert settle(replace(decision, verdict="OPEN", reason="r"), Asked(load_profile("h100"), "13.0", built("13.0")), book).reason == "r"


ROOT = Path(__file__).resolve().parents[1]


def sigmoid(tmp_path: Path, *records: Record, **options: Any) -> Verdict:
    """examples/sigmoid on h100, with these records alone."""
    folder = tmp_path / "records"
    folder.mkdir()
    for i, r in enumerate(records):
        (folder / f"{i}{SUFFIX}").write_text(to_json(r), encoding="utf-8")
    kernel, model = ROOT / "examples" / "sigmoid.cu", ROOT / "examples" / "sigmoid.py"
    (v,) = verify(Request(kernel=kernel, spec=model, devices=("h100",), out=tmp_path, records=folder, **options), lambda _: None)
    return v


@pytest.mark.lean
@pytest.mark.parametrize("reading, toolkit, required, verdict, found", [
    ("written", "here", True, "PROVED", "discharged"), ("compiled", "here", True, "PROVED", "discharged"),
    ("written", "12.1", False, "PROVED", "assumed"), ("compiled", "12.1", True, "OPEN", "assumed"),
])
def test_sigmoid_with_records_and_with_another_toolkits(tmp_path: Path, reading: str, toolkit: str, required: bool, verdict: str, found: str) -> None:
    toolkit = choose_toolkit() if toolkit == "here" else toolkit
    r = record(*(swept(f, toolkit=toolkit, role=role) for f in ("expf", EX2, RCP) for role in ("kernel", "spec")))
    v = sigmoid(tmp_path, r, reading=reading, require_discharged=required)
    assert (v.verdict, [(o.name, o.status) for o in v.obligations]) == (verdict, [("expf" if reading == "written" else EX2, found)]), v.reason
    assert f"toolkit {toolkit}" in v.obligations[0].evidence


@pytest.mark.lean
def test_a_violated_obligation_takes_the_proof_away(tmp_path: Path) -> None:
    r = record(swept(differs=DIFFERENCE, toolkit=choose_toolkit()))
    v = sigmoid(tmp_path, r, reading="written")
    assert v.verdict == "OPEN" and v.obligations[0].status == "violated" and "0x402df855" in v.reason and not v.theorem


def test_the_options_name_a_folder_and_demand_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("k.cu", "k.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
    head, tail = 'records = "measured"\nrequire_discharged = true\n', '[[kernel]]\nkernel = "k.cu"\nspec = "k.py"\n'
    (tmp_path / "devsem.toml").write_text(head + tail, encoding="utf-8")
    (request,) = load_config(tmp_path / "devsem.toml", {})
    assert (request.records, request.require_discharged) == (tmp_path / "measured", True)
    (tmp_path / "devsem.toml").write_text("require_discharged = 1\n" + tail, encoding="utf-8")
    with pytest.raises(UsageError, match="`require_discharged` is true or false, not 1"):
        load_config(tmp_path / "devsem.toml", {})
    assert run(["verify", str(tmp_path / "k.cu"), "--spec", str(tmp_path / "k.py"), "--records", str(tmp_path / "measured"), "--out", str(tmp_path)]) == 4
    assert "no folder of records" in capsys.readouterr().err


@pytest.mark.lean
def test_an_audit_looks_its_obligations_up(tmp_path: Path) -> None:
    """Of two cells, the record is for the flags of one."""
    (tmp_path / f"r{SUFFIX}").write_text(to_json(record(swept(EX2, toolkit=choose_toolkit()))), encoding="utf-8")
    kernel, model = ROOT / "examples" / "sigmoid.cu", ROOT / "examples" / "sigmoid.py"
    request = Request(kernel=kernel, spec=model, devices=("h100",), out=tmp_path, records=tmp_path, reading="compiled")
    found = audit(request, ["", "-fmad=true"], [], lambda _: None, False)
    assert [(c.verdict.verdict, [o.status for o in c.verdict.obligations]) for c in found.cells] == [("PROVED", ["discharged"]), ("PROVED", ["assumed"])]


def test_explain_says_what_was_measured_and_what_not() -> None:
    """Each obligation under its own heading; a refutation that rests on one is told as such."""
    base = Verdict(kernel="k.cu", function="k", spec="s.py", device="h100", flags="", verdict="OPEN", evidence="documented", seconds={"total": 1.0},
                   reason="no record discharges it", witness=HexWitness({"x": "0x00000000"}, 0, "0x00000000", "0x00000001"),
                   obligations=tuple(Obligation(s[0], "t", s, "e") for s in ("assumed", "discharged", "violated")))  # type: ignore[arg-type]
    text = explain(document((base,), "4"))
    assert "If the obligations hold, the two differ at x = 0x00000000" in text
    for heading, name in (("without a record", "a"), ("Known of", "d"), ("Found not to hold", "v")):
        assert re.search(rf"{heading}[^\n]*:\n    - {name}: t \(", text), text
    for verdict in ("PROVED", "REFUTED"):
        with pytest.raises(Bug, match="an obligation is violated"):
            replace(base, verdict=verdict, theorem="t", lean_file="f", witness=base.witness if verdict == "REFUTED" else None, safety=Safety("PASS"))
