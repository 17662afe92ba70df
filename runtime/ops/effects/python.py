"""Python functions as operations: they run whenever the graph runs, in the order of effects."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.boundary import without_converter
from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dtypes import DType
from runtime.core.errors import (
    InvalidArgumentError,
    OpError,
    OutOfRangeError,
    ResourceExhaustedError,
    StatusError,
    UnimplementedError,
    UnknownError,
)
from runtime.core.nest import flatten
from runtime.core.opdef import MIXED, NOT_DIFFERENTIABLE, Effect, sample
from runtime.core.places import place_of
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.base.values import to_array

_KINDS: dict[type[Exception], type[StatusError]] = {
    ValueError: InvalidArgumentError,
    TypeError: InvalidArgumentError,
    StopIteration: OutOfRangeError,
    MemoryError: ResourceExhaustedError,
    NotImplementedError: UnimplementedError,
}


def _guarded(call: Callable[[], Any]) -> Any:
    """Call a user's function; convert its error to that of an operation."""
    try:
        return call()
    except OpError:
        raise
    except Exception as error:
        kinds = (own for base, own in _KINDS.items() if isinstance(error, base))
        kind = next(kinds, UnknownError)
        place = place_of(error)  # none if only the conversion of a result failed
        line = f"\n  {place}" if place else ""
        error.__traceback__ = without_converter(error.__traceback__)
        raise kind.of(f"{type(error).__name__}: {error}{line}") from error


def _results(values: object, specs: tuple[TensorSpec, ...], name: str) -> list[Any]:
    """Return the results as a list. Raise InvalidArgumentError for another number."""
    found = list(values) if isinstance(values, (list, tuple)) else [values]
    if values is None and not specs:
        found = []
    if len(found) != len(specs):
        raise InvalidArgumentError.of(
            f"{name} returns {len(found)} values, but expects to see {len(specs)} values."
        )
    return found


def call_on_tensors(
    func: Callable[..., Any], tensors: Sequence[Tensor], specs: tuple[TensorSpec, ...]
) -> list[EagerTensor]:
    """Call a user's function on tensors; convert its results to tensors of these specs."""
    name = _name_of(func)
    found = _results(_guarded(lambda: func(*tensors)), specs, name)
    made = []
    for index, (value, spec) in enumerate(zip(found, specs, strict=True)):
        tensor = _guarded(functools.partial(convert_to_tensor, value, spec.dtype))
        _require_fit(index, tensor.array, spec, name)
        made.append(tensor)
    return made


def _as_array(index: int, value: object, spec: TensorSpec, name: str) -> Array:
    array: Array
    if isinstance(value, (str, bytes, list, tuple)):
        array = _guarded(lambda: convert_to_tensor(value)).array
    else:
        # A copy: the function may keep the array, and change it later.
        own = _guarded(lambda: to_array(np.asarray(value)))
        array = own if own.ndim or own.dtype.kind == "O" else own[()]
    _require_fit(index, array, spec, name)
    return array


def _require_fit(index: int, array: Array, spec: TensorSpec, name: str) -> None:
    if array.dtype != spec.dtype.numpy_dtype:
        raise InvalidArgumentError.of(
            f"{index}-th value returned by {name} is {dtypes.from_numpy(array.dtype).type_word}, "
            f"but expects {spec.dtype.type_word}"
        )
    if not spec.shape.is_compatible_with(np.shape(array)):
        raise InvalidArgumentError.of(
            f"{index}-th value returned by {name} has shape {np.shape(array)}, but expects "
            f"{spec.shape}"
        )


def _run_on_arrays(
    xp: Namespace, *arrays: Array, func: Callable[..., Any], specs: tuple[TensorSpec, ...]
) -> tuple[Array, ...]:
    copies = [np.array(array) if np.ndim(array) else array[()] for array in arrays]
    name = _name_of(func)
    found = _results(_guarded(lambda: func(*copies)), specs, name)
    pairs = enumerate(zip(found, specs, strict=True))
    return tuple(_as_array(i, value, spec, name) for i, (value, spec) in pairs)


def _name_of(func: Callable[..., Any]) -> str:
    return getattr(func, "__name__", type(func).__name__)


def specs_of(
    *inputs: Tensor, func: object, specs: tuple[TensorSpec, ...]
) -> tuple[TensorSpec, ...]:
    """Shape rule: the program states the specs of the results."""
    return specs


RUNS_PYTHON = "it runs Python code, which a saved model does not contain"
"""Why operations that run Python code mean something in one process only."""

FLOAT = spec_of(dtypes.float32, ())
"""The spec of the results of samples."""


def _define(name: str, effect: Effect) -> Op:
    return define_op(
        name,
        {"*input": MIXED},
        specs_of,
        _run_on_arrays,
        outputs=None,
        effect=effect,
        local=RUNS_PYTHON,
        grad=NOT_DIFFERENTIABLE,
        samples=(sample(1.5, func=lambda x: x + x, specs=(FLOAT,)),),
    )


_STATEFUL = _define("PyFunc", Effect.WRITE)
_STATELESS = _define("PyFuncStateless", Effect.NONE)


def _spec(result: object) -> TensorSpec:
    if isinstance(result, TensorSpec):
        return result
    dtype: DType = dtypes.as_dtype(result)
    return spec_of(dtype, None)


def called(op: Op, func: Any, inp: Sequence[TensorLike] | None, results: Any, name: Any) -> Any:
    """Call a function through an op; return a list if `results` is one. Raise as `py_function`."""
    if not callable(func):
        raise ValueError(
            f"Expected func to be callable. Received func={func} of type {type(func)}."
        )
    several = isinstance(results, (list, tuple))
    specs = tuple(map(_spec, results if several else [results]))
    tensors = [convert_to_tensor(value) for value in inp or ()]
    outputs = op.outputs(*tensors, func=func, specs=specs, name=name)
    return list(outputs) if several else outputs[0]


def decorator(
    call: Callable[[Callable[..., Any], Sequence[TensorLike]], Any],
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator from a function that calls another on a sequence of arguments."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        return functools.wraps(function)(lambda *args: call(function, args))

    return decorated


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: object = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a Python function on NumPy arrays whenever the program runs.

    In eager mode `func` is just called: its results become tensors of their own dtypes, and its
    errors are raised as they are.

    Args:
      func: a function of as many arrays as `inp` has entries; None to return a decorator.
      inp: Tensors, its arguments.
      Tout: dtype or `TensorSpec` of the result; a list for several or no results.
      stateful: False if the function is pure, so that unused calls can be removed.

    Returns:
      A tensor, or a list if `Tout` is one; in eager mode a list if there are several results.

    Raises:
      ValueError, InvalidArgumentError: as `py_function`; results are not converted to another
        dtype.

    >>> import numpy as np
    >>> import runtime as tf
    >>> print(numpy_function(np.sinh, [tf.constant(0.0)], tf.float32))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    if func is None:
        return decorator(lambda function, args: numpy_function(function, args, Tout, stateful))
    if STATE.graph is None and callable(func):
        return _eager(func(*(np.array(value) for value in inp or ())))
    return called(_STATEFUL if stateful else _STATELESS, func, inp, Tout, name)


def _eager(result: object) -> Any:
    found = [x if x is None else convert_to_tensor(x) for x in flatten(result)]
    return found[0] if len(found) == 1 else found
