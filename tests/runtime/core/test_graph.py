import queue

import pytest

import runtime as tf
from runtime.core.context import recording
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
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

    assert str(concrete_of(pick, SCALAR).graph) == (
        "graph pick(x: float32[]) -> float32[]\n"
        "  Greater/y = Const value=0.0 : float32[]\n"
        "  Greater = Greater x Greater/y : bool[]\n"
        "  cond = StatelessIf Greater x : float32[]\n"
        "      then_branch = graph pick_cond_true() captures (captured: float32[]) -> float32[]\n"
        "        add/y = Const value=1.0 : float32[]\n"
        "        add = AddV2 captured add/y : float32[]\n"
        "        return add\n"
        "      else_branch = graph pick_cond_false() captures (captured: float32[]) -> float32[]\n"
        "        return captured\n"
        "  cond/Identity = Identity cond : float32[]\n"
        "  Identity = Identity cond/Identity : float32[]\n"
        "  return Identity"
    )


def test_text_of_a_choice():
    def pick(i, x):
        return tf.switch_case(i, [lambda: x + 1.0, lambda: x])

    assert str(concrete_of(pick, tf.TensorSpec([], tf.int32), SCALAR).graph) == (
        "graph pick(i: int32[], x: float32[]) -> float32[]\n"
        "  switch_case/indexed_case = StatelessCase i x : float32[]\n"
        "      branch0 = graph pick_indexed_case_branch0() captures (captured: float32[])"
        " -> float32[]\n"
        "        add/y = Const value=1.0 : float32[]\n"
        "        add = AddV2 captured add/y : float32[]\n"
        "        return add\n"
        "      branch1 = graph pick_indexed_case_branch1() captures (captured: float32[])"
        " -> float32[]\n"
        "        return captured\n"
        "  switch_case/indexed_case/Identity = Identity switch_case/indexed_case : float32[]\n"
        "  Identity = Identity switch_case/indexed_case/Identity : float32[]\n"
        "  return Identity"
    )


def test_a_choice_whose_branches_do_not_fit_is_no_graph():
    def pick(i, x):
        return tf.switch_case(i, [lambda: x + 1.0, lambda: x])

    graph = concrete_of(pick, tf.TensorSpec([], tf.int32), SCALAR).graph
    choice = graph.get_operation_by_name("switch_case/indexed_case")
    choice.attrs["branch1"].inputs, choice.attrs["branch1"].captures = [], []
    with pytest.raises(InternalError, match="passes 1 tensors for 0"):
        verify(graph)


def test_text_shows_the_order_of_effects():
    variable = tf.Variable(1.0)

    def step(x):
        variable.assign_add(x)
        return variable.read_value()

    text = str(concrete_of(step, SCALAR).graph)
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
    assert graph.get_tensor_by_name("mul:0").op is graph.get_operation_by_name("mul")
    assert graph.as_graph_element("mul") is graph.get_operation_by_name("mul")
    assert graph.as_graph_element("mul:0") is graph.get_tensor_by_name("mul:0")


@pytest.mark.parametrize(
    ("name", "error", "text"),
    [
        ("mul:1", KeyError, "exists but only has 1 outputs"),
        ("no:0", KeyError, "'no', does not exist in the graph"),
        ("no", ValueError, r"looks like an \(invalid\) Operation name"),
        ("mul", ValueError, "refers to an Operation, not a Tensor"),
        ("mul:x", ValueError, "looks a like a Tensor name, but is not a valid one"),
        (5, TypeError, "Tensor names are strings"),
    ],
)
def test_what_is_no_name_of_a_tensor(name, error, text):
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    with pytest.raises(error, match=text):
        graph.get_tensor_by_name(name)


def test_what_is_no_element_of_a_graph():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    with pytest.raises(KeyError, match="refers to an Operation not in the graph"):
        graph.get_operation_by_name("nothing")
    with pytest.raises(ValueError, match="appears to refer to a Tensor, not a Operation"):
        graph.get_operation_by_name("mul:0")
    with pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"):
        graph.as_graph_element(5)
    with pytest.raises(ValueError, match="is not an element of this graph"):
        tf.Graph().as_graph_element(graph.get_tensor_by_name("mul:0"))
    with pytest.raises(ValueError, match="can't both be False"):
        graph.as_graph_element("mul", allow_tensor=False, allow_operation=False)
    with pytest.raises(ValueError, match="no attr named 'nothing'"):
        graph.get_operation_by_name("mul").get_attr("nothing")


