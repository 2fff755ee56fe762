"""Profiles: what the flags change (GPU_FLOAT 1.2), and that a broken file is refused with its line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devsem import leancheck
from devsem.calibrated import FORMAT, digest
from devsem.cli import run
from devsem.errors import UsageError
from devsem.flags import normalise
from devsem.leanprofile import model
from devsem.profile import STRENGTH, lean_fields, list_profiles, load_open, load_profile, profiles_dir, read_draft

DEVICES = {"t4": "sm_75", "a100": "sm_80", "rtx4090": "sm_89", "l40s": "sm_89", "h100": "sm_90", "h200": "sm_90", "b200": "sm_100", "rtx5090": "sm_120"}

# GPU_FLOAT 1.2, table "What nvcc really passes": ftz, division, sqrt, contract, libm. `-fast-math` is libm fast, `--gen_div_approx_ftz` division approx.
PASSED = {
    "": (False, "ieee", "ieee", True, "accurate"),
    "-fmad=false": (False, "ieee", "ieee", False, "accurate"),
    "-use_fast_math": (True, "approx", "approx", True, "fast"),
    "-ftz=true -prec-div=false -prec-sqrt=false -fmad=true": (True, "full", "approx", True, "accurate"),
    "-use_fast_math -prec-div=true": (True, "ieee", "approx", True, "fast"),
    "-use_fast_math -ftz=false": (False, "approx", "approx", True, "fast"),
    "-use_fast_math -fmad=false": (True, "approx", "approx", False, "fast"),
    "-ftz=true": (True, "ieee", "ieee", True, "accurate"),
    "-prec-div=false": (False, "full", "ieee", True, "accurate"),
    "-prec-sqrt=false": (False, "ieee", "approx", True, "accurate"),
    "-use_fast_math -prec-sqrt=true": (True, "approx", "ieee", True, "fast"),
}


@pytest.mark.parametrize("flags", PASSED)
@pytest.mark.parametrize("device", DEVICES)
def test_flags_change_what_nvcc_passes(device: str, flags: str) -> None:
    p = load_profile(device, flags)
    assert (p.ftz, p.division, p.sqrt, p.contract, p.libm) == PASSED[flags]
    for name in ("ftz", "division", "sqrt", "contract", "libm"):
        assert p.fields[name].value == getattr(p, name) and p.fields[name].source


def test_every_device_has_a_profile_and_its_architecture() -> None:
    assert set(list_profiles()) == {"ieee", *DEVICES}
    for name, arch in DEVICES.items():
        p = load_profile(name)
        assert (p.name, p.arch, p.sm, p.rewrites) == (name, arch, int(arch[3:]), True)
        assert all(f.evidence in STRENGTH and f.source for f in p.fields.values())


def test_ieee_is_literal_and_takes_flags() -> None:
    p = load_profile("ieee")
    assert (p.contract, p.ftz, p.division, p.sqrt, p.libm, p.rewrites, p.sm) == (False, False, "ieee", "ieee", "accurate", False, 0)
    assert load_profile("ieee", "-fmad=true").contract and load_profile("ieee", "-ftz=true").ftz


@pytest.mark.parametrize(("text", "one"), [
    ("--ftz=true", "-ftz=true"), ("-ftz true", "-ftz=true"), ("--fmad false --ftz=true", "-fmad=false -ftz=true"), ("--use_fast_math", "-use_fast_math"),
    ("-use_fast_math -prec-div=true -ftz=false", "-use_fast_math -ftz=false -prec-div=true"), ("  ", ""), ("-ftz=true -ftz=true", "-ftz=true"),
])
def test_flags_have_one_spelling(text: str, one: str) -> None:
    assert normalise(text) == one == normalise(one)
    assert load_profile("h100", text).flags == one


@pytest.mark.parametrize(("text", "words"), [
    ("-G", "-G is not modelled yet"), ("-O0", "-O0 is not modelled yet"), ("-Xptxas -O0", "-Xptxas is not modelled yet"),
    ("-Ofc=max", "-Ofc=max is not modelled"),
    ("-ftzz=true", "unknown flag -ftzz=true; did you mean -ftz?"), ("-prec-dif=false", "did you mean -prec-div?"), ("-fast", "unknown flag -fast"),
    ("-ftz", "true or false, got 'nothing'"), ("-ftz=1", "got '1'"), ("---ftz=true", "unknown flag ---ftz=true"),
    ("-ftz -fmad=true", "got '-fmad=true'"), ("-ftz=true -ftz=false", "both as true and as false"),
    ("-prec-div=true -use_fast_math", "put -use_fast_math before"), ("-use_fast_math=true", "unknown flag -use_fast_math=true"),
    ("ftz=true", "unknown flag ftz=true"), ("-use-fast-math", "did you mean -use_fast_math?"),
])
def test_other_flags_are_refused_by_name(text: str, words: str) -> None:
    with pytest.raises(UsageError) as e:
        load_profile("h100", text)
    assert words in str(e.value)


def test_unknown_profile_says_what_there_is() -> None:
    with pytest.raises(UsageError, match="did you mean h100"):
        load_profile("H10")
    with pytest.raises(UsageError, match="cannot read profile"):
        load_profile("nowhere.toml")


GOOD = (profiles_dir() / "h100.toml").read_text(encoding="utf-8")


def line_of(text: str, start: str, after: str = "") -> int:
    lines = text.splitlines()
    begin = lines.index(after) if after else 0
    return next(i for i, row in enumerate(lines, 1) if i > begin and row.startswith(start))


@pytest.mark.parametrize(("old", "new", "after", "at", "words"), [
    ("[fields.ftz]", "[fields.fzt]", "", "[fields.fzt]", "unknown field 'fzt'"),
    ('value = "ieee"', 'value = "exact"', "[fields.division]", "value",
     "division is one of 'ieee', 'full', 'approx'; got 'exact'"),
    ("value = false", 'value = "false"', "[fields.ftz]", "value", "ftz is one of true, false; got 'false'"),
    ("value = false", "value = 0", "[fields.ftz]", "value", "got 0"),
    ('evidence = "compiled"', 'evidence = "guessed"', "[fields.contract]", "evidence", "contract needs evidence"),
    ('evidence = "compiled"', 'evidence = "measured"', "[fields.contract]", "[fields.contract]", "names its record file"),
    ('evidence = "compiled"', 'evidence = "emulated"', "[fields.contract]", "[fields.contract]", "names its record file"),
    ('evidence = "compiled"', 'evidence = "undecided"\nrecord = "x.json"', "[fields.contract]", "value", "contract is undecided, so it has no value"),
    ('evidence = "compiled"', 'evidence = "measured"\nrecord = "gone.json"', "[fields.contract]", "record", "the record file gone.json does not exist"),
    ("value = false", "value = false\nrecord = \"x\"", "[fields.ftz]", "record", "names its record file"),
    ("value = false", "value = false\nnote = 1", "[fields.ftz]", "note", "unknown key 'note' in [fields.ftz]"),
    ('arch = "sm_90"', 'arch = "hopper"', "[profile]", "arch", "arch is"),
    ('arch = "sm_90"', "arch = 90", "[profile]", "arch", "needs arch ="),
    ('arch = "sm_90"', 'arch = "sm_90"\nyear = "2022"', "[profile]", "year", "unknown key 'year'"),
    ("[fields.ftz]", "[extra]\n[fields.ftz]", "", "[extra]", "unknown table [extra]"),
    ('source = "nvcc 13.0.88 --help: -ftz', 'source = 1 #', "[fields.ftz]", "source", "ftz needs source ="),
    ('evidence = "documented"', "evidence = true", "[fields.ftz]", "evidence", "ftz needs evidence = one of"),
    ('evidence = "compiled"', 'evidence = "measured"\nrecord = 7', "[fields.contract]", "record", "names its record file"),
    ('arch = "sm_90"', 'arch = "sm_90"\nflags = "-fast"', "[profile]", "flags", "unknown flag -fast"),
    ('arch = "sm_90"', 'arch = "sm_90"\nflags = "--ftz true"', "[profile]", "flags", "flags are spelled '-ftz=true'"),
    ('arch = "sm_90"', 'arch = "sm_90"\nflags = true', "[profile]", "flags", "needs flags ="),
])
def test_a_broken_profile_is_refused_at_its_line(tmp_path: Path, old: str, new: str, after: str, at: str, words: str) -> None:
    head, tail = GOOD.split(after, 1) if after else ("", GOOD)
    assert old in tail
    text = head + after + tail.replace(old, new, 1)
    path = tmp_path / "p.toml"
    path.write_text(text, encoding="utf-8")
    line = line_of(text, at, after if at != after else "")
    with pytest.raises(UsageError) as e:
        load_profile(str(path))
    assert str(e.value).startswith(f"{path}:{line}:1: ") and words in str(e.value)


@pytest.mark.parametrize("key", ["value", "evidence", "source"])
def test_every_field_needs_value_evidence_and_source(tmp_path: Path, key: str) -> None:
    lines = GOOD.splitlines()
    start = lines.index("[fields.libm]")
    victim = next(i for i in range(start, len(lines)) if lines[i].startswith(key))
    path = tmp_path / "p.toml"
    path.write_text("\n".join(lines[:victim] + lines[victim + 1:]), encoding="utf-8")
    with pytest.raises(UsageError, match=rf"p\.toml:{start + 1}:1: libm"):
        load_profile(str(path))


@pytest.mark.parametrize(("data", "line", "words"), [
    (b"[profile\n", 1, "not TOML"), (b"# a\n[profile]\nname = \n", 3, "not TOML"), (b'[profile]\nname = "', 2, "not TOML"), (b"", 1, "[profile] needs name"),
    (GOOD.split("[fields.nan]")[0].encode(), GOOD.split("[fields.nan]")[0].count("\n"), "no [fields.nan]"),
    (b"profile = 1\nfields = 2\n", 1, "unknown table [profile]"), (b"[[profile]]\n", 1, "unknown table [profile]"),
    (GOOD.split("[fields.ftz]")[0].encode() + b"[fields]\nftz = 3\n", GOOD.split("[fields.ftz]")[0].count("\n") + 2, "no [fields.window]"),
    (GOOD.replace("[fields.nan]", "[fields.lost]", 1).encode(), line_of(GOOD, "[fields.nan]"), "unknown field 'lost'"),
    (GOOD.split("[fields.exact]")[0].encode() + b"[fields]\nexact = 3\n", GOOD.split("[fields.exact]")[0].count("\n") + 2, "write [fields.exact] with value"),
    (GOOD.split("[fields.exact]")[0].encode() + b'[fields]\nexact = { value = 3 }\n', GOOD.split("[fields.exact]")[0].count("\n") + 2, "exact is one of true"),
])
def test_what_is_no_toml_or_lacks_a_field_is_refused_at_a_line(tmp_path: Path, data: bytes, line: int, words: str) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(data)
    with pytest.raises(UsageError) as e:
        load_profile(str(path))
    assert str(e.value).startswith(f"{path}:{line}:") and words in str(e.value)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="cannot read"):
        load_profile(str(path))


RECORD: dict[str, Any] = {"format": FORMAT, "runner": "gpu", "arch": "sm_90", "fields": {"contract": {"value": True}}}


def with_record(folder: Path, evidence: str, record: dict[str, Any] | str, device: str = GOOD) -> str:
    """A profile whose contraction is known by a record."""
    (folder / "records").mkdir()
    text = record if isinstance(record, str) else json.dumps({"digest": digest(record), **record})
    (folder / "records" / "r.json").write_text(text, encoding="utf-8")
    path = folder / "p.toml"
    path.write_text(device.replace('evidence = "compiled"', f'evidence = "{evidence}"\nrecord = "records/r.json"', 1), encoding="utf-8")
    return str(path)


def test_a_measured_field_with_its_record_is_accepted(tmp_path: Path) -> None:
    assert load_profile(with_record(tmp_path, "measured", RECORD)).fields["contract"].record == "records/r.json"


def test_a_measured_profile_has_its_devices_driver(tmp_path: Path) -> None:
    """Flags change fields, not the driver; a profile that was not measured has none, and the emulator's record gives none."""
    path = with_record(tmp_path, "measured", {**RECORD, "driver": "13.0"})
    assert [load_profile(path, flags).driver for flags in ("", "-fmad=false")] == ["13.0"] * 2 and load_profile("h100").driver == ""


