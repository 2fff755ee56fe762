// devsem: device=ieee launch="grid=2,1,1 block=32,1,1" verdict=PROVED slow=yes
// No guard is needed where the launch is fixed.
extern "C" __global__ void fixed_launch_k(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i] + 1.0f;
}
