# ruff: noqa: SIM108, B007, B905 - the programs are as people write them
"""Converted functions give what plain Python gives, or an error that names the variable."""

import collections
import dataclasses

import numpy as np
import pytest

import runtime as tf

Point = collections.namedtuple("Point", "x y")


def check(function, *args):
    """The traced function gives what the Python function gives on tensors with values."""
    expected = function(*args)
    result = tf.function(function)(*args)
    _same(result, expected)
    return result


def _same(result, expected):
    if isinstance(expected, (list, tuple)):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            _same(one, other)
    elif isinstance(expected, dict):
        assert list(result) == list(expected)
        _same(list(result.values()), list(expected.values()))
    elif expected is None:
        assert result is None
    else:
        np.testing.assert_allclose(np.asarray(result), np.asarray(expected), rtol=1e-6)


I = tf.constant  # noqa: E741


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def early_return(x):
    for i in range(x):
        if i * i > 10:
            return i
    return -1


def break_continue(xs):
    total = 0.0
    for x in xs:
        if x < 0:
            continue
        if x > 100:
            break
        total += x
    else:
        total = total * 10
    return total


def promoted(n):
    acc = 0
    for i in tf.range(n):
        acc += 0.5
    return acc


def promoted_by_tensor(xs):
    acc = 0
    for x in xs:
        acc = acc + x
    return acc


def relaxed(n):
    x = tf.zeros([1])
    for i in tf.range(n):
        x = tf.concat([x, x], 0)
    return x


def appended(n):
    out = []
    for i in tf.range(n):
        out.append(i * i)
    return out


