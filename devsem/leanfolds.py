"""Values with loops as Lean text: each side as nested `Grid.upTo`, and the proof that they are equal, from that of the pieces.

Sizes and coordinates are natural numbers here. That the kernel's index arithmetic is that of these polynomials is shown by the safety gate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from devsem.digits import Split
from devsem.expr import Expr, topo
from devsem.folds import Tiles
from devsem.leanprint import text
from devsem.pairing import PLUS_ZERO, Argument, Assembly, Carried, Cell, Element, Loops, Piece, Scalar
from devsem.polynomial import Poly, read
from devsem.simplify import resimplify

DIVISIONS = {"sdiv_b32": "Nat.div", "udiv_b32": "Nat.div", "sdiv_b64": "Nat.div", "udiv_b64": "Nat.div",
             "srem_b32": "Nat.mod", "urem_b32": "Nat.mod", "srem_b64": "Nat.mod", "urem_b64": "Nat.mod"}
KERNEL, SPEC = 0, 1
ONCE = "(once : (k : Nat) → Nat.Lt k writes → Eq (on k) true → Eq (at_ k) i → Eq k e)"
WRITES = "(writes : Nat) (on : Nat → Bool) (at_ : Nat → Nat) (v : Nat → F32) (e i : Nat)"
SHOWN = f"(he : Nat.Lt e writes) (written : Eq (on e) true) (here : Eq (at_ e) i)\n    {ONCE}"
FILLER = "(F32.ofBits 0x00000000)"


class Unsupported(Exception):
    """An index or a number of rounds that has no text as a natural number; the sentence says which."""


def after(buffer: int, at: str) -> str:
    """The element after the writes."""
    return f"(Grid.upTo (fun k u => cond (on k) (Mem.store u {buffer} (at_ k) (v k)) u) writes m {buffer} {at})"


def left_by_one(buffer: int, at: str) -> str:
    """A proof that the element is what write `e` says."""
    return f"(Grid.scatter_at (ix := at_) (v := v) {buffer} {at} m he written here once)"


@dataclass(frozen=True)
class Words:
    """How things are called in Lean: integer variables, tensors by number, scalars, the pieces' variables in the order of their functions'
    binders; `agrees` are the arguments for the obligations, `lowered` the kernel's pieces on this device."""

    integers: Mapping[Expr, str]
    tensors: Mapping[str, int]
    scalars: Mapping[str, str]
    order: Sequence[Expr]
    agrees: str
    lowered: Sequence[Expr]

    def nat(self, p: Poly) -> str:
        """A polynomial without subtraction, as a natural number."""
        if any(k < 0 for _, k in p.terms):
            raise Unsupported(f"the index or count {p} subtracts")
        terms = []
        for monomial, k in p.ordered:
            factors = [*([str(k)] if k != 1 or not monomial else []), *map(self._atom, monomial)]
            terms.append(list(accumulate(factors, lambda a, b: f"(Nat.mul {a} {b})"))[-1])
        return list(accumulate(terms, lambda a, b: f"(Nat.add {a} {b})"))[-1] if terms else "0"

    def _atom(self, a: Expr) -> str:
        if a in self.integers:
            return self.integers[a]
        if a.op in DIVISIONS:
            return f"({DIVISIONS[a.op]} {' '.join(self.nat(read(x)) for x in a.args)})"
        raise Unsupported(f"the index uses {a!r}")

    def round(self, counter: Expr) -> str:
        """A loop's counter."""
        return f"k{counter.name.split('.')[1]}"

    def state(self, counter: Expr) -> str:
        """A loop's state."""
        return f"s{counter.name.split('.')[1]}"

    def within(self, loops: Loops) -> Words:
        """The names inside a loop."""
        return replace(self, integers={**self.integers, loops.counter: self.round(loops.counter)})


def component(state: str, i: int, of: int) -> str:
    """One number of a state."""
    for _ in range(i):
        state = f"(Prod.snd {state})"
    return state if i == of - 1 else f"(Prod.fst {state})"


def tuple_of(parts: Sequence[str]) -> str:
    """A state of some numbers."""
    return parts[0] if len(parts) == 1 else f"(Prod.mk {parts[0]} {tuple_of(parts[1:])})"


def type_of(width: int) -> str:
    """A state's type."""
    return "F32" if width == 1 else f"(Prod F32 {type_of(width - 1)})"


def piece(p: Piece, side: int, words: Words, padding: str = "") -> str:
    """A piece's value on one side; `padding`: the condition under which padded cells are read, and +0 taken elsewhere."""
    head = f"kernelValue{p.number} device D" if side == KERNEL else f"specValue{p.number} S"
    return f"({head} {' '.join(_arguments(p, side, words, padding))})"


