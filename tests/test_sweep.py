"""Sweeps: what is measured, against mpmath or by hand; a kill in the middle changes nothing; a second run adds its digest."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest

from devsem import sweep as sweeping, sweep_measure as measure, sweep_record, sweep_runners, sweep_state
from devsem.cli import run
from devsem.device import Emulator, Identity
from devsem.errors import UsageError
from devsem.frontend.toolkits import build_of, choose_toolkit
from devsem.records import Difference, load
from devsem.sweep import Plan, first_difference, sweep
from devsem.sweep_measure import Chunk, correct, digest, order, subnormals, worst
from devsem.sweep_runners import Runner, make_runner

HOST = Runner("host")
mp = mpmath.MPContext()
mp.prec = 200


def patterns(*values: float) -> Any:
    return np.array(values, np.float32).view(np.uint32)


def chunk(function: str, given: Any, results: Any, index: int = 0, zeros: tuple[int, int] = (0, 1 << 31)) -> Chunk:
    return measure.measure(index, function, (np.asarray(given, np.uint32),), np.asarray(results, np.uint32), zeros)


def test_errors_are_in_units_of_the_last_place() -> None:
    """2^1 is 2, whose interval has the unit 2^-22; from below, 2 less one pattern is half a unit away."""
    one = 0x3F800000
    assert chunk("exp2f", [one, one + (1 << 23)], [0x40000003, 0x40800000]).worst == 3.0
    c = chunk("exp2f", [one, one + (1 << 23)], [0x3FFFFFFF, 0x40800000])
    assert (c.worst, c.at, c.misrounded, c.nans) == (0.5, "0x3f800000", 1, None)
    assert chunk("exp2f", [0x43000000], [0x7F7FFFFF]).worst == 1.0       # 2^128 is an infinity: the largest number is a unit off
    assert worst([chunk("exp2f", [one], [0x7FC00000])]) == (None, "0x3f800000")
    assert worst([c, replace(c, worst=2.0000001, at="0x00000007"), replace(c, worst=2.0000001, at="0x00000005")]) == (2.000001, "0x00000005")


def test_order() -> None:
    """Pattern order runs away from zero, on both sides; a fall between two chunks counts."""
    def of(function: Any, *starts: float) -> list[Chunk]:
        given = [patterns(*np.linspace(s, 2 * s, 16, dtype=np.float32)) for s in starts]
        return [chunk("expf", g, function(g.view(np.float32)).view(np.uint32), i) for i, g in enumerate(given)]

    assert order(of(np.exp, 1, 2, -1, -2), 2) == "increasing"
    assert order(of(lambda x: -x, 1, 2, -1, -2), 2) == "decreasing"
    assert order(of(np.abs, 1, 2, -1, -2), 2) == "neither"
    assert order(of(lambda x: np.where(x >= 2, x - 10, x).astype(np.float32), 1, 2.5), 2) == "neither"
    assert order(of(lambda x: np.where(x > 0, x - 90, x).astype(np.float32), 1, -1), 1) == "neither"
    assert order(of(lambda x: np.full_like(x, np.nan), 1, 2), 2) == "unknown"
    roots = [chunk("rsqrt.approx.f32", [0, 1, 0x3F800000], [0x7F800000, 0x64B504F3, 0x3F800000]),
             chunk("rsqrt.approx.f32", [0x80000000, 0x80000001], [0xFF800000, 0x7FC00000], 1)]
    assert order(roots, 1) == "decreasing"      # from +0 on; the minus infinity at -0 is left out


def test_subnormals() -> None:
    """sin x is x for subnormals; e^x does not tell them from zero; e^-90 is subnormal."""
    small = np.array([1, 0x700000, 0x80000005], np.uint32)
    assert subnormals([chunk("sinf", small, small).inputs]) == "kept"
    flushed = small & np.uint32(1 << 31)
    assert subnormals([chunk("sinf", small, flushed).inputs]) == "flushed"
    assert subnormals([chunk("sinf", small, small).inputs, chunk("sinf", small, flushed).inputs]) == "mixed"
    assert subnormals([chunk("expf", small, [0x3F800000] * 3, zeros=(0x3F800000, 0x3F800000)).inputs]) == "not seen"
    deep = patterns(-90, -92)
    assert subnormals([chunk("expf", deep, [0, 0]).results]) == "flushed"
    assert subnormals([chunk("expf", deep, correct("expf", deep).patterns).results]) == "kept"
    down = chunk("ex2.approx.ftz.f32", patterns(-130, -127), [0, 0])
    assert (subnormals([down.results]), down.worst, down.misrounded) == ("flushed", 0, 0)


def test_a_sample_of_pairs_is_recorded_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sweep", "hypotf", "--gpu", "host", "--inputs", "0:0x400000", "--out", str(tmp_path), "--jobs", "1", "--json", "-"]
    assert run(command) == 0
    told = json.loads(capsys.readouterr().out)
    (entry,) = load(tmp_path / "host.functions.json").functions
    assert told["digests"] == list(entry.digests) and told["record"].endswith("host.functions.json")
    assert (entry.inputs, entry.monotone, entry.subnormal_inputs) == ("sample", "unknown", "unknown")
    assert entry.sample.startswith("4194304 pairs from number 0x0")
    assert entry.error is not None and len(entry.error.at.split()) == 2 and 0.5 <= (entry.error.max_ulp or 0) < 2
    assert entry.special["0x3f800000 0x00000000"] == "0x3f800000" and len(entry.special) == 144
    with pytest.raises(UsageError, match="within 0x1000000"):
        Plan("hypotf", HOST, 1 << 24, 1)


# --- a whole sweep, of 2^18 inputs ---

PLAN = Plan("expf", HOST, 0x3F800000, 64, 12)


def test_the_digest_is_as_the_layout_says(tmp_path: Path) -> None:
    chunks = sweep(PLAN, tmp_path / "s", 1, lambda _: None)
    raw = np.exp(np.arange(0x3F800000, 0x3F800000 + (1 << 18), dtype=np.uint32).view(np.float32)).tobytes()
    parts = [hashlib.sha256(raw[i:i + (4 << 12)]).digest() for i in range(0, len(raw), 4 << 12)]
    assert digest(chunks) == digest(chunks[::-1]) == hashlib.sha256(b"".join(parts)).hexdigest()
    assert sweep(PLAN, tmp_path / "two", 2, lambda _: None) == chunks


KILLED = """
import sys, time
from pathlib import Path
from devsem import sweep, sweep_measure
from devsem.sweep_runners import Runner
measure = sweep.measure
def slow(*a):
    time.sleep(0.05)
    return measure(*a)
