"""The child process of `coverage.py`: reads one kernel file, and prints what came of it as JSON."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from devsem.errors import Rejected, Rejection, UsageError

MEMORY = 4 << 30


def main() -> None:
    """The argument is the file."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    print(json.dumps(read(Path(sys.argv[1]))))


def read(path: Path) -> dict[str, Any]:
    """What a file launches, or its kernels where it has no wrapper, or why it is refused."""
    from devsem.frontend.cuda import parse_kernel
    from devsem.frontend.host import checked, kernels_of
    from devsem.frontend.host_load import is_solution, load_plan

    try:
        return answer("accepted", launches=len(load_plan(path).programs))
    except Rejected as rejected:
        if is_solution(path) or any(r.code not in ("host.none", "host.raw") for r in rejected.rejections):
            return answer("refused", refusals=rejected.rejections)
    except UsageError as error:
        return answer("refused", refusals=(Rejection("usage", where_of(path), str(error)),))
    refusals: list[Rejection] = []
    names: list[str] = []
    try:
        source = checked(str(path), path.read_bytes())
        names = kernels_of(source)
        for name in names:
            try:
                parse_kernel(str(path), path.read_bytes(), name)
            except Rejected as rejected:
                refusals += rejected.rejections
        if not names:
            parse_kernel(str(path), path.read_bytes())
    except Rejected as rejected:
        refusals += rejected.rejections
    except UsageError as error:
        refusals.append(Rejection("usage", where_of(path), str(error)))
    return answer("refused" if refusals else "accepted", kernels=len(names), refusals=refusals)


def where_of(path: Path) -> Any:
    """A file as a place."""
    from devsem.errors import Where

    return Where(str(path))


def answer(state: str, *, launches: int = 0, kernels: int = 0, refusals: Iterable[Rejection] = ()) -> dict[str, Any]:
    """The JSON for `coverage.read_apart`; of each kind of refusal the first."""
    first = {r.code: r for r in reversed(list(refusals))}
    return {"state": state, "launches": launches, "kernels": kernels,
            "refusals": [{"code": r.code, "where": str(r.where), "message": r.message} for r in reversed(first.values())]}


if __name__ == "__main__":
    main()
