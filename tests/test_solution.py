"""KernelBench solutions, read and never run: what they launch, which lines their kernels stand on, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from devsem.errors import Rejected
from devsem.frontend.host_load import load_plan
from devsem.frontend.solution import MAX_BYTES, Solution, read_solution
from devsem.frontend.solution_text import Text, joined, literal
from devsem.frontend.spec import SpecInput
from devsem.plan import dims_at, size_of

FOLDER = Path(__file__).parent / "solutions"
X = SpecInput("x", "input", (4, 8))
WRAPPER = """torch::Tensor f(torch::Tensor x) { auto y = torch::empty_like(x); int n = x.numel();
    k<<<(n + 31) / 32, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y; }"""
KERNEL = "__global__ void k(const float* x, float* y, int n) { int i = blockIdx.x * 32 + threadIdx.x; if (i < n) y[i] = x[i] * SCALE; }"
HEAD = f'''import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline
K = """{KERNEL}"""
W = """{WRAPPER}"""
'''
MODEL = '''
class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.ext = ext

    def forward(self, x):
        return self.ext.f(x)
'''
LOAD = 'ext = load_inline(name="e", cpp_sources="torch::Tensor f(torch::Tensor x);", cuda_sources=source, functions=["f"])\n'


def solution(source: str, *, load: str = LOAD, model: str = MODEL, inputs: tuple[SpecInput, ...] | None = (X,), init: tuple[object, ...] = ()) -> Solution:
    return read_solution("s.py", f"{HEAD}{source}\n{load}{model}", inputs, init)


SCALED = [
    'source = K.replace("SCALE", "2.0f") + W',
    'scale = 2.0\nsource = f"#define SCALE {scale}f\\n" + K + "\\n" + W',
    'source = "".join([K.replace("SCALE", str(2) + ".0f"), W])',
    'source = "\\n#define SCALE {}f\\n".format(2.0) + K + W',
    'source = ("#define SCALE 2.0f\\n"\n          "// a comment\\n") + K + "\\n" + W',
    'import textwrap\nsource = textwrap.dedent("""\n    #define SCALE 2.0f\n    """) + K + W',
    'def made(scale):\n    return K.replace("SCALE", scale) + W\nsource = made("2.0f")',
    'source = [K.replace("SCALE", "2.0f"), W]',
    'source = K.replace("SCALE", "%s.%df" % ("2", 0)) + W',
    'source = K.replace("SCALE", "5 %% 3 * 1.0f" % ()) + W',
    'class Sources:\n    scale: str = "2.0f"\n    kernel = K.replace("SCALE", scale)\nsource = Sources.kernel + W',
]


@pytest.mark.parametrize("text", SCALED)
def test_strings_are_put_together(text: str) -> None:
    found = solution(text)
    assert any(made in found.text[1] for made in ("x[i] * 2.0f", "SCALE 2.0f", "x[i] * 5 % 3 * 1.0f"))
    assert [(q.function, q.arguments[:2]) for q in found.plan.launches] == [("k", ("x", "y"))]


def test_lines_are_those_of_the_python_file() -> None:
    found = solution('source = K.replace("SCALE", "2.0f") + "\\n" + W')
    path, text = found.text
    assert path == "s.py" and text.splitlines()[3].strip().startswith("__global__") and found.plan.launches[0].where.line == 6
    odd = solution('source = K.replace("SCALE", "\\n\\n\\n2.f") + W')
    assert odd.text[0] == "s.py (cuda_sources)"     # no place is better than a wrong one


def test_text_keeps_its_lines() -> None:
    a, b = literal("a\nb\n", 10, 4, 12), literal("c", 20, 2, 20)
    assert (a + b).laid_out() == ("\n" * 9 + "    a\nb\n" + "\n" * 8 + "c", True)
    assert joined((b, a), Text("\n", (1, 1))).laid_out()[1] is False
    assert a.stripped(True, True) == Text("a\nb", (10, 11), 4)
    assert literal("a\\\nb", 1, 0, 2).value == "a\\\nb" and (Text("a\\", (1,)) + Text("\nb", (1, 9))).laid_out() == ("a\\\nb", False)


