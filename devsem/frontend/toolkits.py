"""Which NVRTC libraries are installed here, by CUDA toolkit version, and which one a request means.

The libraries come with pip packages, one for each major version of CUDA. They are found through the packages' own records, never through
a search path of the system, so that a verdict's toolkit is what it says it is.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from devsem.errors import UsageError

# pip package -> the folder of its libraries
PACKAGES = {"nvidia-cuda-nvrtc": "nvidia/cu13/lib", "nvidia-cuda-nvrtc-cu12": "nvidia/cuda_nvrtc/lib"}
BUILTINS = "libnvrtc-builtins.so."


def installed_toolkits() -> dict[str, Path]:
    """Toolkit version, as "13.0", to the NVRTC library of an installed package; the newest first."""
    found: dict[str, Path] = {}
    for package, folder in PACKAGES.items():
        try:
            libraries = Path(str(metadata.distribution(package).locate_file(folder)))
        except metadata.PackageNotFoundError:
            continue
        for builtins in libraries.glob(f"{BUILTINS}*"):
            version = builtins.name.removeprefix(BUILTINS)
            library = libraries / f"libnvrtc.so.{version.partition('.')[0]}"
            if re.fullmatch(r"\d+\.\d+", version) and library.is_file():
                found[version] = library
    return dict(sorted(found.items(), key=lambda row: _number(row[0]), reverse=True))


def build_of(toolkit: str) -> str:
    """The build of an installed toolkit, "13.0.88" of "13.0", by its package's version; empty where it is not installed."""
    for package in PACKAGES if toolkit in installed_toolkits() else ():
        version = metadata.version(package) if _has(package) else ""
        if version.startswith(f"{toolkit}."):
            return version
    return ""


def _has(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def choose_toolkit(wanted: str | None = None) -> str:
    """The toolkit that `wanted` names, or the newest installed one; UsageError says what is installed and what to install."""
    installed = list(installed_toolkits())
    if wanted is None:
        if not installed:
            raise UsageError("no NVRTC is installed: pip install nvidia-cuda-nvrtc")
        return installed[0]
    if wanted in installed:
        return wanted
    have = f"installed: {', '.join(installed)}" if installed else "none is installed"
    if not re.fullmatch(r"1[23]\.\d", wanted):
        raise UsageError(f"the toolkit {wanted!r} is not known ({have}); write it as 12.8 or 13.0")
    package = "nvidia-cuda-nvrtc-cu12" if wanted.startswith("12.") else "nvidia-cuda-nvrtc"
    raise UsageError(f"the toolkit {wanted} is not installed ({have}): pip install '{package}=={wanted}.*'")


def builtins_of(library: Path, toolkit: str) -> Path:
    """The library that NVRTC opens by name when it compiles; it must be loaded first, since NVRTC 13 does not find it by itself."""
    return library.with_name(f"{BUILTINS}{toolkit}")


def _number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
