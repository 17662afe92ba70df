"""Attributes that other modules of a program may not have assigned where a function reads them.

A class is often in another module than the functions that use its objects. A method of it may
assign an attribute in a branch only; the functions check the attribute where they read it.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

from autograph.conversion.libraries import is_known_library
from autograph.source import partial_names_in


def partial_elsewhere(names: dict[str, Any]) -> frozenset[str]:
    """Return such attributes, as `.name`, of the modules that a module mentions, and so on.

    Args:
      names: the globals of the module.
    """
    known = {id(names)}
    waiting = [names]
    found: set[str] = set()
    while waiting:
        for other in _mentioned(waiting.pop()):
            if id(other) not in known:
                known.add(id(other))
                if not is_known_library(other) and "site-packages" not in other["__file__"]:
                    waiting.append(other)
                    found |= partial_names_in("".join(linecache.getlines(other["__file__"])))
    return frozenset(name for name in found if name[0] == ".")


def _mentioned(names: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the globals of the modules that are globals, or define classes and functions there."""
    for value in list(names.values()):
        kind = type(value)
        module = value if kind is ModuleType else None
        if kind is FunctionType or issubclass(kind, type):
            name = value.__module__
            module = sys.modules.get(name) if type(name) is str else None
        if type(module) is ModuleType and type(module.__dict__.get("__file__")) is str:
            yield module.__dict__
