"""From a sweep's record to a verdict: files that are written by the code of `devsem sweep` on a GPU, but PLANTED here. No device gave them.

The device is a stand-in, and the chunks of the 2^32 inputs are made up; all the rest is what a sweep writes and `devsem verify` reads. Each wrong record
leaves the obligation assumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devsem import sweep_record, sweep_runners
from devsem.cli import run
from devsem.device import Emulator, Identity
from devsem.discharge import Asked, Book, look_up
from devsem.errors import UsageError
from devsem.frontend.toolkits import build_of, choose_toolkit
from devsem.pipeline import verify
from devsem.profile import load_profile
from devsem.records import SUFFIX, Record, Role, load, load_folder, sealed, to_json
from devsem.request import Request
from devsem.sweep import Plan, whole
from devsem.sweep_measure import Chunk
from devsem.sweep_runners import Runner
from devsem.verdict import Obligation, Verdict

ROOT = Path(__file__).resolve().parents[1]
EX2 = "ex2.approx.ftz.f32"
ONE, OTHER = "a" * 64, "b" * 64


def stand_in(gpu: str, arch: str) -> Any:
    """A GPU that is none: the emulator under a device's name."""
    device = Emulator(arch)
    object.__setattr__(device, "identity", Identity("gpu", "a planted H100", arch, f"{arch[3:-1]}.{arch[-1]}", "13.0"))
    return device


@pytest.fixture(autouse=True)
def no_device(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sweep_runners, "open_device", stand_in)
    sweep_runners.opened.cache_clear()
    yield
    sweep_runners.opened.cache_clear()
    sweep_runners._on_gpu.cache_clear()


def plant(folder: Path, plan: Plan, role: Role, sha: str = ONE) -> Path:
    """What a sweep whose every chunk has this digest writes at its end."""
    at = " ".join(["0x3f800000"] * plan.arguments)
    chunks = [Chunk(i, sha, 1.0, at, None, 5, True, False, 0x3F800000, 0x3F800001, (0, 0), (0, 0)) for i in range(plan.count)]
    return sweep_record.save(plan, sweep_record.entry(plan, chunks, role, "2026-01-31"), folder, folder / "state")


def planted(folder: Path, function: str = "expf", toolkit: str | None = None) -> Path:
    """The kernel's and the spec's full sweeps; of an instruction two runs."""
    folder.mkdir(exist_ok=True)
    plan = whole(function, Runner("0", "h100", "", toolkit or choose_toolkit()))
    plant(folder, plan, "kernel")
    return plant(folder, plan, "kernel" if function == EX2 else "spec")


def rewritten(file: Path, change: Callable[[Record], Record]) -> None:
    """The record as another sweep would have written it: sealed."""
    file.write_text(to_json(sealed(change(load(file)))), encoding="utf-8")


def entries(**changes: Any) -> Callable[[Path], None]:
    return lambda file: rewritten(file, lambda r: replace(r, functions=tuple(replace(s, **changes) for s in r.functions)))


def head(**changes: Any) -> Callable[[Path], None]:
    return lambda file: rewritten(file, lambda r: replace(r, **changes))


def by_hand(file: Path) -> None:
    """The spec's digest is another, and was made the kernel's in the file's text."""
    rewritten(file, lambda r: replace(r, functions=tuple(replace(s, digests=(OTHER,)) if s.role == "spec" else s for s in r.functions)))
    kernel = load(file).functions[0].digests[0]
    file.write_text(file.read_text(encoding="utf-8").replace(OTHER, kernel), encoding="utf-8")


def two_drivers(file: Path) -> None:
    """The spec's entry in a file of its own, of another driver."""
    text = file.read_text(encoding="utf-8")
    rewritten(file, lambda r: replace(r, functions=r.functions[:1]))
    other = file.with_name(f"other{SUFFIX}")
    other.write_text(text, encoding="utf-8")
    rewritten(other, lambda r: replace(r, functions=r.functions[1:], driver="12.8"))


def found(folder: Path, function: str) -> Obligation:
    toolkit = choose_toolkit()
    asked = Asked(load_profile("h100"), toolkit, build_of(toolkit))
    return look_up(Obligation(function, "s", "assumed", "nothing looked"), asked, Book(load_folder(folder)))


