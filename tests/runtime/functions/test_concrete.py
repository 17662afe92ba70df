"""One graph of a function: how it is called, and what it says of itself."""

import pytest

import runtime as tf


def concrete(function, *args, **kwargs):
    return tf.function(function, autograph=False).get_concrete_function(*args, **kwargs)


def scaled(x, n=2, *, shift):
    return x * float(n) + shift


SPEC = tf.TensorSpec([None], tf.float32)


def test_every_result_has_a_name_of_its_own():
    large = tf.zeros([1000])
    graph = concrete(lambda x: {"a": x, "b": [x, None, x + 1.0, large, 3]}, SPEC)
    assert [tensor.name for tensor in graph.outputs] == [
        "Identity:0",
        *(f"Identity_{i}:0" for i in range(1, 5)),
    ]
    assert graph.structured_outputs["b"][1] is None
    assert graph.structured_outputs["b"][3].name == "Identity_3:0"
    assert graph.output_shapes["b"][1] == tf.TensorShape(None)
    assert graph.output_shapes["b"][3:] == [[1000], []]
    assert len(graph.graph.get_operations()) == 10


def test_results_in_a_dict_are_numbered_by_key():
    graph = concrete(lambda x: {"b": x, "a": (x * 2.0, [x * 3.0]), "c": None}, SPEC)
    held = graph.structured_outputs
    assert list(held) == ["b", "a", "c"]
    assert [held["a"][0].name, held["a"][1][0].name, held["b"].name] == [
        *("Identity:0", "Identity_1:0", "Identity_2:0")
    ]
    found = graph(tf.constant([1.0]))
    assert list(found) == ["b", "a", "c"]
    assert [float(y[0]) for y in (found["b"], found["a"][0], found["a"][1][0])] == [1, 2, 3]


def test_results_in_a_dict_of_unlike_keys_are_numbered_as_they_stand():
    found = concrete(lambda x: {"b": x, 1: x * 2.0}, SPEC)(tf.constant([1.0]))
    assert {key: float(value[0]) for key, value in found.items()} == {"b": 1, 1: 2}


def test_a_dict_of_a_called_function_keeps_its_order():
    inner = tf.function(lambda x: {"b": x, "a": x * 2.0})
    found = concrete(lambda x: (inner(x)["b"], inner(x)), SPEC)(tf.constant([1.0]))
    assert (float(found[0][0]), list(found[1]), float(found[1]["a"][0])) == (1, ["b", "a"], 2)


def test_names_of_results_are_gone_when_it_runs():
    graph = concrete(lambda x: (x, tf.identity(x) * 2.0), SPEC)
    assert [op.type for op in graph.optimized_graph.operations] == ["Placeholder", "Const", "Mul"]
    assert "identity" not in graph.plan_source


def test_results_wait_for_effects():
    def f(x):
        tf.print(x)
        return x

    graph = concrete(f, SPEC).graph
    (waited,) = graph.get_operation_by_name("Identity").control_inputs
    assert (waited.type, [op.type for op in waited.control_inputs]) == ("NoOp", ["PrintV2"])


def test_results_do_not_wait_for_random_numbers():
    graph = concrete(lambda x: x + tf.random.uniform([]), SPEC).graph
    assert graph.get_operation_by_name("Identity").control_inputs == []


@pytest.fixture
def graph():
    return concrete(scaled, SPEC, 3, shift=tf.TensorSpec([], tf.float32, name="by"))


def test_what_it_takes_and_gives(graph):
    (args, kwargs) = graph.structured_input_signature
    assert args == (SPEC, 3)
    assert args[0].name == "x"
    assert kwargs == {"shift": tf.TensorSpec([], tf.float32)}
    assert graph.structured_outputs.shape == [None]
    assert [t.dtype for t in graph.inputs] == [tf.float32, tf.float32]
    assert len(graph.outputs) == 1
    assert graph.captured_inputs == []


def test_structures_in_and_out():
    f = concrete(
        lambda d: {"sum": d["a"] + d["b"][0], "none": None},
        {"a": tf.TensorSpec([], tf.float32), "b": [tf.TensorSpec([], tf.float32)]},
    )
    result = f({"a": tf.constant(1.0), "b": [tf.constant(2.0)]})
    assert float(result["sum"]) == 3.0
    assert result["none"] is None
    assert f.structured_outputs["sum"].dtype == tf.float32
    with pytest.raises(TypeError, match="must have the structure"):
        f({"a": tf.constant(1.0)})


def test_variables_that_it_uses():
    used, constant = tf.Variable(1.0, name="used"), tf.Variable(2.0, trainable=False)
    f = concrete(lambda x: x + used + constant, tf.TensorSpec([], tf.float32))
    assert [id(v) for v in f.variables] == [id(used), id(constant)]
    assert [id(v) for v in f.trainable_variables] == [id(used)]
    assert len(f.captured_inputs) == 2


def test_texts(graph):
    assert repr(graph).startswith("<ConcreteFunction scaled(x, n=3, shift) at 0x")
    assert str(graph) == (
        "ConcreteFunction scaled(x, n=3, shift)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=(None,)\n"
        "    shift: float32 Tensor, shape=()\n"
        "  Returns:\n"
        "    float32 Tensor, shape=(None,)"
    )


def test_the_inference_function_runs_the_graph():
    graph = concrete(lambda x: x * 2.0, SPEC)
    assert graph.inference_fn(tf.constant([1.0])).numpy().tolist() == [2.0]
    assert graph.inference_fn.graph is graph.graph
