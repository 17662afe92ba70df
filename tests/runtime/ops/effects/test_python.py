"""Python functions as operations."""

import os
import traceback

import numpy as np
import pytest

import runtime as tf

LIBRARY = os.path.dirname(tf.__file__)
X = tf.constant([1.0, 2.0])


def both_ways(call):
    return [call, tf.function(call, autograph=False)]


def both(call):
    return [way() for way in both_ways(call)]


def test_tensors_and_arrays_in_and_out():
    kinds = []

    def noted(x):
        kinds.append(type(x))
        return x + x

    for y in both(lambda: tf.py_function(noted, [X], tf.float32)):
        assert y.numpy().tolist() == [2.0, 4.0]
    for y in both(lambda: tf.numpy_function(noted, [X], tf.float32)):
        assert y.numpy().tolist() == [2.0, 4.0]
    assert kinds == [type(X)] * 2 + [np.ndarray] * 2


@pytest.mark.parametrize("function", [tf.py_function, tf.numpy_function])
def test_several_and_no_results(function):
    for pair in both(lambda: function(lambda x: (x, x), [X], [tf.float32, tf.float32])):
        assert [y.numpy().tolist() for y in pair] == [[1.0, 2.0]] * 2
    at_once, recorded = both(lambda: function(lambda x: None, [X], []))
    assert recorded == []
    assert at_once == ([] if function is tf.py_function else None)


def test_python_values_take_the_dtype_of_the_result():
    for y in both(lambda: tf.py_function(lambda: 3, [], tf.float32)):
        assert (y.dtype, float(y)) == (tf.float32, 3.0)
    for y in both(lambda: tf.numpy_function(lambda x: x + b"b", [tf.constant("a")], tf.string)):
        assert y.numpy() == b"ab"


def test_runs_at_each_call_and_in_order(capsys):
    seen = []

    @tf.function
    def f(x):
        tf.py_function(lambda v: seen.append(float(v)), [x], [])
        tf.print("between")
        tf.py_function(lambda v: print("after", float(v)), [x * 2.0], [])

    f(tf.constant(1.0))
    f(tf.constant(2.0))
    assert seen == [1.0, 2.0]
    assert capsys.readouterr().out == "after 2.0\nafter 4.0\n"


def test_without_effects_it_runs_where_it_is_needed():
    seen = []

    @tf.function
    def f(x):
        tf.numpy_function(lambda v: seen.append(1) or v, [x], tf.float32, stateful=False)
        return x

    f(X)
    assert seen == []


def test_what_is_known_of_the_shape():
    @tf.function
    def f(x):
        assert tf.py_function(lambda v: v, [x], tf.float32).shape.rank is None
        y = tf.py_function(lambda v: v, [x], tf.TensorSpec([2], tf.float32))
        assert y.shape == [2]
        return y

    f(X)


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (lambda x: 1 / 0, tf.errors.UnknownError, "ZeroDivisionError: division by zero"),
        (lambda x: [][1], tf.errors.UnknownError, "IndexError: list index out of range"),
        (lambda x: int("a"), tf.errors.InvalidArgumentError, "ValueError: invalid literal"),
        (lambda x: len(3), tf.errors.InvalidArgumentError, "TypeError: object of type 'int'"),
        (lambda x: next(iter([])), tf.errors.OutOfRangeError, "StopIteration"),
    ],
)
@pytest.mark.parametrize("function", [tf.py_function, tf.numpy_function])
def test_errors_inside(function, body, kind, words):
    calls = both_ways(lambda: function(body, [X], tf.float32))
    for call in calls if function is tf.py_function else calls[1:]:
        with pytest.raises(kind, match=words) as caught:
            call()
        assert f'File "{__file__}", line {body.__code__.co_firstlineno}' in str(caught.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tf.py_function(lambda x: x, [X], tf.int32), "int32"),
        (lambda: tf.py_function(lambda x: (x,), [X], [tf.float32] * 2), "expects to see 2 values"),
        (
            lambda: tf.py_function(lambda x: x, [X], tf.TensorSpec([3], tf.float32)),
            r"has shape \(2,\), but expects \(3,\)",
        ),
    ],
)
def test_results_that_do_not_fit(call, words):
    for run in both_ways(call):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            run()


