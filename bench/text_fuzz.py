"""Mutated kernels, wrappers and solutions through the readers: `python bench/text_fuzz.py 500 --first 0`.

Texts are untrusted. A mutated one must be read or refused (Rejected, UsageError) within SLOW seconds; anything else is printed with its number.
While a text is read, an audit hook notes every file that is opened for writing, and every program that is started: none may be. Kernels are
translated in this process, without the child that shields from libclang's own crashes.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from arrays_draw import draw

from devsem.errors import Rejected, UsageError
from devsem.frontend.cuda import translate
from devsem.frontend.cuda_source import read
from devsem.frontend.host import read_wrapper
from devsem.frontend.solution import read_solution
from devsem.frontend.spec import SpecInput

SLOW = 20.0
STARTS = ("os.system", "os.exec", "os.posix_spawn", "os.spawn")
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
HOSTILE = (
    "#include \"/etc/passwd\"\n", "#include </dev/zero>\n", "#embed \"/etc/passwd\"\n", "__has_include(\"/etc/passwd\")",
    "#line 1 \"/etc/passwd\"\n", "_Pragma(\"x\")",
    "asm(\"trap;\");", "((((((((((((((((", "{{{{{{", "\\\n", "/*", "//", "\"", "'", "R\"x(", "??/", "\x00", "\ufeff", "\u202e", "0x", "1e99999f", "9" * 40,
    "goto a; a:;", "__syncthreads();", "return;", "while (1);", "for (;;) {}", "int i = i;", "char* p = (char*)&p;", "#define int float\n",
    "#define if(x) while(x)\n", "template <int N> struct L { static const int v = L<N + 1>::v; }; int z = L<0>::v;",
    "constexpr int f(int n) { return f(n + 1); } int q[f(0)];", "__import__('os').system('touch /tmp/devsem_fuzz')", "open('/tmp/devsem_fuzz', 'w')",
    "-", "*", "&", "<<<", ">>>", "[[", "]]", "int", "float", "unsigned", "return", "if", "else")
WRAPPER = """#include <torch/extension.h>
__global__ void k(const float* x, float* y, int n, float a) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = a * x[i]; }
torch::Tensor f(torch::Tensor x) {
  TORCH_CHECK(x.is_cuda(), "no"); auto y = torch::empty_like(x); const int n = x.numel(); const int b = 256; dim3 g((n + b - 1) / b);
  k<<<g, b, 0>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, 2.0f); return y;
}
"""
SOLUTION = '''import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
''' + WRAPPER + '''
"""
cpp = "torch::Tensor f(torch::Tensor x);"
mod = load_inline(name="m", cpp_sources=cpp, cuda_sources=source, functions=["f"], verbose=True)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = mod

    def forward(self, x):
        return self.m.f(x)
'''
INPUTS = (SpecInput("x", "input", (6, 8)),)
seen: list[str] = []
watching = [False]


def hook(event: str, args: tuple[Any, ...]) -> None:
    """Note what a reader may not do."""
    if not watching[0]:
        return
    if event in STARTS:
        seen.append(f"{event} {args[0]!r}")
    if event == "open" and isinstance(args[0], str | bytes) and ("passwd" in str(args[0]) or (isinstance(args[1], str) and set(args[1]) & set("wax+"))):
        seen.append(f"opens {args[0]!r} {args[1]}")


def mutated(text: str, rng: Random) -> str:
    """A text with some of its tokens gone, doubled, exchanged, or hostile ones put in."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at = rng.randrange(len(tokens))
        match rng.randrange(6):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[at])
            case 2:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens.insert(at, rng.choice(HOSTILE))
            case 4:
                end = min(at + rng.randrange(1, 12), len(tokens))
                tokens[at:end] = tokens[at:end] * rng.choice((0, 2, 3))
            case _:
                tokens[at] = rng.choice(tokens)
        tokens = tokens or ["x"]
    return "".join(tokens)


def readers(number: int) -> tuple[str, Callable[[str], Any]]:
    """A text and what reads it."""
    if number % 3 == 0:
        return draw(number // 3).text, lambda text: translate(read("k.cu", text), f"k{number // 3}")
    if number % 3 == 1:
        return WRAPPER, lambda text: read_wrapper("k.cu", text, INPUTS)
    return SOLUTION, lambda text: read_solution("k.py", text, INPUTS)


def tried(number: int) -> str:
    """What became of one text: "read", "refused", or what is wrong."""
    text, reader = readers(number)
    text = mutated(text, Random(number))
    seen.clear()
    start = time.monotonic()
    watching[0] = True
    try:
        reader(text)
        result = "read"
    except (Rejected, UsageError):
        result = "refused"
    except Exception as error:
        result = f"WRONG: {type(error).__name__}: {str(error)[:200]}"
    finally:
        watching[0] = False
    if time.monotonic() - start > SLOW:
        result = f"WRONG: {time.monotonic() - start:.0f} s"
    return f"WRONG: {seen[0]}" if seen else result


def run(numbers: Sequence[int]) -> Counter[str]:
    """All of these; prints what is wrong."""
    tally: Counter[str] = Counter()
    for n in numbers:
        result = tried(n)
        tally[result.partition(":")[0]] += 1
        if result.startswith("WRONG"):
            print(f"text {n}: {result}", flush=True)
    return tally


def main() -> None:
    """Run and print; exit code 1 where anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the texts")
    o = parser.parse_args()
    sys.addaudithook(hook)
    if o.show:
        for n in range(o.first, o.first + o.count):
            print(mutated(readers(n)[0], Random(n)))
    tally = run(range(o.first, o.first + o.count))
    print(dict(tally))
    sys.exit("WRONG" in tally)


if __name__ == "__main__":
    main()
