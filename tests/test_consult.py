"""What an open field of a profile blocks: the verdicts of kernels that consult it, and no others."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from devsem import calibration
from devsem.calibration import calibrate, compile_probes
from devsem.cli import run
from devsem.consult import TYPED, has_numbers, of_compiled, of_text
from devsem.device import Device
from devsem.devices import open_device
from devsem.errors import UsageError
from devsem.expr import Expr, bits, const, mk, var, variables
from devsem.ops import F32
from devsem.planted import SWITCHES
from devsem.probes import load_probes
from devsem.profile import FIELDS, Profile, load_open, load_profile

X, Y, Z = (var(n, F32) for n in "xyz")
HALF, ZERO = const(0.5), const(0.0)
POSITIVE = mk("w_lt", ZERO, X)
DATE = "2026-11-30"


def unknown(*fields: str, flags: str = "", device: str = "ieee") -> Profile:
    """A profile of which these fields are open."""
    return replace(load_profile(device, flags), open=MappingProxyType(dict.fromkeys(fields, "undecided (for a test)")))


def consulted_by(profile: Profile, value: Expr) -> Mapping[str, str]:
    return of_text(profile, [value], (X, Y, Z))


TEXTS: Mapping[str, tuple[Expr, set[str]]] = {
    "a copy": (X, set()),
    "a product": (mk("w_mul", X, Y), {"ftz", "exact"}),
    "a product and a sum": (mk("w_add", mk("w_mul", X, Y), Z), {"contract", "ftz", "exact"}),
    "a sum": (mk("w_add", X, Y), {"contract", "ftz", "exact"}),
    "__fadd_rn of a product": (mk("w_add_rn", mk("w_mul_rn", X, Y), Z), {"contract", "ftz", "exact"}),
    "a quotient": (mk("w_div", X, Y), {"division", "ftz", "exact"}),
    "__fdiv_rn": (mk("w_div_rn", X, Y), {"division", "ftz", "exact"}),
    "a root": (mk("w_sqrt", X), {"sqrt", "ftz", "exact"}),
    "__fsqrt_rn": (mk("w_sqrt_rn", X), {"sqrt", "ftz", "exact"}),
    "fmaxf": (mk("w_max", X, Y), {"minmax", "ftz", "exact"}),
    "relu as a choice": (mk("select", POSITIVE, X, ZERO), {"minmax", "rewrites", "ftz", "exact"}),
    "relu the other way": (mk("select", mk("not", POSITIVE), ZERO, X), {"minmax", "rewrites", "ftz", "exact"}),
    "the larger of two": (mk("select", mk("w_lt", X, Y), Y, X), {"minmax", "rewrites", "ftz", "exact"}),
    "leaky relu": (mk("select", POSITIVE, X, mk("w_mul", X, HALF)), {"ftz", "exact"}),
    "leaky relu of a flushed number": (mk("select", mk("not", mk("w_lt", ZERO, mk("w_neg", X))), X, mk("w_mul", HALF, X)), {"ftz", "exact"}),
    "a step": (mk("select", POSITIVE, const(1.0), ZERO), {"ftz", "exact"}),
    "relu after an identity": (mk("select", POSITIVE, mk("w_mul", X, const(1.0)), ZERO), {"minmax", "rewrites", "ftz", "exact"}),
    "relu of a product": (mk("select", mk("w_lt", ZERO, mk("w_mul", X, HALF)), mk("w_mul", HALF, X), ZERO), {"minmax", "rewrites", "ftz", "exact"}),
    "relu of a sum": (mk("select", mk("w_lt", ZERO, mk("w_add", X, Y)), mk("w_add", Y, X), ZERO), {"minmax", "rewrites", "contract", "ftz", "exact"}),
    "a choice by two conditions": (mk("select", mk("and", POSITIVE, mk("w_lt", X, HALF)), mk("w_mul", X, HALF), X), {"minmax", "rewrites", "ftz", "exact"}),
    "an identity": (mk("w_mul", mk("w_add", X, Y), const(1.0)), {"contract", "ftz", "exact"}),      # compilers drop it only where they flush or fuse
    "constants": (mk("w_mul", X, mk("w_mul", const(1.1), const(1.3))), {"rewrites", "ftz", "exact"}),
}


@pytest.mark.parametrize("name", TEXTS)
def test_each_field_alone_is_consulted_or_not(name: str) -> None:
    value, expected = TEXTS[name]
    fields = set(FIELDS) - {"window"}
    consulted = {f for f in fields if consulted_by(unknown(f), value)}
    assert consulted == expected
    assert not consulted_by(load_profile("ieee"), value)
    assert set(consulted_by(unknown(*fields), value)) >= expected     # together they hide no one


def test_an_identity_is_dropped_where_the_device_flushes() -> None:
    assert "rewrites" in consulted_by(unknown("rewrites", flags="-ftz=true"), TEXTS["an identity"][0])


def test_leaky_relu_consults_no_minimum_where_the_device_flushes_either() -> None:
    assert not consulted_by(unknown("minmax", "rewrites", flags="-ftz=true"), TEXTS["leaky relu"][0])
    tiny = mk("select", POSITIVE, X, mk("w_mul", X, bits(0x00400000)))      # flushed, the factor is a zero
    assert "minmax" in consulted_by(unknown("minmax", flags="-ftz=true"), tiny)


def test_what_is_compiled_in_too_many_ways_consults_everything() -> None:
    value = X
    for i in range(7):
        value = mk("w_mul", mk("w_add", mk("w_mul", var(f"a{i}", F32), value), mk("w_mul", var(f"b{i}", F32), var(f"c{i}", F32))), var(f"d{i}", F32))
    assert "in more ways than are tried" in of_text(unknown("minmax", device="h100"), [value], variables(value))["minmax"]


def test_a_library_function_consults_everything() -> None:
    found = consulted_by(unknown("nan", "minmax", "libm"), mk("w_expf", X))
    assert set(found) == {"nan", "minmax", "libm"} and "the code of expf is not looked into" in found["nan"]


@pytest.mark.parametrize(("value", "expected"), [
    (mk("w_mul", X, HALF), True), (mk("w_div", X, Y), True), (mk("w_fma", X, Y, Z), True), (mk("w_mul_rz", X, Y), True),
    (mk("w_add", X, Y), False), (mk("w_sqrt", X), False), (mk("w_abs", X), False), (mk("w_max", X, Y), False),
])
def test_the_window_is_consulted_where_a_flushed_product_is_rounded(value: Expr, expected: bool) -> None:
    assert bool(consulted_by(unknown("window", flags="-ftz=true"), value)) is expected
    assert not consulted_by(unknown("window"), value)


def test_a_division_by_a_constant_is_asked_for_each_kind_of_device() -> None:
    third = mk("w_div", X, const(3.0))
    assert "rewrites" in consulted_by(unknown("rewrites", flags="-ftz=true"), third)      # sm_100 multiplies
    assert not consulted_by(unknown("rewrites", flags="-ftz=true", device="h100"), third)


COMPILED: Sequence[tuple[str, Expr, bool]] = (
    ("contract", mk("mul_rn", X, Y), True), ("nan", mk("mul_rn", X, Y), True), ("libm", mk("neg", X), True), ("rewrites", mk("neg", X), True),
    ("minmax", mk("mul_rn", X, Y), False), ("minmax", mk("max_num", X, Y), True), ("division", mk("mul_rn", X, Y), False),
    ("division", mk("div_rn", X, Y), True), ("sqrt", mk("D.sqrt_approx", X), True), ("sqrt", mk("div_rn", X, Y), False), ("nan", X, False),
    ("window", mk("ftz", mk("mul_rn", X, Y)), True), ("window", mk("mul_rn", X, Y), False),
)


@pytest.mark.parametrize(("name", "value", "expected"), COMPILED)
def test_of_compiled_code_the_compiler_s_fields_touch_everything(name: str, value: Expr, expected: bool) -> None:
    assert bool(of_compiled(unknown(name, device="h100"), [[X], [value]], (), (X, Y))) is expected
    assert bool(of_compiled(unknown(name, device="h100"), [[X]], [value], (X, Y))) is expected


def test_a_variable_with_something_behind_it_consults_everything() -> None:
    loop = var("symbol.3", F32)
    assert "what symbol.3 stands for is not looked into" in consulted_by(unknown("minmax"), loop)["minmax"]
    assert of_compiled(unknown("minmax", device="h100"), [[X]], [mk("S.ex2_approx", X)], (X,))      # the reference's instructions are the device's, too
    assert of_compiled(unknown("minmax", device="h100"), [[loop]], (), (X,)) and not consulted_by(load_profile("ieee"), loop)


def test_conditions_with_numbers_are_seen() -> None:
    assert has_numbers(mk("lt", X, ZERO)) and has_numbers(mk("bits_of", X)) and has_numbers(var("symbol.0", "B32"))
    assert not has_numbers(mk("and", mk("not", var("p", "BOOL")), var("q", "BOOL")))


def test_what_the_compiler_decides_is_tried() -> None:
    assert set(TYPED) <= set(FIELDS) and bits(0x3F800000) is const(1.0)


# --- the whole way: a calibrated profile, and verdicts under it ---

KERNEL = """extern "C" __global__ void k(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = %s;
}
"""
SPEC = """import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return %s


