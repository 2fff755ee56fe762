"""FloatLib, compiled once to `.olean` files in the user's cache directory.

A compiled tree is keyed by the hash of every source, of the Lean that compiles it, and of how this file compiles. It is built in a folder
of its own and renamed into place, so first runs side by side do not disturb each other: the first rename wins, the others use it.
The folder belongs to the user (mode 0700), and its manifest lists the SHA-256 of every file; each use hashes them all again and
refuses a tree with a file changed, added or gone. Who can write the user's files can also write a new manifest: no hash kept beside the
files shows that. `devsem lean build --force`, or `lake build` with a stock toolchain, compiles from the sources again.

Beside FloatLib, a tree holds one module, `Reserved`: it declares those names that Lean's kernel computes with by name and FloatLib does
not declare. Whoever imports it with a module that declares one of them is told so by Lean. Without it, a file may declare an empty type
`String`, which the kernel believes to contain `"a"`, and prove anything (tests/attack/empty_string.lean).
"""

from __future__ import annotations

import functools
import graphlib
import hashlib
import json
import os
import shutil
import tempfile
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

import platformdirs

from devsem import leantext
from devsem.errors import Bug, UsageError
from devsem.leanrun import Lean, diagnostics, file_digest, run, verified

OPTIONS = ("--json", "-DwarningAsError=true", "-Dweak.linter.missingDocs=true")
SECONDS, MEMORY_MB, WORKERS = 900, 8192, 2
MANIFEST = "manifest.json"
RESERVED = "Reserved"

# The kernel knows these by name: arithmetic on numerals, string and character literals, quotients, evaluation by compiled code.
KERNEL_NAMES = (
    *(f"Nat.{name}" for name in ("add", "sub", "mul", "div", "mod", "gcd", "beq", "ble", "land", "lor", "xor", "shiftLeft", "shiftRight", "pow", "log2")),
    *("Nat", "Nat.zero", "Nat.succ", "Bool", "Bool.true", "Bool.false", "List", "List.nil", "List.cons"),
    *("String", "String.mk", "String.ofList", "Char", "Char.mk", "Char.ofNat", "Quot", "Quot.mk", "Quot.lift", "Quot.ind", "Quot.sound"),
    *("Lean.reduceBool", "Lean.reduceNat", "Lean.ofReduceBool", "Lean.ofReduceNat", "Lean.trustCompiler", "eagerReduce"),
    *("sorryAx", "propext", "Classical.choice"),
)


def sources() -> Path:
    """The folder with FloatLib's sources: inside an installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "_lean", here.parent / "lean"):
        if (folder / "FloatLib").is_dir():
            return folder
    raise Bug("the sources of FloatLib are not beside the package")


def modules(root: Path) -> dict[str, Path]:
    """FloatLib's modules by name, and their files relative to the root."""
    files = sorted([*root.glob("FloatLib.lean"), *root.glob("FloatLib/**/*.lean")])
    return {".".join(path.relative_to(root).with_suffix("").parts): path.relative_to(root) for path in files}


@functools.cache
def names(root: Path) -> frozenset[str]:
    """The full names that FloatLib declares."""
    return frozenset().union(*(leantext.full_names(text(root / path)) for path in modules(root).values()))


def text(path: Path) -> str:
    """A library source."""
    return path.read_text(encoding="utf-8")


def source_hash(root: Path) -> str:
    """The hash of every source of FloatLib, names included."""
    digest = hashlib.sha256()
    for name, path in modules(root).items():
        digest.update(f"{name} {file_digest(root / path)}\n".encode())
    return digest.hexdigest()


def tree(lean: Lean, root: Path, cache: Path) -> Path:
    """Where FloatLib as compiled by this Lean lies, or will lie."""
    key = "\n".join((source_hash(root), verified(lean), lean.kind, file_digest(Path(__file__))))
    return cache / "floatlib" / hashlib.sha256(key.encode()).hexdigest()[:32]


def default_cache() -> Path:
    """The user's cache directory for devsem."""
    return Path(platformdirs.user_cache_path("devsem"))


def build_library(lean: Lean, root: Path | None = None, *, cache: Path | None = None, force: bool = False) -> Path:
    """The search path with FloatLib compiled by this Lean, from the cache if it is there whole. Lean's refusal of a source is a `Bug`."""
    root, cache = root or sources(), cache or default_cache()
    target = tree(lean, root, cache)
    if force and target.exists():
        shutil.rmtree(target)
    if not target.exists():
        compile_tree(lean, root, target)
    check_tree(target)
    return target


