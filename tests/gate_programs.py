"""Small programs written by hand, and settings, for the tests of the gate."""

from __future__ import annotations

from devsem.expr import Expr, const, const_int, mk, var
from devsem.gate_setting import Buffer, Setting
from devsem.ops import B32, B64, F32
from devsem.program import BUILTINS, Array, Assign, Barrier, If, Load, Loop, Param, Program, Return, Statement, Store, well_formed

BX, BY, _, BDX, BDY, _, TX, TY, _, GDX, _, _ = BUILTINS
N, ROWS, COLS = (var(name, B64) for name in ("x.size(0)", "rows", "cols"))
ALL = (1, 1 << 30)
n, i, k, acc, a, b, t = (var(x, s) for x, s in (("n", B32), ("i", B32), ("k", B32), ("acc", F32), ("a", F32), ("b", F32), ("t", B32)))
FLOATS = (Param("x", "const float*"), Param("y", "float*"))


def word(value: int) -> Expr:
    return const_int(B32, value)


def size(value: int) -> Expr:
    return const_int(B64, value)


def add(*es: Expr) -> Expr:
    out = es[0]
    for e in es[1:]:
        out = mk("add_b32", out, e)
    return out


def mul(x: Expr, y: Expr) -> Expr:
    return mk("mul_b32", x, y)


def less(x: Expr, y: Expr) -> Expr:
    return mk("slt_b32", x, y)


def ceil(x: Expr, y: int | Expr) -> Expr:
    divisor = size(y) if isinstance(y, int) else y
    return mk("sdiv_b64", mk("sub_b64", mk("add_b64", x, divisor), size(1)), divisor)


NUMBER = add(mul(BX, BDX), TX)
GRID_SIZE, FIRST = mul(BDX, GDX), less(t, word(1))


def each(guard: Expr, index: Expr = NUMBER, write: Expr = i) -> Program:
    """y[write] = x[i] for the threads of the guard, i being `index`."""
    return well_formed(Program("each", (*FLOATS, Param("n", "int")), (Assign(i, index), If(guard, (Load(a, "x", i), Store("y", write, a))))))


def stride(step: Expr = GRID_SIZE) -> Program:
    """A grid-stride loop."""
    body: tuple[Statement, ...] = (Load(a, "x", i), Store("y", i, a))
    return well_formed(Program("stride", (*FLOATS, Param("n", "int")), (Assign(i, NUMBER), Loop((), less(i, n), body, (Assign(i, add(i, step)),)))))


def line(block: int | Expr = 256, grid: Expr | None = None, conditions: tuple[Expr, ...] = (), most: int = 1 << 30) -> Setting:
    """x and y of n elements, one thread an element unless `grid` says otherwise."""
    width = size(block) if isinstance(block, int) else block
    free: dict[Expr, tuple[int, int]] = {v: (1, limit) for v, limit in ((width, 1024), (grid, 65535)) if v is not None and v.is_var}
    return Setting({"x": Buffer("x", (N,)), "y": Buffer("y", (N,), "empty", True)}, (ceil(N, width) if grid is None else grid, size(1), size(1)),
                   (width, size(1), size(1)), {"n": mk("wrap", N)}, {N: (1, most), **free}, conditions, most=most)


def sums(barrier: bool = True, last: Expr = FIRST) -> Program:
    """y[row] = the sum of a row of x, by a tree in shared memory of a block of 256."""
    o = var("o", B32)
    row = mul(BX, var("cols", B32))
    meet: tuple[Statement, ...] = (Barrier(),) if barrier else ()
    tree = Loop((), less(word(0), o), (If(less(t, o), (Load(a, "s", t), Load(b, "s", add(t, o)), Store("s", t, mk("w_add", a, b)))), *meet),
                (Assign(o, mk("ashr_b32", o, word(1))),))
    c = var("c", F32)
    body = (Assign(t, TX), Assign(acc, const(0.0)), Assign(i, t),
            Loop((), less(i, var("cols", B32)), (Load(c, "x", add(row, i)), Assign(acc, mk("w_add", acc, c))), (Assign(i, add(i, BDX)),)),
            Store("s", t, acc), Barrier(), Assign(o, word(128)), tree, If(last, (Load(var("r", F32), "s", word(0)), Store("y", BX, var("r", F32)))))
    return well_formed(Program("sums", (*FLOATS, Param("cols", "int")), body, arrays=(Array("s", F32, 256, "shared"),)))


def rows(block: int = 256) -> Setting:
    """x of rows × cols, y of rows, a block a row."""
    return Setting({"x": Buffer("x", (ROWS, COLS)), "y": Buffer("y", (ROWS,), "empty", True)}, (ROWS, size(1), size(1)), (size(block), size(1), size(1)),
                   {"cols": mk("wrap", COLS)}, {ROWS: ALL, COLS: ALL})


def turned(index: Expr | None = None, guard: bool = True, early: bool = False) -> Program:
    """y[column][row] = x[row][column]."""
    r, c, w, h = (var(x, B32) for x in ("r", "c", "cols", "rows"))
    move = (Load(a, "x", add(mul(r, w), c)), Store("y", index if index is not None else add(mul(c, h), r), a))
    inside = mk("and", less(r, h), less(c, w)) if guard else less(r, h)
    body: tuple[Statement, ...] = (Assign(c, NUMBER), Assign(r, add(mul(BY, BDY), TY)))
    body += (If(mk("not", inside), (Return(),)), *move) if early else (If(inside, move),)
    return well_formed(Program("turned", (*FLOATS, Param("rows", "int"), Param("cols", "int")), body))


def plane() -> Setting:
    """x of rows × cols, y of cols × rows, a thread an element, in blocks of 16 × 16."""
    return Setting({"x": Buffer("x", (ROWS, COLS)), "y": Buffer("y", (COLS, ROWS), "empty", True)}, (ceil(COLS, 16), ceil(ROWS, 16), size(1)),
                   (size(16), size(16), size(1)), {"rows": mk("wrap", ROWS), "cols": mk("wrap", COLS)}, {ROWS: ALL, COLS: ALL})
