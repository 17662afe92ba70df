"""Every error of a graph that runs shows the line of the program, and no frame of the library."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engines.engine import set_engine

HERE = Path(__file__).name


def any_shape(dtype: Any) -> Any:
    return tf.TensorSpec(None, dtype)


def unbound_after_if(x):
    if x > 0:
        y = x
    return y + 1  # here


def unbound_after_for(x):
    for i in tf.range(x):
        last = i
    return last * 2  # here


def unbound_loop_variable(x):
    for i in tf.range(x):  # noqa: B007
        pass
    return i + 1  # here


def unbound_in_a_call(x):
    if x > 0:
        y = x
    return tf.abs(y)  # here


def unbound_in_a_branch(x):
    if x > 0:
        y = x
    if x < 5:
        x = y + 1  # here
    return x


def unbound_in_a_helper(x):
    def helper(z):
        if z > 0:
            w = z
        return w * 2  # here

    return helper(x) + 1


def unbound_returned(x):
    if x > 0:
        y = x
    return y  # here


def truth_of_while(x):
    while tf.reshape(x, [-1]) < 3:  # here
        x = x + 1
    return x


def truth_of_if(x):
    if tf.reshape(x, [-1]) > 1:  # here
        x = x + 1
    return x


def truth_of_not(x):
    return not tf.reshape(x, [-1]) > 1  # here


def truth_of_and(x):
    return tf.reshape(x, [-1]) > 1 and x > 2  # here


def gather_out_of_range(x):
    return tf.gather(tf.constant([1, 2]), x + 7)  # here


def gather_in_a_loop(x):
    total = 0
    for i in tf.range(9):
        total = total + tf.gather(tf.constant([1, 2]), i)  # here
    return total + x


def index_out_of_range(x):
    return tf.constant([1, 2])[x + 7]  # here


def division_by_zero(x):
    return x // (x * 0)  # here


def overflow_of_a_python_number(x):
    n = 1
    for _ in tf.range(x + 70):
        n = n * 7  # here
    return n


def wrong_shapes(x):
    return tf.matmul(tf.reshape(x, [-1, 1]), tf.reshape(x, [-1, 1]))  # here


def broadcast(x):
    return tf.concat([tf.reshape(x, [-1]), [1, 2]], 0) + tf.range(tf.size(x))  # here


def reshape(x):
    return tf.reshape(x, [tf.size(x) + 2])  # here


def nested_call(x):
    @tf.function
    def inner(y):
        return tf.gather(tf.constant([1, 2]), y + 7)  # here

    return inner(x) * 2


def cond_branch(x):
    return tf.cond(
        tf.size(x) > 0,
        lambda: tf.gather(tf.constant([1, 2]), x + 7),  # here
        lambda: x,
    )


def assertion(x):
    assert tf.size(x) > 5, "too small"  # here
    return x


def checked_by_the_library(x):
    tf.debugging.assert_equal(x, x + 1)  # here
    return x


def raised(x):
    if tf.size(x) > 0:
        raise ValueError("no")  # here
    return x


def popped(x):
    items = []
    for i in tf.range(x * 0):
        items.append(i)
    return items.pop()  # here


def listed(x):
    items = []
    for i in tf.range(x + 1):
        items.append(i)
    return items[x + 7]  # here


def mapped(x):
    return tf.map_fn(lambda i: tf.gather([1, 2], i), tf.range(x + 7))  # here


def memory(x):
    return tf.range(tf.cast(x, tf.int64) + 2**45)  # here


def number_of_a_string(x):
    return tf.strings.to_number(tf.strings.as_string(x) + "x")  # here


def python_function(x):
    def fails(y):
        raise KeyError("gone")  # here

    return tf.numpy_function(fails, [x], tf.int32)


SCALAR = [
    unbound_after_if, unbound_after_for, unbound_loop_variable, unbound_in_a_call,
    unbound_in_a_branch, unbound_in_a_helper, unbound_returned, gather_in_a_loop,
    index_out_of_range, division_by_zero, overflow_of_a_python_number, popped, listed, mapped,
    memory, number_of_a_string,
]  # fmt: skip
ANY = [
    truth_of_while, truth_of_if, truth_of_not, truth_of_and, gather_out_of_range, wrong_shapes,
    broadcast, reshape, nested_call, cond_branch, assertion, checked_by_the_library, raised,
    python_function,
]  # fmt: skip
CASES = [(function, tf.TensorSpec([], tf.int32), 0) for function in SCALAR]
CASES += [(function, any_shape(tf.int32), [0, 0]) for function in ANY]


cases = pytest.mark.parametrize(
    ("function", "spec", "value"), CASES, ids=[function.__name__ for function, *_ in CASES]
)


@pytest.fixture(params=["plan", "interpreter"])
def engine(request):
    set_engine(request.param)
    yield
    set_engine("plan")


def marked_line(function: Callable[..., Any]) -> int:
    lines, first = inspect.getsourcelines(function)
    return first + next(i for i, line in enumerate(lines) if line.endswith("# here\n"))


@cases
def test_error_shows_the_line(function, spec, value, engine):
    decorated = tf.function(function, input_signature=[spec])
    concrete = decorated.get_concrete_function()
    for _ in range(2):
        with pytest.raises(Exception) as caught:
            concrete(tf.constant(value))
        shown = "".join(traceback.format_exception(caught.value))
        own = [line for line in shown.splitlines() if HERE in line]
        assert any(f"line {marked_line(function)}, in" in line for line in own), shown
        assert shown.count("Traceback (most recent call last)") == 1 or function is python_function
        assert len(getattr(caught.value, "__notes__", [])) <= 1


@cases
def test_traceback_does_not_grow_with_each_run(function, spec, value):
    concrete = tf.function(function, input_signature=[spec]).get_concrete_function()
    lengths = []
    for _ in range(3):
        with pytest.raises(Exception) as caught:
            concrete(tf.constant(value))
        lengths.append(len(traceback.extract_tb(caught.value.__traceback__)))
    assert lengths[0] == lengths[-1]


def test_eager_error_shows_one_traceback():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    shown = "".join(traceback.format_exception(caught.value))
    assert shown.count("Traceback (most recent call last)") == 1


def test_exception_of_the_program_keeps_its_args():
    error = ValueError("no", 3)

    @tf.function
    def f(x):
        if x > 0:
            raise error
        return x

    with pytest.raises(ValueError) as caught:
        f(tf.constant(1))
    assert caught.value.args == ("no", 3)
    assert HERE in caught.value.__notes__[0]


def test_tracebacks_of_failed_operations_show_files_of_the_program_alone():
    @tf.function
    def positive(x):
        assert x > 0, "negative"
        return x

    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        positive(tf.constant(-1))
    assert {each.filename for each in traceback.extract_tb(caught.value.__traceback__)} == {
        __file__
    }


def test_a_message_has_the_name_in_the_program_not_the_one_in_a_function_of_numpy():
    @tf.function
    def spread(data):
        return np.cov(data)

    with pytest.raises(NotImplementedError, match="`data` is a symbolic tensor"):
        spread(tf.constant([3.0, 1.0]))
