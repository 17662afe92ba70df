"""Ranges of numbers."""

from __future__ import annotations

import builtins
import math

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import FLOATING, INT32, NOT_DIFFERENTIABLE, REAL, Emit, Sample, sample
from runtime.core.operation import Operation
from runtime.core.shapes import broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import cast_to, convert_to_tensor, one_dtype
from runtime.ops.base.define import call, op, zeros_of
from runtime.ops.base.node_forms import Place, converted, dtype_zero
from runtime.ops.base.values import INT32_LIMIT
from runtime.ops.effects.output import Assert

_WIDER = {dtypes.int64, dtypes.uint32, dtypes.uint64}


def int32_count(name: str, value: TensorLike) -> Tensor:
    """Return an argument as int32, without wrapping around.

    Raises:
      InvalidArgumentError: if a number does not fit; while a graph is recorded if it is known,
        else when the graph runs.

    >>> int32_count("depth", np.int64(2**32))
    Traceback (most recent call last):
    ...
    runtime.errors.InvalidArgumentError: `depth` is 4294967296, which does not fit into int32
    """
    tensor = convert_to_tensor(value)
    if tensor.dtype not in _WIDER:
        return cast_to(tensor, dtypes.int32)
    narrow = cast_to(tensor, dtypes.int32)
    known = static_value(tensor)
    if known is None:
        same = call("Equal", cast_to(narrow, tensor.dtype), tensor)
        Assert(call("All", same, axis=None, keepdims=False), [f"`{name}` does not fit into int32"])
    elif np.any(np.asarray(known).astype(np.int32) != known):
        words = f"`{name}` is {np.asarray(known).tolist()}, which does not fit into int32"
        raise InvalidArgumentError.of(words)
    return narrow


def _range_length(start: Array, limit: Array, delta: Array) -> int:
    if delta == 0:
        raise ValueError("the step of a range cannot be 0")
    if (limit < start) if delta > 0 else (limit > start):
        sign, word = ("<=", ">") if delta > 0 else (">=", "<")
        raise ValueError(f"Requires start {sign} limit when delta {word} 0: {start}/{limit}")
    if isinstance(delta, int):
        return len(builtins.range(start, limit, delta))
    steps: float = (limit - start) / delta
    return math.ceil(steps)


def _range_spec(start: Tensor, limit: Tensor, delta: Tensor) -> TensorSpec:
    values = [static_value(tensor) for tensor in (start, limit, delta)]
    if any(value is None for value in values):
        return spec_of(start.spec.dtype, (None,))
    return spec_of(start.spec.dtype, (_range_length(*(value.item() for value in values)),))


def _range(xp: Namespace, start: Array, limit: Array, delta: Array) -> Array:
    first, step = start.item(), delta.item()
    count = _range_length(first, limit.item(), step)
    if isinstance(step, int):
        return xp.arange(first, first + count * step, step, dtype=start.dtype)
    return (first + step * xp.arange(count)).astype(start.dtype)


_BOUNDS = {"start": REAL, "limit": REAL, "delta": REAL}
_RANGES = (sample(0, 5, 2), sample(5, 0, -1), sample(0.0, 1.0, 0.25), sample(3, 3, 1))


def _range_size(
    xp: Namespace, start: Array, limit: Array, delta: Array, dtype: DType, python: bool
) -> Array:
    bounds = start.item(), limit.item(), delta.item()
    count = len(builtins.range(*bounds)) if python else _range_length(*bounds)
    return xp.asarray(count, dtype.numpy_dtype)


def _write_range_size(place: Place) -> list[Ref]:
    """Export `max(-(-(limit - start) // delta), 0)`."""
    start, limit, delta = place.inputs
    dtype = place.op.attrs["dtype"]
    wide = dtypes.float64 if start.dtype.is_floating else dtypes.int64
    first, last, step = (converted(place, each, wide) for each in (start, limit, delta))
    (back,) = place.part("Sub", [first, last], "sub")
    (steps,) = place.part("FloorDiv", [back, step], "floordiv")
    (count,) = place.part("Neg", [steps], "neg")
    zero = place.constant(dtype_zero(wide), "zero")
    (size,) = place.part("Maximum", [count, zero], "maximum")
    return place.main("Cast", [size], DstT=dtype)


def _has_step(size: Operation) -> bool:
    """Return whether Python's range has a known step that is not zero; TensorFlow's may fail for
    its limit, too.
    """
    step = rules.known_int(size.inputs[2])
    return bool(size.attrs["python"]) and step is not None and step != 0


