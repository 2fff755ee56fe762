"""Control-flow graphs of small bodies; what must come out was worked out by hand."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest

from devsem.errors import Rejected
from devsem.frontend.ptx import parse
from devsem.frontend.ptx_cfg import MAX_BLOCKS, Cfg, Loop, blocks

HEAD = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n.reg .pred %p<9>; .reg .b32 %r<9>;\n"


def graph(body: str) -> Cfg:
    """The graph of a kernel with this body; its first line is line 6."""
    return blocks(parse(HEAD + body + "\n}", "k.ptx").functions[0])


def edges(g: Cfg) -> list[list[str]]:
    """Each block's successors: `1`, `1 if %p1`, `1 if !%p1`."""
    return [[str(e.target) + (f" if {'!' * e.negated}{e.predicate}" if e.predicate else "") for e in b.successors] for b in g.blocks]


def refused(body: str) -> str:
    """What the graph of this body is refused with."""
    with pytest.raises(Rejected) as caught:
        graph(body)
    return "; ".join(f"{r.code}@{r.where.line}:{r.where.column}" for r in caught.value.rejections)


def test_a_straight_line() -> None:
    g = graph("mov.u32 %r1, 1; ret;")
    assert (edges(g), g.idom, g.ipdom, g.order, g.loops, g.exit) == ([["1"], []], (0, 0), (1, 1), (0, 1), (), 1)


def test_a_diamond() -> None:
    g = graph("@!%p1 bra B;\n mov.u32 %r1, 1;\n bra.uni C;\n B: mov.u32 %r1, 2;\n C: ret;")
    assert edges(g) == [["2 if !%p1", "1 if %p1"], ["3"], ["3"], ["4"], []]
    assert [b.predecessors for b in g.blocks] == [(), (0,), (0,), (1, 2), (3,)]
    assert (g.idom, g.ipdom, g.order) == ((0, 0, 0, 0, 3), (3, 3, 3, 4, 4), (0, 1, 2, 3, 4))
    assert g.dominates(0, 4) and g.dominates(3, 3) and not g.dominates(1, 3)
    assert g.post_dominates(3, 0) and not g.post_dominates(1, 0)


def test_a_predicated_return_goes_to_the_one_exit() -> None:
    g = graph("@%p2 ret;\n mov.u32 %r1, 1;\n exit;")
    assert edges(g) == [["2 if %p2", "1 if !%p2"], ["2"], []]
    assert g.ipdom == (2, 2, 2)


def test_both_ways_to_the_next_block() -> None:
    g = graph("@%p1 bra L; L: ret;")
    assert edges(g) == [["1 if %p1", "1 if !%p1"], ["2"], []]
    assert g.blocks[1].predecessors == (0,)


def test_nested_loops() -> None:
    g = graph("mov.u32 %r1, 0;\n A: add.s32 %r2, %r2, 1;\n B: @%p1 bra D;\n bar.sync 0;\n @%p2 bra B;\n D: @%p3 bra A;\n ret;")
    assert edges(g) == [["1"], ["2"], ["4 if %p1", "3 if !%p1"], ["2 if %p2", "4 if !%p2"], ["1 if %p3", "5 if !%p3"], ["6"], []]
    assert g.loops == (Loop(1, (4,), frozenset({1, 2, 3, 4}), ((4, 5),)), Loop(2, (3,), frozenset({2, 3}), ((2, 4), (3, 4))))
    assert (g.idom, g.ipdom) == ((0, 0, 1, 2, 2, 4, 5), (1, 2, 4, 4, 5, 6, 6))
    assert [(i, str(b)) for i, b in g.barriers] == [(3, "bar.sync 0")]


def test_a_loop_from_the_first_instruction() -> None:
    g = graph("L: @%p1 bra L; ret;")
    assert g.loops == (Loop(0, (0,), frozenset({0}), ((0, 1),)),)
    assert g.idom == (0, 0, 1)


def test_two_back_edges_are_one_loop() -> None:
    g = graph("L: @%p1 bra L;\n @%p2 bra L;\n ret;")
    assert g.loops == (Loop(0, (0, 1), frozenset({0, 1}), ((1, 2),)),)


def test_the_order_is_topological_where_the_text_is_not() -> None:
    g = graph("bra C;\n B: ret;\n C: mov.u32 %r1, 1;\n bra B;")
    assert g.order == (0, 2, 1, 3)


def test_unreached_blocks_are_left_out() -> None:
    g = graph("bra C;\n B: mov.u32 %r1, 1;\n bra B;\n C: ret;")
    assert [str(b) for b in g.blocks[:-1]] == ["bra C", "C"]
    assert edges(g) == [["1"], ["2"], []]


REFUSED = {
    "": "ptx.empty@4:8",
    "mov.u32 %r1, 1;": "ptx.end@6:1",
    "@%p1 ret;": "ptx.end@6:1",
    "bra L; L:": "ptx.end@4:8",
    "bra L;": "ptx.undeclared@6:1",
    "bra L, M; L: ret;": "ptx.undeclared@6:1",
    "L: bra L;": "ptx.endless@6:4",
    "@%p1 bra M;\nL: bra L;\nM: ret;": "ptx.endless@7:4",
    "@%p1 bra M;\nL: mov.u32 %r1, 1;\nM: @%p2 bra L;\nret;": "ptx.irreducible@8:4",
    "T: .branchtargets L, M;\nbrx.idx %r1, T;\nL: ret;\nM: ret;": "ptx.indirect@7:1",
    "L: ret;\n" + "\n".join(f"@%p1 bra M{i};\nM{i}: mov.u32 %r1, 1;" for i in range(MAX_BLOCKS)) + " ret;": "ptx.size@4:8",
}


