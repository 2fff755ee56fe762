"""NVRTC: one process a compilation, errors at their places, options, architectures, toolkits, and a compiler that reaches no file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from devsem.errors import Rejected, UsageError
from devsem.frontend import nvrtc
from devsem.frontend.fork_server import Server, Warm
from devsem.frontend.mangled import entry_name, unmangled
from devsem.frontend.nvrtc import Compiled, Job, compile_device, compile_many, errors, nvrtc_options
from devsem.frontend.toolkits import choose_toolkit, installed_toolkits

AXPB = 'extern "C" __global__ void k(const float* x, float* y, float a, float b, int n) {\n' \
       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = a * x[i] + b;\n}\n"
needs_12_8 = pytest.mark.skipif("12.8" not in installed_toolkits(), reason="needs nvidia-cuda-nvrtc-cu12==12.8.*")


@pytest.fixture(params=["forked", "fresh"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Both ways to compile: in a process forked from a new server, which starts where the test is, and in one started afresh."""
    warm = Warm(started=request.param == "fresh")
    monkeypatch.setattr(nvrtc, "_WARM", warm)
    yield str(request.param)
    if warm.server is not None:
        warm.server.stop()


def one(expression: str) -> str:
    """A kernel that stores one expression of the float a."""
    return f'extern "C" __global__ void k(const float* x, float* y) {{ float a = x[threadIdx.x]; y[threadIdx.x] = {expression}; }}\n'


def floats(ptx: str) -> list[str]:
    """The instructions on floats, without their operands."""
    return [m[1] for m in re.finditer(r"^\s*([a-z][a-z0-9]*(?:\.\w+)*\.f32)\s", ptx, re.MULTILINE) if m[1].split(".")[0] not in ("ld", "st", "mov")]


def made(text: str, flags: str = "", arch: str = "sm_90", toolkit: str | None = None) -> Compiled:
    return compile_device(text, file="k.cu", arch=arch, options=nvrtc_options(flags), toolkit=toolkit)


def refused(text: str) -> list[str]:
    with pytest.raises(Rejected) as caught:
        made(text)
    return [f"{r.code}@{r.where.line}:{r.where.column} {r.message}" for r in caught.value.rejections]


def test_both_results_come_from_one_compilation() -> None:
    c = made(AXPB)
    assert floats(c.ptx) == ["fma.rn.f32"]
    assert ".target sm_90\n" in c.ptx and ".visible .entry k(" in c.ptx and c.ptx.rstrip().endswith("}")
    assert c.cubin.startswith(b"\x7fELF") and b".text.k\0" in c.cubin
    assert (c.arch, c.toolkit, c.options, c.log) == ("sm_90", choose_toolkit(), (), "")


@pytest.mark.parametrize(("flags", "expression", "instructions"), [
    ("", "a * 2.5f + 1.0f", ["fma.rn.f32"]),                                            # GPU_FLOAT.md 2.2
    ("-fmad=false", "a * 2.5f + 1.0f", ["mul.rn.f32", "add.rn.f32"]),
    ("-ftz=true", "a * 2.5f + 1.0f", ["fma.rn.ftz.f32"]),
    ("", "1.0f / a", ["rcp.rn.f32"]),                                                  # 6.2
    ("-prec-div=false", "3.0f / a", ["div.full.f32"]),
    ("-prec-sqrt=false", "sqrtf(a)", ["sqrt.approx.f32"]),
    ("-use_fast_math", "a / 3.0f", ["div.approx.ftz.f32"]),
    ("-use_fast_math -prec-div=true", "3.0f / a", ["div.rn.ftz.f32"]),                 # 1.2: an explicit flag overrides
    ("-use_fast_math -ftz=false", "3.0f / a", ["div.approx.f32"]),
])
def test_flags(flags: str, expression: str, instructions: list[str]) -> None:
    assert floats(made(one(expression), flags).ptx) == instructions


def test_flags_have_one_spelling() -> None:
    assert nvrtc_options("") == ()
    assert nvrtc_options("--use_fast_math -prec-div true") == ("--use_fast_math", "--prec-div=true")
    assert nvrtc_options("-prec-sqrt=false -ftz=true -fmad=false -prec-div=false") == (
        "--fmad=false", "--ftz=true", "--prec-div=false", "--prec-sqrt=false")
    with pytest.raises(UsageError, match="not modelled"):
        nvrtc_options("-O0")


def test_earlier_compilations_do_not_matter(way: str) -> None:
    """In one process, the default flags first would make the second compilation sqrt.approx and rcp.approx (GPU_FLOAT.md 6.2)."""
    text = one("1.0f / sqrtf(a)")
    assert floats(made(text).ptx) == ["sqrt.rn.f32", "rcp.rn.f32"]
    assert floats(made(text, "-prec-div=false -prec-sqrt=false").ptx) == ["rsqrt.approx.f32"]
    assert floats(made(text).ptx) == ["sqrt.rn.f32", "rcp.rn.f32"]


