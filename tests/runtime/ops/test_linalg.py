"""Decompositions: what their parts make together."""

import numpy as np
import pytest

import runtime as tf

MATRIX = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]


@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 4e-3), ("float64", 1e-14)])
def test_the_parts_of_qr_make_the_matrix(dtype, tolerance):
    q, r = tf.linalg.qr(np.array(MATRIX, dtype))
    assert q.dtype == r.dtype == dtype
    np.testing.assert_allclose(q.numpy() @ r.numpy(), MATRIX, rtol=tolerance)


def test_integers_have_no_qr():
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        tf.linalg.qr(tf.constant([[1, 2], [3, 4]]))


@pytest.mark.parametrize(
    "matrix",
    [
        [[1.0, 2.0], [3.0, 4.0]],
        [[-1.0, 0.0], [0.0, -2.0]],
        [[1.0, 2.0, 3.0], [0.0, -4.0, 5.0], [7.0, 8.0, -9.0]],
        [[1j, 2.0], [3.0, 4.0 - 1j]],
        [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.5], [0.0, 1.0]]],
    ],
)
def test_functions_of_complex_matrices_with_any_eigenvalues(matrix):
    x = tf.constant(matrix, tf.complex128)
    root, logarithm = tf.linalg.sqrtm(x), tf.linalg.logm(x)
    np.testing.assert_allclose(root @ root, x, atol=1e-10)
    np.testing.assert_allclose(tf.linalg.expm(logarithm), x, atol=1e-10)
    assert np.all(np.linalg.eigvals(root).real > -1e-10)


def test_a_real_matrix_without_a_real_root():
    x = tf.constant([[[1.0, 2.0], [3.0, 4.0]], [[4.0, 0.0], [0.0, 9.0]]])
    root = tf.linalg.sqrtm(x).numpy()
    assert np.isnan(root[0]).all()
    np.testing.assert_allclose(root[1], [[2.0, 0.0], [0.0, 3.0]])
    assert np.isnan(tf.linalg.logm(x)[0]).all()


ANY_RANK = tf.TensorSpec(None, tf.float32)
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("a", "b", "axes"),
    [
        (CUBE, CUBE.transpose(2, 0, 1), 1),
        (CUBE, CUBE.transpose(1, 2, 0), 2),
        (CUBE, CUBE[0], 0),
        (CUBE, CUBE, [[1], [1]]),
        (CUBE, CUBE, [[2, 0], [2, 0]]),
        (CUBE, CUBE, [[-1], [-1]]),
        (CUBE, CUBE, [[-1, -3], [2, 0]]),
        (CUBE, CUBE[0, 0], [2, 0]),
        (CUBE[0, 0], CUBE[0, 0], [[0], [0]]),
        (CUBE, CUBE[0, 0], [[], []]),
        (CUBE[:0], CUBE, [[2], [2]]),
    ],
)
def test_products_of_tensors_of_any_rank(a, b, axes):
    function = tf.function(
        lambda a, b: tf.tensordot(a, b, axes), input_signature=[ANY_RANK, ANY_RANK]
    )
    expected = np.tensordot(a, b, axes)
    np.testing.assert_allclose(function(a, b), expected)
    np.testing.assert_allclose(tf.tensordot(a, b, axes), expected)


def test_axes_of_tensors_of_any_rank_that_do_not_fit():
    def product(axes):
        function = tf.function(
            lambda a, b: tf.tensordot(a, b, axes), input_signature=[ANY_RANK, ANY_RANK]
        )
        return function(CUBE, CUBE)

    for axes in (-1, [[0], [0, 1]], [[0, -1], [0, 1]]):
        with pytest.raises(ValueError, match="axes"):
            product(axes)
    with pytest.raises(tf.errors.InvalidArgumentError):
        product([[0], [1]])


def test_a_diagonal_without_elements():
    assert tf.linalg.diag(tf.zeros([1, 0]), k=-2).numpy().tolist() == [[[0, 0], [0, 0]]]
    assert tf.linalg.diag(tf.zeros([0]), k=1, padding_value=5.0).numpy().tolist() == [[5.0]]


