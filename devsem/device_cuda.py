"""An NVIDIA device through the CUDA driver API, as cuda-python binds it: loads machine code, copies buffers, launches, takes the time by events.

Every failure is one sentence: no driver, no device, a driver older than the code, no memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from devsem.device import Identity, Ran, Value
from devsem.errors import UsageError
from devsem.frontend.nvrtc import Compiled

Array = npt.NDArray[Any]
NO_DRIVER = "there is no NVIDIA driver on this machine ({why}); --gpu emulator needs none"
NO_DEVICE = "the NVIDIA driver finds no device; --gpu emulator needs none"
# the driver's errors by name -> a sentence
ERRORS = {
    "CUDA_ERROR_NO_DEVICE": NO_DEVICE,
    "CUDA_ERROR_STUB_LIBRARY": NO_DRIVER,
    "CUDA_ERROR_INSUFFICIENT_DRIVER": "the NVIDIA driver is too old for this cuda-python: update the driver",
    "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH": "the NVIDIA driver's parts are of different versions: restart the machine after its update",
    "CUDA_ERROR_OUT_OF_MEMORY": "the device has not enough free memory: {what}",
    "CUDA_ERROR_NO_BINARY_FOR_GPU": "the device does not run this code: {what}",
    "CUDA_ERROR_INVALID_IMAGE": "the driver does not take this code, which may be newer than it: {what}",
    "CUDA_ERROR_UNSUPPORTED_PTX_VERSION": "the driver is older than this code: {what}",
}


def _driver() -> Any:
    """cuda-python's bindings of the driver; raises UsageError."""
    try:
        from cuda.bindings import driver
    except ImportError as e:
        raise UsageError(NO_DRIVER.format(why=f"cuda-python does not load: {e}")) from e
    return driver


@dataclass(frozen=True)
class Calls:
    """The driver's functions, with its errors as UsageError."""

    api: Any

    def __call__(self, name: str, *args: Any, what: str = "") -> Any:
        """Call a function: its result, without the error code. `what` was being done."""
        try:
            code, *found = getattr(self.api, name)(*args)
        except (RuntimeError, OSError, AttributeError) as e:
            raise UsageError(NO_DRIVER.format(why=str(e).splitlines()[0].rstrip("."))) from e
        error = getattr(code, "name", str(code))
        if error != "CUDA_SUCCESS":
            sentence = ERRORS.get(error, "CUDA says {error} at {name}{what}")
            raise UsageError(sentence.format(error=error, name=name, why=error, what=what or name))
        return found[0] if len(found) == 1 else tuple(found)


@dataclass(frozen=True)
class Gpu:
    """One device, its context being this thread's."""

    call: Calls
    identity: Identity
    driver: int
    modules: dict[bytes, Any] = field(default_factory=dict, compare=False, repr=False)

    def lacks(self, flags: str) -> str:
        """Nothing."""
        return ""

    def run(self, code: Compiled, kernel: str, arguments: Sequence[Value], grid: int, block: int) -> Ran:
        """Launch a kernel on copies of the buffers, and wait for it."""
        made = int(code.toolkit.split(".")[0])
        if self.driver // 1000 < made:
            raise UsageError(f"the driver supports CUDA {self.identity.driver}, which is older than NVRTC {code.toolkit}'s code: update the driver, "
                             f"or compile with an older --toolkit")
        if code.cubin not in self.modules:
            self.modules[code.cubin] = self.call("cuModuleLoadData", code.cubin, what=f"code for {code.arch} of NVRTC {code.toolkit}")
        function = self.call("cuModuleGetFunction", self.modules[code.cubin], kernel.encode())
        given = [np.ascontiguousarray(a) for a in arguments if isinstance(a, np.ndarray)]
        with self._buffers(given) as pointers, self._events() as (start, end):
            places = iter(pointers)
            values = [np.array([int(next(places))], np.uint64) if isinstance(a, np.ndarray) else np.array([a]) for a in arguments]
            addresses = np.array([v.ctypes.data for v in values], np.uint64)
            self.call("cuEventRecord", start, 0)
            self.call("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, 0, 0, addresses.ctypes.data, 0, what=f" of {kernel}")
            self.call("cuEventRecord", end, 0)
            self.call("cuCtxSynchronize", what=f" of {kernel}")
            left = tuple(np.empty_like(a) for a in given)
            for pointer, a in zip(pointers, left, strict=True):
                self.call("cuMemcpyDtoH", a.ctypes.data, pointer, a.nbytes)
            return Ran(left, (), float(self.call("cuEventElapsedTime", start, end)))

    @contextmanager
    def _buffers(self, given: Sequence[Array]) -> Iterator[list[Any]]:
        """The arrays' copies on the device."""
        pointers: list[Any] = []
        total = sum(a.nbytes for a in given)
        try:
            for a in given:
                pointers.append(self.call("cuMemAlloc", max(a.nbytes, 1), what=f"{total} bytes are needed"))
                self.call("cuMemcpyHtoD", pointers[-1], a.ctypes.data, a.nbytes)
            yield pointers
        finally:
            for pointer in pointers:
                self.call.api.cuMemFree(pointer)

    @contextmanager
    def _events(self) -> Iterator[tuple[Any, Any]]:
        start, end = self.call("cuEventCreate", 0), self.call("cuEventCreate", 0)
        try:
            yield start, end
        finally:
            for event in (start, end):
                self.call.api.cuEventDestroy(event)


def open_gpu(number: int, api: Any = None) -> Gpu:
    """The device of that number, its context made this thread's; raises UsageError. `api` stands for cuda-python's driver module."""
    call = Calls(_driver() if api is None else api)
    call("cuInit", 0)
    driver = int(call("cuDriverGetVersion"))
    count = int(call("cuDeviceGetCount"))
    if not count:
        raise UsageError(NO_DEVICE)
    if number >= count:
        raise UsageError(f"there is no device {number}: this machine has {count}, counted from 0")
    device = call("cuDeviceGet", number)
    attribute = call.api.CUdevice_attribute
    major, minor = (int(call("cuDeviceGetAttribute", a, device)) for a in (attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                                                                         attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR))
    name = bytes(call("cuDeviceGetName", 256, device)).split(b"\0")[0].decode(errors="replace").strip()
    call("cuCtxSetCurrent", call("cuDevicePrimaryCtxRetain", device, what="the device's context"))
    return Gpu(call, Identity("gpu", name, f"sm_{major}{minor}", f"{major}.{minor}", f"{driver // 1000}.{driver % 1000 // 10}"), driver)
