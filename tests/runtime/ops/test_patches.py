"""Blocks, patches and filters that grow: elements that change places, against loops."""

import numpy as np
import pytest

import runtime as tf

IMAGE = np.arange(16.0).reshape(1, 4, 4, 1)
RANDOM = np.random.default_rng(2)


def test_elements_of_blocks_become_members_of_the_batch():
    found = tf.space_to_batch(IMAGE, [2, 2], [[0, 0], [0, 0]]).numpy()
    for row in range(2):
        for column in range(2):
            np.testing.assert_array_equal(found[2 * row + column], IMAGE[0, row::2, column::2])


@pytest.mark.parametrize(
    ("block", "margins"), [([2, 2], [[1, 1], [0, 2]]), ([4, 3], [[0, 0], [1, 1]]), ([3], [[1, 1]])]
)
def test_batches_give_the_blocks_back(block, margins):
    batch = tf.space_to_batch_nd(IMAGE, block, margins)
    np.testing.assert_array_equal(tf.batch_to_space(batch, block, margins).numpy(), IMAGE)

    @tf.function(input_signature=[tf.TensorSpec([None] * 4, tf.float64)])
    def graph(x):
        return tf.space_to_batch(x, block, margins)

    np.testing.assert_array_equal(graph(IMAGE).numpy(), batch.numpy())


def test_a_number_stands_for_a_square_block():
    batch = tf.space_to_batch(IMAGE, [2, 2], [[0, 0], [0, 0]])
    found = tf.batch_to_space(batch, 2, [[1, 0], [0, 2]])
    np.testing.assert_array_equal(found.numpy(), IMAGE[:, 1:, :2])


@pytest.mark.parametrize(
    ("block", "margins", "words"),
    [
        ([3, 2], [[0, 0], [0, 0]], r"padded_shape\[0\]=4 is not divisible by block_shape\[0\]=3"),
        ([0, 2], [[0, 0], [0, 0]], "must be positive, got value, 0 at index 0"),
        ([2, 2], [[-1, 1], [0, 0]], "Paddings must be non-negative"),
        (2, [[0, 0], [0, 0]], "block_shape rank should be 1 instead of 0"),
        ([2] * 4, [[0, 0]] * 4, "input rank should be >= 5 instead of 4"),
    ],
)
def test_blocks_that_do_not_fit_are_refused(block, margins, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.space_to_batch(IMAGE, block, margins)


@pytest.mark.parametrize(
    ("block", "crops", "words"),
    [
        ([3, 2], [[0, 0], [0, 0]], r"batch dimension \(4\) is not divisible by .* \(6\)"),
        ([2, 2], [[3, 3], [0, 0]], r"cropped_shape\[0\]=-2 must be non-negative"),
        ([2, 2], [[-1, 0], [0, 0]], "Crops must be non-negative"),
    ],
)
def test_batches_that_are_no_blocks_are_refused(block, crops, words):
    batch = tf.space_to_batch(IMAGE, [2, 2], [[0, 0], [0, 0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.batch_to_space(batch, block, crops)


def test_paddings_that_are_required_are_as_known():
    paddings, crops = tf.required_space_to_batch_paddings([5, 6], [2, 4], [[1, 0], [1, 2]])
    assert paddings.numpy().tolist() == [[1, 0], [1, 5]]
    assert crops.numpy().tolist() == [[0, 0], [0, 3]]

    @tf.function(input_signature=[tf.TensorSpec([2], tf.int32)])
    def graph(lengths):
        return tf.required_space_to_batch_paddings(lengths, [2, 4])[0]

    assert graph([5, 6]).numpy().tolist() == [[0, 1], [0, 2]]


@pytest.mark.parametrize("padding", ["VALID", "SAME"])
def test_a_filter_on_blocks_is_one_with_gaps(padding):
    weights = RANDOM.normal(size=(3, 2, 1, 2))

    def convolve(x, axes, inner):
        return tf.nn.conv2d(x, weights, 1, inner)

    found = tf.nn.with_space_to_batch(IMAGE, [1, 2], padding, convolve, filter_shape=[3, 2])
    expected = tf.nn.conv2d(IMAGE, weights, 1, padding, dilations=[1, 2])
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-12)


def test_axes_between_have_blocks_of_their_own_length():
    found = tf.nn.with_space_to_batch(
        IMAGE, [2], "VALID", lambda x, n, p: tf.nn.avg_pool2d(x, [1, 2], 1, p), spatial_dims=[2]
    )
    expected = [1.0, 2.0, 5.0, 6.0, 9.0, 10.0, 13.0, 14.0]
    assert found.shape == [1, 4, 2, 1] and found.numpy().ravel().tolist() == expected


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([2, 2], "FOO"), "must be one of 'SAME' or 'VALID'"),
        (([2, 2], "SAME"), "`filter_shape` must be specified"),
        (([0, 2], "VALID"), "`dilation_rate` must be positive"),
    ],
)
def test_gaps_that_make_no_sense_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        tf.nn.with_space_to_batch(IMAGE, *arguments, lambda x, n, p: x)


