"""`switch_case`: an index chooses one of several functions.

It is one operation: all functions are traced, one runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.steps import calling, run
from runtime.control_flow import branches
from runtime.control_flow.branches import (
    RESULT,
    Arm,
    Choice,
    check_pair,
    record_branches,
    results_of,
)
from runtime.control_flow.gradients.branch_gradients import branches_backward
from runtime.control_flow.tracing import Surfacing, control_op
from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.context import name_scope
from runtime.core.errors import InvalidArgumentError
from runtime.core.graph import Graph
from runtime.core.opdef import INT32, MIXED, Control
from runtime.core.places import user_name
from runtime.core.shapes import Dims, bracketed
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.ops.items.selecting import where
from runtime.ops.math.logic import greater_equal, less, logical_and

Function = Callable[[], Any]


def _infer(branch_index: Tensor, *captured: Tensor, **graphs: Graph) -> tuple[TensorSpec, ...]:
    if branch_index.spec.dims not in (None, ()):
        raise _no_scalar("branch_index", branch_index.spec.dims)
    return branches.infer(**graphs)


def _run(
    xp: Namespace, branch_index: Array, *captured: Array, **functions: Callable[..., Any]
) -> Any:
    if np.ndim(branch_index):
        raise _no_scalar("branch_index", np.shape(branch_index))
    return list(functions.values())[chosen(int(branch_index), len(functions))](*captured)


def chosen(index: int, count: int) -> int:
    """Return the branch for an index; an index out of range selects the last one.

    >>> chosen(1, 3), chosen(3, 3), chosen(-1, 3)
    (1, 2, 2)
    """
    return index if 0 <= index < count else count - 1


def _no_scalar(subject: str, dims: Dims) -> InvalidArgumentError:
    return InvalidArgumentError.of(
        f"{subject} must be a scalar, but it has shape {bracketed(dims)}"
    )


_STATELESS_CASE, _CASE = (
    control_op(
        name,
        {"branch_index": INT32, "*input": MIXED},
        _infer,
        _run,
        branches_backward,
        Control.CASE,
    )
    for name in ("StatelessCase", "Case")
)

_CHOICE = Choice(
    _STATELESS_CASE,
    _CASE,
    name="indexed_case",
    statement="`switch_case`",
    every="Each",
    remedy="in all, or before `switch_case`",
    opening="{} and {} arguments to tf.switch_case must have the same number, type, and overall "
    "structure of return values. ",
)


def switch_case(
    branch_index: Tensor,
    branch_fns: object,
    default: Function | None = None,
    name: str = "switch_case",
) -> Any:
    """Return the result of function number `branch_index`.

    Args:
      branch_index: an integer scalar tensor.
      branch_fns: functions without parameters, or pairs (or a dict) of consecutive numbers from 0
        and functions.
      default: the function for other numbers; None: the one with the highest number.
      name: name scope of the operation.

    Returns: The result of the function.

    Raises:
      TypeError: if a number is not an integer, a function is not callable, or outputs differ in
        dtype or structure.
      ValueError: if there are no functions, or their numbers have gaps.
      InvalidArgumentError: if `branch_index` is not a scalar.

    >>> import runtime as tf
    >>> switch_case(tf.constant(1), [lambda: "a", lambda: "b"])
    'b'
    """
    functions = _numbered(branch_fns)
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    index = convert_to_tensor(branch_index)
    if not index.dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {index.dtype!s}")
    if default is not None:
        if not callable(default):
            raise TypeError("default must be callable.")
        functions = [*functions, default]
    if index.spec.dims not in (None, ()):
        called = user_name(branch_index)
        raise _no_scalar(f"branch_index{f' (`{called}`)' if called else ''}", index.spec.dims)
    known = static_value(index)
    with name_scope(name or "switch_case"):
        if known is not None:
            return functions[chosen(int(known), len(functions))]()
        return _staged(_as_int32(index, len(functions)), functions)


def _staged(index: Tensor, functions: Sequence[Function]) -> Any:
    instead = None if STATE.graph.building_function else index
    arms = [
        Arm(calling(function), f"branch{i}", f"branch{i}", f"branches[{i}]")
        for i, function in enumerate(results_of(functions, instead))
    ]
    with Surfacing():
        return run(partial(record_branches, _CHOICE, index, arms, (RESULT,)))[0]


def _as_int32(index: Tensor, count: int) -> Tensor:
    """Convert the index to int32; out-of-range values map to the last branch, without wrapping."""
    if index.dtype is dtypes.int32:
        return index
    valid = logical_and(greater_equal(index, 0), less(index, count))
    return where(valid, cast_to(index, dtypes.int32), count - 1)


def _numbered(branch_fns: object) -> list[Function]:
    """Return the functions in the order of their numbers."""
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError(
            f"'branch_fns' must be a list, tuple, or dict. Received: {type(branch_fns)}"
        )
    entries = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if not entries:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    if all(callable(entry) for entry in entries):
        return entries
    for entry in entries:
        check_pair("branch_fns", entry)
        if not isinstance(entry[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(entry[0])}")
        if not callable(entry[1]):
            raise TypeError(f"fn for key {entry[0]} must be callable.")
    keys = sorted(key for key, _ in entries)
    if keys != list(range(len(entries))):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(entries)}) but found "
            f"{{{','.join(map(str, keys))}}}"
        )
    return [function for _, function in sorted(entries, key=lambda entry: entry[0])]