@pytest.mark.parametrize("change, says", [
    (lambda file: None, ""), (entries(toolkit="12.1", build="12.1.105"), "another toolkit than"),
    (entries(build=f"{choose_toolkit()}.1"), "another build of NVRTC"), (entries(flags="-fmad=false"), "other flags than"),
    (two_drivers, "several devices or drivers"),
    (head(device="NVIDIA H200"), "another device than"), (head(profile="h200"), "no record of h100"),
    (head(compute_capability="8.0"), "no record of h100 (sm_90)"),
    (head(runner="emulator", compute_capability="", driver=""), "no GPU's record"),
    (head(runner="host", compute_capability="", driver=""), "no GPU's record"),
    (by_hand, "changed after it was written"), (entries(function="__expf"), "no record has the kernel's expf"),
    (entries(function="exp2f"), "no record has the kernel's expf"),
    (entries(inputs="sample", sample="4 patterns"), "only a sample was run, 4 patterns"), (entries(digests=()), "a bound is no equality"),
], ids=lambda v: v if isinstance(v, str) else "")
def test_a_planted_record_discharges_only_what_it_is_of(tmp_path: Path, change: Callable[[Path], None], says: str) -> None:
    change(planted(tmp_path))
    o = found(tmp_path, "expf")
    assert (o.status, says in o.evidence) == ("assumed" if says else "discharged", True), o.evidence


def test_the_roles_are_not_mixed_up(tmp_path: Path) -> None:
    file = planted(tmp_path)
    rewritten(file, lambda r: replace(r, functions=(replace(r.functions[1], digests=(ONE, ONE)),)))
    assert (found(tmp_path, "expf").status, load(file).functions[0].role) == ("assumed", "spec")
    assert found(tmp_path, EX2).status == "assumed"


def test_a_partial_sweep_says_that_it_is_one(tmp_path: Path) -> None:
    """All but one chunk, for both roles; the missing chunk is not passed over."""
    plan = replace(whole("expf", Runner("0", toolkit=choose_toolkit())), count=1023)
    plant(tmp_path, plan, "kernel")
    plant(tmp_path, plan, "spec")
    assert found(tmp_path, "expf").status == "assumed" and "only a sample was run, 4290772992 patterns" in found(tmp_path, "expf").evidence
    with pytest.raises(UsageError, match="every chunk"):
        sweep_record.entry(replace(plan, count=1024), [], "kernel", "2026-01-31")


def test_a_sample_of_pairs_discharges_nothing(tmp_path: Path) -> None:
    """Two full runs of the sample, in both roles, with one digest."""
    plan = whole("atan2f", Runner("0", toolkit=choose_toolkit()))
    for role in ("kernel", "kernel", "spec"):
        plant(tmp_path, plan, role)     # type: ignore[arg-type]
    o = found(tmp_path, "atan2f")
    assert o.status == "assumed" and "only a sample was run, 2^24 pairs: number i is pair i" in o.evidence and "two arguments" in o.evidence


def test_a_changed_file_takes_no_further_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = planted(tmp_path)
    by_hand(file)
    with pytest.raises(UsageError, match="was changed after it was written"):
        planted(tmp_path)
    assert run(["sweep", "expf", "--gpu", "0", "--out", str(tmp_path), "--jobs", "1"]) == 4      # before the sweep, not after it
    assert "was changed after it was written" in capsys.readouterr().err and not list(tmp_path.glob(".*.sweep"))
    data = json.loads(file.read_text(encoding="utf-8"))
    data["functions"][0]["layout"] = "as it comes"
    file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UsageError, match="another layout"):
        load(file)


def test_the_gpus_code_of_two_arguments_is_called_with_both(tmp_path: Path) -> None:
    """In their order: the angle of a point on the axis of x is 0, on that of y half pi, 0x3fc90fdb rounded."""
    y, x = (np.array(v, np.float32).view(np.uint32) for v in ([0, 1, 0, 2], [1, 0, 3, 0]))
    run = sweep_runners.make_runner(Runner("0", toolkit=choose_toolkit()), "atan2f")
    assert run(y, x).tolist() == [0, 0x3FC90FDB, 0, 0x3FC90FDB]


def sigmoid(tmp_path: Path, folder: Path, reading: str, required: bool) -> Verdict:
    kernel, model = ROOT / "examples" / "sigmoid.cu", ROOT / "examples" / "sigmoid.py"
    request = Request(kernel=kernel, spec=model, devices=("h100",), out=tmp_path, records=folder, reading=reading, require_discharged=required)  # type: ignore[arg-type]
    (v,) = verify(request, lambda _: None)
    return v


@pytest.mark.lean
@pytest.mark.parametrize("reading, function, change, verdict, says", [
    ("written", "expf", None, "PROVED", "the kernel's and the spec's have one digest"), ("compiled", EX2, None, "PROVED", "2 runs, one digest"),
    ("written", "expf", by_hand, "OPEN", "changed after it was written"), ("written", "expf", two_drivers, "OPEN", "several devices or drivers"),
])
def test_sigmoid_with_planted_records(tmp_path: Path, reading: str, function: str, change: Callable[[Path], None] | None, verdict: str, says: str) -> None:
    """Where nothing is discharged, `--require-discharged` makes it OPEN."""
    file = planted(tmp_path / "records", function)
    if change:
        change(file)
    v = sigmoid(tmp_path, tmp_path / "records", reading, required=True)
    assert (v.verdict, [(o.name, o.status) for o in v.obligations]) == (verdict, [(function, "assumed" if change else "discharged")]), v.reason
    assert says in v.obligations[0].evidence
