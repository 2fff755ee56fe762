// (N, C, L) to (N, C): a block a channel.
//: sizes   N 1..64, C 1..512, L 1..2**14
//: grid    N * C
//: block   128
//: in x[N, C, L]
//: out y[N, C]
__global__ void global_average(const float* x, float* y, int L) {
    __shared__ float s[128];
    const float* p = x + (size_t)blockIdx.x * L;
    float a = 0.0f;
    for (int i = threadIdx.x; i < L; i += 128) a += p[i];
    //! whole blocks of 128 | out of bounds | for (int i = threadIdx.x; i < L + 127; i += 128) a += p[i];
    s[threadIdx.x] = a;
    for (int k = 64; k > 0; k /= 2) {
        __syncthreads();
        //! no barrier | race |
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = s[0] / L;
    //! another thread writes | race | if (threadIdx.x == 1) y[blockIdx.x] = s[0] / L;
}