def test_operands_are_named_after_the_operation_that_reads_them():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        _ = 2.0 * (x + 1.0) + 3.0
        tf.concat([[x], [1.0]], 0)
    names = [op.name for op in graph.get_operations()]
    assert names[:7] == ["Const", "add/y", "add", "mul/x", "mul", "add_1/y", "add_1"]
    assert names[-1] == "concat"


def test_name_scopes_nest_repeat_and_are_entered_again():
    with tf.Graph().as_default() as graph:
        with tf.name_scope("a") as first:
            with tf.name_scope("b") as inner:
                assert (first, inner) == ("a/", "a/b/")
                assert tf.constant(1, name="x").name == "a/b/x:0"
                assert graph.get_name_scope() == "a/b"
            with tf.name_scope("/".join(["c", "d"])) as both:
                assert both == "a/c/d/"
        with tf.name_scope("a") as second:
            assert second == "a_1/"
        with tf.name_scope(first) as again:
            assert again == "a/"
            assert tf.constant(1, name="x").name == "a/x:0"
            with tf.name_scope("") as outside:
                assert outside == ""
                assert tf.constant(1, name="x").name == "x:0"


def test_name_scopes_outside_of_graphs_do_not_become_unique():
    for _ in range(2):
        with tf.name_scope("a") as outer, tf.name_scope("b") as inner:
            assert (outer, inner) == ("a/", "a/b/")


def test_names_that_are_refused():
    with tf.Graph().as_default():
        for name in ("a b", "_a", "-a", "/", "_/"):
            with pytest.raises(ValueError, match="is not a valid root scope name"):
                tf.identity(1.0, name=name)
            with pytest.raises(ValueError, match="is not a valid node name"):
                tf.constant(1.0, name=name)
            with pytest.raises(ValueError, match="is not a valid root"), tf.name_scope(name):
                pass
        with tf.name_scope("a"), tf.name_scope("_b") as scope:
            assert scope == "a/_b/"
            assert tf.constant(1.0, name="_c").name == "a/_b/_c:0"
            with pytest.raises(ValueError, match="'a b' is not a valid scope name"):
                tf.identity(1.0, name="a b")
            with pytest.raises(ValueError, match="`a/_b/a b` is not a valid node name"):
                tf.constant(1.0, name="a b")
    with pytest.raises(ValueError, match="must be a string"):
        tf.name_scope(None)


def test_unique_name_can_leave_the_name_free():
    graph = tf.Graph()
    assert graph.unique_name("x", mark_as_used=False) == "x"
    assert [graph.unique_name("x"), graph.unique_name("X")] == ["x", "X_1"]


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


def test_consumers_and_devices():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.device("/cpu:0"):
            y = x + x
        z = y * x
    assert x.consumers() == [y.op, z.op]
    assert z.consumers() == []
    assert (x.device, y.device, z.op.device) == ("", "/cpu:0", "")
    assert y.op.values() == (y,)


def test_control_dependencies_of_a_graph_built_by_hand():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0)
        with graph.control_dependencies([x]), tf.control_dependencies([x.op, x]):
            y = tf.constant(2.0)
            with tf.control_dependencies(None):
                z = tf.constant(3.0)
    assert y.op.control_inputs == [x.op]
    assert z.op.control_inputs == []
    with tf.Graph().as_default():
        refused = pytest.raises(ValueError, match="is not an element of this graph")
        with refused, tf.control_dependencies([x]):
            pass
        refused = pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation")
        with refused, tf.control_dependencies([3]):
            pass


def test_only_functions_keep_the_order_of_effects():
    def effects():
        tf.print("a")
        tf.print("b")

    with tf.Graph().as_default() as graph:
        effects()
    first, second = graph.get_operations()
    assert second.control_inputs == []
    first, second = concrete_of(effects).graph.get_operations()
    assert second.control_inputs == [first]


def test_what_is_being_recorded():
    seen = []

    def look():
        with tf.init_scope():
            inner = tf.executing_eagerly()
        seen.append((tf.executing_eagerly(), tf.inside_function(), inner))
        return tf.constant(1)

    look()
    concrete_of(look)
    with tf.Graph().as_default():
        look()
        tf.function(look, autograph=False)()
    assert seen == [
        (True, False, True),
        (False, True, True),
        (False, False, False),
        (False, True, False),
    ]


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
    with pytest.raises(InternalError, match="but the shape rule returns"):
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


def test_names_of_operations_are_known_as_they_come():
    graph = tf.Graph()
    with graph.as_default():
        for number in range(3):
            made = tf.constant(number, name=f"number{number}")
            assert graph.get_operation_by_name(f"number{number}") is made.op
            with pytest.raises(KeyError, match="not in the graph"):
                graph.get_operation_by_name(f"number{number + 1}")
    assert graph.get_operation_by_name("number0") is graph.get_operations()[0]
