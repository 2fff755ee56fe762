"""`devsem replay --gpu K`, on a driver whose device is the emulator: a stand-in, so that all but the silicon is what a real replay does."""

from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_device import Driver

from devsem import cli
from devsem.behaviour import DOCUMENTED, Behaviour
from devsem.device_cuda import open_gpu
from devsem.emulator import launch
from devsem.frontend.ptx import parse
from devsem.frontend.ptxas import machine
from devsem.frontend.spec import load_spec
from devsem.readings import Made, make
from devsem.replay import replay
from devsem.verdict import HexBound, load

KERNEL = 'extern "C" __global__ void k(const float* x, float* y, float alpha, long long many) {{ ' \
         'long long i = blockIdx.x * blockDim.x + threadIdx.x; if (i < many) y[i] = {}; }}\n'
SPEC = """import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return {}
def get_inputs():
    return [torch.rand(16)]
def get_init_inputs():
    return []
"""


@dataclass
class Stand(Driver):
    """A driver whose device runs NVRTC's PTX on the emulator: buffers and numbers by the kernel's parameters."""

    made: list[Made] = field(default_factory=list)
    behaviour: Behaviour = DOCUMENTED
    launches: list[tuple[int, int]] = field(default_factory=list)

    def _cuModuleLoadData(self, image: bytes) -> tuple[Made]:
        return (next(m for m in self.made if m.cubin == image),)

    def _cuModuleGetFunction(self, module: Made, name: bytes) -> tuple[Any]:
        return (next(f for f in parse(module.ptx, "k.ptx").functions if f.name == name.decode()),)

    def _cuLaunchKernel(self, function: Any, *args: Any) -> tuple[()]:
        self.launches.append((args[0], args[3]))
        addresses = np.ctypeslib.as_array(ctypes.cast(args[-2], ctypes.POINTER(ctypes.c_uint64)), (len(function.params),))
        given: list[Any] = []
        for p, a in zip(function.params, addresses, strict=True):
            raw = ctypes.string_at(int(a), int(p.type[1:]) // 8)
            buffer = self.memory.get(int.from_bytes(raw, "little")) if p.type == "u64" else None
            given.append(raw if buffer is None else np.frombuffer(bytes(buffer), np.float32))
        ran = launch(machine(function, arch="sm_90", fmad=True).function, given, args[0], args[3], behaviour=self.behaviour)
        assert ran.fault is None
        for a, left in zip(addresses, ran.memory, strict=True):
            if left is not None:
                self.memory[int(ctypes.c_uint64.from_address(int(a)).value)][:] = left.tobytes()
        return ()


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A verdict on a kernel with every option that a verdict keeps: y = max(x, 0) * alpha loses a NaN that the spec has."""
    folder = tmp_path_factory.mktemp("replay")
    (folder / "k.cu").write_text(KERNEL.format("fmaxf(x[i], 0.0f) * alpha"))
    (folder / "s.py").write_text(SPEC.format("torch.relu(x) * 2.0"))
    options = ["--device", "h100", "--flags=-ftz=true", "--bind", "alpha=2,many=n", "--launch", "grid=4,1,1 block=8,1,1", "--out", str(folder / "out")]
    assert cli.run(["verify", str(folder / "k.cu"), "--spec", str(folder / "s.py"), *options]) == 1
    return folder / "out" / "verdict.json"


def stand(monkeypatch: pytest.MonkeyPatch, **how: Any) -> Stand:
    """The stand-in as this machine's driver; it knows what was compiled."""
    api = Stand(**how)

    def kept(*args: Any) -> Made:
        api.made.append(make(*args))
        return api.made[-1]
    monkeypatch.setattr("devsem.replay_gpu.make", kept)
    monkeypatch.setattr("devsem.device_cuda._driver", lambda: api)
    return api


def test_a_verdict_keeps_what_a_replay_needs(decided: Path) -> None:
    (v,) = load(decided).verdicts
    assert (v.profile, v.bind, v.launch, v.flags) == ("h100", "alpha=2,many=n", "grid=4,1,1 block=8,1,1", "-ftz=true")
    assert v.compiler == f"NVRTC {v.toolkit} for sm_90" and (len(v.kernel_digest), len(v.spec_digest)) == (64, 64)


def test_a_device_does_what_the_verdict_says(decided: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    api = stand(monkeypatch)
    assert cli.run(["replay", str(decided)]) == 0
    said = capsys.readouterr().out
    assert "k.cu on h100 -ftz=true agrees: the verdict says 0x00000000, the launch gives 0x00000000" in said and said.count("\n") == 1
    assert api.launches == [(4, 8)] * 2        # 1 and all of the 32 elements that this launch has threads for
    assert cli.run(["replay", str(decided), "--gpu", "emulator"]) == 0 and " agrees" in capsys.readouterr().out


def test_a_device_that_does_otherwise_is_told(decided: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Its max gives the NaN that the kernel was refuted for losing."""
    stand(monkeypatch, behaviour=Behaviour(bounds_pass_nan=True))
    assert cli.run(["replay", str(decided)]) == 1
    assert "differs: the verdict says 0x00000000, the launch gives 0x7fffffff" in capsys.readouterr().out


def test_what_rests_on_bounds_need_not_be_the_verdicts_own_value(decided: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (v,) = load(decided).verdicts
    api = stand(monkeypatch)
    assert v.witness is not None
    bound = HexBound("D.ex2_approx_ftz", ("0x00000000",), ("0x00000000",), "made up")
    other = replace(v, witness=replace(v.witness, kernel="0x3f800000"), bounds=(bound,))
    spec = load_spec(v.spec)
    done = replay(other, spec, open_gpu(0, api))
    assert (done.result, done.found) == ("agrees", ("0x00000000",)) and "not the spec's" in done.reason
    equal = replace(other, witness=replace(other.witness, spec="0x00000000") if other.witness else None)
    assert replay(equal, spec, open_gpu(0, api)).result == "differs"
    assert replay(replace(other, bounds=(replace(bound, function="S.ex2_approx_ftz"),)), spec, open_gpu(0, api)).result == "differs"
    assert replay(replace(other, bounds=()), spec, open_gpu(0, api)).result == "differs"


def test_an_unsafe_kernel_is_not_run_on_a_device(decided: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = stand(monkeypatch)
    (v,) = load(decided).verdicts
    unsafe = replace(v, witness=None, safety=replace(v.safety, verdict="FAIL", counterexample={"n": 1}))
    done = replay(unsafe, load_spec(v.spec), open_gpu(0, api))
    assert done.result == "not replayed" and "--gpu emulator" in done.reason and not api.launches


@pytest.mark.parametrize("what", ["kernel", "spec"])
def test_a_file_that_changed_is_refused(what: str, decided: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(decided.read_text(encoding="utf-8"))
    changed = tmp_path / "changed"
    changed.write_text(Path(document["verdicts"][0][what]).read_text() + "\n")
    document["verdicts"][0][what] = str(changed)
    file = tmp_path / "verdict.json"
    file.write_text(json.dumps(document))
    for gpu in ("0", "emulator"):
        assert cli.run(["replay", str(file), "--gpu", gpu]) == 4
        said = capsys.readouterr()
        assert said.err == f"devsem: the {what} {changed} is not the text that was decided: it has changed since, so verify it again\n" and not said.out
    changed.unlink()
    assert cli.run(["replay", str(file)]) == 4 and "is not there; start from the folder" in capsys.readouterr().err


def test_without_a_gpu_or_with_another_it_is_one_sentence(decided: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Missing:
        def cuInit(self, flags: int) -> None:
            raise RuntimeError("not found")

    class Older(Stand):
        class CUdevice_attribute:
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 8
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 0

    for api, words in ((Missing(), "there is no NVIDIA driver on this machine"), (Older(), "of sm_80: the verdicts are about sm_90; --gpu emulator"),
                       (Stand(count=0), "finds no device")):
        monkeypatch.setattr("devsem.device_cuda._driver", lambda api=api: api)
        assert cli.run(["replay", str(decided)]) == 4
        said = capsys.readouterr()
        assert words in said.err and said.err.count("\n") == 1 and not said.out
    assert cli.run(["replay", str(decided), "--gpu", "host"]) == 4 and "--gpu is the number of a device, or emulator" in capsys.readouterr().err


def test_an_old_driver_is_one_sentence(decided: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stand(monkeypatch, version=11040)
    assert cli.run(["replay", str(decided)]) == 4
    said = capsys.readouterr()
    assert "the driver supports CUDA 11.4, which is older than NVRTC" in said.err and said.err.count("\n") == 1
