"""Products of vectors and matrices, and `numpy.linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import MATRIX, Program, difference, each


def products_and_systems(m):
    a = m[:6, :6] + np.eye(6) * 3
    solved = np.linalg.solve(a, m[:, 0]), np.linalg.inv(a), np.linalg.det(a)
    return solved, m @ m.T, m.T.dot(m), m @ m[0], m[0] @ m[1], np.linalg.norm(a, axis=1)


@each(
    (products_and_systems, (MATRIX,)),
)
def test_products_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def test_a_contraction_to_a_number_is_an_array() -> None:
    found = tf.function(lambda x: np.tensordot(x, x, 1), numpy=True)(np.arange(4.0))
    assert type(found) is np.ndarray and found == 14.0


def test_systems_of_half_precision_are_refused_as_by_numpy() -> None:
    program = tf.function(lambda a, b: np.linalg.solve(a, b), numpy=True)
    with pytest.raises(TypeError, match="float16 is unsupported in linalg"):
        program(np.eye(2), np.ones(2, np.float16))


@pytest.mark.parametrize("product", [np.matmul, np.dot, np.inner, np.vdot])
def test_a_product_of_vectors_of_two_lengths_is_an_error(product: Any) -> None:
    for function in (product, tf.function(lambda x, y: product(x, y), numpy=True)):
        assert function(np.arange(4.0), np.ones(4)) == 6.0
        with pytest.raises(ValueError):
            function(np.arange(4.0), np.ones(1))


def test_a_product_of_slices_of_staged_length_checks_their_lengths() -> None:
    @tf.function(numpy=True)
    def total(x: Any, y: Any, start: int) -> Any:
        found = 0.0
        for i in range(start, 10):
            found += x[:i] @ y[:i]
        return found

    x = np.arange(12.0)
    assert total(x, x, 2) == sum(x[:i] @ x[:i] for i in range(2, 10))
    with pytest.raises(ValueError):
        total(x, np.ones(1), 2)


def principal_components(x):
    centered = x - x.mean(axis=0)
    values, vectors = np.linalg.eigh(centered.T @ centered)
    found = np.linalg.eigh(np.eye(2))
    return values, centered @ vectors[:, np.argsort(values)[::-1]], found.eigenvalues


def orthogonal_factors(x):
    q, r = np.linalg.qr(x)
    return q, np.linalg.qr(x.T, mode="complete"), r.shape


@pytest.mark.parametrize("program", [principal_components, orthogonal_factors])
def test_factors_of_matrices_are_named_tuples_of_numpy(program: Any) -> None:
    assert difference(program, MATRIX) == ""


@pytest.mark.parametrize(
    ("function", "matrix"),
    [
        (np.linalg.inv, np.ones((2, 2))),
        (lambda x: np.linalg.solve(x, x[0]), np.ones((2, 2))),
        (np.linalg.cholesky, np.array([[1.0, 2.0], [2.0, 1.0]])),
    ],
)
def test_a_matrix_without_a_result_is_an_error_of_numpy(function: Any, matrix: Any) -> None:
    traced = tf.function(lambda x: function(x), numpy=True)
    for call in (function, traced):
        assert np.isfinite(call(np.eye(2))).all()
        with pytest.raises(np.linalg.LinAlgError):
            call(matrix)


def test_a_norm_of_matrices_is_none_of_vectors() -> None:
    traced = tf.function(lambda x: np.linalg.norm(x, "fro"), numpy=True)
    assert traced(np.ones((2, 2))) == 2.0
    with pytest.raises(ValueError, match="Invalid norm order 'fro' for vectors"):
        traced(np.ones(4))
