"""What devsem does not accept: code -> one sentence -> what the user can do. Every refusal of a front end has its row here.

A sentence's {…} are filled in by the place that refuses.

>>> print(rejection("cuda.atomic", Where("k.cu", 3, 5), name="atomicAdd"))
k.cu:3:5: the atomic operation `atomicAdd` is not accepted [cuda.atomic] (its order over threads is not fixed; write each output from one thread)
"""

from __future__ import annotations

from devsem.errors import Rejection, Where

ONE_THREAD = "each thread must compute its outputs alone"
LITERAL = "write the literal with an f, as in `2.0f`, or cast it to float"

CUDA: dict[str, tuple[str, str]] = {
    # the text
    "cuda.binary": ("the file is not UTF-8 text: {what}", "give CUDA C++ source"),
    "cuda.size": ("{what}", "split the file, or cut out the kernel"),
    "cuda.depth": ("{what} is nested too deeply", "split it with local variables"),
    "cuda.include": ("the include `{name}` is not known", "only CUDA's, C's and PyTorch's own headers may be included; put other code into this file"),
    "cuda.directive": ("the preprocessor directive `{name}` is not accepted", "remove it"),
    "cuda.conditional": ("the name `{name}` makes the text depend on the compiler or the device", "remove the condition, or give one file for each device"),
    "cuda.macro": ("the macro `{name}` has a name of C++ or CUDA", "give it another name"),
    "cuda.pragma": ("the pragma `{name}` is not accepted", "only `once`, `unroll` and `nv_` pragmas are; remove it"),
    "cuda.syntax": ("{what}", "the file must compile with nvcc"),
    "cuda.empty": ("the file has no __global__ function", "give the file that defines the kernel"),
    # the functions
    "cuda.template": ("the template `{name}` cannot be instantiated: {what}", "launch it in the file with constants, or write it out for float"),
    "cuda.attribute": ("`{name}` has a compiler attribute that could change its meaning", "remove the attribute"),
    "cuda.parameter": ("the parameter `{name}` has the type `{type}`",
                       "parameters are numbers (float, bool, int, unsigned, long long, size_t) and pointers to floats or integers"),
    "cuda.recursion": ("`{name}` calls itself", "write it without recursion"),
    "cuda.redefinition": ("`{name}` has the name of a CUDA function", "give it another name"),
    "cuda.no_return": ("`{name}` can end without returning a value", "return a value on every path"),
    "cuda.call": ("the call of `{name}` is not accepted", "only CUDA's Float32 math functions and __device__ functions of this file can be called"),
    # statements
    "cuda.loop_return": ("`{name}` returns from inside a loop and changes its caller's variables", "set a variable and `break` instead"),
    "cuda.range_for": ("a `for` over a range is not accepted", "count with an integer"),
    "cuda.switch": ("such a `switch` is not accepted", "end each case with `break` or `return`, or write if and else"),
    "cuda.goto": ("`goto` and labels are not accepted", "write if and else"),
    "cuda.asm": ("inline assembly is not accepted", "write it in CUDA C++"),
    "cuda.exception": ("exceptions are not accepted", "device code has none"),
    "cuda.declaration": ("the declaration of `{name}` is not accepted here", "declare plain local variables"),
    "cuda.shared": ("the __shared__ variable `{name}` is not accepted here", "declare one `extern __shared__` array; give others constant sizes"),
    "cuda.static": ("the static or extern variable `{name}` is not accepted", "make it a plain local variable"),
    "cuda.volatile": ("the volatile variable `{name}` is not accepted", "remove volatile"),
    "cuda.array": ("the array `{name}` is not accepted here", "use arrays of floats or integers, with constant sizes"),
    "cuda.uninitialized": ("`{name}` may be read before it is set", "give it a value at its declaration"),
    # calls of a kind
    "cuda.atomic": ("the atomic operation `{name}` is not accepted", "its order over threads is not fixed; write each output from one thread"),
    "cuda.printf": ("`{name}` is not accepted", "remove it; a kernel only computes"),
    "cuda.syncthreads": ("`{name}` is not accepted yet", ONE_THREAD),
    "cuda.warp": ("the warp operation `{name}` is not accepted yet", ONE_THREAD),
    "cuda.thread_dim": ("`{name}` is not accepted yet", "use one dimension: blockIdx.x, blockDim.x, threadIdx.x, gridDim.x"),
    # types and conversions
    "cuda.double": ("double precision arithmetic is not accepted yet", LITERAL),
    "cuda.half": ("the half precision type or function `{name}` is not accepted yet", "use float"),
    "cuda.struct": ("the class, struct or vector type `{name}` is not accepted", "use plain floats, or a struct of numbers without constructors"),
    "cuda.type": ("the type `{name}` is not accepted", "use float, bool, int, unsigned, long long or size_t"),
    "cuda.pointer": ("a pointer is used in a way that is not accepted", "let it point into one buffer: `x[i]`, `*(x + i)`, `const float* row = x + i * n`"),
    "cuda.float_to_int": ("a constant is converted to an integer type that does not hold it", "C leaves this undefined"),
    "cuda.integer_op": ("the integer operation `{name}` is not accepted", "divide by no zero, and shift within the width"),
    "cuda.integer_select": ("the integer `{name}` depends on a condition", "choose between floats, not between integers"),
    "cuda.integer_call": ("the integer function `{name}` is not accepted", "only min, max and abs of integers are"),
    # expressions
    "cuda.side_effect": ("C leaves open in which order the parts of this expression are computed, and it matters",
                         "write the assignment or the call as a statement of its own"),
    "cuda.lambda": ("such a lambda is not accepted", "write a __device__ function"),
    "cuda.global_variable": ("the variable `{name}` outside the kernel is not a constant", "make it constexpr, or pass it as a parameter"),
    "cuda.aligned": ("`{name}` is accessed {bytes} bytes at once, but nothing aligns it to {bytes}", "declare it with __align__(16)"),
    "cuda.reinterpret": ("reading a value's bits as another type is not accepted", "compute with the number"),
    "cuda.construct": ("the construct `{name}` is not accepted", "write it with assignments, if and arithmetic"),
    # memory
    "cuda.alias": ("`{name}` is read at one index and written at another", "write to another array than is read"),
}
PLAIN: dict[str, tuple[str, str]] = {
    # what stands in the way of a verdict for each element alone
    "plain.loop": ("a loop whose number of turns is not in the text is not accepted here yet", ONE_THREAD),
    "plain.array": ("the {space} array `{name}` is not accepted here yet", ONE_THREAD),
    "plain.barrier": ("`__syncthreads` is not accepted here yet", ONE_THREAD),
    "plain.vector": ("a vector access is not accepted here yet", "load and store one float a thread"),
    "plain.operation": ("the operation `{name}` on integers is not accepted here yet", "only + - * and comparisons of integers are"),
}
NVRTC: dict[str, tuple[str, str]] = {
    "cuda.host_text": ("the host code near `{name}` cannot be told from the device code", "put the kernel into a file of its own"),
    "cuda.host_name": ("the device code mentions `{name}`, which the host code declares", "give the host's function or variable another name"),
    "nvrtc.error": ("the compiler says: {what}", "the device code must compile with nvcc"),
    "nvrtc.limit": ("the compiler {what}", "split the file, or cut out the kernel"),
    "nvrtc.profile": ("the profile {name} says {field} = {value}, and the compiler's code says {other}", "decide it as written: --reading written"),
}
PTX: dict[str, tuple[str, str]] = {
    # the text
    "ptx.binary": ("the file is not PTX text: {what}", "give PTX as NVRTC, nvcc or clang writes it"),
    "ptx.size": ("{what}", "give the PTX of one kernel"),
    "ptx.syntax": ("{what}", "only what compilers write for float kernels is accepted"),
    "ptx.target": ("{what}", "compile for an NVIDIA GPU with 64-bit addresses"),
    # names and operands
    "ptx.undeclared": ("the {kind} `{name}` is not declared", "the text must be accepted by ptxas"),
    "ptx.duplicate": ("`{name}` is declared twice", "give each thing a name of its own"),
    "ptx.predicate": ("`{name}` is used as a predicate, but its type is .{type}", "the text must be accepted by ptxas"),
    "ptx.operand": ("`{name}` has operands of the wrong kind or number", "the text must be accepted by ptxas"),
    # control flow
    "ptx.empty": ("`{name}` has no instruction", "give the kernel's own PTX"),
    "ptx.end": ("control reaches the end of `{name}` without ret or exit", "the text must be accepted by ptxas"),
    "ptx.exit": ("`exit` in the function `{name}` ends more than the function", "let it return"),
    "ptx.indirect": ("the indirect branch or call `{name}` is not accepted", "write if and else"),
    "ptx.irreducible": ("a jump leads into the middle of a loop, at `{name}`", "write loops with one entry"),
    "ptx.endless": ("no path leads from `{name}` to the end", "every loop needs a way out"),
}
PTX_RUN: dict[str, tuple[str, str]] = {
    # what one instruction means
    "ptx.instruction": ("the instruction `{name}` is not accepted", "its meaning is not in the table yet"),
    "ptx.f64": ("the double precision instruction `{name}` is not accepted yet", LITERAL),
    "ptx.operands": ("the instruction `{name}` does not have {count} operands", "give PTX that ptxas accepts"),
    # what a thread does
    "ptx.kind": ("the instruction `{name}` reads {what}", "give PTX as NVRTC writes it"),
    "ptx.unset": ("the register `{name}` may be read before it is set", "give PTX as NVRTC writes it"),
    "ptx.parameter": ("the parameter {name} is read as {what}", "give the kernel's own parameters"),
    "ptx.address": ("the address at `{name}` is not that of a parameter's element", "index a parameter: `x[i]`"),
    "ptx.pointer": ("the instruction `{name}` computes with a pointer in a way that is not accepted", "index a parameter: `x[i]`"),
    "ptx.loop": ("a loop whose number of turns is not fixed is not accepted yet", "loops come later; write one element a thread"),
    "ptx.call": ("the call `{name}` is not accepted", "let the compiler inline it"),
    "ptx.shared": ("the shared memory instruction `{name}` is not accepted yet", ONE_THREAD),
    "ptx.local": ("the local memory instruction `{name}` is not accepted yet", "avoid local arrays"),
    "ptx.atomic": ("the atomic operation `{name}` is not accepted", "its order over threads is not fixed; write each output from one thread"),
    "ptx.threads": ("the instruction `{name}`, by which threads meet, is not accepted yet", ONE_THREAD),
    "ptx.special": ("the special register `{name}` is not accepted yet", "use one dimension: blockIdx.x, blockDim.x, threadIdx.x, gridDim.x"),
    "ptx.alias": ("`{name}` is read at one index and written at another", "write to another array than is read"),
}
HOST: dict[str, tuple[str, str]] = {
    # the wrapper, which launches the kernel
    "host.none": ("no function of the file launches a kernel", "add the wrapper, or say how it is launched with --launch and --bind"),
    "host.several": ("several functions launch kernels: {names}", "name the one that is meant `forward`, or bind it with PYBIND11_MODULE"),
    "host.syntax": ("the compiler says: {what}", "the wrapper must compile; only what PyTorch's and CUDA's headers declare for wrappers is known"),
    "host.call": ("the host code calls `{name}`, whose meaning is not known", "only tensors' sizes, new tensors, views and launches are modelled"),
    "host.construct": ("the construct `{name}` is not accepted in host code", "write it with declarations, if, arithmetic, calls and launches"),
    "host.value": ("{what} is not accepted in host code", "compute sizes with integers"),
    "host.branch": ("the host's condition `{text}` depends on more than sizes", "give the value in the spec's get_init_inputs, or remove the condition"),
    "host.loop": ("the host's loop does not end within {rounds} rounds at the spec's sizes", "launch a fixed number of kernels"),
    "host.check": ("the host's check `{text}` fails", "the wrapper refuses these inputs"),
    "host.throws": ("the host code ends in an error here", "the wrapper refuses these inputs"),
    "host.dtype": ("the type `{name}` is not accepted in host code", "only float32 tensors are modelled"),
    "host.pointer": ("the pointer `{name}` is not that of a tensor's first float", "pass `x.data_ptr<float>()`"),
    "host.raw": ("the wrapper's parameter `{name}` is a bare pointer, which does not say how much memory it points to", "take torch::Tensor, or use --bind"),
    "host.initial": ("`{name}` makes a tensor that is neither empty nor zero", "use torch::empty or torch::zeros, and write it in a kernel"),
    "host.variable": ("the host's variable `{name}` is {what}", "make it a constant, or a local variable that is set where it is declared"),
    "host.recursion": ("the host's functions call each other more than {depth} deep", "write it without recursion"),
    "host.arguments": ("`{name}` is called with {given} arguments, and takes {taken}", "give each parameter one argument"),
    "host.view": ("the shape of `{name}` is not known", "give every dimension but one"),
    "host.result": ("the wrapper returns {what}", "return the tensors that the kernels wrote"),
}
SOLUTION: dict[str, tuple[str, str]] = {
    # a KernelBench solution: a Python text that is read, and never run
    "solution.syntax": ("the Python text does not parse: {what}", "give a KernelBench solution"),
    "solution.size": ("{what}", "give a KernelBench solution with its kernels as strings"),
    "solution.no_model": ("it defines {what}", "define `class ModelNew(nn.Module)` once, with __init__ and forward"),
    "solution.statement": ("the statement `{name}` could change what the rest means", "remove it; a solution is read, and never run"),
    "solution.text": ("the text of `{name}` is not known without running the program: {what}", "write the source as a constant string"),
    "solution.load": ("this call of load_inline is not understood: {what}", "give name, cpp_sources, cuda_sources and functions as constants"),
    "solution.flag": ("the compiler flag `{name}` of extra_cuda_cflags is not modelled", "remove it"),
    "solution.operator": ("`{name}` computes outside the kernels", "only sizes, views, new tensors and calls of the extension are read in forward"),
    "solution.value": ("`{name}` is not known without running the program", "store it in __init__ from the arguments of __init__"),
    "solution.construct": ("the Python construct `{name}` is not accepted", "write it with assignments, if and calls"),
    "solution.parameter": ("`{name}` is no parameter or buffer of the spec's Model", "give it the name and the shape that it has in Model"),
    "solution.inputs": ("forward takes {given} tensors, the spec gives {taken}", "take the inputs that get_inputs returns"),
    "solution.line": ("the source mentions `{name}`, whose value depends on the file that PyTorch makes of it", "remove it"),
    "solution.branch": ("the condition `{name}` depends on more than sizes", "give the value in get_init_inputs"),
}
RUN: dict[str, tuple[str, str]] = {
    # what the run of a concrete launch (threads.py) does not accept
    "run.integer": ("an integer depends on the values in a tensor", "not accepted yet; choose between floats, not between indices or loop bounds"),
    "run.loop": ("how often a loop turns depends on the values in a tensor", "not accepted yet; give the loop a bound that depends on sizes only"),
    "run.meet": ("whether threads meet at a barrier or an exchange depends on the values in a tensor", "move it out of the condition"),
    "run.unset": ("`{name}` may be read before it is set", "give it a value at its declaration"),
    "run.index": ("the 32-bit index into `{name}`, which has more than 2^31 elements, could be negative or large", "compute the index in 64 bits"),
}
TABLE: dict[str, tuple[str, str]] = {**CUDA, **PLAIN, **NVRTC, **PTX, **PTX_RUN, **HOST, **SOLUTION, **RUN}


def rejection(code: str, where: Where, **names: str) -> Rejection:
    """The refusal `code` at a place, its sentence filled in; an unknown code raises KeyError."""
    message, hint = TABLE[code]
    return Rejection(code, where, message.format(**names), hint)
