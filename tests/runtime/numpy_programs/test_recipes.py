"""Functions that are programs of other functions compute what NumPy does, views included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)

INTS = np.array([3, 1, 2, 0])
SQUARE = MATRIX[:3, :3].copy()
GAPS = np.array([[np.nan, np.nan, np.nan], [1.0, np.nan, -2.0]])
LIMITS = np.array([np.inf, -np.inf, np.nan, 1.5], np.float32)


def members(x, y):
    return np.isin(x, y), np.isin([1, 9], x, invert=True)


def selections(x):
    return np.select([x > 0.7, x > 0.3], [x, -x], 5), np.select([x > 2], [x])


def numbers_for_gaps(x):
    return np.nan_to_num(x), np.nan_to_num(x, nan=3, posinf=7.0), np.nan_to_num(x[..., 0])


def without_gaps(x):
    return np.nansum(x), np.nanmean(x), np.nanmax(x), np.nanmin(x)


def rows_without_gaps(x):
    few = np.nansum(x, axis=0), np.nanmean(x, axis=1)
    return *few, np.nanmax(x, axis=0), np.nanmin(x, axis=1, keepdims=True)


def diagonals(x):
    np.fill_diagonal(x, x[0, : min(x.shape)])
    return np.diagflat(x[:2, :2]), np.diagflat(x[0], 1), x


def stacks_in_depth(x):
    return np.dstack([x, x * 2]), np.dstack((x[0], x[0]))


def turns(x):
    return [np.rot90(x, k) for k in range(-1, 5)], np.rot90(x, axes=(1, 0))


def writes_into_a_turned_view(x):
    turned = np.rot90(x)
    turned[0, 0] = 5.0
    return x


def blocks(x):
    return np.kron(x, x), np.kron(np.eye(2), x), np.kron(x[0], x[1])


def slopes(x):
    return np.gradient(x), np.gradient(x, 0.1), np.gradient(x[:1] + x[:, None], 2, axis=0)


def areas(y, x):
    return np.trapezoid(y), np.trapezoid(y, dx=0.5), np.trapezoid(y, x), np.trapezoid(y, axis=0)


def powers_of_a_matrix(x):
    return [np.linalg.matrix_power(x, n) for n in (-2, -1, 0, 1, 2, 3, 6)]


def spread_without_gaps(x):
    few = np.nanstd(x, axis=1, keepdims=True), np.nanvar(x, axis=0, ddof=1)
    return *few, np.nanvar(x), np.nanstd(x[1], ddof=1)


def places_without_gaps(x):
    return np.nanargmax(x), np.nanargmin(x), np.nanargmin(x[1:], axis=1)


def polynomials(x):
    return np.polyval([1, 2, 3.5], x), np.polyval(x, x[0]), np.polyval([1, 2], 3) * x


def parts(x):
    rows, columns = np.vsplit(x, 2), np.hsplit(x, [1, 3])
    return rows, columns, np.hsplit(x[0], [2]), np.ediff1d(x)


def kinds(x):
    return np.iscomplexobj(x), np.iscomplexobj(x + 1j), np.isreal(x), np.isreal(x + 1j), np.fix(x)


def in_order(x):
    rows, columns = np.argsort(x, axis=1), np.argsort(x, axis=0)
    both = np.take_along_axis(x, rows, axis=1), np.take_along_axis(x, columns, 0)
    return *both, np.take_along_axis(x, np.array([-1, 0]), None)


def places_of_the_largest(x):
    return np.unravel_index(x.argmax(), x.shape), np.unravel_index(np.array([3, 5]), (2, 3))


@each(
    (members, (MATRIX, MATRIX[0])),
    (members, (INTS, np.array([1, 2]))),
    (selections, (VECTOR,)),
    (numbers_for_gaps, (LIMITS,)),
    (numbers_for_gaps, (INTS,)),
    (without_gaps, (GAPS,)),
    (without_gaps, (LIMITS,)),
    (without_gaps, (INTS,)),
    (rows_without_gaps, (GAPS,)),
    (diagonals, (MATRIX,)),
    (diagonals, (MATRIX.T.copy(),)),
    (stacks_in_depth, (MATRIX,)),
    (turns, (MATRIX,)),
    (writes_into_a_turned_view, (MATRIX,)),
    (blocks, (SQUARE,)),
    (slopes, (VECTOR,)),
    (slopes, (INTS,)),
    (areas, (VECTOR, np.sort(VECTOR))),
    (powers_of_a_matrix, (SQUARE,)),
    (spread_without_gaps, (GAPS,)),
    (spread_without_gaps, (SQUARE,)),
    (spread_without_gaps, (np.arange(6).reshape(2, 3),)),
    (places_without_gaps, (GAPS,)),
    (places_without_gaps, (SQUARE,)),
    (polynomials, (VECTOR,)),
    (polynomials, (INTS,)),
    (parts, (MATRIX,)),
    (kinds, (3 * VECTOR,)),
    (in_order, (MATRIX,)),
    (places_of_the_largest, (MATRIX,)),
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_recipes_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    program(*map(np.copy, arguments))  # raises nothing
    assert difference(program, *arguments) == ""


def a_place_that_is_out_of_range(x):
    return np.unravel_index(x, (2, 2))


def a_gradient_of_one(x):
    return np.gradient(x[:1])


def along_an_axis_out_of_range(x):
    return np.take_along_axis(x, np.array([[9]]), 1)


def the_largest_of_none(x):
    return np.nanargmax(x[:1])


def rows_of_a_vector(x):
    return np.vsplit(x, 2)


@each(
    (the_largest_of_none, (GAPS[0],)),
    (rows_of_a_vector, (VECTOR,)),
    (a_place_that_is_out_of_range, (INTS + 1,)),
    (a_gradient_of_one, (VECTOR,)),
    (along_an_axis_out_of_range, (MATRIX,)),
)
def test_recipes_raise_as_numpy(program: Program, arguments: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, IndexError)):
        program(*arguments)
    assert difference(program, *arguments) == ""


def along_several_axes(x):
    return np.gradient(x)


def blocks_of_other_ranks(x):
    return np.kron(x, x[0])


@each(
    (along_several_axes, (MATRIX,), "np.gradient .along several axes", 1),
    (blocks_of_other_ranks, (MATRIX,), "np.kron .of other than two vectors", 1),
)
def test_other_arguments_are_refused(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)
