"""Unicode: decoding, encoding and splitting of strings."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import INDEX, INT32, STRING, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.array.ranges import range as numbers
from runtime.ops.array.shaping import expand_dims, reshape
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.items.indexing import getitem
from runtime.ops.reduce.products import reduce_prod
from runtime.ops.strings.elements import check_allowed, invalid, one_string

_ERRORS = ("strict", "replace", "ignore")
_OUTPUTS = ("UTF-8", "UTF-16-BE", "UTF-32-BE")
_CONTROL = 0x20
"""Control characters are the code points below (Unicode, C0)."""

_SURROGATES = range(0xD800, 0xE000)
"""Code points that encode halves of a character in UTF-16, and none themselves."""


def _codec(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise invalid(f"Could not create converter for input encoding: {encoding}") from None


def _characters(data: bytes, codec: str) -> Iterator[str | None]:
    """Yield each character; None for invalid bytes."""
    while data:
        try:
            yield from data.decode(codec)
            return
        except UnicodeDecodeError as error:
            yield from data[: error.start].decode(codec)
            yield None
            data = data[error.end :]


def _decoded(
    data: bytes,
    input_encoding: str,
    errors: str,
    replacement_char: int,
    replace_control_characters: bool,
) -> Iterator[int]:
    """Yield each code point."""
    for character in _characters(data, _codec(input_encoding)):
        if character is None:
            if errors == "strict":
                raise invalid("Invalid formatting on input string")
            if errors == "replace":
                yield replacement_char
        elif replace_control_characters and ord(character) < _CONTROL:
            yield replacement_char
        else:
            yield ord(character)


def _is_valid(point: int) -> bool:
    return 0 <= point <= 0x10FFFF and point not in _SURROGATES


def _encoded(
    points: Array | list[int], output_encoding: str, errors: str, replacement_char: int
) -> bytes:
    kept = []
    for point in points:
        if _is_valid(int(point)):
            kept.append(chr(point))
        elif errors == "strict":
            raise invalid("Code point is out of range for Unicode, or is a surrogate.")
        elif errors == "replace":
            kept.append(chr(replacement_char))
    return "".join(kept).encode(output_encoding)


def _rows(xp: Namespace, data: Array, **attrs: Any) -> tuple[Array, Array]:
    found = [list(_decoded(text, **attrs)) for text in np.asarray(data, object).ravel()]
    splits = np.cumsum([0, *map(len, found)], dtype=np.int64)
    return splits, np.array([point for row in found for point in row], np.int32)


def _row_specs(data: Tensor, **attrs: object) -> tuple[TensorSpec, ...]:
    count = data.shape.num_elements()
    splits = spec_of(dtypes.int64, (None if count is None else count + 1,))
    return splits, spec_of(dtypes.int32, (None,))


_SAMPLE = {"errors": "replace", "replacement_char": 65533, "replace_control_characters": False}


def _encode_rows(xp: Namespace, values: Array, splits: Array, **attrs: Any) -> Array:
    result = np.empty(len(splits) - 1, object)
    for row in range(len(result)):
        result[row] = _encoded(values[splits[row] : splits[row + 1]], **attrs)
    return result


def _encode_spec(values: Tensor, splits: Tensor, **attrs: object) -> TensorSpec:
    count = splits.shape[0] if splits.shape.rank == 1 else None
    return spec_of(dtypes.string, (None if count is None else count - 1,))


def _settings(errors: str, replacement_char: int) -> dict[str, Any]:
    if not _is_valid(replacement_char):
        raise invalid("replacement_char out of unicode codepoint range")
    return {
        "errors": check_allowed("errors", errors, _ERRORS),
        "replacement_char": replacement_char,
    }


@op(
    "UnicodeDecode",
    {"input": STRING},
    infer=_row_specs,
    kernel=_rows,
    outputs=2,
    samples=(sample(["aé", ""], input_encoding="UTF-8", **_SAMPLE),),
)
def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Decode one string to code points.

    Args:
      input: string scalar.
      input_encoding: its encoding, for instance "UTF-8", "UTF-16-BE", "LATIN1".
      errors: for invalid bytes: "replace", "ignore", or "strict" to raise an error.
      replacement_char: code point that replaces invalid bytes.
      replace_control_characters: whether it replaces control characters below 32 too.

    Returns: int32 vector.
    Raises:
      UnimplementedError: for several strings, whose characters would be a ragged tensor.
      InvalidArgumentError: for an unknown encoding, or for invalid bytes if `errors` is "strict".

    >>> print(unicode_decode("aé", "UTF-8"))
    tf.Tensor([ 97 233], shape=(2,), dtype=int32)
    """
    return unicode_decode.op.outputs(
        one_string("strings.unicode_decode", input),
        input_encoding=input_encoding,
        **_settings(errors, replacement_char),
        replace_control_characters=bool(replace_control_characters),
        name=name,
    )[1]


@op(
    "UnicodeEncode",
    {"input_values": INT32, "input_splits": INDEX},
    infer=_encode_spec,
    kernel=_encode_rows,
    samples=(
        sample(
            [97, 233, 98],
            [0, 2, 3],
            output_encoding="UTF-8",
            errors="replace",
            replacement_char=65533,
        ),
    ),
)
def unicode_encode(
    input: TensorLike,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor:
    """Encode code points to strings.

    Args:
      input: int32 Tensor; each row along the last axis is a string.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors, replacement_char: as of `unicode_decode`, for invalid code points.

    Returns: Tensor of the shape of `input` without its last dimension.
    Raises:
      ValueError: for a scalar.
      InvalidArgumentError: for another encoding, or for invalid code points if `errors` is
        "strict".

    >>> print(unicode_encode([97, 233], "UTF-16-BE"))
    tf.Tensor(b'\\x00a\\x00\\xe9', shape=(), dtype=string)
    """
    points = convert_to_tensor(input, dtypes.int32)
    if points.shape.rank is None or points.shape.rank < 1:
        raise ValueError("input_tensor's rank must be at least 1.")
    lengths = shape_of(points)
    outer, length = getitem(lengths, slice(-1)), getitem(lengths, -1)
    splits = numbers(0, reduce_prod(outer) + 1) * length
    rows = unicode_encode.op(
        reshape(points, [-1]),
        splits,
        output_encoding=check_allowed("output_encoding", output_encoding, _OUTPUTS),
        **_settings(errors, replacement_char),
        name=name,
    )
    return reshape(rows, outer)


def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor:
    """Split one string into characters.

    Args:
      input: string scalar.
      input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors, replacement_char: as of `unicode_decode`.

    Returns: Vector of strings in the same encoding.
    Raises: UnimplementedError, InvalidArgumentError: as `unicode_decode`.

    >>> print(unicode_split("aé", "UTF-8"))
    tf.Tensor([b'a' b'\\xc3\\xa9'], shape=(2,), dtype=string)
    """
    one = one_string("strings.unicode_split", input)
    points = unicode_decode(one, input_encoding, errors, replacement_char)
    return unicode_encode(expand_dims(points, -1), input_encoding, errors, replacement_char, name)
