"""PTX texts that NVRTC, nvcc and clang wrote (tests/ptx/README.md), whole and mutated."""

from __future__ import annotations

import re

import pytest
from ptxfuzz import FILE, corpus, graphs, outcome, round_trips, tally

from devsem.frontend.ptx import parse
from devsem.frontend.ptx_cfg import blocks
from devsem.frontend.ptx_check import well_formed

TEXTS = {f"{folder}/{name}": text for folder in ("nvidia", "clang") for name, text in corpus(folder).items()}
SEED = 20261129


def test_the_corpus_is_there() -> None:
    assert len(corpus("nvidia")) >= 25 and len(corpus("clang")) >= 15
    assert {re.search(r"\.(nvcc|nvrtc-\d+\.\d+|clang)\.", name)[1] for name in TEXTS} == {"nvcc", "nvrtc-12.8", "nvrtc-13.0", "nvrtc-13.5", "clang"}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_a_compiler_is_accepted_and_prints_as_itself(name: str) -> None:
    assert outcome(TEXTS[name], (round_trips, well_formed, graphs)) == "accepted"


def bodies(text: str) -> list[str]:
    """Each function's body, without comments: it ends with a brace at a line's start before another function, a section or the end."""
    text = re.sub(r"//[^\n]*", "", text)
    begin, end = r"^(?:\.visible |\.weak )?\.(?:entry|func)[^{;]*?\n\{", r"^\}\s*(?=\Z|\.(?:visible|weak|entry|func|file|section|extern|global)\b)"
    return re.findall(f"{begin}(.*?){end}", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_is_lost(name: str) -> None:
    """As many instructions and labels as another way of counting finds: semicolons without those of declarations, colons at a line's end."""
    module = well_formed(parse(TEXTS[name], FILE))
    found = bodies(TEXTS[name])
    assert len(module.functions) == len(found)
    for function, body in zip(module.functions, found, strict=True):
        declared = len(re.findall(r"(?<![\w.])\.(?:reg|local|shared|param|pragma)\b[^;]*;", body))
        assert len(list(function.instructions())) == body.count(";") - declared - len(re.findall(r";(?=\s*\}?\s*;)", body)), function.name
        assert len(function.body) - len(list(function.instructions())) == len(re.findall(r"^[\w$]+:", body, re.MULTILINE)), function.name
        mentioned = set(re.findall(r"%(?:p|rs|r|rd|f|fd|h|hh)[0-9]+\b", body))
        assert mentioned <= {name for kind, (_, count) in function.registers.items() for name in (f"{kind}{i}" for i in range(count))}, function.name


@pytest.mark.parametrize("name", [name for name in TEXTS if re.match(r"nvidia/loops\.|clang/control\.", name)])
def test_loops_are_found_where_the_source_has_them(name: str) -> None:
    """`newton` and `search` cannot be unrolled: one loop until convergence, and one loop within another."""
    loops = {f.name: blocks(f).loops for f in parse(TEXTS[name], FILE).functions}
    outer, inner = loops["search"]
    assert inner.body < outer.body and inner.header != outer.header
    if "newton" in loops:
        (only,) = loops["newton"]
        assert len(only.exits) == 1


@pytest.mark.parametrize("folder, number", [("nvidia", 160), ("clang", 40)])
def test_mutants_are_accepted_or_refused(folder: str, number: int) -> None:
    found = tally(folder, number, SEED)
    assert found.total() == number and found["ptx.syntax"] > number // 4 and len(found) > 2, found


@pytest.mark.slow
@pytest.mark.parametrize("folder, number", [("nvidia", 2000), ("clang", 500)])
def test_many_mutants_are_accepted_or_refused(folder: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    found = tally(folder, number, SEED + 1)
    with capsys.disabled():
        print(f"\n{number} mutants of {folder}'s texts: {', '.join(f'{n} {code}' for code, n in found.most_common())}")
    assert found.total() == number and 0 < found["accepted"] < number
