"""Python strings in graphs: `format`, `str`, `repr`, `%` and the methods of `str`.

A tensor that represents a Python string is weak, like one that represents a Python number: `len`
counts its characters, and items and slices are those of the string.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dtypes import DType
from runtime.core.handlers import current_place, raised
from runtime.core.opdef import EXACT, STRING, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike, python_scalar
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor, is_weak, weakened
from runtime.ops.base.define import define_op, op
from runtime.ops.items.indexing import getitem
from runtime.ops.strings.elements import decoded, encoded
from runtime.ops.strings.elementwise import length
from runtime.ops.strings.encodings import unicode_split
from runtime.ops.strings.joining import join, reduce_join

_CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "": lambda value: value,
    "s": str,
    "r": repr,
    "a": ascii,
    "bin": bin,
    "chr": chr,
    "hex": hex,
    "oct": oct,
}


def _python_text(value: object, conversion: str, spec: str) -> str:
    if conversion == "%":
        return spec % (value,)
    return format(_CONVERSIONS[conversion](value), spec)


def _format(
    xp: Namespace,
    value: Array,
    spec: Array,
    conversion: str,
    listed: bool,
    place: str,
    numpy: bool = False,
) -> Array:
    array, layout = np.asarray(value), decoded(spec.item() if np.ndim(spec) == 0 else spec[()])
    if numpy:
        shown: Any = list(array) if listed else array[()]
    else:
        shown = [python_scalar(each) for each in array] if listed else _shown(array)
    try:
        return np.array(encoded(_python_text(shown, conversion, layout)), object)
    except (TypeError, ValueError, OverflowError) as error:
        raise raised(error, place) from None


def _shown(array: Array) -> Any:
    """Return a Python value, or for several elements the text of NumPy."""
    return str(array) if array.ndim else python_scalar(array)


@op(
    "PythonText",
    {"input": EXACT, "spec": STRING},
    infer=lambda value, spec, **attrs: spec_of(dtypes.string, ()),
    kernel=_format,
    samples=(
        sample(1.5, ".2f", conversion="", listed=False, place="", numpy=False),
        sample("a", "", conversion="r", listed=False, place="", numpy=False),
        sample([1, 2], "", conversion="s", listed=True, place="", numpy=False),
        sample([1.5, 2.0], "", conversion="r", listed=False, place="", numpy=True),
        sample(7, "%03d", conversion="%", listed=False, place="", numpy=False),
    ),
)
def text_of(value: TensorLike, conversion: str, spec: TensorLike, listed: bool = False) -> Tensor:
    """Format a tensor as Python does.

    Args:
      value: Tensor; a scalar is formatted as the Python number or string.
      conversion: "", "s", "r" or "a" as in an f-string; "bin", "chr", "hex" or "oct" for that
        function of Python; "%" for `spec % value`.
      spec: string scalar, the format specification.
      listed: whether a vector is formatted as a Python list.

    Returns: String scalar, weak.
    Raises: ValueError, TypeError, OverflowError: as Python, when the program runs.

    >>> print(text_of(2.5, "", ">6"))
    tf.Tensor(b'   2.5', shape=(), dtype=string)
    """
    numpy = STATE.symbolic is not None and not is_weak(value)  # a scalar or array of NumPy
    place = current_place()
    return weakened(
        text_of.op(value, spec, conversion=conversion, listed=listed, place=place, numpy=numpy)
    )


def joined(parts: Sequence[TensorLike]) -> Tensor:
    """Concatenate strings to one."""
    first = convert_to_tensor(parts[0])
    return weakened(first if len(parts) == 1 else join(parts))


@op(
    "PythonContains",
    {"text": STRING, "part": STRING},
    infer=lambda text, part: spec_of(dtypes.bool, ()),
    kernel=lambda xp, text, part: np.bool_(
        decoded(np.asarray(part).item()) in decoded(np.asarray(text).item())
    ),
    samples=(sample("abc", "b"), sample("abc", "d")),
)
def contains(text: Tensor, part: TensorLike) -> Tensor:
    """Return `part in text`.

    >>> print(contains(convert_to_tensor("abc"), "bc"))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    return contains.op(text, part)


