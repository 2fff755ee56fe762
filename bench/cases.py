"""Run a folder of cases (`ID/{kernel.cu,spec.py,expected.json}`) and print right, wrong and open for each profile.

    python bench/cases.py FOLDER [--prefix E] [--profiles ieee,nvcc-default,fast-math] [--reading both]

`expected.json` has the expected verdict under each profile's name: `ieee` is our profile of that name and, as `no-fmad`, h100 with
-fmad=false; `nvcc-default` is h100 without flags, `fast-math` h100 with -use_fast_math.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from collections import Counter
from math import prod
from pathlib import Path
from typing import Any, get_args

from devsem.errors import UsageError
from devsem.pipeline import verify
from devsem.report import comparison
from devsem.request import Reading, Request

PROFILES = {"ieee": ("ieee", "", "ieee"), "no-fmad": ("h100", "-fmad=false", "ieee"), "nvcc-default": ("h100", "", "nvcc-default"),
            "fast-math": ("h100", "-use_fast_math", "fast-math")}


def options_of(case: Path) -> dict[str, Any]:
    """The launch and binding of a case that is not elementwise (E). Its launch is that of its witness: where its sizes are not those of the
    spec's tensors, as rows = 1 is not, the binding is left to the default, and as many more threads are launched as there are elements."""
    data = json.loads((case / "expected.json").read_text())
    launch, params = data.get("launch") or {}, data.get("kernel_params")
    if case.name.startswith("E") or params is None or "grid" not in launch:
        return {}
    grid, block = launch["grid"], list(launch["block"])
    sizes = [p for p in params if isinstance(p, int)]
    shapes = [eval(text, {"__builtins__": {}}) for text in re.findall(r"torch\.(?:randn|ones)(\([\d, ]+\))", (case / "spec.py").read_text())]
    most = max((prod(s if isinstance(s, tuple) else (s,)) for s in shapes), default=0)
    if sizes and most and prod(sizes) != most:
        block[0], sizes = block[0] * most // prod(sizes), []
    found = {"launch": f"grid={','.join(map(str, grid))} block={','.join(map(str, block))}"}
    return found | ({"bind": ",".join(str(p) if isinstance(p, int) else "_" for p in params)} if sizes else {})


def run(case: Path, profile: str, reading: Reading, out: Path) -> tuple[str, str, str]:
    """A case's verdict, the expected one, and a few words."""
    device, flags, column = PROFILES[profile]
    expected = json.loads((case / "expected.json").read_text())[column]
    try:
        verdict = verify(Request(kernel=case / "kernel.cu", spec=case / "spec.py", devices=(device,), flags=flags, reading=reading, out=out, timeout=20.0,
                                 **options_of(case)),
                         lambda _: None)[0]
    except UsageError as error:
        return "USAGE", expected, str(error)
    words = verdict.reason or "; ".join(map(str, verdict.rejections))
    if verdict.witness:
        words = f"{dict(verdict.witness.inputs)} kernel {verdict.witness.kernel} spec {verdict.witness.spec} {words}"
    if verdict.readings is not None:
        words = f"[{verdict.readings.result}] {words}" if verdict.readings.result == "agree" else f"[{comparison(verdict.readings)}] {words}"
    elif verdict.reading == "written" and device != "ieee":
        words = f"[text only] {next((a for a in verdict.assumptions if 'only the text' in a), '')} {words}"
    return verdict.verdict, expected, words


def main() -> None:
    """Print a line a case, then the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--prefix", default="E")
    parser.add_argument("--profiles", default="ieee")
    parser.add_argument("--reading", default="both", choices=get_args(Reading))
    parser.add_argument("--width", type=int, default=300, help="characters of each line's words")
    options = parser.parse_args()
    wrong = False
    for profile in options.profiles.split(","):
        score: Counter[str] = Counter()
        for case in sorted(p for p in options.folder.glob(f"{options.prefix}*") if p.is_dir()):
            start = time.perf_counter()
            with tempfile.TemporaryDirectory() as out:
                got, expected, words = run(case, profile, options.reading, Path(out))
            kind = "right" if got == expected else "wrong" if {got, expected} == {"PROVED", "REFUTED"} else "open" if got == "OPEN" else "rejected"
            score[kind] += 1
            wrong |= kind == "wrong"
            seconds = time.perf_counter() - start
            print(f"{profile:13} {case.name:34} {got:9} expected {expected:9} {kind:8} {seconds:5.1f} s  {words[:options.width]}", flush=True)
        print(f"{profile}: " + ", ".join(f"{k} {score[k]}" for k in ("right", "wrong", "open", "rejected")), flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
