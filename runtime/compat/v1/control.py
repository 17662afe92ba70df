"""Control flow, and calls of Python, under the arguments of version 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.compat.v1.renamed import either
from runtime.compat.v1.scopes import name_scope
from runtime.control_flow import cond as conditional
from runtime.control_flow import while_loop as looping
from runtime.core import devices
from runtime.core.context import executing_eagerly
from runtime.core.errors import UnimplementedError
from runtime.core.tensor import TensorLike
from runtime.ops import grouping
from runtime.ops.convert import convert_to_tensor as converted
from runtime.ops.python import numpy_function


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """The result of one of two functions; see `runtime.cond`.

    Args:
      pred: a bool scalar.
      true_fn, fn1: what is called if it is True, under one of the names.
      false_fn, fn2: what is called else, under one of the names.
      strict: whether a list or tuple of one entry stays one.
      name: the name of the operation.

    >>> import runtime as tf
    >>> print(cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)]))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    then = either("true_fn", true_fn, "fn1", fn1)
    other = either("false_fn", false_fn, "fn2", fn2)
    result = conditional.cond(pred, then, other, name)
    return result if strict else _unpacked(result)


def _unpacked(result: Any) -> Any:
    single = type(result) in (list, tuple) and len(result) == 1
    return result[0] if single else result


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: TensorLike | None = None,
    return_same_structure: bool = False,
) -> Any:
    """A loop; see `runtime.while_loop`.

    Args:
      cond, body, loop_vars, shape_invariants, parallel_iterations, back_prop, swap_memory, name,
        maximum_iterations: as there.
      return_same_structure: whether the result for one variable is a list, as `loop_vars` is.

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


def tuple(
    tensors: Sequence[Any], name: str | None = None, control_inputs: Sequence[Any] | None = None
) -> Any:
    """Tensors that are there only when all of them are; see `runtime.tuple`.

    >>> [int(x) for x in tuple([1, 2])]
    [1, 2]
    """
    return grouping.tuple(tensors, control_inputs, name)


def convert_to_tensor(
    value: TensorLike,
    dtype: Any = None,
    name: str | None = None,
    preferred_dtype: Any = None,
    dtype_hint: Any = None,
) -> Any:
    """A value as a tensor; see `runtime.convert_to_tensor`.

    Args:
      value, dtype, name: as there.
      preferred_dtype, dtype_hint: the dtype that is taken if it can be, under one of the names.

    >>> print(convert_to_tensor([1], preferred_dtype="float32"))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    hint = either("dtype_hint", dtype_hint, "preferred_dtype", preferred_dtype)
    return converted(value, dtype, hint, name)


@contextmanager
def device(device_name_or_function: Any) -> Iterator[None]:
    """Runs the operations inside on a device; see `runtime.device`.

    Args:
      device_name_or_function: a name, or None.

    Raises: RuntimeError or UnimplementedError for a function that chooses for each operation.

    >>> with device("/cpu:0"):
    ...     pass
    """
    if callable(device_name_or_function):
        if executing_eagerly():
            raise RuntimeError(
                "tf.device does not support functions when eager execution is enabled."
            )
        raise UnimplementedError(
            None, None, "a device is asked for by its name, for all operations of a block"
        )
    with devices.device(device_name_or_function):
        yield


@contextmanager
def colocate_with(op: Any, ignore_existing: bool = False) -> Iterator[None]:
    """Operations inside run where `op` does: here all of them run where their inputs are.

    Args:
      op: a tensor or operation.
      ignore_existing: has no effect.

    >>> import runtime as tf
    >>> with colocate_with(tf.constant(1)):
    ...     pass
    """
    yield


@contextmanager
def container(container_name: str) -> Iterator[str]:
    """Variables inside belong to this container; a Session here has only one, so it has no effect.

    >>> with container("experiment") as name:
    ...     name
    'experiment'
    """
    yield container_name


@contextmanager
def op_scope(values: Any, name: str | None, default_name: str | None = None) -> Iterator[str]:
    """The same as `name_scope`, with another order of arguments.

    >>> with op_scope([], None, "layer") as scope:
    ...     scope
    'layer/'
    """
    with name_scope(name, default_name, values) as scope:
        yield scope


def py_func(
    func: Callable[..., Any],
    inp: Sequence[TensorLike],
    Tout: Any,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Runs a Python function on NumPy arrays; see `runtime.numpy_function`.

    >>> import runtime as tf
    >>> print(py_func(lambda x: x + x, [tf.constant(1.5)], tf.float32))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """
    return numpy_function(func, inp, Tout, stateful, name)
