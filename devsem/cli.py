"""The command line: parse, call, print, exit. Heavy modules are imported inside the commands, so that `devsem --help` is instant."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.exceptions import TyperException

from devsem import __version__, cli_audit, cli_calibrate, cli_coverage, cli_replay, cli_safety, cli_separate, cli_show
from devsem.cli_sweep import sweep
from devsem.errors import Rejected, UsageError

if TYPE_CHECKING:
    from devsem.request import Request

USAGE, INTERRUPTED = 4, 130
OUT = Path("devsem-out")
EPILOG = "Exit code: 0 all PROVED, 1 any REFUTED or unsafe, 2 any OPEN, 3 any REJECTED, 4 usage or environment; of several, the first of 4, 1, 3, 2, 0."

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None,
                  help="Does a CUDA kernel compute its PyTorch specification's Float32 function, on this device, with these flags?")
lean_app = typer.Typer(help="The Lean that decides: where it is, building FloatLib, checking a verdict's file.")
profiles_app = typer.Typer(help="Devices and what is known of their arithmetic.")
app.add_typer(lean_app, name="lean")
app.add_typer(profiles_app, name="profiles")
app.command("replay", epilog=cli_replay.EPILOG)(cli_replay.replay)
app.command("sweep")(sweep)
cli_calibrate.add(app, profiles_app)

LeanPath = Annotated[str | None, typer.Option("--lean", metavar="PATH", help="a stock `lean` of the same version, not the wheel's; or DEVSEM_LEAN")]


def _version(value: bool) -> None:
    if value:
        typer.echo(f"devsem {__version__}")
        raise typer.Exit


@app.callback()
def _root(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")] = False) -> None:
    pass


@app.command(epilog=EPILOG)
def verify(
    kernel: Annotated[Path | None, typer.Argument(help="a .cu file, or a KernelBench solution (.py), which is read and never run; without it, "
                                                             "every [[kernel]] of ./devsem.toml")] = None,
    problem: Annotated[Path | None, typer.Argument(help="the spec, as --spec names it")] = None,
    spec: Annotated[Path | None, typer.Option(help="the PyTorch module in KernelBench layout, which is executed; or another kernel (.cu)")] = None,
    device: Annotated[str | None, typer.Option(help="devices, separated by commas  [default: ieee,h100]")] = None,
    flags: Annotated[str | None, typer.Option(help='nvcc flags, as "-ftz=true -fmad=false"')] = None,
    function: Annotated[str | None, typer.Option(help="the __global__ function, where the file has several")] = None,
    bind: Annotated[str | None, typer.Option(help="what each parameter is: in=x,out=y,n=numel(x),rows=x.size(0),alpha=0.01; between two kernels, how many "
                                                  "elements each buffer has: A=M*K")] = None,
    launch: Annotated[str | None, typer.Option(help='1d (ceil(n/b) blocks of any b), "grid=(n+255)/256 block=256" over the kernel\'s integers, or '
                                                    '"grid=1,1,1 block=8,1,1"; docs/KERNELS.md  [default: 1d]')] = None,
    assume: Annotated[list[str] | None, typer.Option(help='a precondition: "not isnan(x)" of a pointwise kernel, "K % 16 == 0" of the sizes of another; may be '
                                                          'repeated')] = None,
    equality: Annotated[str | None, typer.Option(help="bits, or zero-sign (both zeros taken as one)  [default: bits]")] = None,
    reading: Annotated[str | None, typer.Option(help="written (the text under the device's profile), compiled (what NVRTC makes of it), or both: "
                                                     "the compiled one decides, and the two are compared  [default: both]")] = None,
    reference: Annotated[str | None, typer.Option(help="ieee (each PyTorch operator is one IEEE operation), or eager (PyTorch's CUDA code, compiled) "
                                                       " [default: ieee]")] = None,
    toolkit: Annotated[str | None, typer.Option(metavar="VERSION", help="NVRTC's version, as 13.0  [default: the newest installed]")] = None,
    json: Annotated[str | None, typer.Option(metavar="FILE", help="write the verdicts there as JSON too; - is the standard output")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="where verdict.json and the .lean files go")] = OUT,
    max_numel: Annotated[int | None, typer.Option(metavar="N", help="tensors have 1 to N elements; for kernels that are not plain  [default: 2^30]")] = None,
    timeout: Annotated[float | None, typer.Option(metavar="S", help="seconds for one kernel on one device  [default: 60]")] = None,
    lean: LeanPath = None,
    emit_goal: Annotated[Path | None, typer.Option(metavar="FILE.lean", help="where the prover is stuck: write the theorem with the open cases as hypotheses, "
                                                                             "and what is to be proved; docs/PROOFS.md shows how")] = None,
    proof: Annotated[Path | None, typer.Option(metavar="FILE.lean", help="your theorems open1, open2 … for those cases, and lemmas; Lean checks them")] = None,
    lemmas: Annotated[list[Path] | None, typer.Option(metavar="FILE.lean", help="your lemmas for any kernel; those marked `-- devsem: rewrite` are used "
                                                                                "by the prover; may be repeated")] = None,
    records: Annotated[Path | None, typer.Option(metavar="DIR", help="records of devices' functions, *.functions.json, calibration/README.md "
                                                                     " [default: devsem's own]")] = None,
    require_discharged: Annotated[bool, typer.Option("--require-discharged", help="what rests on a function that no record discharges is OPEN")] = False,
) -> int:
    """Decide a kernel, or every kernel of devsem.toml."""
    from devsem.frontend.capture_process import warm

    warm()  # torch is imported in a process of its own while this one reads the command and the kernel
    given: dict[str, Any] = {
        "devices": tuple(part.strip() for part in device.split(",")) if device is not None else None,
        "flags": flags, "function": function, "bind": bind, "launch": launch, "assume": tuple(assume) if assume else None,
        "equality": equality, "reading": reading, "reference": reference, "toolkit": toolkit, "timeout": timeout, "lean": lean, "out": out,
        "max_numel": max_numel,
        "emit_goal": emit_goal, "proof": proof, "lemmas": tuple(lemmas) if lemmas else None,
        "records": records, "require_discharged": require_discharged or None,
    }
    if problem is not None and spec is not None:
        raise UsageError(f"the spec is given twice: {problem} and --spec {spec}")
    requests = _requests(kernel, problem or spec, {name: value for name, value in given.items() if value is not None})
    return _decide(requests, out, json)


def _requests(kernel: Path | None, spec: Path | None, given: dict[str, Any]) -> tuple[Request, ...]:
    from devsem import config
    from devsem.request import Request

    if kernel is not None:
        if spec is None:
            raise UsageError(f"which spec is {kernel} to be compared with? Name it: --spec SPEC")
        return (Request(kernel=kernel, spec=spec, **given),)
    own = [option for option in (*config.EACH, "emit_goal") if option in given or (option == "spec" and spec is not None)]
    if own:
        raise UsageError(f"--{own[0].replace('_', '-')} needs a KERNEL before it: without one, {config.FILE} says which kernels and how")
    return config.load(Path(config.FILE), given)


def _decide(requests: tuple[Request, ...], out: Path, json: str | None) -> int:
    from rich.console import Console
    from rich.text import Text

    from devsem import batch, report
    from devsem.solutions import verify
    from devsem.verdict import to_json

    errors, table = Console(stderr=True), report.console(sys.stderr if json == "-" else sys.stdout)
    files = (out / batch.FILE, *([Path(json)] if json not in (None, "-") else []))
    run = batch.Batch(files)
    status = errors.status("reading") if errors.is_terminal else None

    def progress(text: str) -> None:
        if status is not None:
            status.update(Text(text))

    try:
        with status or nullcontext():
            run.run(requests, verify, lambda found: report.show(found, table), progress, _complain)
        return run.code()
    finally:
        if json == "-":
            sys.stdout.write(to_json(run.document()))


app.command(epilog=cli_audit.EPILOG)(cli_audit.audit)
app.command(epilog=cli_separate.EPILOG)(cli_separate.separate)
app.command()(cli_show.show)
app.command()(cli_coverage.coverage)
app.command()(cli_safety.safety)


@app.command()
def explain(file: Annotated[Path, typer.Argument(metavar="VERDICT.json", help="what `verify` wrote")]) -> int:
    """Say in plain words what was shown, on what assumptions, trusting what."""
    from devsem.explain import explain as words
    from devsem.verdict import load

    typer.echo(words(load(file)), nl=False)
    return 0


@lean_app.command("info")
def lean_info(lean: LeanPath = None) -> int:
    """Print which Lean decides, its SHA-256, and where FloatLib lies compiled."""
    from devsem import leancheck

    for name, value in leancheck.info(leancheck.Lean.choose(lean)).items():
        typer.echo(f"{name:10} {value or '-'}")
    return 0


@lean_app.command("build")
def lean_build(lean: LeanPath = None) -> int:
    """Compile FloatLib into the cache, unless it is there, and print the place."""
    from devsem import leancheck

    typer.echo(leancheck.build_library(leancheck.Lean.choose(lean)))
    return 0


@lean_app.command("check")
def lean_check(file: Annotated[Path, typer.Argument(help="a .lean file that `verify` wrote")], lean: LeanPath = None) -> int:
    """Have Lean check a verdict's file again: exit code 0 if it is accepted, 1 if it is refused."""
    from devsem import leancheck

    check = leancheck.check_file(file, lean=leancheck.Lean.choose(lean))
    if not check.accepted:
        typer.echo(f"refused: {check.reason}")
        return 1
    for statement in check.statements.values():
        typer.echo(f"accepted, without axioms: {statement}")
    return 0