sweep.measure = slow
sweep.sweep(sweep.Plan("expf", Runner("host"), 0x3F800000, 64, 12), Path(sys.argv[1]), 1, lambda n: None)
"""


def test_a_killed_sweep_goes_on_with_the_same_digest(tmp_path: Path) -> None:
    whole, state = sweep(PLAN, tmp_path / "whole", 1, lambda _: None), tmp_path / "s"
    child = subprocess.Popen([sys.executable, "-P", "-c", KILLED, str(state)], env=os.environ)
    end = time.monotonic() + 60
    while (not state.exists() or len(state.read_bytes().splitlines()) < 20) and time.monotonic() < end:
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()
    kept = len(state.read_text().splitlines()) - 1
    assert 10 <= kept < PLAN.count
    state.write_text(state.read_text() + '0123abcd {"index": 63, "sha2')     # as if the kill had come in the middle of a line
    said: list[int] = []
    assert sweep(PLAN, state, 1, said.append) == whole
    assert said[0] in (kept, kept - 1) and said[-1] == PLAN.count and len(said) == PLAN.count - said[0] + 1
    assert sweep(PLAN, state, 1, said.append) == whole and said[-1] == PLAN.count


def test_a_foreign_or_damaged_state_is_refused_in_one_sentence(tmp_path: Path) -> None:
    state = tmp_path / "s"
    sweep(replace(PLAN, count=3), state, 1, lambda _: None)
    good = state.read_bytes()
    head, one, two, three, _ = good.split(b"\n")
    short = sweep_state._line({"index": 0})
    for text, says in (
        (b"nonsense\n", "line 1, is damaged"), (good.replace(b'"sha256": "', b'"sha256": "0', 1), "line 2, is damaged"),
        (b"\0" * 50 + b"\n" + good, "line 1, is damaged"),
        (sweep_state._line({"sweep": 1}), "of another sweep"), (head + b"\n" + short, "line 2.sha256 is missing"),
        (head + b"\n" + one + b"\n" + one + b"\n", "line 3, has a chunk that is outside the sweep, or there already"), (b"\xff\xfe\n", "line 1, is damaged"),
        (head + b"\n" + two[:-30] + b"\n" + three + b"\n", "line 2, is damaged"),
    ):
        state.write_bytes(text)
        with pytest.raises(UsageError, match=says):
            sweep(replace(PLAN, count=3), state, 1, lambda _: None)
        assert state.read_bytes() == text
    state.write_bytes(good)
    with pytest.raises(UsageError, match="of another sweep"):
        sweep(replace(PLAN, function="logf", count=3), state, 1, lambda _: None)


class Ended:
    """A pool whose processes were ended from outside."""

    def __init__(self, *_: object) -> None:
        pass

    def submit(self, *_: object) -> Future[Chunk]:
        future: Future[Chunk] = Future()
        future.set_exception(BrokenProcessPool())
        return future

    def shutdown(self, **_: object) -> None:
        pass


def test_what_stops_a_sweep_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was ended; a disk that is full."""
    monkeypatch.setattr(sweeping, "ProcessPoolExecutor", Ended)
    with pytest.raises(UsageError, match="the same command goes on where it was"):
        sweep(PLAN, tmp_path / "s", 2, lambda _: None)
    full = Path("/dev/full")
    if full.exists():
        with full.open("wb", buffering=0) as file, pytest.raises(UsageError, match="cannot write /dev/full: No space left"):
            sweep_state.State(full, file, {}).write({})