def test_parameters_go_by_their_names() -> None:
    inputs = (SpecInput("x", "input", (5, 3)), SpecInput("linear.weight", "parameter", (2, 3)), SpecInput("linear.bias", "parameter", (2,)))
    found = load_plan(FOLDER / "linear_relu.py", inputs, (3, 2)) if _loops() else None
    read = read_solution("s.py", (FOLDER / "linear_relu.py").read_bytes(), inputs, (3, 2))
    assert read.plan.launches[0].arguments[:4] == ("x", "linear.weight", "linear.bias", "h") and read.flags == "-use_fast_math"
    sizes = {size_of(i.name, a): n for i in inputs for a, n in enumerate(i.shape)}
    assert [dims_at(s, sizes) for s in read.plan.shapes] == [(5, 2)] and (found is None or len(found.programs) == 2)
    with pytest.raises(Rejected, match=r"`linear\.weight` is no parameter or buffer"):
        read_solution("s.py", (FOLDER / "linear_relu.py").read_bytes(), inputs[:1], (3, 2))


def _loops() -> bool:
    """Does the device's front end read loops yet?"""
    from devsem.rejections import TABLE
    return "cuda.loop" not in TABLE


FORWARD = 'source = K.replace("SCALE", "2.0f") + W'


def forward(body: str, init: str = "pass", arguments: str = "") -> str:
    return (f"class ModelNew(nn.Module):\n    def __init__(self{arguments}):\n        super().__init__()\n        {init}\n"
            f"    def forward(self, x):\n        {body}\n")


@pytest.mark.parametrize(("body", "shape"), [
    ("return ext.f(x.contiguous().cuda())", (4, 8)),
    ("b, n = x.shape; return ext.f(x.view(-1)).view(b, n // 2, 2)", (4, 4, 2)),
    ("return ext.f(x.reshape(x.size(0), -1)).unsqueeze(0)", (1, 4, 8)),
    ("x = x.to(torch.float32); return ext.f(x.flatten(0, 1))", (32,)),
    ("assert x.is_cuda and x.dim() == 2; return ext.f(x) if x.shape[1] > 4 else ext.f(x.view(-1))", (4, 8)),
    ("with torch.no_grad():\n            return ext.f(x)", (4, 8)),
])
def test_forward(body: str, shape: tuple[int, ...]) -> None:
    found = solution(FORWARD, model=forward(body))
    assert [dims_at(s, {size_of("x", 0): 4, size_of("x", 1): 8}) for s in found.plan.shapes] == [shape]


def test_numbers_come_from_get_init_inputs() -> None:
    wrapper = WRAPPER.replace("torch::Tensor x)", "torch::Tensor x, float a)").replace(", n)", ", n, a)")
    text = f'source = """{KERNEL.replace("int n", "int n, float a").replace("SCALE", "a")} {wrapper}"""'
    model = forward("return ext.f(x, self.alpha * 2)", "self.alpha = alpha", ", alpha: float = 1.0")
    found = solution(text, model=model, init=(0.25,))
    assert found.plan.launches[0].arguments[3].value == int(np.float32(0.5).view(np.uint32))  # type: ignore[union-attr]


def test_numbers_come_from_get_inputs() -> None:
    wrapper = WRAPPER.replace("torch::Tensor x)", "torch::Tensor x, double a)").replace(", n)", ", n, (float)a)")
    text = f'source = """{KERNEL.replace("int n", "int n, float a").replace("SCALE", "a")} {wrapper}"""'
    model = forward("assert x.dtype == torch.float32; return ext.f(x, s)").replace("forward(self, x)", "forward(self, s, x)")
    made = f"{HEAD}{text}\n{LOAD}{model}"
    found = read_solution("s.py", made, (X,), (), {0: 0.375})
    assert found.plan.launches[0].arguments[3].value == int(np.float32(0.375).view(np.uint32))  # type: ignore[union-attr]
    with pytest.raises(Rejected, match="forward takes 2 tensors, the spec gives 1"):
        read_solution("s.py", made, (X,), ())


