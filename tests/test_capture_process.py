"""A spec's own process: forked from the warm server or started afresh, it gives the same answers, and nothing it does gets out."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from devsem.errors import Rejected, UsageError
from devsem.expr import show
from devsem.frontend import capture_process
from devsem.frontend.capture_process import Server, Warm, answer
from devsem.frontend.spec import load_spec

pytestmark = pytest.mark.slow  # minutes; `make test-all` runs it

ROOT = Path(__file__).resolve().parents[1]
HEAD = "import os, signal, subprocess, sys, threading, time\nimport torch\nfrom torch import nn\n"
MODEL = "class Model(nn.Module):\n    def forward(self, x):\n        return {}\ndef get_inputs():\n    return [torch.randn(8)]\n"
LIMIT = 100.0     # seconds no test should need; for a loaded machine


def spec(folder: Path, first: str = "", result: str = "torch.tanh(x)", name: str = "spec.py") -> str:
    """A spec that runs some lines on import."""
    path = folder / name
    path.write_text(f"{HEAD}{textwrap.dedent(first)}\n{MODEL.format(result)}", encoding="utf-8")
    return str(path)


def value(path: str, timeout: float = LIMIT) -> str:
    """The captured output."""
    (output,) = load_spec(path, timeout=timeout).outputs
    return show(output)


def gone(pid: int) -> bool:
    """Whether a process ends soon; one that nobody waits for any more counts as ended."""
    deadline = time.monotonic() + LIMIT     # a server that still imports torch ends after that
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def number(path: Path) -> int:
    """The number a spec wrote into a file, once it is there."""
    for _ in range(1000):
        if path.exists() and (text := path.read_text(encoding="utf-8")).endswith("\n"):
            return int(text)
        time.sleep(0.05)
    raise AssertionError(f"{path} was never written")


def note(path: Path, what: str) -> str:
    """A statement that writes a number."""
    return f"open({str(path)!r}, 'w').write(f'{{{what}}}\\n')"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A warm server of this module's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capture_process, "_WARM", Warm())
        capture_process.warm()
        found = capture_process._WARM.server
        assert found is not None
        yield found
        found.stop()


@pytest.fixture(params=["forked", "fresh"])
def way(request: pytest.FixtureRequest, server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to run a spec."""
    if request.param == "fresh":
        monkeypatch.setattr(capture_process, "_WARM", Warm())
    return str(request.param)


# --- both ways


def test_what_a_spec_prints_is_lost(tmp_path: Path, way: str) -> None:
    assert value(spec(tmp_path, "print('{\"graph\": 1}', flush=True)\nprint('noise', file=sys.stderr)")) == "S.tanhf(x)"


