"""Every switch of `devsem/planted.py`: is that wrong behaviour seen by its probe, and what does the probe say?

    python bench/planted.py [--device h100]

Prints one line a switch, and ends with exit code 1 if one is missed.
"""

from __future__ import annotations

import argparse
import sys

from devsem.calibration import compile_probes
from devsem.planted import found
from devsem.probes import load_probes
from devsem.profile import load_profile


def main() -> int:
    """The table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="h100", help="for whose architecture the probes are compiled")
    arch = load_profile(parser.parse_args().device).arch
    probes = load_probes()
    missed = total = 0
    for switch, before, after in found(probes, arch, compile_probes(probes, arch)):
        seen = after.outcome is not before.outcome
        total, missed = total + 1, missed + (not seen)
        words = after.outcome.words if after.outcome else "no documented outcome"
        print(f"{'seen  ' if seen else 'MISSED'} {switch.field:9} {switch.name:52} {after.name:40} {words}")
    print(f"{total} switches, {total - missed} seen")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
