"""Values of a program as tensors, and the op types that this takes: packing and casting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dispatch import execute, placed
from runtime.core.dtypes import DType
from runtime.core.errors import DTypeMismatchError, InvalidArgumentError, StagingError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import (
    ANY,
    EXACT,
    NOT_DIFFERENTIABLE,
    DTypes,
    Emit,
    Failure,
    OpDef,
    lookup,
    register,
    sample,
)
from runtime.core.shapes import Dims, TensorShape, as_dims, bracketed, compatible
from runtime.core.spec import Mixed, TensorSpec, Weak, joined_weakness, spec_of, spec_of_array
from runtime.core.structural import IDENTITY
from runtime.core.structure import endless
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.mismatches import conversion_call, mismatch, not_taken
from runtime.ops.base.values import (
    NUMBERS,
    adapts,
    generality,
    hinted_array,
    plain_array,
    to_array,
)


def _packed_dims(shapes: Sequence[Dims], axis: int) -> Dims:
    """Return the shape of stacked tensors. Raise ValueError if the shapes differ."""
    dims = shapes[0]
    for number, other in enumerate(shapes[1:], 1):
        if not compatible(dims, other):
            raise ValueError(
                "Shapes of all inputs must match: values[0].shape = "
                f"{bracketed(dims)} != values[{number}].shape = {bracketed(other)}"
            )
        dims = as_dims(TensorShape(dims).merge_with(other))
    if dims is None:
        return None
    rank = len(dims) + 1
    if not -rank <= axis < rank:
        raise ValueError(f"Argument `axis` = {axis} not in range [{-rank}, {rank})")
    position = axis % rank
    return (*dims[:position], len(shapes), *dims[position:])


def _pack_spec(*values: Tensor, axis: int) -> TensorSpec:
    return spec_of(values[0].spec.dtype, _packed_dims([x.spec.dims for x in values], axis))


def _stacked(xp: Namespace, *values: Array, axis: int) -> Any:
    try:
        return xp.stack(values, axis=axis)
    except ValueError:
        _packed_dims([value.shape for value in values], axis)
        raise


def _unpacked(g: Tensor, y: Tensor, *values: Tensor, axis: int) -> tuple[Tensor, ...]:
    return execute(lookup("Unpack"), (g,), {"num": len(values), "axis": axis})


PACK = register(
    OpDef(
        "Pack",
        {"*values": ANY},
        _pack_spec,
        _stacked,
        grad=_unpacked,
        entries=lambda read, *values, axis: values,
        emit=Emit.ROWS_OF,
        samples=(sample(1.0, 2.0, axis=0), sample([1, 2], [3, 4], axis=-1)),
        failure=Failure.SHAPES,
    )
)


def _cast_spec(x: Tensor, dtype: dtypes.DType) -> TensorSpec:
    return x.spec.with_dtype(dtype)


def _cast(xp: Namespace, x: Array, dtype: dtypes.DType) -> Any:
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    return x.astype(dtype.numpy_dtype)


def _cast_back(g: Tensor, y: Tensor, x: Tensor, dtype: dtypes.DType) -> tuple[Tensor | None, ...]:
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return (None,)
    return execute(CAST, (g,), {"dtype": x.dtype})


CAST = register(
    OpDef(
        "Cast",
        {"x": EXACT},
        _cast_spec,
        _cast,
        grad=_cast_back,
        samples=(
            sample([1.5, 2.5], dtype=dtypes.float64),
            sample([1.7, -1.7], dtype=dtypes.int32),
            sample([1, 0], dtype=dtypes.bool),
            sample(3, dtype=dtypes.complex64),
        ),
        failure=Failure.SHAPES,
        fusable=True,
        emit=Emit.CONVERSION,
        node=NodeForm(renamed={"dtype": "DstT"}),
    )
)


def _fitting(xp: Namespace, x: Array, dtype: dtypes.DType) -> Any:
    found = x.astype(dtype.numpy_dtype)
    if not xp.all(found == x):
        raise InvalidArgumentError.of(
            f"{x} does not fit into {dtype.name}. A Python int becomes a tensor of the dtype of "
            "the tensor beside it; convert that one, for instance with runtime.cast(x, "
            "runtime.int64)."
        )
    return found


_FITTING = register(
    OpDef(
        "CheckedCast",
        {"x": EXACT},
        _cast_spec,
        _fitting,
        grad=NOT_DIFFERENTIABLE,
        samples=(sample(np.int64(3), dtype=dtypes.int32), sample([1, 2], dtype=dtypes.uint8)),
        failure=Failure.VALUES,
        node=NodeForm("Cast", renamed={"dtype": "DstT"}),
    )
)


def convert_to_tensor(
    value: TensorLike, dtype: object = None, dtype_hint: object = None, name: str | None = None
) -> Tensor:
    """Convert a value to a tensor.

    Args:
      value: a tensor, variable, Python value, NumPy array, or nested lists of these.
      dtype: the dtype it must have; None: its own.
      dtype_hint: the dtype it takes if it can.
      name: the name of a constant in a graph.

    Returns: The tensor; `value` itself if it is a tensor.
    Raises: TypeError or ValueError if no tensor of that dtype represents the value.

    >>> convert_to_tensor([1, 2.5])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>
    """
    if type(value) is EagerTensor and dtype is None:
        return value
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    hint = None if dtype_hint is None else dtypes.as_dtype(dtype_hint)
    if not isinstance(value, Tensor):
        array = plain_array(value, wanted or hint)
        if array is not None:
            return constant_of(array, name)
        conversion = _conversion(value)
        if conversion is None:
            return _from_python(value, wanted, hint, name)
        value = conversion(wanted, name)
    if wanted is not None and value.dtype is not wanted:
        if is_weak(value) and adapts(value.dtype.kind, wanted.kind):
            return cast_to(value, wanted)
        raise DTypeMismatchError.of(
            f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
            f"{value.dtype.name}: {value!r}. Convert it with "
            f"{conversion_call(value.dtype, wanted)}."
        )
    if wanted is None and hint is not None and is_weak(value):
        return _yielded(value, hint) if adapts(value.dtype.kind, hint.kind) else value
    return value  # type: ignore[no-any-return]


def _conversion(value: object) -> Callable[[DType | None, str | None], Any] | None:
    """Return the function that makes a tensor of a value whose class knows how, or None.

    An object with `__tf_tensor__` is a tensor everywhere, one with `__dense_tensor__` only as an
    operand.
    """
    kind = type(value)
    method = getattr(kind, "__tf_tensor__", None) or getattr(kind, "__dense_tensor__", None)
    return None if method is None else lambda dtype, name: method(value, dtype, name)


def rows_in_graph(values: object) -> Tensor | None:
    """Return the elements of a list whose length only the graph knows, as the rows of a tensor.

    None for other values, which Python can iterate over.
    """
    read = getattr(type(values), "__tensor_rows__", None)
    rows: Tensor | None = None if read is None else read(values)
    return rows


_SYMBOLIC_TEXT = re.compile(r"""Tensor\(\\*"[^"]+:\d+\\*", shape=|<tf\.Tensor '[^']+:\d+' shape=""")


