"""Wrong answers of the goal and the safety gate, found by attack: each test is a kernel with its right answer."""

from __future__ import annotations

import numpy as np
import pytest

from devsem import assume, leangrid
from devsem.decide import decide
from devsem.errors import Rejected, UsageError
from devsem.expr import Expr, const, mk, var
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.spec import Spec, SpecInput
from devsem.goal import Goal, Launch, make_goal, make_sizes
from devsem.heads import Clock
from devsem.ops import F32
from devsem.profile import load_profile
from devsem.safety import check, refuse_empty, try_small
from devsem.symbolic import Stores, run

X, Z = var("x", F32), var("z", F32)
ARGS = "const float* x, float* y, int n"
INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
ONE_D = Launch()
DOUBLE = mk("mul_rn", X, const(2.0))


def stores_of(body: str, args: str = ARGS) -> Stores:
    return run(parse_kernel("k.cu", f"__global__ void k({args}) {{ {body} }}"))


def spec_of(value: Expr, *inputs: str) -> Spec:
    return Spec("Model", tuple(SpecInput(i, "input", (64,)) for i in inputs or ("x",)), (value,), ())


def goal_of(body: str, args: str = ARGS, *, value: Expr = DOUBLE, bind: str | None = None, launch: Launch = ONE_D, given: tuple[str, ...] = (),
            inputs: tuple[str, ...] = ("x",)) -> tuple[Goal, Stores]:
    stores = stores_of(body, args)
    return make_goal(stores, spec_of(value, *inputs), bind, launch, tuple(assume.parse(t, inputs) for t in given), "k.cu"), stores


@pytest.mark.parametrize("n", ["long long", "size_t", "unsigned", "int"])
def test_a_size_of_64_bits_is_no_larger_than_the_stated_range(n: str) -> None:
    goal, stores = goal_of(f"{INDEX} if (i < n) y[i] = x[i] * 2.0f;", f"const float* x, float* y, {n} n")
    assert check(goal, stores).verdict == "PASS"


@pytest.mark.parametrize(("body", "args"), [
    (f"if (threadIdx.x + blockIdx.x * blockDim.x < n) {{ {INDEX} y[i] = x[i] * 2.0f; }}", ARGS),
    ("size_t g = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (g < n) y[(int)g] = x[(int)g] * 2.0f;", "const float* x, float* y, size_t n"),
    ("long long g = blockDim.x * (long long)blockIdx.x + threadIdx.x; if (g < n) y[g] = x[g] * 2.0f;", ARGS),
])
def test_a_guard_may_spell_the_thread_otherwise_than_the_index(body: str, args: str) -> None:
    goal, stores = goal_of(body, args)
    assert leangrid.is_thread_number(goal)
    assert check(goal, stores).verdict == "PASS"


@pytest.mark.parametrize(("stores_when", "given", "right"), [
    ("if (v > 0.0f) y[i] = v; if (v <= 0.0f) y[i] = v; if (v != v) y[i] = v;", (), "OPEN"),         # every value is stored
    ("if (v > 0.0f) y[i] = v; if (v <= 0.0f) y[i] = v;", ("not isnan(x)",), "OPEN"),               # every admitted value is
    ("if (v > 0.0f) y[i] = v; if (v <= 0.0f) y[i] = v;", (), "FAIL"),                              # no NaN is
    ("if (v * 3.0f > 0.0f) y[i] = v;", (), "OPEN"),                                                # a rounded value decides
    ("if (v > 1e-40f) y[i] = v;", (), "OPEN"),                                                     # flushing decides
])
def test_a_store_under_a_float_condition_fails_only_at_values_that_show_it(stores_when: str, given: tuple[str, ...], right: str) -> None:
    goal, stores = goal_of(f"{INDEX} if (i < n) {{ float v = x[i]; {stores_when} }}", given=given)
    assert check(goal, stores).verdict == right


def test_a_guard_that_depends_on_a_bound_parameter_is_tried_at_its_number() -> None:
    goal, stores = goal_of(f"{INDEX} if (i < n && x[i] > a) y[i] = x[i];", f"{ARGS}, float a", bind="x,y,n,3.0")
    found = check(goal, stores)
    assert found.verdict == "FAIL" and found.counterexample is not None
    assert not np.uint32(int(str(found.counterexample["x"]), 16)).view(np.float32) > 3.0


