"""The layers of docs/ARCHITECTURE.md, held by machine: who may import whom, and which packages are whose alone."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "devsem"
CEILING = 400

# A module imports from its own layer (without a cycle) or from one above it in this list. A name is a pattern of `fnmatch`; one a line, for merges.
LAYERS = (
    (
        "errors",
        "rejections",
        "integers",
        "rounding",
        "lanes",
        "conversions",
        "floats",
    ),
    (
        "ops",
        "expr",
        "exprrows",
        "simplify",
        "program",
        "instance",
        "evaluate",
        "plan",
        "ranges",
        "symbols",
        "polynomial",
        "digits",
        "folds",
        "pairing",
        "places",
    ),
    (
        "calibrated",
        "profile",
        "flags",
        "probes",
        "libm*",
        "contract",
        "rewrite",
        "lower",
        "consult",
        "aten*",
    ),
    (
        "frontend.*",
    ),
    (
        "assume",
        "unroll",
        "symbolic",
        "ptx_address",
        "ptx_bits",
        "ptx_own",
        "ptx_state",
        "ptx_symbolic",
        "compiled",
        "reference",
        "behaviour",
        "emulator*",
        "device*",
        "goal",
        "array_goal",
        "summary*",
    ),
    (
        "smt",
        "safety",
        "candidates",
        "possible",
        "enclose",
        "refute",
        "term",
        "infix",
        "opencase",
        "lemma",
        "lemmas*",
        "sampling",
        "scope",
        "order",
        "interval",
        "between",
        "narrow",
        "digest",
        "closed",
        "backward",
        "chain",
        "factors",
        "normalise",
        "facts",
        "prove",
        "separate",
        "threads*",
        "hunt*",
        "plan_run",
        "plan_safety",
        "trace*",
        "gate*",
        "size_facts",
        "elements",
        "spec_sizes",
        "spec_views",
        "spec_elements",
        "matching",
        "launch_text",
        "case",
        "vercors*",
    ),
    (
        "leanprint",
        "leangrid",
        "leanfolds",
        "leanfile",
        "leanprofile",
        "leanrefuted",
        "leancells",
        "leanrun",
        "leantext",
        "leanlib",
        "leancheck",
        "userlean",
        "rules",
        "door",
    ),
    (
        "request",
        "record",
        "verdict",
        "records",
        "report",
        "explain",
        "config",
    ),
    (
        "decide",
        "cells*",
        "arrays*",
        "discharge",
        "sweep*",
        "readings",
        "compare",
        "heads",
        "pipeline",
        "replay*",
        "mnemonics",
        "audit*",
        "lock",
        "stages",
        "calibration",
        "planted",
        "apart*",
        "coverage*",
        "second_look",
        "raw_safety",
        "all_sizes",
        "every_size",
        "solutions",
    ),
    (
        "batch",
        "cli*",
        "__main__",
    ),
)

# package -> the only modules that may import it
ALONE = {
    "torch": (
        "frontend.capture",
        "frontend.capture_nodes",
        "frontend.capture_sizes",
    ),
    "clang": (
        "frontend.cuda*",
        "frontend.host_clang",
    ),
    "cuda": (
        "frontend.nvrtc_child",
        "device_cuda",
    ),
    "bitwuzla": (
        "smt",
    ),
    "subprocess": (
        "coverage",
        "leanrun",
        "leanlib",
        "leancheck",
        "frontend.capture_process",
        "frontend.fork_server",
        "frontend.cuda_guard",
        "frontend.nvrtc",
        "frontend.sass",
        "smt",
    ),
    "typer": (
        "cli*",
    ),
    "jinja2": (
        "vercors",
    ),
    "rich": (
        "report",
        "audit_report",
        "cli*",
    ),
}


def modules() -> dict[str, Path]:
    """Every module of the package by its name below `devsem`; packages' own `__init__` files are apart."""
    return {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in sorted(PACKAGE.rglob("*.py")) if path.stem != "__init__"}


