"""The machine code of small kernels, as the disassembler reads it: the instructions that facts/GPU_FLOAT.md 2.2 lists."""

from __future__ import annotations

import json

import pytest

from devsem.errors import Bug, UsageError
from devsem.frontend import sass
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.sass import Instruction, SassFunction, disassemble, nvdisasm_path, parse

needs_nvdisasm = pytest.mark.skipif(nvdisasm_path() is None, reason=f"needs {sass.PACKAGE}")
HEAD = 'extern "C" __global__ void {}(const float* p, float* o) {{ float a = p[0], b = p[1], c = p[2]; {} }}\n'


def machine(bodies: list[str], flags: str = "", arch: str = "sm_90") -> list[SassFunction]:
    """The kernels of one compilation, in the order given."""
    text = "".join(HEAD.format(f"k{n}", body) for n, body in enumerate(bodies))
    functions = {f.name: f for f in disassemble(compile_device(text, file="k.cu", arch=arch, options=nvrtc_options(flags)).cubin)}
    assert set(functions) == {f"k{n}" for n in range(len(bodies))}
    return [functions[f"k{n}"] for n in range(len(bodies))]


def floats(function: SassFunction) -> list[str]:
    return [i.mnemonic for i in function.body if i.opcode in ("FFMA", "FMUL", "FADD", "FMNMX", "MUFU", "FSEL")]


@needs_nvdisasm
@pytest.mark.parametrize(("flags", "found"), [
    ("", {"a * b - c": ["FFMA"], "a * b + c * a": ["FMUL", "FFMA"], "fmaxf(a, b)": ["FMNMX"], "a <= 0.f ? 0.f : a": ["FMNMX.NAN"],
          "__fmul_rz(a, b) + c": ["FMUL.RZ", "FADD"]}),     # ptxas fuses the first, which PTX has as mul and sub
    ("-fmad=false -ftz=true", {"a * b - c": ["FMUL.FTZ", "FADD.FTZ"]}),
])
def test_the_machine_operations(flags: str, found: dict[str, list[str]]) -> None:
    for expression, function in zip(found, machine([f"o[0] = {e};" for e in found], flags), strict=True):
        assert function.subroutines == {} and function.body == function.instructions
        assert floats(function) == found[expression], expression


@needs_nvdisasm
def test_equal_code_is_disassembled_alike() -> None:
    """-fmad=false leaves another note only, where there is no product; another sum or architecture is other code."""
    text = HEAD.format("k", "o[0] = a + b;")
    plain, noted, other, elsewhere = (compile_device(t, file="k.cu", arch=arch, options=nvrtc_options(flags)).cubin for t, flags, arch in (
        (text, "", "sm_90"), (text, "-fmad=false", "sm_90"), (text.replace("a + b", "a - b"), "", "sm_90"), (text, "", "sm_80")))
    assert plain != noted and sass.code_of(plain) == sass.code_of(noted) and disassemble(plain) == disassemble(noted)
    assert len({sass.code_of(c) for c in (plain, other, elsewhere)}) == 3


@needs_nvdisasm
def test_operands_and_predicates() -> None:
    (function,) = machine(["if (a < 3.5f) o[0] = fmaf(-fabsf(b), c, 2.5f); else o[1] = a;"])
    assert [i.address for i in function.instructions] == [16 * n for n in range(len(function.instructions))]
    (fused,) = (i for i in function.instructions if i.opcode == "FFMA")
    assert len(fused.operands) == 4 and any(o.startswith("-|R") for o in fused.operands)
    (test,) = (i for i in function.instructions if i.opcode == "FSETP")
    assert test.operands[0] == "P0" and "3.5" in test.operands
    assert {i.predicate for i in function.instructions} > {""} and {i.predicate for i in function.instructions} <= {"", "P0", "!P0"}
    assert not any("reuse" in str(i) for i in function.instructions)
    stores = [i for i in function.instructions if i.opcode == "STG"]
    assert len(stores) == 2 and all(i.modifiers == ("E",) and i.operands[0].startswith("desc[UR") for i in stores)


@needs_nvdisasm
def test_a_subroutine_is_told_apart() -> None:
    (function,) = machine(["o[0] = a / b;"])
    ((name, start),) = function.subroutines.items()
    assert "div_rn" in name and 0 < start < function.instructions[-1].address and start % 16 == 0
    assert function.body == function.instructions[:start // 16]
    (call,) = (i for i in function.body if i.opcode == "CALL")
    assert call.operands == (name,)
    assert "MUFU.RCP" in floats(function)


@needs_nvdisasm
@pytest.mark.parametrize("arch", ["sm_75", "sm_100", *(pytest.param(a, marks=pytest.mark.slow) for a in ("sm_80", "sm_89", "sm_103", "sm_120"))])
def test_architectures(arch: str) -> None:
    (function,) = machine(["o[0] = a * b + c;"], arch=arch)
    assert floats(function) == ["FFMA"]


@needs_nvdisasm
@pytest.mark.parametrize("cubin", [b"not machine code", b"\x7fELF" + bytes(60)])
def test_what_is_no_machine_code(cubin: bytes) -> None:
    with pytest.raises(Bug, match="the disassembler ended"):
        disassemble(cubin)


@pytest.mark.parametrize("said", [
    b"", b"{}", b"[]", b"[1, 2]", b'[{}, [{"function-name": "k"}]]',
    json.dumps([{}, [{"function-name": "k", "start": 0, "length": 32, "sass-instructions": [{"opcode": "EXIT"}]}]]).encode(),
])
def test_what_is_not_understood(said: bytes) -> None:
    with pytest.raises(Bug, match="output is not understood"):
        parse(said)


def test_a_made_up_answer() -> None:
    rows = [{"opcode": "LDG.E.64", "operands": "R2,desc[UR4][R2.64+0x4]"}, {"predicate": "@!UP1", "opcode": "NOP"},
            {"opcode": "FSETP.GTU.FTZ.AND", "operands": "P0,PT,|R9.reuse|, +INF ,PT"}]
    (function,) = parse(json.dumps([{}, [{"function-name": "k", "start": 256, "length": 48, "sass-instructions": rows}]]).encode())
    assert function.instructions == (
        Instruction(256, "LDG", ("E", "64"), ("R2", "desc[UR4][R2.64+0x4]")), Instruction(272, "NOP", predicate="!UP1"),
        Instruction(288, "FSETP", ("GTU", "FTZ", "AND"), ("P0", "PT", "|R9|", "+INF", "PT")))
    assert [str(i) for i in function.instructions] == ["LDG.E.64 R2, desc[UR4][R2.64+0x4]", "@!UP1 NOP", "FSETP.GTU.FTZ.AND P0, PT, |R9|, +INF, PT"]


def test_without_a_disassembler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sass, "PACKAGE", "devsem-no-such-package")
    assert nvdisasm_path() is None
    with pytest.raises(UsageError, match="pip install devsem-no-such-package"):
        disassemble(b"")
