"""The probes of `calibration/*.cu`: one fact each, declared by the comment lines that the file begins with, and nowhere else.

    // field: ftz                                              the profile's field that the fact decides
    // fact: a subnormal factor                                in words
    // source: PTX ISA 9.1, 9.7.3                              what is documented
    // runs: default, -ftz=true                                with which flags the probe is compiled, each apart
    // outcome: flushes = true if default, any if -ftz=true    a possible outcome, and the field's value that it speaks for
    // outcome: keeps = false if default                       `any`: for every value; otherwise (`none`): for no value, nothing may rest on this device
    // row: 00400000 4b000000 = 00000000 0b800000              up to four operands, and what comes out under each outcome
    // rule: column                                            the outcome whose column comes out, in every row; if none does, undecided

With `rule: code` there are no rows: an outcome's words begin a PTX mnemonic, and the first that occurs in what the kernel is compiled to counts.
A run is compiled with its own flags after those of the calibration.

A cell is a Float32's eight hexadecimal digits, or `nan` for any NaN. Conditions are a run, or `sm<N`, `sm>=N`, joined by `and`.

The kernel has the file's name and computes row i in thread i of one block, of four buffers of operands (zeros after the last row) into `r`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from devsem.errors import UsageError, Where
from devsem.flags import normalise
from devsem.profile import FIELDS

DEFAULT = "default"
ONCE, MANY = ("field", "fact", "source", "runs", "rule"), ("outcome", "row")
COLUMN, CODE = RULES = "column", "code"
OPERANDS, MOST_ROWS = 4, 64
LINE = re.compile(r"// (?P<key>\w+): (?P<text>.*\S)\s*")
CASE = re.compile(r"(?P<value>\w+)(?: if (?P<conditions>.+))?")
BOUND = re.compile(r"sm(<|>=)(\d+)")
NAN_CELL = "nan"


@dataclass(frozen=True)
class Outcome:
    """A possible outcome in words; `cases` are (value or "any" or "none", conditions), the first whose conditions hold counts."""

    words: str
    cases: tuple[tuple[str, tuple[str, ...]], ...]

    def value(self, run: str, sm: int) -> str:
        """The field's value that it speaks for, compiled with `run` for architecture `sm`; "any", or "none"."""
        return next((value for value, conditions in self.cases if all(_holds(c, run, sm) for c in conditions)), "none")


@dataclass(frozen=True)
class Row:
    """Operands as patterns, and by outcome the pattern that comes out, None standing for any NaN."""

    operands: tuple[int, ...]
    results: tuple[int | None, ...]


@dataclass(frozen=True)
class Probe:
    """One fact, how it is asked, and its file's text."""

    name: str
    field: str
    fact: str
    source: str
    runs: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    rows: tuple[Row, ...]
    text: str
    rule: str = COLUMN

    def outcome(self, results: Sequence[int]) -> Outcome | None:
        """The first outcome whose column is what came out, if there is one."""
        columns = zip(*(row.results for row in self.rows), strict=True)
        return next((o for o, column in zip(self.outcomes, columns, strict=True) if all(map(_fits, column, results))), None)

    def coded(self, mnemonics: Sequence[str]) -> Outcome | None:
        """By the rule `code`: the first outcome whose instruction is among those of the compiled kernel."""
        return next((o for o in self.outcomes if any(m == o.words or m.startswith(f"{o.words}.") for m in mnemonics)), None)


def flags_of(run: str) -> str:
    """A run's compiler flags.

    >>> flags_of("default"), flags_of("-ftz=true")
    ('', '-ftz=true')
    """
    return "" if run == DEFAULT else run


def probes_dir() -> Path:
    """Where the probes lie: packaged inside the wheel, or beside the package in a source checkout."""
    here = Path(__file__).resolve().parent
    packaged = here / "_calibration"
    return packaged if packaged.is_dir() else here.parent / "calibration"


def load_probes(folder: Path | None = None) -> tuple[Probe, ...]:
    """Every probe, by name; raises UsageError at the line that is wrong."""
    found = tuple(parse_probe(path.read_text(encoding="utf-8"), path) for path in sorted((folder or probes_dir()).glob("*.cu")))
    if not found:
        raise UsageError(f"there are no probes in {folder or probes_dir()}")
    return found


