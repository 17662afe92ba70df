"""What a graph means: every operation once, in order; slow and obvious. Others must agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import failure
from runtime.core.errors import KERNEL_FAILURES, OpError, Raised
from runtime.core.graph import Graph
from runtime.core.operation import Operation


def executable(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """A function from the arrays of the inputs to those of the outputs.

    Raises, when it is called: what kernels raise, with the line of the program that made the
      operation.
    """
    run = _compile(graph)

    def call(*feeds: Any) -> tuple[Any, ...]:
        try:
            with np.errstate(all="ignore"):
                return run(*feeds)
        except Raised as raised:
            raise raised.error from None

    return call


def _compile(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    steps = [
        (op, [id(tensor) for tensor in op.inputs], [id(tensor) for tensor in op.outputs], attrs)
        for op in graph.operations
        if op.type != "Placeholder"
        for attrs in [_executable_attrs(op)]
    ]
    inputs = [id(tensor) for tensor in graph.inputs]
    outputs = [id(tensor) for tensor in graph.outputs]

    def run(*feeds: Any) -> tuple[Any, ...]:
        value = dict(zip(inputs, feeds, strict=True))
        for op, reads, writes, attrs in steps:
            results = run_operation(op, [value[tensor] for tensor in reads], attrs)
            value.update(zip(writes, results, strict=True))
        return tuple(value[tensor] for tensor in outputs)

    return run


def _executable_attrs(op: Operation) -> dict[str, Any]:
    return {
        name: _compile(value) if isinstance(value, Graph) else value
        for name, value in op.attrs.items()
    }


def run_operation(op: Operation, arrays: list[Any], attrs: Mapping[str, Any]) -> Any:
    """Runs the kernel of one operation; gives a tuple of its outputs.

    Args:
      op: the operation.
      arrays: its inputs.
      attrs: its attributes, with functions on arrays in place of graphs.

    Raises: OpError with the line of the program that made the operation.
    """
    try:
        result = kernel_of(op)(np, *arrays, **attrs)
    except OpError as error:
        raise located(error, op) from error.__cause__
    except KERNEL_FAILURES as error:
        raise located(failure(op.definition, op.inputs, error, arrays, op), op) from error
    return (result,) if op.definition.outputs == 1 else result


def gives_strings(op: Operation) -> bool:
    """Whether an output of an operation has strings as its elements."""
    return any(tensor.spec.dtype is dtypes.string for tensor in op.outputs)


def kernel_of(op: Operation) -> Callable[..., Any]:
    """The kernel of an operation; a single string that it gives is an array like all others."""
    kernel = op.definition.kernel
    if not gives_strings(op):
        return kernel
    if op.definition.outputs == 1:
        return lambda *args, **attrs: _array_of_strings(kernel(*args, **attrs))
    return lambda *args, **attrs: tuple(map(_array_of_strings, kernel(*args, **attrs)))


def _array_of_strings(value: Any) -> Any:
    # NumPy gives an object of Python for an element of such an array, and for sums of two.
    return np.array(value, dtype=object) if isinstance(value, (bytes, str)) else value


def located(error: OpError, op: Operation) -> OpError:
    """The error with the line of the program that made the operation, unless it names one."""
    if "\n  File " in error.message or op.place is None:
        return error
    return error.with_message(f"{error.message}\n  {op.place} [operation {op.name}]", op)
