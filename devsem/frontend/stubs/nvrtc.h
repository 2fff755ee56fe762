// What nvcc includes by itself, or a C header gives it, and NVRTC lacks. Each value is the one that nvcc's preprocessor puts there (glibc, gcc, CUDA 13.0).
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define INFINITY (__builtin_bit_cast(float, 0x7f800000))
#define NAN (__builtin_bit_cast(float, 0x7fc00000))
#define HUGE_VALF (__builtin_bit_cast(float, 0x7f800000))
#define CUDART_INF_F __int_as_float(0x7f800000U)
#define CUDART_NAN_F __int_as_float(0x7fffffffU)
#define CUDART_PI_F 3.141592654F
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F
#define FLT_TRUE_MIN 1.40129846432481707092372958328991613e-45F
#define INT_MAX 0x7fffffff
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LLONG_MAX 0x7fffffffffffffffLL
#define LLONG_MIN (-LLONG_MAX - 1LL)
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
// The C++ library computes a call with a float and an integer in double, NVRTC in float [M: std::fmin(a, 2), pow(a, i)]; so such a call is an error here.
template <class A, class B> void fmin(A, B) = delete;
template <class A, class B> void fmax(A, B) = delete;
template <class A, class B> void fmod(A, B) = delete;
template <class A, class B> void fdim(A, B) = delete;
template <class A, class B> void atan2(A, B) = delete;
template <class A, class B> void hypot(A, B) = delete;
template <class A, class B> void remainder(A, B) = delete;
template <class A, class B> void nextafter(A, B) = delete;
template <class A, class B, class C> void fma(A, B, C) = delete;
template <class A, class B> void devsem_pow(A, B) = delete;
__device__ __forceinline__ float devsem_pow(float a, float b) { return powf(a, b); }
__device__ __forceinline__ double devsem_pow(double a, double b) { return pow(a, b); }
#define pow(...) devsem_pow(__VA_ARGS__)
namespace cooperative_groups {}
namespace std {
using ::abs; using ::fabs; using ::fma; using ::sqrt; using ::fmin; using ::fmax; using ::floor; using ::ceil; using ::trunc; using ::round;
using ::isnan; using ::isinf; using ::isfinite; using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh;
using ::atanh; using ::erf; using ::erfc; using ::cbrt; using ::lgamma; using ::tgamma; using ::devsem_pow; using ::atan2; using ::hypot; using ::fmod;
using ::size_t; using ::ptrdiff_t; using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
}
