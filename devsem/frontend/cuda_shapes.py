"""The shapes of clang's types, refused by name where an object of that type would not be a few numbers."""

from __future__ import annotations

from typing import Any

from devsem.frontend.cuda_clang import Cursor, children, in_text, kind, type_kind
from devsem.frontend.cuda_objects import Row, Shape, Struct, size
from devsem.frontend.cuda_scope import TYPES, State
from devsem.frontend.cuda_types import BOOLEAN, BY_KIND, DOUBLE, VOID

VECTORS = frozenset({"float2", "float3", "float4", "int2", "int3", "int4", "uint2", "uint4"})
PACKED = frozenset({"float2", "float4", "int2", "int4", "uint2", "uint4"})      # whose address is a multiple of their size
INERT = frozenset({"FIELD_DECL", "STRUCT_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "ENUM_DECL", "CXX_METHOD", "STATIC_ASSERT"})
MAX_ELEMENTS, MAX_LEVELS = 1 << 16, 8


def shape_of(state: State, type_: Any, cursor: Cursor, name: str = "", level: int = 0) -> Shape | None:
    """The shape of a type; None once it is refused, at the cursor, for the variable `name`."""
    canonical = type_.get_canonical()
    key = type_kind(canonical)
    if key == "ENUM":
        key = type_kind(canonical.get_declaration().enum_type)
    if canonical.is_volatile_qualified():
        state.refuse("cuda.volatile", cursor, name=name)
        return None
    if level > MAX_LEVELS:
        state.refuse("cuda.depth", cursor, what="the type")
        return None
    scalar = BY_KIND.get(key)
    if scalar is not None and scalar is not VOID:
        if scalar is not DOUBLE:
            return scalar
        state.refuse("cuda.double", cursor)
        return None
    if key in ("CONSTANTARRAY", "INCOMPLETEARRAY"):
        inner = shape_of(state, canonical.element_type, cursor, name, level + 1)
        count = int(canonical.element_count) if key == "CONSTANTARRAY" else None
        if inner is None:
            return None
        if (count or 0) * size(inner) > MAX_ELEMENTS:
            state.refuse("cuda.size", cursor, what=f"the array `{name}` has more than {MAX_ELEMENTS} elements")
            return None
        return Row(count, inner)
    if key == "RECORD":
        return _struct(state, canonical, cursor, level)
    state.refuse(TYPES.get(key, "cuda.type"), cursor, name=str(type_.spelling))
    return None


def _struct(state: State, canonical: Any, cursor: Cursor, level: int) -> Struct | None:
    """A struct whose copies and defaults are those of its fields."""
    declaration, spelling = canonical.get_declaration(), str(canonical.spelling).removeprefix("const ")
    plain = kind(declaration) in ("STRUCT_DECL", "CLASS_DECL") and all(kind(c) in INERT or kind(c).endswith("_REF") for c in children(declaration))
    if not in_text(declaration) and spelling not in VECTORS:
        plain = False
    if not plain or "(lambda at" in spelling:
        state.refuse("cuda.lambda" if "(lambda at" in spelling else "cuda.struct", cursor, name=spelling)
        return None
    fields = []
    for field in canonical.get_fields():
        inner = shape_of(state, field.type, cursor, str(field.spelling), level + 1)
        if inner is None or field.is_bitfield():
            if inner is not None:
                state.refuse("cuda.struct", cursor, name=spelling)
            return None
        fields.append((str(field.spelling), inner))
    if not fields or any(not n for n, _ in fields):
        state.refuse("cuda.struct", cursor, name=spelling)
        return None
    return Struct(spelling, tuple(fields), spelling in PACKED and not in_text(declaration))


def element_type(shape: Shape | None) -> Any:
    """The one type of all the numbers in an object, None where they differ or could not be in a buffer."""
    while isinstance(shape, Row):
        shape = shape.of
    if isinstance(shape, Struct):
        kinds = {element_type(inner) for _, inner in shape.fields}
        return kinds.pop() if len(kinds) == 1 else None
    return None if shape is None or shape is BOOLEAN else shape
