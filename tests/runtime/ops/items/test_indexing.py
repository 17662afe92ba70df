import numpy as np
import pytest

import runtime as tf
from runtime.ops.items.indexing import with_item

ARRAY = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
KEYS = [
    0,
    -1,
    (1, 2, 3),
    slice(None),
    slice(1, None),
    (slice(None), slice(None, None, -1)),
    (..., 0),
    (0, ..., slice(1, 3)),
    (None, 0),
    (slice(None), None, slice(0, 2)),
    (slice(None), slice(-2, None), slice(None, None, 2)),
]


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_index_is_numpy_s(key):
    np.testing.assert_array_equal(tf.constant(ARRAY)[key].numpy(), ARRAY[key])


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_index_in_a_graph_has_the_right_shape(key):
    function = tf.function(lambda x: x[key], autograph=False)
    concrete = function.get_concrete_function(tf.TensorSpec([2, 3, 4], tf.int32))
    assert concrete.outputs[0].shape == ARRAY[key].shape
    np.testing.assert_array_equal(concrete(tf.constant(ARRAY)).numpy(), ARRAY[key])


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_item_assignment_is_numpy_s(key):
    if isinstance(key, tuple) and None in key:
        pytest.skip("a new dimension cannot be assigned")
    expected = ARRAY.copy()
    expected[key] = 7
    np.testing.assert_array_equal(with_item(tf.constant(ARRAY), key, 7).numpy(), expected)


def test_tensors_as_indices():
    x = tf.constant([10, 20, 30])
    i = tf.constant(1)
    assert int(x[i]) == 20
    np.testing.assert_array_equal(x[i:].numpy(), [20, 30])
    np.testing.assert_array_equal(x[: tf.constant(2, tf.int64)].numpy(), [10, 20])


def test_index_out_of_bounds():
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        tf.constant([1, 2])[5]


@pytest.mark.parametrize("key", ["a", 1.0, [0, 1], True])
def test_other_keys_are_refused_with_a_remedy(key):
    with pytest.raises(TypeError, match="gather"):
        tf.constant([1, 2])[key]


def test_masks():
    x = tf.constant([[1, 2], [3, 4]])
    np.testing.assert_array_equal(x[x > 2].numpy(), [3, 4])
    np.testing.assert_array_equal(with_item(x, x > 2, 0).numpy(), [[1, 2], [0, 0]])
    np.testing.assert_array_equal(x[np.array([True, False])].numpy(), [[1, 2]])


def test_gather_refuses_positions_that_do_not_exist():
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 1 is not in \[0, 1\)"
    ):
        tf.gather(tf.constant([0.0]), [1])


def test_tensors_do_not_change_in_place():
    with pytest.raises(TypeError, match="in place"):
        tf.constant([1, 2])[0] = 5


def test_positions_beyond_32_bits():
    x = tf.range(3)
    assert x[: 2**40].numpy().tolist() == x[-(2**70) : 2**70].numpy().tolist() == [0, 1, 2]
    assert x[2**40 :].shape == (0,)
    for position in (2**40, 2**70, -(2**70)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
            x[position]


def test_an_array_without_dimensions_is_a_position():
    x = tf.range(3)
    assert int(x[np.array(1)]) == 1
    with pytest.raises(TypeError, match="cannot be an index"):
        x[np.array([0, 1])]


def test_a_mask_keeps_what_is_known_of_the_other_dimensions():
    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def f(x):
        shapes.append(tf.boolean_mask(x, x[:, 0] > 0).shape.as_list())
        return tf.boolean_mask(x, x[:, 0] > 0)

    shapes = []
    assert f(tf.constant([[1.0, 2, 3], [-1, 0, 0]])).numpy().tolist() == [[1.0, 2.0, 3.0]]
    assert shapes == [[None, 3]]


def test_masks_along_any_axis():
    mask = np.array([True, False, True])
    np.testing.assert_array_equal(tf.boolean_mask(ARRAY, mask, axis=1).numpy(), ARRAY[:, mask])
    whole = ARRAY > 10
    np.testing.assert_array_equal(tf.boolean_mask(ARRAY, whole).numpy(), ARRAY[whole])
    with pytest.raises(ValueError, match="mask cannot be scalar"):
        tf.boolean_mask(ARRAY, True)
    with pytest.raises(ValueError, match="incompatible"):
        tf.boolean_mask(ARRAY, [True, False, True])


def test_a_string_at_one_position_is_a_string():
    changed = with_item(tf.constant(["a", "b", "c"]), 1, tf.constant("zz"))
    assert tf.strings.reduce_join(changed).numpy() == b"azzc"
