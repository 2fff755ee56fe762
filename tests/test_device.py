"""The GPU's runner against a driver that is not there: what is called, in which order, and every failure as one sentence."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from devsem.behaviour import DOCUMENTED
from devsem.calibration import calibrate, compile_probes, write
from devsem.cli import run
from devsem.device import emulated
from devsem.device_cuda import open_gpu
from devsem.devices import open_device
from devsem.errors import UsageError
from devsem.frontend.nvrtc import Compiled
from devsem.probes import load_probes
from devsem.profile import FIELDS, load_profile

CODE = Compiled("", b"\x7fELF", "", "sm_90", "13.0", ())
Result = Enum("Result", "CUDA_SUCCESS CUDA_ERROR_NO_DEVICE CUDA_ERROR_OUT_OF_MEMORY CUDA_ERROR_LAUNCH_FAILED CUDA_ERROR_INVALID_IMAGE CUDA_ERROR_STUB_LIBRARY")
OK = Result["CUDA_SUCCESS"]


@dataclass
class Driver:
    """A driver with one device, whose kernel doubles its first buffer into its last; `fails` gives a function an error."""

    version: int = 13000
    count: int = 1
    fails: dict[str, str] = field(default_factory=dict)
    memory: dict[int, bytearray] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)

    class CUdevice_attribute:
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 9
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 0

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)

        def call(*args: Any) -> tuple[Any, ...]:
            self.calls.append(name)
            if name in self.fails:
                return (Result[self.fails[name]], None)
            return (OK, *getattr(self, f"_{name}", lambda *_: ())(*args))
        return call

    def _cuDriverGetVersion(self) -> tuple[int]:
        return (self.version,)

    def _cuDeviceGetCount(self) -> tuple[int]:
        return (self.count,)

    def _cuDeviceGet(self, number: int) -> tuple[int]:
        return (number,)

    def _cuDeviceGetAttribute(self, attribute: int, device: int) -> tuple[int]:
        return (attribute,)

    def _cuDeviceGetName(self, size: int, device: int) -> tuple[bytes]:
        return (b"NVIDIA H100 PCIe\0junk",)

    def _cuDevicePrimaryCtxRetain(self, device: int) -> tuple[str]:
        return ("context",)

    def _cuModuleLoadData(self, image: bytes) -> tuple[str]:
        return ("module",)

    def _cuModuleGetFunction(self, module: str, name: bytes) -> tuple[str]:
        return (name.decode(),)

    def _cuMemAlloc(self, size: int) -> tuple[int]:
        self.memory[1000 + len(self.memory)] = bytearray(size)
        return (max(self.memory),)

    def _cuMemcpyHtoD(self, to: int, source: int, size: int) -> tuple[()]:
        self.memory[to][:size] = ctypes.string_at(source, size)
        return ()

    def _cuMemcpyDtoH(self, to: int, source: int, size: int) -> tuple[()]:
        ctypes.memmove(to, bytes(self.memory[source][:size]), size)
        return ()

    def _cuEventCreate(self, flags: int) -> tuple[str]:
        return ("event",)

    def _cuEventElapsedTime(self, start: str, end: str) -> tuple[float]:
        return (0.25,)

    def _cuLaunchKernel(self, function: str, *args: Any) -> tuple[()]:
        addresses = np.ctypeslib.as_array(ctypes.cast(args[-2], ctypes.POINTER(ctypes.c_uint64)), (2,))
        first, last = (self.memory[int(ctypes.c_uint64.from_address(int(a)).value)] for a in addresses)
        last[:] = (np.frombuffer(bytes(first), np.float32) * 2).tobytes()
        return ()


def test_a_launch_copies_runs_and_frees() -> None:
    api = Driver()
    gpu = open_gpu(0, api)
    assert (gpu.identity.name, gpu.identity.arch, gpu.identity.capability, gpu.identity.driver) == ("NVIDIA H100 PCIe", "sm_90", "9.0", "13.0")
    x = np.array([1, 2, 3], np.float32)
    ran = gpu.run(CODE, "twice", [x, np.zeros(3, np.float32)], 1, 3)
    assert ran.buffers[1].tolist() == [2, 4, 6] and x.tolist() == [1, 2, 3] and ran.milliseconds == 0.25
    assert api.calls.count("cuMemFree") == 2 and api.calls.count("cuEventDestroy") == 2
    gpu.run(CODE, "twice", [x, x], 1, 3)
    assert api.calls.count("cuModuleLoadData") == 1


@pytest.mark.parametrize(("api", "words"), [
    (Driver(fails={"cuInit": "CUDA_ERROR_NO_DEVICE"}), "the NVIDIA driver finds no device"),
    (Driver(fails={"cuInit": "CUDA_ERROR_STUB_LIBRARY"}), "there is no NVIDIA driver on this machine"),
    (Driver(count=0), "the NVIDIA driver finds no device"),
    (Driver(count=2), "there is no device 7: this machine has 2, counted from 0"),
    (Driver(count=8, fails={"cuDevicePrimaryCtxRetain": "CUDA_ERROR_OUT_OF_MEMORY"}), "not enough free memory: the device's context"),
])
def test_what_is_wrong_before_a_launch(api: Driver, words: str) -> None:
    with pytest.raises(UsageError) as e:
        open_gpu(7, api)
    assert words in str(e.value)


@pytest.mark.parametrize(("api", "words"), [
    (Driver(version=12080), "the driver supports CUDA 12.8, which is older than NVRTC 13.0's code: update the driver, or compile with an older --toolkit"),
    (Driver(fails={"cuMemAlloc": "CUDA_ERROR_OUT_OF_MEMORY"}), "not enough free memory: 24 bytes are needed"),
    (Driver(fails={"cuModuleLoadData": "CUDA_ERROR_INVALID_IMAGE"}), "may be newer than it: code for sm_90 of NVRTC 13.0"),
    (Driver(fails={"cuCtxSynchronize": "CUDA_ERROR_LAUNCH_FAILED"}), "CUDA says CUDA_ERROR_LAUNCH_FAILED at cuCtxSynchronize of twice"),
])
def test_what_goes_wrong_in_a_launch(api: Driver, words: str) -> None:
    gpu = open_gpu(0, api)
    with pytest.raises(UsageError) as e:
        gpu.run(CODE, "twice", [np.zeros(3, np.float32), np.zeros(3, np.float32)], 1, 3)
    assert words in str(e.value)
    assert api.calls.count("cuMemFree") == len(api.memory)


def test_a_driver_library_that_is_not_there() -> None:
    class Missing:
        def cuInit(self, flags: int) -> None:
            raise RuntimeError("\"cuda\" is an NVIDIA driver library.\nAnd more.")
    with pytest.raises(UsageError, match=r"^there is no NVIDIA driver on this machine \(\"cuda\" is an NVIDIA driver library\); --gpu emulator"):
        open_gpu(0, Missing())


@pytest.mark.parametrize("gpu", ["-1", "first", "", "host:daz", "0.0"])
def test_other_names_of_devices_are_refused(gpu: str) -> None:
    with pytest.raises(UsageError, match="--gpu is the number of a device, emulator, host or host:ftz"):
        open_device(gpu, "sm_90")


def test_the_bindings_have_every_function_that_is_called() -> None:
    """The stand-in answers to any name; cuda-python does not."""
    driver = pytest.importorskip("cuda.bindings.driver")
    api = Driver()
    open_gpu(0, api).run(CODE, "twice", [np.zeros(3, np.float32), np.zeros(3, np.float32)], 1, 3)
    assert len(set(api.calls)) > 10 and all(hasattr(driver, name) for name in api.calls)
    assert hasattr(driver.CUdevice_attribute, "CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR")


# --- a whole calibration ---


@dataclass
class Stand(Driver):
    """A driver whose device is the emulator: only a stand-in can make a record here that says `gpu`."""

    code: dict[bytes, Compiled] = field(default_factory=dict)

    def _cuModuleLoadData(self, image: bytes) -> tuple[bytes]:
        return (image,)

    def _cuModuleGetFunction(self, module: bytes, name: bytes) -> tuple[tuple[bytes, str]]:
        return ((module, name.decode()),)

    def _cuLaunchKernel(self, function: Any, *args: Any) -> tuple[()]:
        addresses = np.ctypeslib.as_array(ctypes.cast(args[-2], ctypes.POINTER(ctypes.c_uint64)), (5,))
        held = [self.memory[int(ctypes.c_uint64.from_address(int(a)).value)] for a in addresses]
        ran = emulated(self.code[function[0]], function[1], [np.frombuffer(bytes(m), np.float32) for m in held], args[0], args[3], DOCUMENTED)
        held[-1][:] = ran.buffers[-1].tobytes()
        return ()


def test_a_calibration_of_a_device_is_measured(tmp_path: Path) -> None:
    probes = tuple(p for p in load_probes() if p.field in ("sqrt", "minmax"))
    code = compile_probes(probes, "sm_90")
    done = calibrate(open_gpu(0, Stand(code={c.cubin: c for c in code.values()})), probes, code)
    assert {d.field: d.value for d in done.fields if d.value is not None} == {"sqrt": "ieee", "minmax": "number"}
    text = write(done, "mine", tmp_path, "2026-11-30")[0].read_text(encoding="utf-8")
    assert '[profile]\nname = "mine"\ndevice = "NVIDIA H100 PCIe"\narch = "sm_90"' in text
    assert text.count('evidence = "measured"') == 2 and text.count('evidence = "undecided"') == len(FIELDS) - 2
    with pytest.raises(UsageError, match="contract is undecided"):
        load_profile(str(tmp_path / "mine.toml"))


def test_an_old_driver_ends_calibrate_with_one_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devsem.device_cuda._driver", lambda: Driver(version=12040))
    monkeypatch.setattr("devsem.calibration.compile_probes", lambda probes, arch, toolkit, flags: dict.fromkeys((r for p in probes for r in p.runs), CODE))
    assert run(["calibrate"]) == 4
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "the driver supports CUDA 12.4, which is older than NVRTC 13.0's code" in said.err


def test_a_device_of_another_architecture_than_the_profile_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("devsem.device_cuda._driver", Driver)
    assert run(["calibrate", "--device", "t4"]) == 4
    assert "t4 is sm_75, and device 0 is a NVIDIA H100 PCIe of sm_90" in capsys.readouterr().err
