"""The kernels of tests/launched_wrong.cu as thread programs, written out by hand, and some whose fault no compiled kernel shows."""

from __future__ import annotations

from kernel_text import kernel

XOR_SUM = """
o = 16
while o > 0:
    w{0} = shfl_xor(4294967295, {1}, o)
    {1} = {2}
    o = o >> 1
"""

WRONG = {
    "late_guard": kernel("x y! n:int", """
i = bx * nx + tx
if i <= n:
    y[i] = x[i] + 1.0
"""),
    "quads": kernel("x y! n:int", """
i = (bx * nx + tx) * 4
if i >= n:
    return
aligned(x, i, 4)
a = x[i]
b = x[i + 1]
c = x[i + 2]
d = x[i + 3]
aligned(y, i, 4)
y[i] = a
y[i + 1] = b
y[i + 2] = c
y[i + 3] = d
"""),
    "unrolled": kernel("x y! n:int", """
st = nx * gx
i = bx * nx + tx
while i + 3 < n:
    y[i] = x[i] * 2.0
    y[i + st] = x[i + st] * 2.0
    y[i + 2 * st] = x[i + 2 * st] * 2.0
    y[i + 3 * st] = x[i + 3 * st] * 2.0
    i = i + st * 4
"""),
    "reused": kernel("x y!", """
s = shared(2)
t = tx
lane = t & 31
w = t >> 5
m = x[t]""" + XOR_SUM.format("1", "m", "fmax(m, w1)") + """
if lane == 0:
    s[w] = m
sync()
d = x[t] - fmax(s[0], s[1])
v = d""" + XOR_SUM.format("2", "v", "v + w2") + """
if lane == 0:
    s[w] = v
sync()
y[t] = d + (s[0] + s[1])
"""),
    "cleared": kernel("x y!", """
s = shared(32)
t = tx
lane = t & 31
w = t >> 5
if w == 0:
    s[lane] = 0.0
v = x[t]""" + XOR_SUM.format("1", "v", "v + w1") + """
if lane == 0:
    s[w] = v
sync()
if t == 0:
    y[0] = s[0] + s[1]
"""),
    "counter": kernel("x y!", """
c = shared(1)
if tx == 0:
    c[0] = 0.0
sync()
c[0] += x[tx]
sync()
if tx == 0:
    y[0] = c[0]
"""),
    "shared_end": kernel("x y!", """
s = shared(2)
t = tx
if t < 2:
    s[t] = x[t]
sync()
y[t] = s[t]
"""),
    "partial_warp": kernel("x y!", "v = x[tx]" + XOR_SUM.format("1", "v", "v + w1") + "y[tx] = v"),
    "half_there": kernel("x y!", """
v = x[tx]
if tx < 16:
    w = shfl_xor(4294967295, v, 16)
    v = v + w
y[tx] = v
"""),
    "no_barrier": kernel("x y!", """
s = shared(64)
s[tx] = x[tx]
y[tx] = s[63 - tx]
"""),
    "torn": kernel("x y!", """
s = shared(64)
s[tx] = x[tx]
if tx < 40:
    sync()
y[tx] = s[tx]
"""),
    "left_early": kernel("x y! n:int", """
s = shared(64)
if tx >= n:
    return
s[tx] = x[tx]
sync()
y[tx] = s[n - 1 - tx]
"""),
    "unset": kernel("x y!", """
s = shared(64)
if tx != 5:
    s[tx] = x[tx]
sync()
y[tx] = s[63 - tx]
"""),
    "crooked": kernel("x y!", """
a = x[0]
aligned(y, tx, 4)
y[tx] = a
"""),
    "blocks_meet": kernel("y! n:int", """
i = bx * nx + tx
y[i] = 1.0
if i + 1 < n:
    y[n + i] = y[i + 1]
"""),
    "by_value": kernel("x y! n:int", """
i = tx
if 2.5 < x[i]:
    y[i + n] = x[i]
else:
    y[i] = x[i]
"""),
}
ALONE = {
    "gap": kernel("y! n:int", """
i = (bx * nx + tx) * 2
if i < n:
    y[i] = 1.0
"""),
    "same_value": kernel("y!", "y[0] = 1.0"),
    "by_zero": kernel("y! n:int", "y[tx % n] = 1.0"),
    "by_zero_unused": kernel("y! n:int", "y[(tx % n if n != 0 else tx)] = 1.0"),
    "smallest": kernel("y! n:int", "y[(1 << 31) // n] = 1.0"),
    "far_shift": kernel("y! n:int", "y[1 << n] = 1.0"),
    "endless": kernel("y! n:int", """
i = 0
while i < n:
    i = i * 2
y[tx] = 1.0
"""),
    "read_back": kernel("y!", """
if tx == 0:
    y[1] = y[0]
"""),
    "local_end": kernel("y!", """
a = local(4)
for j in range(0, 4):
    a[j] = float(j)
y[tx] = a[tx]
"""),
    "wide": kernel("y! n:int", """
i = wide(bx * nx + tx)
y[i] = 1.0
"""),
}
