"""A PTX function's control-flow graph: basic blocks, dominators, loops; what has no structured form is refused by name.

Blocks are in the text's order; those that no path reaches are left out. The last one is empty: every `ret` and `exit` is an edge to it.
An edge is taken when its predicate has the value that `negated` says: both edges of a branch have one, and the other edges have none.

>>> from devsem.frontend.ptx import parse
>>> text = '''.version 9.0
... .target sm_90
... .address_size 64
... .entry k(.param .u32 n) { .reg .pred %p<2>; .reg .b32 %r<2>;
... ld.param.u32 %r1, [n];
... $L__1: add.s32 %r1, %r1, -1;
... setp.gt.s32 %p1, %r1, 0;
... @%p1 bra $L__1;
... ret; }'''
>>> graph = blocks(parse(text, "k.ptx").functions[0])
>>> [[(edge.target, str(edge.predicate), edge.negated) for edge in block.successors] for block in graph.blocks]
[[(1, 'None', False)], [(1, '%p1', False), (2, '%p1', True)], [(3, 'None', False)], []]
>>> graph.idom, graph.ipdom, graph.order, graph.exit
((0, 0, 1, 2), (1, 2, 3, 3), (0, 1, 2, 3), 3)
>>> graph.loops
(Loop(header=1, back_edges=(1,), body=frozenset({1}), exits=((1, 2),)),)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from heapq import heapify, heappop, heappush
from operator import and_

from devsem.errors import Rejected, Where
from devsem.frontend.ptx_ast import Function, Instruction, Label, Register, Symbol
from devsem.rejections import rejection

MAX_BLOCKS = 2000
LEAVES = ("ret", "exit")
BARRIERS = ("bar", "barrier")


@dataclass(frozen=True)
class Edge:
    """A way to the block `target`, taken when `predicate` is true (false if `negated`); always, without a predicate."""

    target: int
    predicate: Register | None = None
    negated: bool = False


@dataclass(frozen=True)
class Block:
    """Instructions without a jump between them, the last perhaps being one (`bra`, `ret`, `exit`); predecessors in rising order, each once."""

    index: int
    labels: tuple[str, ...]
    instructions: tuple[Instruction, ...]
    successors: tuple[Edge, ...]
    predecessors: tuple[int, ...]
    where: Where

    def __str__(self) -> str:
        return self.labels[0] if self.labels else str(self.instructions[0])


@dataclass(frozen=True)
class Loop:
    """A natural loop: its one entry, the blocks that jump back to it, all its blocks, and the edges (from, to) that leave it."""

    header: int
    back_edges: tuple[int, ...]
    body: frozenset[int]
    exits: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Cfg:
    """The graph. Block 0 is the entry and `exit` the last block. `idom` and `ipdom`: each block's nearest other block that dominates
    (post-dominates) it, and itself for the entry (the exit). `order` is topological without the loops' back edges, and the text's order
    wherever that allows. `barriers`: every `bar` and `barrier` instruction with its block."""

    function: Function
    blocks: tuple[Block, ...]
    idom: tuple[int, ...]
    ipdom: tuple[int, ...]
    order: tuple[int, ...]
    loops: tuple[Loop, ...]
    barriers: tuple[tuple[int, Instruction], ...]

    @property
    def exit(self) -> int:
        """The index of the last block, which is empty."""
        return len(self.blocks) - 1

    def dominates(self, a: int, b: int) -> bool:
        """Does every path from the entry to `b` go through `a`?"""
        return _above(self.idom, a, b)

    def post_dominates(self, a: int, b: int) -> bool:
        """Does every path from `b` to the exit go through `a`?"""
        return _above(self.ipdom, a, b)


def blocks(function: Function) -> Cfg:
    """The function's graph; raises Rejected for an indirect branch, a loop with two entries or without a way out, a body that runs off its
    end, an unknown label, `exit` in a `.func` (it ends the thread, not the function), and more than MAX_BLOCKS blocks."""
    for instruction in function.instructions():
        if instruction.opcode == "brx":
            raise Rejected(rejection("ptx.indirect", instruction.where, name=instruction.mnemonic))
        if instruction.opcode == "exit" and not function.entry:
            raise Rejected(rejection("ptx.exit", instruction.where, name=function.name))
    found = _linked(function, _cut(function))
    ahead = [[e.target for e in b.successors] for b in found]
    back = [list(b.predecessors) for b in found]
    _ends(found, back)
    idom = _dominators(ahead, back, 0)
    retreating = _retreating(ahead)
    for a, b in retreating:
        if not _above(idom, b, a):
            raise Rejected(rejection("ptx.irreducible", found[b].where, name=str(found[b])))
    barriers = tuple((b.index, i) for b in found for i in b.instructions if i.opcode in BARRIERS)
    return Cfg(function, tuple(found), idom, _dominators(back, ahead, len(found) - 1), _order(ahead, set(retreating)),
               _loops(ahead, back, retreating), barriers)


def _cut(function: Function) -> list[tuple[list[str], list[Instruction]]]:
    """The body's runs of instructions, each with the labels before it."""
    found: list[tuple[list[str], list[Instruction]]] = [([], [])]
    for item in function.body:
        labels, instructions = found[-1]
        if isinstance(item, Label):
            if instructions:
                found.append(([item.name], []))
            else:
                labels.append(item.name)
            continue
        instructions.append(item)
        if item.opcode == "bra" or item.opcode in LEAVES:
            found.append(([], []))
    if found[-1] == ([], []):
        found.pop()
    if not found:
        raise Rejected(rejection("ptx.empty", function.where, name=function.name))
    if len(found) > MAX_BLOCKS:
        raise Rejected(rejection("ptx.size", function.where, what=f"`{function.name}` has {len(found)} basic blocks, more than {MAX_BLOCKS}"))
    return found


