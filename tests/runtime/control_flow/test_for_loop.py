"""Python loops that are traced as one staged loop, and those that must not be."""

import logging
from functools import partial

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.counted_calls import calls_of

MANY = 300


def operations(concrete):
    """The number of operations of the recorded graph, carried graphs not counted."""
    return len(concrete.graph.operations)


def plain(value):
    return tf.nest.map_structure(lambda leaf: np.asarray(leaf).tolist(), value)


def loops(concrete):
    return sum(op.type in ("While", "StatelessWhile") for op in concrete.graph.operations)


# ---- long loops that are rolled ----


def branch(x, n):
    total = 0.0
    for _ in range(n):
        if x > total:
            total = total + x * 0.5
            continue
        total = total - 1.0
    return total


def index_in_sums(x, n):
    for i in range(n):
        x = x * 0.5 + i * 0.1 + (i % 7) / (i + 1) - i // 3
    return x


def index_in_tests(x, n):
    for i in range(n):
        if i % 3 == 0:
            x = x + 1.0
        elif i > 250:
            x = x - 0.5
    return x


def index_in_powers(x, n):
    for i in range(n):
        x = x * 0.5 + i**2 - abs(i - 100) * 0.25
    return x


def index_afterwards(x, n):
    for i in range(n):  # noqa: B007
        x = x + 1.0
    return x, i


def with_step(x, n):
    for i in range(3, 2 * n, 2):
        x = x + i
    return x


def downwards(x, n):
    for i in range(n, 0, -1):
        x = x * 0.9 + i
    return x


def several(x, n):
    a, b, done = x, x * 2.0, x > 100.0
    for i in range(n):
        a, b = b, a + 1.0
        if a > 50.0:
            done = i > 100
    return a, b, done


def structures(x, n):
    state = (x, {"y": x * 2.0})
    for _ in range(n):
        state = (state[1]["y"], {"y": state[0] + 0.5})
    return state


def reading_a_constant_list(x, n):
    weights = [0.5, 2.0]
    for _ in range(n):
        x = x * weights[0] + weights[1]
    return x


def nested(x, n):
    for _ in range(n):
        for _ in range(2):
            x = x * 0.5 + 1.0
    return x


def called(x, n):
    def step(value, i):
        return value * 0.5 + i if value < 1e6 else value

    for i in range(n):
        x = step(x, i)
    return x


def with_assert(x, n):
    for i in range(n):
        tf.debugging.Assert(x > -1e9, ["too small"])
        x = x + i
    return x


def rows_of_a_tensor(x, n):
    row = tf.range(0.0, 2 * n)
    for i in range(n):
        x = x * 0.5 + row[i] - row[-1 - i] * row[2 * n - 1]
    return x


def elements_of_a_matrix(x, n):
    table = tf.reshape(tf.range(0.0, 2 * n), [n, 2])
    for i in range(n):
        x = x * 0.5 + table[i, 0] if x > table[i, 1] else x + tf.reduce_sum(table[i])
    return x


def column_of_an_argument(x, n):
    table = tf.stack([tf.ones([n]) * x, tf.range(0.0, n)])
    for i in range(n):
        x = x * 0.5 + tf.reduce_sum(table[:, i])
    return x


def stacked_numbers(x, n):
    for i in range(n):
        x = x * 0.5 + tf.cast(tf.stack([i, i + 1]), tf.float32)[0]
    return x


ROLLED = [
    stacked_numbers,
    rows_of_a_tensor,
    elements_of_a_matrix,
    column_of_an_argument,
    branch,
    index_in_sums,
    index_in_tests,
    index_in_powers,
    index_afterwards,
    with_step,
    downwards,
    several,
    structures,
    reading_a_constant_list,
    nested,
    called,
    with_assert,
]