def test_what_is_recorded_is_recorded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the result is written no other sweep can take the state; one that opened it before finds it gone."""
    plan, state = replace(PLAN, count=2), tmp_path / "s"
    with sweeping.finished(plan, state, 1, lambda _: None), pytest.raises(UsageError, match="another sweep is writing"):
        sweep(plan, state, 1, lambda _: None)
    monkeypatch.setattr(sweep_state.fcntl, "flock", lambda *_: state.unlink())      # as the other sweep does once it has recorded
    with pytest.raises(UsageError, match="another sweep has just recorded"):
        sweep(plan, state, 1, lambda _: None)


def test_a_state_has_one_writer(tmp_path: Path) -> None:
    def again(done: int) -> None:
        with pytest.raises(UsageError, match="another sweep is writing"):
            sweep(PLAN, tmp_path / "s", 1, lambda _: None)
        told.append(done)

    told: list[int] = []
    sweep(replace(PLAN, count=2), tmp_path / "s", 1, again)
    assert told == [0, 1, 2]


@pytest.mark.parametrize("change", [{"first": 5}, {"count": 1 << 21}, {"count": 0}])
def test_a_sweep_takes_whole_chunks(change: dict[str, int]) -> None:
    with pytest.raises(UsageError, match="whole chunks"):
        replace(PLAN, **change)     # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["logf", "sinf"])
def test_the_emulator_runs_what_nvrtc_makes(name: str) -> None:
    """CUDA documents 1 ulp for logf and 2 for sinf."""
    given = patterns(*np.linspace(0.5, 30, 300))
    results = make_runner(Runner("emulator", toolkit=choose_toolkit()), name)(given)
    assert chunk(name, given, results).worst <= 2


@pytest.mark.parametrize("name, says", [
    ("ex2.approx.ftz.f32", "no values for ex2.approx.ftz.f32 since"), ("expf", "no values for ex2.approx.ftz.f32, of which expf is made,"),
    ("div.full.f32", "no values for div.full.f32 since"), ("__fdividef", "div.approx.f32, of which __fdividef is made"),
    ("__tanhf", "tanh.approx.f32, of which"), ("__powf", "ex2.approx.f32, lg2.approx.f32, of which"),
])
def test_the_emulator_refuses_what_has_no_value(name: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        make_runner(Runner("emulator", toolkit=choose_toolkit()), name)


def test_a_difference_is_found_and_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: ln 2^-149 is -103.28, but -ftz=true makes the subnormal a zero, of which it is minus infinity; above 1 the two agree."""
    toolkit = choose_toolkit()
    kernel, spec = Runner("emulator", flags="-ftz=true", toolkit=toolkit), Runner("emulator", toolkit=toolkit)
    found = first_difference(Plan("logf", kernel, 0, 2, 8), spec, lambda _: None)
    assert found == Difference("0x00000001", "0xff800000", f"{int(patterns(-103.278929903)[0]):#010x}")
    assert first_difference(Plan("logf", kernel, 0x3F800000, 2, 8), spec, lambda _: None) is None

    def planted(runner: Runner, function: str) -> Any:
        return lambda p: p ^ np.uint32(p[0] == 0x3F800000 and runner.flags != "")

    refused = ["sweep", "expf", "--gpu", "emulator", "--role", "spec", "--flags", "-ftz=true", "--out", str(tmp_path)]
    assert run(refused) == 4 and "compiled without flags" in capsys.readouterr().err

    for module in (sweeping, sweep_record, sweep_runners):
        monkeypatch.setattr(module, "make_runner", planted)
    command = ["sweep", "expf", "--gpu", "emulator", "--inputs", "0x3f800000:0x400000", "--out", str(tmp_path), "--jobs", "1"]
    other = [*command, "--flags", "-fmad=false"]
    assert run(command) == run(other) == run([*command, "--role", "spec"]) == 0
    assert "the kernel's expf with flags -fmad=false has another digest: sweep it again" in (said := capsys.readouterr().out) and "(none)" not in said
    assert run(other) == 0
    told = {(s.role, s.flags): s.differs for s in load(tmp_path / "emulator.functions.json").functions}
    assert told == {("spec", ""): None, ("kernel", ""): None, ("kernel", "-fmad=false"): Difference("0x3f800000", "0x3f800001", "0x3f800000")}
    assert "at 0x3f800000 the kernel's function gives 0x3f800001" in capsys.readouterr().out


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["sweep", "logf", "--gpu", "host", "--inputs", "0x3f800000:0x400000", "--out", str(tmp_path), "--jobs", "1"]
    assert run(command) == run(command) == 0
    record = load(tmp_path / "host.functions.json")
    (entry,) = record.functions
    assert len(entry.digests) == 2 and len(set(entry.digests)) == 1 and entry.digests[0] in capsys.readouterr().out
    assert (entry.inputs, entry.sample) == ("sample", "4194304 patterns from 0x3f800000 on")
    assert entry.special["0x3f800000"] == "0x00000000" and entry.error is not None and 0.5 <= (entry.error.max_ulp or 0) < 4
    assert not list(tmp_path.glob(".*.sweep"))


