"""Conversion of methods that Python calls implicitly: getters, operators, inherited `__init__`.

The user's text does not call these, so no call there can be replaced. A class that a trace meets
is adopted: each such function keeps its identity, name, defaults and closure, and gets guarded
code (see `guard.py`). Guarded code runs the converted function during a trace and the
original body otherwise. Methods called by name need no adoption.

A trace meets a class when converted code instantiates it, or calls one of its methods or objects,
and when a traced function or its arguments refer to it or to its objects (see `autograph.reach`).
"""

from __future__ import annotations

import ast
import functools
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from autograph.conversion.class_facts import bases_of, dictionary_of, is_base, is_static
from autograph.conversion.generated_comparisons import write_comparisons
from autograph.conversion.guard import Entrance, as_written, guarded_code, is_adopted
from autograph.conversion.libraries import is_installed, is_known_library, stays_python
from autograph.conversion.refusals import remember_function
from autograph.errors import AutographError
from autograph.operators.alternatives import OPERATORS, derived_first
from autograph.operators.computed import compute
from autograph.operators.replacements import fixed
from autograph.operators.wrappers import rules_of, wrapped_by
from autograph.reach.walk import Objects
from autograph.source import function_source, without_syntax_warnings
from autograph.syntax import grammar
from autograph.verbosity import log


class Adoption:
    """The set of adopted classes.

    Args:
      convert: returns the converted form of a function.
      convert_entry: the same for a function that a library calls. None: `convert`.
    """

    def __init__(
        self,
        convert: Callable[[FunctionType], Any],
        convert_entry: Callable[[FunctionType], Any] | None = None,
    ) -> None:
        """Start with no adopted class."""
        self._convert = convert
        self._convert_entry = convert_entry or convert
        self._met: dict[int, weakref.ref[type]] = {}
        self._known: weakref.WeakSet[FunctionType] = weakref.WeakSet()

    def adopt(self, kind: type) -> None:
        """Guard the functions that Python calls in a class, its bases and its metaclass.

        Idempotent, so threads may adopt one class concurrently.
        """
        if id(kind) in self._met:
            return
        waiting, done = [kind], dict[int, type]()
        while waiting:
            each = waiting.pop()
            if id(each) in self._met or id(each) in done or not _is_users(each):
                continue
            done[id(each)] = each
            write_comparisons(each)
            for name, value in tuple(dictionary_of(each).items()):
                cached = is_base(functools.cached_property, type(value))
                convert = self._convert_cached if cached else self._convert
                if _is_operator(each, name, value):
                    convert = functools.partial(self._convert_operator, name)
                for function in _called_by_python(name, value):
                    self._adopt_function(function, convert)
                waiting.append(type(value))
            waiting += [*bases_of(each), type(each)]
        done[id(kind)] = kind
        for number, each in done.items():
            gone = functools.partial(self._forget, number)
            self._met[number] = weakref.ref(each, gone)

    def _convert_cached(self, function: FunctionType) -> Callable[[Any], Any]:
        return functools.partial(compute, function.__name__, self._body(function))

    def _convert_operator(self, name: str, function: FunctionType) -> Callable[..., Any]:
        return functools.partial(derived_first, OPERATORS[name], self._body(function))

    def _body(self, function: FunctionType) -> Callable[..., Any]:
        """Return the converted form, or the function as written if nothing in it is converted."""
        found = self._convert(function)
        stays = getattr(found, "__autograph_calls__", found) is function
        return as_written(function) if stays else found

    def _forget(self, number: int, gone: weakref.ref[type]) -> None:
        if self._met.get(number) is gone:
            del self._met[number]

    def _adopt_function(
        self, function: FunctionType, convert: Callable[[FunctionType], Any], always: bool = False
    ) -> None:
        if fixed(function) is not None or stays_python(function) or is_adopted(function):
            return
        written = as_written(function)
        code = written.__code__
        if code.co_flags & _SUSPENDS:
            return
        try:
            with without_syntax_warnings():
                source = function_source(written)
                if _only_computes(source.text) and function.__name__ not in OPERATORS:
                    return
                if not source.exact:
                    log(1, f"stays Python: {code.co_qualname}: its code was rewritten on import")
                    return
                entrance = Entrance(code, function, convert, always)
                function.__code__ = guarded_code(code, source, entrance)
        except AutographError as error:
            remember_function(code, str(error))

    def adopt_wrapped(self, wrapper: object, always: bool = False) -> None:
        """Guard the user's functions in a wrapper of a tensor library.

        Args:
          wrapper: such as `jax.jit(f)`.
          always: whether they run converted outside of traces, too. Rules do: a gradient calls
            those of a function when its trace has ended.
        """
        rules = rules_of(wrapper)
        for each in wrapped_by(wrapper):
            if type(each) is FunctionType:
                self._adopt_function(each, self._convert_entry, always or each in rules)
            else:
                self.adopt(type(each))

    # ---- where classes are met ----

    def adopt_types_of(self, values: dict[str, Any]) -> None:
        """Adopt the classes of all objects reachable from values.

        Args:
          values: objects, classes and functions, with what the program calls them.

        Raises: StagingError if they lead to too many objects.
        """
        self.adopt_reached(_Met(values).objects())

    def adopt_reached(self, objects: Iterable[Any]) -> None:
        """Adopt each class in `objects`, and the class of each other object, without recursion."""
        for value in objects:
            kind = type(value)
            if is_base(type, kind):
                self.adopt(value)
            elif kind is FunctionType:
                self._known.add(value)
            elif not is_static(kind) and _is_users(kind):
                self.adopt(kind)

    def adopt_names_of(self, function: FunctionType) -> None:
        """Adopt the classes of all objects reachable from a function, once per function."""
        if function not in self._known:
            self.adopt_types_of({function.__name__: function})