@pytest.mark.parametrize("function", ROLLED)
@pytest.mark.parametrize("n", [128, MANY])
def test_rolled_loop_agrees_with_python_to_the_bit(function, n):
    traced, converted = tf.function(function), autograph.to_graph(function)
    for x in (3.5, 1e4):
        expected = plain(function(tf.constant(x), n))
        assert plain(traced(tf.constant(x), n)) == expected, x
        assert plain(converted(tf.constant(x), n)) == expected, x


@pytest.mark.parametrize("function", ROLLED)
def test_graph_of_a_long_loop_does_not_grow_with_it(function):
    spec = tf.TensorSpec([], tf.float32)
    f = tf.function(function)
    few, many = (f.get_concrete_function(spec, n) for n in (MANY, 4 * MANY))
    assert loops(few) >= 1
    assert operations(few) == operations(many)


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64, tf.float64, tf.float16])
def test_rolled_loop_keeps_dtypes(dtype):
    def f(x):
        for i in range(MANY):
            x = x + i % 3
        return x

    x = tf.constant(1, dtype)
    found = tf.function(f)(x)
    assert found.dtype is dtype
    assert found.numpy() == f(x).numpy()


def test_variables_are_assigned_in_each_iteration():
    v = tf.Variable(0)

    @tf.function
    def f(x):
        for i in range(MANY):
            v.assign_add(i)
            x = x + tf.cast(v, tf.float32)
        return x

    total, x = 0, 0.0
    for i in range(MANY):
        total += i
        x += total
    assert f(tf.constant(0.0)).numpy() == np.float32(x)
    assert v.numpy() == total


def test_tensor_array_is_written_in_each_iteration():
    @tf.function
    def f(x):
        rows = tf.TensorArray(tf.float32, size=MANY)
        for i in range(MANY):
            x = x * 0.5 + i
            rows = rows.write(i, x)
        return rows.stack()

    x, expected = np.float32(1.0), []
    for i in range(MANY):
        x = x * np.float32(0.5) + np.float32(i)
        expected.append(x)
    assert f(tf.constant(1.0)).numpy().tolist() == np.array(expected).tolist()


def test_a_trace_of_10_000_steps_takes_the_calls_of_one_of_200():
    f = partial(tf.function(branch), tf.constant(1.0))
    f(150)
    calls = [calls_of(partial(f, steps)) for steps in (200, 10_000)]
    assert calls[1] < 1.1 * calls[0]


def test_log_names_the_loop(caplog):
    autograph.set_verbosity(1)
    try:
        with caplog.at_level(logging.INFO, logger="autograph"):
            tf.function(branch)(tf.constant(1.0), MANY)
    finally:
        autograph.set_verbosity(0)
    (line,) = [each.message for each in caplog.records if "staged loop" in each.message]
    assert "range(0, 300)" in line and "test_for_loop.py" in line


# ---- loops that must stay unrolled ----


def python_index(x, n):
    names = [str(each) for each in range(n)]
    lengths = {i: len(name) for i, name in enumerate(names)}
    for i in range(n):
        x = x + lengths[i]
    return x


def python_shape(x, n):
    for i in range(n):
        x = x + tf.reduce_sum(tf.ones([i % 4]))
    return x


def python_counter(x, n):
    k = 1
    for _ in range(n):
        x = x + k * 0.5
        k = (k * 1103515245 + 12345) % 2**31
    return x


def big_numbers(x, n):
    for i in range(n):
        x = x + (i + 1) ** 5 / 10**9
    return x


def python_type(x, n):
    for i in range(n):
        x = x + (1.0 if isinstance(i, int) else 100.0)
    return x


def float_powers(x, n):  # NumPy's and Python's may differ in the last bit
    for i in range(n):
        x = x + 0.99**i
    return x


def python_type_in_a_call(x, n):
    def kind(value):
        return 1.0 if isinstance(value, int) else 100.0

    for i in range(n):
        x = x + kind(i)
    return x


