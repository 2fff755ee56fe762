"""Calibration of what can be calibrated without a GPU: the emulator says what is documented, and shows every planted error; the processor is itself."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from devsem import calibration, leancheck
from devsem.calibrated import digest
from devsem.calibration import Calibration, Seen, calibrate, compile_probes
from devsem.cli import run
from devsem.device import Device, Emulator
from devsem.devices import open_device
from devsem.errors import UsageError
from devsem.flags import merged
from devsem.frontend.nvrtc import Compiled
from devsem.planted import SWITCHES, Switch, found
from devsem.probes import Probe, load_probes
from devsem.profile import FIELDS, load_profile, read_draft

DATE = "2026-11-30"
PROBES = load_probes()


@cache
def code() -> dict[str, Compiled]:
    return compile_probes(PROBES, "sm_90")


@cache
def on(gpu: str) -> Calibration:
    return calibrate(open_device(gpu, "sm_90"), PROBES, code())


def of(field: str) -> tuple[Probe, ...]:
    return tuple(p for p in PROBES if p.field == field)


def value(done: Calibration, field: str) -> bool | str | None:
    return next(d.value for d in done.fields if d.field == field)


def reason(device: Device, field: str) -> str:
    """Why a field is undecided there."""
    decided = next(d for d in calibrate(device, of(field), code()).fields if d.field == field)
    assert decided.value is None
    return decided.reason


def test_the_emulator_is_the_documented_device(tmp_path: Path) -> None:
    done, documented = on("emulator"), load_profile("h100")
    assert {d.field: d.value for d in done.fields} == {name: f.value for name, f in documented.fields.items()}
    assert all(not d.notes for d in done.fields) and not any(s.skipped for s in done.seen)
    path, _ = calibration.write(done, "emu", tmp_path, DATE)
    assert path.read_text(encoding="utf-8").startswith("# Written by `devsem calibrate` on 2026-11-30: no device was run")
    p = load_profile(str(path))
    assert (p.evidence, p.device, p.arch) == ("emulated", "PTX emulator", "sm_90")
    assert all(f.evidence == "emulated" and f.record == "records/emu.json" for f in p.fields.values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["t4", "a100", "l40s", "b200", "rtx5090"])
def test_the_emulator_is_every_documented_device(name: str) -> None:
    documented = load_profile(name)
    done = calibrate(Emulator(documented.arch), PROBES, compile_probes(PROBES, documented.arch))
    assert {d.field: d.value for d in done.fields} == {field: f.value for field, f in documented.fields.items()}


SLOW = pytest.mark.slow


@pytest.mark.parametrize("flags", ["-ftz=true -prec-div=false -prec-sqrt=false", *(pytest.param(f, marks=SLOW) for f in (
    "-ftz=true", "-fmad=false", "-prec-div=false", "-use_fast_math", "-use_fast_math -ftz=false", "-use_fast_math -prec-div=true"))])
def test_the_emulator_is_the_documented_device_under_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: str) -> None:
    done, documented = calibrate(open_device("emulator", "sm_90"), PROBES, compile_probes(PROBES, "sm_90", None, flags), flags), load_profile("h100", flags)
    assert {d.field: d.value for d in done.fields} == {name: f.value for name, f in documented.fields.items()}
    path, record = calibration.write(done, "emu", tmp_path, DATE)
    found = load_profile(str(path))
    assert found.flags == flags == json.loads(record.read_text(encoding="utf-8"))["flags"] and run(["profiles", "check", str(path)]) == 0
    approximate = {name for name in ("division", "sqrt") if found.fields[name].value != "ieee"}
    assert {name: f.evidence for name, f in found.fields.items()} == {name: "compiled" if name in approximate else "emulated" for name in FIELDS}
    assert run(["profiles", "diff", str(path), "h100"]) == 1 and f"flags      emu          {flags}\n" in capsys.readouterr().out
    assert load_profile(str(path), "-fmad=false").flags == merged(flags, "-fmad=false") and found.contract is ("-fmad=false" not in flags)
    edited(record, lambda r: r.update(flags=""))
    with pytest.raises(UsageError, match=r"emu\.toml:\d+:1: contract: the record emu\.json is of other flags than"):
        load_profile(str(path))


def test_other_flags_than_those_of_the_compiler_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "--gpu", "emulator", "--flags", "-fast"]) == 4 and "unknown flag -fast" in capsys.readouterr().err
    assert run(["calibrate", "--gpu", "host", "--flags", "-ftz=true"]) == 4
    assert "nothing can be calibrated with -ftz=true: this processor has no instructions that flush by themselves" in capsys.readouterr().err


def test_a_calibrated_profile_has_its_lean_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = calibration.write(on("host"), "host", tmp_path, DATE)
    capsys.readouterr()
    assert run(["profiles", "lean", str(path)]) == 0
    text = capsys.readouterr().out
    assert "def device : Profile := Profile.mk true false .ieee .ieee .accurate (fun j => true)" in text
    assert "minmax: open, undecided" in text or platform.machine() != "x86_64"
    (tmp_path / "model.lean").write_text(text, encoding="utf-8")
    assert leancheck.check_file(tmp_path / "model.lean", lean=leancheck.Lean.choose()).accepted


def test_a_record_has_every_operand_and_result(tmp_path: Path) -> None:
    _, path = calibration.write(on("emulator"), "emu", tmp_path, DATE)
    record = json.loads(path.read_text(encoding="utf-8"))
    assert (record["runner"], record["toolkit"][:6], record["date"], set(record["fields"])) == ("emulator", "NVRTC ", DATE, set(FIELDS))
    assert {(s["probe"], s["run"]) for s in record["probes"]} == {(p.name, r) for p in PROBES for r in p.runs}
    assert all(len(s["operands"]) == len(s["results"]) > 0 for s in record["probes"] if "instructions" not in s)
    assert {s["probe"] for s in record["probes"] if "instructions" in s} == {p.name for p in PROBES if p.rule == "code"}
    assert "div.rn.f32" in next(s for s in record["probes"] if s["probe"] == "division_instruction")["instructions"]
    sum_ = next(s for s in record["probes"] if s["probe"] == "ftz_add_input" and s["run"] == "-ftz=true")
    assert (sum_["operands"][0], sum_["results"][0]) == (["00400000", "00800000"], "00800000")


@cache
def planted() -> tuple[tuple[Switch, Seen, Seen], ...]:
    return tuple(found(PROBES, "sm_90", code()))


def test_every_planted_behaviour_is_seen_by_its_probe() -> None:
    missed = [s.name for s, before, after in planted() if before.outcome is None or after.outcome is before.outcome]
    assert len(planted()) > 90 and not missed


def test_every_probe_sees_something_and_every_field_has_switches() -> None:
    assert {s.probe for s in SWITCHES} == {p.name for p in PROBES}
    assert {s.field for s in SWITCHES} == set(FIELDS) and all(s.field == p.field for s in SWITCHES for p in PROBES if p.name == s.probe)


@pytest.mark.parametrize("field", ["division", "sqrt", "minmax", "nan", "exact"])
def test_a_planted_behaviour_leaves_the_field_undecided_and_is_named(field: str) -> None:
    switch = next(s for s in SWITCHES if s.field == field and not s.body)
    assert switch.probe in reason(switch.device("sm_90"), field)


def test_probes_that_contradict_each_other_decide_nothing() -> None:
    said = reason(Emulator("sm_90", fuses=False), "contract")
    assert "different values" in said and "false by contract_minuend" in said and "true by 7 probes" in said


def test_a_harmless_difference_is_noted() -> None:
    switch = next(s for s in SWITCHES if s.name == "nan_neg changes the sign bit only")
    decided = next(d for d in calibrate(switch.device("sm_90"), of("nan"), code()).fields if d.field == "nan")
    assert decided.value == "canonical" and any("nan_neg: only the sign bit changes" in n for n in decided.notes)


@pytest.mark.slow
@pytest.mark.parametrize("switch", [s for s in SWITCHES if not s.body], ids=lambda s: s.name)
def test_a_calibration_under_a_planted_behaviour_names_its_probe(switch: Switch) -> None:
    done = calibrate(switch.device("sm_90"), of(switch.field), code())
    decided = next(d for d in done.fields if d.field == switch.field)
    assert switch.probe in decided.reason + "".join(decided.notes)


def edited(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a record, and make its digest fit."""
    record = json.loads(path.read_text(encoding="utf-8"))
    change(record)
    path.write_text(json.dumps({**record, "digest": digest(record)}), encoding="utf-8")


