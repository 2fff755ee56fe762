"""The corpus: `tests/corpus/NN_name/` has one spec.py and kernels; each kernel's first lines say what its verdict must be, and why.

    // devsem: device=h100,t4 flags="-fmad=false" verdict=PROVED obligations=expf

Also: assume="not isnan(x)" (may be repeated), equality=zero-sign, bind="slope=0.01", launch="grid=2,1,1 block=32,1,1", input=x:7fc00000 (the
witness), safety=FAIL, reject=cuda.atomic@12, slow=yes, bug="…" (a known bug: the test is
expected to fail). A verdict OPEN also says what a person knows: truth=equal, differs or unknown.
"""

from __future__ import annotations

import functools
import shlex
from dataclasses import dataclass, fields
from pathlib import Path

from devsem import assume
from devsem.frontend import capture_process
from devsem.frontend.cuda import parse_kernel
from devsem.frontend.spec import Spec, load_spec
from devsem.goal import Goal, make_goal, parse_launch
from devsem.request import Request
from devsem.symbolic import Stores, run

ROOT = Path(__file__).resolve().parent
CORPUS, REGRESSIONS = ROOT / "corpus", ROOT / "regressions"
MARK = "// devsem:"
VERDICTS, TRUTHS = ("PROVED", "REFUTED", "OPEN", "REJECTED"), ("equal", "differs", "unknown")


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """One header line."""

    device: str
    verdict: str
    flags: str = ""
    assume: tuple[str, ...] = ()
    equality: str = "bits"
    bind: str | None = None
    launch: str = "1d"
    input: str = ""
    safety: str = ""
    reject: str = ""
    obligations: str = ""
    truth: str = ""
    slow: str = ""
    bug: str = ""

    def __post_init__(self) -> None:
        if self.verdict not in VERDICTS or (self.verdict == "OPEN") != (self.truth in TRUTHS) or (self.verdict == "REJECTED") != bool(self.reject):
            raise ValueError(f"an expectation that says nothing: {self}")

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices, which share one request."""
        return tuple(self.device.split(","))


@dataclass(frozen=True)
class Case:
    """A kernel with one of its expectations."""

    kernel: Path
    expected: Expectation

    @property
    def spec(self) -> Path:
        """The spec beside the kernel."""
        return self.kernel.parent / "spec.py"

    @property
    def name(self) -> str:
        """For the test's name: which kernel, devices, flags."""
        e = self.expected
        words = (e.device, e.flags, *e.assume, e.equality if e.equality != "bits" else "")
        return " ".join((f"{self.kernel.parent.name}/{self.kernel.stem}", *filter(None, words)))

    def request(self, out: Path) -> Request:
        """What `devsem verify` would be asked."""
        e = self.expected
        if e.equality not in ("bits", "zero-sign"):
            raise ValueError(f"{self.kernel}: equality {e.equality}")
        return Request(kernel=self.kernel, spec=self.spec, devices=e.devices, flags=e.flags, bind=e.bind, launch=e.launch, assume=e.assume,
                       reading="written",    # what the headers say; bench/divergences.py compares the text with the compiled code
                       equality="bits" if e.equality == "bits" else "zero-sign", out=out, timeout=5 if e.verdict == "OPEN" else 20)


def expectation(line: str) -> Expectation:
    """Read one header line; an unknown word raises ValueError."""
    known = {f.name for f in fields(Expectation)}
    values: dict[str, str] = {}
    assumed: list[str] = []
    for word in shlex.split(line.removeprefix(MARK)):
        key, equals, value = word.partition("=")
        if key not in known or not equals or key in values:
            raise ValueError(f"{word!r} in {line!r}")
        if key == "assume":
            assumed.append(value)
        else:
            values[key] = value
    return Expectation(assume=tuple(assumed), **values)


def cases(root: Path = CORPUS) -> list[Case]:
    """Every expectation of every kernel, in the order of the files; a kernel without one raises ValueError."""
    out: list[Case] = []
    for kernel in sorted(root.glob("*/*.cu")):
        lines = kernel.read_text(encoding="utf-8").splitlines()
        heads = [line for line in lines if line.startswith(MARK)]
        if not heads or heads != lines[: len(heads)]:
            raise ValueError(f"{kernel}: the first lines, and no others, begin with {MARK}")
        out += [Case(kernel, expectation(h)) for h in heads]
    return out


def proved(root: Path = CORPUS) -> list[Case]:
    """One PROVED expectation for each kernel that has one."""
    return list({c.kernel: c for c in reversed(cases(root)) if c.expected.verdict == "PROVED"}.values())[::-1]


@functools.cache
def spec_of(path: str) -> Spec:
    """A spec, captured once in this process, by a server that imports torch once."""
    capture_process.warm()
    return load_spec(path)


def goal_of(case: Case, text: str | None = None) -> tuple[Goal, Stores]:
    """The case's question without a device: its kernel (or this text in its place) against its spec. Raises Rejected, UsageError."""
    e = case.expected
    source = case.kernel.read_bytes() if text is None else text.encode()
    stores = run(parse_kernel(str(case.kernel), source))
    spec = spec_of(str(case.spec))
    assumptions = tuple(assume.parse(a, [i.name for i in spec.inputs]) for a in e.assume)
    return make_goal(stores, spec, e.bind, parse_launch(e.launch), assumptions, str(case.kernel)), stores
