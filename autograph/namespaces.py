"""Namespaces: modules of public names that other modules define, each loaded on first use.

The stub of a namespace, a `.pyi` file beside it, imports its names. Type checkers and editors read
the stub as it is. A running program reads it too, and loads the module of a name when it first
asks for the name.
"""

from __future__ import annotations

import ast
import importlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Source = tuple[str, str | None]
"""A module, and a name in it; None: the module itself."""


def on_demand(
    namespace: str, absent: Callable[[str], AttributeError] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a namespace.

    Args:
      namespace: its module name.
      absent: returns the error for a name that the stub does not list; None: Python's own.

    >>> load, names, _ = on_demand("autograph")
    >>> "to_code" in names(), load("to_code").__module__
    (True, 'autograph.api')
    """
    module = sys.modules[namespace]
    with open(f"{os.path.splitext(str(module.__file__))[0]}.pyi", encoding="utf-8") as stub:
        sources = read_stub(stub.read())

    def load(name: str) -> Any:
        if name in sources:
            value = _loaded(namespace, *sources[name])
            setattr(module, name, value)
            return value
        if absent is None or name.startswith("__"):
            message = f"module {namespace!r} has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=module)
        raise absent(name)

    names = sorted(sources)
    return load, lambda: list(names), names


def _loaded(namespace: str, origin: str, name: str | None) -> Any:
    if name is None:
        return importlib.import_module(origin)
    if origin == namespace:
        return importlib.import_module(f"{origin}.{name}")
    return getattr(importlib.import_module(origin), name)


def read_stub(text: str) -> Mapping[str, Source]:
    """Return the public names of a stub, and where each comes from.

    A name is public if it is imported `as` itself, or assigned: the rules for stubs (PEP 484).

    >>> read_stub("from math import pi as pi, tau\\ncircle = tau")
    {'pi': ('math', 'pi'), 'circle': ('math', 'tau')}
    """
    public: dict[str, Source] = {}
    imported: dict[str, Source] = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            for alias in statement.names:
                source = _source(statement, alias)
                imported[alias.asname or alias.name] = source
                if alias.asname == alias.name:
                    public[alias.name] = source
        elif isinstance(statement, ast.Assign):
            public[ast.unparse(statement.targets[0])] = imported[ast.unparse(statement.value)]
    return public


def _source(statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> Source:
    if isinstance(statement, ast.Import):
        return alias.name, None
    return str(statement.module), alias.name
