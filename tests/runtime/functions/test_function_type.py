"""What functions and their graphs say of their parameters, results and captured tensors."""

import collections
import inspect

import pytest

import runtime as tf
import runtime.types.experimental

Pair = collections.namedtuple("Pair", "a b")
VECTOR = tf.TensorSpec([2], tf.float32)
NUMBER = tf.TensorSpec([], tf.int32)


def every(x, y=3, *args, k=1, **kw):
    return Pair(x, [x, None]), {"q": ()}


def test_a_graph_has_a_parameter_for_everything_that_was_passed():
    f = tf.function(every)
    kind = f.get_concrete_function(VECTOR, 4, {"n": NUMBER}, k=Pair(1, NUMBER), z=2).function_type
    assert isinstance(kind, runtime.types.experimental.FunctionType)
    assert [(p.name, p.kind.name) for p in kind.parameters.values()] == [
        ("x", "POSITIONAL_ONLY"),
        ("y", "POSITIONAL_ONLY"),
        ("args_0", "POSITIONAL_ONLY"),
        ("k", "KEYWORD_ONLY"),
        ("z", "KEYWORD_ONLY"),
    ]
    number = "TensorSpec(shape=(), dtype=tf.int32, name=None)"
    assert [repr(p.type_constraint) for p in kind.parameters.values()] == [
        "TensorSpec(shape=(2,), dtype=tf.float32, name=None)",
        "Literal[4]",
        f"Dict[['n', {number}]]",
        f"Pair[['a', Literal[1]], ['b', {number}]]",
        "Literal[2]",
    ]
    assert kind.flat_inputs == [VECTOR, NUMBER, NUMBER]
    assert kind.flat_outputs == [VECTOR, VECTOR]
    vector = repr(VECTOR)
    assert repr(kind.output) == (
        f"Tuple[Pair[['a', {vector}], ['b', List[{vector}, Literal[None]]]], Dict[['q', Tuple[]]]]"
    )


def test_parameters_keep_their_kind_where_nothing_goes_to_a_star():
    kind = tf.function(every).get_concrete_function(VECTOR).function_type
    assert [p.kind.name for p in kind.parameters.values()] == [
        *("POSITIONAL_OR_KEYWORD", "POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")
    ]
    assert str(kind).startswith(f"(x: {VECTOR!r}, y: Literal[3], *, k: Literal[1]) -> Tuple[")


def test_captured_tensors_have_specs():
    variable = tf.Variable(1.0)
    concrete = tf.function(lambda v: v * variable).get_concrete_function(tf.Variable(2.0))
    resource = tf.TensorSpec([], tf.resource)
    assert list(concrete.function_type.captures.values()) == [resource]
    assert concrete.function_type.flat_inputs == [resource]
    assert repr(concrete.function_type).endswith(f": {resource!r}")


def test_types_of_structures_are_compared_by_what_they_stand_for():
    def output(*values):
        return (
            tf.function(lambda x: [x, *values]).get_concrete_function(VECTOR).function_type.output
        )

    one = output(None)
    assert one == output(None)
    assert hash(one) == hash(output(None))
    assert one != output()
    assert one.is_subtype_of(output(None))
    assert one.most_specific_common_supertype([output(None)]) is one
    assert one.most_specific_common_supertype([output()]) is None
    assert one.is_compatible_with([VECTOR, None])
    assert not one.is_compatible_with([VECTOR, 1])


def test_a_function_knows_its_parameters_before_it_has_a_graph():
    f = tf.function(every)
    spec = f.function_spec
    assert f.name == "every"
    assert spec.arg_names == ["x", "y"]
    assert spec.default_values == {"y": 3, "k": 1}
    assert spec.fullargspec == inspect.getfullargspec(every)
    assert (spec.input_signature, spec.flat_input_signature) == (None, (None,))
    assert str(f.function_type) == (
        "(x, y=<captured_default_value>, *args, k=<captured_default_value>, **kw)"
    )
    assert f.function_type.output is None
    assert spec.signature_summary(True).endswith("Captures:\n  None\nDefaults:\n  y: 3\n  k: 1")
    assert "Defaults" not in spec.signature_summary()


def test_a_function_knows_what_is_prescribed():
    signature = [VECTOR, [NUMBER]]
    f = tf.function(lambda x, ns=(): x, input_signature=signature)
    assert f.function_spec.input_signature == (VECTOR, [NUMBER])
    assert f.function_spec.flat_input_signature == (VECTOR, NUMBER)
    first, second = f.function_type.parameters.values()
    assert (first.type_constraint, first.optional) == (VECTOR, False)
    assert (repr(second.type_constraint), second.optional) == (f"List[{NUMBER!r}]", True)


def test_the_instance_of_a_method_is_no_parameter():
    class Model:
        @tf.function
        def scale(self, x, by=2.0):
            return x * by

    method = Model().scale
    assert method.function_spec.arg_names == ["x", "by"]
    assert list(method.function_type.parameters) == ["x", "by"]
    assert list(method.get_concrete_function(VECTOR).function_type.parameters) == ["x", "by"]


def test_a_graph_can_be_written_as_a_function():
    variable = tf.Variable([1.0, 2.0])
    concrete = tf.function(lambda x: {"y": x + variable}).get_concrete_function(VECTOR)
    written = concrete.function_def
    assert [arg.name for arg in written.signature.input_arg] == ["x", "captured"]
    assert [arg.name for arg in written.signature.output_arg] == ["identity"]
    assert written.ret["identity"] == "Identity:output:0"
    assert [n.op for n in written.node_def] == ["ReadVariableOp", "AddV2", "NoOp", "Identity"]


def test_the_function_that_is_written_comes_after_those_that_it_calls():
    inner = tf.function(lambda x: x * 2.0)
    outer = tf.function(lambda x: inner(x) + 1.0).get_concrete_function(VECTOR)
    called = [n.op for n in outer.function_def.node_def]
    assert called == ["PartitionedCall", "Const", "AddV2", "Identity"]


def test_what_a_graph_definition_cannot_say_is_refused_with_its_line():
    concrete = tf.function(lambda x: tf.py_function(abs, [x], tf.float32))
    graph = concrete.get_concrete_function(VECTOR)
    with pytest.raises(tf.errors.UnimplementedError, match="cannot be written to a GraphDef"):
        _ = graph.function_def


def test_variables_are_made_before_the_first_run():
    held = []

    @tf.function
    def scale(x):
        if not held:
            held.append(tf.Variable(5.0))
        return x * held[0]

    initialize = scale.get_initialization_function(tf.TensorSpec([], tf.float32))
    assert len(held) == 1
    held[0].assign(6.0)
    assert initialize() is None
    assert scale(tf.constant(2.0)) == 12.0


def test_variables_are_not_made_after_the_first_run():
    f = tf.function(lambda x: x)
    f(1)
    with pytest.raises(RuntimeError, match="cannot be called after the function has been used"):
        f.get_initialization_function(1)
