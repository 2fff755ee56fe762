"""The host's program while it is read: memories, launches and conditions so far, and how to refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from devsem.errors import Rejected, Where
from devsem.expr import Expr, const_int, variables
from devsem.frontend.host_values import HostTensor, Int, NotModelled, flag, negated
from devsem.ops import B64, BOOL
from devsem.plan import Condition, Initial, Launched, Tensor, number
from devsem.rejections import rejection
from devsem.simplify import make


class NeedsRank(Exception):
    """A tensor whose number of dimensions nobody gave has more than was thought."""

    def __init__(self, tensor: str) -> None:
        super().__init__(tensor)
        self.tensor = tensor


@dataclass
class Host:
    """What has been done so far. `at`: the spec's sizes, by which a condition on sizes is decided; None where there is no spec.

    `guessed`: input tensors whose number of dimensions is a guess; `naming`: the variable that is being declared, whose name new memory takes."""

    at: Mapping[Expr, int] | None = None
    memories: dict[str, Tensor] = field(default_factory=dict)
    bindings: dict[str, str] = field(default_factory=dict)
    launches: list[Launched] = field(default_factory=list)
    conditions: dict[Condition, None] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    asked_rank: list[str] = field(default_factory=list)
    naming: str = ""
    steps: int = 0

    def unpacked(self, shape: tuple[Any, ...], count: int) -> None:
        """A shape is taken apart into `count` sizes: where it is that of a tensor whose number of dimensions is a guess, the guess was wrong."""
        for name in self.guessed:
            dims = self.memories[name].dims
            if len(dims) == len(shape) < count and all(isinstance(s, Int) and s.expr is d for s, d in zip(shape, dims, strict=True)):
                raise NeedsRank(name)

    def unused(self, name: str) -> str:
        """The name, or one like it that no memory has."""
        chosen, k = name, 1
        while chosen in self.memories:
            k += 1
            chosen = f"{name}.{k}"
        return chosen

    def new(self, name: str, dims: tuple[Expr, ...], initial: Initial) -> HostTensor:
        """New memory, by a name that no other has."""
        chosen = self.unused(self.naming or name)
        self.memories[chosen] = Tensor(chosen, dims, initial)
        return HostTensor(chosen, dims)

    def clone(self, tensor: HostTensor, name: str) -> HostTensor | None:
        """A copy of an input that no kernel has written; None for any other tensor."""
        source = self.memories[tensor.memory]
        if source.initial == "input" and tensor.memory not in self.touched:
            made = self.new(name, tensor.dims, "input")
            self.bindings[made.memory] = self.bindings[tensor.memory]
            return made
        return self.new(name, tensor.dims, "zeros") if source.initial == "zeros" and tensor.memory not in self.touched else None

    def require(self, holds: Expr, text: str, where: Where) -> None:
        """A precondition of the plan; one that is known to fail, or fails at the spec's sizes, is refused."""
        if holds.is_const and holds.value:
            return
        if holds.is_const and self.asked_rank:
            raise NeedsRank(self.asked_rank[-1])
        if holds.is_const or (self.at is not None and self._known(holds) and not number(holds, self.at)):
            raise Rejected(rejection("host.check", where, text=text))
        self.conditions[Condition(holds, text, where)] = None

    def choose(self, condition: Expr, text: str, where: Where, otherwise: bool) -> bool:
        """Which way a condition goes: at the spec's sizes, or `otherwise`; the way taken becomes a precondition."""
        if condition.is_const:
            return bool(condition.value)
        if self.at is None:
            taken = otherwise
        elif self._known(condition):
            taken = bool(number(condition, self.at))
        else:
            raise Rejected(rejection("host.branch", where, text=text))
        self.conditions[Condition(condition if taken else make("not", condition), text if taken else f"not ({text})", where)] = None
        return taken

    def fixed(self, value: Int, where: Where) -> Int:
        """The integer at the spec's sizes, for which alone the plan then holds; where numbers take its place in floating point."""
        if value.expr.is_const:
            return value
        if self.at is None or not self._known(value.expr):
            raise NotModelled("floating point arithmetic on sizes")
        found = number(value.expr, self.at)
        sort = value.expr.sort
        is_it = value.expr if sort == BOOL else make(f"ieq_{sort.lower()}", value.expr, const_int(sort, found))
        if sort == BOOL:
            self.conditions[Condition(is_it if found else negated(is_it), "a size is as in the spec", where)] = None
            return flag(bool(found))
        self.conditions[Condition(is_it, f"a size is {found}, as in the spec", where)] = None
        return Int(const_int(sort, found), value.signed)

    def divides(self, divisor: Any, text: str, where: Where) -> None:
        """A divisor of an integer division is not zero, or the host's process ends here."""
        if isinstance(divisor, Int) and divisor.expr.sort != BOOL:
            is_zero = make(f"ieq_{divisor.expr.sort.lower()}", divisor.expr, const_int(divisor.expr.sort, 0))
            self.require(make("not", is_zero), f"{text} is not zero", where)

    def axis(self, tensor: HostTensor, axis: int, where: Where, name: str) -> int:
        """A dimension's number, counted from the front."""
        rank = len(tensor.dims)
        if -rank <= axis < rank:
            return axis % rank
        if tensor.memory in self.guessed:
            raise NeedsRank(tensor.memory)
        raise Rejected(rejection("host.check", where, text=f"{name} has dimension {axis}"))

    def reshaped(self, tensor: HostTensor, dims: tuple[Expr, ...], where: Where) -> HostTensor:
        """A view of the same memory; one dimension may be -1."""
        unknown = [i for i, d in enumerate(dims) if d.is_const and d.value == (1 << 64) - 1]
        if len(unknown) > 1:
            raise Rejected(rejection("host.view", where, name=tensor.memory))
        total, rest = _product(tensor.dims), _product(tuple(d for i, d in enumerate(dims) if i not in unknown))
        if unknown:
            self.divides(Int(rest), f"the size of a view of {tensor.memory}", where)
            found = _quotient(tensor.dims, tuple(d for i, d in enumerate(dims) if i not in unknown))
            dims = tuple(found if i in unknown else d for i, d in enumerate(dims))
        if sorted(d.id for d in dims if not _is_one(d)) != sorted(d.id for d in tensor.dims if not _is_one(d)):
            self.require(make("ieq_b64", _product(dims), total), f"a view of {tensor.memory} has as many elements as it", where)
        return HostTensor(tensor.memory, dims)

    def _known(self, value: Expr) -> bool:
        return self.at is not None and all(v in self.at for v in variables(value))


def _is_one(d: Expr) -> bool:
    return d.is_const and d.value == 1


def _product(dims: tuple[Expr, ...]) -> Expr:
    out = const_int(B64, 1)
    for d in dims:
        out = d if _is_one(out) else out if _is_one(d) else make("mul_b64", out, d)
    return out


def _quotient(dims: tuple[Expr, ...], by: tuple[Expr, ...]) -> Expr:
    """The product of `dims` divided by that of `by`, factor by factor where they are the same."""
    left, rest = list(dims), []
    for d in by:
        if d in left:
            left.remove(d)
        elif not _is_one(d):
            rest.append(d)
    total = _product(tuple(left))
    return make("sdiv_b64", total, _product(tuple(rest))) if rest else total
