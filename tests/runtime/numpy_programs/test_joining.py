"""Joined, repeated and moved elements, and other shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)


def joins_and_splits(x):
    first, second = np.split(x, 2)
    joined = np.concatenate([second, first])
    pairs = np.stack([first, second], axis=1)
    return joined, pairs, np.tile(first, 2), np.repeat(second, 2), np.pad(first, (1, 2))


def moves_elements(m):
    flipped, rolled = np.flip(m, axis=0), np.roll(m, 2, axis=1)
    return flipped, rolled, np.diff(m, axis=1), np.swapaxes(m, 0, 1), np.expand_dims(m, 0)


def margins(m):
    modes = ("edge", "reflect", "symmetric", "wrap")
    return [np.pad(m, ((1, 2), (0, 3)), mode=mode) for mode in modes], np.pad(m[0], 2, "edge")


def margins_of_masked_elements(x):
    return np.pad(x[x > 0.5], 1, mode="edge")


def joins_lists(x):
    return (
        np.vstack([x, [1] * len(x)]),
        np.column_stack([x, [2] * len(x)]),
        np.atleast_1d([x[0], 1]),
        np.atleast_2d([x[0], 1]),
        np.meshgrid(x[:2], x[:3]),
    )


def arrays_without_dimensions(m):
    m[0, 0, ...] += 1
    corner = np.squeeze(m[:1, 1:2])
    corner[...] = 5
    return m[0, 0, ...].copy(), np.squeeze(m[2:3, 2:3]).copy(), m[..., 0, 0] * 2, m


def shapes_in_common(x, m):
    rows, columns = np.broadcast_arrays(x[:3, None], m[0])
    return rows, columns, np.broadcast_arrays(x, 1.0)


def splits_unevenly(x):
    return np.split(x, 4)


def uneven_parts(x):
    return np.array_split(x, 4)


@each(
    (splits_unevenly, (VECTOR,)),
    (uneven_parts, (VECTOR,)),
    (shapes_in_common, (VECTOR, MATRIX)),
    (joins_and_splits, (VECTOR,)),
    (moves_elements, (MATRIX,)),
    (margins, (MATRIX,)),
    (joins_lists, (VECTOR,)),
    (arrays_without_dimensions, (MATRIX,)),
)
def test_elements_are_joined_and_moved(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def a_reshaped_array_that_is_changed(x):
    flat = x.reshape(-1)
    flat[0] = 1
    return x


def a_reshaped_array_whose_base_changes(x):
    flat = x.reshape(-1)
    x[0, 0] = 1
    return flat[0]


def a_contiguous_array_that_is_changed(x):
    columns = np.ascontiguousarray(x.T)
    columns[0] = 1
    return x


def grids_of_few_elements(x):
    return np.meshgrid(x[0], x[1], sparse=True)


@each(
    (a_contiguous_array_that_is_changed, (MATRIX,), "is a view or a copy, as the layout", 2),
    (grids_of_few_elements, (MATRIX,), r"`np.meshgrid\(sparse=True\)` of a traced array has", 1),
    (a_reshaped_array_that_is_changed, (MATRIX,), "is a view or a copy, as the layout", 2),
    (a_reshaped_array_whose_base_changes, (MATRIX,), "its base has changed since", 3),
)
def test_a_reshaped_array_is_not_changed(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


def test_margins_of_an_unknown_length_are_refused() -> None:
    check_refused(margins_of_masked_elements, (VECTOR,), "of a length that is not static", 1)