def _refuse_symbolic_text(text: str) -> None:
    """Refuses text that a library made of a tensor without a value."""
    found = _SYMBOLIC_TEXT.search(text) if STATE.texts_shown else None
    if found is not None:
        raise StagingError(
            f"a string shows a symbolic tensor ({found[0]}...) in place of its value, which is "
            "known when the graph runs.",
            public=TypeError,
            remedy="Make the text with an f-string, `str.format` or `%` in code that is converted.",
        )


def _from_python(value: Any, dtype: DType | None, hint: DType | None, name: str | None) -> Tensor:
    if type(value) is str and STATE.graph is not None:
        _refuse_symbolic_text(value)
    try:
        packs = isinstance(value, (list, tuple)) and _holds_tensor(value)
    except RecursionError:
        raise endless(value) from None
    if packs:
        return _packed(value, dtype or hint)
    if hint is not None and dtype is None:
        return constant_of(hinted_array(value, hint), name)
    return constant_of(to_array(value, dtype), name)


def constant_of(array: object, name: str | None = None) -> Tensor:
    """Wrap an array as a tensor: a constant of the graph that is recorded, or an eager tensor."""
    if STATE.graph is not None:
        constant: Tensor = STATE.graph.constant(array, spec_of_array(array), name)
        return constant
    return EagerTensor(array) if STATE.device is None else placed(array)


