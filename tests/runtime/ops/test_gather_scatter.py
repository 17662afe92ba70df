"""Reading and putting at positions: batches, repeated positions, and positions out of range."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError
CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_gather_takes_along_an_axis(axis):
    places = [[1, 0], [0, 1]]
    np.testing.assert_array_equal(
        tf.gather(CUBE, places, axis=axis).numpy(), np.take(CUBE, places, axis)
    )


def test_each_entry_of_a_batch_gathers_by_itself():
    places = np.array([[2, 0], [1, 1]])
    expected = np.stack([CUBE[b][places[b]] for b in range(2)])
    np.testing.assert_array_equal(tf.gather(CUBE, places, batch_dims=1).numpy(), expected)
    expected = np.stack([CUBE[b][:, places[b]] for b in range(2)])
    np.testing.assert_array_equal(tf.gather(CUBE, places, axis=2, batch_dims=1).numpy(), expected)
    np.testing.assert_array_equal(
        tf.gather_nd(CUBE, places[:, :, None], batch_dims=1).numpy(),
        np.stack([CUBE[b][places[b]] for b in range(2)]),
    )


def test_batches_that_do_not_fit():
    with pytest.raises(ValueError, match="batch_dims"):
        tf.gather(CUBE, [[0]], axis=0, batch_dims=1)
    with pytest.raises(ValueError, match="batch_dims"):
        tf.gather(CUBE, [0], batch_dims=2)


def test_positions_out_of_range_are_named():
    with pytest.raises(Invalid, match=r"indices\[0\] = 3 is not in \[0, 3\)"):
        tf.gather([5, 6, 7], [3])
    with pytest.raises(Invalid, match=r"indices\[0\] = \[2, 0\] does not index into param shape"):
        tf.gather_nd([[1, 2], [3, 4]], [[2, 0]])


def test_scattered_values_add_up_or_replace():
    places = [[0], [2], [0]]
    np.testing.assert_array_equal(tf.scatter_nd(places, [1, 2, 3], [4]).numpy(), [4, 0, 2, 0])
    start = tf.constant([1, 1, 1])
    for function, expected in (
        (tf.tensor_scatter_nd_add, [6, 1, 6]),
        (tf.tensor_scatter_nd_sub, [-4, 1, -4]),
        (tf.tensor_scatter_nd_min, [0, 1, 1]),
        (tf.tensor_scatter_nd_max, [5, 1, 5]),
        (tf.tensor_scatter_nd_update, [0, 1, 5]),
    ):
        np.testing.assert_array_equal(function(start, places, [5, 5, 0]).numpy(), expected)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: tf.scatter_nd([[4]], [1], [4]),
        lambda: tf.scatter_nd([[0]], [1, 2], [4]),
        lambda: tf.scatter_nd([[0, 1]], [1], [4]),
        lambda: tf.tensor_scatter_nd_update([1, 2], [[2]], [1]),
    ],
)
def test_what_cannot_be_scattered(wrong):
    with pytest.raises(Invalid):
        wrong()


def test_masks_along_any_axis():
    mask = np.array([True, False, True])
    np.testing.assert_array_equal(tf.boolean_mask(CUBE, mask, axis=1).numpy(), CUBE[:, mask])
    whole = CUBE > 10
    np.testing.assert_array_equal(tf.boolean_mask(CUBE, whole).numpy(), CUBE[whole])
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.boolean_mask(CUBE, True)
    with pytest.raises(ValueError, match="incompatible"):
        tf.boolean_mask(CUBE, [True, False, True])


def test_blocks():
    np.testing.assert_array_equal(tf.slice(CUBE, [0, 1, 2], [-1, 2, 1]).numpy(), CUBE[:, 1:3, 2:3])
    np.testing.assert_array_equal(tf.constant(CUBE)[0, -1:0:-1].numpy(), CUBE[0, -1:0:-1])
    with pytest.raises(Invalid, match=r"Expected begin in \[0, 2\]"):
        tf.slice([1, 2], [3], [0])


def test_one_hot_along_any_axis():
    expected = np.eye(3, dtype=np.float32)[[0, 2]]
    np.testing.assert_array_equal(tf.one_hot([0, 2], 3).numpy(), expected)
    np.testing.assert_array_equal(tf.one_hot([0, 2], 3, axis=0).numpy(), expected.T)
    np.testing.assert_array_equal(tf.one_hot([0, 5, -1], 2).numpy(), [[1, 0], [0, 0], [0, 0]])
    assert tf.one_hot([0], 2, on_value=True, off_value=False).dtype == tf.bool
    with pytest.raises(TypeError, match="does not match dtype parameter"):
        tf.one_hot([0], 2, on_value=1, dtype=tf.bool)
    with pytest.raises(Invalid, match=r"off_value must be a scalar, but got: \[1\]"):
        tf.one_hot([1], 2, on_value=1.0, off_value=[0.0])


def test_distinct_elements_keep_their_order():
    y, idx = tf.unique(["b", "a", "b"])
    assert y.numpy().tolist() == [b"b", b"a"]
    assert idx.numpy().tolist() == [0, 1, 0]
    with pytest.raises(Invalid, match="1D vector"):
        tf.unique([[1]])


def test_places_in_sorted_rows():
    np.testing.assert_array_equal(tf.searchsorted([1, 3, 3], [0, 3]).numpy(), [0, 1])
    np.testing.assert_array_equal(tf.searchsorted([1, 3, 3], [0, 3], side="right").numpy(), [0, 3])
    with pytest.raises(Invalid, match="Leading dim_size"):
        tf.searchsorted([[1], [2]], [[1]])


def test_groups_in_graphs_are_operations():
    with tf.Graph().as_default():
        x = tf.constant(1)
        both = tf.group(x, tf.constant(2))
    assert [op.name for op in both.control_inputs] == ["Const", "Const_1"]
    assert tf.group() is None


@pytest.mark.parametrize("policy", ["", "DEFAULT", "ERROR"])
def test_policies_that_make_bad_indices_errors(policy):
    kept = tf.gather_nd([1, 2], [[1]], bad_indices_policy=policy)
    assert kept.numpy().tolist() == [2]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.scatter_nd([[7]], [1], [2], bad_indices_policy=policy)


@pytest.mark.parametrize(
    "run",
    [
        lambda policy: tf.gather_nd([1, 2], [[1]], bad_indices_policy=policy),
        lambda policy: tf.scatter_nd([[1]], [1], [2], bad_indices_policy=policy),
        lambda policy: tf.tensor_scatter_nd_add([1], [[0]], [1], bad_indices_policy=policy),
        lambda policy: tf.tensor_scatter_nd_sub([1], [[0]], [1], bad_indices_policy=policy),
        lambda policy: tf.tensor_scatter_nd_min([1], [[0]], [1], bad_indices_policy=policy),
        lambda policy: tf.tensor_scatter_nd_max([1], [[0]], [1], bad_indices_policy=policy),
    ],
    ids=["gather_nd", "scatter_nd", "add", "sub", "min", "max"],
)
def test_a_policy_that_leaves_bad_indices_out_is_refused(run):
    with pytest.raises(tf.errors.UnimplementedError, match="bad_indices_policy='IGNORE'"):
        run("IGNORE")


def test_empty_index_tuples_stand_for_the_whole():
    whole = tf.gather_nd([[1, 2], [3, 4]], tf.zeros([3, 0], tf.int32))
    assert whole.numpy().tolist() == [[[1, 2], [3, 4]]] * 3
    none = tf.gather_nd([1, 2], tf.zeros([0, 0], tf.int32))
    assert none.shape == (0, 2)


def test_each_nan_is_distinct():
    values, places = tf.unique([np.nan, 1.0, np.nan, 1.0])
    assert values.shape == (3,)
    assert places.numpy().tolist() == [0, 1, 2, 1]


@pytest.mark.parametrize("side", ["left", "right"])
def test_positions_in_many_rows(side):
    random = np.random.default_rng(3)
    rows = np.sort(random.integers(0, 9, (40, 7)), axis=-1).astype(np.int32)
    values = random.integers(-1, 10, (40, 5)).astype(np.int32)
    found = tf.searchsorted(rows, values, side=side)
    expected = [np.searchsorted(row, own, side=side) for row, own in zip(rows, values, strict=True)]
    assert found.numpy().tolist() == np.array(expected).tolist()


def test_positions_in_rows_without_elements():
    assert tf.searchsorted(tf.zeros([0]), [1.0, 2.0]).numpy().tolist() == [0, 0]
    assert tf.searchsorted(tf.zeros([2, 0]), [[1.0], [2.0]]).numpy().tolist() == [[0], [0]]
    with pytest.raises(ValueError, match="slice index -1 of dimension 0 out of bounds"):
        tf.searchsorted([1.0], 1.0)


@pytest.mark.parametrize("shape", [[4], [4, 1], [4, 2, 1], [4, 1, 3]])
def test_means_of_groups_of_any_rank(shape):
    mean = tf.math.unsorted_segment_mean
    spec = tf.TensorSpec(None, tf.float32)
    data = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    function = tf.function(lambda x: mean(x, [0, 2, 2, 0], 4), input_signature=[spec])
    found = function(data)
    assert found.shape == (4, *shape[1:])
    np.testing.assert_allclose(found[0], (data[0] + data[3]) / 2.0, rtol=1e-6)
    assert not np.any(found[1])
    np.testing.assert_array_equal(found, mean(data, [0, 2, 2, 0], 4))
