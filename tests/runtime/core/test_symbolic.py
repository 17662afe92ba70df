"""Tensors of graphs that are over."""

import functools
import queue

import pytest

import runtime as tf
from tests.runtime.core.traced import SCALAR, concrete_of


def test_leaked_tensor_is_named():
    kept = queue.SimpleQueue()

    def first(x):
        kept.put(x + 1.0)
        return x

    def second(x):
        leaked = kept.get()
        return x + leaked

    concrete_of(first, SCALAR)
    with pytest.raises(tf.errors.InaccessibleTensorError) as caught:
        concrete_of(second, SCALAR)
    text = str(caught.value)
    assert "`leaked`" in text
    assert "test_symbolic.py" in text


def test_tensor_of_a_branch_cannot_be_used_after_it():
    kept = []

    def f(x):
        def branch():
            kept.append(x * 2.0)
            return x

        y = tf.cond(x > 0.0, branch, lambda: x)
        leaked = kept[0]
        return y + leaked

    with pytest.raises(tf.errors.InaccessibleTensorError, match="`leaked`"):
        concrete_of(f, SCALAR)


def test_a_result_that_a_branch_caches_goes_in_a_dict():
    def cached(x):
        @functools.cache
        def double(k):
            return x * k

        return double(2) if x > 0 else double(2) + 1

    def kept(x):
        found = {}

        def double(k):
            if k not in found:
                found[k] = x * k
            return found[k]

        return double(2) if x > 0 else double(2) + 1

    with pytest.raises(tf.errors.InaccessibleTensorError, match=r"in place of `functools.cache`"):
        tf.function(cached)(tf.constant(3))
    for value in (3, -3):
        assert int(tf.function(kept)(tf.constant(value))) == kept(value)


@pytest.mark.parametrize("use", [lambda t: t + 1.0, bool])
def test_tensor_left_behind_by_a_trace_is_named(use):
    kept = queue.SimpleQueue()
    concrete_of(lambda x: kept.put(x * 2.0), SCALAR)
    stale = kept.get()
    with pytest.raises(tf.errors.InaccessibleTensorError, match="no value outside"):
        use(stale)


def test_numpy_of_a_tensor_left_behind_by_a_trace():
    kept = queue.SimpleQueue()
    concrete_of(lambda x: kept.put(x * 2.0), SCALAR)
    with pytest.raises(AttributeError, match=r"no attribute 'numpy'(.|\n)*no value outside"):
        kept.get().numpy()


def test_refusals_in_a_graph_that_is_built_by_hand_are_exceptions():
    with tf.Graph().as_default():
        flag = tf.constant(True)
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="`flag` is a symbolic"):
            bool(flag)
    with tf.Graph().as_default(), pytest.raises(tf.errors.InaccessibleTensorError, match="`flag`"):
        tf.identity(flag)


def test_a_value_is_not_assigned_and_the_error_says_how_the_variable_is():
    variables = [tf.Variable(1.0), tf.Variable(2.0)]

    @tf.function
    def chosen(i):
        variables[i].assign(7.0)

    @tf.function
    def itself(i):
        for k in range(2):
            if i == k:
                variables[k].assign(7.0)

    with pytest.raises(AttributeError, match=r"no attribute 'assign': .* `if i == k: variables\[k"):
        chosen(tf.constant(1))
    itself(tf.constant(1))
    assert [float(variable) for variable in variables] == [1.0, 7.0]


def test_a_tensor_has_no_method_of_variables():
    assert not tf.function(lambda x: hasattr(x, "assign_add"))(tf.constant(1.0))