def appended_under_if(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
    return out


def appended_floats(n):
    out = []
    v = 1.0
    while v < n:
        out.append(v)
        v *= 2
    return tf.stack(out)


def popped(n):
    out = [1.0, 2.0]
    for i in tf.range(n):
        out.append(3.0)
        last = out.pop()
        out.append(last + 1.0)
    return out


def iterated_again(n):
    out = []
    for i in tf.range(n):
        out.append(i)
    total = 0
    for v in out:
        total += v
    return total, out[0], out[-1], len(out)


def enumerated(xs):
    best, where = xs[0], 0
    for i, x in enumerate(xs):
        if x > best:
            best, where = x, i
    return best, where


def zipped(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        total += x * y
    return total


def reversed_rows(xs):
    acc = 0.0
    for x in reversed(xs):
        acc = acc * 10.0 + x
    return acc


def nested(n):
    total = 0
    for i in tf.range(n):
        for j in tf.range(i):
            if j == 3:
                break
            total += i * j
    return total


def python_bool_logic(x):
    if (x > 0 and x < 10) or x == 42:
        return 1
    return 0


def chained(x):
    return 1 if 0 < x < 10 else 2


def dict_state(n):
    state = {"a": 0, "b": 1}
    for _ in tf.range(n):
        state = {"a": state["b"], "b": state["a"] + state["b"]}
    return state


def namedtuple_state(n):
    p = Point(0.0, 1.0)
    for _ in tf.range(n):
        p = Point(p.y, p.x + p.y)
    return p.x, p.y


def tuple_swap(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n = n - 1
    return a


def true_loop(n):
    i = 0
    while True:
        i += 1
        if i * i > n:
            break
    return i


def item_assigned(xs):
    for i in tf.range(len(xs)):
        xs[i] = xs[i] * 2
    return xs


def negative_step(n):
    total = 0
    for i in range(n, 0, -2):
        total = total * 10 + i
    return total


def members(xs, x):
    return 1 if x in xs else 0


def python_builtins(xs):
    return min(xs), max(xs), sum(xs), abs(xs[0]), len(xs), max(xs[0], xs[1])


def branch_of_numbers(x):
    if x > 0:
        y = 1
    else:
        y = 2.5
    return y


def nested_function(x):
    count = 0

    def bump():
        nonlocal count
        count = count + x

    if x > 0:
        bump()
    return count


def conditional_none(x):
    result = None
    if x is None:
        result = 1.0
    else:
        result = x
    return result


def boolean_flag(xs):
    found = False
    for x in xs:
        if x == 3:
            found = True
    return found


def find_first(xs, limit):
    for i in tf.range(len(xs)):
        if xs[i] > limit:
            return i, xs[i]
    return -1, 0.0


def bare_return(xs):
    for x in xs:
        if x > 3:
            return None
    return None


def return_in_nested_loops(n):
    for i in tf.range(n):
        for j in tf.range(n):
            if i * j > 10:
                return i * 100 + j
    return -1


def any_above(xs, limit):
    return any(x > limit for x in xs), all(x > limit for x in xs if x > 0)


def all_rising(xs):
    if all(a < b for a, b in zip(xs, xs[1:])):  # noqa: RUF007
        return 1
    return 0


def sums(xs):
    return sum(x * 2 for x in xs), sum(x for x in xs if x > 0)


def extremes(xs):
    return max(x * x for x in xs), min(x for x in xs if x > 0)


def division_after_the_first_that_decides(xs):
    return any(x == 0 or 10 // x > 4 for x in xs)


def lowest(xs):
    low = None
    for x in xs:
        if low is None or x < low:
            low = x
    return low


def distance(xs):
    previous, total = None, 0.0
    for x in xs:
        if previous is not None:
            total += abs(x - previous)
        previous = x
    return total


def place_of_lowest(rows):
    low, place = None, (-1, -1)
    for i, row in enumerate(rows):
        for j, x in enumerate(row):
            if low is None or x < low:
                low, place = x, (i, j)
    return low, place


def repeated_and_lowest(xs):
    out, low = [0.5], None
    for x in xs:
        i = 0
        while i < x:
            out.append(x)
            i += 1
        low = x if low is None or x < low else low
    return sum(out), low


def last_but_one(n):
    last = before = None
    while n > 0:
        before, last = last, n
        n -= 1
    return last, before


def first_positive(xs):
    found = None
    for x in xs:
        found = x
        if x > 0:
            break
    return found


CASES = [
    (any_above, I([1, 2, 5]), I(4)),
    (any_above, I([1, 2, -5]), I(0)),
    (any_above, tf.zeros([0]), I(0.0)),
    (all_rising, I([1, 2, 5])),
    (all_rising, I([1, 5, 2])),
    (sums, I([1.0, -2.0, 3.0])),
    (sums, I([1, 2, 3])),
    (extremes, I([1, -2, 3])),
    (division_after_the_first_that_decides, I([5, 0, 1])),
    (division_after_the_first_that_decides, I([5, 6, 7])),
    (lowest, I([7, 3, 9])),
    (lowest, I([-3, -9, -4])),
    (distance, I([5.0, 6.0, 8.0])),
    (place_of_lowest, I([[5.0, 6.0], [2.0, 8.0]])),
    (last_but_one, I(4)),
    (repeated_and_lowest, I([2.0, 1.0, 3.0])),
    (first_positive, I([-1, 3, 4])),
    (first_positive, I([-1, -3])),
    (find_first, I([1.0, 5.0, 7.0]), I(4.0)),
    (find_first, I([1.0, 5.0, 7.0]), I(40.0)),
    (bare_return, I([1, 5])),
    (return_in_nested_loops, I(6)),
    (return_in_nested_loops, I(2)),
    (collatz, I(27)),
    (collatz, I(1)),
    (early_return, I(10)),
    (early_return, I(2)),
    (break_continue, I([1.0, -2.0, 3.0])),
    (break_continue, I([1.0, -2.0, 300.0, 5.0])),
    (break_continue, tf.zeros([0])),
    (promoted, I(3)),
    (promoted, I(0)),
    (promoted_by_tensor, I([1.5, 2.0])),
    (promoted_by_tensor, I([1, 2])),
    (relaxed, I(3)),
    (appended, I(4)),
    (appended, I(0)),
    (appended_under_if, I([1.0, -1.0, 2.0])),
    (appended_floats, I(20.0)),
    (popped, I(3)),
    (iterated_again, I(4)),
    (enumerated, I([3.0, 9.0, 2.0])),
    (zipped, I([1.0, 2.0, 3.0]), I([4.0, 5.0])),
    (reversed_rows, I([1.0, 2.0, 3.0])),
    (nested, I(6)),
    (python_bool_logic, I(5)),
    (python_bool_logic, I(42)),
    (python_bool_logic, I(-1)),
    (chained, I(5)),
    (chained, I(-5)),
    (dict_state, I(7)),
    (namedtuple_state, I(5)),
    (tuple_swap, I(10)),
    (true_loop, I(50)),
    (negative_step, I(7)),
    (negative_step, I(0)),
    (members, I([1, 2, 3]), I(2)),
    (members, I([1, 2, 3]), I(7)),
    (python_builtins, I([-3, 1, 2])),
    (branch_of_numbers, I(1)),
    (branch_of_numbers, I(-1)),
    (nested_function, I(3)),
    (nested_function, I(-3)),
    (conditional_none, I(3.0)),
    (boolean_flag, I([1, 3, 2])),
    (boolean_flag, I([1, 2])),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_same_as_python(case):
    check(*case)


def test_item_assignment_in_a_loop():
    result = tf.function(item_assigned)(I([1, 2, 3]))
    np.testing.assert_array_equal(result.numpy(), [2, 4, 6])


def test_dataclass_as_state():
    @dataclasses.dataclass
    class State:
        count: object
        total: object

    @tf.function
    def f(n):
        state = State(0, 0.0)
        for i in tf.range(n):
            state = State(state.count + 1, state.total + 0.5)
        return state.count, state.total

    _same(f(I(4)), (4, 2.0))


def refused(function, *args, error=TypeError):
    with pytest.raises(error) as caught:
        tf.function(function)(*args)
    return str(caught.value)


def test_branches_of_two_types():
    def f(x):
        if x > 0:
            y = x
        else:
            y = "skipped"
        return y

    text = refused(f, I(1.0))
    assert "`y` is float32[] after the `if` branch" in text
    assert "string" in text or "skipped" in text
    assert "test_converted.py" in text


def test_a_generator_where_the_length_is_unknown():
    vector = tf.TensorSpec([None], tf.int32)
    for function in (all_rising, sums, extremes, division_after_the_first_that_decides):
        staged = tf.function(function, input_signature=[vector])
        for values in ([1, 2, 5], [4, 0, 1], [3]):
            plain = function([np.int32(value) for value in values])
            _same(staged(I(values)), plain)


def doubled(xs):
    return [x * 2 for x in xs]


def pairs_of(xs):
    products = [a * b for a, b in zip(xs, xs[1:])]  # noqa: RUF007
    return max(products) + sum([i * x for i, x in enumerate(xs)])


def squares(n):
    return [i * i for i in range(n)]


def test_a_comprehension_where_the_length_is_unknown():
    staged = tf.function(doubled, input_signature=[tf.TensorSpec([None], tf.int32)])
    assert [list(map(int, staged(I(values)))) for values in ([1, 2], [5, 0, 1])] == [
        [2, 4],
        [10, 0, 2],
    ]
    staged = tf.function(pairs_of, input_signature=[tf.TensorSpec([None], tf.int32)])
    assert [int(staged(I(values))) for values in ([1, 2], [5, 0, 1])] == [4, 2]
    assert list(map(int, tf.function(squares)(I(4)))) == [0, 1, 4, 9]


def test_a_comprehension_of_known_length_is_a_python_list():
    @tf.function
    def f(xs):
        first, second = [x * 2 for x in xs]
        return second - first, len([x for x in xs])  # noqa: C416

    assert [int(value) for value in f(I([3, 5]))] == [4, 2]


def test_branch_without_a_value():
    @tf.function
    def f(x):
        if x > 0:
            z = x * 2
        return z

    assert int(f(I(1))) == 2
    with pytest.raises(UnboundLocalError, match="'z'"):
        f(I(-1))


def test_variable_that_is_undefined_but_not_read():
    @tf.function
    def f(x):
        if x > 0:
            z = (x, x + 1)
        if x > 0:
            y = z[0] * z[1]
        else:
            y = 0
        return y

    assert int(f(I(2))) == 6
    assert int(f(I(-1))) == 0


def test_undefined_before_a_loop():
    @tf.function
    def f(xs):
        for x in xs:
            last = x
        return last

    assert float(f(I([1.0, 2.0]))) == 2.0
    with pytest.raises(UnboundLocalError, match="'last'"):
        f(tf.zeros([0]))


def test_object_that_may_not_exist_is_refused():
    def f(x):
        if x > 0:
            state = object()
        return state

    assert "`state` has no value after the `else` branch" in refused(f, I(1.0))


def test_user_code_does_not_swallow_the_error():
    def f(x):
        try:
            if x > 0:
                y = 1.0
            else:
                y = "text"
        except (TypeError, ValueError):
            y = -1.0
        return y

    assert "`y`" in refused(f, I(1.0))


def test_truth_of_several_elements():
    def f(x):
        if x > 0:
            return x
        return -x

    assert "reduce_all" in refused(f, I([1.0, 2.0]), error=ValueError)


def test_raise_under_a_tensor_condition():
    @tf.function
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return x

    assert int(f(I(1))) == 1
    with pytest.raises(ValueError, match="negative"):
        f(I(-1))


def test_range_with_step_zero():
    @tf.function
    def f(step):
        total = 0
        for i in range(0, 5, step):
            total += i
        return total

    assert int(f(I(2))) == 6
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero"):
        f(I(0))


def test_list_that_gets_another_dtype():
    def f(n):
        out = []
        for i in tf.range(n):
            out.append(i)
            out.append(tf.constant(1.5))
        return out

    assert "out" in refused(f, I(3))


def test_maximum_iterations():
    @tf.function
    def f(x):
        i = 0
        while x > 0:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            i += 1
        return i

    assert int(f(I(1))) == 3


def test_converted_methods_and_callees():
    def helper(x):
        if x > 0:
            return x
        return -x

    class Model:
        def __init__(self):
            self.factor = tf.Variable(2.0)

        @tf.function
        def __call__(self, x):
            if x > 10.0:
                self.factor.assign_add(1.0)
            return helper(x) * self.factor

    model = Model()
    assert float(model(I(-3.0))) == 6.0
    assert float(model(I(20.0))) == 60.0
    assert float(model(I(1.0))) == 3.0


def test_a_test_of_a_known_shape_guards_a_branch():
    @tf.function
    def f(x):
        if tf.shape(x)[0] > 3:
            return x[3]
        return x[0]

    assert float(f(I([1.0, 2.0]))) == 1.0
    assert float(f(I([1.0, 2.0, 3.0, 4.0]))) == 4.0


def test_elements_of_a_growing_list_are_tensors_or_tuples_of_them():
    def f(n):
        out = []
        for i in tf.range(n):
            out.append([i, i * 2])
        return out

    assert "`out` has a list of (" in refused(f, I(3))


def test_position_behind_the_end_of_a_growing_list():
    @tf.function
    def f(n, i):
        out = []
        for k in tf.range(n):
            out.append(k * 10)
        return out[i], out[-1]

    assert [int(v) for v in f(I(3), I(1))] == [10, 20]
    assert [int(v) for v in f(I(3), I(-3))] == [0, 20]
    for wrong in (3, -4):
        with pytest.raises(IndexError, match="list index out of range"):
            f(I(3), I(wrong))


@pytest.mark.parametrize("function", [min, max])
def test_extreme_of_nothing(function):
    @tf.function
    def f(n):
        return function(tf.range(n))

    assert int(f(I(1))) == 0
    with pytest.raises(ValueError, match="empty sequence"):
        f(I(0))


@pytest.mark.parametrize("function", [min, max, any, all, sorted])
def test_rows_cannot_be_compared(function):
    assert f"{function.__name__}()" in refused(
        lambda x: function(x), tf.ones([2, 2]), error=ValueError
    )


def test_loop_that_starts_in_python_and_goes_on_in_the_graph():
    def f(x):
        i = 0
        while i < 3 or x > 10:
            x = x - 1
            i += 1
        return x, i

    check(f, I(20))
    check(f, I(1))


def test_python_loop_with_a_tensor_break():
    def f(x):
        s = 0
        for i in range(10):
            if s > x:
                break
            s += i
        return s

    check(f, I(7))
    check(f, I(1000))


def test_variables_are_rows_of_a_loop():
    weights = tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def f():
        total = 0.0
        for w in weights:
            total += w
        return total

    assert float(f()) == 6.0
    weights.assign([2.0, 2.0, 3.0])
    assert float(f()) == 7.0


def test_item_assignment_under_a_condition():
    @tf.function
    def f(xs, x):
        if x > 0:
            xs[0] = 100
        return xs

    assert f(tf.range(3), I(1)).numpy().tolist() == [100, 1, 2]
    assert f(tf.range(3), I(-1)).numpy().tolist() == [0, 1, 2]


def test_the_remedy_for_branches_that_differ_fits_what_differs() -> None:
    def text_or_number(x):
        if x > 0:
            y = tf.constant([1.0])
        else:
            y = "no"
        return y

    def numbers(x):
        if x > 0:
            y = tf.constant(1.0)
        else:
            y = tf.constant(2)
        return y

    with pytest.raises(TypeError, match=r"`y` is float32\[1\].*(?s:.*)strings\.as_string"):
        tf.function(text_or_number)(tf.constant(1))
    with pytest.raises(TypeError, match=r"`y` is float32\[\].*(?s:.*)runtime\.cast"):
        tf.function(numbers)(tf.constant(1))


@pytest.mark.parametrize("function", [lowest, distance, first_positive])
def test_a_value_after_none_where_the_length_is_unknown(function):
    staged = tf.function(function, input_signature=[tf.TensorSpec([None])])
    for values in ([7.0, 3.0, 9.0], [-1.0]):
        assert float(staged(tf.constant(values))) == function(values)
    if function is distance:
        assert float(staged(tf.zeros([0]))) == 0.0
        return
    assert staged(tf.zeros([0])) is None
