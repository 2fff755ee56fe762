"""Every operator that `spec_arrays.py` computes by a rule of its own, by name; the others are `aten.py`'s, element by element."""

from __future__ import annotations

from collections.abc import Mapping

from devsem.frontend.spec_arrays_base import Rule
from devsem.frontend.spec_arrays_reduce import REDUCTIONS
from devsem.frontend.spec_arrays_views import VIEWS
from devsem.frontend.spec_arrays_windows import WINDOWS

RULES: Mapping[str, Rule] = {**VIEWS, **REDUCTIONS, **WINDOWS}
