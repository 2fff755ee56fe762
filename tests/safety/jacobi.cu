// T sweeps over 256 cells in shared memory, two barriers a sweep.
//: sizes   T 1..100
//: grid    1
//: block   256
//: in x[256]
//: out y[256]
__global__ void jacobi(const float* x, float* y, int T) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < T; k++) {
    //! each thread its own number of sweeps | divergent barrier | for (int k = 0; k < T + (t == 0); k++) {
        float v = s[t];
        if (t > 0 && t < 255) v = 0.5f * (s[t - 1] + s[t + 1]);
        //! no ends | out of bounds | v = 0.5f * (s[t - 1] + s[t + 1]);
        __syncthreads();
        //! no barrier after the reads | race |
        s[t] = v;
        __syncthreads();
        //! no barrier after the writes | race |
    }
    y[t] = s[t];
}
