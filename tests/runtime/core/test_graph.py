import pytest

import runtime as tf
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.core.thread import STATE
from runtime.core.verify import verify
from tests.runtime.core.traced import SCALAR, concrete_of


def test_a_choice_whose_branches_do_not_fit_is_no_graph():
    def pick(i, x):
        return tf.switch_case(i, [lambda: x + 1.0, lambda: x])

    graph = concrete_of(pick, tf.TensorSpec([], tf.int32), SCALAR).graph
    choice = graph.get_operation_by_name("switch_case/indexed_case")
    choice.attrs["branch1"].inputs, choice.attrs["branch1"].captures = [], []
    with pytest.raises(InternalError, match="passes 1 tensors for 0"):
        verify(graph)


def test_small_tensors_become_constants_and_large_ones_are_captured():
    small, large = tf.constant([1.0, 2.0]), tf.zeros([1000])
    concrete = concrete_of(lambda x: (x + small, x + large), SCALAR)
    assert len(concrete.captured_inputs) == 1
    assert concrete.captured_inputs[0] is large


def test_a_tensor_of_an_outer_graph_and_its_own_capture_are_captured_once():
    @tf.function
    def f(x):
        middle = Graph("middle", STATE.graph)
        inner = Graph("inner", middle)
        assert inner.capture(middle.capture(x)) is inner.capture(x)
        assert inner.captures == [middle.capture(x)]
        return x

    f(tf.constant(1.0))


def test_lookups():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    assert graph.get_tensor_by_name("mul:0").op is graph.get_operation_by_name("mul")
    assert graph.as_graph_element("mul") is graph.get_operation_by_name("mul")
    assert graph.as_graph_element("mul:0") is graph.get_tensor_by_name("mul:0")


@pytest.mark.parametrize(
    ("name", "error", "text"),
    [
        ("mul:1", KeyError, "the operation has 1 outputs"),
        ("no:0", KeyError, "'no' refers to an Operation not in the graph"),
        ("mul", ValueError, "is not the name of a tensor"),
        ("mul:x", ValueError, "is not the name of a tensor"),
    ],
)
def test_what_is_no_name_of_a_tensor(name, error, text):
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    with pytest.raises(error, match=text):
        graph.get_tensor_by_name(name)


def test_what_is_no_element_of_a_graph():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    for name in ("nothing", "mul:0"):
        with pytest.raises(KeyError, match="refers to an Operation not in the graph"):
            graph.get_operation_by_name(name)
    with pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"):
        graph.as_graph_element(5)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        tf.Graph().as_graph_element(graph.get_tensor_by_name("mul:0"))
    with pytest.raises(ValueError, match="no attr named 'nothing'"):
        graph.get_operation_by_name("mul").get_attr("nothing")


def test_finalized_graphs_take_nothing_more():
    graph = tf.Graph()
    with graph.as_default():
        tf.constant(1.0)
        assert not graph.finalized
        graph.finalize()
        assert graph.finalized
        with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified"):
            tf.constant(2.0)
    assert graph.version == 1