@pytest.mark.parametrize(("first", "said"), [
    ("os.write(2, b'last words'); os._exit(7)", "ended with code 7: last words"),
    ("os.kill(os.getpid(), signal.SIGKILL)", "ended with code -9"),
    ("sys.exit('bye')", "spec.py:4: importing the spec fails: SystemExit: bye"),
])
def test_a_spec_that_ends_its_process_is_one_sentence(tmp_path: Path, way: str, first: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        value(spec(tmp_path, first))
    assert str(caught.value).endswith(said)


def test_a_class_that_is_not_there(tmp_path: Path, way: str) -> None:
    with pytest.raises(Rejected, match=r"it defines no nn\.Module class Net; it has Model"):
        load_spec(spec(tmp_path), class_name="Net")


def test_time_out_and_missing_file(tmp_path: Path, way: str) -> None:
    with pytest.raises(UsageError, match=r"took more than 0\.2 s"):
        value(spec(tmp_path, "time.sleep(100)"), timeout=0.2)
    with pytest.raises(UsageError, match="there is no such spec file"):
        value(str(tmp_path / "none.py"))


def test_a_time_out_ends_the_spec_and_what_it_started(tmp_path: Path, way: str) -> None:
    path = spec(tmp_path, f"""
        child = subprocess.Popen(['sleep', '1000'])
        {note(tmp_path / 'child', 'child.pid')}
        {note(tmp_path / 'own', 'os.getpid()')}
        while True: pass
        """)
    start = time.perf_counter()
    value(spec(tmp_path, name="quick.py"))
    enough = round(3 * (time.perf_counter() - start) + 1)
    with pytest.raises(UsageError, match=f"took more than {enough} s"):
        value(path, enough)
    assert gone(number(tmp_path / "own")) and gone(number(tmp_path / "child"))


def test_the_current_directory_is_ours(tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "factor.txt").write_text("0.25", encoding="utf-8")
    spec(tmp_path, "k = float(open('factor.txt').read())", "x * k")
    assert value("spec.py") == "mul_rn(x, 0.25)"


def test_both_ways_capture_the_same(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "spec.py"
    path.write_text(f"""{HEAD}
class Model(nn.Module):
    def __init__(self, slope):
        super().__init__()
        self.w, self.slope = nn.Parameter(torch.ones(4, 8)), slope
        self.register_buffer("b", torch.zeros(4, 8))
    def forward(self, x, y):
        z = nn.functional.leaky_relu(x * self.w + self.b, self.slope)
        return torch.where(y > torch.tensor(0.5), z, y), z.relu_()
class Branch(nn.Module):
    def __init__(self, slope): super().__init__()
    def forward(self, x, y): return x if x.sum() > 0 else y
class Free(Branch):
    def forward(self, x, y): return torch.relu(x) + y
def get_init_inputs(): return [torch.rand(1).item()]
def get_inputs(): return [torch.randn(4, 8), torch.randn(4, 8)]
""", encoding="utf-8")
    names = ("Model", "Free", "Branch")
    forked = [answer(str(path), name, LIMIT) for name in names]
    monkeypatch.setattr(capture_process, "_WARM", Warm())
    assert forked == [answer(str(path), name, LIMIT) for name in names]
    assert [list(a) for a in forked] == [["graph"], ["graph"], ["error"]]
    assert [a["graph"]["size_free"] for a in forked[:2]] == [False, True]    # a parameter has one size


# --- the server


@pytest.mark.slow
def test_fifty_in_a_row_each_its_own(tmp_path: Path, server: Server) -> None:
    for k in range(50):
        assert value(spec(tmp_path, note(tmp_path / "parent", "os.getppid()"), f"x * {k + 2}.5")) == f"mul_rn(x, {k + 2}.5)"
        assert number(tmp_path / "parent") == server.process.pid


def test_requests_at_once_each_its_own(tmp_path: Path, server: Server) -> None:
    paths = [spec(tmp_path, "time.sleep(0.1)", f"x * {k + 2}.5", f"spec{k}.py") for k in range(12)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(value, paths)) == [f"mul_rn(x, {k + 2}.5)" for k in range(12)]


def test_a_spec_leaves_nothing_to_the_next(tmp_path: Path, server: Server) -> None:
    mess = "torch.mark = sys.mark = 1; os.environ['MARK'] = '1'; os.chdir('/'); torch.set_default_dtype(torch.float64); torch.tanh = torch.sin"
    with pytest.raises(Rejected, match="float64"):
        value(spec(tmp_path, mess))
    check = "assert not hasattr(torch, 'mark') and not hasattr(sys, 'mark') and 'MARK' not in os.environ and os.getcwd() != '/'"
    assert value(spec(tmp_path, check, name="next.py")) == "S.tanhf(x)"


@pytest.mark.parametrize("first", [
    "threading.Thread(target=time.sleep, args=(1000,)).start()",
    "assert sys.stdin.read() == '' and os.read(0, 9) == b''\ntry: os.write(0, b'x')\nexcept OSError: pass",
    "os.closerange(0, 1000)",
    "sys.stdout = sys.stderr = None",
    "torch.set_num_threads(4); assert (torch.ones(600, 600) @ torch.ones(600, 600)).sum() == 600 ** 3",
    "torch.ones(3, requires_grad=True).sum().backward()",
    "signal.signal(signal.SIGTERM, signal.SIG_IGN); import atexit; atexit.register(time.sleep, 1000)",
])
def test_a_strange_spec_is_captured(tmp_path: Path, server: Server, first: str) -> None:
    assert value(spec(tmp_path, first)) == "S.tanhf(x)"
    assert server.process.poll() is None


def test_what_a_spec_leaves_running_ends_with_it(tmp_path: Path, server: Server) -> None:
    value(spec(tmp_path, f"child = subprocess.Popen(['sleep', '1000'])\n{note(tmp_path / 'child', 'child.pid')}"))
    assert gone(number(tmp_path / "child"))


def test_without_its_server_a_spec_is_captured_afresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture_process, "_WARM", Warm())
    capture_process.warm()
    found = capture_process._WARM.server
    assert found is not None
    marker = tmp_path / "shot"
    path = spec(tmp_path, f"""
        if not os.path.exists({str(marker)!r}):
            open({str(marker)!r}, 'w').close()
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(100)
        """)
    assert value(path) == "S.tanhf(x)"
    assert marker.exists() and found.process.wait(10) == -signal.SIGKILL
    assert value(path) == "S.tanhf(x)"
    found.stop()


PARENT = """
import os, sys, threading, time
from devsem.frontend import capture_process as p
p.warm()
print(p._WARM.server.process.pid, flush=True)
if {running}:
    threading.Thread(target=p.answer, args=({path!r}, "Model", 100.0), daemon=True).start()
    while not os.path.exists({own!r}): time.sleep(0.05)
{end}
"""


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_the_server_ends_with_its_parent(tmp_path: Path, running: bool, end: str) -> None:
    own = tmp_path / "own"
    path = spec(tmp_path, f"{note(own, 'os.getpid()')}\nwhile True: pass")
    said = subprocess.run([sys.executable, "-c", PARENT.format(running=running, path=path, own=str(own), end=end)], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, timeout=LIMIT, check=False)
    assert gone(int(said.stdout))
    assert not running or gone(number(own))