def growing_list(x, n):
    out = []
    for _ in range(n):
        x = x * 0.5 + 1.0
        out.append(x)
    return out[-1], len(out)


def last_but_one(x, n):
    before = -1
    for i in range(n):
        x = x + (i - before)
        before = i
    return x, before


def change_of_type_late(x, n):
    y = 0
    for i in range(n):
        x = x + 1.0
        if i == 200:
            y = x
    return x, y


def caught_error(x, n):
    lengths = dict.fromkeys(range(0, n, 2), 1.0)
    for i in range(n):
        try:
            x = x + lengths[i]
        except KeyError:
            x = x - 0.5
    return x


def logged(x, n):
    for i in range(n):
        logging.getLogger("steps").debug("step %d", i)
        x = x + 1.0
    return x


def caught_index(x, n):
    row = tf.ones([n - 100])
    for i in range(n):
        try:
            x = x * 0.5 + row[i]
        except (IndexError, ValueError):
            x = x - 1.0
    return x


def lengths_of_slices(x, n):
    row = tf.ones([n])
    for i in range(n):
        if row[i : i + 2].shape[0] == 2:
            x = x * 0.5 + i
    return x


STAYING = [
    caught_index,
    lengths_of_slices,
    python_index,
    python_shape,
    caught_error,
    logged,
    python_type,
    python_type_in_a_call,
    python_counter,
    big_numbers,
    growing_list,
    last_but_one,
    change_of_type_late,
]


@pytest.mark.parametrize("function", [*STAYING, float_powers])
def test_what_python_alone_can_do_agrees(function):
    expected = plain(function(tf.constant(1.5), MANY))
    assert plain(tf.function(function)(tf.constant(1.5), MANY)) == expected


@pytest.mark.parametrize("function", STAYING)
def test_what_python_alone_can_do_is_unrolled(function):
    concrete = tf.function(function).get_concrete_function(tf.TensorSpec([], tf.float32), MANY)
    assert loops(concrete) == 0


def test_print_happens_in_each_iteration_while_tracing(capsys):
    @tf.function
    def f(x):
        for i in range(MANY):
            print("tracing", i)
            x = x + 1.0
        return x

    assert f(tf.constant(0.0)).numpy() == MANY
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"tracing {i}" for i in range(MANY)]


def test_objects_change_in_each_iteration_while_tracing():
    class Log:
        def __init__(self):
            self.count = 0

    log, seen = Log(), []

    @tf.function
    def f(x):
        for i in range(MANY):
            log.count += 1
            seen.append(i)
            x = x + 1.0
        return x

    assert f(tf.constant(0.0)).numpy() == MANY
    assert log.count == MANY
    assert seen == list(range(MANY))


def test_random_numbers_are_those_of_the_unrolled_loop():
    @tf.function
    def f(x):
        for _ in range(MANY):
            x = x + tf.random.uniform([])
        return x

    assert loops(f.get_concrete_function(tf.TensorSpec([], tf.float32))) == 0


def test_error_of_python_is_raised_in_its_iteration():
    @tf.function
    def f(x):
        for i in range(MANY):
            x = x + 1 / (200 - i)
        return x

    with pytest.raises(ZeroDivisionError):
        f(tf.constant(0.0))


def test_short_loops_are_unrolled():
    concrete = tf.function(branch).get_concrete_function(tf.TensorSpec([], tf.float32), 20)
    assert loops(concrete) == 0


# ---- loops with a staged break or return ----


def with_break(x, n):
    for i in range(n):
        x = x + i
        if x > 1000.0:
            break
    return x, i


def with_return(x, n):
    for i in range(n):
        x = x + i * 0.5
        if x > 1000.0:
            return x, i
    return x, -1


def with_else(x, n):
    for i in range(n):
        x = x * 1.01 + i
        if x > 1e6:
            break
    else:
        x = -x
    return x


