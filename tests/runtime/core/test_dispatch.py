"""Op calls: eager, recorded, observed, and on tensors without a value."""

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
