"""Random kernels, as CUDA text: integers that branch and loop, floats that branch and are chosen, shared and local arrays, barriers, exchanges."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

THREADS, CELLS = 32, 4


@dataclass
class Kernel:
    """Writes one kernel; every thread has cells of its own in y, and reads of shared memory are between barriers."""

    rng: Random
    lines: list[str] = field(default_factory=list)
    loops: int = 0

    def integer(self, depth: int = 2) -> str:
        r = self.rng
        if depth == 0 or r.random() < 0.3:
            return r.choice(["t", "i0", "i1", "n", str(r.randrange(-5, 9))])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return r.choice([f"({a} + {b})", f"({a} - ({b}))", f"({a} * {b})", f"({a} & {b})", f"({a} ^ {b})", f"min({a}, {b})", f"max({a}, {b})", f"({a} >> 1)",
                         f"(({self.test()}) ? {a} : {b})", f"({a} / {r.choice([2, 3, 4])})"])

    def test(self) -> str:
        r = self.rng
        a, b = self.integer(0), self.integer(1)
        return f"{a} {r.choice(['<', '<=', '>', '==', '!='])} {b}" + (f" {r.choice(['&&', '||'])} t < {r.randrange(32)}" if r.random() < 0.3 else "")

    def number(self, depth: int = 2) -> str:
        r = self.rng
        if depth == 0 or r.random() < 0.25:
            return r.choice(["f0", "f1", "f2", f"x[{self.cell()}]", "2.5f", "-0.5f", f"a[({self.integer(1)}) & 3]", f"(float)({self.integer(1)})"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        return r.choice([f"({a} + {b})", f"({a} - ({b}))", f"({a} * {b})", f"fmaxf({a}, {b})", f"fminf({a}, {b})", f"(- {a})", f"fabsf({a})",
                         f"({self.float_test()} ? {a} : {b})", f"(({self.test()}) ? {a} : {b})"])

    def float_test(self) -> str:
        return f"{self.number(0)} {self.rng.choice(['<', '<=', '>', '=='])} {self.number(0)}"

    def cell(self) -> str:
        return f"(({self.integer(1)}) & {THREADS * CELLS - 1})"

    def statements(self, depth: int, loop: bool, floats: bool, indent: str) -> None:
        for _ in range(self.rng.randrange(2, 5)):
            self.statement(depth, loop, floats, indent)

    def statement(self, depth: int, loop: bool, floats: bool, indent: str) -> None:
        """`loop`: within a loop that may be left; `floats`: under a condition on floats."""
        r, out = self.rng, self.lines
        kind = r.choice(["float", "float", "store", "local"] + ([] if floats else ["int", "exit"]) + (["if", "if", "for"] if depth else []))
        if kind == "float":
            out.append(f"{indent}f{r.randrange(3)} = {self.number()};")
        elif kind == "int":
            out.append(f"{indent}i{r.randrange(2)} = {self.integer()};")
        elif kind == "store":
            out.append(f"{indent}y[t * {CELLS} + (({self.integer(1)}) & {CELLS - 1})] = {self.number()};")
        elif kind == "local":
            out.append(f"{indent}a[({self.integer(1)}) & 3] = {self.number()};")
        elif kind == "exit" and loop:
            out.append(f"{indent}if ({self.test()}) {r.choice(['break', 'continue'])};")
        elif kind == "if":
            on_floats = r.random() < 0.4
            out.append(f"{indent}if ({self.float_test() if on_floats else self.test()}) {{")
            self.statements(depth - 1, loop, floats or on_floats, indent + "  ")
            out.append(f"{indent}}} else {{")
            self.statements(depth - 1, loop, floats or on_floats, indent + "  ")
            out.append(f"{indent}}}")
        elif kind == "for":
            j = f"j{self.loops}"
            self.loops += 1
            out.append(f"{indent}for (int {j} = 0; {j} < {r.choice(['3', '(t & 3)', '2'])}; {j}++) {{")
            self.statements(depth - 1, True, floats, indent + "  ")
            out.append(f"{indent}}}")

    def phase(self) -> None:
        """Every thread puts a value into shared memory, and reads another's; or exchanges one."""
        r = self.rng
        if r.random() < 0.5:
            self.lines += ["  __syncthreads();", f"  s[t ^ {r.randrange(32)}] = {self.number()};", "  __syncthreads();",
                           f"  f{r.randrange(3)} = s[({self.integer(1)}) & 31] * {self.number(0)};"]
        else:
            kind = r.choice(["__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"])
            self.lines += [f"  f{r.randrange(3)} = {kind}(0xffffffffu, {self.number(1)}, {r.randrange(32)}, {r.choice([8, 16, 32])});"]


def text(seed: int) -> str:
    """One kernel `k(const float* x, float* y, int n)` for a block of 32 threads, over 128 elements each."""
    k = Kernel(Random(seed))
    k.lines += ['extern "C" __global__ void k(const float* x, float* y, int n) {', "  __shared__ float s[32];", "  float a[4];",
                "  int t = threadIdx.x, i0 = t & 3, i1 = n;", "  float f0 = x[t], f1 = 1.0f, f2 = 0.0f;", "  for (int j = 0; j < 4; j++) a[j] = x[t * 4 + j];",
                f"  for (int j = 0; j < {CELLS}; j++) y[t * {CELLS} + j] = 0.25f;"]
    for _ in range(k.rng.randrange(1, 4)):
        k.statements(2, False, False, "  ")
        k.phase()
    if k.rng.random() < 0.5:
        k.lines.append(f"  if ({k.float_test() if k.rng.random() < 0.5 else k.test()}) return;")
    k.statements(2, False, False, "  ")
    k.lines += [f"  y[t * {CELLS}] = f0 + f1; y[t * {CELLS} + 1] = f2;", "}"]
    return "\n".join(k.lines) + "\n"
