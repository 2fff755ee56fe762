"""Control-flow graphs of small bodies; what must come out was worked out by hand."""

from __future__ import annotations

import time

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
    began = time.perf_counter()
    assert len(graph(body).loops) == loops
    assert time.perf_counter() - began < 4


def test_a_large_irreducible_graph_does_not_hang() -> None:
    began = time.perf_counter()
    assert refused(many(1500, "L{i}: @%p1 bra L{scattered};")).startswith("ptx.irreducible@")
    assert time.perf_counter() - began < 4