def test_an_emulated_field_is_the_weakest(tmp_path: Path) -> None:
    assert load_profile(with_record(tmp_path, "emulated", {**RECORD, "runner": "emulator"})).evidence == "emulated"


def test_a_processor_shows_no_contraction_and_has_no_architecture(tmp_path: Path) -> None:
    assert load_profile(with_record(tmp_path, "emulated", {**RECORD, "runner": "host"}, GOOD.replace("sm_90", "", 1))).sm == 0


@pytest.mark.parametrize(("evidence", "record", "words"), [
    ("measured", {**RECORD, "runner": "emulator"}, "is of the emulator, which is not measured"),
    ("emulated", RECORD, "is of a gpu, which is not emulated"),
    ("measured", {**RECORD, "runner": "host"}, "is of a host, which is not measured, but emulated"),
    ("emulated", {**RECORD, "runner": "host"}, "of another architecture than sm_90"),
    ("measured", {**RECORD, "flags": "-fmad=false"}, "of other flags than none"),
    ("compiled", RECORD, "is of a gpu, which is not compiled, but measured"),
    ("measured", {**RECORD, "runner": "oracle"}, "is of a oracle, which is not measured"),
    ("measured", {**RECORD, "arch": "sm_80"}, "of another architecture than sm_90"),
    ("measured", {**RECORD, "fields": {"contract": {"value": False}}}, "does not say that"),
    ("measured", {**RECORD, "fields": {"contract": {"value": 1}}}, "does not say that"),
    ("measured", {**RECORD, "fields": {}}, "does not say that"),
    ("measured", {**RECORD, "digest": "0" * 64}, "was changed"),
    ("measured", {}, "is no record of `devsem calibrate`"),
    ("measured", "[]", "is no record of `devsem calibrate`"),
    ("measured", "{", "is no JSON"),
])
def test_a_record_that_says_something_else_is_refused_at_its_line(tmp_path: Path, evidence: str, record: dict[str, Any] | str, words: str) -> None:
    path = with_record(tmp_path, evidence, record)
    line = Path(path).read_text(encoding="utf-8").splitlines().index('record = "records/r.json"') + 1
    with pytest.raises(UsageError) as e:
        load_profile(path)
    assert str(e.value).startswith(f"{path}:{line}:1: contract: ") and words in str(e.value)