def test_a_class_has_constants() -> None:
    found = solution(FORWARD, model=forward("return self.module.f(x) if self.fast else None") + "    module = ext\n    fast = True\n")
    assert [q.function for q in found.plan.launches] == ["k"]


REFUSED = [
    (FORWARD, forward("return torch.relu(ext.f(x))"), "solution.operator", "torch.relu"),
    (FORWARD, forward("return ext.f(x) + x"), "solution.operator", "+ x"),
    (FORWARD, forward("return ext.f(x.t())"), "solution.operator", "x.t()"),
    (FORWARD, forward("return ext.f(x[0])"), "solution.operator", "x[0]"),
    (FORWARD, forward("if x: return ext.f(x)"), "solution.branch", "if x"),
    (FORWARD, forward("return ext.f(self.w)", "self.w = nn.Parameter(torch.randn(3))"), "solution.parameter", "ext.f"),
    (FORWARD, forward("return ext.f(self.w)", "self.w = torch.randn(3)"), "solution.value", "ext.f"),
    (FORWARD, forward("return ext.g(x)"), "solution.operator", "ext.g"),
    (FORWARD, forward("return ext.f(x, 3)"), "host.arguments", ""),
    (FORWARD, forward("return ext.f(3)"), "host.check", "ext.f"),
    (FORWARD, forward("return eval('x')"), "solution", "eval"),
    (FORWARD, forward("return ext.f(x)", "self.forward = lambda x: x"), "solution.construct", "lambda"),
    (FORWARD, forward("return ext.f(x)", "self.forward = ext"), "solution.statement", "self.forward"),
    (FORWARD, forward("return ext.f(x)", "self.__class__ = ext"), "solution.statement", "__class__"),
    (FORWARD, forward("return ext.f(x)", "self._call_impl = ext.f"), "solution.statement", "_call_impl"),
    (FORWARD, forward("return ext.f(x)", "self._forward_hooks = ext"), "solution.statement", "_forward_hooks"),
    (FORWARD, forward("return ext.f(x)") + "\n    _compiled_call_impl = ext.f\n", "solution.statement", "_compiled_call_impl"),
    (FORWARD, forward("return ext.f(x)") + "\n    forward = ext.f\n", "solution.statement", "forward"),
    (FORWARD, forward("return ext.f(x)") + "\n    x, y = 1, 2\n", "solution.statement", "x, y"),
    ('source = "%5d" % 3', forward("return ext.f(x)"), "solution.text", "%5d"),
    ('source = "%d" % (1, 2)', forward("return ext.f(x)"), "solution.text", "%d"),
    ('source = "%d%d" % 1', forward("return ext.f(x)"), "solution.text", "%d"),
    (FORWARD, forward("assert x.dtype == torch.float16; return ext.f(x)"), "host.check", "float16"),
    (FORWARD, forward("return ext.f(x)", "setattr(self, 'forward', ext)"), "solution.construct", "setattr"),
    (FORWARD, forward("return ext.f(x)") + "\n    def __call__(self, x):\n        return x\n", "solution.statement", "class"),
    (FORWARD + "\ntorch.empty_like = torch.ones_like", forward("return ext.f(x)"), "solution.statement", "empty_like"),
    (FORWARD + "\nexec('source = 1')", forward("return ext.f(x)"), "solution.construct", "exec"),
    (FORWARD + "\nimport kernels", forward("return ext.f(x)"), "solution.statement", "kernels"),
    (FORWARD + "\nimport triton", forward("return ext.f(x)"), "solution.statement", "triton"),
    (FORWARD + "\nwhile True: pass", forward("return ext.f(x)"), "solution.statement", "while"),
    (FORWARD + "\n__import__('os').system('true')", forward("return ext.f(x)"), "solution", "__import__"),
    (FORWARD + "\nopen('x').read()", forward("return ext.f(x)"), "solution.construct", "open"),
    (FORWARD + "\nglobals()['source'] = W", forward("return ext.f(x)"), "solution.construct", "globals"),
    (FORWARD + "\n@open('x')\ndef g(): pass", forward("return ext.f(x)"), "solution", "@open"),
    ('source = f"{open(1)}"', forward("return ext.f(x)"), "solution.construct", "open"),
    ('source = f"{3:>9}"', forward("return ext.f(x)"), "solution.text", ">9"),
    ("source = K.translate({})", forward("return ext.f(x)"), "solution.text", "translate"),
    ('source = "x" * 1000000000', forward("return ext.f(x)"), "solution.value", "1000000000"),
    ("source = K\nfor i in range(3): source += W", forward("return ext.f(x)"), "solution.statement", "for"),
    ('source = K + "// __LINE__\\n" + W', forward("return ext.f(x)"), "solution.line", "load_inline"),
    ("source = K", "class Model: pass", "solution.no_model", ""),
]


