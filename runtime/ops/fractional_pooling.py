"""Pooling by factors that are no whole numbers: windows whose lengths differ.

Source: B. Graham, "Fractional max-pooling" (2014).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import INT32, REAL, DTypes, Effect, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import distributions
from runtime.ops.define import call, define_op
from runtime.ops.einsum import einsum
from runtime.ops.gradient_parts import shape_of
from runtime.ops.philox import Stream, unit_float64
from runtime.ops.results import FractionalAvgPool, FractionalMaxPool
from runtime.ops.sample_values import numbers
from runtime.ops.scattering import scatter_nd
from runtime.ops.seeds import operation_seeds
from runtime.ops.shaping import expand_dims, reshape

_PLACES = DTypes("int64", dtypes.int64)
_IMAGES = DTypes("a real number", *REAL.members)


def _sequence(length: int, count: int, stream: Stream, pseudo_random: bool) -> Any:
    """Where each of `count` windows begins, and where the last ends."""
    if pseudo_random:
        share = float(unit_float64(stream.first(2))[0])
        return _even_sequence(length, count, share)
    shortest, longer = divmod(length, count)
    steps = np.full(count, shortest, np.int64)
    steps[distributions.permutation(stream, count)[:longer]] += 1
    return np.concatenate([[0], np.cumsum(steps)])


def _even_sequence(length: int, count: int, share: float) -> Any:
    """Windows whose ends are multiples of the factor, from some offset on, rounded up."""
    alpha, shortest = length / count, length // count
    most = min((shortest + 2) / alpha - 1, (length + 1 - shortest) / alpha - (count - 1))
    inner = np.ceil(alpha * (np.arange(1, count) + share * most)).astype(np.int64) - 1
    return np.concatenate([[0], inner, [length]]).astype(np.int64)


def _counts(lengths: Any, ratios: Any) -> list[Any]:
    return [
        None if n is None else int(n // ratio) for n, ratio in zip(lengths, ratios, strict=True)
    ]


def _check(dims: Any, ratios: Any) -> None:
    if len(dims) != 4:
        raise ValueError("tensor_in must be 4-dimensional")
    for axis, (length, ratio) in enumerate(zip(dims, ratios, strict=True)):
        if length is not None and length < ratio:
            raise ValueError(
                f"Pooling ratio is higher than input dimension size for dimension {axis}. Input "
                f"dim size: {length} pooling ratio: {ratio:g}"
            )


def _spec(x: Tensor, pooling_ratio: Any, **attrs: Any) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    one = spec_of(dtypes.int64, (None,))
    if dims is None:
        return x.spec.with_dims((None,) * 4), one, one
    _check(dims, pooling_ratio)
    rows, columns = _counts(dims[1:3], pooling_ratio[1:3])
    ends = [one.with_dims((None if n is None else n + 1,)) for n in (rows, columns)]
    return (x.spec.with_dims((dims[0], rows, columns, dims[3])), *ends)


def _sequences(x: Any, attrs: Any) -> list[Any]:
    _check(x.shape, attrs["pooling_ratio"])
    seeds = attrs["seed"], attrs["seed2"]
    if not attrs["deterministic"]:
        seeds = secrets.randbits(64), secrets.randbits(64)
    stream, found = Stream.of_seeds(*seeds), []
    for length, count in zip(
        x.shape[1:3], _counts(x.shape[1:3], attrs["pooling_ratio"][1:3]), strict=True
    ):
        found.append(_sequence(length, count, stream, attrs["pseudo_random"]))
        stream = stream.skipped(count + 1)
    return found


def _parts(sequence: Any, overlapping: bool) -> list[slice]:
    """The elements of each window; those that overlap share the one where they meet."""
    more, last = int(overlapping), int(sequence[-1])
    ends = zip(sequence[:-1].tolist(), sequence[1:].tolist(), strict=True)
    return [slice(start, min(end + more, last)) for start, end in ends]


def _windows(x: Any, rows: Any, columns: Any, overlapping: bool) -> Iterator[tuple[Any, Any, Any]]:
    for (i, down), (j, right) in product(
        enumerate(_parts(rows, overlapping)), enumerate(_parts(columns, overlapping))
    ):
        yield (slice(None), i, j), (down, right), x[:, down, right]


def _pooled(xp: Any, x: Any, function: Any, attrs: Any) -> tuple[Any, Any, Any]:
    rows, columns = _sequences(x, attrs)
    result = np.zeros((x.shape[0], len(rows) - 1, len(columns) - 1, x.shape[3]), x.dtype)
    for place, _, window in _windows(x, rows, columns, attrs["overlapping"]):
        result[place] = function(window, axis=(1, 2))
    return result, rows, columns


def _greatest_places(xp: Any, x: Any, rows: Any, columns: Any, overlapping: bool) -> Any:
    """Where in the flat image the greatest element of each window is."""
    places = np.arange(x.size).reshape(x.shape)
    result = np.zeros((x.shape[0], len(rows) - 1, len(columns) - 1, x.shape[3]), np.int64)
    for place, (down, right), window in _windows(x, rows, columns, overlapping):
        flat = window.reshape(len(x), -1, x.shape[3])
        own = places[:, down, right].reshape(flat.shape)
        at = flat.argmax(axis=1)[:, None]
        result[place] = np.take_along_axis(own, at, axis=1)[:, 0]
    return result


def _shares(xp: Any, sequence: Any, length: Any, overlapping: bool, dtype: DType) -> Any:
    """Which share each element has in the mean of each window, along one axis."""
    result = np.zeros((len(sequence) - 1, int(length)), dtype.numpy_dtype)
    for row, part in enumerate(_parts(sequence, overlapping)):
        result[row, part] = 1.0 / (part.stop - part.start)
    return result


def _shares_spec(sequence: Tensor, length: Tensor, overlapping: bool, dtype: DType) -> TensorSpec:
    ends, known = sequence.spec.dims, static_value(length)
    rows = None if ends is None or ends[0] is None else ends[0] - 1
    return spec_of(dtype, (rows, None if known is None else int(known)))


_SEQUENCE = np.array([0, 1, 3], np.int64)
_SHARES = define_op(
    "FractionalShares",
    {"sequence": _PLACES, "length": INT32},
    _shares_spec,
    _shares,
    samples=(sample(_SEQUENCE, 3, overlapping=True, dtype=dtypes.float64),),
)
"""The matrix that makes means of the elements along one axis."""

_GREATEST = define_op(
    "FractionalMaxPlaces",
    {"input": _IMAGES, "rows": _PLACES, "columns": _PLACES},
    lambda x, rows, columns, overlapping: spec_of(dtypes.int64, (None,) * 4),
    _greatest_places,
    samples=(sample(numbers(1, 3, 3, 2), _SEQUENCE, _SEQUENCE, overlapping=False),),
)


def _max_grad(g: Any, y: Any, x: Tensor, overlapping: bool, **attrs: Any) -> tuple[Tensor | None]:
    if g[0] is None:
        return (None,)
    places = _GREATEST(x, y[1], y[2], overlapping=overlapping)
    size = call("Size", x, out_type=dtypes.int64)
    at = expand_dims(reshape(places, [-1]), -1)
    flat = scatter_nd(at, reshape(g[0], [-1]), expand_dims(size, 0))
    return (reshape(flat, shape_of(x)),)


def _mean_grad(g: Any, y: Any, x: Tensor, overlapping: bool, **attrs: Any) -> tuple[Tensor | None]:
    if g[0] is None:
        return (None,)
    shares = [
        _SHARES(y[axis], shape_of(x)[axis], overlapping=overlapping, dtype=g[0].dtype)
        for axis in (1, 2)
    ]
    return (einsum("bijc,ih,jw->bhwc", g[0], *shares),)


def _sample(overlapping: bool, pseudo_random: bool) -> Any:
    return sample(
        numbers(2, 5, 4, 2),
        pooling_ratio=(1.0, 1.5, 1.4, 1.0),
        pseudo_random=pseudo_random,
        overlapping=overlapping,
        deterministic=True,
        seed=1,
        seed2=2,
    )


_SAMPLES = (_sample(False, True), _sample(True, False))
_MAX = define_op(
    "FractionalMaxPool",
    {"value": _IMAGES},
    _spec,
    lambda xp, x, **attrs: _pooled(xp, x, np.max, attrs),
    outputs=3,
    effect=Effect.WRITE,
    grad=_max_grad,
    samples=_SAMPLES,
)
_MEAN = define_op(
    "FractionalAvgPool",
    {"value": _IMAGES},
    _spec,
    lambda xp, x, **attrs: _pooled(xp, x, np.mean, attrs),
    outputs=3,
    effect=Effect.WRITE,
    grad=_mean_grad,
    samples=_SAMPLES,
)


def greatest(value: TensorLike, attrs: Mapping[str, Any], name: str | None) -> FractionalMaxPool:
    """The greatest elements of windows that the attributes describe."""
    return FractionalMaxPool(*_MAX.outputs(value, name=name, **attrs))


def averaged(value: TensorLike, attrs: Mapping[str, Any], name: str | None) -> FractionalAvgPool:
    """The means of windows that the attributes describe."""
    return FractionalAvgPool(*_MEAN.outputs(value, name=name, **attrs))


def pooling_attrs(
    pooling_ratio: Any,
    pseudo_random: bool,
    overlapping: bool,
    seed: int,
) -> dict[str, Any]:
    """The attributes of an op.

    Raises: InvalidArgumentError or UnimplementedError for other ratios.
    """
    ratios = tuple(float(ratio) for ratio in pooling_ratio)
    if len(ratios) != 4:
        raise InvalidArgumentError(
            None, None, f"pooling_ratio must have 4 entries, got {list(ratios)}"
        )
    if min(ratios) < 1:
        raise InvalidArgumentError(
            None, None, f"pooling_ratio cannot be smaller than 1, got: {min(ratios):g}"
        )
    if ratios[0] != 1 or ratios[3] != 1:
        raise UnimplementedError(
            None,
            None,
            "Fractional pooling is not yet supported on the batch nor channel dimension.",
        )
    seeds = operation_seeds(seed) if seed else (0, 0)
    return {
        "pooling_ratio": ratios,
        "pseudo_random": bool(pseudo_random),
        "overlapping": bool(overlapping),
        "deterministic": bool(seed),
        "seed": seeds[0],
        "seed2": seeds[1],
    }


def _ratios(pooling_ratio: Any) -> tuple[float, ...]:
    """One factor, or one for height and width, or four. Raises ValueError for others."""
    told = f"Received: pooling_ratio={pooling_ratio}"
    if isinstance(pooling_ratio, (int, float)):
        if pooling_ratio < 1:
            raise ValueError(f"`pooling_ratio` should be >= 1.0. {told}")
        return (1.0, float(pooling_ratio), float(pooling_ratio), 1.0)
    if not isinstance(pooling_ratio, (list, tuple)):
        raise ValueError(f"`pooling_ratio` should be an int or a list of ints. {told}")
    if pooling_ratio[0] != 1.0 or pooling_ratio[-1] != 1.0:
        raise ValueError(
            f"`pooling_ratio` should have first and last elements with value 1.0. {told}"
        )
    if min(pooling_ratio) < 1:
        raise ValueError(f"`pooling_ratio` elements should be >= 1.0. {told}")
    return tuple(pooling_ratio)


def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalMaxPool:
    """The greatest elements of windows whose lengths are drawn, so that they add up.

    Args:
      value: real numbers, shape [batch, height, width, channels].
      pooling_ratio: by which factor height and width shrink: one number, or four of which the first
        and the last are 1.
      pseudo_random: whether the lengths follow each other evenly; otherwise in random order.
      overlapping: whether a window has the first elements of the next as well.
      seed: together with `set_seed` it decides the lengths; 0: others in each call.
      name: the name of the operation.

    Returns: `output`; and where windows begin, and the last ends, along each axis:
      `row_pooling_sequence` and `col_pooling_sequence`, int64.
    Raises: ValueError for other factors; InvalidArgumentError if the shape does not fit.

    >>> pooled = fractional_max_pool([[[[1.0], [3.0]], [[2.0], [4.0]]]], 2.0, seed=1)
    >>> print(pooled.output[0, 0, 0], pooled.row_pooling_sequence)
    tf.Tensor([4.], shape=(1,), dtype=float32) tf.Tensor([0 2], shape=(2,), dtype=int64)
    """
    ratios = _ratios(pooling_ratio)
    attrs = pooling_attrs(ratios, pseudo_random, overlapping, seed)
    return greatest(value, attrs, name)


def fractional_avg_pool(
    value: TensorLike,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> FractionalAvgPool:
    """The means of windows whose lengths are drawn; as `fractional_max_pool`.

    Args:
      value, pseudo_random, overlapping, seed, name: as there.
      pooling_ratio: four numbers, of which the first and the last are 1.

    Raises: TypeError for one number; InvalidArgumentError or UnimplementedError for others.

    >>> pooled = fractional_avg_pool([[[[1.0], [3.0]], [[2.0], [4.0]]]], [1, 2, 2, 1], seed=1)
    >>> print(pooled.output[0, 0, 0])
    tf.Tensor([2.5], shape=(1,), dtype=float32)
    """
    if not isinstance(pooling_ratio, (list, tuple)):
        raise TypeError(
            "Expected list for 'pooling_ratio' argument to 'fractional_avg_pool' Op, not "
            f"{pooling_ratio}."
        )
    attrs = pooling_attrs(pooling_ratio, pseudo_random, overlapping, seed)
    return averaged(value, attrs, name)
