"""N-grams of strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape as shape_of
from runtime.ops.array.joining import concat
from runtime.ops.array.padding import pad
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.items.indexing import getitem
from runtime.ops.math.arithmetic import maximum
from runtime.ops.strings.joining import join, reduce_join


def ngrams(
    data: TensorLike,
    ngram_width: int | Sequence[int],
    separator: str = " ",
    pad_values: object = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Tensor:
    """Join adjacent strings along the last axis to n-grams.

    Args:
      data: Tensor of strings with at least one dimension.
      ngram_width: the n, or several of them, whose n-grams are concatenated.
      separator: text between the strings of an n-gram.
      pad_values: string to pad both ends with, or a pair for the left and the right end; None: no
        padding.
      padding_width: maximum number of padding strings; None: n - 1.
      preserve_short_sequences: whether a row that is shorter than n becomes one n-gram. The length
        of rows must be known then.
      name: not used.

    Returns:
      Tensor of strings that differs from `data` in its last dimension.

    Raises:
      ValueError: for an n below 1, a scalar, or a padding width without a string.
      TypeError: for other `pad_values`.

    >>> print(ngrams(["a", "b", "c"], 2))
    tf.Tensor([b'a b' b'b c'], shape=(2,), dtype=string)
    """
    tensor = convert_to_tensor(data, dtypes.string)
    if tensor.shape.rank == 0:
        raise ValueError("Data must have rank>0")
    widths = [ngram_width] if isinstance(ngram_width, int) else list(ngram_width)
    for width in widths:
        if width < 1:
            raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
    if pad_values is None and padding_width is not None:
        raise ValueError("pad_values must be provided if padding_width is set.")
    if padding_width is not None and padding_width < 0:
        raise ValueError(f"padding_width must be non-negative. Got {padding_width}")
    ends = _ends(pad_values)
    found = []
    for width in widths:
        count = width - 1 if padding_width is None else min(padding_width, width - 1)
        found.append(_groups(_padded(tensor, ends, count), width, separator))
    result = concat(found, -1)
    if preserve_short_sequences and result.shape[-1] == 0 and tensor.shape[-1]:
        return reduce_join(tensor, -1, True, separator)
    return result


def _ends(pad_values: object) -> tuple[str, str] | None:
    if pad_values is None:
        return None
    if isinstance(pad_values, (str, bytes)):
        return (pad_values, pad_values)  # type: ignore[return-value]  # bytes are texts too
    if not isinstance(pad_values, tuple) or len(pad_values) != 2:
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    if not all(isinstance(value, (str, bytes)) for value in pad_values):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    return pad_values


def _padded(tensor: Tensor, ends: tuple[str, str] | None, count: int) -> Tensor:
    if ends is None or not count:
        return tensor
    none = [[0, 0]] * (len(tensor.shape) - 1)
    left = pad(tensor, [*none, [count, 0]], constant_values=ends[0])
    return pad(left, [*none, [0, count]], constant_values=ends[1])


def _groups(tensor: Tensor, width: int, separator: str) -> Tensor:
    length = tensor.shape[-1]
    if length is None:
        count: Any = maximum(getitem(shape_of(tensor), -1) - (width - 1), 0)
    else:
        count = max(length - (width - 1), 0)
    parts = [getitem(tensor, (..., slice(at, at + count))) for at in range(width)]
    return join(parts, separator)
