import pytest

import runtime as tf
from runtime.core.context import recording
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.core.text import graph_text
from runtime.core.verify import verify


def concrete_of(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    verify(concrete.graph)
    verify(concrete.optimized_graph)
    return concrete


SCALAR = tf.TensorSpec([], tf.float32)


def test_names_are_unique_without_regard_to_case():
    graph = Graph()
    assert [graph.unique_name(name) for name in ("add", "add", "Add", "add_1", "mul")] == [
        "add",
        "add_1",
        "Add_2",
        "add_1_1",
        "mul",
    ]


def test_text_of_a_branch():
    def pick(x):
        return tf.cond(x > 0.0, lambda: x + 1.0, lambda: x)

    assert graph_text(concrete_of(pick, SCALAR).graph) == (
        "graph pick(x: float32[]) -> float32[]\n"
        "  Const = Const value=0.0 : float32[]\n"
        "  Greater = Greater x Const : bool[]\n"
        "  cond = StatelessIf Greater x : float32[]\n"
        "      then_branch = graph pick_cond_true() captures (captured: float32[]) -> float32[]\n"
        "        Const = Const value=1.0 : float32[]\n"
        "        add = AddV2 captured Const : float32[]\n"
        "        return add\n"
        "      else_branch = graph pick_cond_false() captures (captured: float32[]) -> float32[]\n"
        "        return captured\n"
        "  return cond"
    )


def test_text_shows_the_order_of_effects():
    variable = tf.Variable(1.0)

    def step(x):
        variable.assign_add(x)
        return variable.read_value()

    text = graph_text(concrete_of(step, SCALAR).graph)
    assert "ReadVariableOp captured spec=" in text
    assert "after AssignAddVariableOp : float32[]" in text


def test_effects_wait_for_what_came_before():
    variable = tf.Variable(1.0)

    def step(x):
        first = variable.read_value()
        second = variable.read_value()
        variable.assign(x)
        third = variable.read_value()
        return first + second + third

    graph = concrete_of(step, SCALAR).graph
    waits = {op.name: [other.name for other in op.control_inputs] for op in graph.operations}
    assert waits["AssignVariableOp"] == ["ReadVariableOp", "ReadVariableOp_1"]
    assert waits["ReadVariableOp"] == []
    assert waits["ReadVariableOp_2"] == ["AssignVariableOp"]


def test_small_tensors_become_constants_and_large_ones_are_captured():
    small, large = tf.constant([1.0, 2.0]), tf.zeros([1000])
    concrete = concrete_of(lambda x: (x + small, x + large), SCALAR)
    assert len(concrete.captured_inputs) == 1
    assert concrete.captured_inputs[0] is large


def test_lookups():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    assert graph.get_tensor_by_name("mul:0").op.type == "Mul"
    for wrong in ("mul:1", "nothing:0", "mul"):
        with pytest.raises(KeyError):
            graph.get_tensor_by_name(wrong)
    with pytest.raises(ValueError, match="no attribute"):
        graph.get_operation_by_name("mul").get_attr("nothing")


def test_verifier_finds_a_tensor_that_is_not_made_before():
    graph = concrete_of(lambda x: (x * 2.0) + 1.0, SCALAR).graph
    graph.operations.reverse()
    with pytest.raises(InternalError, match="not made before"):
        verify(graph)


def test_verifier_finds_repeated_names():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    graph.operations[-1].name = graph.operations[0].name
    with pytest.raises(InternalError, match="name of another"):
        verify(graph)


def test_verifier_finds_a_wrong_spec():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    tensor = graph.outputs[0]
    tensor._known = tensor.spec.with_dtype(tf.int32)
    with pytest.raises(InternalError, match="but the rule gives"):
        verify(graph)


def test_graph_as_context():
    graph = Graph("by hand")
    x = graph.add_input(SCALAR, "x")
    with recording(graph):
        assert not tf.executing_eagerly()
        graph.outputs = [x + 1.0]
    assert tf.executing_eagerly()
    verify(graph)


def test_leaked_tensor_is_named():
    kept = []

    def first(x):
        kept.append(x + 1.0)
        return x

    def second(x):
        leaked = kept[0]
        return x + leaked

    concrete_of(first, SCALAR)
    with pytest.raises(tf.errors.InaccessibleTensorError) as caught:
        concrete_of(second, SCALAR)
    text = str(caught.value)
    assert "`leaked`" in text
    assert "test_graph.py" in text


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


@pytest.mark.parametrize("use", [lambda t: t + 1.0, bool, lambda t: t.numpy()])
def test_tensor_left_behind_by_a_trace_is_named(use):
    kept = []
    concrete_of(lambda x: kept.append(x * 2.0), SCALAR)
    stale = kept[0]
    with pytest.raises(tf.errors.InaccessibleTensorError, match="no value outside"):
        use(stale)
