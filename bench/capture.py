"""How long a spec's capture takes beyond `import torch`: each way several times, in turn, in one run; the medians and their ratios.

    python bench/capture.py [--rounds 5]

The old way is the one-shot child without `prepare()`: the garbage collector runs while torch is imported. CPU seconds of the
children are steadier than wall time on a busy machine; a server's are not known before it ends.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from devsem.frontend import capture_process
from devsem.frontend.capture_process import answer, environment

SPEC = "import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x)\ndef get_inputs():\n    return [torch.randn(8)]\n"
OLD = "import sys; from devsem.frontend.capture import main; main(*sys.argv[1:])"


def child(*arguments: str) -> None:
    """Run Python."""
    subprocess.run([sys.executable, "-P", *arguments], env=environment(), check=True)


def seconds(action: Callable[[], object]) -> tuple[float, float]:
    """Wall time and the children's CPU time."""
    wall, before = time.perf_counter(), os.times()
    action()
    after = os.times()
    return time.perf_counter() - wall, after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "relu.py"
        path.write_text(SPEC, encoding="utf-8")
        cold: dict[str, Callable[[], object]] = {
            "import torch": lambda: child("-c", "import torch"),
            "one-shot, old": lambda: child("-c", OLD, str(path), "Model", f"{folder}/graph.json"),
            "one-shot": lambda: answer(str(path), "Model", 600),
        }
        found = {name: [] for name in cold} | {"server, first": [], "server, later": []}
        for _ in range(rounds):
            for name, action in cold.items():
                found[name].append(seconds(action))
            capture_process._WARM = capture_process.Warm()
            for name in ("server, first", "server, later"):
                found[name].append(seconds(lambda: (capture_process.warm(), answer(str(path), "Model", 600))))
            server = capture_process._WARM.server
            assert server is not None, "this system has no server"
            server.stop()
    unit, cpu_unit = (median(pair[k] for pair in found["import torch"]) for k in (0, 1))
    print(f"{'':14} {'wall s':>7} {'/ torch':>8} {'cpu s':>7} {'/ torch':>8}")
    for name, pairs in found.items():
        wall, cpu = (median(pair[k] for pair in pairs) for k in (0, 1))
        print(f"{name:14} {wall:7.2f} {wall / unit:8.2f} " + (f"{cpu:7.2f} {cpu / cpu_unit:8.2f}" if name in cold else ""))


if __name__ == "__main__":
    main()
