"""Functions of NumPy that are short programs of its other functions, and are written as such."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import AxisLike
from runtime.core.tensor import TensorLike
from runtime.numpy_programs.dispatch import unsupported
from runtime.numpy_programs.tables import Implementation, for_numpy, raise_if_any
from runtime.numpy_programs.values import Array


def _isin(element: TensorLike, test_elements: TensorLike, *, invert: bool = False) -> Any:
    found = (for_numpy(element)[..., None] == np.ravel(for_numpy(test_elements))).any(-1)
    return np.logical_not(found) if invert else found


def _select(conditions: Sequence[Any], choices: Sequence[Any], default: TensorLike = 0) -> Any:
    found = default
    for condition, choice in reversed([*zip(conditions, choices, strict=True)]):
        found = np.where(condition, choice, found)
    return found


def _nan_to_num(
    x: TensorLike,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Any:
    array = for_numpy(x)
    if array.dtype.kind == "c":
        raise unsupported("np.nan_to_num (of complex numbers)")
    found = array.copy()
    if array.dtype.kind == "f":
        limits = np.finfo(array.dtype)
        high = limits.max if posinf is None else posinf
        low = limits.min if neginf is None else neginf
        found = np.where(np.isnan(array), nan, array)
        found = np.where(array == np.inf, high, np.where(array == -np.inf, low, found))
    return found if array.ndim else found[()]


def _present(a: TensorLike, other: Any) -> tuple[Any, Any]:
    """Return an array with another number for NaN, and where it is NaN."""
    array = for_numpy(a)
    if array.dtype.kind not in "fiub":
        raise unsupported("a function without NaN (of complex numbers)")
    missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros_like(array, bool)
    return (np.where(missing, other, array) if array.dtype.kind == "f" else array), missing


def _nansum(a: TensorLike, axis: AxisLike = None, *, keepdims: bool = False) -> Any:
    return np.sum(_present(a, 0)[0], axis=axis, keepdims=keepdims)


def _nanmean(a: TensorLike, axis: AxisLike = None, *, keepdims: bool = False) -> Any:
    array, missing = _present(a, 0)
    if array.dtype.kind != "f":
        return np.mean(array, axis=axis, keepdims=keepdims)
    count = np.sum(np.logical_not(missing), axis=axis, keepdims=keepdims)
    return np.sum(array, axis=axis, keepdims=keepdims) / count.astype(array.dtype)


def _extreme(extreme: Any, worst: float) -> Implementation:
    def reduced(a: TensorLike, axis: AxisLike = None, *, keepdims: bool = False) -> Any:
        array, missing = _present(a, worst)
        found = extreme(array, axis=axis, keepdims=keepdims)
        if array.dtype.kind != "f":
            return found
        found = np.where(np.all(missing, axis=axis, keepdims=keepdims), np.nan, found)
        return found if found.ndim else found[()]

    return reduced


def _diagflat(v: TensorLike, k: int = 0) -> Any:
    return np.diag(np.ravel(for_numpy(v)), k)


def _dstack(arrays: Sequence[Any]) -> Any:
    whole = [for_numpy(each) for each in arrays]
    if any(each.ndim not in (1, 2) for each in whole):
        raise unsupported("np.dstack (of arrays that are no vectors or matrices)")
    stacked = np.stack(whole, axis=-1)
    return stacked if whole[0].ndim == 2 else stacked[None]


def _rot90(m: TensorLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    array = for_numpy(m)
    one, other = axes
    if k % 4 == 0:
        return array[...]
    if k % 4 == 2:
        return np.flip(np.flip(array, one), other)
    turned = np.swapaxes(array, one, other)
    return np.flip(turned, one) if k % 4 == 1 else np.flip(turned, other)


def _kron(a: TensorLike, b: TensorLike) -> Any:
    x, y = for_numpy(a), for_numpy(b)
    if x.ndim != y.ndim or x.ndim not in (1, 2):
        raise unsupported("np.kron (of other than two vectors, or two matrices)")
    if x.ndim == 1:
        return np.reshape(x[:, None] * y, -1)
    dims = [m * n for m, n in zip(x.shape, y.shape, strict=True)]
    return np.reshape(x[:, None, :, None] * y[None, :, None, :], dims)


def _gradient(f: TensorLike, spacing: float = 1.0, *, axis: int | None = None) -> Any:
    array = for_numpy(f)
    if (array.ndim > 1 and axis is None) or np.ndim(spacing):
        raise unsupported("np.gradient (along several axes, or with positions)")
    rows = np.moveaxis(array, axis or 0, 0)
    rows = rows if rows.dtype.kind in "fc" else rows.astype(np.float64)
    if rows.shape[0] < 2:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + "
            "1) elements are required."
        )
    inner = (rows[2:] - rows[:-2]) / (2.0 * spacing)
    ends = [(rows[1:2] - rows[:1]) / spacing, (rows[-1:] - rows[-2:-1]) / spacing]
    return np.moveaxis(np.concatenate([ends[0], inner, ends[1]]), 0, axis or 0)


def _trapezoid(y: TensorLike, x: TensorLike | None = None, dx: float = 1.0, axis: int = -1) -> Any:
    rows = np.moveaxis(for_numpy(y), axis, -1)
    width: Any = dx if x is None else np.diff(for_numpy(x))
    return np.sum(width * (rows[..., 1:] + rows[..., :-1]) / 2.0, axis=-1)


def _matrix_power(a: TensorLike, n: int) -> Any:
    base = for_numpy(a)
    if n < 0:
        base, n = np.linalg.inv(base), -n
    result: Any = np.eye(base.shape[-1], dtype=base.dtype) + np.zeros_like(base) if n == 0 else None
    while n > 0:
        if n % 2:
            result = base if result is None else np.matmul(result, base)
        n //= 2
        base = np.matmul(base, base) if n else base
    return result


def _take_along_axis(arr: TensorLike, indices: TensorLike, axis: int | None = -1) -> Any:
    array, places = for_numpy(arr), for_numpy(indices)
    if axis is None:
        return np.ravel(array)[places]
    rank = array.ndim
    index: list[Any] = [
        np.arange(length).reshape([-1 if i == own else 1 for i in range(rank)])
        for own, length in enumerate(array.shape)
    ]
    index[axis] = places
    return array[tuple(np.broadcast_arrays(*index))]


def _unravel_index(indices: TensorLike, shape: Sequence[int]) -> Any:
    size = int(np.prod(shape))
    wrong = np.logical_or(indices < 0, indices >= size)
    raise_if_any(wrong, ValueError(f"an index is out of bounds for array with size {size}"))
    found = []
    for length in reversed(tuple(shape)):
        found.append(indices % length)
        indices = indices // length
    return tuple(reversed(found))


def _fill_diagonal(a: Array, val: TensorLike, wrap: bool = False) -> None:
    if a.ndim != 2 or wrap:
        raise unsupported("np.fill_diagonal (of other than a matrix, or with wrap)")
    places = np.arange(min(a.shape))
    a[places, places] = val


def _nanvar(a: TensorLike, axis: AxisLike = None, *, ddof: int = 0, keepdims: bool = False) -> Any:
    array, missing = _present(a, 0)
    if array.dtype.kind != "f":
        return np.var(array, axis=axis, ddof=ddof, keepdims=keepdims)
    count = np.sum(np.logical_not(missing), axis=axis, keepdims=True).astype(array.dtype)
    mean = np.sum(array, axis=axis, keepdims=True) / count
    squares = np.where(missing, 0, np.square(array - mean)).astype(array.dtype)
    found = np.sum(squares, axis=axis, keepdims=True) / (count - ddof)
    found = np.where(count > ddof, found, np.nan).astype(array.dtype)
    return found if keepdims else np.squeeze(found, axis)[()]


def _nanstd(a: TensorLike, axis: AxisLike = None, *, ddof: int = 0, keepdims: bool = False) -> Any:
    return np.sqrt(_nanvar(a, axis, ddof=ddof, keepdims=keepdims))


def _place_of_extreme(extreme: Any, worst: float) -> Implementation:
    def place(a: TensorLike, axis: AxisLike = None) -> Any:
        array, missing = _present(a, worst)
        raise_if_any(np.all(missing, axis=axis), ValueError("All-NaN slice encountered"))
        return extreme(array, axis=axis)

    return place


def _polyval(p: TensorLike, x: TensorLike) -> Any:
    at, factors = for_numpy(x), for_numpy(p)
    found = np.zeros_like(at)
    for i in range(len(factors)):
        found = found * at + factors[i]
    return found


def _hsplit(ary: TensorLike, indices_or_sections: Any) -> Any:
    array = for_numpy(ary)
    return np.split(array, indices_or_sections, 1 if array.ndim > 1 else 0)


def _vsplit(ary: TensorLike, indices_or_sections: Any) -> Any:
    array = for_numpy(ary)
    if array.ndim < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return np.split(array, indices_or_sections)


FUNCTIONS: dict[Any, Implementation] = {
    np.diagflat: _diagflat,
    np.dstack: _dstack,
    np.ediff1d: lambda ary: np.diff(np.ravel(for_numpy(ary))),
    np.fill_diagonal: _fill_diagonal,
    np.fix: np.trunc,
    np.gradient: _gradient,
    np.hsplit: _hsplit,
    np.iscomplexobj: lambda x: for_numpy(x).dtype.kind == "c",
    np.isin: _isin,
    np.isreal: lambda x: np.equal(np.imag(for_numpy(x)), 0),
    np.kron: _kron,
    np.linalg.matrix_power: _matrix_power,
    np.nan_to_num: _nan_to_num,
    np.nanargmax: _place_of_extreme(np.argmax, -np.inf),
    np.nanargmin: _place_of_extreme(np.argmin, np.inf),
    np.nanmax: _extreme(np.max, -np.inf),
    np.nanmean: _nanmean,
    np.nanmin: _extreme(np.min, np.inf),
    np.nanstd: _nanstd,
    np.nansum: _nansum,
    np.nanvar: _nanvar,
    np.polyval: _polyval,
    np.rot90: _rot90,
    np.select: _select,
    np.take_along_axis: _take_along_axis,
    np.trapezoid: _trapezoid,
    np.unravel_index: _unravel_index,
    np.vsplit: _vsplit,
}
"""The functions of this module, by those of NumPy that they compute."""
