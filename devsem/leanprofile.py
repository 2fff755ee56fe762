"""A profile's variant of the Lean model as one file: the constant that verdicts use, and for each written operation a theorem that says what it means.

What is compiled only for some profiles has no theorem here: a function whose last product is fused into a sum, and a site where the compiler may choose.
"""

from __future__ import annotations

from devsem.errors import UsageError
from devsem.expr import mk, var
from devsem.leanfile import LeanFile, Part, Reading, assemble, device, meanings
from devsem.ops import B32, CONTRACTED_LIBM, CONTRACTED_WRITTEN, OPS
from devsem.profile import Profile

NEEDED = ("contract", "ftz", "division", "sqrt", "libm")      # what the Lean structure `Profile` has
ENDED = {f"w_{name}_{end}" for name in (*CONTRACTED_LIBM, *CONTRACTED_WRITTEN) for end in ("add", "rsub")}
OPERATIONS = tuple(op for op in OPS.values() if op.kind == "written" and op.name not in ENDED and B32 not in op.args)


def model(profile: Profile) -> LeanFile:
    """The file; raises UsageError where a field that it needs is open."""
    missing = [f"{name} is {profile.open[name]}" for name in NEEDED if name in profile.open]
    if missing:
        raise UsageError(f"{profile.name} has no Lean model: {'; '.join(missing)}")
    reading = Reading(profile, tuple(mk(op.name, *(var("abcde"[i], sort) for i, sort in enumerate(op.args))) for op in OPERATIONS), ())
    lines, names = meanings(reading)
    facts = [f"{name}: {'open' if name in profile.open else f.value}, {f.evidence}: {f.source}" for name, f in profile.fields.items()]
    title = f"the profile {profile.name} ({profile.device or 'no device'}), flags {profile.flags or '(none)'}"
    return assemble(title, facts, [Part((*device(reading), *lines), tuple(names.values()))], "")
