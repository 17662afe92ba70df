"""Compilers that read the bytecode of a program, which cannot read converted code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from autograph.adapters.names import is_compiled
from autograph.operators.frames import PASSERS


def is_compiling() -> bool:
    """Return whether TorchDynamo is reading the calling code.

    >>> is_compiling()
    False
    """
    torch = sys.modules.get("torch")
    return torch is not None and torch.compiler.is_dynamo_compiling()


def refuse_conversion() -> None:
    """Refuse to convert a function in a program that a compiler reads.

    >>> refuse_conversion()
    """
    if is_compiling():
        from autograph.adapters.torch.compiler import program

        program.refuse_conversion()


def refuse_compiled(value: object) -> None:
    """Raise TypeError for a compiled function or module: it is compiled before it is converted.

    >>> refuse_compiled(len)
    """
    if is_compiled(value):
        name = getattr(value, "__qualname__", type(value).__name__)
        raise TypeError(
            f"`{name}` is compiled by torch.compile before it is converted. Write "
            "@autograph.convert() below @torch.compile, or torch.compile(autograph.convert()(f))."
        )


class Compiled:
    """The way into a converted function, which a compiler can take, too.

    Args:
      written: the user's function.
      enter: calls the converted function.
    """

    def __init__(self, written: Callable[..., Any], enter: Callable[..., Any]) -> None:
        """Start without programs."""
        self.written = written
        self.enter = enter
        self.programs: dict[int, Any] = {}

    def __call__(self, /, *args: object, **kwargs: object) -> Any:
        """Call the converted function; a compiler reads `program.call`."""
        if not is_compiling():
            return self.enter(*args, **kwargs)
        # Import late: PyTorch is optional, and its compiler is slow to import.
        from autograph.adapters.torch.compiler import program

        return program.call(self, args, kwargs)

    PASSERS.add(__call__.__code__)
