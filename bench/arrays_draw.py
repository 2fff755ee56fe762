"""Random small kernels in the accepted language, each with a launch: the questions of `arrays_soundness.py`.

Every index is made to be within bounds, and threads write cells of their own, so that nearly every kernel runs without a fault.

>>> draw(7).text.count("__global__")
1
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

INPUTS = {"a": 64, "b": 16}
CONSTANTS = ("0.0f", "1.0f", "-1.0f", "2.0f", "0.5f", "-0.0f", "3.0f", "0.1f", "1e-39f", "1e30f", "-2.5f", "4.0f")
INTS = ("int", "unsigned", "long long", "size_t", "int")
HELPERS = """struct V{n} {{ float p; float q; }};
__device__ float mul{n}(float u, float v) {{ return u * v; }}
__device__ __forceinline__ void step{n}(float& u, const float& v) {{ u = u * 0.5f + v; }}
__device__ float early{n}(float u, int j) {{ if (j > 1) return u + 1.0f; if (u < 0.0f) {{ return -u; }} return u * u; }}
template <int N, typename T> __device__ T pow{n}(T u) {{ T r = u; for (int j = 1; j < N; ++j) r = r * u; return r; }}
__device__ void swap{n}(float& u, float& v) {{ float t = u; u = v; v = t + u * v; }}
#define SQ{n}(x) x * x
"""


@dataclass(frozen=True)
class Drawn:
    """A kernel `k<number>` over `const float* a, const float* b, float* y, int n, int m, unsigned u, float s`, its helpers
    before it.

    `n` is the number of threads, each of which owns `each` cells of y; `grid`, `block`: along x.
    `approximate`: it divides, or calls what -use_fast_math replaces."""

    number: int
    text: str
    grid: int
    block: int
    m: int
    u: int
    each: int
    approximate: bool

    @property
    def threads(self) -> int:
        """All threads of the launch."""
        return self.grid * self.block


@dataclass
class Draw:
    """Grows the body; `floats` and `ints` are the variables in scope, `fixed` the ints that may not be assigned."""

    number: int
    rng: Random
    block: int
    floats: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)     # local ones, of 4
    lines: list[str] = field(default_factory=list)
    names: int = 0
    depth: int = 0
    uniform: bool = True        # all threads of the block are here
    budget: int = 14
    approximate: bool = False
    barriers: bool = True
    pointwise: bool = False     # each thread reads and writes its own element only

    def fresh(self, stem: str) -> str:
        """A name that is not used yet."""
        self.names += 1
        return f"{stem}{self.names}"

    def say(self, line: str) -> None:
        """Write a line of the kernel."""
        self.lines.append("  " * (self.depth + 1) + line)

    def pick(self, *options: str) -> str:
        """One of some texts."""
        return self.rng.choice(options)

    # --- expressions

    def integer(self, depth: int = 2) -> str:
        """An integer expression."""
        r = self.rng.random()
        if depth == 0 or r < 0.35:
            return self.rng.choice([*self.ints, *self.fixed, str(self.rng.randrange(-3, 9))])
        x, y = self.integer(depth - 1), self.integer(depth - 1)
        if r < 0.75:
            return f"({x} {self.pick('+', '-', '*', '&', '|', '^')} {y})"
        if r < 0.85:
            return f"({x} {self.pick('/', '%')} {self.pick('2', '3', '-2', '5', '4u', '7LL')})"
        if r < 0.92:
            return f"({x} {self.pick('>>', '<<') if r < 0.88 else '>>'} {self.rng.randrange(1, 5)})"
        if r < 0.96:
            return f"({self.pick('int', 'unsigned', 'size_t', 'long long')})({x})"
        return f"{self.pick('min', 'max')}((int)({x}), (int)({y}))"

    def within(self, size: int) -> str:
        """An index below `size`."""
        if self.rng.random() < 0.3:
            return str(self.rng.randrange(size))
        return f"((unsigned)({self.integer()}) % {size}u)"

    def test(self, depth: int = 1) -> str:
        """A condition on integers."""
        if depth and self.rng.random() < 0.25:
            return f"({self.test(depth - 1)} {self.pick('&&', '||')} {self.test(depth - 1)})"
        return f"({self.integer()} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.integer()})"

    def number_test(self) -> str:
        """A condition on floats."""
        return f"({self.float(1)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.float(1)})"

    def load(self) -> str:
        """An element of an array."""
        if self.pointwise:
            return self.pick("a[t]", "b[t]")
        name = self.rng.choice(["a", "b", "a"])
        return f"{name}[{self.within(INPUTS[name])}]"

    def float(self, depth: int = 2) -> str:
        """A float expression."""
        r = self.rng.random()
        if depth == 0 or r < 0.3:
            if self.arrays and self.rng.random() < 0.25:
                return f"{self.rng.choice(self.arrays)}[{self.rng.randrange(4)}]"
            q = self.rng.random()
            return self.rng.choice(self.floats) if self.floats and q < 0.6 else self.load() if q < 0.85 else self.pick(*CONSTANTS)
        x, y = self.float(depth - 1), self.float(depth - 1)
        if r < 0.72:
            return f"({x} {self.pick('+', '-', '*', '*', '+')} {y})"
        if r < 0.76:
            return f"fmaf({x}, {y}, {self.float(0)})"
        if r < 0.80:
            return f"{self.pick('fminf', 'fmaxf')}({x}, {y})"
        if r < 0.83:
            return f"({self.number_test() if self.rng.random() < 0.5 else self.test()} ? {x} : {y})"
        if r < 0.86:
            return self.pick(f"fabsf({x})", f"-({x})", f"SQ{self.number}({x})")
        if r < 0.89:
            return f"mul{self.number}({x}, {y})"
        if r < 0.91:
            return f"early{self.number}({x}, {self.integer(1)})"
        if r < 0.93:
            return f"pow{self.number}<{self.pick('2', '3')}, float>({x})"
        if r < 0.95:
            return f"(float)({self.integer()})"
        if r < 0.96:
            return f"(float)({self.pick('int', 'unsigned', 'long long')})({x})"
        if r < 0.975:
            return f"({x} {self.pick('*', '/')} {self.pick('2.0f', '4.0f', '0.5f')})"
        if r < 0.985:
            self.approximate = True
            return self.pick(f"({x} / {y})", f"sqrtf({x})", f"expf({x})", f"rsqrtf({x})", f"tanhf({x})", f"logf({x})")
        return self.pick(f"floorf({x})", f"truncf({x})", f"(float)({x} > {y})", f"__fmul_rn({x}, {y})")

    # --- statements

    def block_of(self, count: int) -> None:
        """Statements in a scope of their own."""
        kept = list(self.floats), list(self.ints), list(self.fixed), list(self.arrays)
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        self.floats, self.ints, self.fixed, self.arrays = kept

    def statement(self) -> None:
        """Write one statement."""
        if self.budget <= 0:
            return
        self.budget -= 1
        kinds = [self.declare, self.declare, self.update, self.update, self.update, self.whole, self.call, self.keep, self.carried]
        kinds += [self.branch, self.loop, self.loop, self.switch] if self.depth < 3 else []
        kinds += [self.exchange] if self.uniform and self.barriers and self.depth < 2 else []
        self.rng.choice(kinds)()

    def declare(self) -> None:
        """A new local variable."""
        value = self.float()
        name = self.rng.choice(self.floats) if self.floats and self.depth > 0 and self.rng.random() < 0.1 else self.fresh("v")
        if name in value:
            name = self.fresh("v")
        self.say(f"float {name} = {value};")
        if name not in self.floats:
            self.floats.append(name)

    def update(self) -> None:
        """An assignment to a float."""
        if not self.floats:
            self.declare()
            return
        self.say(f"{self.rng.choice(self.floats)} {self.pick('=', '+=', '-=', '*=', '+=')} {self.float()};")

    def whole(self) -> None:
        """A new integer, or an assignment to one."""
        r = self.rng.random()
        if r < 0.5 or not self.ints:
            name, kind, value = self.fresh("i"), self.rng.choice(INTS), self.integer()
            self.say(f"{kind} {name} = {value};")
            self.ints.append(name)
        elif r < 0.8:
            self.say(f"{self.rng.choice(self.ints)} {self.pick('=', '+=', '-=', '*=', '^=')} {self.integer()};")
        else:
            self.say(f"if ({self.rng.choice(self.ints)}++ < 2 && {self.rng.choice(self.ints)}-- > 0) {self.rng.choice(self.ints)} = {self.integer()};")

    def call(self) -> None:
        """A call of a function of the file."""
        if len(self.floats) < 2:
            self.declare()
            return
        u, v = self.rng.choice(self.floats), self.rng.choice(self.floats)
        r = self.rng.random()
        if r < 0.4:
            self.say(f"step{self.number}({u}, {v});")
        elif r < 0.7:
            self.say(f"swap{self.number}({u}, {v});")
        else:
            name = self.fresh("w")
            self.say(f"V{self.number} {name} = {{{u}, {self.float(1)}}}; V{self.number} {name}c = {name}; {name}.p *= {v}; {u} = {name}.p + {name}c.q;")

    def keep(self) -> None:
        """A local array, or an access to one, or consecutive loads."""
        r = self.rng.random()
        if r < 0.4 or not self.arrays:
            name = self.fresh("r")
            j = self.fresh("j")
            self.say(f"float {name}[4];")
            self.fixed.append(j)
            value = self.float(1)
            self.fixed.remove(j)
            self.say(f"for (int {j} = 0; {j} < 4; ++{j}) {name}[{j}] = {value};")
            self.arrays.append(name)
        elif r < 0.8:
            self.say(f"{self.rng.choice(self.arrays)}[{self.within(4) if r < 0.5 else self.rng.randrange(4)}] {self.pick('=', '+=')} {self.float(1)};")
        elif r < 0.9 and not self.pointwise:
            name = self.fresh("f")
            self.say(f"float4 {name} = reinterpret_cast<const float4*>(a)[{self.within(INPUTS['a'] // 4)}];")
            self.floats += [f"{name}.{c}" for c in "xyzw"]
        elif not self.pointwise:
            name, v = self.fresh("p"), self.fresh("v")
            self.say(f"const float* {name} = a + {self.within(INPUTS['a'] - 4)}; float {v} = *{name}++; {v} += {name}[1] * {name}[-1];")
            self.floats.append(v)

    def carried(self) -> None:
        """A product of one turn that the next turn adds."""
        p, acc, j = self.fresh("p"), self.fresh("s"), self.fresh("j")
        bound = self.pick("3", "m", "2", "4")
        self.say(f"float {p} = {self.float(1)}, {acc} = {self.pick(*CONSTANTS)};")
        order = [f"{acc} {self.pick('+=', '-=')} {p};", f"{p} {self.pick('=', '*=')} {self.load()} * {self.load()};"]
        self.rng.shuffle(order)
        self.say(f"for (int {j} = 0; {j} < {bound}; ++{j}) {{ {' '.join(order)} }}")
        self.floats += [acc, p] if self.rng.random() < 0.5 else [acc]

    def branch(self) -> None:
        """An if, with or without else."""
        on_floats = self.rng.random() < 0.4
        barriers, uniform = self.barriers, self.uniform
        self.uniform = False
        self.say(f"if ({self.number_test() if on_floats else self.test()}) {{")
        ints = list(self.ints)
        if on_floats:               # an integer that depends on a float is refused
            self.ints, self.fixed = [], [*self.fixed, *ints]
        self.block_of(self.rng.randrange(1, 4))
        if self.rng.random() < 0.6:
            self.say("} else {")
            self.block_of(self.rng.randrange(1, 3))
        self.say("}")
        if on_floats:
            self.ints, self.fixed = ints, [f for f in self.fixed if f not in ints]
        self.barriers, self.uniform = barriers, uniform

    def loop(self) -> None:
        """A loop of one of C's forms."""
        j, bound = self.fresh("j"), self.pick("3", "m", "2", "m + 1", "4", "(int)(threadIdx.x % 3u)", "1", "0")
        kept = self.uniform
        self.uniform = self.uniform and "thread" not in bound
        r = self.rng.random()
        heads = (f"for (int {j} = 0; {j} < {bound}; ++{j}) {{", f"for (int {j} = {bound}; {j} > 0; {j}--) {{",
                 f"for (unsigned {j} = 8u; {j} > 1u; {j} >>= 1) {{",
                 f"{{ int {j} = 0; while ({j}++ < {bound}) {{", f"{{ int {j} = 0; do {{")
        head = heads[0 if r < 0.5 else 1 if r < 0.65 else 2 if r < 0.75 else 3 if r < 0.9 else 4]
        if head.startswith("for") and self.rng.random() < 0.15:
            self.say(self.pick("#pragma unroll", "#pragma unroll 1", "#pragma unroll 2"))
        self.say(head)
        self.fixed.append(j)
        self.block_of(self.rng.randrange(1, 4))
        if self.rng.random() < 0.2 and r < 0.75:
            self.uniform = False
            self.say(f"  if ({self.test()}) {self.pick('break', 'continue')};")
            self.block_of(1)
        self.fixed.remove(j)
        self.say("}" if r < 0.75 else "} }" if r < 0.9 else f"}} while (++{j} < {bound}); }}")
        self.uniform = kept

    def switch(self) -> None:
        """A switch over an integer."""
        kept = self.uniform
        self.uniform = False
        self.say(f"switch ({self.integer()} & 3) {{")
        for c in ("case 0:", "case 1: case 2:", "case 3:", "default:"):
            if self.rng.random() < 0.7:
                self.say(f"  {c} {{")
                self.block_of(1)
                self.say("  } break;")
        self.say("}")
        self.uniform = kept

    def exchange(self) -> None:
        """Through shared memory: what a thread stores it reads back, another one reads, or adds to."""
        size, t, v = self.block, "threadIdx.x", self.fresh("v")
        self.say("__syncthreads();")
        self.say(f"sh{self.number}[{t}] = {self.float()};")
        r = self.rng.random()
        if r < 0.3:
            self.say(f"sh{self.number}[{t}] {self.pick('+=', '*=')} {self.float(1)};")
        own = f"float {v} = sh{self.number}[{t}] + {self.float(1)};"
        other = f"float {v} = sh{self.number}[({t} + {self.rng.randrange(1, 4)}u) % {size}u] {self.pick('+', '*')} {self.float(1)};"
        if r < 0.55:
            self.say(own)
        else:
            self.say("__syncthreads();")
            self.say(other)
        self.floats.append(v)


