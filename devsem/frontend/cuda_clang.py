"""libclang, as this project needs it: parse one CUDA text for the device, and ask cursors what they are.

Nothing is read from disk: the text and the one header that stands for CUDA's are both handed over in memory, there is no search
path, and the compiler's own macros are undefined. The math functions of that header are made from `ops.py`.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterator
from importlib import resources
from typing import Any

from clang import cindex

from devsem.errors import Rejected, UsageError, Where
from devsem.frontend.cuda_source import Source
from devsem.ops import BY_C, F32
from devsem.rejections import rejection

Cursor = Any
MAIN, HEADER = "/devsem/kernel.cu", "/devsem/device.h"
ARGS = ["-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-nostdinc", "-nostdinc++", "-undef", "-std=gnu++17",
        "-ferror-limit=0", "-fbracket-depth=200", "-ftemplate-depth=32",
        "-fconstexpr-depth=32", "-fconstexpr-steps=10000", "-include", HEADER]
BINARY = ("", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||",
          "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",")
UNARY = ("", "++", "--", "++", "--", "&", "*", "+", "-", "~", "!", "__real", "__imag", "__extension__", "co_await")
GENERIC = frozenset({"abs", "min", "max", "isnan", "isinf", "isfinite"})   # also overloaded for other types
ERROR = 3


def declarations() -> Iterator[str]:
    """One declaration for each C function of the table; a name without `f` is also a double function, as in C++."""
    for name, op in BY_C.items():
        if not name.isidentifier() or set(op.args) != {F32}:
            continue
        n, result = len(op.args), "float" if op.out == F32 else "bool"
        yield f"__device__ {result} {name}({', '.join(['float'] * n)});"
        if name + "f" in BY_C or name in GENERIC:
            types = [f"T{i}" for i in range(n)]
            yield f"template <{', '.join(f'class {t}' for t in types)}> __device__ {result.replace('float', 'double')} {name}({', '.join(types)});"
    for name in BY_C:
        if name.startswith("std::"):
            yield f"namespace std {{ using ::{name[5:]}; }}"


@functools.cache
def header() -> str:
    """What stands for CUDA's headers."""
    return (resources.files("devsem.frontend") / "stubs" / "device.h").read_text() + "\n".join(declarations()) + "\n"


@functools.cache
def _library() -> Any:
    """The C library, with the functions that the Python binding leaves out."""
    try:
        lib = cindex.conf.lib
    except cindex.LibclangError as e:
        raise UsageError(f"libclang does not load: install the package `libclang` ({str(e).splitlines()[0]})") from e
    for name, args, result in (
        ("clang_getCursorBinaryOperatorKind", [cindex.Cursor], ctypes.c_int), ("clang_getCursorUnaryOperatorKind", [cindex.Cursor], ctypes.c_int),
        ("clang_Cursor_Evaluate", [cindex.Cursor], ctypes.c_void_p), ("clang_EvalResult_getKind", [ctypes.c_void_p], ctypes.c_int),
        ("clang_EvalResult_getAsLongLong", [ctypes.c_void_p], ctypes.c_longlong), ("clang_EvalResult_getAsDouble", [ctypes.c_void_p], ctypes.c_double),
        ("clang_EvalResult_dispose", [ctypes.c_void_p], None),
        ("clang_getSkippedRanges", [cindex.TranslationUnit, cindex.File], ctypes.POINTER(_Ranges)),
        ("clang_disposeSourceRangeList", [ctypes.POINTER(_Ranges)], None),
    ):
        function = getattr(lib, name)
        function.argtypes, function.restype = args, result
    return lib


def parse(source: Source, *, record: bool = False) -> Any:
    """The translation unit of a checked text; `record` is what `skipped` needs."""
    _library()
    options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD if record else 0
    try:
        unit = cindex.Index.create().parse(MAIN, args=ARGS, unsaved_files=[(MAIN, source.text), (HEADER, header())], options=options)
    except cindex.TranslationUnitLoadError as e:
        raise Rejected(rejection("cuda.depth", Where(source.path), what="the text")) from e
    read = sorted({str(i.include.name) for i in unit.get_includes()} - {HEADER})
    if read:     # `cuda_source.read` lets no include pass; should one ever, nothing that it brought is used
        raise Rejected(*(rejection("cuda.include", Where(source.path), name=name) for name in read))
    return unit


