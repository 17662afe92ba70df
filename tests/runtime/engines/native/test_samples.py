"""Every op type, with unknown dimensions and between elementwise ops, computes what it does alone.

An op alone is no part in machine code; between others it is, if it has a rule.
"""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.engines import interpreter
from runtime.ops.base.define import bind

pytest.importorskip("llvmlite")

from runtime.engines.native import plan as native

NUMBERS = (tf.float32, tf.float64, tf.int32, tf.int64)


def of_numbers(op):
    """Return the samples of an op whose inputs are numbers or truths."""
    for i, sample in enumerate(op.samples):
        inputs, _ = bind(op.name, op.inputs, sample.args)
        if inputs and all(each.dtype in (*NUMBERS, tf.bool) for each in inputs):
            yield pytest.param(op, sample, id=f"{op.name}-{i}")


SAMPLES = [
    param
    for op in all_ops()
    if op.effect is Effect.NONE and not op.boxed and not op.random
    for param in of_numbers(op)
]


def before(tensor):
    if tensor.dtype is tf.bool:
        return tf.logical_not(tf.logical_not(tensor))
    return tensor + tf.constant(0, tensor.dtype)


def after(tensor):
    if tensor.dtype is tf.bool:
        return tf.logical_not(tensor)
    return tensor * tf.constant(2, tensor.dtype) if tensor.dtype in NUMBERS else tensor


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_an_op_between_others_gives_what_the_interpreter_gives(op, sample):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    graph = Graph("sample")
    with recording(graph):
        specs = [tf.TensorSpec([None] * each.shape.rank, each.dtype) for each in inputs]
        arguments = [before(graph.add_input(spec, "x")) for spec in specs]
        graph.outputs = list(map(after, execute(op, arguments, sample.attrs)))
    arrays = [tensor.array for tensor in inputs]
    one, two = (engine.executable(graph)(*arrays) for engine in (interpreter, native))
    for expected, found in zip(map(np.asarray, one), map(np.asarray, two), strict=True):
        assert expected.dtype == found.dtype
        assert expected.shape == found.shape
        if expected.dtype.kind in "fc":
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
        elif expected.dtype.kind != "O":
            np.testing.assert_array_equal(found, expected)