def test_an_undecided_field_is_shown_and_decides_nothing(tmp_path: Path) -> None:
    record = {**RECORD, "fields": {"contract": {"value": None}}}
    path = with_record(tmp_path, "undecided", record, GOOD.replace('value = true\nevidence = "compiled"', 'evidence = "compiled"', 1))
    assert read_draft(path).fields["contract"].value is None
    with pytest.raises(UsageError, match=r"p\.toml:\d+:1: contract is undecided .* nothing can be decided on this device but by `devsem verify`"):
        load_profile(path)
    p = load_open(path, "-fmad=false")
    assert list(p.open) == ["contract"] and p.fields["contract"].value is None      # a flag decides nothing that the probes did not
    assert p.evidence == "documented"


def test_the_weakest_evidence_is_reported() -> None:
    p = load_profile("h100")
    assert p.evidence == "documented"
    compiled = {name: replace(f, evidence="compiled") for name, f in p.fields.items()}
    assert replace(p, fields=compiled).evidence == "compiled"


def test_lean_fields() -> None:
    assert lean_fields(load_profile("h100", "-use_fast_math -fmad=false")) == {
        "contract": "false", "ftz": "true", "division": ".approx", "sqrt": ".approx", "libm": ".fast"}


@pytest.mark.parametrize("name", ["t4", "a100", "h100", "h200", "l40s", "rtx4090", "b200", "rtx5090"])
def test_a_shipped_device_claims_no_measurement(name: str) -> None:
    """No device was at hand: every field is from a document, or from what the compiler makes for that very architecture."""
    p = load_profile(name)
    assert {f.evidence for f in p.fields.values()} == {"documented", "compiled"} and not any(f.record for f in p.fields.values())
    compiled = {key: f.source for key, f in p.fields.items() if f.evidence == "compiled"}
    assert set(compiled) == {"contract", "rewrites"} and all(f"-arch={p.arch}" in source and "[M" in source for source in compiled.values())
    assert all(re.search(r"PTX ISA 9\.1|CUDA C\+\+ Programming Guide 13\.1", f.source) and "[Q]" in f.source
               for f in p.fields.values() if f.evidence == "documented")