def test_both_ways_make_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [(AXPB, ""), (one("1.0f / sqrtf(a)"), "-use_fast_math"), (one("sinf(a)"), "-ftz=true")]
    forked = [made(*job) for job in jobs]
    monkeypatch.setattr(nvrtc, "_WARM", Warm(started=True))
    assert [made(*job) for job in jobs] == forked


def server() -> Server:
    """The server of this process, after a compilation."""
    made(AXPB)
    found = nvrtc._WARM.server
    assert found is not None
    return found


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="reads /proc")
def test_the_server_never_compiles() -> None:
    """It has no thread that a fork would lose, and no library whose state a compilation would find."""
    process = Path(f"/proc/{server().process.pid}")
    assert len(list((process / "task").iterdir())) == 1
    loaded = {Path(line.split()[-1]).name for line in (process / "maps").read_text().splitlines()}
    assert "libpython" in " ".join(loaded) or any(name.startswith("python") for name in loaded)
    assert not [name for name in loaded if name.startswith("libnvrtc")]


def test_without_its_server_a_text_is_compiled_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_WARM", Warm())
    found = server()
    found.process.kill()
    found.process.wait()
    assert floats(made(AXPB).ptx) == ["fma.rn.f32"]
    found.stop()


def test_architectures_side_by_side() -> None:
    """Fact 6: sm_100 rounds fmaf(a, b, -0) + c once."""
    text = one("fmaf(a, 2.5f, -0.0f) + 1.25f")
    archs = ("sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120")
    results = compile_many([Job(text, "k.cu", arch) for arch in archs] + [Job("x", "broken.cu", "sm_90")])
    assert isinstance(results[-1], Rejected) and results[-1].rejections[0].where.file == "broken.cu"
    for arch, c in zip(archs, results[:-1], strict=True):
        assert isinstance(c, Compiled) and c.arch == arch and f".target {arch}\n" in c.ptx and c.cubin.startswith(b"\x7fELF")
        assert floats(c.ptx) == (["fma.rn.f32"] if arch in ("sm_100", "sm_103", "sm_120") else ["fma.rn.f32", "add.f32"])
    assert compile_many([]) == []


@pytest.mark.parametrize("arch", ["", "compute_90", "sm_90 ", "sm_1", "sm_60"])
def test_unknown_architectures(arch: str) -> None:
    with pytest.raises(UsageError, match=r"names no architecture|does not compile for sm_(1|60) "):
        made(AXPB, arch=arch)


def test_errors_have_places() -> None:
    assert refused("__global__ void k(float* y) {\n\ty[0] = /* é */ foo(1);\n   y[1] = bar; y[0](2);\n}\n") == [
        'nvrtc.error@2:19 the compiler says: identifier "foo" is undefined',
        'nvrtc.error@3:11 the compiler says: identifier "bar" is undefined',
        "nvrtc.error@3:16 the compiler says: expression preceding parentheses of apparent call must have (pointer-to-) function type"]


def test_an_error_of_the_assembler() -> None:
    (error,) = refused('__global__ void k(float* y) { asm("nonsense.f32;"); }\n')
    assert error.startswith("nvrtc.error@0:0 the compiler says: ")


@pytest.mark.parametrize(("log", "found"), [
    ("kernel.cu(1): error: two\n  xy\n   ^\n\nkernel.cu(7): error: no such line\n", [(1, 2, "two"), (0, 0, "no such line")]),
    ("kernel.cu(1): error: no caret\n\nkernel.cu(1): warning #1-D: w\n  xy\n   ^\n", [(1, 1, "no caret")]),
    ("nvrtc: error: failed to open\n", [(0, 0, "failed to open")]),
    ("", [(0, 0, "no reason is given")]),
])
def test_logs(log: str, found: list[tuple[int, int, str]]) -> None:
    expected = [(line, column, f"the compiler says: {what}") for line, column, what in found]
    assert [(r.where.line, r.where.column, r.message) for r in errors(log, "xy\n", "k.cu")] == expected