@pytest.mark.parametrize("given", [(), ("n % 1024 == 0",), ("n % 96 == 5",)])
def test_the_thread_of_a_counterexample_is_in_its_launch(given: tuple[str, ...]) -> None:
    goal, stores = goal_of(f"{INDEX} y[i] = x[i] * 2.0f;", given=given)
    found = check(goal, stores).counterexample
    assert found is not None
    n, b, k, t = (int(found[name]) for name in ("n", "blockDim.x", "blockIdx.x", "threadIdx.x"))
    assert t < b <= 1024 and k < -(-n // b) and k * b + t == int(found["index"]) >= n


@pytest.mark.parametrize("given", [("isnan(x)", "not isnan(x)"), ("abs(x) <= -1",), ("x < 0 and x > 0",), ("n % 4 == 0", "n % 4 == 1"),
                                   ("n % 2000000000 == 1999999999",)])
def test_assumptions_that_nothing_satisfies_are_no_theorem(given: tuple[str, ...]) -> None:
    goal, _ = goal_of(f"{INDEX} if (i < n) y[i] = x[i] * 3.0f;", given=given)
    with pytest.raises(UsageError, match="would say nothing"):
        refuse_empty(goal)


def test_assumptions_that_something_satisfies_are_admitted() -> None:
    goal, _ = goal_of(f"{INDEX} if (i < n) y[i] = x[i] * 3.0f;", given=("isfinite(x)", "abs(x) <= 88", "n % 4 == 0"))
    refuse_empty(goal)


@pytest.mark.parametrize(("bind", "launch"), [("x,y,0", Launch()), ("x,y,-5", Launch()), ("x,y,4294967300", Launch()), ("x,y,100", Launch(1, 8)),
                                              ("x,y,2.5", Launch()), ("x,y,inf", Launch()), ("x,y,nan", Launch())])
def test_a_size_outside_the_stated_range_is_refused(bind: str, launch: Launch) -> None:
    with pytest.raises(UsageError, match="--bind n="):
        goal_of(f"{INDEX} if (i < n) y[i] = x[i] * 2.0f;", bind=bind, launch=launch)


@pytest.mark.parametrize("value", ["i == 0 ? x[i] : 2.0f * x[i]", "n > 5 ? x[i] : 2.0f * x[i]"])
def test_a_value_that_depends_on_the_index_or_the_size_is_rejected_by_name(value: str) -> None:
    with pytest.raises(Rejected, match=r"goal\.value"):
        goal_of(f"{INDEX} if (i < n) y[i] = {value};")


NEIGHBOUR = f"{INDEX} if (i < n) y[i] = x[i] + x[63];"
ROWS = "int i = blockIdx.x * cols + threadIdx.x; y[i] = x[i] + x[blockIdx.x * cols];"


@pytest.mark.parametrize(("body", "args", "bind", "launch", "given"), [
    (NEIGHBOUR, ARGS, "x,y,100", Launch(), ()),                                               # 100 elements have a 63rd
    (NEIGHBOUR, ARGS, None, Launch(), ("n % 64 == 0",)),
    (ROWS, "const float* x, float* y, int cols", "x,y,16", Launch(4, 16), ()),                # cols is not the size
    ("int i = threadIdx.x; y[i] = x[i] + x[7];", "const float* x, float* y", None, Launch(1, 8), ()),     # 8 elements, one a thread
])
def test_small_launches_keep_to_the_binding(body: str, args: str, bind: str | None, launch: Launch, given: tuple[str, ...]) -> None:
    stores = stores_of(body, args)
    assumed = [a.size for a in (assume.parse(t, ["x"]) for t in given) if a.size]
    assert try_small(stores, make_sizes(stores, spec_of(DOUBLE), bind, launch), launch, assumed).verdict == "OPEN"


def test_small_launches_still_find_a_fault() -> None:
    stores = stores_of(NEIGHBOUR)
    assert try_small(stores, make_sizes(stores, spec_of(DOUBLE), None, Launch()), Launch(), []).verdict == "FAIL"


def _product(a: float, b: float) -> float:
    return float(np.float32(a) * np.float32(b))


@pytest.mark.parametrize(("store", "args", "bind", "value", "inputs"), [
    ("alpha * beta + x[i]", "const float* x, float* y, int n, float alpha, float beta", "x,y,n,0.1,0.1", mk("add_rn", X, const(_product(0.1, 0.1))), ("x",)),
    ("x[i] * alpha - z[i]", "const float* x, const float* z, float* y, int n, float alpha", "x,z,y,n,2.0", mk("sub_rn", DOUBLE, Z), ("x", "z")),
])
def test_the_compiler_does_not_know_the_number_that_a_parameter_is_bound_to(store: str, args: str, bind: str, value: Expr, inputs: tuple[str, ...]) -> None:
    """nvcc emits fma.rn.f32 for both: a parameter is no constant to fold, and no 2.0f that turns x*2.0f into x+x."""
    goal, _ = goal_of(f"{INDEX} if (i < n) y[i] = {store};", args, value=value, bind=bind, inputs=inputs)
    stage = Clock().stage
    assert decide(goal, load_profile("h100", ""), "bits", 5.0, stage).verdict == "REFUTED"
    assert decide(goal, load_profile("h100", "-fmad=false"), "bits", 5.0, stage).verdict == "PROVED"


def test_a_parameter_may_have_the_name_of_a_tensor() -> None:
    goal, _ = goal_of(f"{INDEX} if (i < n) y[i] = a[i] * x;", "const float* a, float* y, int n, float x", bind="x,y,n,2.0")
    assert decide(goal, load_profile("ieee", ""), "bits", 5.0, Clock().stage).verdict == "PROVED"


@pytest.mark.parametrize("args", ["float* p, const float* g, int n", "const float* g, float* p, int n"])
def test_a_buffer_that_is_updated_in_place_is_the_input_of_its_name_wherever_it_stands(args: str) -> None:
    """It was the last input, whatever its name: a right update `p -= g` was refuted."""
    step = mk("sub_rn", var("p", F32), var("g", F32))
    goal, _ = goal_of(f"{INDEX} if (i < n) p[i] = p[i] - g[i];", args, value=step, inputs=("p", "g"))
    (out,) = goal.outputs
    assert out.written is mk("w_sub", *out.spec.args)
    assert {b.param: b.tensor for b in goal.buffers} == {"p": "p", "g": "g"}