def one_ulp(record: dict[str, Any]) -> None:
    """Another root among the results."""
    root = next(s for s in record["probes"] if s["probe"] == "sqrt_root")
    root["results"][0] = f"{int(root['results'][0], 16) + 1:08x}"


@pytest.mark.parametrize(("change", "words"), [
    (one_ulp, "sqrt is ieee there, but the results say undecided (sqrt_root with -prec-div=true -prec-sqrt=true: no outcome"),
    (lambda r: r["probes"].pop(0), "1 runs are missing: contract_across (default)"),
    (lambda r: r["probes"][0].update(source="0" * 64), "the probe contract_across is not the one that was run: calibrate again"),
    (lambda r: r["probes"][0].pop("results"), "is no whole record: KeyError('results')"),
])
def test_a_record_that_its_own_results_contradict_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], change: Callable[[dict[str, Any]], None],
                                                             words: str) -> None:
    path, record = calibration.write(on("emulator"), "emu", tmp_path, DATE)
    assert run(["profiles", "check", str(path)]) == 0
    edited(record, change)
    capsys.readouterr()
    assert run(["profiles", "check", str(path)]) == 4
    assert words in capsys.readouterr().err


# --- this processor ---


def test_the_processor_differs_with_its_flush_mode_just_there(tmp_path: Path) -> None:
    try:
        flushing = on("host:ftz")
    except UsageError as e:
        pytest.skip(str(e))
    keeping = on("host")
    assert value(keeping, "ftz") is False and value(flushing, "ftz") is True
    if platform.machine() == "x86_64":      # which detects tininess after rounding
        assert (value(keeping, "window"), value(flushing, "window")) == (None, "after")
    assert [d.field for d, e in zip(keeping.fields, flushing.fields, strict=True) if d.value != e.value] == ["ftz", "window"]
    own = {s.name: s for s in flushing.seen if s.probe.field == "ftz" and not s.skipped}
    flushed = [s for s in own.values() if s.value == "true"]
    assert len(flushed) > 15 and not [s for s in own.values() if s.value == "false"]
    assert (value(keeping, "division"), value(keeping, "sqrt"), value(keeping, "exact")) == ("ieee", "ieee", True)
    a, b = (calibration.write(done, name, tmp_path, DATE)[0] for done, name in ((keeping, "host"), (flushing, "host-ftz")))
    assert run(["profiles", "diff", str(a), str(b)]) == 1
    assert [read_draft(str(a)).fields[f].evidence for f in ("contract", "libm", "exact")] == ["emulated", "compiled", "measured"]
    assert read_draft(str(a)).arch == "" and read_draft(str(a)).fields["sqrt"].evidence == "measured"