# --- the Lean model ---


def test_the_lean_model_is_accepted_and_says_what_the_profile_says() -> None:
    found = model(load_profile("h100", "-use_fast_math -prec-div=true"))
    assert leancheck.check_text(found.text, found.theorems, lean=leancheck.Lean.choose()).accepted and len(found.theorems) > 80
    assert "def device : Profile := Profile.mk true true .ieee .approx .fast (fun j => true)" in found.text
    assert "Eq (Profile.mul device a b) (Fp.ftz (Fp.mul .rn (Fp.ftz a) (Fp.ftz b)))" in found.text
    assert "Eq (Profile.sqrt D device a) (Libm.sqrt_approx_ftz D a)" in found.text


def test_a_wrong_lean_model_is_not_accepted() -> None:
    found = model(load_profile("h100"))
    wrong = found.text.replace("Profile.mk true false .ieee", "Profile.mk true true .ieee", 1)
    assert wrong != found.text and not leancheck.check_text(wrong, found.theorems, lean=leancheck.Lean.choose()).accepted


def test_an_open_field_that_lean_needs_makes_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = {**RECORD, "fields": {"contract": {"value": None}}}
    path = with_record(tmp_path, "undecided", record, GOOD.replace('value = true\nevidence = "compiled"', 'evidence = "compiled"', 1))
    assert run(["profiles", "lean", path]) == 4 and "h100 has no Lean model: contract is undecided" in capsys.readouterr().err
    assert run(["profiles", "lean", "t4"]) == 0 and "# the profile t4 (NVIDIA T4 (Turing))" in capsys.readouterr().out
