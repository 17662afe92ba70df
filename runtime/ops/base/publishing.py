"""Public functions of rows: name, module, documentation and op type of a computed function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def rename(function: Callable[..., Any], name: str) -> None:
    """Give a function another name, which profiles and tracebacks show, too.

    >>> def function():
    ...     pass
    >>> rename(function, "exp")
    >>> function.__name__, function.__code__.co_name
    ('exp', 'exp')
    """
    function.__name__ = function.__qualname__ = name
    function.__code__ = function.__code__.replace(co_name=name, co_qualname=name)


def publish(
    function: Callable[..., Any],
    module: str,
    name: str,
    op: Any,
    about: str,
    rest: str,
    example: str,
) -> Any:
    """Return the function as a public one.

    Args:
      function: computes the result.
      module: the module that it belongs to.
      name: its name.
      op: the op type that it calls; None: it is a function over others.
      about: the first lines of the documentation.
      rest: the sections Args, Returns and Raises.
      example: the arguments of a call, an arrow, and what printing the result shows; `~>` rounds
        the result to 4 decimals, since the last bits depend on the processor.
    """
    rounded = " ~> " in example
    arguments, shown = example.split(" ~> " if rounded else " -> ")
    result = f"{name}({arguments}).numpy()" + (".round(4)" if rounded else "")
    rename(function, name)
    function.__module__ = module
    function.__doc__ = (
        f"{inspect.cleandoc(about)}\n\n{inspect.cleandoc(rest)}\n\n>>> print({result})\n{shown}\n"
    )
    if op is not None:
        function.op = op  # type: ignore[attr-defined]
    return function
