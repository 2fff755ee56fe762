// What PyTorch's, CUDA's and C++'s headers declare, as far as the meaning of a wrapper on the host needs it. Bodies are never looked at:
// host_api.py says what each of these names means, and refuses every other one.
#undef PYBIND11_MODULE
#undef TORCH_LIBRARY
#undef TORCH_EXTENSION_NAME
#define TORCH_EXTENSION_NAME devsem_extension
#define PYBIND11_MODULE(name, module) static void devsem_module_(devsem::Module &module)
#define TORCH_LIBRARY(name, module) static void devsem_library_##name(devsem::Module &module)
#define TORCH_CHECK(condition, ...) devsem::check((condition), #condition)
#define TORCH_INTERNAL_ASSERT(condition, ...) devsem::check((condition), #condition)
#define AT_ASSERT(condition, ...) devsem::check((condition), #condition)
#define AT_ASSERTM(condition, ...) devsem::check((condition), #condition)
#define AT_CHECK(condition, ...) devsem::check((condition), #condition)
#define TORCH_CHECK_EQ(a, b) devsem::check((a) == (b), #a " == " #b)
#define TORCH_CHECK_NE(a, b) devsem::check((a) != (b), #a " != " #b)
#define TORCH_CHECK_GE(a, b) devsem::check((a) >= (b), #a " >= " #b)
#define TORCH_CHECK_GT(a, b) devsem::check((a) > (b), #a " > " #b)
#define TORCH_CHECK_LE(a, b) devsem::check((a) <= (b), #a " <= " #b)
#define TORCH_CHECK_LT(a, b) devsem::check((a) < (b), #a " < " #b)
#define TORCH_WARN(...) ((void)0)
#define AT_ERROR(...) devsem::check(false, "an error")
#define AT_CUDA_CHECK(status) ((void)(status))
#define C10_CUDA_CHECK(status) ((void)(status))
#define C10_CUDA_KERNEL_LAUNCH_CHECK() ((void)0)
#define TORCH_CUDA_CHECK(status) ((void)(status))
#define DEVSEM_DISPATCH(type, name, ...) { (void)(type); using scalar_t = float; devsem::dispatch(__VA_ARGS__); }
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...) DEVSEM_DISPATCH(type, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...) DEVSEM_DISPATCH(type, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(other, type, name, ...) DEVSEM_DISPATCH(type, name, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(other, another, type, name, ...) DEVSEM_DISPATCH(type, name, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(type, name, ...) DEVSEM_DISPATCH(type, name, __VA_ARGS__)

namespace std {
typedef ::size_t size_t;
typedef decltype(nullptr) nullptr_t;
template <class E> class initializer_list {
  const E *first; size_t count;
public:
  size_t size() const; const E *begin() const; const E *end() const;
};
template <class T> struct remove_ref { typedef T type; };
template <class T> struct remove_ref<T &> { typedef T type; };
template <class T> struct remove_ref<T &&> { typedef T type; };
template <class T> typename remove_ref<T>::type &&move(T &&);
template <class T> const T &min(const T &, const T &);
template <class T> const T &max(const T &, const T &);
template <class T> T abs(T);
float sqrt(float); double sqrt(double);
float ceil(float); double ceil(double);
float floor(float); double floor(double);
float log2(float); double log2(double);
float log(float); double log(double);
float exp(float); double exp(double);
float pow(float, float); double pow(double, double);
template <class T> struct vector {
  vector(); vector(initializer_list<T>); explicit vector(size_t); vector(size_t, const T &);
  T &operator[](size_t); const T &operator[](size_t) const; T &at(size_t); size_t size() const; bool empty() const; void push_back(const T &); T &back(); T &front();
  void reserve(size_t); const T *data() const; const T *begin() const; const T *end() const;
};
struct string { string(); string(const char *); const char *c_str() const; };
string operator+(const string &, const string &);
bool operator==(const string &, const string &);
template <class T> string to_string(T);
template <class... A> struct tuple { tuple(); tuple(A...); };
template <class... A> tuple<A...> make_tuple(A...);
template <class A, class B> struct pair { A first; B second; };
struct exception { const char *what() const; };
struct runtime_error : exception { runtime_error(const string &); };
struct invalid_argument : exception { invalid_argument(const string &); };
template <class T> struct optional { optional(); optional(T); bool has_value() const; const T &value() const; const T &operator*() const; explicit operator bool() const; };
struct nullopt_t {}; extern const nullopt_t nullopt;
struct ostream {}; extern ostream cout, cerr; ostream &endl(ostream &);
template <class T> ostream &operator<<(ostream &, const T &); ostream &operator<<(ostream &, ostream &(*)(ostream &));
template <class T> struct numeric_limits { static T infinity(); static T lowest(); static T max(); static T min(); static T quiet_NaN(); static T epsilon(); };
using ::int32_t; using ::int64_t; using ::uint32_t; using ::uint64_t; using ::int8_t; using ::uint8_t;
}
typedef void *FILE; extern FILE stderr, stdout;
int fprintf(FILE, const char *, ...); int fflush(FILE); void exit(int); void abort();
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
double ceil(double); double floor(double); double sqrt(double); float sqrtf(float); float ceilf(float); float floorf(float); double log2(double);
int max(int, int); int min(int, int); long max(long, long); long min(long, long); unsigned max(unsigned, unsigned); unsigned min(unsigned, unsigned);

const int cudaSuccess = 0;
const char *cudaGetErrorString(cudaError_t); const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaGetLastError(); cudaError_t cudaPeekAtLastError(); cudaError_t cudaDeviceSynchronize(); cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaSetDevice(int); cudaError_t cudaGetDevice(int *);
cudaError_t cudaMalloc(...); cudaError_t cudaFree(...); cudaError_t cudaMemcpy(...); cudaError_t cudaMemcpyAsync(...); cudaError_t cudaMemset(...);
cudaError_t cudaMemsetAsync(...); cudaError_t cudaFuncSetAttribute(...); cudaError_t cudaMallocManaged(...); cudaError_t cudaStreamCreate(...);
cudaError_t cudaGetDeviceProperties(...); cudaError_t cudaDeviceGetAttribute(...); cudaError_t cudaOccupancyMaxPotentialBlockSize(...);
cudaError_t cudaLaunchKernel(...); cudaError_t cudaMemcpyToSymbol(...); cudaError_t cudaEventCreate(...);

namespace c10 {
enum class ScalarType { Byte, Char, Short, Int, Long, Half, Float, Double, Bool, BFloat16 };
enum class DeviceType { CPU, CUDA };
enum class MemoryFormat { Contiguous, Preserve, ChannelsLast };
struct Device {
  Device(DeviceType, int = 0); DeviceType type() const; int index() const; bool is_cuda() const; bool is_cpu() const; bool has_index() const;
  bool operator==(const Device &) const; bool operator!=(const Device &) const;
};
struct IntArrayRef {
  IntArrayRef(); IntArrayRef(std::initializer_list<long>); IntArrayRef(const std::vector<long> &);
  long operator[](size_t) const; size_t size() const; long back() const; long front() const; std::vector<long> vec() const;
  bool operator==(const IntArrayRef &) const; bool operator!=(const IntArrayRef &) const;
};
struct TensorOptions {
  TensorOptions(); TensorOptions(ScalarType); TensorOptions(Device); TensorOptions(DeviceType);
  TensorOptions dtype(ScalarType) const; TensorOptions device(Device) const; TensorOptions device(DeviceType, int = 0) const;
  TensorOptions requires_grad(bool) const; TensorOptions memory_format(MemoryFormat) const; TensorOptions layout(int) const;
};
template <class T> using optional = std::optional<T>;
template <class T> using ArrayRef = std::vector<T>;
struct Scalar { Scalar(double); Scalar(int); Scalar(long); };
using std::nullopt;
namespace cuda {
struct CUDAStream { operator cudaStream_t() const; cudaStream_t stream() const; };
CUDAStream getCurrentCUDAStream(int = -1);
struct CUDAGuard { explicit CUDAGuard(Device); explicit CUDAGuard(int); };
struct OptionalCUDAGuard { OptionalCUDAGuard(); explicit OptionalCUDAGuard(Device); explicit OptionalCUDAGuard(std::optional<Device>); };
}
}
namespace at {
using namespace c10;
const ScalarType kFloat = ScalarType::Float, kFloat32 = ScalarType::Float, kHalf = ScalarType::Half, kFloat16 = ScalarType::Half, kDouble = ScalarType::Double,
  kFloat64 = ScalarType::Double, kInt = ScalarType::Int, kInt32 = ScalarType::Int, kLong = ScalarType::Long, kInt64 = ScalarType::Long, kBool = ScalarType::Bool,
  kBFloat16 = ScalarType::BFloat16, kByte = ScalarType::Byte, kUInt8 = ScalarType::Byte;
const DeviceType kCUDA = DeviceType::CUDA, kCPU = DeviceType::CPU;
struct Tensor {
  Tensor(); 
  long size(long) const; IntArrayRef sizes() const; long numel() const; long dim() const; long ndimension() const; long stride(long) const; IntArrayRef strides() const;
  template <class T> T *data_ptr() const; void *data_ptr() const; template <class T> T *mutable_data_ptr() const; template <class T> const T *const_data_ptr() const;
  void *mutable_data_ptr() const; const void *const_data_ptr() const; template <class T> T *data() const;
  Tensor contiguous() const; Tensor contiguous(MemoryFormat) const; bool is_contiguous() const; bool is_contiguous(MemoryFormat) const; bool is_cuda() const; bool is_cpu() const;
  bool defined() const; Device device() const; int get_device() const; long nbytes() const; long element_size() const; long itemsize() const;
  ScalarType dtype() const; ScalarType scalar_type() const; ScalarType type() const; TensorOptions options() const; bool requires_grad() const; bool is_floating_point() const;
  Tensor view(IntArrayRef) const; Tensor reshape(IntArrayRef) const; Tensor flatten(long = 0, long = -1) const; Tensor squeeze() const; Tensor squeeze(long) const;
  Tensor unsqueeze(long) const; Tensor view_as(const Tensor &) const; Tensor reshape_as(const Tensor &) const; Tensor clone() const; Tensor detach() const;
  Tensor to(ScalarType) const; Tensor to(Device) const; Tensor to(DeviceType) const; Tensor to(TensorOptions) const; Tensor cuda() const; Tensor zero_() const;
  Tensor resize_(IntArrayRef) const; Tensor set_requires_grad(bool) const;
};
Tensor empty(IntArrayRef, TensorOptions = {}); Tensor zeros(IntArrayRef, TensorOptions = {}); Tensor empty_like(const Tensor &, TensorOptions = {});
Tensor zeros_like(const Tensor &, TensorOptions = {}); Tensor empty(IntArrayRef, ScalarType);
std::optional<Device> device_of(const Tensor &);
TensorOptions dtype(ScalarType); TensorOptions device(Device); TensorOptions device(DeviceType, int = 0); TensorOptions requires_grad(bool);
using IntList = IntArrayRef;
namespace cuda { using c10::cuda::CUDAStream; CUDAStream getCurrentCUDAStream(int = -1); using c10::cuda::CUDAGuard; using c10::cuda::OptionalCUDAGuard; }
}
namespace torch {
using namespace at;
using Dtype = at::ScalarType;
using at::Tensor;
using TensorList = std::vector<at::Tensor>;
}
namespace devsem {
template <class C> void check(const C &, const char *);
template <class F> void dispatch(F);
struct Module { template <class... A> Module &def(const char *, A...); const char *&doc(); template <class T> Module &attr(T); template <class F> void impl(const char *, F); };
}
namespace pybind11 { struct arg { arg(const char *); template <class T> arg operator=(T) const; }; namespace literals {} struct object {}; }
namespace py = pybind11;
