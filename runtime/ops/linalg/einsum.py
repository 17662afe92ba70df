"""Sums of products over named axes: functions over transposes, products of matrices and sums."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from runtime.core.errors import IncompatibleShapesError
from runtime.core.opdef import NUMERIC
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.identity import identity
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base.arguments import static_int
from runtime.ops.base.convert import one_dtype
from runtime.ops.base.rules import normalize_axis
from runtime.ops.items.indexing import getitem, lengths
from runtime.ops.linalg.diagonals import diag_part
from runtime.ops.linalg.products import matmul
from runtime.ops.math.arithmetic import multiply
from runtime.ops.reduce.reduction import reduce_sum

Axes = TensorLike | Sequence[Sequence[int]]
"""A number of axes, or the axes of each operand."""

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_REST = "..."


def einsum(equation: str, *inputs: TensorLike, **kwargs: Any) -> Tensor:
    """Contract tensors by the Einstein summation convention.

    Args:
      equation: labels of the axes of each operand, separated by commas, then `->` and those of the
        result; without `->` the labels that occur once, in alphabetical order. `...` is any number
        of further axes, which broadcast.
      *inputs: Tensors of one numeric dtype.
      **kwargs: `name`; `optimize` and `greedy` are ignored: the pair of operands with the smallest
        product is contracted first.

    Returns: Tensor with the axes of the result.
    Raises:
      ValueError: if the equation does not fit the operands, or a rank is not known.
      TypeError: for other keywords, or if the equation is not a string.
      InvalidArgumentError: if axes of one label differ in length.

    >>> print(einsum("ij,jk->ki", [[1, 2], [3, 4]], [[1], [10]]).numpy())
    [[21 43]]
    """
    unknown = set(kwargs) - {"optimize", "greedy", "name"}
    if unknown:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(sorted(unknown))}. "
            "Valid arguments: name, optimize, greedy."
        )
    operands, result = _completed(equation, len(inputs))
    tensors, _ = one_dtype("Einsum", [("inputs", value) for value in inputs], None, NUMERIC)
    named, target = _explicit(tensors, operands, result)
    return identity(_contracted_all(tensors, named, target), kwargs.get("name"))


def _letters(labels: str) -> str:
    return labels.replace(_REST, "")


def _completed(equation: str, count: int) -> tuple[list[str], str]:
    """Check the equation and add an omitted result."""
    if not isinstance(equation, str):
        raise TypeError(f"`equation` has to be a string; got {equation!r}")
    text = equation.replace(" ", "")
    operands = text.split("->")[0].split(",")
    if text.count("->") > 1 or any(set(_letters(o)) - set(_LETTERS) for o in operands):
        raise ValueError(f"Subscripts have incorrect format: {equation}")
    if len(operands) != count:
        raise ValueError(
            f'Got {count} inputs for equation "{equation}", expecting {len(operands)}.'
        )
    labels = _letters("".join(operands))
    if "->" in text:
        result = text.split("->")[1]
        if len(set(_letters(result))) < len(_letters(result)):
            raise ValueError(
                f"Output subscripts contain a label appearing more than once: {equation}"
            )
        strange = [label for label in _letters(result) if label not in labels]
        if strange:
            raise ValueError(
                f"Output subscripts contain the label {strange[0]} not present in the input "
                "subscripts."
            )
        return operands, result
    once = sorted(label for label in set(labels) if labels.count(label) == 1)
    return operands, _REST * (_REST in text) + "".join(once)


def _explicit(
    tensors: Sequence[Tensor], operands: Sequence[str], result: str
) -> tuple[list[str], str]:
    """Replace each ellipsis by letters, aligned from the end; check ranks and lengths."""
    if any(x.shape.rank is None for x in tensors):
        raise ValueError("einsum needs tensors of known rank; set it with runtime.ensure_shape")
    used = "".join([*operands, result])
    spare = "".join(letter for letter in _LETTERS if letter not in used)
    named, most = [], 0
    for labels, x in zip(operands, tensors, strict=True):
        count = len(x.spec.dims or ()) - len(_letters(labels))
        if count < 0 or (count and _REST not in labels):
            raise IncompatibleShapesError.of(
                f"Expected input to have rank {len(_letters(labels))} but got: {x.shape.rank}"
            )
        most = max(most, count)
        # Reversed: operands with fewer axes share the letters of the last ones.
        named.append(labels.replace(_REST, spare[:count][::-1]))
    if most and _REST not in result:
        raise IncompatibleShapesError.of(
            f"Output contains {most} broadcasting dimension(s) but no ellipsis (...) was found in "
            "the output subscripts."
        )
    _check_lengths(tensors, named, spare[:most])
    return named, result.replace(_REST, spare[:most][::-1])


def _check_lengths(tensors: Sequence[Tensor], named: Sequence[str], stretched: str) -> None:
    found: dict[str, int] = {}
    for labels, x in zip(named, tensors, strict=True):
        for place, (label, dim) in enumerate(zip(labels, x.spec.dims or (), strict=True)):
            if dim is None or label in stretched:
                continue
            if found.setdefault(label, dim) != dim:
                raise IncompatibleShapesError.of(
                    f"Expected dimension {found[label]} at axis {place} of the input shaped "
                    f"{list(x.shape)} but got dimension {dim}"
                )


def _contracted_all(tensors: Sequence[Tensor], operands: Sequence[str], result: str) -> Tensor:
    """Contract pairs in the order that NumPy finds cheap; unknown lengths count as 1."""
    left = list(zip(tensors, operands, strict=True))
    path: Any = [(0, 1)] if len(left) > 1 else []
    if len(left) > 2:
        blank = [np.broadcast_to(np.int8(0), [n or 1 for n in x.spec.dims or ()]) for x in tensors]
        path = np.einsum_path(f"{','.join(operands)}->{result}", *blank, optimize="greedy")[0][1:]
    for group in path:
        parts = [left.pop(i) for i in sorted(group, reverse=True)]
        while len(parts) > 1:
            (x, own), (y, other) = parts.pop(), parts.pop()
            rest = [labels for _, labels in (*left, *parts)]
            both = "".join(dict.fromkeys(own + other))
            needed = "".join([result, *rest])
            target = "".join(label for label in both if label in needed) if rest else result
            parts.append((_contracted(x, own, y, other, target), target))
        left += parts
    return _ordered(*_reduced(*left[0], result), result)


def _reduced(x: Tensor, labels: str, needed: str) -> tuple[Tensor, str]:
    """Take diagonals of repeated labels and sum over labels that nothing else has."""
    while len(set(labels)) < len(labels):
        label = next(label for label in labels if labels.count(label) > 1)
        pair = labels.index(label), labels.rindex(label)
        rest = [i for i in range(len(labels)) if i not in pair]
        x = diag_part(transpose(x, [*rest, *pair]))
        labels = "".join(labels[i] for i in rest) + label
    gone = [i for i, label in enumerate(labels) if label not in needed]
    if not gone:
        return x, labels
    return reduce_sum(x, gone), "".join(label for label in labels if label in needed)


def _ordered(x: Tensor, labels: str, target: str) -> Tensor:
    return x if labels == target else transpose(x, [labels.index(label) for label in target])


def _contracted(a: Tensor, left: str, b: Tensor, right: str, target: str) -> Tensor:
    """Contract two operands, as one product of matrices: batch, free and summed axes."""
    a, left = _reduced(a, left, right + target)
    b, right = _reduced(b, right, left + target)
    summed = [x for x in left if x not in target]
    if not summed:
        return multiply(_stretched(a, left, target), _stretched(b, right, target))
    batch = [x for x in left if x in right and x in target]
    rows, columns = [x for x in left if x not in right], [x for x in right if x not in left]
    value = matmul(
        _as_matrices(a, left, batch, rows, summed), _as_matrices(b, right, batch, summed, columns)
    )
    if len(rows) != 1 or len(columns) != 1:
        sizes = dict(zip(left + right, [*lengths(a), *lengths(b)], strict=True))
        free = [sizes[label] for label in (*rows, *columns)]
        value = reshape(value, [*lengths(value)[: len(batch)], *free])
    return _ordered(value, "".join([*batch, *rows, *columns]), target)


def _stretched(x: Tensor, labels: str, target: str) -> Tensor:
    """Order axes as `target` does, with new ones of length 1 for labels that are not there."""
    own = _ordered(x, labels, "".join(label for label in target if label in labels))
    return getitem(own, tuple(slice(None) if label in labels else None for label in target))


def _as_matrices(
    x: Tensor, labels: str, batch: list[str], rows: list[str], columns: list[str]
) -> Tensor:
    moved = _ordered(x, labels, "".join([*batch, *rows, *columns]))
    if len(rows) == len(columns) == 1:
        return moved
    sizes, first, middle = lengths(moved), len(batch), len(batch) + len(rows)
    return reshape(moved, [*sizes[:first], prod(sizes[first:middle]), prod(sizes[middle:])])


def tensordot(a: TensorLike, b: TensorLike, axes: Axes, name: str | None = None) -> Tensor:
    """Contract axes of two tensors: sum products over pairs of axes.

    Args:
      a, b: Tensors of one numeric dtype.
      axes: int n: the last n axes of `a` and the first n of `b`; or two lists, axes of `a` and of
        `b`. It has to be known while the graph is recorded.

    Returns: Tensor whose shape is the other axes of `a`, then those of `b`.
    Raises:
      ValueError: if there are no such axes, or the rank of a tensor is not known while recording.
      InvalidArgumentError: if the lengths of a pair of axes differ.

    >>> print(tensordot([[1, 2], [3, 4]], [[1, 0], [0, 1]], [[0, 1], [0, 1]]).numpy())
    5
    """
    (x, y), _ = one_dtype("Tensordot", [("a", a), ("b", b)])
    if x.spec.dims is None or y.spec.dims is None:
        raise ValueError("tensordot needs tensors of known rank; set it with runtime.ensure_shape")
    rank_a, rank_b = len(x.spec.dims), len(y.spec.dims)
    axes_a, axes_b = _contracted_axes(axes, rank_a, rank_b)
    left, right = list(_LETTERS[:rank_a]), list(_LETTERS[rank_a : rank_a + rank_b])
    for one, other in zip(axes_a, axes_b, strict=True):
        right[other] = left[one]
    target = [c for i, c in enumerate(left) if i not in axes_a]
    target += [c for i, c in enumerate(right) if i not in axes_b]
    labels_a, labels_b = "".join(left), "".join(right)
    _check_lengths((x, y), (labels_a, labels_b), "")
    return identity(_contracted(x, labels_a, y, labels_b, "".join(target)), name)


def _contracted_axes(axes: Axes, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    """Return the contracted axes of both operands."""
    values: Any = static_value(axes) if isinstance(axes, Tensor) else axes
    if values is None:
        raise ValueError("the axes of tensordot have to be known while the graph is recorded")
    if not isinstance(values, (list, tuple)) and np.ndim(values) == 0:
        count = static_int("axes", values)
        if count < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        if count > min(rank_a, rank_b):
            raise ValueError(
                "`axes` must not be larger than the number of dimensions of tensor "
                f"{'a' if count > rank_a else 'b'}.  Received {axes}, vs tensor dimensions "
                f"{rank_a if count > rank_a else rank_b}."
            )
        return list(range(rank_a - count, rank_a)), list(range(count))
    if len(values) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    first, second = ([int(axis) for axis in np.ravel(part)] for part in values)
    if len(first) != len(second):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(first)} != {len(second)}."
        )
    return [normalize_axis(i, rank_a) for i in first], [normalize_axis(i, rank_b) for i in second]