def _number(xp: Namespace, text: Array, dtype: DType, place: str) -> Array:
    read = int if dtype.is_integer else float
    try:
        return dtype.as_numpy_dtype(read(decoded(np.asarray(text).item())))
    except (ValueError, OverflowError) as error:
        raise raised(error, place) from None


@op(
    "PythonNumber",
    {"text": STRING},
    infer=lambda text, dtype, place: spec_of(dtype, ()),
    kernel=_number,
    effect=Effect.WRITE,
    samples=(
        sample("12", dtype=dtypes.int32, place=""),
        sample(" 1.5", dtype=dtypes.float64, place=""),
    ),
)
def number_in(text: Tensor, dtype: DType) -> Tensor:
    """Return `int(text)` or `float(text)`.

    Raises: ValueError when the program runs, if the text is not a number.
    """
    return weakened(number_in.op(text, dtype=dtype, place=current_place(ValueError)))


def _method(
    xp: object, *values: object, method: str, arguments: tuple[Any, ...], dtype: DType, place: str
) -> Any:
    rest = iter([python_scalar(np.asarray(value)) for value in values])
    text, *given = [next(rest) if each == _STAGED else each for each in (_STAGED, *arguments)]
    try:
        result = getattr(text, method)(*given)
    except (TypeError, ValueError) as error:
        raise raised(error, place) from None
    return (
        np.array(encoded(result), object) if type(result) is str else dtype.as_numpy_dtype(result)
    )


_STAGED = "\0staged"
"""Marks an argument that is a tensor."""

_METHOD = define_op(
    "PythonStringMethod",
    {"*values": EXACT},
    lambda *values, method, arguments, dtype, place: spec_of(dtype, ()),
    _method,
    samples=(
        sample("ab", method="upper", arguments=(), dtype=dtypes.string, place=""),
        sample("ab", "a", method="count", arguments=(_STAGED,), dtype=dtypes.int32, place=""),
    ),
)

_RESULTS: dict[str, DType] = {
    **dict.fromkeys(
        (
            "capitalize", "casefold", "center", "expandtabs", "ljust", "lower", "lstrip",
            "removeprefix", "removesuffix", "replace", "rjust", "rstrip", "strip", "swapcase",
            "title", "upper", "zfill",
        ),
        dtypes.string,
    ),
    **dict.fromkeys(
        (
            "endswith", "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier",
            "islower", "isnumeric", "isprintable", "isspace", "istitle", "isupper", "startswith",
        ),
        dtypes.bool,
    ),
    "__mul__": dtypes.string,
    **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), dtypes.int32),
}  # fmt: skip
"""The dtype of the result, for the methods of `str` that return a string, a bool or an int."""


def method(text: Tensor, name: str) -> Callable[..., Tensor] | None:
    """Return a method of a string; None if there is no operation for it.

    >>> print(method(convert_to_tensor("ab"), "upper")())
    tf.Tensor(b'AB', shape=(), dtype=string)
    """
    if name not in _RESULTS:
        return None

    def call(*arguments: object) -> Tensor:
        staged = [each for each in arguments if isinstance(each, Tensor)]
        kept = tuple(_STAGED if isinstance(each, Tensor) else each for each in arguments)
        found = _METHOD(
            text, *staged, method=name, arguments=kept, dtype=_RESULTS[name], place=current_place()
        )
        return weakened(found)

    return call


def repeated(text: TensorLike, count: TensorLike) -> Tensor:
    """Return `text * count`."""
    call = method(convert_to_tensor(text), "__mul__")
    assert call is not None
    return call(count)


def is_text(value: object) -> bool:
    """Return whether a value is a tensor that represents a Python string."""
    return isinstance(value, Tensor) and value.dtype is dtypes.string and is_weak(value)


def characters(text: Tensor) -> Tensor:
    """Return the characters of a string, each as a string."""
    return weakened(unicode_split(text, "UTF-8"))


def characters_at(text: Tensor, index: object) -> Tensor:
    """Return `text[index]`: a character, or a slice as one string."""
    found = getitem(characters(text), index)
    return weakened(reduce_join(found) if isinstance(index, slice) else found)


def count_characters(text: Tensor) -> Tensor:
    """Return `len(text)`."""
    return weakened(length(text, "UTF8_CHAR"))
