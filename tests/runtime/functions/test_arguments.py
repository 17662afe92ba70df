"""The arguments of one graph: by position, by name, and those that do not fit."""

import pytest

import runtime as tf


def concrete(function, *args, **kwargs):
    return tf.function(function, autograph=False).get_concrete_function(*args, **kwargs)


def scaled(x, n=2, *, shift):
    return x * float(n) + shift


SPEC = tf.TensorSpec([None], tf.float32)


ONE = tf.constant([1.0])


@pytest.fixture
def graph():
    return concrete(scaled, SPEC, 3, shift=tf.TensorSpec([], tf.float32, name="by"))


def test_arguments_by_position_and_by_name(graph):
    half = tf.constant(0.5)
    calls = [
        graph(ONE, shift=half),
        graph(ONE, 3, shift=half),
        graph(x=ONE, shift=half),
        graph(x=ONE, by=half),
        graph(ONE, half),
    ]
    assert [float(y[0]) for y in calls] == [3.5] * 5


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((), {}, r"missing a required argument: 'x'.*missing required arguments: x, by"),
        ((ONE, 4), {"shift": 0.5}, r"Can not cast 4 to Literal\[3\].*`n` of scaled is fixed to 3"),
        ((ONE, 3, 0.5, 1), {}, "too many positional.*takes 2 positional arguments, got 4"),
        ((ONE,), {"other": 1}, "unexpected keyword argument"),
    ],
)
def test_arguments_that_do_not_fit(graph, args, kwargs, words):
    with pytest.raises(TypeError, match=f"(?s)Binding inputs to tf.function failed.*{words}"):
        graph(*args, **kwargs)


@pytest.mark.parametrize("wrong", [tf.constant([1]), tf.constant([[1.0]])])
def test_tensors_that_do_not_fit(graph, wrong):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"input #0\(zero-based\)"):
        graph(wrong, shift=0.5)
    with pytest.raises(TypeError, match="must be float32"):
        graph(wrong, shift=0.5)


def test_a_variable_as_argument():
    f = concrete(lambda v: v * 2.0, tf.Variable(1.0))
    assert float(f(tf.Variable(4.0))) == 8.0
    with pytest.raises(TypeError, match="must be a variable float32"):
        f(tf.Variable([1.0]))
    assert "v: float32 Variable, shape=()" in f.pretty_printed_signature()


def test_methods_take_what_stands_behind_the_instance():
    class Model:
        @tf.function
        def double(self, x):
            return x * 2.0

    f = Model().double.get_concrete_function(tf.TensorSpec([], tf.float32))
    assert float(f(tf.constant(3.0))) == 6.0
    assert float(f(x=tf.constant(3.0))) == 6.0
    assert f.structured_input_signature == ((tf.TensorSpec([], tf.float32),), {})
    assert f.pretty_printed_signature(verbose=False) == "double(x)"


def test_inputs_have_the_names_of_the_arguments():
    def f(a, *args, b, **kwargs):
        return a

    one = tf.constant(1)
    graph = concrete(f, [one, one], one, {"z": one}, b=one, first=(one,), second=one)
    assert [tensor.name for tensor in graph.inputs] == [
        *("a:0", "a_1:0", "args_0:0", "args_1:0", "b:0", "first:0", "second:0"),
    ]