class _Met(Objects):
    """The objects that values lead to, but for functions of installed packages and their globals.

    Such a function is met where it is called: a large package leads to many that never run.
    """

    def __init__(self, values: dict[str, Any]) -> None:
        self._given = {each for each in values.values() if type(each) is FunctionType}
        super().__init__(values)

    def objects(self) -> Iterable[Any]:
        return (each for each in super().objects() if not self._is_left_out(each))

    def _look_at_globals(self, function: FunctionType) -> None:
        if not self._is_left_out(function):
            super()._look_at_globals(function)

    def _is_left_out(self, value: object) -> bool:
        if type(value) is not FunctionType or value in self._given:
            return False
        return is_installed(value.__globals__)


def _is_users(kind: type) -> bool:
    """Return whether a class may have user functions."""
    if is_static(kind):
        return False
    module = dictionary_of(kind).get("__module__")
    names = getattr(sys.modules.get(module), "__dict__", None) if type(module) is str else None
    return module == "builtins" or names is None or not is_known_library(names)


# ---- what Python calls ----


def _is_operator(kind: type, name: str, value: object) -> bool:
    """Return whether an attribute is the method of a binary operator, and of no second one."""
    values = dictionary_of(kind).values()
    return name in OPERATORS and sum(each is value for each in values) == 1


_SUSPENDS = 0x20 | 0x80 | 0x200 | 0x100
"""Code flags of generators, coroutines, async generators and `types.coroutine` functions."""

# Converted code itself reads attributes: a converted `__getattribute__` would call itself.
_LEFT = frozenset(
    {"__del__", "__class_getitem__", "__getattribute__", "__init_subclass__", "__set_name__"}
)


def _called_by_python(name: str, value: Any) -> Iterator[FunctionType]:
    """Yield the functions of a class attribute that Python calls implicitly."""
    kind = type(value)
    if is_base(property, kind):
        parts: tuple[Any, ...] = tuple(
            property.__getattribute__(value, part) for part in ("fget", "fset", "fdel")
        )
    elif is_base(functools.cached_property, kind):
        parts = (object.__getattribute__(value, "func"),)
    elif name.startswith("__") and name.endswith("__") and name not in _LEFT:
        parts = (value.__func__ if kind in (staticmethod, classmethod) else value,)
    else:
        parts = ()
    return (part for part in parts if type(part) is FunctionType)


_COMPUTING = (
    ast.Module, ast.FunctionDef, ast.Lambda, ast.arguments, ast.arg, ast.Return, ast.Expr, ast.Pass,
    ast.Assign, ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.operator, ast.expr_context,
    ast.UnaryOp, ast.USub,
)  # fmt: skip


def _only_computes(text: str) -> bool:
    """Return whether a function is arithmetic only: no branch, no call, no `%` (it may format), no
    change of an object.

    >>> _only_computes("def area(self):\\n    return self.a * -self.b")
    True
    >>> _only_computes("lambda self: self.a or 1")
    False
    """
    nodes = ast.walk(grammar.parse(text))
    return all(
        isinstance(node, _COMPUTING)
        and not isinstance(node, ast.Mod)
        and not (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
        for node in nodes
    )