def with_continue_and_break(x, n):
    count = 0
    for i in range(n):
        if x < i:
            continue
        x = x - 1.0
        count += 1
        if x < 5.0:
            break
    return x, count


def flag_and_break(x, n):
    done = False
    steps = 0
    for _ in range(n):
        if not done:
            steps += 1
            done = x * steps > 20.0
        if done:
            break
    return steps


LEAVING = [with_break, with_return, with_else, with_continue_and_break, flag_and_break]


@pytest.mark.parametrize("function", LEAVING)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 40])
def test_loop_with_a_staged_break_agrees_with_python(function, n):
    def rounded(value):
        return tf.nest.map_structure(lambda leaf: np.float32(leaf).item(), value)

    traced = tf.function(function)
    for x in (-5.0, 7.5, 2000.0):
        assert rounded(traced(tf.constant(x), n)) == rounded(function(tf.constant(x), n)), x


@pytest.mark.parametrize("function", LEAVING)
def test_graph_of_a_loop_with_a_staged_break_does_not_grow_with_it(function):
    spec = tf.TensorSpec([], tf.float32)
    f = tf.function(function)
    few, many = (f.get_concrete_function(spec, n) for n in (50, 500))
    assert loops(few) >= 1
    assert operations(few) == operations(many)


def test_loop_with_a_staged_break_over_what_python_alone_can_index():
    names = ["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg", "hhhhhhhh"]

    def f(x):
        for i in range(len(names)):
            x = x + len(names[i])
            if x > 12:
                break
        return x

    for x in (0, 5, 100):
        assert tf.function(f)(tf.constant(x)).numpy() == f(tf.constant(x)).numpy()


class Average:
    def __init__(self, value):
        self.value = value
        self.count = 0

    def add(self, x):
        self.value = self.value * 0.5 + x
        self.count += 1


def attributes_changed_by_a_method(x, n):
    average = Average(x)
    for _ in range(n):
        average.add(x)
        x = x * 0.5
    return average.value + x, average.count


def items_changed(x, n):
    held = [x, x]
    for _ in range(n):
        held[0] = held[0] * 0.5 + x
        x = x * 0.5
    return held[0] + held[1] + x


KEPT = Average(1.0)


def attributes_of_an_object_outside(x, n):
    KEPT.value, KEPT.count = x, 0
    for _ in range(n):
        KEPT.add(x)
        x = x * 0.5
    return KEPT.value + x, KEPT.count


CHANGING = [attributes_changed_by_a_method, items_changed, attributes_of_an_object_outside]


@pytest.mark.parametrize("program", CHANGING, ids=lambda each: each.__name__)
def test_iterations_that_change_objects_become_one_loop(program):
    @tf.function
    def staged(x):
        return program(x, 400)

    found = tf.nest.flatten(staged(tf.constant(1.0)))
    for one, other in zip(found, tf.nest.flatten(program(1.0, 400)), strict=True):
        assert float(one) == pytest.approx(float(other))
    assert len(staged.get_concrete_function(tf.constant(1.0)).graph.get_operations()) < 250


def test_iterations_that_gain_attributes_agree():
    def program(x, n):
        held = Average(x)
        for i in range(n):
            setattr(held, f"part{i % 3}", x)
            x = x * 0.5
        return held.part0 + held.part1 + held.part2 + x

    assert float(tf.function(program)(tf.constant(1.0), 200)) == pytest.approx(program(1.0, 200))


class Quiet:
    """A context manager that swallows every exception."""

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        return True


def test_a_manager_that_swallows_everything_does_not_swallow_the_end_of_an_attempt(capsys):
    def program(x, n):
        total = 0
        for i in range(n):
            with Quiet():
                total += i
                if i % 100 == 0:
                    print(i)
                total += x
        return total

    assert int(tf.function(program)(tf.constant(3), MANY)) == program(3, MANY)
    printed = capsys.readouterr().out.split()
    assert printed == ["0", "100", "200"] * 2
