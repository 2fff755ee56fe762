"""Specs element by element: every operator's elements are those that torch computes, and sums whose order is free are known as such."""

from __future__ import annotations

import importlib.util
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from devsem import floats, libm
from devsem.aten_order import MAG, one_dot, one_sum, pattern_of, units
from devsem.errors import Rejected
from devsem.evaluate import evaluate
from devsem.expr import const, topo, variables
from devsem.frontend import capture
from devsem.frontend.spec import graph_in
from devsem.frontend.spec_arrays import ArraySpec, translate_arrays
from devsem.ops import OPS

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"
X34, X5, AB = "[torch.randn(3, 4)]", "[torch.randn(5)]", "[torch.randn(2, 3), torch.randn(3, 4)]"
IMAGE = "[torch.randn(1, 2, 4, 4)]"
# what is exact whatever the order: the test's numbers are small integers
EXACT = [
    ("return x + x[0]", X34), ("return x.t().contiguous()", X34), ("return x[:, 1:3] * 2.0", X34), ("return x.view(2, 6).permute(1, 0) - 1", X34),
    ("return torch.cat([x, x + 1], dim=1)", X34), ("return torch.stack([x, -x], dim=0)[1]", X34), ("return x.flip(0)", X34),
    ("return x[torch.tensor([2, 0])]", X34), ("return x[:, torch.arange(4) ^ 1]", X34), ("a, b = x.chunk(2, dim=1)\n    return a - b", X34),
    ("a, b, c = x.split([1, 1, 2], dim=1)\n    return a + b + c", X34), ("a, b, c = x.unbind(0)\n    return a * b + c", X34),
    ("return x + torch.arange(4).float()", X34), ("return x.unsqueeze(1).expand(3, 2, 4).reshape(6, 4)", X34), ("return x.roll(1, 1)", X34),
    ("y = torch.zeros(3, 4)\n    y[:, 0] = x[:, 1]\n    y[1] += 2\n    return y", X34), ("y = x.clone()\n    y.t()[0].mul_(3)\n    return y", X34),
    ("return torch.where(x > 0, x, torch.zeros(4))", X34), ("return torch.tril(x) + torch.triu(x, 1)", X34), ("return x.narrow(1, 1, 2)", X34),
    ("return x.sum()", X34), ("return x.sum(dim=1)", X34), ("return x.sum(dim=0, keepdim=True)", X34), ("return x.mean(dim=1)", X34),
    ("return x.cumsum(1)", X34), ("return torch.cumsum(x.flip(0), dim=0)", X34),
    ("return x.max()", X34), ("return x.max(dim=1).values", X34), ("return x.min(dim=0, keepdim=True)[0]", X34), ("return x.amax(dim=(0, 1))", X34),
    ("return x.view(3, 4).amin(dim=-1)", X34), ("return x @ y", AB), ("return torch.matmul(x[0], y)", AB), ("return F.linear(x, y.t(), y[0])", AB),
    ("return torch.bmm(x[None], y[None])", AB), ("return torch.addmm(y[1], x, y)", AB), ("return x.norm(p=1, dim=1)", X34),
    ("return F.max_pool2d(x, 2)", IMAGE), ("return F.avg_pool2d(x, 2)", IMAGE), ("return F.max_pool2d(x, 3, stride=1, padding=1)", IMAGE),
    ("return F.conv2d(x, x[:, :, :2, :2])", IMAGE),
    ("return F.conv2d(x, x[:, :1, :3, :3].expand(2, 1, 3, 3), padding=1, groups=2, bias=x[0, 0, 0, :2])", IMAGE),
    ("return F.adaptive_avg_pool2d(x, 1)", IMAGE), ("return F.max_pool1d(x, 3, 2)", X34), ("return F.mse_loss(x, x.flip(1), reduction='none')", X34),
    ("acc = torch.zeros(())\n    for j in range(x.shape[0]):\n        acc = acc + x[j] * x[j]\n    return acc.reshape(1)", X5),
    ("return x * (torch.arange(5) % 2 == 0)", X5), ("return torch.full((2, 5), 3.0) + x", X5), ("return x.repeat(2, 1)", X5),
]
CLOSE = [
    ("return torch.softmax(x, dim=1)", X34), ("return torch.log_softmax(x, 0)", X34), ("return torch.logsumexp(x, 1)", X34), ("return x.var(dim=1)", X34),
    ("return x.std(dim=0, unbiased=False)", X34), ("return F.layer_norm(x, (4,), x[0], x[1])", X34), ("return x.norm(dim=1)", X34),
    ("return F.batch_norm(x, x[0], x[1] * x[1], x[2], x[1])", X34), ("return F.group_norm(x, 2, x[0, 0, 0, :2], x[0, 0, 1, :2])", IMAGE),
]
RNG = np.random.default_rng(1)


