"""Rows of GPU_FLOAT.md 2.2, and of its appendix A where contraction is concerned, as data: what nvcc 13.0 makes of an expression [M].

A listing is SASS as the tables print it: `->x` is a stored value; a … e are loaded. A row's own listing holds for every architecture that `arch` does
not name, with default flags; under -ftz=true each arithmetic operation has .FTZ. `plain` is the listing with -fmad=false (appendix A; None where
the facts give only "no FFMA but an explicit fmaf").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """One source, its machine code, and what differs: by architecture, and with -fmad=false."""

    source: str
    sass: str
    plain: str | None = None
    arch: Mapping[str, str] = field(default_factory=dict)


MUL_ADD = "FMUL t1, a, b; FADD t2, c, t1; ->t2"
FUSED = "FFMA t1, a, b, c; ->t1"
SPLIT = "FMUL t1, a, b; FADD t2, t1, c; ->t2"
ROWS = (
    Row("r=a*b+c;", FUSED, MUL_ADD), Row("r=c+a*b;", FUSED, MUL_ADD),
    Row("r=a*b-c;", "FFMA t1, a, b, -c; ->t1", "FMUL t1, a, b; FADD t2, -c, t1; ->t2"), Row("r=a*b+(-c);", "FFMA t1, a, b, -c; ->t1"),
    Row("r=c-a*b;", "FFMA t1, -a, b, c; ->t1", "FMUL t1, a, b; FADD t2, c, -t1; ->t2"), Row("r=-(a*b)+c;", "FFMA t1, -a, b, c; ->t1"),
    Row("r=a*(-b)+c;", "FFMA t1, -a, b, c; ->t1"), Row("r=(-a)*b+c;", "FFMA t1, -a, b, c; ->t1"),
    Row("r=-(a*b)-c;", "FFMA t1, -a, b, -c; ->t1", "FMUL t1, a, b; FADD t2, -c, -t1; ->t2", {"sm_100": "FFMA t1, a, -b, -c; ->t1"}),
    Row("r=a*b+c*d;", "FMUL t1, c, d; FFMA t2, a, b, t1; ->t2", "FMUL t1, a, b; FMUL t2, c, d; FADD t3, t1, t2; ->t3"),
    Row("r=c*d+a*b;", "FMUL t1, c, d; FFMA t2, a, b, t1; ->t2", "FMUL t1, a, b; FMUL t2, c, d; FADD t3, t2, t1; ->t3"),
    Row("r=a*d+b*c;", "FMUL t1, a, d; FFMA t2, b, c, t1; ->t2", "FMUL t1, b, c; FMUL t2, a, d; FADD t3, t2, t1; ->t3"),
    Row("r=b*c+a*d;", "FMUL t1, a, d; FFMA t2, b, c, t1; ->t2"),
    Row("r=a*b-c*d;", "FMUL t1, c, d; FFMA t2, a, b, -t1; ->t2", "FMUL t1, a, b; FMUL t2, c, d; FADD t3, t1, -t2; ->t3"),
    Row("r=a*d-b*c;", "FMUL t1, b, c; FFMA t2, a, d, -t1; ->t2"),
    Row("r=a*b+c*d+e;", "FMUL t1, c, d; FFMA t2, a, b, t1; FADD t3, t2, e; ->t3"),
    Row("r=a*b+c*d+e*a;", "FMUL t1, c, d; FFMA t2, a, b, t1; FFMA t3, a, e, t2; ->t3"),
    Row("r=(a*b+c)*d+e;", "FFMA t1, a, b, c; FFMA t2, d, t1, e; ->t2", "FMUL t1, a, b; FADD t2, c, t1; FMUL t3, d, t2; FADD t4, e, t3; ->t4"),
    Row("r=((a*b+c)*b+d)*b+e;", "FFMA t1, a, b, c; FFMA t2, t1, b, d; FFMA t3, t2, b, e; ->t3"),
    Row("float t=a*b; r=t+c;", FUSED, MUL_ADD), Row("r=addf(mulf(a,b),c);", FUSED, MUL_ADD),
    Row("float t=a*b; o[32]=t; r=t+c;", "FMUL t1, a, b; FADD t2, c, t1; ->t1; ->t2", "FMUL t1, a, b; FADD t2, c, t1; ->t1; ->t2"),
    Row("float t=a*b; r=(t+c)*t;", "FMUL t1, a, b; FADD t2, c, t1; FMUL t3, t1, t2; ->t3", "FMUL t1, a, b; FADD t2, c, t1; FMUL t3, t1, t2; ->t3"),
    Row("float t=a*b; r=(t+c)*(t+d);", "FFMA t1, a, b, c; FFMA t2, a, b, d; FMUL t3, t1, t2; ->t3"),
    Row("float t=a*b; r=(t+c)*(t-d);", "FFMA t1, a, b, c; FFMA t2, a, b, -d; FMUL t3, t1, t2; ->t3",
        "FMUL t1, a, b; FADD t2, c, t1; FADD t3, -d, t1; FMUL t4, t2, t3; ->t4"),
    Row("float t=a*b; r=(t-c)*(t-d);", "FFMA t1, a, b, -c; FFMA t2, a, b, -d; FMUL t3, t1, t2; ->t3"),
    Row("float t=a*b; r=(t+c)*(t+d)*(t+e);", "FFMA t1, a, b, c; FFMA t2, a, b, d; FFMA t3, a, b, e; FMUL t4, t1, t2; FMUL t5, t4, t3; ->t5"),
    Row("float t=a*b; r=(t+c)*(t+d)*(t+e)*(t+1.0f)*(t+2.0f);",
        "FFMA t1, a, b, c; FFMA t2, a, b, d; FFMA t3, a, b, e; FFMA t4, a, b, 1; FFMA t5, a, b, 2; FMUL t6, t1, t2; FMUL t7, t6, t3; FMUL t8, t7, t4;"
        " FMUL t9, t8, t5; ->t9"),
    Row("float x=a*b, s=x+c; r=c-(s-x);", "FFMA t1, a, b, c; FFMA t2, -a, b, t1; FADD t3, c, -t2; ->t3"),
    Row("r=a*2.0f+1.0f;", "FFMA t1, a, 2, 1; ->t1", "FADD t1, a, a; FADD t2, t1, 1; ->t2"), Row("r=a*2.0f;", "FADD t1, a, a; ->t1", "FADD t1, a, a; ->t1"),
    Row("r=a+a+c;", "FADD t1, a, a; FADD t2, t1, c; ->t2"), Row("float t=a*b; r=t+t;", "FMUL t1, a, b; FFMA t2, a, b, t1; ->t2"),
    Row("r=2.0f*(a*b);", "FMUL t1, a, b; FFMA t2, a, b, t1; ->t2"),
    Row("r=a*a+a;", "FFMA t1, a, a, a; ->t1", "FMUL t1, a, a; FADD t2, a, t1; ->t2"), Row("r=a+a*a;", "FFMA t1, a, a, a; ->t1"),
    Row("r=a*(a+1.0f);", "FADD t1, a, 1; FMUL t2, a, t1; ->t2"), Row("r=(a+b)*c;", "FADD t1, a, b; FMUL t2, t1, c; ->t2"),
    Row("r=a+c*(b-a);", "FADD t1, b, -a; FFMA t2, c, t1, a; ->t2"),
    Row("r=a*(1.0f-c)+b*c;", "FADD t1, 1, -c; FMUL t2, a, t1; FFMA t3, b, c, t2; ->t3"),
    Row("r=0.9f*a+0.1f*b;", "FMUL t1, b, 0.10000000149011611938; FFMA t2, a, 0.89999997615814208984, t1; ->t2"),
    Row("float x=a-b, y=c-d; r=x*x+y*y;", "FADD t1, a, -b; FADD t2, c, -d; FMUL t3, t2, t2; FFMA t4, t1, t1, t3; ->t4"),
    Row("r=floorf(a*b+0.5f);", "FFMA t1, a, b, 0.5; FRND.FLOOR t2, t1; ->t2"),
    Row("r=(c>0.f?a*b:d)+e;", "FMUL t1, a, b; FSEL t2, t1, d, P0; FADD t3, t2, e; ->t3"),
    Row("float t=a*b; if(c>0.f) t=t+1.0f; r=t;", "FMUL t1, a, b; FADD t2, t1, 1; FSEL t3, t2, t1, P0; ->t3"),
    Row("r=a*b+fabsf(c);", "FFMA t1, a, b, |c|; ->t1"), Row("volatile float t=a*b; r=t+c;", FUSED, MUL_ADD),
    Row('float t; asm volatile("mul.f32 %0,%1,%2;":"=f"(t):"f"(a),"f"(b)); r=t+c;', FUSED),
    Row('float t; asm("mul.rn.f32 %0,%1,%2;":"=f"(t):"f"(a),"f"(b)); r=t+c;', SPLIT, SPLIT),
    Row("r=__fmul_rn(a,b)+c;", MUL_ADD, MUL_ADD), Row("r=__fadd_rn(a*b,c);", MUL_ADD, MUL_ADD),
    Row("r=__fsub_rn(a*b,c);", "FMUL t1, a, b; FADD t2, t1, -c; ->t2"),
    Row("r=__fadd_rn(__fmul_rn(a,b),c);", MUL_ADD, MUL_ADD), Row("r=__fmul_rz(a,b)+c;", "FMUL.RZ t1, a, b; FADD t2, t1, c; ->t2"),
    Row("r=fmaf(a,b,c);", FUSED, FUSED), Row("r=__fmaf_rn(a,b,c);", FUSED, FUSED), Row("r=__fmaf_rz(a,b,c);", "FFMA.RZ t1, a, b, c; ->t1"),
    Row("r=fmaf(a,b,0.0f);", "FFMA t1, a, b, RZ; ->t1"), Row("r=fmaf(a,b,-0.0f);", "FFMA t1, a, b, -RZ; ->t1", arch={"sm_100": "FMUL t1, a, b; ->t1"}),
    Row("r=fmaf(a,1.0f,c);", "FFMA t1, a, 1, c; ->t1", arch={"sm_100": "FADD t1, a, c; ->t1"}),
    Row("r=fmaf(a,-1.0f,c);", "FFMA t1, a, -1, c; ->t1", arch={"sm_100": "FADD t1, c, -a; ->t1"}),
    Row("r=fmaf(a,b,-0.0f)+c;", "FFMA t1, a, b, -RZ; FADD t2, c, t1; ->t2", arch={"sm_100": FUSED}),
    Row("r=fmaf(a*b,1.0f,c);", "FMUL t1, a, b; FFMA t2, t1, 1, c; ->t2", arch={"sm_100": FUSED}),
    Row("float s=a+b, z=s-a; r=(a-(s-z))+(b-z);", "FADD t1, a, b; FADD t2, t1, -a; FADD t3, t1, -t2; FADD t4, a, -t3; FADD t5, b, -t2; FADD t6, t4, t5; ->t6"),
    Row("float s=a+b; r=b-(s-a);", "FADD t1, a, b; FADD t2, t1, -a; FADD t3, b, -t2; ->t3"),
    Row("float q=a*b; r=fmaf(a,b,-q);", "FMUL t1, a, b; FFMA t2, a, b, -t1; ->t2"),
    Row("r=(float)((double)a+(double)b);", "FADD t1, a, b; ->t1"), Row("r=(float)((double)a*(double)b);", "FMUL t1, a, b; ->t1"),
    Row("r=a+1.0;", "FADD t1, a, 1; ->t1"), Row("r=a*2.0;", "FADD t1, a, a; ->t1"),
    Row("r=a/2.0f;", "FMUL t1, a, 0.5; ->t1"), Row("r=a/2.0f+c;", "FFMA t1, a, 0.5, c; ->t1", "FMUL t1, a, 0.5; FADD t2, c, t1; ->t2"),
    # appendix A
    Row("r=a>0.f?a:0.f;", "FMNMX t1, RZ, a, !PT; ->t1", "FMNMX t1, RZ, a, !PT; ->t1"), Row("r=a<0.f?a:0.f;", "FMNMX t1, RZ, a, PT; ->t1"),
    Row("r=a<=0.f?0.f:a;", "FMNMX.NAN t1, RZ, a, !PT; ->t1", arch={"sm_75": "FSEL t1, a, RZ, P0; ->t1"}),
    Row("r=a<0.f?0.f:a;", "FSEL t1, a, RZ, P0; ->t1"), Row("r=a>b?a:b;", "FSEL t1, a, b, P0; ->t1"), Row("r=fmaxf(a,b);", "FMNMX t1, a, b, !PT; ->t1"),
    Row("r=-a;", "FADD t1, -a, -RZ; ->t1"), Row("r=fabsf(a);", "FADD t1, |a|, -RZ; ->t1"), Row("r=a*1.0f;", "->a"), Row("r=a+0.0f;", "FADD t1, RZ, a; ->t1"),
)
