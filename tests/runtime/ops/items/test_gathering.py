"""Reading at positions, and positions out of range."""

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


def test_positions_out_of_range_are_named():
    with pytest.raises(Invalid, match=r"indices\[0\] = 3 is not in \[0, 3\)"):
        tf.gather([5, 6, 7], [3])
    with pytest.raises(Invalid, match=r"indices\[0\] = \[2, 0\] does not index into param shape"):
        tf.gather_nd([[1, 2], [3, 4]], [[2, 0]])


def test_a_single_position_out_of_range_is_named_without_a_place():
    for gather in (tf.gather, tf.function(tf.gather)):
        with pytest.raises(Invalid, match=r"^indices = 5 is not in \[0, 2\)"):
            gather(tf.constant([1, 2]), tf.constant(5))


def test_empty_index_tuples_stand_for_the_whole():
    whole = tf.gather_nd([[1, 2], [3, 4]], tf.zeros([3, 0], tf.int32))
    assert whole.numpy().tolist() == [[[1, 2], [3, 4]]] * 3
    none = tf.gather_nd([1, 2], tf.zeros([0, 0], tf.int32))
    assert none.shape == (0, 2)


class TestSharedDimensions:
    @pytest.mark.parametrize(
        ("places", "options"),
        [
            ([[0, 2, 1], [1, 1, 0]], {"batch_dims": 1}),
            ([[0, 2, 1], [1, 1, 0]], {"batch_dims": -1, "axis": -2}),
            ([[0], [2]], {"batch_dims": 1, "axis": 1}),
            ([2, 0], {"batch_dims": 1}),
        ],
    )
    def test_each_row_selects_from_its_own(self, places, options):
        expected = [row[own] for row, own in zip(CUBE, places, strict=True)]
        np.testing.assert_array_equal(tf.gather(CUBE, places, **options).numpy(), expected)

    def test_of_two_dimensions(self):
        places = np.array([[3, 0, 1], [2, 2, 0]])
        found = tf.gather(CUBE, places, batch_dims=2).numpy()
        np.testing.assert_array_equal(found, np.take_along_axis(CUBE, places[..., None], 2)[..., 0])

    def test_the_gradient_is_added_where_it_was_taken_from(self):
        rows = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            y = tf.gather(rows, [[0, 0], [1, 0]], batch_dims=1) * [[1.0, 2.0], [3.0, 4.0]]
        assert tape.gradient(y, rows).numpy().tolist() == [[3.0, 0.0], [4.0, 3.0]]

    def test_in_a_graph_sizes_may_be_unknown(self):
        specs = [tf.TensorSpec([None, None]), tf.TensorSpec([None, None], tf.int32)]
        take = tf.function(lambda rows, at: tf.gather(rows, at, batch_dims=1), specs)
        assert take([[1.0, 2.0], [3.0, 4.0]], [[0], [1]]).numpy().tolist() == [[1.0], [4.0]]
        with pytest.raises(Invalid, match="Shapes of all inputs must match"):
            take([[1.0, 2.0], [3.0, 4.0]], [[0]])

    def test_places_outside_of_a_row_are_refused(self):
        with pytest.raises(Invalid, match=r"indices\[1,0\] = \[1, 3\] does not index"):
            tf.gather([[1, 2, 3], [4, 5, 6]], [[0], [3]], batch_dims=1)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"batch_dims": 1, "axis": 2}, "takes axis=1 alone, but axis=2"),
            ({"batch_dims": 2}, "batch_dims = 2 must be at most the rank of `indices`, 1"),
            ({"batch_dims": -2}, "batch_dims = -2 must be at most"),
        ],
    )
    def test_other_axes_and_ranks_are_refused(self, options, words):
        with pytest.raises(ValueError, match=words):
            tf.gather(CUBE, [0, 1], **options)

    def test_an_unknown_rank_is_refused(self):
        take = tf.function(lambda rows: tf.gather(rows, [0], batch_dims=1), [tf.TensorSpec(None)])
        with pytest.raises(ValueError, match="needs to know how many dimensions"):
            take([[1.0]])
