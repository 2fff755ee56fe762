"""The array part of a verdict as Lean text: what a thread does, and that a launch does it to every element.

Index arithmetic is printed as the kernel has it, in wrap-around 32- or 64-bit words; that nothing wraps for the sizes meant is
proved here, by one lemma for each operation. The forms of an index and of a guard that are understood are the two tables below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from devsem.expr import Expr, var
from devsem.goal import Goal, Launch
from devsem.leanprint import text
from devsem.ops import B32
from devsem.prove import Hypothesis

THREAD_NAMES = {"blockIdx.x": "k", "blockDim.x": "b", "threadIdx.x": "t"}


class Unsupported(Exception):
    """The index or the guard has a form that no rule here proves; the sentence says which."""


@dataclass(frozen=True)
class Word:
    """An integer expression: the plain number it is, a proof of that, and what the number is in terms of the thread."""

    role: str
    value: str
    proof: str


@dataclass(frozen=True)
class Bounds:
    """Proofs that numbers are below a power of two, by their role; `small` proves the thread's index below a literal."""

    small: str
    launch: Launch
    size: str
    size_positive: str

    def below(self, word: Word) -> str:
        """A proof `Nat.Lt value LIMIT`, for any limit that the elaborator can see is above the bound."""
        if word.role == "sum":
            return f"(Nat.lt_of_lt_of_le {self.small} rfl)"
        if word.role == "product":
            return f"(Nat.lt_of_lt_of_le (Grid.product_lt {self.small}) rfl)"
        if word.role == "thread":
            return f"(Nat.lt_of_lt_of_le (Grid.thread_lt {self.small}) rfl)"
        if word.role == "block":
            return f"(Nat.lt_of_lt_of_le (Grid.block_lt (size := {self.size}) {self.size_positive} {self.small}) rfl)"
        if word.role == "constant":
            return "rfl"
        if word.role == "size":
            return "(Nat.lt_of_le_of_lt hb' rfl)" if self.launch.blocks is None else "rfl"
        return "(Nat.lt_of_le_of_lt hn rfl)"


MAKES = {("mul", "block", "size"): "product", ("add", "product", "thread"): "sum"}  # (operation, roles): the role of the result


@dataclass(frozen=True)
class Prover:
    """Proofs about one kernel's index and guard."""

    names: Mapping[Expr, str]
    numel: str
    size: str
    bounds: Bounds

    @property
    def product(self) -> str:
        """The threads before this block."""
        return f"(Nat.mul k {self.size})"

    @property
    def sum(self) -> str:
        """The thread's number in the launch."""
        return f"(Nat.add {self.product} t)"

    def word(self, e: Expr) -> Word:
        """What an integer expression is."""
        if e.is_const:
            return Word("constant", str(e.value), "rfl")
        if e.is_var:
            roles = {"k": "block", self.size: "size", "t": "thread", self.numel: "numel"}
            name = self.names.get(e, "")
            if name not in roles:
                raise Unsupported(f"the index uses {e.name}")
            return Word(roles[name], name, "rfl")
        if e.op in ("sext", "zext", "wrap"):
            inner = self.word(e.args[0])
            lemma = "U64.wrap_eq" if e.op == "wrap" else f"U32.{e.op}_eq"
            return Word(inner.role, inner.value, f"({lemma} {inner.proof} {self.bounds.below(inner)})")
        operation, _, width = e.op.partition("_b")
        if operation not in ("add", "mul"):
            raise Unsupported(f"the index uses {e.op}")
        parts = [self.word(a) for a in e.args]
        module = f"U{width}"
        for first, second, swapped in ((0, 1, False), (1, 0, True)):
            made = MAKES.get((operation, parts[first].role, parts[second].role))
            if made is not None:
                role, value = made, self.product if made == "product" else self.sum
                whole = Word(role, value, "")
                proof = f"({module}.{operation}_eq {parts[first].proof} {parts[second].proof} {self.bounds.below(whole)})"
                if swapped:
                    a, b = (text(x, self.names) for x in e.args)
                    proof = f"(Eq.trans ({module}.{operation}_comm {a} {b}) {proof})"
                return Word(role, value, proof)
        raise Unsupported(f"the index is {e!r}, which is not blockIdx.x * blockDim.x + threadIdx.x in any spelling")

    def index(self, e: Expr) -> Word:
        """The thread's index; in a launch of one block `threadIdx.x` is it."""
        word = self.word(e)
        if word.role == "thread" and self.bounds.launch.blocks == 1:
            return Word("sum", self.sum, f"(Eq.trans {word.proof} (Grid.single_block hk t {self.size}))")
        if word.role != "sum":
            raise Unsupported(f"the index is {e!r}, which is not blockIdx.x * blockDim.x + threadIdx.x in any spelling")
        return word

    def guard(self, e: Expr) -> str:
        """A proof that the guard is `index < n`."""
        if e.is_const and e.value and self.bounds.launch.blocks is not None:
            return f"(Eq.symm (Nat.lt_of_lt_of_le {self.bounds.small} rfl))"
        inner = e.args[0] if e.op == "not" else e
        operation, _, width = inner.op.partition("_b")
        if e.op != "not" and operation in ("slt", "ult"):
            i, n = self.index(inner.args[0]), self.limit(inner.args[1])
            return f"(U{width}.{operation}_eq {i.proof} {n.proof} {self.bounds.below(i)} {self.bounds.below(n)})"
        if e.op == "not" and operation in ("sle", "ule"):
            n, i = self.limit(inner.args[0]), self.index(inner.args[1])
            negated = f"congrArg Bool.not (U{width}.{operation}_eq {n.proof} {i.proof} {self.bounds.below(n)} {self.bounds.below(i)})"
            return f"(Eq.trans ({negated}) (Nat.not_ble {n.value} {self.sum}))"
        raise Unsupported(f"the bounds check is {e!r}, which is not `index < n` in any spelling")

    def limit(self, e: Expr) -> Word:
        """The number of elements."""
        word = self.word(e)
        if word.role not in ("numel", "constant") or (word.role == "constant" and word.value != self.numel):
            raise Unsupported("the bounds check compares with something else than the number of elements")
        return word