@op(
    "RangeSize",
    _BOUNDS,
    infer=lambda start, limit, delta, dtype, python: spec_of(dtype, ()),
    kernel=_range_size,
    grad=NOT_DIFFERENTIABLE,
    node=NodeForm(write=_write_range_size),
    emit=Emit.COUNT,
    safe=_has_step,
    samples=(
        *(Sample(each.args, {"dtype": dtypes.int64, "python": False}) for each in _RANGES),
        sample(5, 0, 1, dtype=dtypes.int32, python=True),
    ),
)
def range_size(
    start: Tensor, limit: Tensor, delta: Tensor, dtype: DType, python: bool = False
) -> Tensor:
    """Return the number of elements of `range(start, limit, delta)`, a scalar, without making them.

    Python's `range` is empty where the step leads away from the limit; TensorFlow's raises.

    >>> print(range_size(*map(convert_to_tensor, (0, 7, 2)), dtypes.int32).numpy())
    4
    """
    return range_size.op(start, limit, delta, dtype=dtype, python=python)


@op("Range", _BOUNDS, infer=_range_spec, kernel=_range, grad=NOT_DIFFERENTIABLE, samples=_RANGES)
def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = "range",
) -> Tensor:
    """Make the numbers `start`, `start + delta`, ... before `limit`.

    Args:
      start: real scalar; the limit if it is the only argument, and the range starts at 0.
      limit: real scalar, exclusive.
      delta: real scalar, the step; may be negative.
      dtype: the dtype; None: that of the arguments.

    Returns: Vector.
    Raises: InvalidArgumentError if `delta` is 0 or leads away from `limit`.

    >>> print(range(3).numpy(), range(6, 0, -2).numpy())
    [0 1 2] [6 4 2]
    """
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    entries = [("start", start), ("limit", limit), ("delta", delta)]
    kinds = {value.dtype for _, value in entries if isinstance(value, Tensor)}
    if wanted is None and len(kinds) > 1:
        wanted = max(kinds, key=lambda dtype: (dtype.is_floating, dtype.size))
    if wanted is not None:
        bounds = [convert_to_tensor(value, dtype_hint=wanted) for _, value in entries]
        return range.op(*(cast_to(bound, wanted) for bound in bounds), name=name)
    return range.op.apply((start, limit, delta), name)


def _linspace(xp: Namespace, start: Array, stop: Array, num: Array, axis: int) -> Array:
    if int(num) < 0:
        raise ValueError(f"Requires num >= 0: {int(num)}")
    return xp.linspace(start, stop, int(num), axis=axis).astype(start.dtype)


def _linspace_spec(start: Tensor, stop: Tensor, num: Tensor, axis: int) -> TensorSpec:
    dims = broadcast(start.spec.dims, stop.spec.dims)
    if dims is None:
        return spec_of(start.spec.dtype, None)
    position = rules.normalize_axis(axis, len(dims) + 1)
    return spec_of(start.spec.dtype, (*dims[:position], rules.known_int(num), *dims[position:]))


def _linspace_grad(
    g: Tensor, y: Tensor, start: Tensor, stop: Tensor, num: Tensor, axis: int
) -> tuple[Tensor, Tensor, None]:
    """Number `i` is `start * (1 - w) + stop * w` with a fixed weight `w`."""
    zeros = zeros_of(start - stop)
    weight = linspace.op(zeros, zeros + 1, num, axis=axis)
    parts = (g * (1 - weight), g * weight)
    first, last = (call("Sum", part, axis=(axis,), keepdims=False) for part in parts)
    return first, last, None


@op(
    "LinSpace",
    {"start": FLOATING, "stop": FLOATING, "num": INT32},
    infer=_linspace_spec,
    kernel=_linspace,
    grad=_linspace_grad,
    node=NodeForm(fixed={"axis": 0}),
    samples=(
        sample(0.0, 1.0, 5, axis=0),
        sample([0.0, 1.0], [[2.0], [3.0]], 3, axis=1),
        sample(2.0, 1.0, 1, axis=0),
    ),
)
def linspace(
    start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0
) -> Tensor:
    """Make `num` evenly spaced numbers from `start` to `stop`, both inclusive.

    Args:
      start: real tensor; int8 and int16 become float32, wider integers float64.
      stop: tensor of the same dtype that broadcasts with `start`.
      num: integer scalar, >= 0.
      axis: the dimension of the result along which the numbers run.

    Returns: Tensor of the broadcast shape with one dimension more.
    Raises: InvalidArgumentError if `num` is negative.

    >>> print(linspace(0.0, 1.0, 3).numpy())
    [0.  0.5 1. ]
    """
    attrs = {"axis": static_int("axis", axis)}
    if type(num) is not int or num >= INT32_LIMIT:
        num = int32_count("num", num)
    if type(start) is type(stop) is float:
        return linspace.op.apply((start, stop, num), name, attrs)
    operands, _ = one_dtype("LinSpace", [("start", start), ("stop", stop)])
    if operands[0].dtype.is_integer:
        wide = dtypes.float32 if operands[0].dtype.size <= 2 else dtypes.float64
        operands = [cast_to(value, wide) for value in operands]
    return linspace.op.apply((*operands, num), name, attrs)
