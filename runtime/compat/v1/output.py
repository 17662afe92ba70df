"""Printing from within a graph."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from runtime.core.context import control_dependencies, name_scope
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.identity import identity
from runtime.ops.output import print as print_at_run_time
from runtime.ops.shaping import reshape


def Print(
    input_: TensorLike,
    data: Sequence[TensorLike],
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """A tensor; who needs it, prints others to standard error.

    Args:
      input_: the tensor.
      data: what is printed, each in brackets.
      message: what stands before it.
      first_n: only None: it prints at every run.
      summarize: how many elements at each end are shown; -1: all; None: 3.
      name: the name scope.

    Raises: ValueError for another `first_n`.

    >>> import runtime as tf
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     print(session.run(Print(tf.constant(1.0), [tf.constant(2)], "y = ")))
    1.0
    """
    if first_n not in (None, -1):
        raise ValueError(f"Print prints at every run: first_n can be None or -1, not {first_n}")
    parts: list[Any] = [message or ""]
    with name_scope(name or "Print"):
        parts += [reshape(convert_to_tensor(value), [-1]) for value in data]
        shown = print_at_run_time(
            *parts,
            output_stream=sys.stderr,
            summarize=3 if summarize is None else summarize,
            sep="",
        )
        with control_dependencies([] if shown is None else [shown]):
            return identity(input_)