def draw(number: int) -> Drawn:
    """The kernel of a number; the same for the same number."""
    rng = Random(number)
    block, grid = rng.choice((1, 2, 4, 8)), rng.choice((1, 1, 2))
    light = number % 4 == 1         # few statements, so that contraction is not always in doubt
    d = Draw(number, rng, block, pointwise=number % 4 == 3, budget=rng.choice((1, 2, 3)) if light else rng.choice((3, 6, 14)))
    each = 1 if d.pointwise else 2
    d.floats.append("s")
    d.fixed += ["t", "n", "m", "u", "(int)threadIdx.x"]
    d.barriers = block > 1 and not d.pointwise
    body = d.lines
    d.say("int t = blockIdx.x * blockDim.x + threadIdx.x;")
    if rng.random() < 0.15:
        d.say("if (t >= n) return;")
        d.barriers = False
    for _ in range(rng.randrange(2, 7)):
        d.statement()
    if rng.random() < 0.15:
        for k in range(each):
            d.say(f"y[{each} * t + {k}] = {d.float(1)};")
        d.say(f"if ({d.test()}) return;")
        d.barriers = False
    for k in range(each):
        d.say(f"y[{each} * t + {k}] {'=' if rng.random() < 0.8 else '+='} {d.float()};")
    shared = f"  __shared__ float sh{number}[{block}];"
    signature = f"__global__ void k{number}(const float* a, const float* b, float* y, int n, int m, unsigned u, float s) {{"
    text = "\n".join((HELPERS.format(n=number) + signature, *([shared] if f"sh{number}[" in "".join(body) else []), *body, "}"))
    return Drawn(number, text + "\n", grid, block, rng.randrange(0, 5), rng.choice((0, 1, 3, 1 << 31, (1 << 32) - 1)), each, d.approximate)