def test_exit_in_a_device_function() -> None:
    """`exit` ends the thread; who takes it for a return would go on in the caller."""
    text = HEAD.replace(".entry", ".func") + "@%p1 exit;\nret; }"
    with pytest.raises(Rejected, match=r"k\.ptx:6:1: .* \[ptx\.exit\]"):
        blocks(parse(text, "k.ptx").functions[0])


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body[:30])
def test_what_has_no_structured_graph_is_refused(body: str) -> None:
    assert refused(body) == REFUSED[body]


def many(number: int, line: str) -> str:
    """`line` with {i} from 0, then a return."""
    return "\n".join(line.format(i=i, other=number - 1 - i, scattered=(7 * i + 3) % number) for i in range(number)) + "\nret;"


LARGE = {
    "onion": (many(1500, "L{i}: @%p1 bra L{other};"), 750),    # L0 and L1499 jump to each other around L1 and L1498, and so on inwards
    "nested": ("\n".join(f"L{i}: mov.u32 %r1, 1;" for i in range(900)) + many(900, "@%p1 bra L{other};"), 900),
    "acyclic": (many(950, "@%p1 bra L{i}; mov.u32 %r1, 1; L{i}:"), 0),
}


@pytest.mark.parametrize("name", LARGE)
def test_large_graphs_do_not_hang(name: str) -> None:
    body, loops = LARGE[name]
    began = time.process_time()
    assert len(graph(body).loops) == loops
    assert time.process_time() - began < 4


def test_a_large_irreducible_graph_does_not_hang() -> None:
    began = time.process_time()
    assert refused(many(1500, "L{i}: @%p1 bra L{scattered};")).startswith("ptx.irreducible@")
    assert time.process_time() - began < 4


def reaches(targets: list[set[int]], start: int, without: int) -> set[int]:
    """What a walk from `start` finds that never enters the block `without`."""
    seen, todo = {start} - {without}, [start] * (start != without)
    while todo:
        new = targets[todo.pop()] - seen - {without}
        seen |= new
        todo.extend(new)
    return seen


def drawn(seed: int) -> tuple[str, str]:
    """A random body, and what it is by definition: endless, irreducible, or accepted."""
    draw = Random(seed)
    number = draw.randrange(2, 12)
    ways = [(draw.random() < 0.7, min(draw.randrange(number + 2), number)) for _ in range(number)]
    body = "".join(f"L{i}: {'@%p1 ' * predicated}bra L{target};\n" for i, (predicated, target) in enumerate(ways)) + f"L{number}: ret;"
    ahead = [{target, i + 1} if predicated else {target} for i, (predicated, target) in enumerate(ways)] + [set()]
    reached = reaches(ahead, 0, -1)
    if any(number not in reaches(ahead, a, -1) for a in reached):
        return body, "ptx.endless"
    left = {a: ahead[a] - {a} for a in reached}     # a graph is reducible when taking away loops at one block, and joining to its only predecessor
    while True:                                      # a block that has one, leave a single block (Hecht and Ullman)
        only = {b: [a for a in left if b in left[a]] for b in left if b != 0}
        found = next((b for b in only if len(only[b]) == 1), None)
        if found is None:
            return body, "accepted" if len(left) == 1 else "ptx.irreducible"
        before = only[found][0]
        left[before] = (left[before] | left.pop(found)) - {before, found}


@pytest.mark.parametrize("seed", range(80))
def test_random_graphs_agree_with_the_definitions(seed: int) -> None:
    body, expected = drawn(seed)
    if expected != "accepted":
        assert refused(body).startswith(expected + "@")
        return
    g = graph(body)
    ahead = [{e.target for e in b.successors} for b in g.blocks]
    behind = [{p for p, targets in enumerate(ahead) if b in targets} for b in range(len(ahead))]
    every = range(len(ahead))
    assert [set(b.predecessors) for b in g.blocks] == behind
    assert reaches(ahead, 0, -1) == reaches(behind, g.exit, -1) == set(every)
    for a in every:
        assert {b for b in every if g.dominates(a, b)} == set(every) - reaches(ahead, 0, a)
        assert {b for b in every if g.post_dominates(a, b)} == set(every) - reaches(behind, g.exit, a)
    for b in every[1:]:
        assert g.idom[b] != b and all(g.dominates(a, g.idom[b]) for a in every if a != b and g.dominates(a, b))
    for b in every[:-1]:
        assert g.ipdom[b] != b and all(g.post_dominates(a, g.ipdom[b]) for a in every if a != b and g.post_dominates(a, b))
    back = {(a, b) for a in every for b in ahead[a] if g.dominates(b, a)}
    place = {b: i for i, b in enumerate(g.order)}
    assert sorted(place) == list(every) and all(place[a] < place[b] for a in every for b in ahead[a] if (a, b) not in back)
    assert {(a, loop.header) for loop in g.loops for a in loop.back_edges} == back
    for loop in g.loops:
        within = {a for s in loop.back_edges for a in every if s in reaches(ahead, a, loop.header)} | {loop.header}
        assert loop.body == within & {b for b in every if g.dominates(loop.header, b)}
        assert set(loop.exits) == {(a, b) for a in loop.body for b in ahead[a] if b not in loop.body}


def test_the_random_graphs_are_of_all_kinds() -> None:
    found = Counter(drawn(seed)[1] for seed in range(80))
    looping = sum(bool(graph(body).loops) for body, expected in map(drawn, range(80)) if expected == "accepted")
    assert min(*found.values(), looping, found["accepted"] - looping) >= 8, (found, looping)
