// Look at the machine code: a selection on sm_75, FMNMX.NAN from sm_80 on. Two programs, one function (all NaNs taken as one).
// devsem audit threshold.cu --spec threshold.py --arch sm_75,sm_90
extern "C" __global__ void threshold(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] <= 0.0f ? 0.0f : x[i];
    }
}
