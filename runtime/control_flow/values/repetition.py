"""`[7] * n`: repetition of a Python list, tuple or string by an integer tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.control_flow.values.columns import Column
from runtime.control_flow.values.growing import GrowingList
from runtime.core.errors import StagingError
from runtime.core.places import user_text
from runtime.core.spec import Weak
from runtime.core.static import static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.creation import fill
from runtime.ops.array.joining import stack
from runtime.ops.array.repeating import tile
from runtime.ops.base.convert import constant_of, exact_spec, one_dtype, weakened
from runtime.ops.base.values import PLAIN_NUMBERS, to_array
from runtime.ops.math import arithmetic
from runtime.ops.strings import texts

_SEQUENCES = (list, tuple, str)


def multiplied(x: TensorLike, y: TensorLike, name: str | None = None) -> Any:
    """Return `x * y`: repetition for a Python sequence and an integer scalar, else the product.

    >>> from runtime.ops.base.convert import convert_to_tensor
    >>> multiplied([7, 8], convert_to_tensor(2))
    [7, 8, 7, 8]
    """
    if type(x) in _SEQUENCES and _is_count(y):
        return _repeated(x, y)
    if type(y) in _SEQUENCES and _is_count(x):
        return _repeated(y, x)
    if STATE.graph is not None:
        for text, count in ((x, y), (y, x)):
            if texts.is_text(text):
                return texts.repeated(text, count)
    return arithmetic.multiply.op.apply((x, y), name)


def _is_count(value: object) -> bool:
    return isinstance(value, Tensor) and value.dtype.is_integer and value.spec.dims == ()


def _repeated(values: Any, count: Tensor) -> Any:
    known = count.array if isinstance(count, EagerTensor) else static_value(count)
    if known is not None:
        return values * int(known)
    if type(values) is str:
        return texts.repeated(values, count)
    if type(values) is list and _is_in_place():
        raise StagingError(
            "a list is repeated in place as often as a tensor says: its other names would keep "
            "the list of before.",
            public=TypeError,
            remedy="Write `v = v * n`, or append to the list in a loop.",
        )
    if type(values) is not list or not all(map(_is_scalar, values)):
        raise StagingError(
            f"a {type(values).__name__} is repeated as often as a tensor says, which is known when "
            "the graph runs.",
            public=TypeError,
            remedy="Repeat a list of numbers, or append to a list in a loop.",
        )
    whole, weak = vector_of(values)
    times = [arithmetic.maximum(count, 0)]
    rows = fill(times, whole[0]) if len(values) == 1 else tile(whole, times)
    return GrowingList([Column.from_rows(weakened(rows, weak))])


def _is_scalar(value: object) -> bool:
    return type(value) in PLAIN_NUMBERS or (isinstance(value, Tensor) and value.spec.dims == ())


def _is_in_place() -> bool:
    """Return whether the line of the program says `*=`: Python asks a tensor only for `*`."""
    return "*=" in user_text()


def vector_of(values: Sequence[Any]) -> tuple[Tensor, Weak]:
    """Return scalars as a vector, and whether it is weak: Python numbers keep their digits."""
    if all(type(value) in PLAIN_NUMBERS for value in values):
        return constant_of(to_array(values, exact_spec(values).dtype)), True
    elements = [(f"element_{place}", value) for place, value in enumerate(values)]
    tensors, weak = one_dtype("the list", elements)
    return stack(tensors), weak
