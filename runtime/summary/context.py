"""The writer, step and condition of summaries.

They are looked up when a summary is written, for a graph when it runs. Contexts that are entered
while a graph is recorded hold for what is recorded inside them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.opdef import MIXED, NOT_DIFFERENTIABLE, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE, temporarily
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.math.casting import cast

Condition = bool | Tensor | Callable[[], Any]


class Writer(Protocol):
    """A writer of summaries."""

    def flush_now(self) -> None:
        """Flush the file, unless it is closed."""

    def add_value(self, tag: str, step: int, array: object, metadata: object) -> None:
        """Write a value of a summary."""


@dataclass(frozen=True, eq=False)
class Ambient:
    """The settings of contexts in a trace; None: decided when a summary is written."""

    writer: Writer | None = None
    step: Any = None
    condition: Condition | None = None


class _Defaults(threading.local):
    writer: Writer | None = None
    step: Any = None
    condition: Condition = True


DEFAULTS = _Defaults()
"""Writer, step and condition of this thread, where no context in a trace gives others."""


@contextmanager
def scope(**parts: object) -> Iterator[None]:
    """Have other defaults inside; in a trace, for what is recorded inside."""
    if STATE.graph is not None:
        with temporarily(ambient=replace(STATE.ambient or Ambient(), **parts)):
            yield
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
    """Raise StagingError, with a remedy, if a graph is recorded."""
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


def _as_condition(condition: Condition) -> Tensor:
    """Return a condition as a bool tensor; functions are called."""
    return convert_to_tensor(condition() if callable(condition) else condition, dtypes.bool)


def ambient_condition() -> tuple[Tensor, ...]:
    """Return the condition that a context in this trace gives, an operand, or nothing."""
    condition = ambient().condition
    return () if condition is None else (_as_condition(condition),)


def holds(condition: tuple[Any, ...] = ()) -> bool:
    """Return whether to write: by the condition of the graph, else by that of this thread."""
    return bool(np.asarray(condition[0] if condition else _as_condition(DEFAULTS.condition)))


def _should(xp: object, *condition: object, writer: Writer | None) -> Any:
    return np.bool_((writer or DEFAULTS.writer) is not None and holds(condition))


_SHOULD = define_op(
    "ShouldRecordSummaries",
    {"*condition": MIXED},
    lambda *condition, writer: spec_of(dtypes.bool, ()),
    _should,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample(writer=None), sample(True, writer=None)),
)


def should_record_summaries() -> Tensor:
    """Return whether summaries are written here: there is a default writer, and `record_if` holds.

    >>> print(should_record_summaries())
    tf.Tensor(False, shape=(), dtype=bool)
    """
    return _SHOULD(*ambient_condition(), writer=ambient().writer)


@contextmanager
def record_if(condition: Condition) -> Iterator[None]:
    """Write summaries inside only if a condition holds.

    Args:
      condition: bool, a bool scalar tensor or variable, or a function that returns one and is
        called for each summary.

    Returns: A context manager.

    >>> with record_if(False):
    ...     print(should_record_summaries())
    tf.Tensor(False, shape=(), dtype=bool)
    """
    with scope(condition=condition):
        yield


def step_number() -> int | None:
    """Return the default step of this thread as a number."""
    return None if DEFAULTS.step is None else int(np.asarray(as_step(DEFAULTS.step)))


def get_step() -> Any:
    """Return the default step of this thread: an integer, a variable or a tensor, or None.

    >>> print(get_step())
    None
    """
    return DEFAULTS.step


def set_step(step: object) -> None:
    """Set the default step of this thread.

    Args:
      step: an integer; a variable or tensor, which is read when a summary is written; None: no
        step.

    Raises: StagingError while a graph is recorded.

    >>> set_step(5)
    >>> get_step()
    5
    >>> set_step(None)
    """
    refuse_in_graph("set_step", "Write `with writer.as_default(step):`.")
    set_defaults(step=step)
