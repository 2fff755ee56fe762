// Loops of every kind: counted and unrolled, nested, with break and continue, until convergence.
extern "C" __global__ void product(const float* __restrict__ a, const float* __restrict__ b, float* c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0.0f;
    for (int k = 0; k < n; ++k) s += a[row * n + k] * b[k * n + column];
    c[row * n + column] = s;
}

extern "C" __global__ void search(const float* x, int* out, int n, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, found = -1;
    for (int r = 0; r < n; ++r) {
        float s = 0.0f;
        for (int k = 0; k < n; ++k) {
            float v = x[(i * n + r) * n + k];
            if (v < 0.0f) continue;
            if (v > limit) break;
            s += v;
        }
        if (s > limit) { found = r; break; }
    }
    out[i] = found;
}

extern "C" __global__ void newton(const float* x, float* out)
{
    float a = x[threadIdx.x], r = a, last;
    do { last = r; r = 0.5f * (r + a / r); } while (r != last);
    out[threadIdx.x] = r;
}
