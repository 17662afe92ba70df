"""Classes of the user's whose methods are called by Python itself, not by converted code.

The getter of a property, `__add__`, `__init__` of a base class: the user's text does not call
these, so nothing there can call a converted function in their place. A class that a trace
meets is adopted: each such function keeps its identity, name, defaults and closure, and gets
guarded code (see `autograph.guard`), which runs the body as it was written, and while something
is being traced the converted function. Methods that are called by name need none of this.

A class is met where converted code makes an object of it, or calls a method or an object of it,
and where a traced function or its arguments lead to it or to an object of it (see
`autograph.reach`).
"""

from __future__ import annotations

import ast
import functools
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from autograph import grammar
from autograph.class_facts import bases_of, dictionary_of, is_base, is_static
from autograph.errors import AutographError
from autograph.guard import Entrance, as_written, guarded_code, is_adopted
from autograph.libraries import is_known_library, stays_python
from autograph.operators.calls import fixed
from autograph.reach.walk import Objects
from autograph.refusals import remember_function
from autograph.source import function_source, without_syntax_warnings
from autograph.verbosity import log


class Adoption:
    """Which classes were adopted, and how to adopt others.

    Args:
      convert: from a function to what converted code calls in its place.
    """

    def __init__(self, convert: Callable[[FunctionType], Any]) -> None:
        """Starts without any."""
        self._convert = convert
        self._met: dict[int, weakref.ref[type]] = {}
        self._known: weakref.WeakSet[FunctionType] = weakref.WeakSet()

    def adopt(self, kind: type) -> None:
        """Give guarded code to the functions Python calls in a class, its bases and its metaclass.

        Two threads may do it at the same time: both make the same of it.
        """
        if id(kind) in self._met:
            return
        waiting, done = [kind], dict[int, type]()
        while waiting:
            each = waiting.pop()
            if id(each) in self._met or id(each) in done or not _is_users(each):
                continue
            done[id(each)] = each
            for name, value in tuple(dictionary_of(each).items()):
                for function in _called_by_python(name, value):
                    self._adopt_function(function)
                waiting.append(type(value))
            waiting += [*bases_of(each), type(each)]
        done[id(kind)] = kind
        for number, each in done.items():
            gone = functools.partial(self._forget, number)
            self._met[number] = weakref.ref(each, gone)

    def _forget(self, number: int, gone: weakref.ref[type]) -> None:
        if self._met.get(number) is gone:
            del self._met[number]

    def _adopt_function(self, function: FunctionType) -> None:
        if fixed(function) is not None or stays_python(function) or is_adopted(function):
            return
        written = as_written(function)
        code = written.__code__
        if code.co_flags & _SUSPENDS:
            return
        try:
            with without_syntax_warnings():
                source = function_source(written)
                if _only_computes(source.text):
                    return
                if not source.exact:
                    log(1, f"stays Python: {code.co_qualname}: its code was rewritten on import")
                    return
                entrance = Entrance(code, function, self._convert)
                function.__code__ = guarded_code(code, source, entrance)
        except AutographError as error:
            remember_function(code, str(error))

    # ---- where classes are met ----

    def adopt_types_of(self, values: dict[str, Any]) -> None:
        """Adopts the classes of everything that values lead to.

        Args:
          values: objects, classes and functions, with what the program calls them.

        Raises: StagingError if they lead to too many objects.
        """
        self.adopt_reached(Objects(values).objects())

    def adopt_reached(self, objects: Iterable[Any]) -> None:
        """Adopts the classes among objects and those of objects; looks into none of them."""
        for value in objects:
            kind = type(value)
            if is_base(type, kind):
                self.adopt(value)
            elif kind is FunctionType:
                self._known.add(value)
            elif not is_static(kind) and _is_users(kind):
                self.adopt(kind)

    def adopt_names_of(self, function: FunctionType) -> None:
        """Adopts the classes of everything that a function leads to, unless another one did."""
        if function not in self._known:
            self.adopt_types_of({function.__name__: function})


def _is_users(kind: type) -> bool:
    """Whether a class may have functions of the user's."""
    if is_static(kind):
        return False
    module = dictionary_of(kind).get("__module__")
    names = getattr(sys.modules.get(module), "__dict__", None) if type(module) is str else None
    return module == "builtins" or names is None or not is_known_library(names)


# ---- what Python calls ----

_SUSPENDS = 0x20 | 0x80 | 0x200 | 0x100
"""Generators, coroutines, asynchronous generators, and what `types.coroutine` makes."""

_LEFT = frozenset({"__del__", "__class_getitem__", "__init_subclass__", "__set_name__"})


def _called_by_python(name: str, value: Any) -> Iterator[FunctionType]:
    """The functions of an attribute of a class that run without being called by name."""
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
    """Whether a function has no choice, call or `%`, which may make text: all stays as it is.

    >>> _only_computes("def area(self):\\n    return self.a * -self.b")
    True
    >>> _only_computes("lambda self: self.a or 1")
    False
    """
    nodes = ast.walk(grammar.parse(text))
    return all(isinstance(node, _COMPUTING) and not isinstance(node, ast.Mod) for node in nodes)
