"""Machine code as instructions, read by NVIDIA's own disassembler from the package `nvidia-cuda-nvdisasm` (the extra `sass`).

Opcodes and operands stay text: what they mean is for the module that compares them. `.reuse`, a hint to the register file, is left out.

>>> str(Instruction(0x30, "FFMA", ("FTZ",), ("R0", "-R2", "c[0x0][0x210]", "1"), "!P0"))
'@!P0 FFMA.FTZ R0, -R2, c[0x0][0x210], 1'
"""

from __future__ import annotations

import json
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from devsem.errors import Bug, UsageError

PACKAGE, PROGRAM = "nvidia-cuda-nvdisasm", "nvidia/cu13/bin/nvdisasm"
SIZE = 16      # bytes of an instruction on sm_70 and later [M: nvdisasm -c, sm_75 90 100]
SECONDS = 60.0
FUNCTION = 2   # STT_FUNC


@dataclass(frozen=True)
class Instruction:
    """One instruction; the predicate is "P0" or "!P0", and "" where it always executes. A branch's target is an address, as "0x2a0"."""

    address: int
    opcode: str
    modifiers: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    predicate: str = ""

    @property
    def mnemonic(self) -> str:
        """Opcode and modifiers, as "ISETP.GE.AND"."""
        return ".".join((self.opcode, *self.modifiers))

    def __str__(self) -> str:
        return f"{f'@{self.predicate} ' if self.predicate else ''}{self.mnemonic} {', '.join(self.operands)}".rstrip()


@dataclass(frozen=True)
class SassFunction:
    """A kernel's code in order of addresses, that of its own subroutines (the slow path of a division) included.

    `subroutines` has each one's first address by name; CALL names it.
    """

    name: str
    instructions: tuple[Instruction, ...]
    subroutines: Mapping[str, int] = field(default_factory=dict)

    @property
    def body(self) -> tuple[Instruction, ...]:
        """The kernel without its subroutines."""
        end = min(self.subroutines.values(), default=len(self.instructions) * SIZE)
        return tuple(i for i in self.instructions if i.address < end)


def nvdisasm_path() -> Path | None:
    """The disassembler of the installed package; None where there is none."""
    try:
        path = Path(str(metadata.distribution(PACKAGE).locate_file(PROGRAM)))
    except metadata.PackageNotFoundError:
        return None
    return path if path.is_file() else None


def disassemble(cubin: bytes) -> tuple[SassFunction, ...]:
    """Every kernel of the machine code. UsageError where the disassembler is missing, Bug where it does not understand NVRTC's output."""
    program = nvdisasm_path()
    if program is None:
        raise UsageError(f"machine code is read with the package {PACKAGE}, which is not installed: pip install {PACKAGE}")
    with tempfile.TemporaryDirectory(prefix="devsem-") as folder:
        file = Path(folder) / "code.cubin"
        file.write_bytes(cubin)
        try:
            done = subprocess.run([str(program), "-json", str(file)], stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, env={}, check=False)
        except subprocess.TimeoutExpired:
            raise UsageError(f"the disassembler did not end within {SECONDS:g} s") from None
        except OSError as e:
            raise UsageError(f"the disassembler {program} does not start: {e.strerror}") from e
    if done.returncode:
        raise Bug(f"the disassembler ended with code {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    return parse(done.stdout, cubin)


def parse(said: bytes, cubin: bytes = b"") -> tuple[SassFunction, ...]:
    """The disassembler's JSON, with the names of subroutines from the code's symbol table."""
    try:
        _, functions = json.loads(said)
        labels = list(_symbols(cubin)) if cubin else []
        return tuple(_function(f, labels) for f in functions)
    except (ValueError, KeyError, TypeError, IndexError, struct.error) as e:
        raise Bug(f"the disassembler's output is not understood: {type(e).__name__}: {e}") from e


def _function(found: Mapping[str, Any], labels: list[tuple[str, str, int]]) -> SassFunction:
    name, start, rows = found["function-name"], found["start"], found["sass-instructions"]
    if found["length"] != len(rows) * SIZE:
        raise ValueError(f"{name} has {found['length']} bytes and {len(rows)} instructions")
    instructions = tuple(_instruction(start + at * SIZE, row) for at, row in enumerate(rows))
    return SassFunction(name, instructions, {label: address for section, label, address in labels if section == f".text.{name}" and label != name})


def _instruction(address: int, row: Mapping[str, Any]) -> Instruction:
    opcode, *modifiers = row["opcode"].split(".")
    operands = row.get("operands", "")
    parts = tuple(o.strip().replace(".reuse", "") for o in _split(operands)) if operands else ()
    return Instruction(address, opcode, tuple(modifiers), parts, row.get("predicate", "").removeprefix("@"))


def _split(operands: str) -> Iterator[str]:
    """At the commas outside brackets."""
    depth = last = 0
    for at, c in enumerate(operands):
        depth += (c in "[({") - (c in "])}")
        if c == "," and depth == 0:
            yield operands[last:at]
            last = at + 1
    yield operands[last:]


def code_of(cubin: bytes) -> tuple[tuple[str, bytes], ...]:
    """The sections of machine code by name, without the notes on how it was made: equal ones are disassembled alike."""
    header = ("", cubin[0x30:0x34])         # the ELF file's flags have the architecture
    return (header, *((name, b"" if kind == 8 else cubin[offset:offset + size])       # SHT_NOBITS has no bytes in the file
                      for name, (_, kind, _, _, offset, size, *_) in _sections(cubin) if not name.startswith(".note")))


def _sections(elf: bytes) -> list[tuple[str, tuple[int, ...]]]:
    """The section headers of an ELF file, each with its name."""
    (table,), (count, names_at) = struct.unpack_from("<Q", elf, 0x28), struct.unpack_from("<HH", elf, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, table + 64 * i) for i in range(count)]
    start = sections[names_at][4]
    return [(elf[start + s[0]:elf.index(0, start + s[0])].decode(), s) for s in sections]


def _symbols(elf: bytes) -> Iterator[tuple[str, str, int]]:
    """Section, name and address of every function that the ELF file's symbol table lists."""
    sections = _sections(elf)

    def text(strings: int, at: int) -> str:
        start = sections[strings][1][4] + at
        return elf[start:elf.index(0, start)].decode()

    for _, (_, kind, _, _, offset, size, strings, *_) in sections:
        if kind != 2:      # SHT_SYMTAB
            continue
        for at in range(offset, offset + size, 24):
            name, info, _, section, value, _ = struct.unpack_from("<IBBHQQ", elf, at)
            if info & 15 == FUNCTION and 0 < section < len(sections):
                yield sections[section][0], text(strings, name), value