def check_tree(target: Path) -> None:
    """The tree is the user's alone, and holds exactly the files of its manifest."""
    again = "run `devsem lean build --force`"
    for folder in (target, target.parent):
        state = folder.stat()
        if state.st_uid != os.getuid() or state.st_mode & 0o022:
            raise UsageError(f"others can write the cache of FloatLib ({target.parent.name}): give it mode 0700, then {again}")
    if not (target / MANIFEST).is_file():
        raise UsageError(f"the cache of FloatLib has no manifest: {again}")
    expected = json.loads((target / MANIFEST).read_text())
    found = manifest(target)
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise UsageError(f"the cache of FloatLib was changed ({name}): {again}")


def manifest(target: Path) -> dict[str, str]:
    """The SHA-256 of every file of a tree but the manifest."""
    files = sorted(path for path in target.rglob("*") if path.is_file() and path != target / MANIFEST)
    return {path.relative_to(target).as_posix(): file_digest(path) for path in files}


def compile_tree(lean: Lean, root: Path, target: Path) -> None:
    """Compile FloatLib and `Reserved` in a folder of their own, and put it in place."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{target.name}.", dir=target.parent) as folder:
        work = Path(folder) / "tree"
        work.mkdir(mode=0o700)
        compile_modules(lean, root, work)
        compile_reserved(lean, work, list(modules(root)))
        (work / MANIFEST).write_text(json.dumps(manifest(work), indent=1))
        if tree(lean, root, target.parent.parent) != target:
            raise UsageError("the sources of FloatLib changed while they were compiled: run it again")
        try:
            work.rename(target)
        except OSError:
            if not target.is_dir():
                raise


def compile_modules(lean: Lean, root: Path, work: Path) -> None:
    """Every module after those it imports, two at a time."""
    files = modules(root)
    if not files:
        raise Bug("FloatLib has no modules")
    order = graphlib.TopologicalSorter({name: imports(root / path, files) for name, path in files.items()})
    try:
        order.prepare()
    except graphlib.CycleError as cycle:
        raise Bug(f"FloatLib's modules import each other: {' -> '.join(cycle.args[1])}") from None
    running: dict[Future[None], str] = {}
    with ThreadPoolExecutor(WORKERS) as pool:
        while order.is_active():
            running |= {pool.submit(compile_module, lean, root, files[name], work): name for name in order.get_ready()}
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                name = running.pop(future)
                try:
                    future.result()
                except BaseException:
                    pool.shutdown(cancel_futures=True)
                    raise
                order.done(name)


def imports(path: Path, files: dict[str, Path]) -> list[str]:
    """The modules that this library file imports, each one of the library's."""
    try:
        found = leantext.imports(text(path))
    except leantext.Unreadable as unreadable:
        raise Bug(f"{path.name}:{unreadable.refusal.line}: {unreadable}") from None
    for name in found:
        if name not in files:
            raise Bug(f"{path.name} imports {name}, which is no module of FloatLib")
    return found


def compile_module(lean: Lean, root: Path, path: Path, work: Path) -> None:
    """One source to its `.olean`."""
    output = work / path.with_suffix(".olean")
    output.parent.mkdir(parents=True, exist_ok=True)
    ran = run(lean, [*OPTIONS, "-o", str(output), str(path)], folder=root, search=[work], timeout=SECONDS, memory_mb=MEMORY_MB)
    bad = [m for m in diagnostics(ran) if m.severity != "information"]
    if ran.exit_code or ran.failure or bad or not output.is_file():
        place = f"{path}:{bad[0].line}:{bad[0].column}: {bad[0].message}" if bad else f"{path}: {ran.failure or ran.stderr.strip()}"
        raise Bug(f"FloatLib does not compile: {place}")


def compile_reserved(lean: Lean, work: Path, library: list[str]) -> None:
    """The module `Reserved`: Lean says which kernel names FloatLib has; the rest are declared here, each as something useless."""
    head = ["prelude", *(f"import {name}" for name in library)]
    declare = [f"/-- Reserved. -/ noncomputable def {name} : Type 1 := Type" for name in KERNEL_NAMES]
    (work / f"{RESERVED}.lean").write_text("\n".join(head + declare) + "\n")
    ran = run(lean, ["--json", f"{RESERVED}.lean"], folder=work, search=[work], timeout=SECONDS, memory_mb=MEMORY_MB)
    found = diagnostics(ran)
    theirs = {m.line - len(head) - 1 for m in found if m.message.endswith("has already been declared")}
    if ran.failure or any(m.line <= len(head) for m in found):
        raise Bug(f"the kernel's names cannot be told apart: {ran.failure or found[0].message}")
    (work / f"{RESERVED}.lean").write_text("\n".join(["prelude", *(line for i, line in enumerate(declare) if i not in theirs)]) + "\n")
    compile_module(lean, work, Path(f"{RESERVED}.lean"), work)
