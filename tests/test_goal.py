"""Which parameter is which tensor: by place, unless the names say otherwise; and the verdict says what was taken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from devsem.errors import UsageError
from devsem.expr import Expr, const_int, mk, topo, var
from devsem.frontend.spec import Spec, SpecInput
from devsem.goal import Goal, bind, make_goal, parse_launch
from devsem.ops import B32, F32
from devsem.program import Assign, If, Load, Param, Program, Store
from devsem.symbolic import Stores, run


def difference(*names: str) -> Stores:
    """A kernel `y[i] = first[i] - second[i]`."""
    params = (*(Param(n, "const float*") for n in names), Param("y", "float*"), Param("n", "int"))
    i = mk("add_b32", mk("mul_b32", var("blockIdx.x", B32), var("blockDim.x", B32)), var("threadIdx.x", B32))
    loads = [Load(var(f"{n}@0", F32), n, i) for n in names]
    value = mk("w_sub", *(load.variable for load in loads))
    body = (*loads, Assign(var("d", F32), value), Store("y", i, var("d", F32)))
    return run(Program("k", params, (If(mk("slt_b32", i, var("n", B32)), body),)))


SPEC = Spec("Model", (SpecInput("a", "input", (8,)), SpecInput("b", "input", (8,))), (mk("sub_rn", var("a", F32), var("b", F32)),), ())


def goal(names: tuple[str, str], text: str | None = None) -> Goal:
    return make_goal(difference(*names), SPEC, text, parse_launch("1d"), (), "k.cu")


@pytest.mark.parametrize("names", [("a", "b"), ("p", "q"), ("a", "q")])
def test_by_place(names: tuple[str, str]) -> None:
    made = goal(names)
    assert {b.param: b.tensor for b in made.buffers if b.tensor} == dict(zip(names, "ab", strict=True))
    assert made.notes[0] == f"the parameters are bound so: {names[0]} = a, {names[1]} = b, y = output 0, n = the number of elements"


def test_names_that_contradict_the_places_are_not_guessed() -> None:
    with pytest.raises(UsageError, match=r"b would be bound to the spec's a by its place.*--bind b=b,a=a"):
        goal(("b", "a"))
    assert {b.param: b.tensor for b in goal(("b", "a"), "b=b,a=a").buffers if b.tensor} == {"b": "b", "a": "a"}
    assert bind(difference("b", "a").params, SPEC, {"y"}, {"a", "b"}, "b=a,a=b").inputs == {"b": "a", "a": "b"}


def keys(value: Expr, row: str) -> dict[str, int]:
    """Under which key each number's unknown bits stand."""
    return {repr(n.args[1]): n.args[0].value for n in topo(value) if n.op == row}


def test_unknown_bits_are_shared_only_by_one_tensors_element() -> None:
    """Whatever keys the readings gave: a tensor's NaN has one payload on both sides, and another tensor's, or one that an operation made, has another."""
    x, y = var("a", F32), var("b", F32)

    def bits(side: str, *numbers: Expr) -> Expr:
        """A value made of the numbers' bits, all under one key."""
        words = [mk(f"{side}.nan_bits", const_int(B32, 7), n) for n in numbers]
        return mk("of_bits", mk("xor_b32", words[0], mk("xor_b32", words[1], words[2])))

    loads = difference("a", "b")
    read = {load.buffer: load.variable for load in loads.loads}
    stored = bits("D", read["a"], read["b"], mk("neg", read["a"]))
    kernel = Stores(loads.function, loads.params, loads.loads, tuple(replace(s, value=stored) for s in loads.stores))
    spec = replace(SPEC, outputs=(bits("S", x, y, mk("neg", x)),))
    (output,) = make_goal(kernel, spec, None, parse_launch("1d"), (), "k.cu").outputs
    ours, theirs = keys(output.written, "D.nan_bits"), keys(output.spec, "S.nan_bits")
    assert ours["a"] == theirs["a"] != theirs["b"] == ours["b"]
    assert len({*ours.values(), *theirs.values()}) == 4, "what neg made of a NaN is shared with nothing"
