"""Each op's gradient rule against finite differences, to second order; the registry drives it."""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.backprop.walk import carries_gradient, gradients
from runtime.core.context import recording
from runtime.core.dispatch import execute, infer
from runtime.core.graph import Graph
from runtime.core.opdef import NOT_DIFFERENTIABLE, all_ops
from runtime.engines import interpreter
from runtime.ops.base.define import bind

SYMMETRIC = {"Cholesky"}
"""Ops of symmetric matrices: both elements of a pair move together, and share the gradient."""

STEP = 1e-6
TOLERANCE = 2e-5


def in_double_precision(args):
    return tuple(map(doubled, args))


def doubled(value):
    array = np.asarray(value)
    return array.astype(np.float64) if array.dtype.kind == "f" else value


def differentiable_samples():
    for op in all_ops():
        if op.grad is None or op.grad is NOT_DIFFERENTIABLE:
            continue
        for number, sample in enumerate(op.samples):
            inputs, _ = bind(op.name, op.inputs, in_double_precision(sample.args))
            outputs = infer(op, inputs, sample.attrs)
            if any(x.dtype is tf.float64 for x in inputs) and any(
                y.dtype is tf.float64 for y in outputs
            ):
                yield pytest.param(op, inputs, sample.attrs, id=f"{op.name}-{number}")


def weighted(graph, tensors):
    """One number made of all elements, so that each counts differently."""
    total = tf.constant(0.0, tf.float64)
    for tensor in tensors:
        if carries_gradient(tensor):
            weights = tf.range(tf.size(tensor), delta=1) + 1
            values = tf.reshape(tensor, [-1]) * (tf.cast(weights, tf.float64) * 0.37)
            total = total + tf.reduce_sum(values)
    return total


def recorded(op, inputs, attrs):
    graph = Graph("rule")
    arguments = [graph.add_input(tensor.spec, "x") for tensor in inputs]
    with recording(graph):
        outputs = execute(op, arguments, attrs)
        graph.outputs = [weighted(graph, [y for y in outputs if y.dtype is tf.float64])]
    return graph, arguments


def check(graph, arguments, arrays, symmetric=False):
    """Compares the gradient of a graph's only output with finite differences."""
    wanted = [i for i, x in enumerate(arguments) if x.dtype is tf.float64]
    before = list(graph.outputs)
    made = gradients(before, [arguments[i] for i in wanted])
    graph.outputs = before
    value = interpreter.executable(graph)
    graph.outputs = [gradient for gradient in made if gradient is not None]
    computed = iter(interpreter.executable(graph)(*arrays))
    for i, gradient in zip(wanted, made, strict=True):
        exact = np.zeros(np.shape(arrays[i])) if gradient is None else next(computed)
        numeric = differences(value, arrays, i, symmetric)
        assert exact.shape == numeric.shape
        np.testing.assert_allclose(exact, numeric, rtol=TOLERANCE, atol=TOLERANCE)
    return made


def differences(value, arrays, i, symmetric):
    result = np.zeros(np.shape(arrays[i]))
    for position in np.ndindex(result.shape):
        sides = []
        for step in (STEP, -STEP):
            moved = np.array(arrays[i])
            if symmetric:
                moved[position] += step / 2
                moved[(*position[:-2], position[-1], position[-2])] += step / 2
            else:
                moved[position] += step
            sides.append(value(*arrays[:i], moved, *arrays[i + 1 :])[0])
        result[position] = (sides[0] - sides[1]) / (2 * STEP)
    return result


@pytest.mark.parametrize(("op", "inputs", "attrs"), list(differentiable_samples()))
def test_rule_agrees_with_finite_differences_to_second_order(op, inputs, attrs):
    graph, arguments = recorded(op, inputs, attrs)
    arrays = [tensor.array for tensor in inputs]
    symmetric = op.name in SYMMETRIC
    made = check(graph, arguments, arrays, symmetric)
    with recording(graph):
        graph.outputs = [weighted(graph, [gradient for gradient in made if gradient is not None])]
    check(graph, arguments, arrays, symmetric)


def measures(tensors):
    return any(x.dtype.is_floating or x.dtype.is_complex for x in tensors)


def takes_part_in_gradients(op):
    """Whether a sample of the op has floating-point or complex inputs and outputs."""
    for sample in op.samples:
        inputs, _ = bind(op.name, op.inputs, sample.args)
        if measures(inputs) and measures(infer(op, inputs, sample.attrs)):
            return True
    return False


OF_PACKAGES = {"NumPyAccumulate", "NumPyUfunc"}
"""Functions of packages, whose derivatives nobody here knows: an error names them."""


def test_no_other_op_lacks_a_rule():
    rules = {op for op in all_ops() if op.grad is not None or op.backward is not None}
    without = {op.name for op in all_ops() if op not in rules and takes_part_in_gradients(op)}
    assert without == OF_PACKAGES
