"""Joining and splitting along an axis."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


def test_lengths_of_parts_are_known_while_recording():
    function = tf.function(lambda x, n: tf.split(x, n), autograph=False)
    with pytest.raises(ValueError, match=r"known while the graph is recorded; runtime\.slice"):
        function(tf.range(4), tf.constant([1, 3]))


def test_a_length_of_a_list_is_known_while_recording_too():
    function = tf.function(lambda x, n: tf.split(x, [n, 4 - n]))
    with pytest.raises(ValueError, match=r"known while the graph is recorded; runtime\.slice"):
        function(tf.range(4), tf.constant(1))
    first, _ = tf.split(tf.range(4), [tf.constant(1), -1])
    assert first.shape == [1]


@pytest.mark.parametrize(("parts", "lengths"), [(2, [2, 2]), ([1, 3], [1, 3]), ([1, -1], [1, 3])])
def test_parts(parts, lengths):
    assert [len(part) for part in tf.split(tf.range(4), parts)] == lengths


@pytest.mark.parametrize("parts", [3, [1, 1]])
def test_parts_that_do_not_fit(parts):
    with pytest.raises(Invalid):
        tf.split(tf.range(4), parts)


PARTS_THAT_DO_NOT_FIT = {
    "two of what is left": ([-1, -1], "only be one -1"),
    "negative": ([-2, 6], "Split size at index 0 must be >= 0. Got: -2"),
    "uneven": (3, "evenly divide the split dimension"),
    "none": (0, "Number of ways to split should be > 0"),
    "too short": ([1, 2], "Determined shape must either match"),
    "a fraction": (2.0, "Rank-0 tensors are not supported"),
}


@pytest.mark.parametrize(
    ("parts", "words"), PARTS_THAT_DO_NOT_FIT.values(), ids=PARTS_THAT_DO_NOT_FIT
)
def test_words_for_parts_that_do_not_fit(parts, words):
    x = tf.range(4)
    for call in (lambda x: tf.split(x, parts), tf.function(lambda x: tf.split(x, parts))):
        with pytest.raises(ValueError, match=words):
            call(x)


def test_side_by_side_with_what_is_known():
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(None)])
    def function(x):
        seen.extend([tf.stack([x, 2.0]).shape, tf.concat([x, [1.0]], 0).shape])
        return x

    function.get_concrete_function()
    assert seen[0] == [2]
    assert seen[1].as_list() == [None]


def test_nothing_side_by_side():
    assert tf.stack([]).shape == (0,)
    assert tf.stack([]).dtype == tf.float32


def test_joining_along_an_axis_that_is_not_there():
    x = tf.ones([2])
    with pytest.raises(Invalid, match=r"dimensions in the range \[-1, 1\), but got 1"):
        tf.concat([x, x], 1)
    with pytest.raises(Invalid, match="Can't concatenate scalars"):
        tf.concat([1.0, 2.0], 0)
    with pytest.raises(Invalid, match="must be a scalar"):
        tf.concat([x, x], [0, 0])


AXES_THAT_ARE_NOT_THERE = {
    "stack": (lambda x: tf.stack([x, x], 3), r"Argument `axis` = 3 not in range \[-3, 3\)"),
    "unstack": (lambda x: tf.unstack(x, axis=2), r"Argument `axis` = 2 not in range \[-2, 2\)"),
    "unstack into": (
        lambda x: tf.unstack(x, 3),
        "Input shape axis 0 must equal 3, got shape .2,1.",
    ),
    "split": (lambda x: tf.split(x, 1, 2), r"<= split_dim < input rank \(2\), but got 2"),
    "split sizes": (lambda x: tf.split(x, [1, 1], -3), "split_dim < input rank"),
    "tile": (lambda x: tf.tile(x, [1, -1]), r"Expected multiples\[1\] >= 0, but got -1"),
    "concat": (lambda x: tf.concat([], 0), "with length 0 shorter than minimum length 2"),
}


@pytest.mark.parametrize(
    ("call", "words"), AXES_THAT_ARE_NOT_THERE.values(), ids=AXES_THAT_ARE_NOT_THERE
)
def test_axes_that_are_not_there(call, words):
    x = tf.constant([[1.0], [2.0]])
    for run in (call, tf.function(call)):
        with pytest.raises(ValueError, match=words):
            run(x)


def test_an_empty_list_takes_the_dtype_of_strings_beside_it():
    assert tf.concat([tf.constant(["a"]), []], 0).numpy().tolist() == [b"a"]
    assert tf.strings.lower([]).dtype == tf.string


def test_the_axis_of_a_split_is_one():
    with pytest.raises(tf.errors.InvalidArgumentError, match="`axis` must be a scalar"):
        tf.split([1, 2], 2, [])


@pytest.mark.parametrize("make", [np.array, tf.constant, tf.Variable])
def test_one_tensor_is_joined_with_nothing(make):
    x = [[[1.0, 2.0]], [[3.0, 4.0]]]
    assert tf.concat(make(x), 1).numpy().tolist() == x
    assert tf.concat(map(tf.constant, x), 1).numpy().tolist() == [[1.0, 2.0, 3.0, 4.0]]


@pytest.mark.parametrize("compiled", [False, True])
def test_two_tensors_in_place_of_a_list_are_an_error(compiled):
    concat = tf.function(tf.concat) if compiled else tf.concat
    with pytest.raises(ValueError, match=r"must have rank 0\. .* list: concat\(\[a, b\], axis\)"):
        concat(tf.constant([1, 2]), tf.constant([3]))
    with pytest.raises(ValueError, match=r"as a list: stack\(\[a, b\], axis\)"):
        tf.stack(tf.constant(1), tf.constant(2))
    assert concat(tf.constant([1, 2]), 0).numpy().tolist() == [1, 2]