def get_inputs():
    return [torch.rand(64)]


def get_init_inputs():
    return []
"""


def calibrated(folder: Path, name: str, device: Device) -> str:
    probes = load_probes()
    return str(calibration.write(calibrate(device, probes, compile_probes(probes, "sm_90")), name, folder, DATE)[0])


def verdicts(folder: Path, kernel: str, spec: str, devices: Sequence[str], *more: str) -> list[dict[str, object]]:
    (folder / "k.cu").write_text(KERNEL % kernel, encoding="utf-8")
    (folder / "s.py").write_text(SPEC % spec, encoding="utf-8")
    run(["verify", str(folder / "k.cu"), "--spec", str(folder / "s.py"), "--device", ",".join(devices), "--out", str(folder / "out"), *more])
    found: list[dict[str, object]] = json.loads((folder / "out" / "verdict.json").read_text(encoding="utf-8"))["verdicts"]
    return found


@pytest.fixture(name="processor", scope="module")
def two_profiles(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """This processor's profile, and that with its flush mode set."""
    try:
        flushing = open_device("host:ftz", "sm_90")
    except UsageError as e:
        pytest.skip(str(e))
    folder = tmp_path_factory.mktemp("processor")
    return calibrated(folder, "host", open_device("host", "sm_90")), calibrated(folder, "host-ftz", flushing)


