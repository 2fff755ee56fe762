"""What a value of a solution's Python is, while it is read: numbers, texts, names of PyTorch's things, classes, and the extension it builds."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from devsem.frontend.solution_text import Text


class Unclear(Exception):
    """A node that is not understood: the rejection's code, and what its sentence says."""

    def __init__(self, node: ast.AST, code: str, **names: str) -> None:
        super().__init__(code)
        self.node, self.code, self.names = node, code, names


@dataclass(frozen=True)
class Named:
    """Something that an import brought, by its whole name: `torch.nn.Linear`."""

    name: str


@dataclass(frozen=True)
class Method:
    """A method of a value, not called yet."""

    this: Any
    name: str


@dataclass(frozen=True, eq=False)
class Function:
    """A function of the text."""

    node: ast.FunctionDef
    this: Any = None


@dataclass(frozen=True, eq=False)
class Class:
    """A class of the text: its methods by name, the whole names of its bases, and what its body assigns."""

    node: ast.ClassDef
    bases: tuple[str, ...]
    methods: dict[str, ast.FunctionDef]
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Layer:
    """A PyTorch module made in __init__: its class, the arguments by name, and the attribute it is stored in."""

    of: str
    arguments: dict[str, Any]
    prefix: str = ""


@dataclass(frozen=True)
class NewTensor:
    """A tensor that __init__ makes, which is no parameter yet: its shape, if that is known."""

    shape: tuple[int, ...] | None


@dataclass(frozen=True)
class NewParameter:
    """A parameter or buffer, whose name is that of the attribute it is stored in."""

    shape: tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class Extension:
    """What load_inline builds: its texts, the functions that Python may call (None: those that PYBIND11_MODULE binds), the flags for the device."""

    node: ast.AST
    cpp: Text
    cuda: Text
    functions: tuple[str, ...] | None
    flags: tuple[Text, ...]


@dataclass(eq=False)
class Instance:
    """The ModelNew, with its attributes."""

    of: Class
    attributes: dict[str, Any] = field(default_factory=dict)
    prefix: str = ""


def where_of(node: ast.AST) -> tuple[int, int]:
    """Line and column of a node, from 1."""
    return getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1


def shown(node: ast.AST) -> str:
    """A node as text, short."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else text[:57] + "…"
