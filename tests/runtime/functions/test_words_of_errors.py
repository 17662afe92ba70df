"""Small programs with an error: each shows the line, in the words of the program.

The line that an error has to show ends in `# here`. Every program runs decorated, and converted
first and then called from a function that is traced.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import inspect
import itertools
import json
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph
import runtime as tf

HERE = Path(__file__).name
INTERNAL = re.compile(
    r"SymbolicTensor|EagerTensor|GrowingList|PartialDict|Possibly|Moved|Parted|Conflict|Undefined\b"
    r"|\bRef\b|\bTwin\b|\bFixed\b|\bLeaf\b|\bNest\b|ag__|StagingError|autograph\.operators"
    r"|(?<!tests\.)runtime\.(core|ops|control_flow|function)|<lambda>\(\)|get_state|set_state|<undefined"
)


# ---- operations ----


def concat_of_ranks(x):
    return tf.concat([tf.reshape(x, [1]), tf.reshape(x, [1, 1])], 0)  # here


def stack_of_shapes(x):
    return tf.stack([tf.zeros([2]), tf.zeros([3])])  # here


def reduction_of_axis(x):
    return tf.reduce_sum(tf.zeros([2, 2]), axis=x + 5)  # here


def one_hot_of_strings(x):
    return tf.one_hot(tf.strings.as_string(x), 3)  # here


def matrix_inverse(x):
    return tf.linalg.inv(tf.zeros([2, 2]) * tf.cast(x, tf.float32))  # here


def segment_ids(x):
    return tf.math.unsorted_segment_sum([1, 2], [0, x + 9], 2)  # here


def scatter(x):
    return tf.scatter_nd([[x + 9]], [1], [3])  # here


def split(x):
    return tf.split(tf.range(x + 4), 3)  # here


def negative_fill(x):
    return tf.fill([-x], 0)  # here


def tensor_array(x):
    array = tf.TensorArray(tf.int32, 2)
    return array.read(x + 5)  # here


def check_numerics(x):
    return tf.debugging.check_numerics(tf.cast(x, tf.float32) / 0.0, "bad")  # here


def convolution(x):
    return tf.nn.conv2d(tf.zeros([1, 4, 4, 2]), tf.zeros([2, 2, 3, 1]), 1, "SAME")  # here


def dtypes_differ(x):
    return x + tf.constant(1.5)  # here


def shapes_differ(x):
    return tf.zeros([2, 3]) + tf.zeros([4])  # here


def no_number(x):
    return tf.constant("a") * x  # here


def variable_of_another_shape(x):
    VARIABLE.assign(tf.zeros([3]))  # here
    return x


VARIABLE = tf.Variable([1.0, 2.0])


# ---- statements ----


def two_types(x):
    if x > 0:
        y = 1
    else:
        x -= 1
        y = "a"
    return y + 1  # here


def two_types_returned(x):
    if x > 0:  # here
        y = [1]
    else:
        x -= 1
        y = "a"
    return y


def none_or_number(x):
    y = None
    if x < 0:
        y = 1
    return y * 2  # here


def loop_changes_dtype(x):
    y = x
    while x > 0:  # here
        y = tf.cast(y, tf.float32)
        x -= 1
    return y


def absent_attribute(x):
    box = Box()
    if x < 0:
        box.v = 1
    return box.v + 1  # here


def absent_attribute_returned(x):
    box = Box()
    if x < 0:
        box.v = x
    return box.v  # here


class Box:
    """An object of the program."""


def absent_key(x):
    d = {}
    if x < 0:
        d["a"] = 1
    return d["a"]  # here


def absent_key_handled(x):
    d = {}
    if x < 0:
        d["a"] = x
    try:
        return d["a"]  # here
    except KeyError:
        return 0


def absent_attribute_handled(x):
    box = Box()
    if x < 0:
        box.v = x
    try:
        return box.v  # here
    except AttributeError:
        return 0


def end_of_a_class_iterator(x):
    total = 0
    for each in Count(x):
        total += each
    return total


class Count:
    """Iterates up to a limit."""

    def __init__(self, limit):
        self.limit, self.at = limit, 0

    def __iter__(self):
        """Itself."""
        return self

    def __next__(self):
        """The next number."""
        if self.at >= self.limit:  # here
            raise StopIteration
        self.at += 1
        return self.at


def numpy_of_a_tensor(x):
    return np.linalg.norm(x)  # here


def library_of_python(x):
    return json.loads("[1,")  # here


def format_of_a_value(x):
    return f"{x:%Y}"  # here


def iterates_a_scalar(x):
    return [each for each in x]  # here  # noqa: C416


def unpacks_a_tensor(x):
    a, b = tf.range(x)  # here
    return a + b


def calls_a_tensor(x):
    return x(1)  # here


def attribute_of_a_tensor(x):
    return x.nothing  # here


def raises_in_a_branch(x):
    if x > 0:
        raise LookupError(f"x is {x}")  # here
    return x


def asserts(x):
    assert x < 0, "negative"  # here
    return x


def raises_itself(x):
    raise ValueError("no")  # here


# ---- places ----


def in_a_comprehension(x):
    return [tf.gather([1, 2], i + x) for i in range(5)]  # here


def in_a_lambda(x):
    return (lambda y: tf.gather([1, 2], y + 9))(x)  # here


def in_a_generator(x):
    def numbers():
        yield tf.gather([1, 2], x + 9)  # here

    return sum(numbers())


def in_a_method(x):
    return Model().call(x)


class Model:
    """Has a method that fails."""

    def call(self, x):
        """Fails."""
        return tf.gather([1, 2], x + 9)  # here

    @property
    def scale(self):
        """Fails."""
        return tf.gather([1, 2], VARIABLE_OF_MODEL + 9)  # here too

    def __add__(self, x):
        """Fails."""
        return tf.gather([1, 2], x + 9)  # here three


VARIABLE_OF_MODEL = tf.Variable(1)


def in_a_decorated_function(x):
    @logged
    def inner(y):
        return tf.gather([1, 2], y + 9)  # here

    return inner(x)


def logged(function):
    @functools.wraps(function)
    def call(*args):
        return function(*args)

    return call


def in_a_class_body(x):
    class Inner:
        value = tf.gather([1, 2], x + 9)  # here

    return Inner.value


def in_a_with(x):
    with contextlib.nullcontext():
        return tf.gather([1, 2], x + 9)  # here


def in_a_finally(x):
    try:
        y = x
    finally:
        y = tf.gather([1, 2], x + 9)  # here
    return y


def in_a_default(x):
    def inner(y=tf.gather([1, 2], x + 9)):  # here  # noqa: B008
        return y

    return inner()


def in_a_chain_of_functions(x):
    @tf.function
    def outer(y):
        @tf.function
        def inner(z):
            if z > 0:
                z = tf.gather([1, 2], z + 9)  # here
            return z

        return inner(y) + 1

    return outer(x)


def in_a_loop_in_a_branch(x):
    y = x
    if x > 0:
        for i in tf.range(3):
            y += tf.gather([1, 2], i)  # here
    return y


def in_several_lines(x):
    return tf.add(
        x,
        tf.gather(  # here
            [1, 2],
            x + 9,
        ),
    )


def in_a_map(x):
    def look_up(i):
        return tf.gather([1, 2], i + x)  # here

    return list(map(look_up, range(5)))


def in_a_partial(x):
    return functools.partial(tf.gather, [1, 2])(x + 9)  # here


def in_a_sort_key(x):
    return sorted([3, 1], key=lambda i: tf.gather([1, 2], i + x))  # here


# ---- what outlives a call ----


def list_of_the_caller(x):
    return changes_its_argument([1, 2], x)


KEPT: dict[str, Any] = {}


def dict_that_gains_a_key(x):
    if x > 0:  # here
        KEPT["a"] = x
    return x


def object_returned(x):
    box = Box()
    box.v = x
    return box  # here


def generator_returned(x):
    return (each * x for each in [1, 2])  # here


def one_of_two_lists(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [3, 4]
    a[0] = 9  # here
    return a, b


def view_of_a_dict(x):
    d = {"a": 1}
    keys = d.keys()
    if x > 0:
        d["b"] = 1
    return len(keys)  # here


def iterator_in_a_branch(x):
    pairs = itertools.combinations([1, 2, 3], 2)
    if x > 0:  # here
        next(pairs)
    return x


def frozen_object(x):
    point = Point(1)
    if x > 0:
        point.v = x  # here
    return point.v


@dataclasses.dataclass(frozen=True)
class Point:
    """Cannot be changed."""

    v: int


def changes_its_argument(items, x):
    if x > 0:
        items[0] = 5
    return items[0] + x.nothing  # here too


PROGRAMS: list[Callable[..., Any]] = [
    concat_of_ranks, stack_of_shapes, reduction_of_axis, one_hot_of_strings, matrix_inverse,
    segment_ids, scatter, split, negative_fill, tensor_array, check_numerics,
    convolution, dtypes_differ, shapes_differ, no_number, variable_of_another_shape, two_types,
    two_types_returned, none_or_number, loop_changes_dtype, absent_attribute,
    absent_attribute_returned, absent_key, absent_key_handled, absent_attribute_handled,
    numpy_of_a_tensor, library_of_python,
    format_of_a_value, iterates_a_scalar, unpacks_a_tensor,
    calls_a_tensor, attribute_of_a_tensor, raises_in_a_branch, asserts, raises_itself,
    in_a_comprehension, in_a_lambda, in_a_generator, in_a_decorated_function, in_a_class_body,
    in_a_with, in_a_finally, in_a_default, in_a_chain_of_functions, in_a_loop_in_a_branch,
    in_several_lines, in_a_map, in_a_partial, in_a_sort_key, dict_that_gains_a_key,
    one_of_two_lists, view_of_a_dict, iterator_in_a_branch,
    frozen_object,
]  # fmt: skip
INDIRECT = [
    (in_a_method, Model, "# here\n"),
    (lambda x: Model().scale + x, Model, "# here too\n"),
    (lambda x: Model() + x, Model, "# here three\n"),
    (end_of_a_class_iterator, Count, "# here\n"),
    (list_of_the_caller, changes_its_argument, "# here too\n"),
]


def decorated(program: Callable[..., Any]) -> Callable[..., Any]:
    return tf.function(program)


def converted_first(program: Callable[..., Any]) -> Callable[..., Any]:
    converted = autograph.to_graph(program)

    def caller(x):
        return converted(x)

    return tf.function(caller, autograph=False)


def marked_line(entity: Any, mark: str = "# here") -> int:
    lines, first = inspect.getsourcelines(entity)
    return first + next(i for i, line in enumerate(lines) if mark in line)


def shown_by(program: Callable[..., Any]) -> str:
    """The text that a user sees, without that of this file's own frames around it."""
    with pytest.raises(Exception) as caught:
        program(tf.constant(1))
    assert type(caught.value).__name__ != "AssertionError" or program is asserts
    message = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert not INTERNAL.search(message), message
    return "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("stage", [decorated, converted_first])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_error_shows_the_line_in_words_of_the_program(program, stage):
    shown = shown_by(stage(program))
    own = [line for line in shown.splitlines() if HERE in line]
    assert any(f"line {marked_line(program)}, in" in line for line in own), shown


