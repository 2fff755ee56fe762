"""A solution's Python, followed statement by statement without running it: constants, strings, sizes, and calls that `solution_calls.py` knows.

Whatever is not understood is refused by name where it stands, so nothing that could change the meaning of the rest is passed over.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devsem.frontend.host_values import Int, Items, as_type
from devsem.frontend.solution_expr import Expressions
from devsem.frontend.solution_values import Class, Function, Instance, Named, Unclear, shown

DEPTH = 30
ROOTS = frozenset({*sys.stdlib_module_names, "torch", "numpy"})
HARMLESS_TARGETS = ("os.environ", "torch.backends.")
DECORATORS = frozenset({"staticmethod", "functools.lru_cache", "functools.cache", "torch.no_grad", "torch.inference_mode", "functools.wraps"})
# nn.Module's own attributes, by which it finds `forward`, parameters and hooks
MODULE = frozenset("""T_destination _apply _buffers _call_impl _compiled_call_impl _get_backward_hooks _get_backward_pre_hooks _get_name _is_full_backward_hook
    _is_hf_initialized _load_from_state_dict _maybe_warn_non_full_backward_hook _modules _named_members _non_persistent_buffers_set _parameters
    _replicate_for_data_parallel _save_to_state_dict _slow_forward _state_dict_hooks _version _wrapped_call_impl add_module apply bfloat16 buffers
    call_super_init children compile cpu cuda double dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half
    ipu load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters register_backward_hook register_buffer
    register_forward_hook register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook
    register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook register_state_dict_pre_hook requires_grad_
    set_extra_state set_submodule share_memory state_dict to to_empty train training type xpu zero_grad""".split())
HOOKS = ("_forward_", "_register_", "_backward_", "_state_dict_", "_load_state_dict_")


@dataclass(frozen=True)
class Returned:
    """A function has ended with this value."""

    value: Any


class Python(Expressions):
    """A Python text being followed."""

    def module(self, tree: ast.Module) -> None:
        """Follows the text's own statements, which define what it is."""
        for s in tree.body:
            if not self.is_main_guard(s):
                self.statement(s, self.names)

    def is_main_guard(self, s: ast.stmt) -> bool:
        """Is it `if __name__ == "__main__":`, which does not run where the text is imported?"""
        return isinstance(s, ast.If) and not s.orelse and ast.unparse(s.test) in ("__name__ == '__main__'", "'__main__' == __name__")

    def block(self, body: Sequence[ast.stmt], names: dict[str, Any]) -> Returned | None:
        """Statements in order."""
        for s in body:
            if (found := self.statement(s, names)) is not None:
                return found
        return None

    def statement(self, s: ast.stmt, names: dict[str, Any]) -> Returned | None:
        """One statement; `names` is where its assignments go."""
        match s:
            case ast.Pass() | ast.Import() | ast.ImportFrom():
                self.imported(s, names)
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=value):
                self.value(value, names)
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, names)
                for t in targets:
                    self.assign(t, found, names)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self.assign(target, self.value(value, names), names)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                self.assign(target, self.combined(s, op, self.value(target, names), self.value(value, names)), names)
            case ast.FunctionDef():
                self.is_plain(s, names)
                names[s.name] = Function(s)
            case ast.ClassDef():
                names[s.name] = self.defined(s, names)
            case ast.Return(value=value):
                return Returned(None if value is None else self.value(value, names))
            case ast.If(test=test, body=body, orelse=orelse):
                return self.block(body if self.truth(test, names, not _raises(body)) else orelse, names)
            case ast.Assert(test=test):
                self.asserted(test, names)
            case ast.With(items=[ast.withitem(context_expr=context, optional_vars=None)], body=body) if ast.unparse(context) in (
                    "torch.no_grad()", "torch.inference_mode()"):
                return self.block(body, names)
            case ast.Raise():
                raise Unclear(s, "host.throws")
            case _:
                raise Unclear(s, "solution.statement" if names is self.names else "solution.construct", name=shown(s).split(":")[0])
        return None

    def imported(self, s: ast.stmt, names: dict[str, Any]) -> None:
        """Names that an import brings; of Python's own library, PyTorch and numpy only."""
        for alias in s.names if isinstance(s, ast.Import | ast.ImportFrom) else ():
            module = s.module or "" if isinstance(s, ast.ImportFrom) else alias.name
            if module.split(".")[0] not in ROOTS or alias.name == "*" or (isinstance(s, ast.ImportFrom) and s.level):
                raise Unclear(s, "solution.statement", name=shown(s))
            if isinstance(s, ast.ImportFrom):
                names[alias.asname or alias.name] = Named(f"{module}.{alias.name}")
            elif alias.asname:
                names[alias.asname] = Named(module)
            else:
                names[module.split(".")[0]] = Named(module.split(".")[0])

    def defined(self, s: ast.ClassDef, names: dict[str, Any]) -> Class:
        """A class; its body may only define methods and constants."""
        bases = tuple(b.name if isinstance(b, Named) else "" for b in (self.value(base, names) for base in s.bases))
        if s.keywords or s.decorator_list:
            raise Unclear(s, "solution.statement", name=f"class {s.name} with a decorator or a metaclass")
        methods: dict[str, ast.FunctionDef] = {}
        attributes: dict[str, Any] = {}
        for inner in s.body:
            if isinstance(inner, ast.FunctionDef) and inner.name not in attributes:
                self.is_plain(inner, names)
                methods[inner.name] = inner
            elif isinstance(inner, ast.Assign | ast.AnnAssign):
                self.stored(inner, names, methods, attributes)
            elif not (isinstance(inner, ast.Pass) or (isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant))):
                raise Unclear(inner, "solution.statement", name=shown(inner))
        return Class(s, bases, methods, attributes)

    def stored(self, s: ast.Assign | ast.AnnAssign, names: dict[str, Any], methods: Mapping[str, Any], attributes: dict[str, Any]) -> None:
        """A constant in a class's body."""
        targets = s.targets if isinstance(s, ast.Assign) else [s.target]
        if not all(isinstance(t, ast.Name) and is_free(t.id) and t.id not in methods for t in targets):
            raise Unclear(s, "solution.statement", name=shown(s))
        if s.value is not None:
            found = self.value(s.value, {**names, **attributes} if names is not self.names else attributes)
            attributes.update({t.id: found for t in targets if isinstance(t, ast.Name)})

    def is_plain(self, f: ast.FunctionDef, names: dict[str, Any]) -> None:
        """Refuses a function whose definition runs something: a decorator or a default value that is no constant."""
        for d in f.decorator_list:
            of = self.value(d.func if isinstance(d, ast.Call) else d, names)
            if not isinstance(of, Named) or of.name.removeprefix("builtins.") not in DECORATORS:
                raise Unclear(d, "solution.statement", name=f"@{shown(d)}")
        for d in (*f.args.defaults, *(k for k in f.args.kw_defaults if k is not None)):
            self.value(d, names)

    def asserted(self, test: ast.expr, names: dict[str, Any]) -> None:
        """`assert`, which becomes a precondition."""
        found = self.value(test, names)
        if isinstance(found, Int):
            self.host.require(as_type(found, "BOOL").expr, shown(test), self.where(test))
        elif not found:
            raise Unclear(test, "host.check", text=shown(test))

    def assign(self, target: ast.expr, value: Any, names: dict[str, Any]) -> None:
        """`target = value`."""
        match target:
            case ast.Name(id=name):
                names[name] = value
            case ast.Tuple(elts=elts) | ast.List(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                for t, v in zip(elts, self.unpacked(target, value, len(elts)), strict=True):
                    self.assign(t, v, names)
            case ast.Attribute(value=inner, attr=attr):
                this = self.value(inner, names)
                if isinstance(this, Instance) and is_free(attr) and attr not in this.of.methods:
                    this.attributes[attr] = value
                elif not (isinstance(this, Named) and f"{this.name}.{attr}".startswith(HARMLESS_TARGETS)):
                    raise Unclear(target, "solution.statement", name=f"{shown(target)} = …")
            case ast.Subscript(value=inner) if self.value(inner, names) == Named("os.environ"):
                pass
            case _:
                raise Unclear(target, "solution.statement", name=f"{shown(target)} = …")

    def unpacked(self, at: ast.AST, value: Any, count: int) -> Sequence[Any]:
        """The elements of a list or of a shape; where a tensor's number of dimensions is a guess, this says it."""
        if isinstance(value, Items):
            if len(value.values) != count:
                self.host.unpacked(value.values, count)
                raise Unclear(at, "host.check", text=f"{shown(at)} has {count} elements")
            return value.values
        raise Unclear(at, "solution.construct", name=shown(at))

    def call(self, f: ast.FunctionDef, this: Any, args: Sequence[Any], keywords: Mapping[str, Any], at: ast.AST) -> Any:
        """The value of a call of a function of the text."""
        if f.args.vararg or f.args.kwarg or f.args.posonlyargs or self.depth >= DEPTH:
            raise Unclear(at, "solution.construct", name=shown(at))
        given = [*([this] if this is not None else []), *args]
        parameters = [a.arg for a in (*f.args.args, *f.args.kwonlyargs)]
        defaults: dict[str, ast.expr] = dict(zip([a.arg for a in f.args.args][len(f.args.args) - len(f.args.defaults):], f.args.defaults, strict=True))
        defaults |= {a.arg: d for a, d in zip(f.args.kwonlyargs, f.args.kw_defaults, strict=True) if d is not None}
        names = dict(zip(parameters, given, strict=False))
        if len(given) > len(f.args.args) or set(keywords) - set(parameters) or set(keywords) & set(names):
            raise Unclear(at, "host.arguments", name=f.name, given=str(len(args)), taken=str(len(f.args.args)))
        names |= keywords
        for p in parameters:
            if p not in names:
                if p not in defaults:
                    raise Unclear(at, "host.arguments", name=f.name, given=str(len(args)), taken=str(len(parameters)))
                names[p] = self.value(defaults[p], self.names)
        self.depth += 1
        found = self.block(f.body, names)
        self.depth -= 1
        return found.value if found is not None else None


def is_free(name: str) -> bool:
    """May a module have an attribute of this name? Python and nn.Module use some themselves, as `_call_impl`, which runs instead of `forward`."""
    return not (name.startswith("__") or name in MODULE or name.startswith(HOOKS))


def _raises(body: Sequence[ast.stmt]) -> bool:
    return any(isinstance(s, ast.Raise) for s in body)