@pytest.mark.parametrize("value", ["text", object(), [1, [2]]])
def test_a_result_that_is_no_tensor_is_an_error_at_the_line_of_the_call(value):
    call = tf.function(lambda: tf.py_function(lambda x: value, [X], tf.float32), autograph=False)
    with pytest.raises(tf.errors.OpError) as caught:
        call()
    assert f'File "{__file__}", line {call.python_function.__code__.co_firstlineno}' in str(
        caught.value
    )
    assert f"{LIBRARY}{os.sep}" not in str(caught.value)


def test_tracebacks_of_errors_inside_show_the_program_alone():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.function(lambda: tf.py_function(lambda x: int("a"), [X], tf.float32))()
    shown = "".join(traceback.format_exception(caught.value))
    assert "ValueError: invalid literal" in shown
    assert f"{LIBRARY}{os.sep}" not in shown


def test_an_array_that_does_not_fit():
    at_once, recorded = both_ways(lambda: tf.numpy_function(lambda x: 3.0, [X], tf.int32))
    assert at_once().dtype is tf.float32
    with pytest.raises(tf.errors.InvalidArgumentError, match="is double, but expects int32"):
        recorded()


def test_without_a_graph_a_function_of_arrays_raises_its_own_error():
    with pytest.raises(ZeroDivisionError):
        tf.numpy_function(lambda x: 1 / 0, [X], tf.int32)


def test_what_cannot_be_called():
    with pytest.raises(ValueError, match="Expected func to be callable"):
        tf.py_function(3, [], tf.int32)


@pytest.mark.parametrize("function", [tf.numpy_function, tf.py_function])
@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("in_loop", [False, True])
def test_array_that_a_function_returned_may_change_later(function, traced, in_loop):
    kept = np.zeros(3, np.float32)

    def returns_kept(x):
        kept[:] = np.asarray(x)
        return kept

    def program(x):
        first = function(returns_kept, [x], tf.float32)
        second = function(returns_kept, [x + 1.0], tf.float32)
        if in_loop:
            for _ in tf.range(2):
                second = function(returns_kept, [second + 1.0], tf.float32)
        return first, second

    first, second = (tf.function(program) if traced else program)(tf.constant([1.0, 2.0, 3.0]))
    kept[:] = -1.0
    assert first.numpy().tolist() == [1.0, 2.0, 3.0]
    assert second.numpy().tolist() == ([4.0, 5.0, 6.0] if in_loop else [2.0, 3.0, 4.0])


def test_view_that_a_function_returned_may_change_later():
    kept = np.arange(6, dtype=np.float32)
    result = tf.function(lambda: tf.numpy_function(lambda: kept[::2], [], tf.float32))()
    kept[:] = -1.0
    assert result.numpy().tolist() == [0.0, 2.0, 4.0]


@pytest.mark.parametrize("traced", [False, True])
def test_big_endian_array_that_a_function_returned_is_taken(traced):
    def program(x):
        return tf.numpy_function(lambda a: a.astype(">f4"), [x], tf.float32) * 2.0

    found = (tf.function(program) if traced else program)(tf.constant([1.0, 2.5]))
    assert found.numpy().tolist() == [2.0, 5.0]
    assert found.numpy().dtype.isnative


@pytest.mark.parametrize("wrap", [tf.py_function, tf.numpy_function])
def test_both_are_decorators(wrap):
    @wrap(Tout=tf.float32)
    def squared(a):
        """Squares."""
        return a * a

    x = tf.constant(2.0)
    assert squared.__name__ == "squared"
    assert float(squared(x)) == 4.0
    assert float(tf.function(lambda v: squared(v) + 1.0)(x)) == 5.0
