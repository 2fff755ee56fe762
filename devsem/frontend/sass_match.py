"""Does the machine code compute what was predicted? Compared are float operations and their dataflow, store by store, and comparisons.

A wrong "confirmed" is ruled out where operations are fused or not, flush or not, round otherwise, or choose another minimum: then the graphs differ.
Under which conditions the values are chosen, and integer arithmetic apart from addresses, is trusted to the assembler.
"""

from __future__ import annotations

from dataclasses import dataclass

from devsem.frontend import ptx_fold, ptx_graph, sass_graph
from devsem.frontend.machine_graph import Graph, Source, Way, classes, shape
from devsem.frontend.ptx_ast import Function
from devsem.frontend.sass import SassFunction


@dataclass(frozen=True)
class Confirmation:
    """Whether the machine code was seen to compute the prediction, and otherwise why not."""

    confirmed: bool
    reason: str = ""


def confirm(predicted: Function, sass: SassFunction, *, arch: str) -> Confirmation:
    """Compares the predicted function (`ptxas.Machine.function`) with its disassembly for an architecture ("sm_90")."""
    left = ptx_graph.read(ptx_fold.folded(predicted, ptx_graph.constants(predicted)))
    if left.unknown:
        return Confirmation(False, f"not understood in the prediction: {left.unknown[0]}")
    right = sass_graph.read(sass, int("".join(filter(str.isdigit, arch))))
    if right.unknown:
        return Confirmation(False, f"not understood in the machine code: {right.unknown[0]}")
    return compare(left, right)


def compare(left: Graph, right: Graph) -> Confirmation:
    """Compares the graph of the prediction with that of the machine code."""
    if set(left.stores) != set(right.stores):
        missing = sorted(set(left.stores) ^ set(right.stores))[0]
        return Confirmation(False, f"only {'the prediction' if missing in left.stores else 'the machine code'} stores to {missing}")
    found = classes(left, right)
    for place, ways in left.stores.items():
        predicted, real = left.expanded(frozenset(ways)), right.expanded(frozenset(right.stores[place]))
        if shape(predicted, found.left) != shape(real, found.right):
            return Confirmation(False, f"stored to {place}: predicted {show(left, predicted)}, machine code {show(right, real)}")
    predicted_tests, real_tests = ({c[n] for n in g.tests} for g, c in ((left, found.left), (right, found.right)))
    for g, c, others, whose in ((left, found.left, real_tests, "the prediction"), (right, found.right, predicted_tests, "the machine code")):
        for n in sorted(g.tests):
            if c[n] not in others:
                return Confirmation(False, f"only {whose} compares {show(g, frozenset({Way(n)}))}")
    return Confirmation(True)


def show(graph: Graph, source: Source, depth: int = 6) -> str:
    """A source as a text."""
    texts = []
    for w in graph.expanded(source):
        node = graph.nodes[w.node]
        name = ".".join("minus" if part is True else str(part) for part in node.label if part is not False)
        inner = f"({', '.join(show(graph, o, depth - 1) for o in node.operands)})" if node.operands and depth else ""
        text = f"{name}{inner}"
        text = f"|{text}|" if w.absolute else text
        texts.append(f"-{text}" if w.negative else text)
    return texts[0] if len(texts) == 1 else "{" + "; ".join(sorted(texts)) + "}"