class _Ranges(ctypes.Structure):
    """libclang's CXSourceRangeList."""

    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


def skipped(unit: Any) -> list[tuple[int, int]]:
    """The parts of the text that the preprocessor leaves out, as offsets; the unit must have been parsed with `record`."""
    lib = _library()
    found = lib.clang_getSkippedRanges(unit, unit.get_file(MAIN))
    try:
        ranges = [found.contents.ranges[i] for i in range(found.contents.count)]
        return [(r.start.offset, r.end.offset) for r in ranges]
    finally:
        lib.clang_disposeSourceRangeList(found)


def kind(cursor: Cursor) -> str:
    """The kind's name; one that the binding does not know gets its number."""
    try:
        return str(cursor.kind.name)
    except ValueError:
        return f"kind {cursor._kind_id}"


def type_kind(type_: Any) -> str:
    """The name of the kind of the canonical type."""
    canonical = type_.get_canonical()
    try:
        return str(canonical.kind.name)
    except ValueError:
        return f"kind {canonical._kind_id}"


def attributes(cursor: Cursor) -> set[str]:
    """The kinds of the attributes of a declaration."""
    return {kind(c) for c in children(cursor) if kind(c).endswith("_ATTR")}


def children(cursor: Cursor) -> list[Cursor]:
    """The cursors directly below."""
    return list(cursor.get_children())


def descendants(cursor: Cursor, outside: frozenset[str] = frozenset()) -> Iterator[Cursor]:
    """The cursor and all below it, without what is inside cursors of the kinds `outside`; depth is no limit."""
    stack = [cursor]
    while stack:
        c = stack.pop()
        yield c
        if kind(c) not in outside:
            stack.extend(reversed(children(c)))


def is_expression(cursor: Cursor) -> bool:
    """Is it an expression (or a reference inside one), not a statement, a declaration or the mention of a type?"""
    return 100 <= int(cursor._kind_id) < 200


def in_text(cursor: Cursor) -> bool:
    """Does it stand in the user's text, and not in the header?"""
    file = cursor.location.file
    return file is not None and file.name == MAIN


def binary(cursor: Cursor) -> str:
    """The operator of a BINARY_OPERATOR or COMPOUND_ASSIGNMENT_OPERATOR, as C spells it."""
    return BINARY[_library().clang_getCursorBinaryOperatorKind(cursor)]


def unary(cursor: Cursor) -> str:
    """The operator of a UNARY_OPERATOR, as C spells it."""
    return UNARY[_library().clang_getCursorUnaryOperatorKind(cursor)]


def is_postfix(cursor: Cursor) -> bool:
    """Is this `++` or `--` behind its operand, so that its value is the one before?"""
    return _library().clang_getCursorUnaryOperatorKind(cursor) in (1, 2)


def literal(cursor: Cursor) -> int | float:
    """The value of a literal, or of an expression over literals; a float's is exact."""
    lib = _library()
    result = lib.clang_Cursor_Evaluate(cursor)
    try:
        match lib.clang_EvalResult_getKind(result):
            case 1:
                return int(lib.clang_EvalResult_getAsLongLong(result))
            case 2:
                return float(lib.clang_EvalResult_getAsDouble(result))
            case other:
                raise ValueError(f"no number, but kind {other}")
    finally:
        lib.clang_EvalResult_dispose(result)


def same_extent(a: Cursor, b: Cursor) -> bool:
    """Do two cursors cover exactly the same tokens? A conversion that the compiler adds does, an operator never."""
    x, y = a.extent, b.extent
    return bool((x.begin_int_data, x.end_int_data) == (y.begin_int_data, y.end_int_data))
