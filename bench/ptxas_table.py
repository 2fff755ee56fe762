"""The table of GPU_FLOAT.md 2.2 against NVRTC: are the predicted machine operations the listed ones, and those of the real machine code?

    python bench/ptxas_table.py [--arch sm_75,sm_80,sm_90,sm_100] [--random 300] [--seed 0]

For each row, architecture and set of flags: `listed` the prediction equals the facts' listing, `code` the prediction is confirmed in the disassembly.
With --random, random expressions as well: how many predictions are confirmed. Fails if a row is not confirmed or not as listed.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from ptxas_rows import ROWS, Row

from devsem.frontend import ptx_graph
from devsem.frontend.low_words import number, plus, unknown
from devsem.frontend.machine_graph import Graph, Source, classes, shape, signed
from devsem.frontend.nvrtc import compile_device, nvrtc_options
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_ast import Function
from devsem.frontend.ptxas import machine
from devsem.frontend.sass import disassemble
from devsem.frontend.sass_match import Confirmation, confirm

ARCHS = ("sm_75", "sm_80", "sm_90", "sm_100")
FLAGS = ("", "-fmad=false", "-ftz=true")
HELPERS = "__device__ float addf(float x, float y) { return x + y; }\n__device__ float mulf(float x, float y) { return x * y; }\n"
KERNEL = ('extern "C" __global__ void k{}(const float* __restrict__ p, float* __restrict__ o) {{ float a = p[0], b = p[1], c = p[2], d = p[3], e = p[4];'
          " float r; {} o[0] = r; }}\n")
# what the facts say of -ftz=true apart from .FTZ on every operation
FTZ: dict[str, dict[str, str] | None] = {
    "r=(float)((double)a+(double)b);": None, "r=(float)((double)a*(double)b);": None, "r=a+1.0;": None, "r=a*2.0;": None,      # 3.2: emulated conversions
    "r=a<=0.f?0.f:a;": {"sm_75": "FSEL t1, a, RZ, P0; ->t1", "": "FMNMX.NAN t1, RZ, a, !PT; ->t1"},     # 3.3: the flush of setp.ftz is lost
    # 2.4: the text of an asm stays without .ftz, and mixed operations are not fused
    **{row.source: {"": "FMUL t1, a, b; FADD.FTZ t2, t1, c; ->t2"} for row in ROWS if "asm" in row.source},
}


@dataclass(frozen=True)
class Result:
    """One row for one architecture and set of flags."""

    row: str
    listed: bool | None
    code: Confirmation


def listing(row: Row, arch: str, flags: str) -> str | None:
    """The SASS that the facts list, or None."""
    if flags == "-fmad=false":
        return row.plain
    own = row.arch.get(arch, row.sass)
    if flags != "-ftz=true":
        return own
    if row.source in FTZ:
        other = FTZ[row.source]
        return None if other is None else other.get(arch, other[""])
    return re.sub(r"\b(FADD|FMUL|FFMA|FMNMX|FRND)\b", r"\1.FTZ", own)


def listed_graph(text: str) -> tuple[Graph, list[Source]]:
    """A listing as a graph and its stored values, read here and nowhere else."""
    g = Graph()
    known = {name: g.leaf("load", f"global {plus(unknown('param 0x0'), number(4 * k))}") for k, name in enumerate("abcde")}
    known["RZ"] = g.number(0)
    stored = []

    def operand(word: str) -> Source:
        if word in known:
            return known[word]
        if word.startswith("|"):
            return g.magnitude(operand(word.strip("|")))
        if word.startswith("-") and not word[1].isdigit():
            return signed(operand(word[1:]), True)
        return g.number(int(np.float32(float(word)).view(np.uint32)))

    for line in (part.strip() for part in text.split(";")):
        if line.startswith("->"):
            stored.append(operand(line[2:]))
            continue
        name, rest = line.split(" ", 1)
        base, *modifiers = name.split(".")
        target, *words = (w.strip() for w in rest.split(","))
        x = [operand(w) for w in words if not re.fullmatch(r"!?PT|P\d", w)]
        ftz, mode = "FTZ" in modifiers, "rz" if "RZ" in modifiers else "rn"
        if base == "FMNMX":
            known[target] = g.bound("max" if "!PT" in words else "min", "NAN" in modifiers, x, ftz)
        elif base == "FSEL":
            known[target] = x[0] | x[1]
        elif base == "FRND":
            known[target] = g.node(("integral", "rm", *(("ftz",) if ftz else ())), g.input(x[0], ftz))
        else:
            known[target] = {"FADD": g.add, "FMUL": g.mul, "FFMA": g.fma}[base](*x, mode, ftz)
    return g, stored


def as_listed(predicted: Function, text: str) -> bool:
    """Does the prediction store the listed values?"""
    left = ptx_graph.read(predicted)
    right, stored = listed_graph(text)
    found = classes(left, right)
    mine = sorted(shape(left.expanded(frozenset(ways)), found.left) for ways in left.stores.values())
    return not left.unknown and mine == sorted(shape(s, found.right) for s in stored)


def score(arch: str, flags: str) -> Iterator[Result]:
    """Every row."""
    text = HELPERS + "".join(KERNEL.format(n, row.source) for n, row in enumerate(ROWS))
    for n, (predicted, code) in sorted(compiled(text, arch, flags).items()):
        expected = listing(ROWS[n], arch, flags)
        yield Result(ROWS[n].source, None if expected is None else as_listed(predicted, expected), code)


def compiled(text: str, arch: str, flags: str) -> dict[int, tuple[Function, Confirmation]]:
    """The predicted function of each kernel k0, k1, …, and whether it is confirmed."""
    made = compile_device(text, file="rows.cu", arch=arch, options=nvrtc_options(flags))
    code = {f.name: f for f in disassemble(made.cubin)}
    out = {}
    for f in parse(made.ptx, "rows.ptx").functions:
        predicted = machine(f, arch=arch, fmad="-fmad=false" not in flags).function
        out[int(f.name[1:])] = (predicted, confirm(predicted, code[f.name], arch=arch))
    return out


SHAPES = (("{0}*{1}", 30), ("{0}+{1}", 15), ("{0}-{1}", 15), ("{0}*{1}+{2}*{3}", 5), ("{0}*{1}-{2}*{3}", 5), ("{0}*{1}-{2}", 8), ("-{0}", 4), ("fabsf({0})", 3),
          ("fmaxf({0},{1})", 4), ("{0}>{1}?{2}:{3}", 4), ("__fmul_rn({0},{1})", 3), ("__fadd_rn({0},{1})", 2), ("__fdividef({0},{1})", 2), ("{0}/{1}", 2))


def random_body(source: random.Random) -> str:
    """Statements on a … e and earlier results, of which the last few are stored."""
    names, lines = list("abcde"), []
    for k in range(source.randint(2, 9)):
        form = source.choices([s for s, _ in SHAPES], [w for _, w in SHAPES])[0]
        words = [source.choice(names) if source.random() < 0.9 else source.choice(("2.0f", "0.5f", "3.0f", "1.0f", "(-1.0f)")) for _ in range(4)]
        lines.append(f"float t{k} = {form.format(*words)};")
        names += [f"t{k}"] * 2
    lines += [f"o[{k + 1}] = {name};" for k, name in enumerate(source.sample(sorted(set(names) - set("abcde")), 2))]
    return " ".join([*lines, f"r = {names[-1]};"])


def random_score(arch: str, flags: str, count: int, seed: int) -> list[tuple[str, Confirmation]]:
    """Random kernels and whether the prediction for them is confirmed."""
    source = random.Random(seed)
    bodies = [random_body(source) for _ in range(count)]
    found = compiled(HELPERS + "".join(KERNEL.format(n, body) for n, body in enumerate(bodies)), arch, flags)
    return [(bodies[n], code) for n, (_, code) in sorted(found.items())]


def main() -> int:
    """Prints the scores."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default=",".join(ARCHS))
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong = 0
    for arch in options.arch.split(","):
        for flags in FLAGS:
            results = list(score(arch, flags))
            listed = [r for r in results if r.listed is not None]
            for r in results:
                if r.listed is False or not r.code.confirmed:
                    wrong += 1
                    print(f"  {r.row}: {'not as listed; ' if r.listed is False else ''}{r.code.reason or 'confirmed'}")
            print(f"{arch} {flags or 'default'}: {sum(bool(r.listed) for r in listed)} of {len(listed)} rows as listed,"
                  f" {sum(r.code.confirmed for r in results)} of {len(results)} confirmed in the machine code", flush=True)
            if options.random:
                drawn = random_score(arch, flags, options.random, options.seed)
                for body, code in drawn:
                    if not code.confirmed:
                        print(f"  {body}: {code.reason}")
                print(f"  random: {sum(code.confirmed for _, code in drawn)} of {len(drawn)} confirmed", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
