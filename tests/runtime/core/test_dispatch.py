"""Op calls: eager, recorded, observed, and on tensors without a value."""

import re

import numpy as np
import pytest

import runtime as tf
from runtime.core.dispatch import execute, wrap
from runtime.core.opdef import ANY, OpDef, lookup
from runtime.core.tensor import EagerTensor
from runtime.core.thread import STATE

ADD = lookup("AddV2")


def test_a_type_error_in_a_kernel_is_a_type_error():
    def kernel(xp, x):
        return x & 1.5

    broken = OpDef("BrokenKernel", {"x": ANY}, lambda x: x.spec, kernel)
    with pytest.raises(TypeError, match="not supported") as caught:
        execute(broken, (tf.constant(1),), {})
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)


def test_a_call_runs_at_once_or_becomes_an_operation():
    assert execute(ADD, (tf.constant(1), tf.constant(2)), {})[0].numpy() == 3
    with tf.Graph().as_default() as graph:
        (total,) = execute(ADD, (tf.constant(1), tf.constant(2)), {}, "total")
    assert total.op is graph.operations[-1]
    assert (total.name, total.op.type) == ("total:0", "AddV2")


def test_a_tape_notes_what_ran():
    noted = []

    class Tape:
        def note(self, graph, op):
            noted.append((graph, op.definition.name, op.place))

    before, STATE.tapes = STATE.tapes, (Tape(),)
    try:
        execute(ADD, (tf.constant(1), tf.constant(2)), {})
    finally:
        STATE.tapes = before
    assert noted == [(None, "AddV2", None)]


def test_a_tensor_without_a_value_decides_itself():
    asked = []

    class Later(EagerTensor):
        def __tf_defer__(self, name, again, inputs, specs):
            asked.append((name, specs))
            return again(*(EagerTensor(each._a) for each in inputs))

    (total,) = execute(ADD, (Later(np.int32(1)), Later(np.int32(2))), {})
    assert asked == [("AddV2", (tf.TensorSpec([], tf.int32),))]
    assert total.numpy() == 3


def test_results_are_tensors_whatever_a_kernel_returns():
    assert wrap(b"text").dtype is tf.string
    assert wrap(2.5).dtype is tf.float64
    assert wrap(np.array(["a"])).dtype is tf.string


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


def test_an_error_of_python_in_a_kernel_is_that_error_at_once_and_in_a_graph():
    for run in (lambda x: 1 << x, tf.function(lambda x: 1 << x)):
        with pytest.raises(ValueError, match="negative shift count"):
            run(tf.constant(-1))
        assert int(run(tf.constant(3))) == 8