def thread_names(goal: Goal) -> dict[Expr, str]:
    """The Lean names of a thread's integers."""
    out = {var(name, B32): lean for name, lean in THREAD_NAMES.items()}
    if goal.size.is_var:
        out[goal.size] = "n"
    return out


def thread(goal: Goal, values: Sequence[Callable[[str], str]], names: Mapping[Expr, str]) -> str:
    """What thread `t` of block `k` does. `values[o](index)` prints output o's value at an index; `names` are its integers'."""
    index, guard = text(goal.index, names), text(goal.guard, names)
    outs = "List.nil"
    for o in reversed(range(len(goal.outputs))):
        outs = f"(List.cons (Prod.mk {goal.outputs[o].buffer.number} {values[o](index)}) {outs})"
    return f"  cond {guard}\n    (Mem.storeAll m {index}\n      {outs}) m"


def prover_of(goal: Goal) -> Prover:
    """The proofs for this goal's launch."""
    names, numel = thread_names(goal), "n" if goal.size.is_var else str(goal.size.value)
    if goal.launch.blocks is None:
        in_range = "hn" if goal.size.is_var else "rfl"
        return Prover(names, numel, "b", Bounds(f"(Grid.index_lt_of_range (n := {numel}) hb hb' {in_range} hk ht)", goal.launch, "b", "hb"))
    size = str(goal.launch.size)
    return Prover({**names, var("blockDim.x", B32): size}, numel, size, Bounds("(Grid.index_lt hk ht)", goal.launch, size, "rfl"))


def is_thread_number(goal: Goal) -> bool:
    """Is the kernel's index provably the thread's number in the launch?"""
    try:
        prover_of(goal).index(goal.index)
    except Unsupported:
        return False
    return True