def capture_spec(folder: Path, bodies: list[str], inputs: str) -> tuple[ArraySpec, torch.nn.Module, list[torch.Tensor]]:
    """The spec of a module that returns what each of these functions does, the module, and its inputs."""
    names = "x, y" if inputs == AB else "x"
    methods = "".join(f"  def f{k}(self, {names}):\n    {body}\n\n" for k, body in enumerate(bodies))
    results = ", ".join(f"self.f{k}({names})" for k in range(len(bodies)))
    text = f"{HEAD}class Model(nn.Module):\n{methods}  def forward(self, {names}):\n    return {results}\n\ndef get_inputs():\n    return {inputs}\n"
    path, result = folder / "spec.py", folder / "spec.json"
    path.write_text(text, encoding="utf-8")
    capture.main(str(path), "Model", str(result))
    found = importlib.util.spec_from_file_location("under_test", path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return translate_arrays(str(path), graph_in(str(path), json.loads(result.read_text()))), module.Model(), module.get_inputs()


def computed(spec: ArraySpec, inputs: list[torch.Tensor]) -> list[np.ndarray]:
    """The spec's outputs on these inputs, as numbers."""
    env = {v: np.array([0], np.uint32) for v in variables(*(e for o in spec.outputs for e in o.reshape(-1)))}
    numbers = {f"{i.name}[{k}]": p for i, t in zip(spec.inputs, inputs, strict=True) for k, p in enumerate(t.numpy().reshape(-1).view(np.uint32))}
    env = {v: np.array([numbers[v.name]], np.uint32) for v in env}
    out = []
    for o in spec.outputs:
        roots = list(o.reshape(-1))
        functions = {n.op: libm.nominal(n.op) for n in topo(*roots) if n.args and OPS[n.op].kind == "obligation"}
        values = evaluate(roots, env, functions)
        out.append(np.array([int(v[0]) for v in values], np.uint32).view(np.float32).reshape(o.shape))
    return out


def compared(folder: Path, cases: list[tuple[str, str]], inputs: str,
             numbers: Callable[[tuple[int, ...]], np.ndarray]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """For each case on inputs of this kind: its body, what the spec gives, and what torch does."""
    bodies = [body for body, kind in cases if kind == inputs]
    spec, model, like = capture_spec(folder, bodies, inputs)
    given = [torch.tensor(numbers(tuple(t.shape)), dtype=torch.float32) for t in like]
    with torch.no_grad():
        results = model(*[g.clone() for g in given])
    expected = [r.numpy() for r in (results if isinstance(results, tuple) else (results,))]
    return zip(bodies, computed(spec, given), expected, strict=True)


@pytest.mark.parametrize("inputs", dict.fromkeys(inputs for _, inputs in EXACT))
def test_every_element_is_torchs(tmp_path: Path, inputs: str) -> None:
    for body, found, expected in compared(tmp_path, EXACT, inputs, lambda shape: RNG.integers(-8, 9, shape)):
        assert found.shape == expected.shape, body
        assert np.array_equal(found, expected), body


@pytest.mark.parametrize("inputs", dict.fromkeys(inputs for _, inputs in CLOSE))
def test_what_rounds_otherwise_on_a_cpu_is_close(tmp_path: Path, inputs: str) -> None:
    for body, found, expected in compared(tmp_path, CLOSE, inputs, lambda shape: RNG.uniform(-2, 2, shape)):
        assert found.shape == expected.shape, body
        assert np.allclose(found, expected, rtol=1e-5, atol=1e-6), body


@pytest.mark.parametrize(("body", "inputs", "free"), [
    ("return x.sum()", X5, 1), ("return x[:2].sum()", X5, 0), ("return x.sum(dim=1)", X34, 3), ("return x.max()", X34, 0), ("return x @ y", AB, 8),
    ("return torch.softmax(x, 1)", X34, 3), ("acc = x[0]\n    for j in range(1, 5):\n        acc = acc + x[j]\n    return acc.reshape(1)", X5, 0),
    ("return F.avg_pool2d(x, 2)", IMAGE, 0), ("return x.var(dim=1)", X34, 3), ("return F.layer_norm(x, (4,))", X34, 3 + 3 + 12),
])
def test_sums_without_an_order_are_noted(tmp_path: Path, body: str, inputs: str, free: int) -> None:
    assert len(capture_spec(tmp_path, [body], inputs)[0].free) == free


@pytest.mark.parametrize(("body", "inputs", "code"), [
    ("return torch.fft.fft(x).real", X5, "spec.operator"), ("x.add_(1)\n    return x * 2", X5, "spec.mutation"),
    ("return x.double().float()", X5, "spec.dtype"),
    ("return x[x > 0]", X5, "spec.operator"), ("return x.cumsum(0)", X5, "spec.operator"),
    ("return x.expand(200000, 5) + 1", X5, "spec.large"), ("return x + torch.randn(5)", X5, "spec.operator"),
])
def test_what_is_not_in_the_table_is_refused(tmp_path: Path, body: str, inputs: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        capture_spec(tmp_path, [body], inputs)
    assert {r.code for r in caught.value.rejections} == {code}


def brute(terms: list[int]) -> set[int]:
    """Every sum of these patterns and a zero, by all orders and associations, with numpy's own addition."""
    if len(terms) == 1:
        return set(terms)
    found = set()
    for k in range(1, len(terms)):
        for left in itertools.combinations(range(len(terms)), k):
            right = [t for i, t in enumerate(terms) if i not in left]
            a = np.array([[p] for p in brute([terms[i] for i in left])], np.uint32).view(np.float32)
            b = np.array(list(brute(right)), np.uint32).view(np.float32)
            with np.errstate(all="ignore"):
                found |= {0x7FFFFFFF if p & MAG > 0x7F800000 else p for p in (a + b).view(np.uint32).reshape(-1).tolist()}
    return found


def test_a_sum_is_known_only_where_every_order_gives_it() -> None:
    special = [0, 0x80000000, 1, 0x80000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FFFFFFF, 0x3F800000, 0x33800000, 0xBF800000, 0x4B800000,
               0x3F800001, 0x33000000, 0x00800000]
    known = 0
    for _ in range(400):
        terms = [int(p) for p in RNG.choice(special, RNG.integers(1, 4))]
        sums = brute([*terms, 0])
        found = one_sum(terms)
        known += found is not None
        assert (found is None) == (len(sums) > 1) or (found is None and 0x7F800000 in sums | {p & MAG for p in sums}), (terms, sums, found)
        assert found is None or sums == {found}, (terms, sums, found)
    assert known > 100


def test_many_terms_are_known_by_a_large_one_or_by_exactness() -> None:
    one, tiny = const(1.0).value, const(1e-12).value
    assert one_sum([one] * 48) == const(48.0).value
    assert one_sum([tiny] * 20 + [one] + [tiny] * 20) == one
    assert one_sum([const(0.1).value] * 40) is None
    assert one_dot([one, tiny, tiny, one, const(3.0).value, const(7.0).value]) == const(21.0).value
    assert one_dot([const(0.1).value, const(0.1).value]) is None
    assert one_dot([0x80000000, one]) is None


def test_units_and_patterns_are_inverse() -> None:
    for p in (0, 1, 0x7FFFFF, 0x800000, 0x800001, 0x1000000, 0x3F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0xBF800001, *RNG.integers(1, 0x7F800000, 200)):
        assert pattern_of(units(int(p))) == p
    assert pattern_of((1 << 25) + 1) is None and pattern_of(1 << 277) is None
    a, b = np.uint32(0x3F800001), np.uint32(0x40400003)
    assert (pattern_of(units(int(a)) + units(int(b))) or 0) in (0, int(floats.add(np.array([a]), np.array([b]))[0]))
