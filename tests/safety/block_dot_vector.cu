// Matrix times vector: a block a row, threads in strides, a tree.
//: sizes   M 1..2**14, K 1..2**14
//: grid    M
//: block   128
//: in A[M, K], v[K]
//: out y[M]
__global__ void block_dot_vector(const float* A, const float* v, float* y, int K) {
    __shared__ float s[128];
    float p = 0.0f;
    for (int k = threadIdx.x; k < K; k += blockDim.x) p += A[blockIdx.x * K + k] * v[k];
    //! vector by row | out of bounds | for (int k = threadIdx.x; k < K; k += blockDim.x) p += A[blockIdx.x * K + k] * v[blockIdx.x];
    s[threadIdx.x] = p;
    __syncthreads();
    for (int k = 64; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
        //! no barrier | race |
    }
    if (threadIdx.x == 0) y[blockIdx.x] = s[0];
    //! no thread | unwritten | if (threadIdx.x == 128) y[blockIdx.x] = s[0];
}
