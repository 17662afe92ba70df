"""Conversion between numbers and strings, and string formatting."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace
from runtime.core.dtypes import DType
from runtime.core.opdef import EXACT, STRING, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import static_text
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.effects.output import filled, format_value
from runtime.ops.strings.elements import decoded, each, encoded, invalid

_NUMBERS = (
    dtypes.float32,
    dtypes.float64,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint32,
    dtypes.uint64,
)


def _as_bytes(element: Array, digits: int) -> bytes:
    if isinstance(element, (bool, np.bool_)):
        return b"true" if element else b"false"
    if isinstance(element, bytes):
        return element
    if isinstance(element, (complex, np.complexfloating)):
        return f"({element.real:.{digits}f},{element.imag:.{digits}f})".encode()
    if isinstance(element, (float, np.floating)):
        return f"{float(element):.{digits}f}".encode()
    return str(int(element)).encode()


@op(
    "AsString",
    {"input": EXACT},
    infer=lambda x, precision: x.spec.with_dtype(dtypes.string),
    kernel=lambda xp, x, precision: each(
        functools.partial(_as_bytes, digits=6 if precision < 0 else precision), object, x
    ),
    samples=(sample([1, 2], precision=-1), sample(1.5, precision=2), sample([True], precision=-1)),
)
def as_string(input: TensorLike, precision: int = -1, *, name: str | None = None) -> Tensor:
    """Convert numbers and bools to strings.

    Args:
      input: Tensor of numbers, bools or strings.
      precision: number of digits after the decimal point of floats; -1: 6.

    Returns: Tensor of strings, of the shape of `input`.
    Raises: InvalidArgumentError for a precision of integers.

    >>> print(as_string([1, 2]).numpy(), as_string(3.14159, precision=2).numpy())
    [b'1' b'2'] b'3.14'
    """
    x = convert_to_tensor(input)
    if precision > -1 and not (x.dtype.is_floating or x.dtype.is_complex):
        raise invalid(f"precision not supported for datatype {x.dtype.name}")
    return as_string.op(x, precision=precision, name=name)


def _reader(out_type: DType) -> Callable[[bytes], Any]:
    """Return the function that parses a number of a dtype."""
    least, most = (out_type.min, out_type.max) if out_type.is_integer else (0, 0)

    def number(data: bytes) -> Any:
        text = decoded(data)
        try:
            if "_" in text:
                raise ValueError
            if not out_type.is_integer:
                return float(text)
            value = int(text)
            if not least <= value <= most:
                raise ValueError
            return value
        except ValueError:
            raise invalid(f"StringToNumberOp could not correctly convert string: {text}") from None

    return number


@op(
    "StringToNumber",
    {"string_tensor": STRING},
    infer=lambda x, out_type: x.spec.with_dtype(out_type),
    kernel=lambda xp, x, out_type: each(_reader(out_type), out_type.numpy_dtype, x),
    samples=(sample(["1", "2.5"], out_type=dtypes.float32),),
)
def to_number(
    input: TensorLike, out_type: DTypeLike = dtypes.float32, name: str | None = None
) -> Tensor:
    """Parse numbers.

    Args:
      input: Tensor of strings.
      out_type: float32, float64, int32, int64, uint32 or uint64.

    Returns: Tensor of dtype `out_type`, of the shape of `input`.
    Raises: InvalidArgumentError if a string is not a number, or for another `out_type`.

    >>> print(to_number("2.5"))
    tf.Tensor(2.5, shape=(), dtype=float32)
    """
    wanted = dtypes.as_dtype(out_type)
    if wanted not in _NUMBERS:
        names = ", ".join(dtype.name for dtype in _NUMBERS)
        raise invalid(
            f"Value for attr 'out_type' of {wanted.name} is not in the list of allowed values: "
            f"{names}"
        )
    return to_number.op(input, out_type=wanted, name=name)


def _formatted(
    xp: Namespace, *inputs: Array, template: str, placeholder: str, summarize: int
) -> Array:
    texts = [format_value(value, summarize, quoted=True) for value in inputs]
    return np.array(encoded(filled(template, placeholder, texts)), object)


@op(
    "StringFormat",
    {"*inputs": EXACT},
    infer=lambda *inputs, **attrs: spec_of(dtypes.string, ()),
    kernel=_formatted,
    samples=(sample([1, 2], "a", template="{} {}", placeholder="{}", summarize=3),),
)
def format(
    template: str,
    inputs: object,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """Replace the placeholders of a template by the values of tensors.

    Args:
      template: the template.
      inputs: a tensor, or a list with one for each placeholder.
      placeholder: the text that each tensor replaces.
      summarize: number of elements shown at each end of a dimension; -1: all.

    Returns: String scalar.
    Raises:
      ValueError: if there are more or fewer tensors than placeholders.
      TypeError: if `template` or `placeholder` is not a string.

    >>> print(format("x = {}", convert_to_tensor([1, 2])))
    tf.Tensor(b'x = [1 2]', shape=(), dtype=string)
    """
    tensors = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    template = static_text("template", template)
    placeholder = static_text("placeholder", placeholder)
    count = template.count(placeholder)
    if count != len(tensors):
        raise ValueError(
            f"The template expects {count} tensors, but the inputs only has {len(tensors)}. Please "
            "ensure the number of placeholders in template matches inputs length."
        )
    return format.op(
        *tensors, template=template, placeholder=placeholder, summarize=summarize, name=name
    )
