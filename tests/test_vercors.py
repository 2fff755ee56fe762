"""The text for VerCors users: permissions, bounds and invariants as people would write them, at their places; it is never said to be verified."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from safety_corpus import corpus, heading, setting_of
from typer.testing import CliRunner

from devsem.cli import app
from devsem.frontend.cuda import parse_kernel
from devsem.vercors import NOTE, annotated
from devsem.vercors_text import integer

ROWS = Path(__file__).resolve().with_name("solutions") / "row_sum.cu"
X = r"(\forall* int i; 0 <= i && i < \pointer_length(x); Perm(&x[i], write \ (blockDim.x * gridDim.x)));"
ROW = "blockIdx.x * blockDim.x + threadIdx.x"
AFTER_TILE = r"(\forall* int i; 0 <= i && i < 256; Perm(&As[i], write \ (blockDim.x * blockDim.y)));"

# kernel -> a line of its text (or the kernel's head), and lines of the block that stands right before it
EXPECTED: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "copy_guard": (("__global__", (
        "context blockDim.x == 256;", "context gridDim.x == (n + 255) / 256;", "context 1 <= n && n <= 1073741824;", r"context \pointer_length(y) == n;",
        f"context {X}", f"context ({ROW} < n ==> Perm(&y[{ROW}], write));")),),
    "row_sum": (("for (int j = 0; j < C; j++)", (
        "loop_invariant 0 <= j;", "loop_invariant (j == 0 || j - 1 < C);", f"loop_invariant {ROW} < R;", f"loop_invariant {X}",
        f"loop_invariant ({ROW} < R ==> Perm(&y[{ROW}], write));")),),
    "row_max": (("for (int j = 1; j < C; ++j)", ("loop_invariant 1 <= j;", "loop_invariant (j == 1 || j - 1 < C);")),),
    "grid_stride": (
        ("__global__", (rf"context (\forall* int i_round; 0 <= i_round && {ROW} + i_round * (blockDim.x * gridDim.x) < n; "
                        f"Perm(&y[{ROW} + i_round * (blockDim.x * gridDim.x)], write));",)),
        ("for (int i =", (f"loop_invariant {ROW} <= i;", f"loop_invariant (i - ({ROW})) % (blockDim.x * gridDim.x) == 0;"))),
    "exact_blocks": (("__global__", ("given int n;", "context n % 256 == 0;", f"context Perm(&y[{ROW}], write);")),),
    "block_sum": (
        ("__global__", ("context (threadIdx.x == 0 ==> Perm(&y[blockIdx.x], write));", "requires Perm(&s[threadIdx.x], write);")),
        ("__syncthreads", ("requires Perm(&s[threadIdx.x], write);", "ensures (threadIdx.x < 128 ==> Perm(&s[threadIdx.x], write));",
                           r"ensures (threadIdx.x < 128 ==> Perm(&s[threadIdx.x + 128], write \ (blockDim.x)));"))),
    "block_sum_any": (("__global__", (r"context \shared_mem_size(s) == (4 * B) / 4;", "context 32 <= B && B <= 1024;")),),
    "matmul_tiled": (
        ("__global__", ("context gridDim.y == (M + 15) / 16;", r"context \pointer_length(B) == K * N;")),
        ("for (int t = 0", ("loop_invariant (t == 0 || t - 1 < (K + 16 - 1) / 16);", "loop_invariant Perm(&As[threadIdx.y * 16 + threadIdx.x], write);")),
        ("__syncthreads", ("requires Perm(&As[threadIdx.y * 16 + threadIdx.x], write);", f"ensures {AFTER_TILE}"))),
    "add_3d": (("__global__", ("context blockDim.z == 4;", r"context \pointer_length(a) == D * H * W;")),),
}


def text_of(name: str) -> str:
    kernel = next(k for k in corpus(name) if not k.expected)
    program = parse_kernel(f"{name}.cu", kernel.text)
    return annotated(((program, setting_of(program, heading(kernel.text))),), "PASS", kernel.text)


@pytest.mark.parametrize("name", EXPECTED)
def test_blocks_stand_before_what_they_are_about(name: str) -> None:
    lines = [line.strip() for line in text_of(name).splitlines()]
    for head, expected in EXPECTED[name]:
        at = next(i for i, line in enumerate(lines) if line.startswith(head))
        assert lines[at - 1] == "@*/"
        begin = max(i for i in range(at) if lines[i] == "/*@")
        missing = [e for e in expected if e not in lines[begin + 1:at - 1]]
        assert not missing, (missing, lines[begin:at])


@pytest.mark.parametrize("name", sorted(p.stem for p in ROWS.parent.with_name("safety").glob("*.cu"))[::6])
def test_without_its_annotations_it_is_the_text(name: str) -> None:
    def words(text: str) -> list[str]:
        return re.sub(r"/\*@.*?@\*/|^//.*?$", "", text, flags=re.DOTALL | re.MULTILINE).split()
    made = text_of(name)
    assert made.splitlines()[0] == f"// {NOTE}." and "verified" not in made
    assert words(made) == words(next(k for k in corpus(name) if not k.expected).text)
    assert not re.search(r"\bNone\b|@\d", made), "a name of the trace's is not the source's"
    for block in re.findall(r"/\*@(.*?)@\*/", made, re.DOTALL):
        assert all(line.strip().endswith(";") and line.count("(") == line.count(")") for line in block.strip().splitlines()), block


def test_a_cell_is_named_once_however_many_rounds_write_it() -> None:
    assert "int t; " not in text_of("matmul_tiled") and "int t;" not in text_of("jacobi").split("__global__")[0]


def test_what_is_not_expressed_is_named() -> None:
    assert "// Not expressed: what the barrier of line 25 hands over in each of the 8 rounds that the gate wrote out." in text_of("block_sum")
    assert "// Not expressed: a condition of the host's code." in text_of("block_sum_any")


def test_the_command_prints_the_text_and_says_the_verdict_elsewhere() -> None:
    done = CliRunner().invoke(app, ["safety", str(ROWS), "--export", "vercors", "--timeout", "0.5"])
    assert done.exit_code == 0 and done.stdout.startswith(f"// {NOTE}.\n")
    assert "context (threadIdx.x == 0 ==> Perm(&y[blockIdx.x], write));" in done.stdout and "torch::" not in done.stdout
    assert done.stderr.startswith("PASS")


def test_another_format_is_one_sentence() -> None:
    done = CliRunner().invoke(app, ["safety", str(ROWS), "--export", "boogie"])
    assert done.exit_code == 4 or done.exception is not None
    assert "vercors" in f"{done.output}{done.exception}"


def test_integers_in_c() -> None:
    from devsem.expr import const_int, mk, var
    from devsem.ops import B32
    i, n = var("i", B32), var("n", B32)
    names = {i: "i", n: "n"}
    two = const_int(B32, 2)
    for e, text in (
        (mk("sub_b32", i, mk("sub_b32", n, two)), "i - (n - 2)"), (mk("mul_b32", mk("sdiv_b32", i, two), n), "i / 2 * n"),
        (mk("sdiv_b32", i, mk("mul_b32", n, two)), "i / (n * 2)"), (mk("mul_b32", n, mk("sdiv_b32", i, two)), "n * (i / 2)"),
        (mk("not", mk("slt_b32", i, n)), "!(i < n)"),
        (mk("shl_b32", i, two), "i * 4"), (mk("smin_b32", i, n), "(i < n ? i : n)"), (mk("add_b32", i, const_int(B32, -1)), "i + -1"),
        (mk("and", mk("or", mk("slt_b32", i, n), mk("slt_b32", n, i)), mk("sle_b32", i, n)), "(i < n || n < i) && i <= n"),
        (mk("xor_b32", i, n), None), (mk("add_b32", i, var("other", B32)), None),
    ):
        assert integer(e, names) == text