def _holds_tensor(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(type(entry) not in NUMBERS and _holds_tensor(entry) for entry in value)
    return isinstance(value, Tensor) or _conversion(value) is not None


def _packed(values: Sequence[Any], dtype: DType | None) -> Tensor:
    tensors, weak = one_dtype("Pack", [("values", value) for value in values], dtype)
    return execute(PACK, tensors, {"axis": 0}, "packed", weak)[0]


def is_weak(value: object) -> bool:
    """Return whether a value represents a Python number or string.

    Such a number takes the dtype of the tensors beside it.
    """
    return bool(weakness(value))


def weakness(value: object) -> Weak:
    """Return whether a value represents a Python number or string; None: on some paths only."""
    if isinstance(value, SymbolicTensor):
        return value.weak
    return type(value) in NUMBERS or type(value) is str


def both_weak(found: Iterable[Weak]) -> Weak:
    """Return whether all values represent Python numbers; None: on some paths only.

    >>> print(both_weak([True, True]), both_weak([True, None]), both_weak([None, False]))
    True None False
    """
    kinds = set(found)
    if False in kinds:
        return False
    return reduce(partial(joined_weakness, mixed=False), kinds)


def never_equals(value: object, other: object) -> bool:
    """Return whether `value` is a Python number or string whose type never equals that of `other`.

    >>> never_equals(1, [1]), never_equals(1, "1"), never_equals(1, 1.0)
    (True, True, False)
    """
    if not is_weak(value):
        return False
    if isinstance(value, SymbolicTensor):
        is_text = value.dtype is dtypes.string
        if value.shape.rank != 0:
            return False
    else:
        is_text = type(value) is str
    if isinstance(other, (list, tuple, dict, set, frozenset)):
        return True
    return type(other) in (*NUMBERS, bytes) if is_text else type(other) in (str, bytes)


def is_scalar_with_list(value: object, other: object) -> bool:
    """Return whether a symbolic scalar is compared with a list or tuple, never equal in Python."""
    scalar = isinstance(value, SymbolicTensor) and value.shape.rank == 0
    return scalar and isinstance(other, (list, tuple))


def exact_spec(number: object) -> TensorSpec:
    """Return the spec of a weak tensor for a Python number: floats keep all their digits."""
    if _is_double(number):
        return TensorSpec((), dtypes.float64)
    spec = spec_of_array(to_array(number))
    if STATE.symbolic is not None and spec.dtype is dtypes.int32:
        return spec.with_dtype(dtypes.int64)
    return spec.with_dtype(_exact_dtype(spec.dtype))


def default_dtype(dtype: DType) -> DType:
    """Return the default dtype of a weak tensor: the one that `constant` gives a Python number."""
    return dtypes.float32 if dtype is dtypes.float64 else dtype


def _exact_dtype(dtype: DType) -> DType:
    """Return the dtype of a weak tensor in place of its default dtype."""
    return dtypes.float64 if dtype is dtypes.float32 else dtype


def in_default_dtype(tensor: Tensor) -> Tensor:
    """Convert a weak tensor to its default dtype; return others unchanged."""
    if type(tensor) is EagerTensor:
        return tensor
    return cast_to(tensor, default_dtype(tensor.dtype)) if is_weak(tensor) else tensor


def weakened(tensor: Tensor, weak: Weak = True) -> Tensor:
    """Mark a symbolic tensor as weak or not, and return it."""
    if isinstance(tensor, SymbolicTensor):
        tensor.weak = weak
    return tensor


def strong(tensor: Tensor) -> Tensor:
    """Return a tensor that represents no Python number: floats keep their 64 bits.

    >>> strong(convert_to_tensor([1.5]))
    <tf.Tensor: shape=(1,), dtype=float32, numpy=array([1.5], dtype=float32)>
    """
    return execute(IDENTITY, (tensor,), {})[0] if is_weak(tensor) else tensor


def _yielded(number: Tensor, dtype: DType) -> Tensor:
    """The Python number in the dtype of a tensor beside it; an int of 64 bits has to fit."""
    own = number.dtype
    if own is dtypes.int64 and dtype.is_integer and dtype.size < 8 and STATE.symbolic is None:
        return execute(_FITTING, (number,), {"dtype": dtype})[0]
    return cast_to(number, dtype)


def cast_to(tensor: Tensor, dtype: DType) -> Tensor:
    """Convert a tensor to a dtype; return it unchanged if it has that dtype."""
    if tensor.dtype is dtype:
        return tensor
    return execute(CAST, (tensor,), {"dtype": dtype})[0]


def one_dtype(
    op_name: str,
    entries: Sequence[tuple[str, Any]],
    dtype: DType | None = None,
    group: DTypes | None = None,
) -> tuple[list[Tensor], Weak]:
    """Convert named operands to tensors of one dtype: the given one, or inferred from them.

    Returns: the tensors, and whether all of them represent Python numbers.
    Raises: DTypeMismatchError if they have different dtypes, or one that is not in the group.
    """
    if len(entries) == 1 and dtype is None and group is not None:
        name, value = entries[0]
        if type(value) in (list, tuple):
            numbers = plain_array(value, None)
            if numbers is not None and dtypes.from_numpy(numbers.dtype) in group:
                return [constant_of(numbers, name)], False
    values = [_as_operand(value) for _, value in entries]
    own = _dtype_of_eager(values)
    if own is not None and (dtype or own) is own and (group is None or own in group.members):
        return values, False
    target = dtype or _target(values, group)
    if target.is_numeric and any(map(_is_weak_bool, values)) and all(map(is_weak, values)):
        values = [_as_number(value) for value in values]
    tensors = [
        _yielded(value, target)
        if isinstance(value, Tensor) and is_weak(value) and adapts(value.dtype.kind, target.kind)
        else convert_to_tensor(value, dtype_hint=target, name=name)
        for (name, _), value in zip(entries, values, strict=True)
    ]
    for (name, _), tensor in zip(entries, tensors, strict=True):
        if tensor.dtype is not target:
            raise mismatch(op_name, entries, tensors, target)
        if group is not None and target not in group:
            raise not_taken(op_name, name, tensor, group)
    if not any(isinstance(value, Tensor) for value in values):
        return tensors, False
    weak = both_weak(map(weakness, values))
    if isinstance(weak, Mixed) and any(map(_is_surely_float, values)):
        weak = weak.value  # an int and a float give a float
    return tensors, weak


def _is_surely_float(value: object) -> bool:
    """Return whether a number is a float on every path to this point."""
    if isinstance(value, Tensor):
        return value.dtype.is_floating and not isinstance(weakness(value), Mixed)
    return type(value) is float


def _dtype_of_eager(values: Sequence[Any]) -> DType | None:
    """Return the dtype of the operands if all are eager tensors of one dtype, the common case."""
    own: DType | None = None
    for value in values:
        if type(value) is not EagerTensor or value.dtype is not (own or value.dtype):
            return None
        own = value.dtype
    return own


def _is_weak_bool(value: object) -> bool:
    return isinstance(value, SymbolicTensor) and is_weak(value) and value.dtype is dtypes.bool


def _as_number(value: Any) -> Any:
    """Convert a bool of Python to 0 or 1."""
    if _is_weak_bool(value):
        return weakened(cast_to(value, dtypes.int32))
    return int(value) if type(value) is bool else value


def _as_operand(value: object) -> Any:
    if isinstance(value, Tensor) or type(value) in NUMBERS:
        return value
    conversion = _conversion(value)
    if conversion is not None:
        return conversion(None, None)
    if isinstance(value, (list, tuple)) and _holds_tensor(value):
        return _packed(value, None)
    return value


def _target(values: Sequence[Any], group: DTypes | None) -> DType:
    for value in values:
        if isinstance(value, Tensor) and not is_weak(value):
            return value.dtype
    for value in values:
        if isinstance(value, (np.ndarray, np.generic)):
            return _of_array(dtypes.from_numpy(value.dtype), group)
    plain = [value for value in values if not _is_empty(value)]
    if not plain:
        return _of_nothing(group)
    target = max(map(_default_dtype_of, plain), key=generality)
    floats = group is not None and target not in group and dtypes.float32 in group
    if floats and adapts(target.kind, "f"):
        target = dtypes.float32
    counts = group is not None and target not in group and dtypes.int32 in group
    if counts and target is dtypes.bool and all(map(is_weak, values)):
        target = dtypes.int32  # `True + True` is 2 in Python
    exact = _exact_dtype(target)
    stays_weak = all(map(is_weak, values)) and any(isinstance(value, Tensor) for value in values)
    return exact if stays_weak and (group is None or exact in group) else target


def _default_dtype_of(value: Any) -> DType:
    if isinstance(value, Tensor):
        return default_dtype(value.dtype)
    if _is_double(value):
        return dtypes.float32
    return dtypes.from_numpy(to_array(value).dtype)


def _is_double(value: object) -> bool:
    """Return whether a value is a Python float that never becomes a float32 by itself."""
    return STATE.symbolic is not None and isinstance(value, float)


def _of_array(own: DType, group: DTypes | None) -> DType:
    """Return the dtype for a NumPy array: its own, or an integer dtype that the op takes."""
    if group is None or own in group or not own.is_integer:
        return own
    return next((dtype for dtype in (dtypes.int32, dtypes.int64) if dtype in group), own)


def _is_empty(value: object) -> bool:
    """Return whether a value is an empty list, which has no dtype of its own."""
    return isinstance(value, (list, tuple)) and not value


def _of_nothing(group: DTypes | None) -> DType:
    """Return the dtype of empty lists: float32 where an op takes that."""
    usual = (dtypes.float32, dtypes.int32, dtypes.bool, dtypes.string)
    return next((dtype for dtype in usual if group is None or dtype in group), dtypes.float32)
