"""Sweep a function whole; sweep it again, kill that at half with SIGKILL, and let it go on: the times, and whether both end with one digest.

    python bench/sweep.py [expf] [--jobs 2] [--inputs FIRST:COUNT]

Runs `devsem sweep FUNCTION --gpu host` as anybody would. Fails if the digests differ, or if a run takes longer than ten minutes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 600.0


def command(given: argparse.Namespace, out: Path) -> list[str]:
    """The sweep into a folder."""
    return [sys.executable, "-P", "-m", "devsem", "sweep", given.function, "--gpu", "host", "--jobs", str(given.jobs), "--out", str(out), "--json",
            str(out / "told.json"), *(["--inputs", given.inputs] if given.inputs else [])]


def whole(given: argparse.Namespace, out: Path) -> float:
    """Run to the end; the seconds that it took."""
    began = time.monotonic()
    done = subprocess.run(command(given, out), check=False)
    if done.returncode:
        sys.exit(f"the sweep failed with {done.returncode}")
    return time.monotonic() - began


def killed(given: argparse.Namespace, out: Path) -> tuple[float, int, int]:
    """Run until half of the chunks are kept, and kill it: seconds, chunks kept, chunks in all."""
    began = time.monotonic()
    child = subprocess.Popen(command(given, out))
    kept, count = 0, 0
    while not count or 2 * kept < count:
        if child.poll() is not None:
            sys.exit("the sweep ended before it was at half: give it more --inputs")
        time.sleep(0.02)
        kept, count = progress(out)
    child.kill()
    child.wait()
    seconds = time.monotonic() - began
    if not list(out.glob(".*.sweep")):
        sys.exit("the sweep ended before it was killed: give it more --inputs")
    return seconds, *progress(out)


def progress(out: Path) -> tuple[int, int]:
    """The chunks that a state keeps, and how many there will be; zeros before there is a state."""
    state = next(out.glob(".*.sweep"), None)
    head, *lines = state.read_bytes().split(b"\n") if state else [b""]
    return (len(lines) - 1, json.loads(head.partition(b" ")[2])["count"]) if lines else (0, 0)


def digest(out: Path) -> str:
    """What the sweep recorded."""
    return str(json.loads((out / "told.json").read_text(encoding="utf-8"))["digests"])


def main() -> int:
    """Both runs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function", nargs="?", default="expf")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--inputs", metavar="FIRST:COUNT", help="as for devsem sweep, for a quick try")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        one, two = Path(folder) / "whole", Path(folder) / "killed"
        for out in (one, two):
            out.mkdir()
        first = whole(given, one)
        before, kept, count = killed(given, two)
        after = whole(given, two)
        a, b = digest(one), digest(two)
    print(f"whole: {first:.0f} s, {a}")
    print(f"killed after {before:.0f} s with {kept} of {count} chunks kept, went on for {after:.0f} s: {b}")
    slow = max(first, before + after) > LIMIT
    print("the digests differ" if a != b else f"one digest{', but more than ten minutes' if slow else ''}")
    return 1 if a != b or slow else 0


if __name__ == "__main__":
    sys.exit(main())