def _arguments(p: Piece, side: int, words: Words, padding: str = "") -> list[str]:
    known = dict(p.arguments)

    def one(v: Expr) -> str:
        text_ = argument(known[v], side, words) if v in known else FILLER
        return f"(cond {padding} {text_} {FILLER})" if padding and known.get(v) in p.padded else text_
    return [one(v) for v in words.order]


def argument(a: Argument, side: int, words: Words) -> str:
    """What a piece's variable stands for."""
    match a:
        case Cell(tensor, index):
            return f"(m {words.tensors[tensor]} {words.nat(index)})"
        case Scalar(name):
            return words.scalars[name]
        case Carried(counter, i, of):
            return component(words.state(counter), i, of)
        case _:
            return component(loop(a.loops, side, words), a.component, len(a.loops.body))


def rounds(loops: Loops, side: int, words: Words) -> str:
    """A loop's body as a function of its round and its state."""
    k, s, inside = words.round(loops.counter), words.state(loops.counter), words.within(loops)
    padding = _inside(loops, words) if side == KERNEL and loops.bound is not None else ""
    return f"(fun ({k} : Nat) ({s} : {type_of(len(loops.body))}) => {tuple_of([piece(b, side, inside, padding) for b in loops.body])})"


def _inside(loops: Loops, words: Words) -> str:
    """The condition that a round is one of the specification's."""
    return f"(Nat.blt {words.round(loops.counter)} {words.nat(loops.count[SPEC])})"


def loop(loops: Loops, side: int, words: Words) -> str:
    """What a loop leaves, as it is written."""
    body, init = rounds(loops, side, words), tuple_of([piece(i, side, words) for i in loops.init])
    tiles = loops.tiles[side]
    if tiles is None:
        return f"(Grid.upTo {body} {words.nat(loops.count[side])} {init})"
    width = words.nat(tiles.width)
    return f"(Grid.upTo (fun t => Grid.upTo (fun k => {body} (Nat.add (Nat.mul t {width}) k)) {width}) {words.nat(tiles.count)} {init})"


def equal(p: Piece, words: Words) -> str:
    """A proof that a piece's two sides are equal."""
    left, right = _arguments(p, KERNEL, words), _arguments(p, SPEC, words)
    proof = f"(value{p.number} D S{words.agrees} {' '.join(left)})"
    known = dict(p.arguments)
    for i, v in enumerate(words.order):
        a = known.get(v)
        if a is None or isinstance(a, Cell | Scalar | Carried):
            continue
        before = " ".join([*right[:i], "z", *left[i + 1:]])
        one = component("z", a.component, len(a.loops.body))
        moved = f"(congrArg (fun z => {one}) {equal_loops(a.loops, words)})" if one != "z" else equal_loops(a.loops, words)
        proof = f"(Eq.trans {proof} (congrArg (fun z => specValue{p.number} S {before}) {moved}))"
    return proof


def equal_loops(loops: Loops, words: Words) -> str:
    """A proof that a pair of loops leave the same."""
    ours, theirs = (rounds(loops, side, words) for side in (KERNEL, SPEC))
    init_left, init_right = (tuple_of([piece(i, side, words) for i in loops.init]) for side in (KERNEL, SPEC))
    inside = words.within(loops)
    k, s = words.round(loops.counter), words.state(loops.counter)
    left, right = loops.tiles
    if loops.bound is not None:
        padded = _padded(loops, words)
        return f"(Eq.trans {padded} (congrArg (Grid.upTo {theirs} {words.nat(loops.count[SPEC])}) {equal(loops.init[0], words)}))"
    n_left, n_right = _total(loops.count[KERNEL], left, words), _total(loops.count[SPEC], right, words)
    steps = []
    if left is not None:
        steps.append(f"(Eq.symm (Grid.upTo_mul {ours} {words.nat(left.width)} {init_left} {words.nat(left.count)}))")
    if n_left != n_right:
        steps.append(f"(congrArg (fun n => Grid.upTo {ours} n {init_left}) {_same_count(left, right, n_left, n_right, words)})")
    bodies = _both([equal(b, inside) for b in loops.body])
    steps.append(f"(Grid.upTo_congr (f := {ours}) (g := {theirs}) (n := {n_right}) (fun {k} {s} _ => {bodies}) {init_left})")
    steps.append(f"(congrArg (Grid.upTo {theirs} {n_right}) {_both([equal(i, words) for i in loops.init])})")
    if right is not None:
        steps.append(f"(Grid.upTo_mul {theirs} {words.nat(right.width)} {init_right} {words.nat(right.count)})")
    return list(accumulate(steps, lambda a, b: f"(Eq.trans {a} {b})"))[-1]


