"""Names of CUDA's and its headers': which have a refusal to themselves, and which a file's own function must not have."""

from __future__ import annotations

import re

from devsem.ops import BY_C

NAMES = tuple((re.compile(pattern), code) for pattern, code in (
    (r"_*atomic\w*", "cuda.atomic"), (r"v?f?printf|puts|putchar|assert|__assert\w*", "cuda.printf"),
    (r"__syncthreads\w*|__syncwarp|__threadfence\w*|__barrier\w*", "cuda.syncthreads"),
    (r"__shfl\w*|__ballot\w*|__any\w*|__all\w*|__activemask|__reduce\w*|__match\w*|warpSize", "cuda.warp"),
    (r"_*half2?|_*nv_bfloat\w*|__\w*(half|bfloat16)\w*|__h\w+", "cuda.half"),
    (r"(make_)?(float|double|int|uint|char|short|long)[1234]", "cuda.struct"),
    (r"operator.*", "cuda.struct"),
))
_DOUBLES = """abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv
exp exp10 exp2 expm1 fabs fdim fdivide finite floor fma fmax fmin fmod frexp gamma hypot ilogb isfinite isinf isnan isnormal j0 j1 jn ldexp lgamma llrint
llround log log10 log1p log2 logb lrint lround max min modf nan nearbyint nextafter nexttoward norm norm3d norm4d normcdf normcdfinv pow powi rcbrt
remainder remquo rhypot rint rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn significand signbit sin sincos sincospi sinh sinpi sqrt tan tanh tanpi
tgamma trunc y0 y1 yn""".split()
_OTHERS = """all any assert ballot brkpt clock clock64 clz clzll double2float_rn fetch ffs ffsll float2int float2ll float2uint float2ull float_as_int
fpclassify free int2float int_as_float isgreater isgreaterequal isless islessequal islessgreater isunordered labs ll2float_rn llabs llmax llmin malloc
memcpy memset mul24 mul64hi mulhi popc popcll printf prof_trigger rhadd sad saturate syncthreads threadfence threadfence_block trap uint2float
ull2float ullmax ullmin umax umin umul24 umul64hi umulhi urhadd usad""".split()
LIBRARY = frozenset({*BY_C, *(n[:-1] for n in BY_C if n.endswith("f")), *_DOUBLES, *(n + s for n in _DOUBLES for s in "fl"), *_OTHERS})
_LIBRARY = re.compile(r"__\w*|(cuda|curand|cuC|tex|surf)\w*|h2?(ceil|cos|exp|exp2|exp10|floor|log|log2|log10|rcp|rint|rsqrt|sin|sqrt|tanh|tanh_approx|trunc)")

_OWN = re.compile(r"cuda_?(Check|ErrCheck|Errchk|SafeCall|Assert)\w*")     # what people call their own checks; CUDA has no name of this form


def code_of(name: str) -> str | None:
    """The refusal that a name of CUDA's has to itself."""
    return next((code for pattern, code in NAMES if pattern.fullmatch(name)), None)


def is_library(name: str) -> bool:
    """Whether CUDA's headers may declare a function of this name, with overloads that ours do not show.

    >>> is_library("ldexp"), is_library("leaky")
    (True, False)
    """
    return name in LIBRARY or (_LIBRARY.fullmatch(name) is not None and not _OWN.fullmatch(name)) or code_of(name) is not None
