"""Kernels in a few lines of text, in Python's syntax, as thread programs: for tests that need no front end.

Integers are `int` (32 bits, signed; `>>` is arithmetic), `/` divides floats and `//` integers as C does. A subscript is a load, in the order
of C. `tx ty tz bx by bz`, `nx ny nz` and `gx gy gz` are the builtins.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from devsem.errors import Where
from devsem.expr import Expr, const, const_bool, const_int, mk, var
from devsem.ops import B32, BOOL, F32, Sort
from devsem.program import (
    Aligned,
    Array,
    Assign,
    Barrier,
    Break,
    Continue,
    If,
    Inline,
    Load,
    Loop,
    Param,
    Program,
    Return,
    Shuffle,
    Statement,
    Store,
    well_formed,
)

SHORT = (("t", "threadIdx"), ("b", "blockIdx"), ("n", "blockDim"), ("g", "gridDim"))
BUILTINS = {f"{short}{axis}": var(f"{name}.{axis}", B32) for short, name in SHORT for axis in "xyz"}
INTS = {ast.Add: "add_b32", ast.Sub: "sub_b32", ast.Mult: "mul_b32", ast.FloorDiv: "sdiv_b32", ast.Mod: "srem_b32", ast.LShift: "shl_b32",
        ast.RShift: "ashr_b32", ast.BitAnd: "and_b32", ast.BitOr: "or_b32", ast.BitXor: "xor_b32"}
FLOATS = {ast.Add: "w_add", ast.Sub: "w_sub", ast.Mult: "w_mul", ast.Div: "w_div"}
CALLS = {"exp": "w_fast_expf", "fmax": "w_max", "fmin": "w_min", "sqrt": "w_sqrt", "float": "s32_to_f32_rn", "trunc_int": "w_f32_to_s32_rz", "fabs": "w_abs",
         "floor": "w_floor", "isnan": "w_isnan", "wide": "sext"}


def compared(op: ast.cmpop, a: Expr, b: Expr) -> Expr:
    """A comparison, as C has it."""
    less, equal = ("w_lt", "w_le"), "w_eq"
    if a.sort != F32:
        less, equal = (f"slt_{a.sort.lower()}", f"sle_{a.sort.lower()}"), f"ieq_{a.sort.lower()}"
    match op:
        case ast.Lt():
            return mk(less[0], a, b)
        case ast.LtE():
            return mk(less[1], a, b)
        case ast.Gt():
            return mk(less[0], b, a)
        case ast.GtE():
            return mk(less[1], b, a)
        case ast.Eq():
            return mk(equal, a, b)
        case ast.NotEq():
            return mk("not", mk(equal, a, b))
    raise NotImplementedError(ast.dump(op))


@dataclass
class Reader:
    """Reads one kernel."""

    params: dict[str, Param]
    arrays: dict[str, Array] = field(default_factory=dict)
    sorts: dict[str, Sort] = field(default_factory=dict)
    loads: int = 0

    def where(self, node: ast.stmt | ast.expr) -> Where:
        return Where("k.cu", node.lineno, node.col_offset + 1)

    def value(self, e: ast.expr, out: list[Statement]) -> Expr:
        match e:
            case ast.Constant(value=bool(truth)):
                return const_bool(truth)
            case ast.Constant(value=int(number)):
                return const_int(B32, number)
            case ast.Constant(value=float(real)):
                return const(real)
            case ast.Name():
                if e.id in BUILTINS:
                    return BUILTINS[e.id]
                return self.params[e.id].expr if e.id in self.params else var(e.id, self.sorts[e.id])
            case ast.BinOp():
                a, b = self.value(e.left, out), self.value(e.right, out)
                if a.sort == "B64":
                    return mk({ast.Add: "add_b64", ast.Mult: "mul_b64"}[type(e.op)], a, b)
                return mk((FLOATS if a.sort == F32 else INTS)[type(e.op)], a, b)
            case ast.UnaryOp(op=ast.USub()):
                a = self.value(e.operand, out)
                if a.is_const:
                    return const_int(B32, -a.value) if a.sort == B32 else const(-float(ast.literal_eval(e.operand)))
                return mk("sub_b32", const_int(B32, 0), a) if a.sort == B32 else mk("w_neg", a)
            case ast.UnaryOp():
                return mk("not", self.value(e.operand, out))
            case ast.Compare():
                return compared(e.ops[0], self.value(e.left, out), self.value(e.comparators[0], out))
            case ast.BoolOp():
                a, b = (self.value(x, out) for x in e.values)
                return mk("and" if isinstance(e.op, ast.And) else "or", a, b)
            case ast.IfExp():
                c, a, b = self.value(e.test, out), self.value(e.body, out), self.value(e.orelse, out)
                return mk({F32: "select", BOOL: "select_bool", B32: "select_b32"}[a.sort], c, a, b)
            case ast.Call(func=ast.Name()):
                return mk(CALLS[e.func.id], *(self.value(a, out) for a in e.args))      # type: ignore[attr-defined]
            case ast.Subscript(value=ast.Name()):
                name, index = e.value.id, self.value(e.slice, out)       # type: ignore[attr-defined]
                sort = self.arrays[name].sort if name in self.arrays else F32
                v = var(f"{name}@{self.loads}", sort)
                self.loads += 1
                out.append(Load(v, name, index, self.where(e)))
                return v
        raise NotImplementedError(ast.dump(e))

    def body(self, statements: list[ast.stmt]) -> tuple[Statement, ...]:
        out: list[Statement] = []
        for s in statements:
            self.statement(s, out)
        return tuple(out)

    def assign(self, target: ast.expr, value: Expr, out: list[Statement]) -> None:
        if isinstance(target, ast.Name):
            self.sorts[target.id] = value.sort
            out.append(Assign(var(target.id, value.sort), value, self.where(target)))
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            out.append(Store(target.value.id, self.value(target.slice, out), value, self.where(target)))

    def statement(self, s: ast.stmt, out: list[Statement]) -> None:
        at = self.where(s)
        match s:
            case ast.Assign(value=ast.Call(func=ast.Name(id=("shared" | "local") as space)), targets=[ast.Name(id=name)]):
                size = s.value.args[0]      # type: ignore[attr-defined]
                sort = B32 if len(s.value.args) > 1 else F32        # type: ignore[attr-defined]
                self.arrays[name] = Array(name, sort, ast.literal_eval(size), space, at)
            case ast.Assign(value=ast.Call(func=ast.Name(id=f)), targets=[ast.Name(id=name)]) if f.startswith("shfl_"):
                mask, value, lane, *width = (self.value(a, out) for a in s.value.args)      # type: ignore[attr-defined]
                self.sorts[name] = value.sort
                out.append(Shuffle(var(name, value.sort), f.removeprefix("shfl_"), mask, value, lane, width[0] if width else const_int(B32, 32), at))
            case ast.Assign():
                self.assign(s.targets[0], self.value(s.value, out), out)
            case ast.AugAssign():
                left = ast.copy_location(ast.Subscript(s.target.value, s.target.slice), s.target) if isinstance(s.target, ast.Subscript) else s.target
                self.assign(s.target, self.value(ast.copy_location(ast.BinOp(left, s.op, s.value), s), out), out)
            case ast.If():
                out.append(If(self.value(s.test, out), self.body(s.body), self.body(s.orelse), at))
            case ast.While():
                test: list[Statement] = []
                condition = self.value(s.test, test)
                out.append(Loop(tuple(test), condition, self.body(s.body), where=at))
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args)):
                first, last, by = (self.value(a, out) for a in (*args, ast.copy_location(ast.Constant(1), s))[:3])
                self.sorts[name] = B32
                i = var(name, B32)
                out += [Assign(i, first, at), Loop((), mk("slt_b32", i, last), self.body(s.body), (Assign(i, mk("add_b32", i, by), at),), where=at)]
            case ast.Return():
                out.append(Return(None if s.value is None else self.value(s.value, out), at))
            case ast.Break():
                out.append(Break(at))
            case ast.Continue():
                out.append(Continue(at))
            case ast.With(items=[ast.withitem(optional_vars=ast.Name(id=name))]):        # with call as v: an inlined function's body
                inside = self.body(s.body)
                self.sorts[name] = F32
                out.append(Inline("f", var(name, F32), inside, at))
            case ast.Expr(value=ast.Call(func=ast.Name(id="sync"))):
                out.append(Barrier(at))
            case ast.Expr(value=ast.Call(func=ast.Name(id="aligned"), args=[ast.Name(id=name), index, count])):
                out.append(Aligned(name, self.value(index, out), ast.literal_eval(count), at))
            case _:
                raise NotImplementedError(ast.dump(s))


def kernel(params: str, text: str) -> Program:
    """`params`: `x` is a const float*, `y!` a float*, `n:int` a number, of a type of C."""
    found: dict[str, Param] = {}
    for word in params.split():
        name, _, type_ = word.partition(":")
        found[name.rstrip("!")] = Param(name.rstrip("!"), type_ or ("float*" if name.endswith("!") else "const float*"))
    reader = Reader(found)
    return well_formed(Program("k", tuple(found.values()), reader.body(ast.parse(text.strip()).body), Where("k.cu"), tuple(reader.arrays.values())))
