"""Reads PTX, as NVRTC 12.8 to 13.5, nvcc and clang write it for float kernels, into `ptx_ast.Module`; all else is refused by name and place.

No meaning here: an unknown instruction is read like any other. Debug information, file and line marks, and the pragmas in PRAGMAS are hints and are left out.

>>> text = '''.version 9.0
... .target sm_90
... .address_size 64
... .visible .entry k(.param .u64 k_param_0)
... { .reg .b32 %r<3>; .reg .b64 %rd<2>;
... ld.param.u64 %rd1, [k_param_0];
... ld.global.f32 %r1, [%rd1+4];
... add.rn.ftz.f32 %r2, %r1, 0f3F800000;
... st.global.f32 [%rd1], %r2;
... ret; }'''
>>> kernel = parse(text, "k.ptx").functions[0]
>>> kernel.name, kernel.registers["%r"], [p.type for p in kernel.params]
('k', ('b32', 3), ['u64'])
>>> [(str(i), i.where.line) for i in kernel.instructions()][2:4]
[('add.rn.ftz.f32 %r2, %r1, 0f3F800000', 8), ('st.global.f32 [%rd1], %r2', 9)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from devsem.errors import Rejected, Where
from devsem.frontend.ptx_ast import Function, Module, Variable
from devsem.frontend.ptx_body import Body, read_pragma
from devsem.frontend.ptx_declare import read_parameters, read_variables
from devsem.frontend.ptx_tokens import Tokens, shown
from devsem.rejections import rejection

LINKAGE = (".visible", ".weak", ".extern")
PERFORMANCE = frozenset({".maxnreg", ".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".reqnctapercluster", ".explicitcluster",
                         ".maxclusterrank", ".noreturn"})


def decode(data: bytes, file: str) -> str:
    """The text of a PTX file; raises Rejected when it is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Rejected(rejection("ptx.binary", Where(file), what=f"byte {error.start} is not UTF-8")) from None


def parse(text: str, file: str) -> Module:
    """The module that the text is; raises Rejected, naming `file`, for everything outside the accepted language."""
    tokens = Tokens(text, file)
    version, target = _header(tokens)
    suffixes = _suffixes(text)
    functions: list[Function] = []
    declarations: list[Function] = []
    variables: list[Variable] = []
    while tokens.now:
        external = _linkage(tokens)
        directive = tokens.now
        if directive in (".entry", ".func"):
            function, has_body = _function(tokens, suffixes)
            (functions if has_body else declarations).append(function)
        elif directive in (".global", ".const", ".shared"):
            variables.extend(read_variables(tokens, external))
        elif external:
            tokens.unexpected("what is .extern")
        elif directive == ".file":
            _file(tokens)
        elif directive == ".section":
            _section(tokens)
        elif directive == ".pragma":
            read_pragma(tokens)
        else:
            tokens.unexpected("a function or a variable")
    return Module(version, target, tuple(functions), tuple(variables), tuple(declarations))


def _suffixes(text: str) -> Iterator[str]:
    """`$1_`, `$2_` … without those that the text itself contains."""
    used = set(re.findall(r"\$[0-9]+_", text))
    return (suffix for suffix in map("${}_".format, count(1)) if suffix not in used)


def _header(tokens: Tokens) -> tuple[str, str]:
    tokens.expect(".version")
    version = tokens.next()
    tokens.expect(".target")
    target = tokens.name("a target")
    while tokens.take(","):
        if not tokens.take("debug"):    # all others change what instructions mean, or are of textures
            raise Rejected(rejection("ptx.target", tokens.where(), what=f"the target option {shown(tokens.now)} is not accepted"))
    if not tokens.take(".address_size") or tokens.now != "64":
        raise Rejected(rejection("ptx.target", tokens.where(), what=f"{shown(tokens.now)} stands where `.address_size 64` is expected"))
    tokens.next()
    return version, target


def _linkage(tokens: Tokens) -> bool:
    """Passes what says how a name is seen by other modules. Is it defined elsewhere?"""
    external = False
    while tokens.now in LINKAGE:
        external |= tokens.next() == ".extern"
    return external


def _function(tokens: Tokens, suffixes: Iterator[str]) -> tuple[Function, bool]:
    """The function, and whether it has a body."""
    entry = tokens.next() == ".entry"
    results = read_parameters(tokens) if not entry and tokens.now == "(" else ()
    where = tokens.where()
    name = tokens.name("a function's name")
    params = read_parameters(tokens) if tokens.now == "(" else ()
    directives = []
    while tokens.now[:1] == ".":
        if tokens.now == ".pragma":
            read_pragma(tokens)
        else:
            directives.append(_performance(tokens))
    if tokens.take(";"):
        return Function(name, params, {}, (), (), where, entry, results, tuple(directives)), False
    tokens.expect("{")
    body = Body(tokens, suffixes)
    body.read()
    return Function(name, params, body.registers, tuple(body.variables), tuple(body.items), where, entry, results, tuple(directives)), True


def _performance(tokens: Tokens) -> tuple[str, tuple[int, ...]]:
    if tokens.now not in PERFORMANCE:
        tokens.refuse(f"the directive {shown(tokens.now)} is not accepted")
    name = tokens.next()[1:]
    if not tokens.now[:1].isdigit():
        return name, ()
    numbers = [tokens.whole()]
    while tokens.take(","):
        numbers.append(tokens.whole())
    return name, tuple(numbers)


def _file(tokens: Tokens) -> None:
    """`.file 1 "k.cu"`, perhaps with a time and a size."""
    tokens.next()
    tokens.whole()
    if tokens.now[:1] != '"':
        tokens.unexpected("a file's name")
    tokens.next()
    while tokens.take(","):
        tokens.whole()


def _section(tokens: Tokens) -> None:
    """`.section .debug_info { … }`: debug information, which says nothing of what is computed."""
    tokens.next()
    if not tokens.now.startswith(".debug_"):
        tokens.unexpected("a debug section")
    tokens.next()
    tokens.expect("{")
    while not tokens.take("}"):
        if tokens.now in ("", "{"):
            tokens.unexpected("`}`")
        tokens.next()