@pytest.mark.parametrize(("text", "model", "code", "snippet"), REFUSED)
def test_what_is_refused(text: str, model: str, code: str, snippet: str) -> None:
    with pytest.raises(Rejected) as found:
        solution(text, model=model)
    first = found.value.rejections[0]
    assert first.code.startswith(code), str(first)
    line = f"{HEAD}{text}\n{LOAD}{model}".splitlines()[first.where.line - 1] if first.where.line else ""
    assert snippet in line and (first.where.line or not snippet), str(first)


FLAGS = [("['-O3', '--use_fast_math', '-lineinfo']", "-use_fast_math"), ("['--fmad=false', '-std=c++17']", "-fmad=false"),
         ("['-Xptxas', '-O3', '-gencode', 'arch=compute_80,code=sm_80']", ""), ("['-Xptxas', '-O1']", None), ("['-DSCALE=2.0f']", None), ("['-ftz']", None)]


@pytest.mark.parametrize(("flags", "wanted"), FLAGS)
def test_flags(flags: str, wanted: str | None) -> None:
    load = LOAD.replace('functions=["f"]', f'functions=["f"], extra_cuda_cflags={flags}')
    if wanted is None:
        with pytest.raises(Rejected, match="extra_cuda_cflags"):
            solution(FORWARD, load=load)
    else:
        assert solution(FORWARD, load=load).flags == wanted


def test_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    hostile = "open('made', 'w').write('x')\n"
    for text in (hostile + FORWARD, FORWARD + "\n" + hostile, f"import os\nos.system('touch made')\n{FORWARD}", f"def f(x=open('made', 'w')): pass\n{FORWARD}",
                 f"class A:\n    {hostile}\n{FORWARD}", "source = f\"{open('made', 'w')}\""):
        with pytest.raises(Rejected):
            solution(text)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("text", [
    "(" * 3000 + ")" * 3000, "x = " + "-" * 50000 + "1", "x = " + "+".join(["'a'"] * 20000), "x = 'a'\n" + "x = x + x\n" * 40, "x = 3\n" + "x = x * x\n" * 40,
    "x = 'a'\n" + "x = x.replace('a', 'aaaaaaaaaa')\n" * 40, "def f(n):\n    return f(n) + f(n)\nx = f(1)", "\0", "x = '\\ud800'", "a" * (MAX_BYTES + 1),
    "class ModelNew", "def a0(): return 1\n" + "".join(f"def a{i + 1}(): return a{i}() + a{i}()\n" for i in range(28)) + "x = a28()",
])
def test_hostile_texts_end_in_a_refusal(text: str) -> None:
    with pytest.raises(Rejected):
        read_solution("s.py", text)
