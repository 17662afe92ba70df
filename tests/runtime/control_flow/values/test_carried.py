"""Objects whose contents a staged statement carries: what needs the contents at once is refused."""

from dataclasses import dataclass

import numpy as np
import pytest

import autograph
import runtime as tf


@pytest.mark.parametrize(
    "use", [np.array, np.shape, np.sum, lambda v: np.asarray(v).size, lambda v: len(np.array(v))]
)
def test_numpy_makes_no_array_of_one_object(use):
    def program(n):
        v = []
        for i in range(n):
            v.append(i)
        return use(v)

    with pytest.raises(TypeError, match=r"`.*` grows in a staged statement and is made an array"):
        tf.function(program)(tf.constant(3))


def chosen(xs):
    one, other = [], []
    for x in xs:
        one.append(x)
        other.append(x + 1)
    row = one
    if xs[0] > 0:
        row = other
    row[0] = 100
    return row, one, other


def test_a_choice_among_such_lists_is_refused():
    with pytest.raises(TypeError, match="`row`"):
        tf.function(chosen)(tf.constant([3, 1, 2]))


@dataclass
class Record:
    items: list


def push(row, x):
    if x > 0:
        row.append(2)


def count(*items):
    return len(items)


def less(x):
    a = [1]
    b = a
    if x > 0:
        a.pop()
    return b <= []


def dicts(x):
    d = {"a": 1}
    e = d
    other = {"a": 1, "b": 2}
    if x > 0:
        d["b"] = 2
    return e == other


def counted_in_another(x):
    a = [1]
    c = [1, 2]
    push(a, x)
    return [c].count(a)


def pattern(x):
    a = [1]
    if x > 0:
        a.append(2)
    match a:
        case [1, 2]:
            return 1
    return 0


def pattern_of_the_caller(x):
    a = [1]
    push(a, x)
    match a:
        case [1, 2]:
            return 1
    return 0


def pattern_of_a_dict(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    match d:
        case {"b": value}:
            return value
    return 0


def unpacked(x):
    a = [1]
    push(a, x)
    _, *rest = a
    return len(rest)


def _end(a, x):
    push(a, x)
    return len(a[1:]) + a[-1]


def end_of_an_argument(x):
    return _end([1], x)


def arguments(x):
    a = [1]
    push(a, x)
    return count(*a)


def list_of_the_caller_in_another(x):
    a = [1]
    c = [[1, 2]]
    push(a, x)
    return [a] == c


def records_of_the_caller(x):
    a = [1]
    one, other = Record(a), Record([1, 2])
    push(a, x)
    return one == other


REFUSED = [
    less,
    dicts,
    counted_in_another,
    pattern,
    pattern_of_the_caller,
    pattern_of_a_dict,
    unpacked,
    end_of_an_argument,
    arguments,
    list_of_the_caller_in_another,
    records_of_the_caller,
]


@pytest.mark.parametrize("program", REFUSED, ids=lambda each: each.__name__)
@pytest.mark.parametrize("x", [1.0, -1.0])
def test_what_needs_the_length_at_once_is_refused_at_its_line(program, x):
    for staged in (tf.function(program), tf.function(autograph.to_graph(program), autograph=False)):
        with pytest.raises(TypeError) as caught:
            staged(tf.constant(x))
        lines = [entry.path for entry in caught.traceback if str(entry.path) == __file__]
        assert lines or __file__ in str(caught.value)
    assert autograph.to_graph(program)(x) == program(x)
