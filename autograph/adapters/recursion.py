"""Recursion in staged statements, which are traced whether or not they run: it would never end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, Protocol

import numpy as np

from autograph.adapters.forms import NUMBERS, Forms
from autograph.adapters.refusals import refusal

_MOST = 12
"""Calls of one function inside each other with arguments that a trace cannot tell apart.

A level costs JAX and PyTorch 10 to 30 ms, so the refusal comes in half a second.
"""


class _Library(Protocol):
    forms: Forms

    def stages(self, value: object) -> bool: ...


class _Running(threading.local):
    def __init__(self) -> None:
        self.calls: dict[FunctionType, list[object]] = {}


_running = _Running()


def counted(library: _Library, function: FunctionType, target: Callable[..., Any]) -> Any:
    """Return the function; called in a staged statement it refuses endless recursion.

    Args:
      library: stages the statement.
      function: the user's function.
      target: its replacement.
    """

    def call(*args: object, **kwargs: object) -> Any:
        calls = _running.calls.setdefault(function, [])
        leaves = tuple(_known(library, leaf) for leaf in _leaves((args, kwargs)))
        if calls.count(leaves) >= _MOST:
            raise refusal(
                f"`{function.__qualname__}` calls itself in a branch or loop that is traced "
                "whether or not it runs: how deep is known only when the program runs.",
                f"Write `{function.__qualname__}` as a loop.",
                RecursionError,
            )
        calls.append(leaves)
        try:
            return target(*args, **kwargs)
        finally:
            calls.pop()
            if not calls:
                del _running.calls[function]

    call.__autograph_calls__ = getattr(target, "__autograph_calls__", target)  # type: ignore[attr-defined]
    return call


def _leaves(value: object) -> Iterator[object]:
    """Yield what nested tuples, lists and dicts hold; a library may run code of other objects."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from _leaves(each)
    else:
        yield value


def _known(library: _Library, leaf: object) -> object:
    """Return what a trace knows of an argument: of a number its value, of an array its kind."""
    if library.stages(leaf):
        return library.forms.of(leaf)
    if isinstance(leaf, (*NUMBERS, str, np.generic)):
        return type(leaf), repr(leaf)
    return id(leaf)
