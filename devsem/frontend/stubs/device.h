// What CUDA's headers declare, as far as a kernel's meaning needs it. The math functions are appended from ops.py.
#define __cplusplus 201703L
#define __CUDACC__ 1
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define HUGE_VALF (__builtin_inff())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf(""))
#define INT_MAX 2147483647
#define NULL 0

typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned int uint;
struct uint3 { unsigned int x, y, z; };
struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1) : x(a), y(b), z(c) {}
};
struct float2 { float x, y; };
struct float3 { float x, y, z; };
struct float4 { float x, y, z, w; };
struct int2 { int x, y; };
struct int3 { int x, y, z; };
struct int4 { int x, y, z, w; };
struct uint2 { unsigned int x, y; };
struct uint4 { unsigned int x, y, z, w; };
extern __device__ const uint3 threadIdx, blockIdx;
extern __device__ const dim3 blockDim, gridDim;
extern __device__ const int warpSize;

// for host code: a launch `<<<…>>>`, PyTorch's tensors
typedef struct CUstream_st *cudaStream_t;
typedef int cudaError_t;
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
namespace cooperative_groups {}
namespace at { struct Tensor; }
namespace torch { using at::Tensor; }
#define PYBIND11_MODULE(name, module) static void devsem_module_##name(int module)
#define TORCH_LIBRARY(name, module) static void devsem_library_##name(int module)

// declared so that a refusal names them at every place
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcg(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class... A> __device__ float atomicAdd(A...);
template <class... A> __device__ float atomicSub(A...);
template <class... A> __device__ float atomicMax(A...);
template <class... A> __device__ float atomicMin(A...);
template <class... A> __device__ float atomicExch(A...);
template <class... A> __device__ float atomicCAS(A...);
template <class... A> __device__ unsigned __ballot_sync(A...);
template <class... A> __device__ int __any_sync(A...);
template <class... A> __device__ int __all_sync(A...);
__device__ unsigned __activemask();
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__host__ __device__ int printf(const char *, ...);
template <class... A> __device__ void assert(A...);
__device__ float __int_as_float(int);
__device__ int __float_as_int(float);
__device__ float __uint_as_float(unsigned);
__device__ unsigned __float_as_uint(float);
__device__ float copysignf(float, float);
__device__ float fdimf(float, float);
template <class T> __device__ bool signbit(T);
__device__ float2 make_float2(float, float);
__device__ float3 make_float3(float, float, float);
__device__ float4 make_float4(float, float, float, float);
__device__ int2 make_int2(int, int);
__device__ int3 make_int3(int, int, int);
__device__ int4 make_int4(int, int, int, int);
__device__ uint2 make_uint2(unsigned, unsigned);
__device__ uint4 make_uint4(unsigned, unsigned, unsigned, unsigned);
__device__ int abs(int);
__device__ long abs(long);
__device__ long long abs(long long);
#define DEVSEM_MINMAX(T) __device__ T min(T, T); __device__ T max(T, T);
DEVSEM_MINMAX(int) DEVSEM_MINMAX(unsigned) DEVSEM_MINMAX(long) DEVSEM_MINMAX(unsigned long) DEVSEM_MINMAX(long long) DEVSEM_MINMAX(unsigned long long)
#undef DEVSEM_MINMAX
__device__ unsigned umin(unsigned, unsigned);
__device__ unsigned umax(unsigned, unsigned);
__device__ long long llmin(long long, long long);
__device__ long long llmax(long long, long long);
namespace std {
template <class T> __device__ T min(T, T);
template <class T> __device__ T max(T, T);
}
#define DEVSEM_CONVERT(M) __device__ int __float2int_##M(float); __device__ unsigned __float2uint_##M(float); \
  __device__ long long __float2ll_##M(float); __device__ unsigned long long __float2ull_##M(float); __device__ float __int2float_##M(int); \
  __device__ float __uint2float_##M(unsigned); __device__ float __ll2float_##M(long long); __device__ float __ull2float_##M(unsigned long long);
DEVSEM_CONVERT(rn) DEVSEM_CONVERT(rz) DEVSEM_CONVERT(rd) DEVSEM_CONVERT(ru)
#undef DEVSEM_CONVERT
#define DEVSEM_SHUFFLE(T) __device__ T __shfl_sync(unsigned, T, int, int = 32); __device__ T __shfl_xor_sync(unsigned, T, int, int = 32); \
  __device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32); __device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);
DEVSEM_SHUFFLE(int) DEVSEM_SHUFFLE(unsigned) DEVSEM_SHUFFLE(float) DEVSEM_SHUFFLE(double) DEVSEM_SHUFFLE(long) DEVSEM_SHUFFLE(unsigned long)
DEVSEM_SHUFFLE(long long) DEVSEM_SHUFFLE(unsigned long long)
#undef DEVSEM_SHUFFLE