@profiles_app.command("list")
def profiles_list() -> int:
    """Name every device."""
    from devsem import profile

    for name in profile.list_profiles():
        typer.echo(name)
    return 0


@profiles_app.command("show")
def profiles_show(name: str, flags: Annotated[str, typer.Option(help="nvcc flags that change it")] = "") -> int:
    """Print every field of a device with its evidence."""
    from devsem import profile

    found = profile.load_open(name, flags) if flags else profile.read_draft(name)
    for head, value in (("profile", found.name), ("device", found.device), ("arch", found.arch), ("flags", flags)):
        typer.echo(f"{head:10} {value or '-'}")
    for key, entry in found.fields.items():
        typer.echo(f"{key:10} {'-' if entry.value is None else str(entry.value):10} {entry.evidence}: {entry.source}")
    return 0


def _complain(text: str) -> None:
    print(f"devsem: {text}", file=sys.stderr)


def run(argv: list[str]) -> int:
    """The exit code of one command; nothing is raised."""
    try:
        code = app(argv or ["--help"], prog_name="devsem", standalone_mode=False)
    except TyperException as error:
        _complain(error.format_message().rstrip(".") + "; `devsem --help` shows how")
        return USAGE
    except (UsageError, Rejected) as error:
        _complain(str(error))
        return USAGE
    except SystemExit:  # typer and rich leave by this door, with code 1, when the reader of our output is gone
        return USAGE
    except Exception as error:  # the outermost frame: a traceback is for us, a sentence for the user
        from devsem.batch import internal

        _complain(internal(error, OUT))
        return USAGE
    if code == INTERRUPTED:  # typer's answer to KeyboardInterrupt
        _complain("interrupted; what was decided is kept")
    return code if isinstance(code, int) else 0


def main() -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:]))
