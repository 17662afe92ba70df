"""Python functions as operations: they run each time the graph runs, in the order of effects."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
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
from runtime.core.places import Place
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import define_op
from runtime.ops.values import to_array

_KINDS: dict[type[Exception], type[StatusError]] = {
    ValueError: InvalidArgumentError,
    TypeError: InvalidArgumentError,
    StopIteration: OutOfRangeError,
    MemoryError: ResourceExhaustedError,
    NotImplementedError: UnimplementedError,
}


def _guarded(call: Callable[[], Any]) -> Any:
    """What a user's function gives; its error as that of an operation."""
    try:
        return call()
    except OpError:
        raise
    except Exception as error:
        kinds = (own for base, own in _KINDS.items() if isinstance(error, base))
        kind = next(kinds, UnknownError)
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = Place(frame.filename, frame.lineno or 0, frame.name)
        raise kind(None, None, f"{type(error).__name__}: {error}\n  {place}") from error


def _as_arrays(values: Any, specs: tuple[TensorSpec, ...], name: str, strict: bool) -> Any:
    found = list(values) if isinstance(values, (list, tuple)) else [values]
    if values is None and not specs:
        found = []
    if len(found) != len(specs):
        raise InvalidArgumentError(
            None,
            None,
            f"{name} returns {len(found)} values, but expects to see {len(specs)} values.",
        )
    pairs = enumerate(zip(found, specs, strict=True))
    return tuple(_as_array(i, value, spec, name, strict) for i, (value, spec) in pairs)


def _as_array(index: int, value: Any, spec: TensorSpec, name: str, strict: bool) -> Any:
    array: Any
    if strict and not isinstance(value, (str, bytes, list, tuple)):
        # A copy: the function may keep the array, and change it later.
        own = _guarded(lambda: to_array(np.asarray(value)))
        array = own if own.ndim or own.dtype.kind == "O" else own[()]
    else:
        tensor = _guarded(lambda: convert_to_tensor(value, None if strict else spec.dtype))
        array = tensor.array
    if array.dtype != spec.dtype.numpy_dtype:
        raise InvalidArgumentError(
            None,
            None,
            f"{index}-th value returned by {name} is {dtypes.from_numpy(array.dtype).type_word}, "
            f"but expects {spec.dtype.type_word}",
        )
    if not spec.shape.is_compatible_with(np.shape(array)):
        raise InvalidArgumentError(
            None,
            None,
            f"{index}-th value returned by {name} has shape {np.shape(array)}, but expects "
            f"{spec.shape}",
        )
    return array


def _run_on_tensors(
    xp: Any, *arrays: Any, func: Callable[..., Any], specs: tuple[TensorSpec, ...]
) -> Any:
    tensors = [EagerTensor(np.asarray(array)) for array in arrays]
    return _as_arrays(_guarded(lambda: func(*tensors)), specs, _name_of(func), strict=False)


def _run_on_arrays(
    xp: Any, *arrays: Any, func: Callable[..., Any], specs: tuple[TensorSpec, ...]
) -> Any:
    copies = [np.array(array) if np.ndim(array) else array[()] for array in arrays]
    return _as_arrays(_guarded(lambda: func(*copies)), specs, _name_of(func), strict=True)


def _name_of(func: Callable[..., Any]) -> str:
    return getattr(func, "__name__", type(func).__name__)


def _specs_of(*inputs: Tensor, func: Any, specs: tuple[TensorSpec, ...]) -> tuple[TensorSpec, ...]:
    return specs


_FLOAT = spec_of(dtypes.float32, ())
_EAGER = define_op(
    "EagerPyFunc",
    {"*input": MIXED},
    _specs_of,
    _run_on_tensors,
    outputs=None,
    effect=Effect.WRITE,
    samples=(sample(1.5, func=lambda x: x, specs=(_FLOAT,)),),
)
_ARRAYS = define_op(
    "PyFunc",
    {"*input": MIXED},
    _specs_of,
    _run_on_arrays,
    outputs=None,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample(1.5, func=lambda x: x + x, specs=(_FLOAT,)),),
)
_PURE = define_op(
    "PyFuncStateless",
    {"*input": MIXED},
    _specs_of,
    _run_on_arrays,
    outputs=None,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample(1.5, func=lambda x: x + x, specs=(_FLOAT,)),),
)


def _spec(result: Any) -> TensorSpec:
    if isinstance(result, TensorSpec):
        return result
    dtype: DType = dtypes.as_dtype(result)
    return spec_of(dtype, None)


def _called(op: Any, func: Any, inp: Sequence[TensorLike] | None, results: Any, name: Any) -> Any:
    if not callable(func):
        raise ValueError(
            f"Expected func to be callable. Received func={func} of type {type(func)}."
        )
    several = isinstance(results, (list, tuple))
    specs = tuple(map(_spec, results if several else [results]))
    tensors = [convert_to_tensor(value) for value in inp or ()]
    outputs = op.outputs(*tensors, func=func, specs=specs, name=name)
    return list(outputs) if several else outputs[0]


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Runs a Python function on tensors with values, each time the program comes here.

    Args:
      func: takes as many tensors as `inp` has entries, gives what `Tout` says. In a graph it runs
        in the order of effects, once each time.
      inp: what it gets.
      Tout: dtype or `TensorSpec` of the result; a list for several or no results.
      name: the name of the operation.

    Returns: a tensor, or a list if `Tout` is one.
    Raises: ValueError if `func` cannot be called; InvalidArgumentError for results that do not fit
      `Tout`, and for a ValueError or TypeError in `func`; UnknownError for most other errors.

    >>> import runtime as tf
    >>> @tf.function
    ... def f(x):
    ...     return py_function(lambda t: float(t) ** 2, [x], tf.float32)
    >>> print(f(tf.constant(3.0)))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """
    return _called(_EAGER, func, inp, Tout, name)


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Runs a Python function on NumPy arrays, each time the program comes here.

    Args:
      func: takes as many arrays as `inp` has entries, gives arrays of the dtypes in `Tout`.
      inp: what it gets.
      Tout: dtype or `TensorSpec` of the result; a list for several or no results.
      stateful: False says that equal arguments give equal results and nothing else happens, so
        that it need not run where its result is not needed.
      name: the name of the operation.

    Returns: a tensor, or a list if `Tout` is one. Where nothing is recorded `func` is just called:
      its results become tensors of their own dtypes, in a list if there are several.
    Raises: as `py_function`; results are not converted to another dtype. Where nothing is recorded
      it raises what `func` raises.

    >>> import numpy as np
    >>> import runtime as tf
    >>> print(numpy_function(np.sinh, [tf.constant(0.0)], tf.float32))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    if STATE.graph is None and callable(func):
        return _at_once(func(*(np.array(value) for value in inp or ())))
    return _called(_ARRAYS if stateful else _PURE, func, inp, Tout, name)


def _at_once(result: Any) -> Any:
    found = [x if x is None else convert_to_tensor(x) for x in flatten(result)]
    return found[0] if len(found) == 1 else found
