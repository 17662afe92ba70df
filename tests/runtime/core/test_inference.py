"""What errors say of an op that does not fit, eagerly and in graphs."""

import re

import pytest

import runtime as tf


def test_words_of_shapes_that_do_not_fit():
    x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, 2.0, 3.0])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"Incompatible shapes: \[2\] vs. \[3\] \[Op:AddV2\]"
    ):
        x + y
    with pytest.raises(ValueError, match="Dimensions must be equal, but are 2 and 3"):
        tf.function(lambda: x + y)()


def test_eager_errors_name_the_op():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"division by zero \[Op:FloorDiv\]"):
        tf.constant([1]) // 0


def test_shapes_that_turn_out_not_to_fit_when_a_graph_runs():
    vector = tf.TensorSpec([None], tf.float32)

    @tf.function(input_signature=[vector, vector])
    def add(x, y):
        return x + y

    with pytest.raises(tf.errors.InvalidArgumentError) as failure:
        add(tf.zeros([3]), tf.zeros([2]))
    assert "Incompatible shapes: [3] vs. [2] [Op:AddV2]\nAddV2(float32[3], float32[2])" in str(
        failure.value
    )
    assert "return x + y" in linecache_line(failure.value)


def linecache_line(error):
    """The text of the line that the error names."""
    import linecache

    found = re.search(r'File "(.+)", line (\d+)', error.message)
    return linecache.getline(found[1], int(found[2]))


@pytest.mark.parametrize(
    ("call", "eager", "traced"),
    [
        (lambda x, y: x + y, "Incompatible shapes: [2] vs. [3]", "are 2 and 3 for 'AddV2'"),
        (lambda x, y: x < y, "Incompatible shapes: [2] vs. [3]", "are 2 and 3 for 'Less'"),
        (tf.equal, "Incompatible shapes: [2] vs. [3]", "are 2 and 3 for 'Equal'"),
        (
            lambda x, y: tf.where(x > 0, y, y),
            "Incompatible shapes: [2] vs. [3] vs. [3]",
            "are 2 and 3 for 'SelectV2'",
        ),
        (
            lambda x, y: tf.concat([x[None], y[None]], 0),
            "Dimension 1 in both shapes must be equal: shape[0] = [1,2] vs. shape[1] = [1,3]",
            "Dimension 1 in both shapes must be equal: shape[0] = [1,2] vs. shape[1] = [1,3]",
        ),
        (
            lambda x, y: tf.concat([x, x, y[None]], 0),
            "Ranks of all input tensors should match: shape[0] = [2] vs. shape[2] = [1,3]",
            "Ranks of all input tensors should match: shape[0] = [2] vs. shape[2] = [1,3]",
        ),
        (
            lambda x, y: tf.stack([x, y]),
            "values[0].shape = [2] != values[1].shape = [3]",
            "values[0].shape = [2] != values[1].shape = [3]",
        ),
        (
            lambda x, y: tf.reshape(x, [3]),
            "Input to reshape is a tensor with 2 values, but the requested shape has 3",
            "Cannot reshape a tensor with 2 elements to shape [3] (3 elements)",
        ),
        (
            lambda x, y: tf.reshape(y, [2, -1]),
            "with 3 values, but the requested shape requires a multiple of 2",
            "must be evenly divisible by 2 but is 3",
        ),
    ],
)
def test_words_for_shapes_that_do_not_fit(call, eager, traced):
    x, y = tf.ones([2]), tf.ones([3])
    for run, words in ((call, eager), (tf.function(call, autograph=False), traced)):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            run(x, y)
        assert words in str(caught.value)
