"""Texts that try to smuggle a proof (tests/attack/*.lean), each refused for the expected reason.

They are checked against a small FloatLib (tests/attack/library) that leaves some of the kernel's names free, as any library does.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from devsem import leanlib, leantext
from devsem.leancheck import Check, Lean, build_library, check_file
from devsem.leanrun import diagnostics, run

HERE = Path(__file__).parent / "attack"
LIBRARY = HERE / "library"

# Refused by reading the text: file -> a part of the reason.
BY_TEXT = {
    "axiom": "declares an axiom",
    "binary": "not UTF-8",
    "comment_trick": "comment that touches a symbol",
    "control_characters": "U+0000",
    "empty": "does not begin with `prelude`",
    "empty_string": "sets the option `genCtorIdx`",
    "fake_message": "command `#eval`",
    "implemented_by": "attribute `implemented_by`",
    "macro": "changes the language",
    "nat_add_redefined": "declares `Nat.add`",
    "nat_gcd_wrong": "declares `Nat.gcd`",
    "no_prelude": "does not begin with `prelude`",
    "no_request": "no `#print axioms NAME` line",
    "numeral_instance": "declares a type or an instance",
    "opaque": "(`opaque`)",
    "other_module": "imports `Init`",
    "partial": "(`partial`)",
    "shadowed_binder": "binds `Eq`",
    "shadowed_by_open": "declares `add`",
    "shadowed_equality": "declares `Eq`",
    "shadowed_namespace": "declares `Fp.add`",
    "skip_kernel": "sets the option `debug.skipKernelTC`",
    "sorry": "leaves a proof out",
    "stops_early": "command `#exit`",
    "unclosed_comment": "comment that is not closed",
    "unsafe": "(`unsafe`)",
}
# Refused by what Lean says.
BY_LEAN = {
    "built_on_failed": "not definitionally equal",
    "definition_not_theorem": "is not a theorem",
    "false_equation": "not definitionally equal",
    "library_theorem": "`rfl` is FloatLib's",
    "memory": "Lean used more than 500 MB",
    "missing_module": "FloatLib.Nowhere does not exist",
    "no_such_theorem": "Unknown constant `claim`",
    "slow": "Lean took longer than 1 s",
}
# The same attacks if the text were not read at all: Lean's own answers, or our second run of it, refuse them too.
BY_LEAN_ALONE = {
    "axiom": "trust_me",
    "empty_string": "environment already contains 'String'",
    "fake_message": "not definitionally equal",
    "macro": "Unknown constant `Lean.",
    "nat_add_redefined": "already been declared",
    "nat_gcd_wrong": "environment already contains 'Nat.gcd'",
    "opaque": "failed to synthesize",
    "other_module": "unknown module prefix 'Init'",
    "partial": "failed to compile 'partial'",
    "sorry": "Lean's error",
    "stops_early": "using 'exit'",
    "unclosed_comment": "unterminated comment",
    "unsafe": "unsafe declaration",
}
# Plain Lean accepts these without a word: they prove what they must not, or say other than they seem to.
PLAIN_LEAN_ACCEPTS = ("empty_string", "nat_gcd_wrong", "shadowed_binder", "shadowed_by_open", "shadowed_equality", "shadowed_namespace", "numeral_instance")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def lean() -> Lean:
    return Lean.choose()


def checked(name: str, lean: Lean, cache: Path) -> Check:
    limits = {"slow": 1.0}
    return check_file(HERE / f"{name}.lean", lean=lean, timeout=limits.get(name, 60.0), memory_mb=500, root=LIBRARY, cache=cache)


def test_every_attack_is_listed() -> None:
    assert {path.stem for path in HERE.glob("*.lean")} == BY_TEXT.keys() | BY_LEAN.keys() | {"honest"}


def test_honest_text_is_accepted(lean: Lean, cache: Path) -> None:
    check = checked("honest", lean, cache)
    assert (check.accepted, check.reason, check.exit_code) == (True, "", 0)
    assert check.axioms == {"Verdict.claim": ()}
    assert check.statements == {"Verdict.claim": "Verdict.claim : Eq (Nat.add 2 3) 5"}


@pytest.mark.parametrize(("name", "reason"), [*BY_TEXT.items(), *BY_LEAN.items()])
def test_attack_is_refused(name: str, reason: str, lean: Lean, cache: Path) -> None:
    check = checked(name, lean, cache)
    assert not check.accepted
    assert reason in check.reason


@pytest.mark.parametrize(("name", "reason"), BY_LEAN_ALONE.items())
def test_attack_is_refused_by_lean_alone(name: str, reason: str, lean: Lean, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leantext, "refusals", lambda text, library: [])
    path = HERE / f"{name}.lean"
    claim = "Verdict.claim" if "namespace Verdict" in path.read_text() else "claim"
    check = check_file(path, [claim], lean=lean, root=LIBRARY, cache=cache)
    assert not check.accepted
    assert reason in check.reason


@pytest.mark.parametrize("name", PLAIN_LEAN_ACCEPTS)
def test_attack_is_real(name: str, lean: Lean, cache: Path) -> None:
    library = build_library(lean, LIBRARY, cache=cache)
    ran = run(lean, ["--json", f"{name}.lean"], folder=HERE, search=[library], timeout=60, memory_mb=500)
    assert ran.exit_code == 0
    assert [d.message for d in diagnostics(ran) if "does not depend on any axioms" in d.message]


@pytest.mark.parametrize("name", sorted(leanlib.KERNEL_NAMES))
def test_no_kernel_name_is_free(name: str, lean: Lean, cache: Path) -> None:
    reserved = (build_library(lean, LIBRARY, cache=cache) / f"{leanlib.RESERVED}.lean").read_text()
    assert name in leanlib.names(LIBRARY) or f" {name} : " in reserved