def _padded(loops: Loops, words: Words) -> str:
    """A proof that a sum over tiles that reach beyond its last term is the plain sum, from the kernel's first value."""
    tiles, (b,), (i,) = loops.tiles[KERNEL], loops.body, loops.init
    lowered, state = words.lowered[b.number], [v for v, a in b.arguments if isinstance(a, Carried) and a.counter is loops.counter]
    if tiles is None or lowered.op != "add_rn" or len(state) != 1 or state[0] not in lowered.args or words.lowered[i.number] is not PLUS_ZERO:
        raise Unsupported("a loop over tiles that reach beyond the last round is not a plain sum from +0")
    first = lowered.args[0] is state[0]
    term = lowered.args[1 if first else 0]
    zeros = {v: PLUS_ZERO for v, a in b.arguments if a in b.padded}
    if state[0] in topo(term) or resimplify(term, zeros) is not PLUS_ZERO:
        raise Unsupported("the terms of a loop over tiles are not seen to be +0 beyond the last round")
    k, s, inside, n = words.round(loops.counter), words.state(loops.counter), words.within(loops), words.nat(loops.count[SPEC])

    def of(condition: str) -> str:
        return text(term, dict(zip(words.order, _arguments(b, KERNEL, inside, condition), strict=True)))
    here, head = _inside(loops, words), f"D S {' '.join(_arguments(b, KERNEL, inside, _inside(loops, words)))}"
    added = f"(lowered{b.number} {head})" if first else f"(Eq.trans (lowered{b.number} {head}) (Fp.add_comm {of(here)} {s}))"
    idle = f"(Eq.trans (congrArg (fun c => {of('c')}) (Nat.blt_of_le hk)) rfl)"
    same = f"(Eq.trans (congrArg (fun c => {piece(b, KERNEL, inside, 'c')}) hk) {equal(b, inside)})"
    width, count = words.nat(tiles.width), words.nat(tiles.count)
    cover = f"(Grid.le_tiles (b := {width}) (c := {int(width) - 1}) rfl rfl {n})" if width.isdigit() else ""
    if count != f"(Nat.div (Nat.add {n} {int(width) - 1 if width.isdigit() else 0}) {width})":
        raise Unsupported(f"{count} tiles of {width} are not seen to cover {n} rounds")
    return (f"(Grid.upTo_padded_sum (f := {rounds(loops, KERNEL, words)}) (g := {rounds(loops, SPEC, words)}) (h := fun {k} => {of(here)}) (n := {n})"
            f" {cover} (fun {k} {s} => {added}) (fun {k} hk => {idle}) (fun {k} {s} hk => {same}) (fun e => F32.zero_ne_negZero e))")


def _both(proofs: Sequence[str]) -> str:
    return proofs[0] if len(proofs) == 1 else f"(congrArg2 Prod.mk {proofs[0]} {_both(proofs[1:])})"


def _total(count: Poly, tiles: Tiles | None, words: Words) -> str:
    return words.nat(count) if tiles is None else f"(Nat.mul {words.nat(tiles.count)} {words.nat(tiles.width)})"


def _same_count(left: Tiles | None, right: Tiles | None, n_left: str, n_right: str, words: Words) -> str:
    """A proof that both loops have equally many rounds: one of them is over the tiles that a size is a multiple of."""
    if left is not None and right is None:
        return _whole(left, n_right, words)
    if right is not None and left is None:
        return f"(Eq.symm {_whole(right, n_left, words)})"
    raise Unsupported(f"the loops have {n_left} and {n_right} rounds")


def _whole(tiles: Tiles, total: str, words: Words) -> str:
    """`(n / width) * width = n`, from `n` being a multiple of `width`."""
    width, count = words.nat(tiles.width), words.nat(tiles.count)
    if count == f"(Nat.div {total} {width})":
        return f"(Eq.trans (Nat.mul_comm {count} {width}) (Nat.div_of_mod_eq_zero {multiple(total, width)}))"
    raise Unsupported(f"{count} tiles of {width} rounds are not seen to be {total} rounds")


def multiple(total: str, width: str) -> str:
    """The name of the hypothesis that a number is a multiple of another, made of both."""
    plain = "".join(c if c.isalnum() else "_" for c in f"{total}_{width}")
    return f"multiple_{plain}"




def multiples(pieces: Sequence[Piece], words: Words) -> dict[str, str]:
    """The hypotheses that sizes are multiples of tiles: their names and statements."""
    out: dict[str, str] = {}
    for p in pieces:
        for _, a in p.arguments:
            if isinstance(a, Cell | Scalar | Carried):
                continue
            found = a.loops
            for tiles, other in zip(found.tiles, reversed(found.count), strict=True):
                if tiles is not None and found.tiles.count(None) == 1 and found.bound is None:
                    total, width = words.nat(other), words.nat(tiles.width)
                    out[multiple(total, width)] = f"Eq (Nat.mod {total} {width}) 0"
            out |= multiples(found.init, words) | multiples(found.body, words.within(found))
    return out