VOLUME = np.arange(54.0).reshape(2, 3, 3, 3, 1)


def test_patches_of_volumes_are_what_windows_meet():
    found = tf.extract_volume_patches(VOLUME, [1, 2, 2, 2, 1], [1] * 5, "VALID").numpy()
    assert found.shape == (2, 2, 2, 2, 8)
    for b, d, h, w in np.ndindex(found.shape[:-1]):
        np.testing.assert_array_equal(
            found[b, d, h, w], VOLUME[b, d : d + 2, h : h + 2, w : w + 2].ravel()
        )


def test_patches_beyond_the_volume_are_filled_with_zeros():
    found = tf.extract_volume_patches(VOLUME, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME").numpy()
    assert found[0, 0, 0, 1].tolist() == [2, 0, 5, 0, 11, 0, 14, 0]


@pytest.mark.parametrize(
    ("sizes", "error", "words"),
    [
        ([2, 2, 2, 2, 1], tf.errors.UnimplementedError, "Only support ksizes across space"),
        ([2, 2, 2], tf.errors.InvalidArgumentError, "of 3 must be at least minimum 5"),
        ([1, 5, 2, 2, 1], tf.errors.InvalidArgumentError, "output size would be negative"),
    ],
)
def test_windows_that_do_not_fit_are_refused(sizes, error, words):
    with pytest.raises(error, match=words):
        tf.extract_volume_patches(VOLUME, sizes, [1] * 5, "VALID")


FILTER = np.array([0.0, 1.0, -1.0, 2.0]).reshape(2, 2, 1)
ONES = [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("padding", "grown", "shrunk"),
    [
        (
            "VALID",
            [7, 8, 9, 11, 12, 13, 15, 16, 17],
            [-2, -1, 0, 2, 3, 4, 6, 7, 8],
        ),
        (
            "SAME",
            [7, 8, 9, 6, 11, 12, 13, 10, 15, 16, 17, 14, 14, 15, 16, 15],
            [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
        ),
    ],
)
@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_growing_and_shrinking_are_as_known(padding, grown, shrunk, dtype):
    image, weights = IMAGE.astype(dtype), FILTER.astype(dtype)
    found = tf.nn.dilation2d(image, weights, ONES, padding, "NHWC", ONES)
    assert found.numpy().ravel().tolist() == grown
    found = tf.nn.erosion2d(image, weights, ONES, padding, "NHWC", ONES)
    assert found.numpy().ravel().tolist() == shrunk


def test_filters_grow_with_strides_and_gaps():
    steps = [1, 2, 2, 1]
    found = tf.nn.dilation2d(IMAGE, FILTER, steps, "SAME", "NHWC", steps)
    assert found.numpy().ravel().tolist() == [12, 9, 11, 10]


def test_a_filter_has_the_depth_of_the_image():
    with pytest.raises(tf.errors.InvalidArgumentError, match="must have the same depth: 1 vs 3"):
        tf.nn.dilation2d(IMAGE, np.ones((2, 2, 3)), ONES, "SAME", "NHWC", ONES)


def test_channels_come_last_where_images_grow():
    with pytest.raises(ValueError, match="values other  than 'NHWC' are not supported"):
        tf.nn.dilation2d(IMAGE, FILTER, ONES, "SAME", "NCHW", ONES)
