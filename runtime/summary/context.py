"""Which writer and step summaries have.

They are looked up when a summary is written, for a graph when it runs. Contexts that are entered
while a graph is recorded hold for what is recorded inside them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.math.casting import cast


class Writer(Protocol):
    """What writes summaries."""

    def flush_now(self) -> None:
        """Flush the file, unless it is closed."""

    def add_value(self, tag: str, step: int, array: object, metadata: object) -> None:
        """Write a value of a summary."""


@dataclass(frozen=True, eq=False)
class Ambient:
    """What contexts in a trace give the code inside; None leaves a part to the time of writing."""

    writer: Writer | None = None
    step: Any = None


class _Defaults(threading.local):
    writer: Writer | None = None
    step: Any = None


DEFAULTS = _Defaults()
"""Writer and step of this thread, where no context in a trace gives others."""


@contextmanager
def scope(**parts: object) -> Iterator[None]:
    """Have other defaults inside; in a trace, for what is recorded inside."""
    if STATE.graph is not None:
        before = STATE.ambient
        STATE.ambient = replace(before or Ambient(), **parts)
        try:
            yield
        finally:
            STATE.ambient = before
        return
    held = {name: getattr(DEFAULTS, name) for name in parts}
    set_defaults(**parts)
    try:
        yield
    finally:
        set_defaults(**held)


def set_defaults(**parts: object) -> None:
    """Set defaults of this thread."""
    for name, value in parts.items():
        setattr(DEFAULTS, name, value)


def refuse_in_graph(name: str, remedy: str) -> None:
    """Raise StagingError while a graph is recorded.

    Args:
      name: the function that was called.
      remedy: what to do instead.
    """
    if STATE.graph is not None:
        raise StagingError(
            f"{name} acts while a graph is recorded, not when it runs.",
            public=OperatorNotAllowedInGraphError,
            remedy=remedy,
        )


def ambient() -> Ambient:
    """Return what contexts of this trace give."""
    return STATE.ambient if STATE.ambient is not None else Ambient()


def as_step(step: object) -> Tensor:
    """Return a step as an int64 scalar.

    Raises: TypeError for other dtypes and shapes.
    """
    tensor = convert_to_tensor(step)
    if not tensor.dtype.is_integer or not tensor.shape.is_compatible_with([]):
        raise TypeError(f"A step is one integer, not {step!r}.")
    return cast(tensor, dtypes.int64)


def step_number() -> int | None:
    """Return the default step of this thread as a number."""
    return None if DEFAULTS.step is None else int(np.asarray(as_step(DEFAULTS.step)))
