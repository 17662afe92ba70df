"""Arrays that a program makes: filled, listed, or of a shape known only to the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, difference, each


def an_array_that_is_filled(n):
    a = np.empty(n, dtype=np.int64)
    for i in range(n):
        a[i] = i * i
    return a


def arrays_of_traced_scalars(x):
    return np.array([x[0], x[1] * 2, 3.0]), np.array([[x[0], 1], [2, x[1]]])


def numbers_beside_scalars_of_a_narrow_dtype(x):
    return (
        np.array([x[0], 1.5]),
        np.array([x[0], 2]),
        np.array([x[0], True]),
        np.array([x, [1.5, 1e299, 3.0]]),
        np.maximum(x, [x[1], 0.5, 0.25]),
        np.sum([x[0], 1.5]),
    )


def ranges_up_to_scalars_of_a_narrow_dtype(x):
    return (
        np.linspace(0, x[1], 3),
        np.linspace(x[0], 2, 5, endpoint=False),
        np.linspace(x[0], x[1], 1),
        np.arange(np.int8(x[2])),
        np.arange(1, x[2].astype(np.int32) * 3, 2),
    )


def shapes_of_the_running_graph(x, k):
    part = x[:k].copy()
    return part, x[k:].sum(), np.zeros(k), np.arange(k), len(part), part.shape[0] + 1


def a_list_that_grows(x):
    found = []
    for i in range(6):
        found.append(x[i] * 2)
    return np.array(found)


@each(
    (an_array_that_is_filled, (20,)),
    (an_array_that_is_filled, (np.int64(20),)),
    (arrays_of_traced_scalars, (VECTOR,)),
    (numbers_beside_scalars_of_a_narrow_dtype, (np.ones(3, np.float32),)),
    (numbers_beside_scalars_of_a_narrow_dtype, (np.ones(3, np.int8),)),
    (numbers_beside_scalars_of_a_narrow_dtype, (np.ones(3, np.bool_),)),
    (ranges_up_to_scalars_of_a_narrow_dtype, (np.array([1, 2, 3], np.float32),)),
    (ranges_up_to_scalars_of_a_narrow_dtype, (np.array([1, 2, 3], np.int8),)),
    (shapes_of_the_running_graph, (VECTOR, np.int64(4))),
    (a_list_that_grows, (VECTOR,)),
)
def test_arrays_are_made(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""
