"""Makes the PTX texts of this folder from the sources beside them (not part of the tests): see README.md.

    python make.py nvcc
    python make.py nvrtc 13.0 PATH/libnvrtc.so.13
    python make.py clang
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = ("choices", "elementwise", "functions", "loops", "reduction", "vectors")
NVCC = (("sm_90", "", SOURCES), ("sm_75", "-use_fast_math", SOURCES), ("sm_80", "-fmad=false -ftz=true", ("elementwise", "loops")),
        ("sm_100", "-Xcicc -O0", ("choices", "reduction")))
NVRTC = {
    "12.8": (("sm_80", "", SOURCES), ("sm_80", "-G", ("loops",))),
    "13.0": (("sm_100", "", SOURCES), ("sm_90", "-lineinfo", ("reduction",))),
    "13.5": (("sm_120", "-use_fast_math", SOURCES), ("sm_90", "", ("choices", "elementwise", "functions")), ("sm_90", "-G", ("choices", "reduction"))),
}
CLANG_SOURCES = ("control", "elementwise", "reduction", "vectors")
CLANG = (("sm_80", "-O2", CLANG_SOURCES), ("sm_52", "-O0", CLANG_SOURCES), ("sm_90", "-O3 -ffp-contract=off", CLANG_SOURCES),
         ("sm_70", "-O1 -ffast-math -fcuda-flush-denormals-to-zero", CLANG_SOURCES), ("sm_80", "-O1 -g -fdebug-compilation-dir=.", ("control", "reduction")))


def name(folder: str, source: str, compiler: str, arch: str, flags: str) -> Path:
    """`nvidia/loops.nvrtc-12.8.sm_80.G.ptx`"""
    shown = "_".join(f.strip("-").split("=")[0] for f in flags.split() if "debug" not in f)
    return HERE / folder / ".".join(filter(None, (source, compiler, arch, shown, "ptx")))


def nvrtc(library: str, text: str, arch: str, flags: list[str]) -> str:
    """What NVRTC makes of it, in a process of its own by fork: its output depends on earlier compilations. The folder is the root, for debug texts."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.chdir("/")
        for builtins in Path(library).parent.glob("libnvrtc-builtins.so*"):
            ctypes.CDLL(str(builtins))
        lib, program, size = ctypes.CDLL(library), ctypes.c_void_p(), ctypes.c_size_t()
        lib.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"kernel.cu", 0, None, None)
        options = [f"--gpu-architecture={arch.replace('sm', 'compute')}", *flags]
        code = lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*(o.encode() for o in options)))
        assert code == 0, code
        lib.nvrtcGetPTXSize(program, ctypes.byref(size))
        out = ctypes.create_string_buffer(size.value)
        lib.nvrtcGetPTX(program, out)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(out.value)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        found = pipe.read().decode()
    assert found, "no PTX"
    return found


def main(compiler: str, version: str = "", library: str = "") -> None:
    """Makes the texts of one compiler."""
    rows = {"nvcc": NVCC, "clang": CLANG}.get(compiler) or NVRTC[version]
    folder = "clang" if compiler == "clang" else "nvidia"
    for arch, flags, sources in rows:
        for source in sources:
            path, file = name(folder, source, f"{compiler}-{version}" if version else compiler, arch, flags), f"{source}.cu"
            if compiler == "nvcc":
                subprocess.run(["nvcc", "-ptx", "-DWITH_HALF", f"-arch={arch}", *flags.split(), "-o", path, file], cwd=HERE / folder, check=True)
            elif compiler == "clang":
                subprocess.run(["clang-19", "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={arch}", "-nocudainc", "-nocudalib",
                                "-Wno-unknown-cuda-version", *flags.split(), "-S", "-o", path, file], cwd=HERE / folder, check=True)
            else:
                path.write_text(nvrtc(library, (HERE / folder / file).read_text(), arch, flags.split()))


if __name__ == "__main__":
    main(*sys.argv[1:])
