"""`Counter`, `defaultdict` and `OrderedDict` in staged statements: they keep the keys they have."""

from collections import Counter, OrderedDict, defaultdict, deque

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


def counts_again(x):
    c = Counter(a=1, b=0)
    if x > 0:
        c["a"] += 1
    c["b"] += x
    return c["a"], c["b"]


def sums_in_a_loop(x):
    d = defaultdict(int, sum=0, rounds=0)
    while x > 0:
        d["sum"] += x
        d["rounds"] += 1
        x -= 1
    return d["sum"], d["rounds"]


def assigned_in_order(x):
    d = OrderedDict([("a", 1), ("b", 2)])
    if x > 0:
        d["a"] = x
    return d["a"], list(d)


@pytest.mark.parametrize("program", [counts_again, sums_in_a_loop, assigned_in_order])
def test_dicts_of_the_library_agree_with_plain_python(program):
    check(program, (3,), (-3,), (0,))


def counter(x):
    c = Counter()
    if x > 0:
        c["pos"] += 1
    return c["pos"]


def default(x):
    d = defaultdict(int)
    if x > 0:
        d["a"] += x
    return d["a"]


def ordered(x):
    d = OrderedDict(a=1)
    if x > 0:
        d["b"] = 2
    return len(d)


class Zeros(dict):
    def __missing__(self, key):
        return 0


def own_class(x):
    d = Zeros()
    if x > 0:
        d["a"] += x
    return d["a"]


def queue(x):
    d = deque([1])
    if x > 0:
        d.append(2)
    return len(d)


@pytest.mark.parametrize(
    ("program", "name", "remedy"),
    [
        (counter, "`c`, of type Counter", "Use a dict"),
        (default, "`d`, of type defaultdict", "Use a dict"),
        (ordered, "`d`, of type OrderedDict", "Use a dict"),
        (own_class, "`d`, of type Zeros", "Use a dict"),
        (queue, "`d`, of type deque", "Use a list"),
    ],
)
def test_one_that_grows_is_refused_by_name(program, name, remedy):
    with pytest.raises(TypeError, match=f"{name}, depends on a staged statement. {remedy}"):
        tf.function(program)(tf.constant(3))