def array_theorem(goal: Goal, o: int, agreement: tuple[str, str], hypotheses: Sequence[Hypothesis], wrap: tuple[str, str]) -> list[str]:
    """The theorem about the launch, from the theorem about one element. Raises `Unsupported`.

    `agreement`: the obligations as binders and as arguments; `wrap`: text around both sides, for the equality."""
    agrees, agree_args = agreement
    left, right = wrap
    prover = prover_of(goal)
    fixed = goal.launch.blocks is not None
    n = "n" if goal.size.is_var else str(goal.size.value)
    b, blocks = (str(goal.launch.size), str(goal.launch.blocks)) if fixed else ("b", f"(Grid.ceilDiv {n} b)")
    binders = "".join([" (n : Nat)" if goal.size.is_var else "", "" if fixed else " (b : Nat) (hb : Nat.Le 1 b) (hb' : Nat.Le b 1024)",
                       f" (hn : Nat.Le n {goal.launch.threads if fixed else 1073741824})" if goal.size.is_var else ""])
    arguments = "".join([" n" if goal.size.is_var else "", "" if fixed else " b hb hb'", " hn" if goal.size.is_var else ""])
    at = {b.before: f"(m {b.number} j)" for b in goal.inputs}
    sizes = "".join(f" (size{i} : Eq (Nat.mod {n} {a.size.modulus}) {a.size.remainder})" for i, a in enumerate(goal.assumptions) if a.size)
    elements = "".join(f" ({h.name} : ∀ j, Nat.Lt j {n} → Eq {text(h.condition, at)} true)" for h in hypotheses)
    cells = " ".join(f"(m {c.number} i)" for c in goal.inputs)
    same = _extensional(goal)
    index, guard = prover.index(goal.index).proof, prover.guard(goal.guard)
    cover = "(Grid.le_ceilDiv_mul hb " + n + ")" if not fixed else ("(Nat.le_trans hn rfl)" if goal.size.is_var else "rfl")
    k_args = "".join(f" ({h.name} i hi)" for h in hypotheses)
    buffer = goal.outputs[o].buffer.number
    outputs = range(len(goal.outputs))
    body = thread(goal, [partial(_called, goal, k) for k in outputs], prover.names)
    kinds = " → ".join(["F32"] * (len(goal.inputs) + 1))
    return [
        "/-- The launch, whatever the threads compute: every element has its thread's value. -/",
        f"theorem launch{o}{''.join(f' (v{k} : {kinds})' for k in outputs)}{binders} (m : Mem F32) (i : Nat) (hi : Nat.Lt i {n}) :",
        f"    Eq (Grid.run (fun k t m =>\n      {body.strip()}) {blocks} {b} m {buffer} i) (v{o} {cells}) :=",
        f"  Grid.run_elementwise (n := {n}) (blocks := {blocks}) (size := {b})",
        f"    (outs := fun u => {_outs(goal, [f'(u {c.number})' for c in goal.inputs])})",
        f"    (idx := fun k t => {text(goal.index, prover.names)})",
        f"    (guard := fun k t => {text(goal.guard, prover.names)})",
        f"    (fun u w h => {same})",
        f"    (fun k t hk ht => {index})",
        f"    (fun k t hk ht => {guard})",
        f"    {cover} m {buffer} i hi", "",
        f"/-- THE THEOREM. After the launch, every element of output {o} is what the spec says. -/",
        f"theorem kernel_eq_spec{o} (D S : Libm){agrees}{binders}{sizes}",
        f"    (m : Mem F32){elements} (i : Nat) (hi : Nat.Lt i {n}) :",
        f"    Eq {left}(Grid.run (thread device D {n} {b}) {blocks} {b} m {buffer} i){right} {left}(specValue{o} S {cells}){right} :=",
        f"  Eq.trans (congrArg (fun y => {left}y{right}) (launch{o}{''.join(f' (kernelValue{k} device D)' for k in outputs)}{arguments} m i hi))",
        f"    (value{o} D S{agree_args} {cells}{k_args})", ""]


def _called(goal: Goal, k: int, at: str) -> str:
    """Output k's value at an index of memory `m`."""
    return f"(v{k} {' '.join(f'(m {c.number} {at})' for c in goal.inputs)})"


def _outs(goal: Goal, cells: Sequence[str]) -> str:
    """What a thread writes, from the inputs' elements: a list of buffers and values."""
    out = "List.nil"
    for k in reversed(range(len(goal.outputs))):
        out = f"(List.cons (Prod.mk {goal.outputs[k].buffer.number} (v{k} {' '.join(cells)})) {out})"
    return out


def _extensional(goal: Goal) -> str:
    """A proof that what a thread writes depends on the cells at its index only: replace them one after another."""
    numbers = [b.number for b in goal.inputs]
    steps = []
    for at, c in enumerate(numbers):
        side = [f"(w {x})" if j < at else "z" if j == at else f"(u {x})" for j, x in enumerate(numbers)]
        steps.append(f"(congrArg (fun z => {_outs(goal, side)}) (h {c}))")
    if not steps:
        return "rfl"
    whole = steps[-1]
    for step in reversed(steps[:-1]):
        whole = f"(Eq.trans {step} {whole})"
    return whole