def _linked(function: Function, runs: list[tuple[list[str], list[Instruction]]]) -> list[Block]:
    """The blocks that the entry reaches, and the exit, with their edges both ways."""
    at = {label: i for i, (labels, _) in enumerate(runs) for label in labels}
    edges = [_edges(run, i, at, len(runs)) for i, (_, run) in enumerate(runs)]
    reached, todo = {0}, [0]
    while todo:
        i = todo.pop()
        if i < len(runs) and edges[i] is None:
            where = runs[i][1][-1].where if runs[i][1] else function.where
            raise Rejected(rejection("ptx.end", where, name=function.name))
        new = {e.target for e in edges[i] or () if e.target not in reached} if i < len(runs) else set()
        reached |= new
        todo.extend(new)
    kept = [i for i in range(len(runs)) if i in reached]
    number = {old: new for new, old in enumerate([*kept, len(runs)])}
    found = [Block(number[i], tuple(runs[i][0]), tuple(runs[i][1]), tuple(replace(e, target=number[e.target]) for e in edges[i] or ()), (),
                   runs[i][1][0].where) for i in kept]
    found.append(Block(len(kept), (), (), (), (), function.where))
    before: list[list[int]] = [[] for _ in found]
    for block in found:
        for target in {e.target for e in block.successors}:
            before[target].append(block.index)
    return [replace(block, predecessors=tuple(before[block.index])) for block in found]


def _edges(run: list[Instruction], index: int, at: dict[str, int], exit_block: int) -> tuple[Edge, ...] | None:
    """Where control goes from the run `index`; None where it runs off the function's end."""
    last = run[-1] if run else None
    after = None if index + 1 == exit_block else Edge(index + 1)
    if last is None or (last.opcode != "bra" and last.opcode not in LEAVES):
        return None if after is None else (after,)
    target = exit_block if last.opcode in LEAVES else _target(last, at)
    if last.predicate is None:
        return (Edge(target),)
    return None if after is None else (Edge(target, last.predicate, last.negated), Edge(index + 1, last.predicate, not last.negated))