def test_verdicts_under_a_processor_with_and_without_its_flush_mode(tmp_path: Path, processor: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    host, ftz = processor
    assert run(["profiles", "diff", host, ftz]) == 1
    assert {line.split()[0] for line in capsys.readouterr().out.splitlines()} == {"ftz", "window"}
    keeping, flushed = verdicts(tmp_path, "x[i] * 0.5f", "x * 0.5", (host, ftz))
    assert (keeping["verdict"], flushed["verdict"]) == ("PROVED", "REFUTED")
    witness = flushed["witness"]
    assert isinstance(witness, dict) and int(witness["inputs"]["x"], 16) & 0x7FFFFFFF <= 0x00FFFFFE     # half of it is exactly a subnormal number
    assert int(witness["kernel"], 16) & 0x7FFFFFFF == 0
    keeping, flushed = verdicts(tmp_path, "fmaxf(x[i], 0.0f)", "torch.relu(x)", (host, ftz))
    assert (keeping["verdict"], flushed["verdict"]) == ("OPEN", "OPEN") and "minmax is undecided" in str(keeping["reason"])
    with pytest.raises(UsageError, match="host-ftz is a processor, whose mode decides what is flushed"):
        load_open(ftz, "-ftz=false")


@pytest.mark.slow
def test_more_verdicts_under_a_processor(tmp_path: Path, processor: tuple[str, str]) -> None:
    keeping, flushed = verdicts(tmp_path, "x[i] > 0.0f ? x[i] : x[i] * 0.01f", "torch.nn.functional.leaky_relu(x, 0.01)", processor)
    assert (keeping["verdict"], flushed["verdict"]) == ("PROVED", "REFUTED")
    keeping, flushed = verdicts(tmp_path, "x[i] * x[i]", "x * x", processor, "--assume", "isnan(x)")
    assert (keeping["verdict"], flushed["verdict"]) == ("PROVED", "OPEN") and "window is \"after\", which FloatLib has no meaning for" in str(flushed["reason"])


TINY = "a product that rounds to 2^-126 is flushed"


@pytest.mark.parametrize(("switch", "kernel", "spec", "more", "verdict"), [
    ("square roots are rounded toward zero", "x[i] * 0.5f", "x * 0.5", (), "PROVED"),
    ("square roots are rounded toward zero", "sqrtf(x[i])", "torch.sqrt(x)", (), "OPEN"),
    ("to int does not clamp", "x[i] * 0.5f", "x * 0.5", (), "OPEN"),
    (TINY, "x[i] * 0.5f", "x * 0.5", ("--flags=-ftz=true",), "REFUTED"),
    (TINY, "x[i] * 0.5f", "x * 0.5", ("--flags=-ftz=true", "--assume=isnan(x)"), "OPEN"),
    (TINY, "x[i] * 0.5f", "x * 0.5", (), "PROVED"),
])
def test_verdicts_on_compiled_code_under_a_planted_behaviour(tmp_path: Path, switch: str, kernel: str, spec: str, more: Sequence[str], verdict: str) -> None:
    planted = next(s for s in SWITCHES if s.name == switch)
    found, = verdicts(tmp_path, kernel, spec, (calibrated(tmp_path, "planted", planted.device("sm_90")),), *more)
    assert found["verdict"] == verdict and found["reading"] != "written"
    assert planted.field in (str(found["reason"]) if verdict == "OPEN" else str(found["assumptions"]))