def test_instructions_that_flush_by_themselves_are_not_asked_of_a_processor() -> None:
    assert {s.run for s in on("host").seen if s.skipped and "flush" in s.skipped} == {"-ftz=true", "-ftz=true -prec-div=true -prec-sqrt=true"}


# --- the commands ---


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "compile_probes", lambda probes, arch, toolkit, flags: code())
    assert run(["calibrate", "--gpu", "emulator", "--name", "emu", "--out", str(tmp_path)]) == 0
    assert "as the profile h100 in every field" in capsys.readouterr().out
    emu = str(tmp_path / "emu.toml")
    assert run(["profiles", "check", emu]) == 0 and "10 fields, 10 emulated" in capsys.readouterr().out
    assert run(["profiles", "diff", emu, "h100"]) == 0 and "same value in every field" in capsys.readouterr().out
    assert run(["profiles", "diff", "h100", "ieee"]) == 1
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == {"contract", "rewrites"}
    assert run(["profiles", "show", emu]) == 0 and "PTX emulator" in capsys.readouterr().out
    text = (tmp_path / "emu.toml").read_text(encoding="utf-8")
    (tmp_path / "emu.toml").write_text(text.replace('"emulated"', '"measured"', 1), encoding="utf-8")
    assert run(["profiles", "check", emu]) == 4 and "is of the emulator, which is not measured" in capsys.readouterr().err
    (tmp_path / "mine.toml").write_text("# by hand\n", encoding="utf-8")
    assert run(["calibrate", "--gpu", "emulator", "--name", "mine", "--out", str(tmp_path)]) == 4
    assert "was not written by calibrate" in capsys.readouterr().err
    assert run(["calibrate", "--gpu", "emulator", "--name", "../x", "--out", str(tmp_path)]) == 4
    assert "a profile's name is of letters" in capsys.readouterr().err
    assert run(["calibrate", "--gpu", "emulator", "--device", "ieee"]) == 4 and "ieee is no device" in capsys.readouterr().err


def test_without_a_gpu_calibrate_says_so_in_one_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def cuInit(self, flags: int) -> None:
            raise RuntimeError("not found")
    monkeypatch.setattr("devsem.device_cuda._driver", Missing)
    assert run(["calibrate"]) == 4
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("devsem: there is no NVIDIA driver on this machine") and said.err.count("\n") == 1