@pytest.mark.parametrize("include", ['"{path}"', "<{path}>", '"../../../../../../../../../../../{path}"', '"beside.h"', "<beside.h>"])
def test_no_file_is_read(include: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """Even of a text that should never have come so far."""
    (tmp_path / "beside.h").write_text("#define SECRET 1\n")
    monkeypatch.chdir(tmp_path)
    text = f"#include {include.format(path=tmp_path / 'beside.h')}\n#ifdef SECRET\n#error it was read\n#endif\n"
    (error,) = refused(text)
    assert error.startswith("nvrtc.error@1:") and ("could not open" in error or "cannot open" in error)


def test_the_environment_does_not_reach_the_compiler(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setenv("NVRTC_APPEND_FLAGS", "-use_fast_math")
    assert floats(made(one("a / 3.0f")).ptx) == ["div.rn.f32"]


def doubling(levels: int) -> str:
    """A text whose last macro stands for 2^levels tokens."""
    return "#define A0 1 +\n" + "".join(f"#define A{i} A{i - 1} A{i - 1}\n" for i in range(1, levels + 1)) + one(f"A{levels} a")


def test_a_text_that_takes_too_long(way: str) -> None:
    with pytest.raises(Rejected) as caught:
        compile_device(doubling(40), file="k.cu", arch="sm_90", options=(), timeout=1)
    assert [(r.code, r.message) for r in caught.value.rejections] == [("nvrtc.limit", "the compiler did not end within 1 s")]


def test_a_compiler_that_dies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvrtc, "_WARM", Warm(started=True))
    monkeypatch.setattr(nvrtc, "COMMAND", (nvrtc.COMMAND[0], "-c", "import os; os.kill(os.getpid(), 11)"))
    assert refused(AXPB) == ["nvrtc.limit@0:0 the compiler was ended by signal 11"]


def test_toolkits(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = installed_toolkits()
    assert all(re.fullmatch(r"\d+\.\d", version) and path.is_file() for version, path in installed.items())
    assert choose_toolkit() == next(iter(installed)) and choose_toolkit(next(iter(installed))) in installed
    with pytest.raises(UsageError, match=r"12\.1 is not installed \(installed: .*\): pip install 'nvidia-cuda-nvrtc-cu12==12\.1\.\*'"):
        choose_toolkit("12.1")
    with pytest.raises(UsageError, match=r"pip install 'nvidia-cuda-nvrtc==13\.9\.\*'"):
        choose_toolkit("13.9")
    with pytest.raises(UsageError, match="write it as"):
        choose_toolkit("newest")
    monkeypatch.setattr("devsem.frontend.toolkits.installed_toolkits", dict)
    with pytest.raises(UsageError, match="no NVRTC is installed: pip install nvidia-cuda-nvrtc"):
        choose_toolkit()


@needs_12_8
def test_two_toolkits() -> None:
    """GPU_FLOAT.md 8: tanhf is another polynomial since 13.0; and 12.8 does not know sm_103."""
    old, new = (made(one("tanhf(a)"), toolkit=version) for version in ("12.8", "13.0"))
    assert (old.toolkit, new.toolkit) == ("12.8", "13.0")
    assert "release 12.8" in old.ptx and "release 13.0" in new.ptx
    assert floats(old.ptx) != floats(new.ptx)
    with pytest.raises(UsageError, match=r"12\.8 does not compile for sm_103"):
        made(AXPB, arch="sm_103", toolkit="12.8")


@pytest.mark.parametrize(("symbol", "parts"), [
    ("relu", ("relu",)), ("_Z4reluPKfPfi", ("relu",)), ("_ZN2ml4reluEPKfPf", ("ml", "relu")), ("_Z1kIfEvPT_", ("k",)), ("_ZN1a1b1kIfEEvPT_", ("a", "b", "k")),
    ("_ZN1a47_GLOBAL__N__00000000_9_kernel_cu_86d290c2_169734nhidEPf", ("a", "nhid")), ("_ZN12_GLOBAL__N_14reluEPf", ("relu",)),
    ("_ZL4reluPf", ("relu",)), ("_Z9", ("_Z9",)),
    ("_Zrelu", ("_Zrelu",)), ("", ("",)),
])
def test_names(symbol: str, parts: tuple[str, ...]) -> None:
    assert unmangled(symbol) == parts


def test_entries() -> None:
    text = 'extern "C" __global__ void plain(float* y) { y[0] = 1; }\n__global__ void free_(float* y) { y[0] = 2; }\n' \
           "namespace ml { __global__ void inner(float* y) { y[0] = 3; } template <class T> __global__ void t(T* y) { y[0] = 4; }\n" \
           "template __global__ void t<float>(float*); template __global__ void t<int>(int*); }\n" \
           "namespace { __global__ void hidden(float* y) { y[0] = 5; } }\nstatic __global__ void own(float* y) { y[0] = 6; }\n" \
           "__global__ void free_(float* y, int n) { y[n] = 7; }\n"
    names = re.findall(r"\.entry (\w+)\(", made(text).ptx)
    assert entry_name(names, "plain") == "plain"
    assert entry_name(names, "_Z5free_Pf") == "_Z5free_Pf"
    assert entry_name(names, "inner") == entry_name(names, "ml::inner") == "_ZN2ml5innerEPf"
    for unclear in ("free_", "t"):
        with pytest.raises(UsageError, match=f"several compiled kernels are named {unclear}: choose one of _Z"):
            entry_name(names, unclear)
    with pytest.raises(UsageError, match="no compiled kernel is named nobody"):
        entry_name(names, "nobody")
    assert entry_name(names, "own") == "_Z3ownPf" and entry_name(names, "hidden").endswith("6hiddenEPf")
    if choose_toolkit() >= "13":
        assert re.findall(r"\.entry (\w+)\(", made(text).ptx) == names      # no process number in them
