"""Functions that call themselves in staged statements: as in Python, or refused by name."""

import inspect
import sys

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime.engines import interpreter, plan
from runtime.passes.pipeline import optimize
from tests.counted_calls import calls_of


def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


def fact_of_statements(n):
    if n <= 1:
        return 1
    return n * fact_of_statements(n - 1)


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def with_accumulator(n, total=1):
    return total if n <= 1 else with_accumulator(n - 1, n * total)


def with_counter(n, steps=0):
    if n == 1:
        return steps
    return with_counter(n // 2 if n % 2 == 0 else 3 * n + 1, steps + 1)


def hanoi(n, a="a", b="b", c="c"):
    if n == 0:
        return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


def pair(n):
    if n == 0:
        return 0, 1
    a, b = pair(n - 1)
    return b, a + b


def named(n):
    if n <= 0:
        return {"n": n, "sum": 0.0}
    below = named(n - 1)
    return {"n": n, "sum": below["sum"] + 0.5}


def inner_function(n):
    def go(k):
        return n if k <= 0 else go(k - 1) * 2

    return go(n)


def inner_functions(n):
    def even(k):
        return 1 if k == 0 else odd(k - 1)

    def odd(k):
        return n if k == 0 else even(k - 1)

    return even(n)


def of_lambda(n):
    f = lambda k: 0 if k <= 0 else k + f(k - 1)  # noqa: E731
    return f(n)


def in_loop(n):
    total = 0
    for i in range(n):
        total += in_loop(i) + 1
    return total


def in_while(n):
    total = 1
    while n > 0:
        n = n - 1
        total += in_while(n)
    return total


def with_arguments_by_name(n, *, base):
    return base if n <= 0 else 1 + with_arguments_by_name(base=base, n=n - 1)


def by_name(n):
    return with_arguments_by_name(n, base=n * 3)


def in_boolean_operator(n):
    return n <= 0 or (n != 3 and in_boolean_operator(n - 1))


class Powers:
    base = 3

    def power(self, n):
        if n <= 0:
            return 1
        return self.base * self.power(n - 1)


def method(n):
    return Powers().power(n)


PROGRAMS = [
    (fact, [(0,), (1,), (6,)]),
    (fact_of_statements, [(0,), (6,)]),
    (fib, [(0,), (1,), (11,)]),
    (is_even, [(0,), (7,), (8,)]),
    (is_odd, [(0,), (7,), (8,)]),
    (ackermann, [(0, 2), (2, 3)]),
    (gcd, [(48, 36), (7, 0), (17, 5)]),
    (with_accumulator, [(0,), (6,)]),
    (with_counter, [(1,), (27,)]),
    (hanoi, [(0,), (5,)]),
    (pair, [(0,), (10,)]),
    (named, [(0,), (4,)]),
    (inner_function, [(0,), (4,)]),
    (inner_functions, [(0,), (3,), (4,)]),
    (of_lambda, [(0,), (9,)]),
    (in_loop, [(0,), (1,), (5,)]),
    (in_while, [(0,), (1,), (5,)]),
    (by_name, [(0,), (4,)]),
    (in_boolean_operator, [(0,), (2,), (5,)]),
    (method, [(0,), (5,)]),
]
CASES = [
    pytest.param(function, args, id=f"{function.__name__}{args}")
    for function, calls in PROGRAMS
    for args in calls
]


def plain(value):
    return tf.nest.map_structure(lambda leaf: np.asarray(leaf).item(), value)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_recursion_agrees_with_python(function, args):
    expected = function(*args)
    tensors = [tf.constant(each) for each in args]
    assert plain(tf.function(function)(*tensors)) == plain(expected)
    assert plain(autograph.to_graph(function)(*tensors)) == plain(expected)


@pytest.mark.parametrize(("function", "args"), CASES)
def test_engines_agree_before_and_after_passes(function, args):
    specs = [tf.TensorSpec([], tf.int32) for _ in args]
    concrete = tf.function(function).get_concrete_function(*specs)
    arrays = [np.int32(each) for each in args] + [t.array for t in concrete.captured_inputs]
    expected = interpreter.executable(concrete.graph)(*arrays)
    for graph in (concrete.graph, optimize(concrete.graph, verified=True)):
        for engine in (interpreter, plan):
            found = engine.executable(graph)(*arrays)
            assert [np.asarray(each).tolist() for each in found] == [
                np.asarray(each).tolist() for each in expected
            ]


def test_decorated_functions_may_call_themselves():
    @tf.function
    def fact(n):
        return 1 if n <= 1 else n * fact(n - 1)

    @tf.function
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    @tf.function
    def both(n):
        return fact(n) + fib(n)

    assert both(tf.constant(7)).numpy() == 5040 + 13
    assert fact(tf.constant(5)).numpy() == 120


def test_decorated_function_without_conversion_may_call_itself_in_cond():
    @tf.function(autograph=False)
    def fact(n):
        return tf.cond(n <= 1, lambda: 1, lambda: n * fact(n - 1))

    assert fact(tf.constant(6)).numpy() == 720


def test_decorated_method_may_call_itself():
    class Scaled:
        scale = 2.0

        @tf.function
        def power(self, x, n):
            return self.scale if n <= 0 else x * self.power(x, n - 1)

    assert Scaled().power(tf.constant(3.0), tf.constant(4)).numpy() == 162.0


def test_vectors_may_get_shorter_with_each_call():
    def total(xs):
        return 0.0 if tf.size(xs) == 0 else xs[0] + total(xs[1:])

    f = tf.function(total, input_signature=[tf.TensorSpec([None], tf.float32)])
    assert f(tf.constant([1.0, 2.0, 3.5])).numpy() == 6.5
    assert f(tf.constant([])).numpy() == 0.0


def test_merge_sort():
    def merge(a, b):
        if tf.size(a) == 0:
            return b
        if tf.size(b) == 0:
            return a
        if a[0] <= b[0]:
            return tf.concat([a[:1], merge(a[1:], b)], 0)
        return tf.concat([b[:1], merge(a, b[1:])], 0)

    def merge_sort(xs):
        n = tf.size(xs)
        if n <= 1:
            return xs
        return merge(merge_sort(xs[: n // 2]), merge_sort(xs[n // 2 :]))

    f = tf.function(merge_sort, input_signature=[tf.TensorSpec([None], tf.int32)])
    values = [5, 3, 9, 1, 4, 1, 8]
    assert f(tf.constant(values)).numpy().tolist() == sorted(values)


def test_effects_happen_at_each_call_in_order():
    seen = tf.Variable(0)

    def visit(n):
        if n > 0:
            seen.assign(seen * 10 + n)
            visit(n - 1)
            seen.assign(seen * 10 + n)

    tf.function(visit)(tf.constant(3))
    assert seen.numpy() == 321123


def test_error_is_raised_where_the_branch_is_taken():
    def halve(n):
        if n < 0:
            raise ValueError("not even")
        return 0 if n == 0 else halve(n - 2) + 1

    f = tf.function(halve)
    assert f(tf.constant(8)).numpy() == 4
    with pytest.raises(ValueError, match="not even"):
        f(tf.constant(7))


def test_kernel_error_names_the_line():
    def shrink(n):
        return 1 if n < -3 else 10 // n + shrink(n - 1)

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_recursion.py.*, in shrink"):
        tf.function(shrink)(tf.constant(2))


def depth(n):
    return 0 if n <= 0 else depth(n - 1) + 1


def test_deep_recursion_agrees_with_python():
    assert tf.function(depth)(tf.constant(400)).numpy() == 400


def test_recursion_is_as_deep_as_python_allows():
    room = sys.getrecursionlimit() - len(inspect.stack())
    f = tf.function(depth)
    f(tf.constant(1))
    assert f(tf.constant(room - 50)).numpy() == room - 50
    with pytest.raises(RecursionError):
        f(tf.constant(room + 50))


@pytest.mark.parametrize("engine", ["plan", "interpreter"])
def test_too_deep_recursion_is_an_error_at_the_line(engine):
    tf.config.experimental.set_engine(engine)
    try:
        f = tf.function(depth)
        with pytest.raises(RecursionError, match=r"recursion depth[^$]*test_recursion.py.*depth"):
            f(tf.constant(10**6))
        assert f(tf.constant(3)).numpy() == 3
    finally:
        tf.config.experimental.set_engine("plan")


def endless(n):
    if n > 0:
        return endless(n + 1)
    return endless(n - 1)


def with_tuple(n, parts=()):
    return n if n <= 0 else with_tuple(n - 1, (*parts, "x"))


def with_new_object(n, state):
    return n if n <= 0 else with_new_object(n - 1, Powers())


def appends(n, out):
    if n > 0:
        out.append(n)
        appends(n - 1, out)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (endless, "`endless` calls itself on every way through it"),
        (with_tuple, "`with_tuple` calls itself.*Python values among its arguments differ"),
        (lambda n: with_new_object(n, Powers()), "`with_new_object` calls itself"),
        (lambda n: appends(n, []), "`appends` calls itself and changes"),
    ],
    ids=["endless", "tuples", "objects", "list"],
)
def test_what_cannot_be_a_graph_is_refused_at_once(function, words):
    def refused():
        with pytest.raises(RecursionError, match=f"(?s){words}"):
            tf.function(function)(tf.constant(3))

    # about six calls for each of the 100 levels that a trace follows
    assert calls_of(refused, "endless", "with_tuple", "with_new_object", "appends") < 1000


@pytest.mark.parametrize("function", [fact, fib])
def test_tracing_does_not_depend_on_the_depth(function):
    f = tf.function(function)
    concrete = f.get_concrete_function(tf.TensorSpec([], tf.int32))
    assert len(concrete.plan_source.splitlines()) < 60


def test_recursion_that_python_ends_is_traced_in_place():
    def power(x, n):
        return 1.0 if n == 0 else x * power(x, n - 1)

    @tf.function
    def f(x):
        return power(x, 3) if x > 0 else power(x, 2)

    assert f(tf.constant(2.0)).numpy() == 8.0
    assert f(tf.constant(-2.0)).numpy() == 4.0
    concrete = f.get_concrete_function(tf.TensorSpec([], tf.float32))
    assert "power" not in concrete.plan_source


def test_decision_tree_of_objects():
    class Node:
        def __init__(self, threshold, low, high):
            self.threshold, self.low, self.high = threshold, low, high

    def evaluate(node, x):
        if not isinstance(node, Node):
            return node
        return evaluate(node.low, x) if x < node.threshold else evaluate(node.high, x)

    tree = Node(5, Node(2, 10, 20), Node(7, 30, Node(9, 40, 50)))
    f = tf.function(lambda x: evaluate(tree, x))
    for x in range(11):
        assert f(tf.constant(x)).numpy() == evaluate(tree, x)


def test_converted_module_notices_recursion():
    text = autograph.convert_source(
        "def fact(n):\n    return 1 if n <= 1 else n * fact(n - 1)\n\n"
        "def even(n):\n    return True if n == 0 else odd(n - 1)\n\n"
        "def odd(n):\n    return False if n == 0 else even(n - 1)\n\n"
        "def both(n):\n    return fact(n), even(n)\n"
    )
    names = {"__name__": "converted_module"}
    exec(text, names)
    assert plain(tf.function(names["both"])(tf.constant(5))) == (120, False)


def test_functions_that_come_and_go_do_not_share_what_is_known_of_them():
    def summed(width):
        def total(xs, n):
            return xs[0] * 0.0 if n <= 0 else xs[0] + total(xs, n - 1)

        def pair(a, b, n):
            return a + b if n <= 0 else pair(b, a + 1.0, n - 1)

        if width:
            return lambda n: total(tf.ones([width]), n)
        return lambda n: pair(tf.constant(1.0), tf.constant(2.0), n)

    for turn in range(12):
        f = tf.function(summed(turn % 3))
        assert f(tf.constant(2)).numpy() == (2.0 if turn % 3 else 5.0)
