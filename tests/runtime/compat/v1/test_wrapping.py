"""Functions of version 1 as one graph, and parts of it."""

import gc

import pytest

import runtime as tf

v1 = tf.compat.v1
NUMBER = tf.TensorSpec([], tf.float32)
TWO = tf.constant(2.0)


def test_a_function_is_recorded_once():
    calls = []

    def double(x):
        calls.append(x)
        return {"y": x * 2.0, "none": None}

    graph = v1.wrap_function(double, [NUMBER], name="double")
    assert isinstance(graph, tf.types.experimental.ConcreteFunction)
    assert graph.name == "double"
    assert graph(TWO) == {"y": 4.0, "none": None}
    assert graph(3.0)["y"] == 6.0
    assert len(calls) == 1


def test_variables_belong_to_the_graph():
    def scaled(x):
        v = v1.get_variable("v", initializer=3.0)
        with v1.variable_scope("inner", reuse=v1.AUTO_REUSE):
            w = v1.get_variable("w", [], initializer=v1.ones_initializer())
        with v1.variable_scope("inner", reuse=True):
            assert v1.get_variable("w", []) is w
        return x * v + w + tf.Variable(2.0)

    graph = v1.wrap_function(scaled, [NUMBER])
    gc.collect()
    assert [v.name for v in graph.variables] == ["v:0", "inner/w:0", "Variable:0"]
    assert graph(TWO) == 9.0
    graph.variables[0].assign(4.0)
    assert graph(TWO) == 11.0


def test_variables_that_are_not_there_are_refused():
    def reused(x):
        with v1.variable_scope("a", reuse=True):
            return v1.get_variable("v", []) + x

    with pytest.raises(ValueError, match="Variable a/v does not exist"):
        v1.wrap_function(reused, [NUMBER])


def test_effects_happen_at_each_call():
    def count(x):
        total = v1.get_variable("total", initializer=0.0)
        v1.assign_add(total, x)
        return total.read_value()

    graph = v1.wrap_function(count, [NUMBER])
    assert [float(graph(TWO)), float(graph(TWO))] == [2.0, 4.0]


def test_python_decides_what_is_recorded():
    def absolute(x):
        return x if x > 0.0 else -x

    with pytest.raises(TypeError, match="Using a symbolic"):
        v1.wrap_function(absolute, [NUMBER])


@pytest.fixture
def steps():
    def run(x):
        squared = tf.square(x, name="squared")
        v = v1.get_variable("v", initializer=1.0)
        return tf.identity(squared + v, name="sum")

    return v1.wrap_function(run, [NUMBER])


def test_a_part_begins_and_ends_where_it_is_told(steps):
    assert steps.prune(steps.inputs[0], "squared:0")(tf.constant(3.0)) == 9.0
    both = steps.prune("squared:0", {"s": "sum:0", "q": ["squared:0"]}, name="part")
    assert both(tf.constant(3.0)) == {"s": 4.0, "q": [3.0]}
    assert both.name == "part"


def test_a_part_uses_the_same_variables(steps):
    part = steps.prune(steps.inputs, steps.outputs[0])
    steps.variables[0].assign(5.0)
    assert part(TWO) == 9.0
    assert [v.name for v in part.variables] == ["v:0"]


def test_an_operation_gives_none():
    def assigned(x):
        v = v1.get_variable("v", initializer=0.0)
        return v1.assign(v, x, name="store")

    graph = v1.wrap_function(assigned, [NUMBER])
    store = next(op for op in graph.graph.get_operations() if op.type == "AssignVariableOp")
    part = graph.prune(graph.inputs[0], store)
    assert part(TWO) is None
    assert graph.variables[0].numpy() == 2.0


def test_what_is_not_in_the_graph_is_refused(steps):
    with pytest.raises(KeyError, match="refers to a Tensor which does not exist"):
        steps.prune("nothing:0", "sum:0")
    with pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"):
        steps.prune("squared:0", 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
        steps.prune([], "sum:0")


def test_regularizers_of_variables_are_collected():
    def regular(x):
        v = v1.get_variable("v", [], regularizer=tf.square, initializer=v1.ones_initializer())
        (loss,) = v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES)
        return x * v + loss

    assert v1.wrap_function(regular, [NUMBER])(TWO) == 3.0
