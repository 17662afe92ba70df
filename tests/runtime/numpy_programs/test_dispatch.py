"""Functions of NumPy without an operation are refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from runtime.numpy_programs.dispatch import NEAREST
from runtime.numpy_programs.program import TABLES
from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


def correlates(x):
    return np.correlate(x, x)


def partitions(x):
    return x.partition(3)


def draws_numbers(x):
    return x + np.random.rand()


def draws_numbers_of_a_generator(x):
    return x + np.random.default_rng(0).random(3)


def counts_the_values(x):
    return np.unique(np.round(x).astype(np.int64), equal_nan=True)


def spectrum(x):
    return np.fft.fft(x)


def each_by_a_function(x):
    return np.vectorize(abs)(x)


def adds_parts(x):
    return np.add.reduceat(x, [0, 3])


def values_in_pieces(x):
    return np.piecewise(x, [x > 0], [1])


@each(
    (adds_parts, (VECTOR,), "`np.add.reduceat` of a traced array has no operation", 1),
    (values_in_pieces, (VECTOR,), "`np.piecewise` .* The nearest is np.where", 1),
    (counts_the_values, (VECTOR,), r"`np.unique\(equal_nan=...\)` of a traced array has", 1),
    (spectrum, (VECTOR,), "`np.fft.fft` of a traced array has no operation", 1),
    (each_by_a_function, (VECTOR,), "`np.vectorize` .* The nearest is a loop", 1),
    (correlates, (VECTOR,), "`np.correlate` of a traced array has no operation", 1),
    (partitions, (VECTOR,), "`np.ndarray.partition` .* The nearest is np.sort", 1),
    (draws_numbers, (VECTOR,), "`np.random.rand` is called in a traced program", 1),
    (draws_numbers_of_a_generator, (VECTOR,), "`np.random.default_rng` is called", 1),
)
def test_a_function_without_an_operation_is_refused_at_its_line(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


@pytest.mark.parametrize("name", NEAREST)
def test_a_function_with_a_nearest_operation_has_none_itself(name: str) -> None:
    functions = {getattr(module, name, None) for module in (np, np.fft, np.linalg)} - {None}
    assert functions
    assert functions.isdisjoint({*TABLES.functions, *TABLES.ufuncs})


def doubled(x):
    return np.asarray(x) * 2


def calls_another_package(x):
    return doubled(x) + 1


def test_a_package_whose_name_begins_with_numpy_is_converted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doubled, "__module__", "numpy_financial._financial")
    assert difference(calls_another_package, VECTOR) == ""
