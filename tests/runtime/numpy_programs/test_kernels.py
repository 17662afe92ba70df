"""Kernels as people write them for numba compute as graphs what they compute in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from fixtures.kernels import KERNELS
from tests.runtime.numpy_programs.comparison import difference


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_agrees_with_plain_numpy(name: str) -> None:
    kernel = KERNELS[name]
    for seed in range(2):
        arguments = kernel.arguments(np.random.default_rng(seed), 1)
        assert difference(kernel.function, *arguments) == ""


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_agrees_with_plain_numpy_on_the_native_engine(name: str) -> None:
    pytest.importorskip("llvmlite")
    kernel = KERNELS[name]
    arguments = kernel.arguments(np.random.default_rng(2), 1)
    assert difference(kernel.function, *arguments, jit_compile=True) == ""


@pytest.mark.parametrize("name", ["matmul", "heat", "sieve", "levenshtein", "floyd_warshall"])
def test_loops_are_not_unrolled(name: str) -> None:
    sizes = []
    for size in (1, 3):
        function = tf.function(KERNELS[name].function, numpy=True)
        function(*KERNELS[name].arguments(np.random.default_rng(0), size))
        sizes.append(len(function.concrete_functions()[0].graph.operations))
    assert sizes[0] == sizes[1] < 100


def find_a_row_with_a_repetition(grid):
    for i in range(4):
        for j in range(4):
            for k in range(j + 1, 4):
                if grid[i, j] == grid[i, k]:
                    return i
    return -1


def test_loops_over_a_small_grid_are_not_unrolled() -> None:
    grid = np.array([[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 2, 3], [4, 3, 2, 1]])
    assert difference(find_a_row_with_a_repetition, grid) == ""
    function = tf.function(find_a_row_with_a_repetition, numpy=True)
    assert len(str(function.get_concrete_function(grid).graph).splitlines()) < 200
