"""The reference semantics of a graph: run every operation once, in order; slow and simple."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from autograph.errors import shows_line
from runtime.core import dtypes
from runtime.core.dispatch import failure
from runtime.core.errors import KERNEL_FAILURES, OpError, Raised, RecursionDepthError
from runtime.core.graph import Graph
from runtime.core.opdef import Control
from runtime.core.operation import Callee, Operation
from runtime.core.structural import PLACEHOLDER

Executable = Callable[..., tuple[Any, ...]]


def executable(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """Return a function from input arrays to output arrays.

    The function raises the errors of kernels, with the user's line of the operation.
    """
    run = _compile(graph, {})

    def call(*feeds: object) -> tuple[Any, ...]:
        try:
            with np.errstate(all="ignore"):
                return run(*feeds)
        except Raised as raised:
            raise raised.error from None

    return call


def _compile(graph: Graph, recursive: dict[Callee, Executable]) -> Executable:
    steps = [
        (op, [id(tensor) for tensor in op.inputs], [id(tensor) for tensor in op.outputs], attrs)
        for op in graph.operations
        if op.definition is not PLACEHOLDER
        for attrs in [_executable_attrs(op, recursive)]
    ]
    inputs = [id(tensor) for tensor in graph.inputs]
    outputs = [id(tensor) for tensor in graph.outputs]

    def run(*feeds: object) -> tuple[Any, ...]:
        value = dict(zip(inputs, feeds, strict=True))
        for op, reads, writes, attrs in steps:
            results = run_operation(op, [value[tensor] for tensor in reads], attrs)
            value.update(zip(writes, results, strict=True))
        return tuple(value[tensor] for tensor in outputs)

    return run


def _executable_attrs(op: Operation, recursive: dict[Callee, Executable]) -> dict[str, Any]:
    attrs: dict[str, Any] = {
        name: _compile(value, recursive) if isinstance(value, Graph) else value
        for name, value in op.attrs.items()
    }
    if op.definition.control is Control.RECURSION:
        functions = [attrs[name] for name, value in op.attrs.items() if isinstance(value, Graph)]
        recursive.update(zip(attrs["callees"], functions, strict=True))
    elif "callee" in attrs:
        attrs["callee"] = _recurring(op, attrs["callee"], recursive)
    return attrs


def _recurring(op: Operation, callee: Callee, recursive: dict[Callee, Executable]) -> Executable:
    def recur(*args: object) -> tuple[Any, ...]:
        try:
            return recursive[callee](*args)
        except RecursionError as error:
            raise (error if isinstance(error, OpError) else recursion_error(op)) from None

    return recur


def recursion_error(op: Operation) -> RecursionError:
    """Return the error for recursion beyond Python's limit."""
    error = RecursionDepthError.of("maximum recursion depth exceeded", op)
    return cast(RecursionError, located(error, op))


def run_operation(op: Operation, arrays: list[Any], attrs: Mapping[str, Any]) -> Any:
    """Run the kernel of one operation and return a tuple of its outputs.

    In `attrs`, functions on arrays replace graphs. A failed kernel raises an OpError with the line
    of the operation.
    """
    try:
        result = kernel_of(op)(np, *arrays, **attrs)
    except OpError as error:
        raise located(error, op) from error.__cause__
    except KERNEL_FAILURES as error:
        raise located(failure(op.definition, op.inputs, error, arrays, op), op) from None
    return (result,) if op.definition.outputs == 1 else result


def gives_strings(op: Operation) -> bool:
    """Return whether an output of an operation is a string tensor."""
    return any(tensor.spec.dtype is dtypes.string for tensor in op.outputs)


def kernel_of(op: Operation) -> Callable[..., Any]:
    """Return the kernel of an operation; a scalar string that it returns is wrapped in an array."""
    kernel = op.definition.kernel
    if not gives_strings(op):
        return kernel
    if op.definition.outputs == 1:
        return lambda *args, **attrs: array_of_strings(kernel(*args, **attrs))
    return lambda *args, **attrs: tuple(map(array_of_strings, kernel(*args, **attrs)))


def array_of_strings(value: object) -> Any:
    """Return a string as an array, which operations on strings take; an array as it is."""
    # NumPy returns a Python object for an element of an object array, and for sums of two.
    return np.array(value, dtype=object) if isinstance(value, (bytes, str)) else value


def located(error: OpError, op: Operation) -> OpError:
    """Add the user's line of the operation to an error, unless it has one."""
    if shows_line(error.message) or op.place is None:
        return error
    return error.with_message(f"{error.message}\n  {op.place} [operation {op.name}]", op)