@pytest.mark.parametrize("arguments, says", [
    (["frobf", "--gpu", "host"], "no function frobf"), (["__expf", "--gpu", "host"], "neither numpy nor the C library has __expf"),
    (["ex2.approx.f32", "--gpu", "emulator"], "since PTX gives only a bound"),
    (["ex2.approx.f32", "--gpu", "emulator", "--role", "spec"], "stands on both sides"),
    (["powf", "--gpu", "host", "--inputs", "0x1000000:0x400000"], "within 0x1000000"),
    (["lgammaf", "--gpu", "emulator"], "not swept"), (["expf", "--gpu", "cloud"], "the number of"), (["expf", "--gpu", "host", "--role", "x"], "--role"),
    (["expf", "--gpu", "host", "--inputs", "0:5"], "whole chunks"), (["expf", "--gpu", "host", "--inputs", "5"], "FIRST:COUNT"),
    (["expf", "--gpu", "host", "--inputs", "0x1:0x400000"], "whole chunks"), (["expf", "--gpu", "host", "--out", "/dev/null/x"], "cannot write"),
])
def test_a_wrong_command_is_one_sentence(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", *arguments]) == 4
    assert says in (text := capsys.readouterr().err) and "Traceback" not in text


def stand_in(name: str, arch: str) -> Any:
    """A GPU that is none: the emulator under a device's name."""
    device = Emulator(arch)
    object.__setattr__(device, "identity", Identity("gpu", name, arch, f"{arch[3:-1]}.{arch[-1]}", "13.0"))
    return device


def test_a_gpu_runs_what_nvrtc_makes_and_is_named_in_the_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sweep_runners, "open_device", lambda gpu, arch: stand_in("a planted H100", "sm_90"))
    sweep_runners.opened.cache_clear()
    runner = Runner("0", toolkit=choose_toolkit())
    plan = Plan("ex2.approx.ftz.f32", runner, 0x3F800000, 1, 22)
    given = patterns(*np.linspace(-3, 3, 300))
    assert chunk(plan.function, given, make_runner(runner, plan.function)(given)).worst <= 0.5
    ran = str(plan.head["runner"]).split("; ")
    assert ran[:4] == ["0", "h100", "", choose_toolkit()] and ran[4] == build_of(choose_toolkit()) != "" == build_of("11.1")
    assert ran[5:] == ["a planted H100", "13.0"]
    one = chunk(plan.function, given, make_runner(runner, plan.function)(given))
    file = sweep_record.save(plan, sweep_record.entry(plan, [one], "kernel", "2026-01-31"), tmp_path, tmp_path / "s")
    record = load(file)
    assert (file.name, record.profile, record.device, record.arch) == ("h100.functions.json", "h100", "a planted H100", "sm_90")
    assert record.functions[0].toolkit == choose_toolkit() and "a planted H100" in record.functions[0].source and record.functions[0].build == ran[4]
    monkeypatch.setattr(sweep_runners, "open_device", lambda gpu, arch: stand_in("another H100", "sm_90"))
    sweep_runners.opened.cache_clear()
    with pytest.raises(UsageError, match=r"is of a planted H100 with driver 13\.0, not of another H100 with driver 13\.0"):
        sweep_record.save(plan, record.functions[0], tmp_path, tmp_path / "s")
    monkeypatch.setattr(sweep_runners, "open_device", lambda gpu, arch: stand_in("a planted A100", "sm_80"))
    sweep_runners.opened.cache_clear()
    assert run(["sweep", "expf", "--gpu", "0", "--out", str(tmp_path)]) == 4
    assert "device 0 is a planted A100, sm_80, and the profile h100 is of sm_90" in capsys.readouterr().err
    monkeypatch.setattr(sweep_runners, "open_device", lambda gpu, arch: stand_in("NVIDIA H200", "sm_90"))
    sweep_runners.opened.cache_clear()
    assert run(["sweep", "expf", "--gpu", "0", "--out", str(tmp_path)]) == 4
    assert "device 0 is NVIDIA H200, which is not what the profile h100 is of" in capsys.readouterr().err
    sweep_runners.opened.cache_clear()