def parse_probe(text: str, path: Path) -> Probe:
    """The probe that a file's header declares; raises UsageError at the line that is wrong."""
    once: dict[str, tuple[str, int]] = {}
    many: dict[str, list[tuple[str, int]]] = {key: [] for key in MANY}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//"):
            break
        m = LINE.fullmatch(line)
        if m is None or m["key"] not in (*ONCE, *MANY):
            raise _error(path, number, f"a header line is `// KEY: TEXT`, KEY one of {', '.join((*ONCE, *MANY))}")
        if m["key"] in MANY:
            many[m["key"]].append((m["text"], number))
        elif once.setdefault(m["key"], (m["text"], number))[1] != number:
            raise _error(path, number, f"`{m['key']}` is given twice")
    coded = once.get("rule", ("", 0))[0] == CODE
    for key in (*ONCE, *MANY):
        if not (once.get(key) or many.get(key)) and not (coded and key == "row"):
            raise _error(path, 1, f"the header has no `{key}`")
    (field, at), (rule, rule_at) = once["field"], once["rule"]
    if field not in FIELDS:
        raise _error(path, at, f"unknown field {field!r}; a profile has {', '.join(FIELDS)}")
    if rule not in RULES:
        raise _error(path, rule_at, f"a rule is one of {', '.join(RULES)}, not {rule!r}")
    if coded and many["row"]:
        raise _error(path, many["row"][0][1], "what the code decides has no rows")
    if f" void {path.stem}(" not in text:
        raise _error(path, 1, f"the kernel is named as its file, {path.stem}")
    runs = _runs(*once["runs"], path)
    outcomes = tuple(_outcome(words, line, field, runs, path) for words, line in many["outcome"])
    rows = tuple(_row(words, line, len(outcomes), path) for words, line in many["row"])
    if not coded:
        _separate(rows, outcomes, many["outcome"][0][1], path)
    return Probe(path.stem, field, once["fact"][0], once["source"][0], runs, outcomes, rows, text, rule)


def spelled(value: bool | str) -> str:
    """A field's value as a header spells it."""
    return str(value).lower() if isinstance(value, bool) else value


def _runs(text: str, line: int, path: Path) -> tuple[str, ...]:
    runs = tuple(part.strip() for part in text.split(","))
    for run in runs:
        try:
            known = run == DEFAULT or (bool(run) and normalise(run) == run)
        except UsageError:
            known = False
        if not known:
            raise _error(path, line, f"a run is `{DEFAULT}` or flags as `-ftz=true`, not {run!r}")
    return runs


def _outcome(text: str, line: int, field: str, runs: Sequence[str], path: Path) -> Outcome:
    words, equals, after = text.rpartition(" = ")
    cases = [CASE.fullmatch(part.strip()) for part in after.split(",")]
    values = ("any", "none", *map(spelled, FIELDS[field]))
    made = tuple((m["value"], tuple(m["conditions"].split(" and ")) if m["conditions"] else ()) for m in cases if m)
    if not equals or len(made) != len(cases):
        raise _error(path, line, "an outcome is `WORDS = VALUE [if CONDITION], ...`")
    for value, conditions in made:
        if value not in values:
            raise _error(path, line, f"an outcome of {field} speaks for one of {', '.join(values)}, not {value!r}")
        for c in conditions:
            if c not in runs and not BOUND.fullmatch(c):
                raise _error(path, line, f"a condition is one of the runs {', '.join(runs)}, or sm<N, sm>=N, not {c!r}")
    return Outcome(words, made)


def _row(text: str, line: int, columns: int, path: Path) -> Row:
    left, equals, right = text.partition(" = ")
    operands, results = left.split(), right.split()
    if not equals or not 1 <= len(operands) <= OPERANDS or len(results) != columns:
        raise _error(path, line, f"a row has 1 to {OPERANDS} operands, `=`, and a cell for each of the {columns} outcomes")
    for word in (*operands, *results):
        if not re.fullmatch(r"[0-9a-f]{8}", word) and (word != NAN_CELL or word in operands):
            raise _error(path, line, f"a cell is eight hexadecimal digits, not {word!r}")
    return Row(tuple(int(w, 16) for w in operands), tuple(None if w == NAN_CELL else int(w, 16) for w in results))


def _separate(rows: Sequence[Row], outcomes: Sequence[Outcome], line: int, path: Path) -> None:
    """Refuses outcomes that no row tells apart."""
    if len(rows) > MOST_ROWS:
        raise _error(path, line, f"a probe has at most {MOST_ROWS} rows")
    columns: Mapping[tuple[int | None, ...], str] = {}
    for o, column in zip(outcomes, zip(*(r.results for r in rows), strict=True), strict=True):
        if column in columns:
            raise _error(path, line, f"no row tells `{o.words}` from `{columns[column]}`")
        columns = {**columns, column: o.words}


def _fits(cell: int | None, result: int) -> bool:
    return result & 0x7FFFFFFF > 0x7F800000 if cell is None else cell == result


def _holds(condition: str, run: str, sm: int) -> bool:
    m = BOUND.fullmatch(condition)
    if m is None:
        return condition == run
    return sm < int(m[2]) if m[1] == "<" else sm >= int(m[2])


def cases(probes: Sequence[Probe]) -> Iterator[tuple[Probe, str]]:
    """Every probe with every run."""
    return ((probe, run) for probe in probes for run in probe.runs)


def _error(path: Path, line: int, what: str) -> UsageError:
    return UsageError(f"{Where(str(path), line, 1)}: {what}")