def _target(branch: Instruction, at: dict[str, int]) -> int:
    label = branch.operands[0] if len(branch.operands) == 1 else None
    if not isinstance(label, Symbol) or label.name not in at:
        raise Rejected(rejection("ptx.undeclared", branch.where, kind="label", name=", ".join(map(str, branch.operands))))
    return at[label.name]


def _ends(found: list[Block], back: list[list[int]]) -> None:
    """Refuses a block from which no path leads to the exit."""
    reached, todo = {len(found) - 1}, [len(found) - 1]
    while todo:
        new = set(back[todo.pop()]) - reached
        reached |= new
        todo.extend(new)
    for block in found:
        if block.index not in reached:
            raise Rejected(rejection("ptx.endless", block.where, name=str(block)))


def _postorder(ahead: Sequence[Sequence[int]], start: int) -> list[int]:
    """The blocks in the order in which a depth-first walk leaves them."""
    found, seen, stack = [], {start}, [(start, iter(ahead[start]))]
    while stack:
        node, rest = stack[-1]
        child = next((c for c in rest if c not in seen), None)
        if child is None:
            found.append(node)
            stack.pop()
        else:
            seen.add(child)
            stack.append((child, iter(ahead[child])))
    return found


def _dominators(ahead: Sequence[Sequence[int]], back: Sequence[Sequence[int]], start: int) -> tuple[int, ...]:
    """Every block's immediate dominator from `start`: sets of dominators as bits, shrinking to a fixed point.

    A bit is a block's place in reverse postorder, so the nearest of a block's other dominators is the highest bit."""
    nodes = _postorder(ahead, start)[::-1]
    place = {node: i for i, node in enumerate(nodes)}
    above = [1] + [(1 << len(nodes)) - 1] * (len(nodes) - 1)
    before = [[place[p] for p in back[node]] for node in nodes]
    changed = True
    while changed:
        changed = False
        for i in range(1, len(nodes)):
            new = reduce(and_, [above[p] for p in before[i]]) | 1 << i
            changed |= new != above[i]
            above[i] = new
    return tuple(nodes[max((above[place[i]] ^ 1 << place[i]).bit_length() - 1, 0)] for i in range(len(ahead)))


def _above(tree: tuple[int, ...], a: int, b: int) -> bool:
    """Is `a` the block `b`, or above it in the tree of dominators?"""
    while b != a and tree[b] != b:
        b = tree[b]
    return a == b


def _retreating(ahead: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """The edges that lead back in a depth-first walk: in a reducible graph, the back edges of its loops."""
    rank = {node: i for i, node in enumerate(_postorder(ahead, 0))}
    return sorted({(a, b) for a, targets in enumerate(ahead) for b in targets if rank[b] >= rank[a]})


def _order(ahead: Sequence[Sequence[int]], without: set[tuple[int, int]]) -> tuple[int, ...]:
    """A topological order of the graph without some edges, the least index first."""
    forward = [[b for b in set(targets) if (a, b) not in without] for a, targets in enumerate(ahead)]
    waiting = [0] * len(ahead)
    for targets in forward:
        for b in targets:
            waiting[b] += 1
    ready = [i for i, n in enumerate(waiting) if n == 0]
    heapify(ready)
    found = []
    while ready:
        node = heappop(ready)
        found.append(node)
        for b in forward[node]:
            waiting[b] -= 1
            if waiting[b] == 0:
                heappush(ready, b)
    return tuple(found)


def _loops(ahead: Sequence[Sequence[int]], back: Sequence[Sequence[int]], back_edges: list[tuple[int, int]]) -> tuple[Loop, ...]:
    """The natural loops, those with one header being one, by their headers."""
    found = []
    for header in sorted({b for _, b in back_edges}):
        sources = tuple(a for a, b in back_edges if b == header)
        body, todo = {header}, [a for a in sources if a != header]
        while todo:
            node = todo.pop()
            if node not in body:
                body.add(node)
                todo.extend(back[node])
        exits = tuple((a, b) for a in sorted(body) for b in ahead[a] if b not in body)
        found.append(Loop(header, sources, frozenset(body), exits))
    return tuple(found)
