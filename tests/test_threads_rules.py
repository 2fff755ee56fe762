"""Parts of `threads.run`: the log of accesses against all pairs of accesses, what is refused, what is held, and what stays in doubt."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from draw import seed
from kernel_text import kernel

from devsem.errors import Rejected
from devsem.expr import Expr, const, mk, topo, var
from devsem.instance import Extent, Instance, element
from devsem.ops import F32
from devsem.profile import load_profile
from devsem.program import Array, Program
from devsem.threads import complete, run
from devsem.threads_doubts import doubts
from devsem.threads_races import Log, Who
from devsem.threads_reach import impossible, reach

SIZE, BLOCKS, CELLS = 3, 3, 4
Access = tuple[int, int, int, bool]         # thread, interval, cell, whether it writes


def meet(a: Access, b: Access) -> bool:
    return a[2] == b[2] and a[0] != b[0] and (a[3] or b[3]) and (a[0] // SIZE != b[0] // SIZE or a[1] == b[1])


@pytest.mark.parametrize("draw", range(80))
def test_the_log_finds_a_race_exactly_where_there_is_one(draw: int) -> None:
    """Up to the first one: a run ends there."""
    rng, log = Random(seed() + draw), Log(CELLS, SIZE)
    interval, past = [0] * BLOCKS, list[Access]()
    for step in range(20):
        if rng.random() < 0.4:
            interval[rng.randrange(BLOCKS)] += 1
            continue
        writes = rng.random() < 0.3
        threads = sorted(rng.sample(range(SIZE * BLOCKS), rng.randrange(1, 5)))
        now = [(t, interval[t // SIZE], rng.randrange(CELLS), writes) for t in threads]
        t = np.array(threads, np.int64)
        who = Who(t, t // SIZE, t // SIZE * 1000 + np.array([a[1] for a in now]), step)
        clash = (log.write if writes else log.read)(np.array([a[2] for a in now]), who)
        expected = [any(meet(a, b) for b in (*past, *now)) for a in now]
        for k, (a, other) in enumerate(zip(now, clash.threads.tolist(), strict=True)):
            assert other < 0 or any(meet(a, b) and b[0] == other and b[3] != clash.reads[k] for b in (*past, *now)), (past, now)
        assert any(expected) == bool((clash.threads >= 0).any()), (past, now)
        if any(expected):
            return
        past += now


def one(program: Program, scalars: dict[str, int | Expr] | None = None, threads: int = 1, elements: int = 8) -> Instance:
    buffers = {q.name: Extent(q.name, elements, "input") for q in program.params if q.is_buffer}
    return Instance((1, 1, 1), (threads, 1, 1), 0, buffers, scalars or {})


@pytest.mark.parametrize(("code", "text"), [
    ("run.integer", "i = trunc_int(x[0])\ny[i] = 1.0"),
    ("run.integer", "i = 0\nif x[0] < 1.0:\n    i = 1\ny[i] = 1.0"),
    ("run.integer", "y[(1 if x[0] < 1.0 else 2)] = 1.0"),
    ("run.loop", "i = 0\nwhile x[i] < 1.0:\n    i = i + 1\ny[0] = 1.0"),
    ("run.loop", "for j in range(0, 8):\n    if x[j] < 1.0:\n        break\ny[0] = 1.0"),
    ("run.meet", "if x[0] < 1.0:\n    sync()\ny[tx] = 1.0"),
    ("run.meet", "if x[0] < 1.0:\n    return\nv = shfl_xor(1, 1.0, 0)\ny[tx] = v"),
    ("run.unset", "if tx < 0:\n    v = 1.0\ny[tx] = v"),
])
@pytest.mark.parametrize("values", [True, False])
def test_what_depends_on_data_is_refused_by_name(code: str, text: str, values: bool) -> None:
    program = kernel("x y!", text)
    with pytest.raises(Rejected) as caught:
        run(program, one(program), values=values)
    assert [r.code for r in caught.value.rejections] == [code] and caught.value.rejections[0].where.line > 0
    assert not complete(program, one(program))


def test_a_loop_ends_alike_under_a_condition_that_held_before_it() -> None:
    program = kernel("x y!", "if x[0] < 0.0:\n    return\nfor j in range(0, 8):\n    if j == 2:\n        continue\n    if j == 4:\n        break\n"
                     "    y[j] = 1.0")
    outcome = run(program, one(program))
    assert outcome.fault is None
    changed = [i for i, c in enumerate(outcome.memory["y"]) if c is not element("y", i)]
    assert changed == [0, 1, 3] and outcome.memory["y"][3] is mk("select", mk("w_lt", X0, const(0.0)), element("y", 3), const(1.0))


def test_the_condition_of_a_ninth_thread_is_looked_at() -> None:
    """Eight threads never come there, whatever the floats; the ninth does."""
    program = kernel("x y!", "if x[0] < 1.0:\n    if not x[0] < 1.0 or tx == 8:\n        y[tx + 100] = 1.0")
    fault = run(program, one(program, threads=9)).fault
    assert fault is not None and fault.thread == (8, 0, 0) and fault.certain


def test_an_unset_local_cell_under_a_condition_is_possibly_read() -> None:
    program = kernel("x y!", "a = local(2)\nif x[0] + x[1] < 1.0:\n    y[0] = a[1] * 2.0")
    fault = run(program, one(program)).fault
    assert fault is not None and (fault.kind, fault.buffer, fault.possible) == ("uninitialised", "a", True)


def test_an_integer_that_is_the_same_on_both_sides_is_no_matter() -> None:
    program = kernel("x y!", "i = 0\nif x[0] < 1.0:\n    i = 1\nelse:\n    i = 1\ny[i] = 1.0")
    assert run(program, one(program)).fault is None


def test_an_integer_made_a_float_and_back_is_known() -> None:
    program = kernel("x y!", "y[trunc_int(float(tx) * 0.5)] = 1.0")
    assert run(program, one(program, threads=1)).fault is None
    fault = run(program, one(program, threads=2)).fault
    assert fault is not None and (fault.kind, fault.index) == ("race", 0)


def cells(text: str, threads: int = 1, scalars: dict[str, int | Expr] | None = None) -> list[Expr | None]:
    program = kernel("x y! s:float", text)
    return list(run(program, one(program, {"s": const(2.0), **(scalars or {})}, threads)).memory["y"])


X0, X1 = element("x", 0), element("x", 1)


def test_a_value_of_another_thread_is_held() -> None:
    mine = cells("y[tx] = x[tx] * x[tx]\ny[tx] = y[tx] + 1.0")
    assert mine[0] is mk("w_add", mk("w_mul", X0, X0), const(1.0))
    other = cells("y[tx] = x[tx] * x[tx]\nsync()\nv = y[1 - tx]\nsync()\ny[tx] = v + 1.0", threads=2)
    assert other[0] is mk("w_add", mk("w_hold", mk("w_mul", X1, X1)), const(1.0))
    through = cells("v = shfl_xor(3, x[tx] * x[tx], 1)\ny[tx] = v + 1.0", threads=2)
    assert through[0] is other[0]


def test_a_constant_of_the_text_is_none_at_run_time() -> None:
    assert cells("c = 2.0\ny[0] = x[0] * c")[0] is mk("w_mul", X0, const(2.0))
    assert cells("y[0] = x[0] * s")[0] is mk("w_mul", X0, mk("w_hold", const(2.0)))
    assert cells("c = 1.0\nfor j in range(0, 1):\n    c = c * x[0]\ny[0] = c")[0] is mk("w_mul", mk("w_hold", const(1.0)), X0)
    assert cells("y[0] = x[0] * float(tx)")[0] is mk("w_mul", X0, mk("w_hold", const(0.0)))


def test_a_cell_that_is_written_under_a_condition_keeps_what_it_had() -> None:
    before = element("y", 0)
    assert cells("if x[0] < 1.0:\n    y[0] = 2.0")[0] is mk("select", mk("w_lt", X0, const(1.0)), const(2.0), before)


def test_what_never_reached_a_cell_is_none() -> None:
    program = kernel("x y!", "y[0] = x[0]")
    instance = Instance((1, 1, 1), (1, 1, 1), 0, {"x": Extent("x", 1, "input"), "y": Extent("y", 2, "empty")}, {})
    fault = run(program, instance).fault
    assert fault is not None and (fault.kind, fault.index) == ("unwritten", 1)
    left = run(program, instance, written=frozenset())
    assert left.fault is None and left.memory["y"] == (X0, None)
    after = run(program, instance, before={"y": (None, X1)}, written=frozenset({"y"}))
    assert after.fault is None and after.memory["y"] == (X0, X1)


def test_dynamic_shared_memory_has_the_size_of_the_launch() -> None:
    program = kernel("x y!", "s = shared(4)\ns[tx] = x[tx]\ny[tx] = s[tx]")
    open_ = replace(program, arrays=(Array("s", F32, None, "shared"),))
    fitting = replace(one(open_, threads=4), shared_bytes=16)
    assert run(open_, fitting).fault is None
    fault = run(open_, replace(fitting, shared_bytes=12)).fault
    assert fault is not None and (fault.kind, fault.buffer, fault.index) == ("out of bounds", "s", 3)


@pytest.mark.parametrize(("text", "count"), [
    ("acc = 0.0\nfor j in range(0, 4):\n    acc = acc + x[j] * x[j]\ny[0] = acc", 0),
    ("acc = 0.0\nfor j in range(0, 4):\n    p = x[j] * x[j]\n    acc = acc + p\ny[0] = acc", 0),
    ("acc = 0.0\nfor j in range(0, 4):\n    p = x[j] * x[j]\n    acc = acc + p\n    if j == 3:\n        y[1] = p\ny[0] = acc", 1),
    ("acc = 0.0\np = 0.0\nfor j in range(0, 4):\n    acc = acc + p\n    p = x[j] * x[j]\ny[0] = acc", 1),
    ("p = x[0] * x[0]\nif tx < 4:\n    y[tx] = p + 1.0", 1),
    ("y[0] = x[0] * x[0]\nif tx < 4:\n    y[1] = x[0] * x[0] + 1.0", 1),
    ("y[0] = x[0] * x[1]\ny[1] = x[0] * x[1] + 1.0", 1),
    ("y[0] = x[0] * x[2]\ny[1] = x[0] * x[1] + 1.0", 0),
    ("m = 0.0\nfor j in range(0, 4):\n    m = fmax(m, x[j])\ny[0] = m", 0),
    ("acc = 0.0\nfor j in range(0, 4):\n    acc = acc + x[0] * x[tx]\ny[0] = acc", 1),
    ("acc = 0.0\nm = 0.0\nfor j in range(1, 4):\n    acc = acc + x[j] * x[j]\n    m = fmax(m, x[j - 1] * x[j - 1])\ny[0] = acc", 1),
    ("acc = 0.0\nfor j in range(1, 4):\n    acc = acc + (x[j] * x[j] - x[j - 1] * x[j - 1])\ny[0] = acc", 1),
    ("acc = 0.0\nfor j in range(1, 4):\n    acc = acc + x[j] * x[j]\n    acc = acc - x[j - 1] * x[j - 1]\ny[0] = acc", 0),
    ("acc = 0.0\nfor j in range(0, 4):\n    for k in range(0, 4):\n        acc = acc + x[j] * x[7]\ny[0] = acc", 1),
    ("acc = 0.0\nfor j in range(0, 4):\n    for k in range(0, 4):\n        acc = acc + x[j] * x[k]\ny[0] = acc", 0),
    ("acc = 0.0\nfor j in range(0, 4):\n    acc = acc + x[j] * float(j)\ny[0] = acc", 1),
])
def test_what_a_compiler_could_do_otherwise_is_in_doubt(text: str, count: int) -> None:
    program = kernel("x y!", text)
    assert len(doubts(program)) == count and len(run(program, one(program)).doubts) == count


@pytest.mark.parametrize(("text", "applies"), [
    # of the text at first: 1*x is perhaps x, which matters where x is flushed
    ("p = 1.0\nfor j in range(0, 4):\n    p = p * x[j]\ny[0] = p", {"": False, "-use_fast_math": True}),
    # fused or not, 2*x is perhaps x+x
    ("p = 2.0\nacc = 0.0\nfor j in range(0, 4):\n    acc = acc + p * x[j]\n    p = x[j]\ny[0] = acc", {"": True, "-use_fast_math": True}),
    ("p = 2.0\nacc = 0.0\nfor j in range(0, 4):\n    acc = acc - p * x[j]\n    p = x[j]\ny[0] = acc", {"": True, "-use_fast_math": True, "-fmad=false": False}),
    # through local memory
    ("a = local(1)\na[0] = 2.0\ny[0] = exp(a[0])", {"": True, "-use_fast_math": True}),
    # a sum's first zero is +0, which stays; -0 would be dropped
    ("acc = 0.0\nfor j in range(0, 4):\n    acc = acc + x[j]\ny[0] = acc", {"": False, "-use_fast_math": False}),
    ("acc = -0.0\nfor j in range(0, 4):\n    acc = acc + x[j]\ny[0] = acc", {"": False, "-use_fast_math": True}),
    # after a loop that turned, a sum is no constant
    ("acc = 0.0\nfor j in range(0, 4):\n    acc = acc + x[j]\ny[0] = x[0] / acc", {"": False, "-use_fast_math": False}),
    # a parameter is none
    ("c = s\nacc = 0.0\nfor j in range(0, 4):\n    acc = acc + x[j] * c\ny[0] = acc", {"": False, "-use_fast_math": False}),
])
def test_what_is_perhaps_a_constant_is_in_doubt_where_it_matters(text: str, applies: dict[str, bool]) -> None:
    program = kernel("x y! s:float", text)
    outcome = run(program, one(program, {"s": const(2.0)}))
    assert outcome.fault is None and not outcome.doubts_for(load_profile("ieee"))
    assert {flags: bool(outcome.doubts_for(load_profile("h100", flags))) for flags in applies} == applies, outcome.doubts


def test_a_product_is_in_doubt_where_it_is_one() -> None:
    """A quotient is fused only where it is a product with a reciprocal."""
    program = kernel("x y!", "p = x[0] / x[1]\ny[0] = p\ny[1] = p + 1.0")
    outcome = run(program, one(program))
    assert len(outcome.doubts) == 1
    assert {flags: bool(outcome.doubts_for(load_profile("h100", flags))) for flags in ("", "-use_fast_math", "-use_fast_math -fmad=false")} == \
        {"": False, "-use_fast_math": True, "-use_fast_math -fmad=false": False}


def test_a_product_that_is_read_back_is_in_doubt() -> None:
    program = kernel("x y!", "a = local(1)\na[0] = x[0] * x[1]\ny[0] = a[0] + 1.0")
    assert not doubts(program) and run(program, one(program)).ambiguous
    other = kernel("x y!", "a = local(1)\na[0] = x[0] + x[1]\ny[0] = a[0] + 1.0")
    assert not run(other, one(other)).ambiguous


def test_conditions_that_no_float_meets() -> None:
    a, b = mk("w_lt", X0, X1), mk("w_lt", X1, X0)
    assert impossible(mk("and", a, mk("not", a))) and not impossible(mk("and", a, b))
    assert reach(mk("and", a, b)) is None and reach(mk("w_lt", mk("w_add", X0, X0), X1)) is None
    assert reach(mk("and", a, var("anything", "BOOL"))) is None


def test_every_node_of_a_value_is_written() -> None:
    found = cells("v = x[0]\nif v < 0.0:\n    v = v * s\ny[0] = v")[0]
    assert found is not None and {n.op for n in topo(found) if n.args} == {"select", "w_lt", "w_mul", "w_hold"}
