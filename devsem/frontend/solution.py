"""A KernelBench solution: `class ModelNew` in a Python file that builds its kernels with load_inline. It is read, and never run or imported.

The file's own statements are followed as far as constants, strings and classes go; `__init__` with the spec's get_init_inputs, `forward` with the
spec's inputs. What computes outside the kernels is refused by name.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devsem.errors import Rejected, Where
from devsem.frontend.host import MOST_RANK, TAKEN_FOR_GRANTED, add_tensor, finish
from devsem.frontend.host_state import Host, NeedsRank
from devsem.frontend.host_values import Items, Unknown
from devsem.frontend.solution_calls import CONSTANTS, DTYPES, Calls, Known, to_host
from devsem.frontend.solution_load import Built
from devsem.frontend.solution_python import Python
from devsem.frontend.solution_text import Text
from devsem.frontend.solution_values import Class, Unclear, where_of
from devsem.frontend.spec import SpecInput
from devsem.plan import Plan
from devsem.rejections import rejection

MAX_BYTES = 1 << 18
BY_NAME = "the parameters of ModelNew have the values that Model's have of the same names"


@dataclass(frozen=True)
class Solution:
    """A solution's plan, the CUDA text of its kernels with the name it has in messages, its flags, and what was taken for granted."""

    plan: Plan
    text: tuple[str, str]
    flags: str
    notes: tuple[str, ...]


def read_solution(path: str, source: str | bytes, inputs: Sequence[SpecInput] | None = None, init: Sequence[object] | None = None,
                  placed: Mapping[int, object] | None = None) -> Solution:
    """What a solution launches, on the spec's tensors `inputs` and with `init`, which get_init_inputs returns. Raises Rejected.

    `placed`: what get_inputs returns that is no tensor, by its place."""
    tree = parsed(path, source)
    ranks: dict[str, int] = {}
    while True:
        try:
            return _followed(path, tree, inputs, init, placed or {}, ranks)
        except NeedsRank as needs:
            ranks[needs.tensor] = ranks.get(needs.tensor, 1) + 1
            if ranks[needs.tensor] > MOST_RANK:
                raise Rejected(rejection("host.view", Where(path), name=needs.tensor)) from None
        except Unclear as unclear:
            raise Rejected(rejection(unclear.code, Where(path, *where_of(unclear.node)), **unclear.names)) from None
        except (RecursionError, MemoryError):
            raise Rejected(rejection("solution.size", Where(path), what="it is nested too deeply")) from None


def parsed(path: str, source: str | bytes) -> ast.Module:
    """The text as a tree; Rejected where it is none."""
    try:
        data = source.encode() if isinstance(source, str) else source
        if len(data) > MAX_BYTES:
            raise Rejected(rejection("solution.size", Where(path), what=f"the file has {len(data)} bytes, more than {MAX_BYTES}"))
        return ast.parse(data.decode("utf-8-sig"))
    except SyntaxError as e:
        raise Rejected(rejection("solution.syntax", Where(path, e.lineno or 0, e.offset or 0), what=str(e.msg))) from None
    except ValueError as e:
        raise Rejected(rejection("solution.syntax", Where(path), what=str(e).split(":")[0])) from None
    except (RecursionError, MemoryError):
        raise Rejected(rejection("solution.size", Where(path), what="it is nested too deeply")) from None


def _followed(path: str, tree: ast.Module, inputs: Sequence[SpecInput] | None, init: Sequence[object] | None, placed: Mapping[int, object],
              ranks: dict[str, int]) -> Solution:
    known = Known(inputs, ranks)
    calls = Calls(known)
    host = Host(at=None if inputs is None else {})
    py = Python(path, host, calls.call, calls.attribute, {**CONSTANTS, **DTYPES})
    py.module(tree)
    of = py.names.get("ModelNew")
    if not isinstance(of, Class):
        raise Rejected(rejection("solution.no_model", Where(path), what="no class ModelNew"))
    model = calls.instance(py, of.node, of, _arguments(of, init), {})
    forward = of.methods.get("forward")
    if forward is None:
        raise Rejected(rejection("solution.no_model", Where(path, of.node.lineno), what="a ModelNew without forward"))
    given = _inputs(py, known, forward, of, inputs, placed)
    result = py.call(forward, model, given, {}, forward)
    place = Where(path, forward.lineno)
    plan = finish(host, to_host(result) if result is not None else None, place)
    if len(known.used) != 1:
        raise Rejected(rejection("solution.load", place, what=f"forward uses {len(known.used)} extensions"))
    made: Built = known.built[id(known.used[0])]
    return Solution(plan, made.cuda, made.flags, (TAKEN_FOR_GRANTED, BY_NAME, *host.notes))


def _arguments(of: Class, init: Sequence[object] | None) -> list[Any]:
    """What ModelNew is made with; where nobody says, numbers that only the caller knows."""
    if init is not None:
        return [_constant(of, v) for v in init]
    made = of.methods.get("__init__")
    if made is None:
        return []
    names = [a.arg for a in made.args.args[1:]]
    return [Unknown(n) for n in names[:len(names) - len(made.args.defaults)]]


def _constant(of: Class, value: object) -> Any:
    """An element of get_init_inputs: a number, or a list of them."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return Text(value, tuple(range(1, value.count("\n") + 2)))
    if isinstance(value, list | tuple):
        return Items(tuple(_constant(of, v) for v in value))
    raise Unclear(of.node, "solution.value", name="a value of get_init_inputs")


def _inputs(py: Python, known: Known, forward: ast.FunctionDef, of: Class, inputs: Sequence[SpecInput] | None, placed: Mapping[int, object]) -> list[Any]:
    """What forward takes, as the spec's inputs in order."""
    names = [a.arg for a in forward.args.args[1:]]
    if inputs is None:
        names = names[:len(names) - len(forward.args.defaults)]
        return [add_tensor(py.host, n, None, known.ranks.get(n, 1), True) for n in names]
    tensors = [i for i in inputs if i.kind == "input"]
    count = len(tensors) + len(placed)
    if not len(names) - len(forward.args.defaults) <= count <= len(names):
        raise Unclear(forward, "solution.inputs", given=str(len(names)), taken=str(count))
    left = iter(tensors)
    return [_constant(of, placed[k]) if k in placed else add_tensor(py.host, n, next(left), 0, False) for k, n in enumerate(names[:count])]
