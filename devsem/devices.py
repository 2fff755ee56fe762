"""Which device `--gpu` names.

    --gpu K          the K-th NVIDIA device, by its driver (device_cuda.py)
    --gpu emulator   devsem's reading of PTX, after ptxas' predicted contraction: no silicon at all, so nothing that it says is measured
    --gpu host       the same PTX, each operation done by this processor (device_host.py); `host:ftz` with its flush mode set

>>> open_device("emulator", "sm_90").identity.runner
'emulator'
"""

from __future__ import annotations

from devsem.device import Device, Emulator
from devsem.device_cuda import open_gpu
from devsem.device_host import Host
from devsem.errors import UsageError


def open_device(gpu: str, arch: str) -> Device:
    """The device that `--gpu` names; `arch` is for those that have none of their own. Raises UsageError."""
    if gpu == "emulator":
        return Emulator(arch)
    if gpu in ("host", "host:ftz"):
        return Host(arch, flushing=gpu == "host:ftz")
    if not gpu.isdecimal():
        raise UsageError(f"--gpu is the number of a device, emulator, host or host:ftz, not {gpu!r}")
    return open_gpu(int(gpu))
