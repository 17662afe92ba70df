"""Control flow with the arguments of version 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow import cond as conditional
from runtime.control_flow import while_loop as looping
from runtime.core.tensor import TensorLike


def _either(new_name: str, new: object, old_name: str, old: object) -> Any:
    """Return the value of an argument with two names; None if neither is given.

    Raises:
      ValueError: if both are given.

    >>> _either("axis", None, "dim", 1)
    1
    >>> _either("axis", 0, "dim", 1)
    Traceback (most recent call last):
    ...
    ValueError: Cannot specify both 'dim' and 'axis'.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """Return the result of one of two functions; see `runtime.cond`.

    Args:
      pred: a bool scalar.
      true_fn, fn1: the function for True, under either name.
      false_fn, fn2: the function for False, under either name.
      strict: whether to keep a list or tuple of one entry.
      name: the name of the operation.

    >>> import runtime as tf
    >>> print(cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)]))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    then = _either("true_fn", true_fn, "fn1", fn1)
    other = _either("false_fn", false_fn, "fn2", fn2)
    result = conditional.cond(pred, then, other, name)
    return result if strict else _unpacked(result)


def _unpacked(result: Any) -> Any:
    single = type(result) in (list, tuple) and len(result) == 1
    return result[0] if single else result


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: object,
    shape_invariants: object = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: TensorLike | None = None,
    return_same_structure: bool = False,
) -> Any:
    """Run a loop; see `runtime.while_loop`.

    Args:
      cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, name,
        maximum_iterations: as in `runtime.while_loop`.
      return_same_structure: whether the result for one variable stays a list.

    >>> print(while_loop(lambda i: i < 3, lambda i: i + 1, [0]))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    result = looping.while_loop(
        cond,
        body,
        loop_vars,
        shape_invariants,
        parallel_iterations,
        back_prop,
        swap_memory,
        maximum_iterations,
        name,
    )
    return result if return_same_structure else _unpacked(result)
