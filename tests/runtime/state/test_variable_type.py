"""Trace types of variables: what selects the graph of a function."""

import runtime as tf
from runtime.state.variable_type import VariableType

SPEC = tf.TensorSpec([2], tf.float32)


def test_types_are_equal_by_spec_trainability_and_alias():
    assert VariableType(SPEC, True) == VariableType(SPEC, True, 0)
    assert hash(VariableType(SPEC, True)) == hash(VariableType(SPEC, True))
    others = (VariableType(SPEC, False), VariableType(SPEC, True, 1), SPEC)
    assert all(VariableType(SPEC, True) != other for other in others)


def test_texts():
    kind = VariableType(SPEC, True)
    assert str(kind) == "variable float32[2]"
    assert repr(kind).startswith("VariableType(TensorSpec(shape=(2,), ")


def test_variables_of_one_type_share_a_graph():
    @tf.function
    def add(v, by):
        v.assign_add(by)

    for v in (tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])):
        add(v, [1.0, 1.0])
        add(v, [1.0, 1.0])
    assert v.numpy().tolist() == [5.0, 6.0]
    assert add.experimental_get_tracing_count() == 1
    add(tf.Variable([1.0, 2.0], trainable=False), [1.0, 1.0])
    assert add.experimental_get_tracing_count() == 2


def test_one_variable_given_twice_has_a_graph_of_its_own():
    @tf.function
    def both(v, w):
        v.assign_add(1.0)
        return v + w

    v = tf.Variable(1.0)
    assert float(both(v, tf.Variable(1.0))) == 3.0
    assert float(both(v, v)) == 6.0
    assert both.experimental_get_tracing_count() == 2
