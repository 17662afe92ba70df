"""How arguments meet parameters, and what is said where they do not."""

import pytest

import runtime as tf

VECTOR = tf.TensorSpec([None], tf.float32)
SCALAR = tf.TensorSpec([], tf.float32)


def plain(x, y=1):
    return x


def keyword_only(x, *, k):
    return x


@pytest.mark.parametrize(
    ("function", "signature", "words"),
    [
        (plain, 3, "must be either a tuple or a list, got <class 'int'>"),
        (plain, SCALAR, "must be either a tuple or a list"),
        (plain, [3], r"got invalid args \[3\] with types \[<class 'int'>\]"),
        (plain, [SCALAR] * 3, r"contains 1 extra type constraints\. .* of plain\("),
        (lambda x, y: x, [SCALAR], "input_signature missing type constraint for y"),
        (keyword_only, [SCALAR], "keyword-only parameter `k` must have a default value"),
    ],
)
def test_signatures_that_do_not_fit_the_function(function, signature, words):
    with pytest.raises(TypeError, match=words):
        tf.function(function, input_signature=signature)


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        ((), {}, "missing a required argument: 'x'"),
        ((1, 2, 3), {}, "too many positional arguments"),
        ((1,), {"q": 2}, "got an unexpected keyword argument 'q'"),
    ],
)
def test_calls_that_do_not_fit_the_function(args, kwargs, words):
    f = tf.function(plain)
    with pytest.raises(TypeError, match=f"Binding inputs to tf.function failed due to `{words}"):
        f(*args, **kwargs)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((tf.constant([[1.0]]),), r"Can not cast TensorSpec\(shape=\(1, 1\).*`x` must be float32"),
        ((tf.constant([1]),), r"Can not cast TensorSpec\(shape=\(1,\), dtype=tf.int32"),
        ((object(),), "`x` must be a tensor"),
        (([1.0], 2), r"Can not cast 2 to Literal\[1\]"),
    ],
)
def test_calls_that_do_not_fit_the_signature(args, words):
    f = tf.function(plain, input_signature=[VECTOR])
    with pytest.raises(TypeError, match=f"Binding inputs to tf.function failed.*{words}"):
        f(*args)


def test_python_values_become_tensors_of_the_signature():
    f = tf.function(plain, input_signature=[VECTOR])
    assert f([1, 2]).dtype == tf.float32
    assert f(x=[1.0, 2.0]).shape == [2]
    assert f([1.0], 1).shape == [1]
    assert f.experimental_get_tracing_count() == 1
    assert f.input_signature == (VECTOR,)


def test_nested_signature():
    f = tf.function(
        lambda d: d["a"] * tf.reduce_sum(d["b"][0]),
        input_signature=[{"a": SCALAR, "b": [VECTOR]}],
    )
    assert float(f({"a": 2.0, "b": [[1.0, 2.0]]})) == 6.0
    assert float(f({"b": [[1.0]], "a": 3.0})) == 3.0
    assert f.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match="has different keys with the TraceType"):
        f({"a": 1.0})
    with pytest.raises(TypeError, match=r"Can not cast \[1.0\] to a Dict type"):
        f([1.0])
    with pytest.raises(TypeError, match="has different length"):
        f({"a": 1.0, "b": []})


def test_star_arguments_in_a_signature():
    f = tf.function(lambda *values: values[0] + values[1], input_signature=[SCALAR, SCALAR])
    assert float(f(1.0, 2.0)) == 3.0
    with pytest.raises(TypeError, match="missing a required argument: 'values_1'"):
        f(1.0)
    with pytest.raises(TypeError, match="too many positional arguments"):
        f(1.0, 2.0, 3.0)


def test_methods_have_a_signature_behind_the_instance():
    class Model:
        @tf.function(input_signature=[VECTOR])
        def total(self, x):
            return tf.reduce_sum(x)

    model = Model()
    assert float(model.total([1.0, 2.0])) == 3.0
    assert float(Model.total(model, [1.0, 2.0, 3.0])) == 6.0
    assert model.total.get_concrete_function().inputs[0].shape == [None]
    with pytest.raises(TypeError, match="Binding inputs"):
        model.total([[1.0]])


def test_variables_count_by_type():
    traces = []

    @tf.function
    def f(a, b):
        traces.append(1)
        return a.assign_add(b)

    u, v, w = tf.Variable(1.0), tf.Variable(2.0), tf.Variable([1.0])
    assert [float(f(u, v)), float(f(v, u)), len(traces)] == [3.0, 5.0, 1]
    assert [float(f(u, u)), len(traces)] == [6.0, 2]
    assert f(w, w).numpy().tolist() == [2.0]
    assert len(traces) == 3


def test_one_variable_given_twice_is_one_object():
    same = []
    f = tf.function(lambda a, b: same.append(a is b) or a + b, autograph=False)
    v = tf.Variable(2.0)
    assert float(f(v, v)) == 4.0
    f(v, tf.Variable(1.0))
    assert same == [True, False]


def test_sets_and_unhashable_objects():
    class Odd:
        __hash__ = None

        def __eq__(self, other):
            return True

    f = tf.function(lambda x: tf.constant(1), autograph=False)
    odd = Odd()
    for value in ({1, 2}, {2, 1}, odd, odd, Odd(), {1: 2}, {1: 2}):
        f(value)
    assert f.experimental_get_tracing_count() == 4
