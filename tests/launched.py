"""The kernels of tests/launched.cu as thread programs, written out by hand."""

from __future__ import annotations

from kernel_text import kernel

PROGRAMS = {
    "scale": kernel("x y! n:int", """
i = bx * nx + tx
if i < n:
    y[i] = x[i] * 2.5 + 1.0
"""),
    "stride": kernel("x y! n:int", """
for i in range(bx * nx + tx, n, nx * gx):
    if i % 3 == 1:
        y[i] = x[i] * 0.5
        continue
    y[i] = x[i] - 1.0
"""),
    "tree": kernel("x y!", """
s = shared(64)
t = tx
s[t] = x[bx * nx + t]
sync()
h = nx >> 1
while h > 0:
    if t < h:
        s[t] += s[t + h]
    sync()
    h = h >> 1
if t == 0:
    y[bx] = s[0]
"""),
    "tiled": kernel("a b c! n:int", """
p = shared(16)
q = shared(16)
row = by * 4 + ty
col = bx * 4 + tx
me = ty * 4 + tx
acc = 0.0
for m in range(0, (n + 3) // 4):
    k = m * 4 + tx
    r = m * 4 + ty
    if row < n and k < n:
        p[me] = a[row * n + k]
    else:
        p[me] = 0.0
    if r < n and col < n:
        q[me] = b[r * n + col]
    else:
        q[me] = 0.0
    sync()
    for j in range(0, 4):
        acc = acc + p[ty * 4 + j] * q[j * 4 + tx]
    sync()
if row < n and col < n:
    c[row * n + col] = acc
"""),
    "softmax": kernel("x y! rows:int cols:int", """
r = bx * nx + tx
if r >= rows:
    return
m = -3.0e38
s = 0.0
for j in range(0, cols):
    m = fmax(m, x[r * cols + j])
for j in range(0, cols):
    s = s + exp(x[r * cols + j] - m)
for j in range(0, cols):
    y[r * cols + j] = exp(x[r * cols + j] - m) / s
"""),
    "transpose": kernel("x y! n:int m:int", """
s = shared(72)
i = bx * 8 + tx
j = by * 8 + ty
if i < m and j < n:
    s[ty * 9 + tx] = x[j * m + i]
sync()
a = by * 8 + tx
b = bx * 8 + ty
if a < n and b < m:
    y[b * n + a] = s[tx * 9 + ty]
"""),
    "vectors": kernel("x y! n:int", """
i = (bx * nx + tx) * 4
if i >= n:
    return
aligned(x, i, 4)
p = x[i]
q = x[i + 1]
r = x[i + 2]
s = x[i + 3]
aligned(y, i, 4)
y[i] = p * 2.0
y[i + 1] = q * 2.0
y[i + 2] = r * 2.0
y[i + 3] = s * 2.0
"""),
    "warp_sum": kernel("x y!", """
v = x[tx]
o = 16
while o > 0:
    w = shfl_xor(4294967295, v, o)
    v = v + w
    o = o >> 1
u = shfl_up(4294967295, v * x[tx], 3)
d = shfl_down(4294967295, x[tx], 5, 8)
k = shfl_idx(4294967295, x[tx], 3, 16)
y[tx] = (v + u) + (d + k)
"""),
    "choose": kernel("x y! n:int", """
i = tx
if i >= n:
    return
best = x[i * 4]
last = 0.0
for j in range(1, 4):
    v = x[i * 4 + j]
    if best < v:
        last = best
        best = v
        y[i] = v
    else:
        if v < -1.0:
            last = last + v
if last < 0.0:
    y[n + i] = last * 2.0
    y[i] = best
    return
y[n + i] = last
y[i] = best - last
"""),
    "search": kernel("x y! n:int", """
t = tx
i = 0
acc = 0.0
while i < n:
    i = i + 1
    if (i + t) % 4 == 0:
        continue
    if i * t > 20:
        break
    j = 0
    acc = acc + x[(i + j) & 7] * float(i - j)
    j = j + 1
    while j < t % 3:
        acc = acc + x[(i + j) & 7] * float(i - j)
        j = j + 1
y[t] = acc
"""),
    "rotate": kernel("x y!", """
a = local(4)
for j in range(0, 4):
    a[(j + tx) % 4] = x[tx * 4 + j]
for j in range(0, 4):
    y[tx * 4 + j] = a[j] + a[3 - j]
"""),
}
