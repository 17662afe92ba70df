"""Which engine runs functions."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Protocol

from runtime.core.graph import Graph
from runtime.engines import interpreter, plan

Executable = Callable[..., tuple[Any, ...]]
"""Takes the arrays of the graph's inputs, gives those of its outputs."""

Engine = Callable[[Graph], Executable]

ENGINES: dict[str, Engine] = {"plan": plan.executable, "interpreter": interpreter.executable}


class Holder(Protocol):
    """What keeps a compiled graph."""

    def forget_executable(self) -> None:
        """Drops it: another engine, or other passes, are wanted from now on."""


class _Choice:
    def __init__(self) -> None:
        self.name = "plan"
        self.holders: weakref.WeakSet[Holder] = weakref.WeakSet()


_CHOICE = _Choice()


def executable(graph: Graph, holder: Holder | None = None) -> Executable:
    """A graph compiled by the engine of choice.

    Args:
      graph: the graph, after the passes.
      holder: who keeps the result; it is told when the choice changes.
    """
    if holder is not None:
        _CHOICE.holders.add(holder)
    return ENGINES[_CHOICE.name](graph)


def set_engine(engine: str) -> None:
    """Chooses what runs functions: "plan", or "interpreter", which is slow and obvious.

    Raises: ValueError for another name.

    >>> set_engine("interpreter")
    >>> get_engine()
    'interpreter'
    >>> set_engine("plan")
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    _CHOICE.name = engine
    forget_executables()


def get_engine() -> str:
    """What runs functions.

    >>> get_engine()
    'plan'
    """
    return _CHOICE.name


def forget_executables() -> None:
    """Has every function compile its graphs again at the next call."""
    for holder in list(_CHOICE.holders):
        holder.forget_executable()