def _with_diagonals(above, main, below):
    """The matrix with these diagonals, of which the ends that stand outside do not count."""
    return np.diag(main) + np.diag(above[:-1], 1) + np.diag(below[1:], -1)


@pytest.mark.parametrize("pivoting", [True, False])
@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 9])
@pytest.mark.parametrize("systems", [1, 4])
def test_tridiagonal_systems_are_solved(systems, size, columns, pivoting):
    rng = np.random.default_rng(size)
    diagonals = rng.standard_normal((systems, 3, size))
    diagonals[:, 1] += 5.0
    rhs = rng.standard_normal((systems, size, columns))
    found = tf.linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=pivoting)
    matrices = np.stack([_with_diagonals(*rows) for rows in diagonals])
    np.testing.assert_allclose(matrices @ found.numpy(), rhs, atol=1e-12)
    again = tf.linalg.tridiagonal_matmul(diagonals, found)
    np.testing.assert_allclose(again, rhs, atol=1e-12)


@pytest.mark.parametrize("copies", [1, 2])
def test_rows_are_exchanged_where_that_is_asked_for(copies):
    diagonals = tf.stack([tf.constant([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])] * copies)
    rhs = tf.ones([copies, 2, 1])
    exchanged = tf.linalg.tridiagonal_solve(diagonals, rhs)
    np.testing.assert_array_equal(exchanged, [[[0.0], [1.0]]] * copies)
    kept = tf.linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=False)
    assert np.isnan(kept).all()


def test_a_singular_system_leaves_the_others_alone():
    diagonals = [[[0.0, 0.0], [0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [2.0, 4.0], [0.0, 0.0]]]
    found = tf.linalg.tridiagonal_solve(diagonals, [[[2.0], [2.0]]] * 2).numpy()
    assert np.isnan(found[0]).all()
    np.testing.assert_array_equal(found[1], [[1.0], [0.5]])
    perturbed = tf.linalg.tridiagonal_solve(diagonals[0], [1.0, 2.0], perturb_singular=True)
    np.testing.assert_array_equal(perturbed, [2.0**23, 2.0])


@pytest.mark.parametrize(
    ("diagonals", "rhs", "message"),
    [
        (np.ones((2, 2)), np.ones(2), "Expected 3 diagonals got 2"),
        (np.ones(3), np.ones(3), "Expected diagonals to have rank at least 2, got 1"),
        (np.ones((3, 3)), np.ones(2), "to be equal, got 3 and 2"),
        (np.ones((2, 3, 4)), np.ones((3, 4, 1)), "are incompatible"),
        (np.ones((3, 4)), np.ones((2, 4, 1)), "Expected the rank of rhs to be 1 or 2, got 3"),
    ],
)
def test_shapes_that_are_no_tridiagonal_system(diagonals, rhs, message):
    with pytest.raises(ValueError, match=message):
        tf.linalg.tridiagonal_solve(diagonals, rhs)


def test_a_tridiagonal_system_is_one_operation_of_a_graph():
    @tf.function
    def solved(diagonals, rhs):
        return tf.linalg.tridiagonal_solve(diagonals, rhs)

    graph = solved.get_concrete_function(tf.ones([3, 4]), tf.ones([4, 2])).graph
    assert "TridiagonalSolve" in [operation.type for operation in graph.get_operations()]


@pytest.mark.parametrize("shape", [(1, 1), (40, 40), (2, 3, 5, 5), (0, 0), (2, 0, 0), (0, 3, 3)])
def test_both_triangles_make_the_matrix_with_its_rows_in_order(shape):
    x = np.random.default_rng(2).standard_normal(shape)
    triangles, order = tf.linalg.lu(x)
    assert triangles.shape == shape
    assert order.shape == shape[:-1]
    np.testing.assert_allclose(tf.linalg.lu_reconstruct(triangles, order), x, atol=1e-12)
