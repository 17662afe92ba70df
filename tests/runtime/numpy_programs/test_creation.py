"""Arrays that a program makes: filled, listed, or of a shape known only to the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


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


def dtypes_by_position(x):
    return (
        np.identity(2, int), np.identity(2, dtype=bool), np.eye(2, 3, 1, int),
        np.zeros_like(x, int), np.ones_like(x, np.float32), np.empty_like(x, bool).dtype,
        np.full_like(x, 2, int), np.zeros_like(x, shape=2), np.full_like(x, 7, shape=(1, 2)),
        np.arange(0, 5, 1, float), np.arange(start=1, stop=4), np.arange(x[0], x[0] + 2, 1, int),
    )  # fmt: skip


def samples_with_their_step(x):
    points, step = np.linspace(0, 1, 4, retstep=True)
    return points * x[0], step, np.linspace(0, 4, 5, dtype=int)


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
    (dtypes_by_position, (np.array([1, 2]),)),
    (samples_with_their_step, (VECTOR,)),
    (a_list_that_grows, (VECTOR,)),
)
def test_arrays_are_made(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def a_step_beside_samples(x):
    return np.linspace(0, x[0], 4, retstep=True)


def test_the_step_of_traced_bounds_is_refused_at_the_line() -> None:
    check_refused(a_step_beside_samples, (VECTOR,), r"`np.linspace.retstep=...", 1)
