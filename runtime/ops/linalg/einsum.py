"""Sums of products over named axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.machine.blas import product
from runtime.core.opdef import NUMERIC, sample
from runtime.core.shapes import Dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape
from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.base.convert import one_dtype
from runtime.ops.base.define import define_op, ones_of, shape_of
from runtime.ops.base.unbroadcasting import UNBROADCAST_TO
from runtime.ops.math.complexes import conj

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_REST = "..."


def _parsed(equation: str) -> tuple[list[str], str]:
    """Split an equation into the labels of each operand and of the result."""
    operands, result = equation.split("->")
    return operands.split(","), result


def _letters(labels: str) -> str:
    return labels.replace(_REST, "")


def _sizes(labels: str, dims: Dims, found: dict[str, int | None]) -> Dims:
    """Add the length of each label to `found`; return the dimensions of the ellipsis."""
    if dims is None:
        return None if _REST in labels else ()
    before, dots, after = labels.partition(_REST)
    rest = len(dims) - len(before) - len(after)
    if rest < 0 or (rest and not dots):
        raise ValueError(
            f"Expected input to have rank {len(before) + len(after)} but got: {len(dims)}"
        )
    named = (*dims[: len(before)], *dims[len(dims) - len(after) :])
    for place, (label, dim) in enumerate(zip(before + after, named, strict=True)):
        known = found.setdefault(label, dim)
        if known is None:
            found[label] = dim
        elif dim is not None and dim != known:
            raise ValueError(
                f"Expected dimension {known} at axis {place} of the input shaped {list(dims)} but "
                f"got dimension {dim}"
            )
    return dims[len(before) : len(before) + rest]


def _einsum_spec(*inputs: Tensor, equation: str) -> TensorSpec:
    operands, result = _parsed(equation)
    found: dict[str, int | None] = {}
    rest: Dims = ()
    for labels, tensor in zip(operands, inputs, strict=True):
        rest = broadcast(rest, _sizes(labels, tensor.spec.dims, found))
    before, dots, after = result.partition(_REST)
    _check_rest(rest, dots)
    if dots and rest is None:
        return spec_of(inputs[0].spec.dtype, None)
    dims = [found.get(label) for label in before]
    dims += list(rest or ()) if dots else []
    dims += [found.get(label) for label in after]
    return spec_of(inputs[0].spec.dtype, tuple(dims))


def _rest_of(operands: Sequence[str], arrays: Sequence[Any]) -> Dims:
    pairs = zip(operands, arrays, strict=True)
    most: int = max(array.ndim - len(_letters(labels)) for labels, array in pairs)
    return (1,) * most


def _check_rest(rest: Dims, kept: object) -> None:
    if rest and not kept:
        raise ValueError(
            f"Output contains {len(rest)} broadcasting dimension(s) but no ellipsis (...) was "
            "found in the output subscripts."
        )


def _explicit(labels: str, rank: int, most: int, spare: str) -> str:
    """Replace the ellipsis by letters, aligned from the end."""
    if _REST not in labels:
        return labels
    count = rank - len(_letters(labels))
    return labels.replace(_REST, spare[most - count : most])


def _kernel(xp: Namespace, *arrays: Array, equation: str) -> Any:
    operands, result = _parsed(equation)
    found: dict[str, int | None] = {}
    for labels, array in zip(operands, arrays, strict=True):
        _sizes(labels, array.shape, found)
    spare = "".join(letter for letter in LETTERS if letter not in equation)
    _check_rest(_rest_of(operands, arrays), _REST in result)
    pairs = list(zip(operands, arrays, strict=True))
    most = max(a.ndim - len(_letters(o)) if _REST in o else 0 for o, a in pairs)
    named = [_explicit(o, a.ndim, most, spare) for o, a in pairs]
    target = result.replace(_REST, spare[:most])
    unique = "".join(dict.fromkeys(target))
    if len(arrays) == 1:
        value = xp.einsum(f"{named[0]}->{unique}", arrays[0])
    else:
        value = _contracted(xp, arrays[0], arrays[1], named[0], named[1], unique)
    return _inflated(xp, value, unique, target).astype(arrays[0].dtype, copy=False)


def _contracted(xp: Namespace, a: Array, b: Array, left: str, right: str, target: str) -> Any:
    """Contract two arrays as one product of matrices: batch, free and summed axes."""
    a, left = _reduced(xp, a, left, right + target)
    b, right = _reduced(xp, b, right, left + target)
    batch = [x for x in left if x in right and x in target]
    stretched = any(a.shape[left.index(x)] != b.shape[right.index(x)] for x in left if x in right)
    if stretched or a.dtype.kind not in "fc":
        return xp.einsum(f"{left},{right}->{target}", a, b)
    summed = [x for x in left if x in right and x not in target]
    own_left = [x for x in left if x not in right]
    own_right = [x for x in right if x not in left]
    if target.startswith("".join([*batch, *own_right])) and own_left:
        # Exchange the factors: their product then has the axes in the order of the result.
        a, left, own_left, b, right, own_right = b, right, own_right, a, left, own_left
    first = _as_matrix(xp, a, left, (batch, own_left, summed))
    second = _as_matrix(xp, b, right, (batch, summed, own_right))
    sizes = dict(zip(left, a.shape, strict=True)) | dict(zip(right, b.shape, strict=True))
    order = [*batch, *own_left, *own_right]
    value = xp.reshape(product(xp, first, second), tuple(sizes[x] for x in order))
    return xp.transpose(value, tuple(order.index(x) for x in target))


def _reduced(xp: Namespace, x: Array, labels: str, needed: str) -> tuple[Any, str]:
    """Take diagonals of repeated labels and sum over labels that nothing else has."""
    kept = "".join(label for label in dict.fromkeys(labels) if label in needed)
    return (x, labels) if kept == labels else (xp.einsum(f"{labels}->{kept}", x), kept)


def _as_matrix(xp: Namespace, x: Array, labels: str, groups: tuple[list[str], ...]) -> Any:
    if labels and labels[-1] in groups[1]:
        # Keep the order of memory: the product takes transposed matrices without a copy.
        return xp.swapaxes(_as_matrix(xp, x, labels, (groups[0], groups[2], groups[1])), -1, -2)
    moved = xp.transpose(x, tuple(labels.index(label) for group in groups for label in group))
    sizes = dict(zip(labels, x.shape, strict=True))
    lengths = [int(np.prod([sizes[label] for label in group], dtype=int)) for group in groups[1:]]
    return xp.reshape(moved, (*(sizes[label] for label in groups[0]), *lengths))


def _inflated(xp: Namespace, value: Array, unique: str, target: str) -> Any:
    """Put axes that the result repeats on diagonals."""
    if unique == target:
        return xp.asarray(value)
    sizes = dict(zip(unique, value.shape, strict=True))
    for place, label in enumerate(target):
        if label in target[:place]:
            same = xp.eye(sizes[label], dtype=value.dtype)
            axis = target.index(label)
            shape = [1] * (value.ndim + 1)
            shape[axis] = shape[place] = sizes[label]
            value = xp.expand_dims(value, place) * xp.reshape(same, tuple(shape))
    return value


def _einsum_grad(g: Tensor, y: Tensor, *inputs: Tensor, equation: str) -> tuple[Tensor, ...]:
    operands, result = _parsed(equation)
    if len(inputs) == 1:
        return (_grad_of_one(g, result, None, None, inputs[0], operands[0]),)
    a, b = inputs
    return (
        _grad_of_one(g, result, b, operands[1], a, operands[0]),
        _grad_of_one(g, result, a, operands[0], b, operands[1]),
    )


def _grad_of_one(
    g: Tensor, result: str, other: Tensor | None, labels: str | None, x: Tensor, own: str
) -> Tensor:
    """Return the gradient of one operand, repeated along axes that only the operand has."""
    factors = [g] if other is None else [g, conj(other)]
    sources = [result] if labels is None else [result, labels]
    if _REST not in own and all(_REST in source for source in sources):
        sources, factors = _summed_rest(sources, factors)
    has_rest = _REST in own and any(_REST in source for source in sources)
    at_hand = set(_letters("".join(sources)))
    shared = "".join(label for label in dict.fromkeys(_letters(own)) if label in at_hand)
    front = _REST * has_rest + shared
    part = _EINSUM(*factors, equation=f"{','.join(sources)}->{front}")
    if has_rest and not own.startswith(_REST):
        part = UNBROADCAST_TO(part, shape_of(_EINSUM(x, equation=f"{own}->{front}")))
    return _spread(part, front, x, own)


def _summed_rest(sources: list[str], factors: list[Tensor]) -> tuple[list[str], list[Tensor]]:
    """Merge the ellipsis into one axis, over which the gradient of an operand without it sums.

    Only one operand has the ellipsis, so its dimensions equal those of the result.
    """
    spare = next(letter for letter in LETTERS if letter not in "".join(sources))
    flat = []
    for source, factor in zip(sources, factors, strict=True):
        before, _, after = source.partition(_REST)
        dims = shape_of(factor)
        ends = [dims[: len(before)], [-1], *([dims[-len(after) :]] if after else [])]
        flat.append(reshape.op(factor, concat.op(*ends, axis=0)))
    return [source.replace(_REST, spare) for source in sources], flat


def _spread(part: Tensor, labels: str, x: Tensor, own: str) -> Tensor:
    """Repeat a tensor with some of the axes of `x` along the others."""
    if set(labels) == set(own) and len(labels) == len(own):
        return part if labels == own else _EINSUM(part, equation=f"{labels}->{own}")
    return _EINSUM(part, ones_of(x), equation=f"{labels},{own}->{own}")


_A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_B = [[1.0, 0.5], [2.0, 1.0], [0.0, 3.0]]
_SQUARE = [[1.0, 2.0], [3.0, 5.0]]
_EINSUM = define_op(
    "Einsum",
    {"*inputs": NUMERIC},
    _einsum_spec,
    _kernel,
    grad=_einsum_grad,
    samples=(
        sample(_A, _B, equation="ij,jk->ik"),
        sample(_A, equation="ij->ji"),
        sample(_A, equation="ij->i"),
        sample(_SQUARE, equation="ii->"),
        sample([1.0, 2.0], equation="i->ii"),
        sample([_A, _A], _B, equation="...ij,...jk->...ik"),
        sample([_A], [_A, _A], equation="...ij,...kj->i...k"),
        sample([[[1.0, 3.0]]], [[[1.0, 2.0], [3.0, 4.0]]], equation="i...j,i...j->...i"),
        sample([_A, _A], _B, equation="...ij,jk->...ik"),
        sample([_A, _A], [1.0, 2.0], equation="i...,i->..."),
        sample([1, 2], [3, 4], equation="i,j->ij"),
    ),
)


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
      ValueError: if the equation does not fit the operands.
      TypeError: for other keywords.
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
    return _product(list(tensors), operands, result, kwargs.get("name"))


def _completed(equation: str, count: int) -> tuple[list[str], str]:
    """Check the equation and add an omitted result."""
    text = equation.replace(" ", "")
    operands = text.split("->")[0].split(",")
    if text.count("->") > 1 or any(set(_letters(o)) - set(LETTERS) for o in operands):
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


def _product(tensors: list[Tensor], operands: list[str], result: str, name: str | None) -> Tensor:
    """Contract pairs of operands until two are left."""
    while len(tensors) > 2:
        i, j = _cheapest(tensors, operands, result)
        rest = [labels for k, labels in enumerate(operands) if k not in (i, j)]
        target = _kept(operands[i], operands[j], [*rest, result])
        joined = _EINSUM(tensors[i], tensors[j], equation=f"{operands[i]},{operands[j]}->{target}")
        tensors = [t for k, t in enumerate(tensors) if k not in (i, j)] + [joined]
        operands = [*rest, target]
    return _EINSUM(*tensors, equation=f"{','.join(operands)}->{result}", name=name)


def _kept(left: str, right: str, others: Sequence[str]) -> str:
    """Return the labels of two operands that other operands or the result need."""
    needed = "".join(others)
    own = dict.fromkeys(_letters(left + right))
    dots = _REST if _REST in left or _REST in right else ""
    return dots + "".join(label for label in own if label in needed)


def _cheapest(tensors: list[Tensor], operands: list[str], result: str) -> tuple[int, int]:
    """Return the pair whose product has the fewest elements; unknown lengths count as 1."""
    sizes: dict[str, int | None] = {}
    for labels, tensor in zip(operands, tensors, strict=True):
        _sizes(labels, tensor.spec.dims, sizes)

    def size(pair: tuple[int, int]) -> int:
        rest = [labels for k, labels in enumerate(operands) if k not in pair]
        kept = _letters(_kept(operands[pair[0]], operands[pair[1]], [*rest, result]))
        return int(np.prod([sizes.get(label) or 1 for label in kept], dtype=object))

    count = len(tensors)
    return min(((i, j) for i in range(count) for j in range(i + 1, count)), key=size)