def layer(module: str) -> int:
    """The number of the module's layer."""
    found = [i for i, names in enumerate(LAYERS) if any(fnmatch(module, name) for name in names)]
    assert len(found) == 1, f"devsem/{module.replace('.', '/')}.py stands in {len(found)} layers of LAYERS; give it exactly one"
    return found[0]


@cache
def imports(path: Path) -> tuple[tuple[str, int], ...]:
    """Everything the file imports, at the top, inside functions and under TYPE_CHECKING, as (dotted name, line)."""
    return tuple(_imports(ast.parse(path.read_text(encoding="utf-8"))))


def _imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute here"
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def inner(path: Path) -> list[tuple[str, int]]:
    """The package's own modules that the file imports, as (module, line)."""
    known, found = modules(), []
    for name, line in imports(path):
        parts = name.split(".")
        if parts[0] != "devsem":
            continue
        fitting = [".".join(parts[1:end]) for end in range(len(parts), 1, -1) if ".".join(parts[1:end]) in known]
        if fitting:
            found.append((fitting[0], line))
    return found


def test_the_imports_are_seen() -> None:
    """The reader of imports finds what is there: nested, aliased, and from a package."""
    text = "import a.b\nfrom devsem import ops, expr as e\ndef f():\n    from devsem.frontend import spec\n    import torch.nn\n"
    assert sorted(_imports(ast.parse(text))) == [("a.b", 1), ("devsem.expr", 2), ("devsem.frontend.spec", 4), ("devsem.ops", 2), ("torch.nn", 5)]
    assert "ops" in {module for module, _ in inner(PACKAGE / "expr.py")}


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_to_its_left(module: str) -> None:
    path = modules()[module]
    wrong = [f"{path.relative_to(ROOT)}:{line} imports {other}" for other, line in inner(path) if layer(other) > layer(module)]
    assert not wrong, "; ".join(wrong)


def test_there_is_no_cycle() -> None:
    graph = {module: {other for other, _ in inner(path)} for module, path in modules().items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("package", ALONE)
def test_a_package_is_imported_where_it_belongs(package: str) -> None:
    wrong = [f"{path.relative_to(ROOT)}:{line} imports {name}" for module, path in modules().items() for name, line in imports(path)
             if name.split(".")[0] == package and not any(fnmatch(module, owner) for owner in ALONE[package])]
    assert not wrong, "; ".join(wrong)


def test_init_files_re_export_nothing() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        assert not imports(path), f"{path.relative_to(ROOT)} imports something"


def test_the_document_has_the_same_order() -> None:
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    listed = re.search(r"holds the list\):\n(.*?)\.\n", text, re.DOTALL)
    assert listed is not None, "docs/ARCHITECTURE.md no longer lists the layers"
    groups = [names.split() for names in re.findall(r"`([^`]*)`", listed[1])]
    assert len(groups) == len(LAYERS)
    for names, row in zip(groups, LAYERS, strict=True):
        for name in names:
            module = name.replace("/", ".")
            assert module in row or any(fnmatch(module, pattern) for pattern in row), f"docs/ARCHITECTURE.md puts {name} elsewhere than LAYERS"


@pytest.mark.parametrize("path", sorted([*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_file_is_longer_than_the_ceiling(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= CEILING, f"{path.relative_to(ROOT)} has {lines} lines: split it by concept"


HEAVY = {"torch", "clang", "bitwuzla", "z3", "numpy", "sympy"}


RUN = "from devsem.cli import run; run({})"


@pytest.mark.parametrize("code", ["import devsem", "import devsem.cli", RUN.format(["--help"]), RUN.format(["verify", "--help"])])
def test_help_loads_nothing_heavy(code: str) -> None:
    loaded = subprocess.run([sys.executable, "-c", f"{code}\nimport sys; print('\\n', *sys.modules)"], capture_output=True, text=True, check=True).stdout
    names = set(loaded.splitlines()[-1].split())
    assert "devsem" in names
    assert not names & HEAVY
