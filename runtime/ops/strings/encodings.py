"""Unicode: decoding, encoding and splitting of strings."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.opdef import INDEX, INT32, STRING, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.array.ranges import range as numbers
from runtime.ops.array.shaping import expand_dims, reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.items.indexing import getitem
from runtime.ops.reduce.reduction import reduce_prod
from runtime.ops.strings.elements import check_allowed, invalid, one_string

_ERRORS = ("strict", "replace", "ignore")
_OUTPUTS = ("UTF-8", "UTF-16-BE", "UTF-32-BE")
_REPLACEMENT = "\ufffd"


def _decoded(data: bytes, encoding: str, errors: str) -> str:
    try:
        return data.decode(encoding, errors)
    except LookupError:
        raise invalid(f"Could not create converter for input encoding: {encoding}") from None
    except UnicodeDecodeError:
        raise invalid("Invalid formatting on input string") from None


def _is_valid(point: int) -> bool:
    """Return whether a number encodes a character; surrogates are halves of one in UTF-16."""
    return 0 <= point <= 0x10FFFF and not 0xD800 <= point < 0xE000


def _encoded(points: list[int], encoding: str, errors: str) -> bytes:
    if errors == "strict" and not all(map(_is_valid, points)):
        raise invalid("Code point is out of range for Unicode, or is a surrogate.")
    other = _REPLACEMENT if errors == "replace" else ""
    return "".join(chr(p) if _is_valid(p) else other for p in points).encode(encoding)


def _rows(xp: Namespace, data: Array, input_encoding: str, errors: str) -> tuple[Array, Array]:
    texts = [_decoded(text, input_encoding, errors) for text in np.asarray(data, object).ravel()]
    splits = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    return splits, np.array([ord(character) for text in texts for character in text], np.int32)


def _row_specs(data: Tensor, **attrs: object) -> tuple[TensorSpec, ...]:
    count = data.shape.num_elements()
    splits = spec_of(dtypes.int64, (None if count is None else count + 1,))
    return splits, spec_of(dtypes.int32, (None,))


def _encode_rows(
    xp: Namespace, values: Array, splits: Array, output_encoding: str, errors: str
) -> Array:
    result = np.empty(len(splits) - 1, object)
    for row in range(len(result)):
        points = values[splits[row] : splits[row + 1]].tolist()
        result[row] = _encoded(points, output_encoding, errors)
    return result


def _encode_spec(values: Tensor, splits: Tensor, **attrs: object) -> TensorSpec:
    count = splits.shape[0] if splits.shape.rank == 1 else None
    return spec_of(dtypes.string, (None if count is None else count - 1,))


@op(
    "UnicodeDecode",
    {"input": STRING},
    infer=_row_specs,
    kernel=_rows,
    outputs=2,
    samples=(sample(["aé", ""], input_encoding="UTF-8", errors="replace"),),
)
def unicode_decode(
    input: TensorLike, input_encoding: str, errors: str = "replace", *, name: str | None = None
) -> Tensor:
    """Decode one string to code points.

    Args:
      input: string scalar.
      input_encoding: its encoding, for instance "UTF-8", "UTF-16-BE", "LATIN1".
      errors: for invalid bytes: "replace" by U+FFFD, "ignore", or "strict" to raise an error.

    Returns: int32 vector.
    Raises:
      UnimplementedError: for several strings, whose characters would be a ragged tensor.
      InvalidArgumentError: for an unknown encoding, or for invalid bytes if `errors` is "strict".

    >>> print(unicode_decode("aé", "UTF-8"))
    tf.Tensor([ 97 233], shape=(2,), dtype=int32)
    """
    text = one_string("strings.unicode_decode", input)
    policy = check_allowed("errors", errors, _ERRORS)
    attrs = {"input_encoding": input_encoding, "errors": policy}
    return unicode_decode.op.outputs(text, name=name, **attrs)[1]


@op(
    "UnicodeEncode",
    {"input_values": INT32, "input_splits": INDEX},
    infer=_encode_spec,
    kernel=_encode_rows,
    samples=(sample([97, 233, 98], [0, 2, 3], output_encoding="UTF-8", errors="replace"),),
)
def unicode_encode(
    input: TensorLike, output_encoding: str, errors: str = "replace", *, name: str | None = None
) -> Tensor:
    """Encode code points to strings.

    Args:
      input: int32 Tensor; each row along the last axis is a string.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: as of `unicode_decode`, for invalid code points.

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
    rows = unicode_encode.op(
        reshape(points, [-1]),
        numbers(0, reduce_prod(outer) + 1) * length,
        output_encoding=check_allowed("output_encoding", output_encoding, _OUTPUTS),
        errors=check_allowed("errors", errors, _ERRORS),
        name=name,
    )
    return reshape(rows, outer)


def unicode_split(
    input: TensorLike, input_encoding: str, errors: str = "replace", *, name: str | None = None
) -> Tensor:
    """Split one string into characters.

    Args:
      input: string scalar.
      input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: as of `unicode_decode`.

    Returns: Vector of strings in the same encoding.
    Raises: UnimplementedError, InvalidArgumentError: as `unicode_decode`.

    >>> print(unicode_split("aé", "UTF-8"))
    tf.Tensor([b'a' b'\\xc3\\xa9'], shape=(2,), dtype=string)
    """
    points = unicode_decode(one_string("strings.unicode_split", input), input_encoding, errors)
    return unicode_encode(expand_dims(points, -1), input_encoding, errors, name=name)
