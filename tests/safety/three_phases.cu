// Squares, sums of neighbours, difference to the first: three barriers.
//: sizes   n 1..2**24
//: grid    cdiv(n, 128)
//: block   128
//: in x[n]
//: out y[n]
__global__ void three_phases(const float* x, float* y, int n) {
    __shared__ float a[128], b[128], first;
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    float v = 0.0f;
    if (i < n) v = x[i];
    a[t] = v * v;
    __syncthreads();
    //! no first barrier | race |
    b[t] = a[t] + a[(t + 1) % 128];
    //! no wrap | out of bounds | b[t] = a[t] + a[t + 1];
    if (t == 127) first = a[0];
    //! nobody | uninitialised | if (t == 128) first = a[0];
    __syncthreads();
    //! no second barrier | race |
    a[t] = b[127 - t] - first;
    __syncthreads();
    //! no third barrier | race |
    if (i < n) y[i] = a[(t * 5) % 128];
    //! no guard | out of bounds | y[i] = a[(t * 5) % 128];
}