def theorems(whole: Assembly, order: Sequence[Expr], agreement: tuple[str, str], lowered: Sequence[Expr]) -> tuple[list[str], int]:
    """The theorems about every output, and how many; `order`: the pieces' variables as their functions bind them; `agreement`: the obligations
    as binders and as arguments; `lowered`: the kernel's pieces on this device."""
    integers = {**{s: f"n{i}" for i, s in enumerate(whole.sizes)}, **{c: f"c{i}" for i, c in enumerate(whole.coordinates)}}
    words = Words(integers, {t: i for i, t in enumerate(whole.tensors)}, {x: f"a{i}" for i, x in enumerate(whole.scalars)}, order, agreement[1], lowered)
    lines = [line for o, e in enumerate(whole.elements) for line in _element(o, e, whole, agreement[0], words)]
    return [*(line for i, s in enumerate(whole.splits) for line in _split(i, s, whole, words)), *lines], len(whole.elements)


def _split(i: int, s: Split, whole: Assembly, words: Words) -> list[str]:
    """That a quotient and a remainder by which the kernel finds its coordinates are these coordinates."""
    width, quotient, rest = map(words.nat, (s.width, s.quotient, s.remainder))
    used = {v for p in (s.width, s.quotient, s.remainder) for a in p.atoms for v in topo(a)}
    names = " ".join(words.integers[v] for v in (*whole.sizes, *whole.coordinates) if v in used)
    number, given = f"(Nat.add (Nat.mul {width} {quotient}) {rest})", f"({names} : Nat) (inside : Nat.Lt {rest} {width})"
    return [f"/-- The kernel divides: the quotient of `{s.width * s.quotient + s.remainder}` by `{s.width}` is `{s.quotient}`, where the rest is below it. -/",
            f"theorem quotient{i} {given} :", f"    Eq (Nat.div {number} {width}) {quotient} :=", "  Nat.div_unique inside rfl", "",
            "/-- And the remainder is the rest. -/", f"theorem remainder{i} {given} :", f"    Eq (Nat.mod {number} {width}) {rest} :=",
            "  Nat.mod_unique inside rfl", ""]


def _element(o: int, element: Element, whole: Assembly, agrees: str, words: Words) -> list[str]:
    """That the element is the same on both sides, and so after a launch of any shape in which one write alone is to each element."""
    sizes, coordinates, buffer = whole.sizes, whole.coordinates, words.tensors[element.tensor]
    given = multiples([element.piece], words)
    cells = "".join([" (m : Mem F32)", *(f" ({words.integers[s]} : Nat)" for s in sizes), *(f" ({x} : F32)" for x in words.scalars.values())])
    stated = "".join(f" ({name} : {statement})" for name, statement in given.items())
    names = [words.integers[c] for c in coordinates]
    known = " ".join(["m", *(words.integers[s] for s in sizes), *words.scalars.values()])
    at, index = "".join(f" ({c} : Nat)" for c in names), words.nat(element.index)

    cell, words_of = f"(index{o} {known}{''.join(f' {c}' for c in names)})", f"{known}{''.join(f' {c}' for c in names)}"
    return [
        "/-- The place of an element in its tensor, by its coordinates. -/", f"def index{o}{cells}{at} : Nat := {index}", "",
        f"/-- What the kernel computes for an element of output {o}, from the cells of memory `m`. -/",
        f"def kernelElement{o} (D : Libm){cells}{at} : F32 :=", f"  {piece(element.piece, KERNEL, words)}", "",
        "/-- What the specification says of it. -/", f"def specElement{o} (S : Libm){cells}{at} : F32 :=", f"  {piece(element.piece, SPEC, words)}", "",
        "/-- They are the same. -/", f"theorem element{o} (D S : Libm){agrees}{cells}{stated}{at} :",
        f"    Eq (kernelElement{o} D {known} {' '.join(names)}) (specElement{o} S {known} {' '.join(names)}) :=", f"  {equal(element.piece, words)}", "",
        f"/-- THE THEOREM. After the launch, an element that statement {o} writes is what the specification says. That write `e` alone is to the element",
        "`i` at these coordinates, and that it is this value, is what the gate and the translation show. -/",
        f"theorem kernel_eq_spec{o} (D S : Libm){agrees}{cells}{stated}{at}", f"    {WRITES}", f"    {SHOWN}",
        f"    (place : Eq i {cell}) (says : Eq (v e) (kernelElement{o} D {words_of})) :",
        f"    Eq {after(buffer, 'i')} (specElement{o} S {words_of}) :=",
        f"  Eq.trans (Eq.trans {left_by_one(buffer, 'i')} says) (element{o} D S{words.agrees} {known}{''.join(f' {g}' for g in given)}"
        f"{''.join(f' {c}' for c in names)})", ""]
