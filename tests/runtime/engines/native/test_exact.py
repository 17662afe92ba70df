"""Machine code of exact parts has the results of the plan: what may round differently is left."""

import functools

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.limits import Unsupported
from runtime.engines.native import exact
from runtime.engines.native import plan as native
from runtime.engines.native.boundary import NativeFunction
from runtime.engines.native.lists import with_stacked_results
from runtime.engines.parts import divided
from tests.runtime.engines.list_programs import primes

VECTOR = tf.TensorSpec([64], tf.float32)


def operation(function, spec):
    """Return the operation of a graph that has one."""
    concrete = tf.function(function, autograph=False).get_concrete_function(spec)
    (found,) = [op for op in concrete.graph.operations if op.inputs and op.type != "Identity"]
    return found


@pytest.mark.parametrize(
    "function",
    [tf.negative, tf.sqrt, tf.square, lambda x: x / 3.0, lambda x: tf.maximum(x, 1.0)],
    ids=["sign", "root", "square", "quotient", "larger"],
)
def test_operations_with_one_right_result_are_compiled(function):
    op = operation(function, VECTOR)
    assert exact.is_exact_elementwise(op)
    exact.rule_for(op)


@pytest.mark.parametrize(
    "function",
    [tf.sin, tf.exp, tf.sigmoid, lambda x: x**1.5, tf.reduce_sum, tf.reduce_max],
    ids=["sine", "exponential", "sigmoid", "power", "sum", "extreme"],
)
def test_operations_that_may_round_differently_are_left_to_the_plan(function):
    op = operation(function, VECTOR)
    assert not exact.is_exact_elementwise(op)
    with pytest.raises(Unsupported, match="may round differently"):
        exact.rule_for(op)


def test_pooling_is_exact_and_convolution_is_not():
    images = tf.TensorSpec([1, 4, 4, 2], tf.float32)
    op = operation(lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), images)
    assert exact.is_exact_elementwise(op)
    exact.rule_for(op)
    weights = tf.constant(2.0, shape=[3, 3, 2, 1])
    op = operation(lambda x: tf.nn.conv2d(x, weights, 1, "VALID"), images)
    assert not exact.is_exact_elementwise(op)
    with pytest.raises(Unsupported, match="may round differently"):
        exact.rule_for(op)


def test_sums_of_integers_are_exact():
    op = operation(tf.reduce_sum, tf.TensorSpec([64], tf.int32))
    assert exact.rule_for(op) is not None


def test_a_loop_and_the_lists_that_it_changes_are_one_part():
    concrete = tf.function(primes).get_concrete_function(tf.TensorSpec([], tf.int32))
    graph = with_stacked_results(concrete.optimized_graph)
    compiler = functools.partial(NativeFunction, rules=exact.rule_for)
    found = divided(graph, compiler, exact.is_exact_elementwise, in_loops=True)
    assert len(found.functions) == 1, found.reasons
    run = native.with_exact_parts(concrete.optimized_graph)
    (found,) = run(np.int32(12))
    assert found.tolist() == [2, 3, 5, 7, 11]