@pytest.mark.parametrize("program", [object_returned, generator_returned])
def test_what_cannot_be_returned_shows_the_return_of_what_is_traced(program):
    shown = shown_by(decorated(program))
    assert f"line {marked_line(program)}, in {program.__name__}" in shown
    assert f"line {marked_line(converted_first, 'return converted(x)')}, in caller" in shown_by(
        converted_first(program)
    )


def test_the_first_line_is_shown_of_a_function_with_several_returns():
    def several(x):
        if x is None:
            return None
        return Box()

    first = several.__code__.co_firstlineno
    assert f"line {first}, in several" in shown_by(decorated(several))


def test_an_error_in_executed_source_shows_its_line():
    space: dict[str, Any] = {"tf": tf}
    text = "def f(x):\n    if x > 0:\n        x = tf.gather([1, 2], x + 9)\n    return x\n"
    autograph.exec(text, space)
    shown = shown_by(decorated(space["f"]))
    assert "line 3, in f" in shown


@pytest.mark.parametrize("stage", [decorated, converted_first])
@pytest.mark.parametrize(("program", "entity", "mark"), INDIRECT)
def test_an_error_elsewhere_shows_the_line(program, entity, mark, stage):
    shown = shown_by(stage(program))
    own = [line for line in shown.splitlines() if HERE in line]
    assert any(f"line {marked_line(entity, mark)}, in" in line for line in own), shown
