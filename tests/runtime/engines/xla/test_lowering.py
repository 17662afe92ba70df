"""Programs that XLA compiles give the results and the errors of the interpreter."""

import threading
from unittest import mock

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import runtime as tf  # noqa: E402
from runtime.engines import interpreter, plan  # noqa: E402
from runtime.engines import xla as engine  # noqa: E402
from runtime.engines.xla.boundary import XlaFunction  # noqa: E402
from tests.runtime.engines.graphs import graph_of, outcome  # noqa: E402
from tests.runtime.engines.xla.programs import (  # noqa: E402
    agree,
    asserted,
    check,
    eager_gradient,
    reasons,
    source,
)

pytestmark = pytest.mark.sample

X = np.array([1.5, -2.0, 0.25, 3.0], np.float32)
M = np.arange(12, dtype=np.float32).reshape(3, 4) / 7
I3 = np.int32(3)


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def newton(x):
    guess = x
    while tf.abs(guess * guess - x) > 1e-4:
        guess = (guess + x / guess) / 2.0
    return guess


def nested(n):
    total = 0
    for i in tf.range(n):
        for j in tf.range(i):
            if (i + j) % 3 == 0:
                continue
            total += i * j
    return total


def early_return(x, n):
    for i in tf.range(n):
        if tf.reduce_sum(x) > 20.0:
            return x, i
        x = x * 2.0
    return x, n


def broken(x):
    total = tf.constant(0.0)
    for value in x:
        if value < 0.0:
            break
        total += value
    return total


def elif_chain(x, n):
    if n == 0:
        y = x
    elif n == 1:
        y = x + 1.0
    elif n == 2:
        y = x * 2.0
    else:
        y = -x
    return y


def switched(x, n):
    return tf.switch_case(n, [lambda: x, lambda: x + 1.0, lambda: x * x])


def with_items(x, n):
    for i in tf.range(n):
        x = tf.tensor_scatter_nd_add(x, [[i]], [1.0])
    return x


def filled(n):
    rows = tf.TensorArray(tf.float32, 5)
    for i in tf.range(5):
        rows = rows.write(i, tf.cast(i * n, tf.float32))
    return rows.stack()


def appended(x):
    squares = []
    for i in tf.range(4):
        squares.append(x[i] * x[i])
    return tf.stack(squares)


def rnn(x, w):
    state = tf.zeros([4])
    states = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        state = tf.tanh(x[i] + tf.linalg.matvec(w, state))
        states = states.write(i, state)
    return states.stack(), state


def softmax(x):
    e = tf.exp(x - tf.reduce_max(x, axis=-1, keepdims=True))
    return e / tf.reduce_sum(e, axis=-1, keepdims=True)


def casts(x):
    return (
        tf.cast(x, tf.int32),
        tf.cast(x, tf.float64),
        tf.cast(x, tf.bool),
        tf.cast(x > 0, tf.int8),
    )


def slices(x):
    x = tf.exp(-x) * 2.0
    return x[1:, ::-1], x[0], x[..., 1], x[:, tf.newaxis, 2:]


def moving(x, n):
    total = tf.constant(0.0)
    for i in tf.range(n):
        total += x[i, i % 4] - x[-1, i]
    return total


def shapes(x):
    flat = tf.reshape(x, [-1])
    return tf.reshape(flat, [tf.shape(x)[1], -1]), tf.transpose(x), tf.concat([x, x * 2.0], 0)


def reductions(x):
    return tf.reduce_mean(x, 0), tf.reduce_max(x), tf.argmax(x, 1), tf.reduce_prod(x + 1.0, 1)


def sorting(x):
    values, places = tf.math.top_k(x, 2)
    return tf.sort(x), tf.argsort(x, direction="DESCENDING"), values, places


def cumulated(x):
    return tf.cumsum(x, exclusive=True), tf.cumsum(x, reverse=True), tf.math.cumprod(x)


def padded(x):
    return tf.pad(x, [[1, 2], [0, 1]]), tf.pad(x, [[0, 0], [1, 1]], constant_values=9.0)


def embedded(x):
    x = x * x - 1.0
    return tf.gather(x, [2, 0, 0]), tf.gather(x, [1, 3], axis=1), tf.gather_nd(x, [[0, 1], [2, 2]])


def one_hots(n):
    return tf.one_hot([0, 2, 5, -1], 4) * tf.cast(n, tf.float32) * 2.0


def segments(x):
    ids = [0, 2, 0]
    return tf.math.unsorted_segment_sum(x, ids, 4), tf.math.unsorted_segment_max(x, ids, 3)


def selected(x):
    return tf.where(x > 0.0, tf.math.log(x), -x * x)


def bits(n):
    left, right = tf.bitwise.left_shift(n, 3), tf.bitwise.right_shift(n, 1)
    return tf.bitwise.bitwise_xor(n, left) + tf.bitwise.invert(right)


def shifted(n):
    total = 0
    while n > 0:
        total += (n << 2) ^ (n >> 1)
        n -= 1
    return total


def wrapping(n):
    return (n * n) * (n * n) + n


def einsum(x):
    return tf.einsum("ij,kj->ik", x, x) + 1.0


def complex_numbers(x):
    z = tf.complex(x, x * 2.0)
    return tf.math.real(z * tf.math.conj(z)), tf.abs(z)


def cross_entropy(x):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[0, 3, 1], logits=x) * 2.0


PROGRAMS = [
    (collatz, [np.int32(27)]), (newton, [np.float32(2)]), (nested, [np.int32(9)]),
    (shifted, [np.int32(9)]),
    (early_return, [X, I3]), (early_return, [X, np.int32(30)]), (broken, [X]), (broken, [abs(X)]),
    *((elif_chain, [X, np.int32(n)]) for n in range(4)),
    *((switched, [X, np.int32(n)]) for n in (-1, 0, 1, 7)), (with_items, [X, I3]), (filled, [I3]),
    (appended, [X]), (rnn, [M, np.eye(4, dtype=np.float32)]), (softmax, [M]), (casts, [X]),
    (slices, [M]), (moving, [M, I3]), (shapes, [M]), (reductions, [M]), (sorting, [X]),
    (cumulated, [M]), (padded, [M]), (embedded, [M]), (one_hots, [I3]), (segments, [M]),
    (selected, [X]), (einsum, [M]), (complex_numbers, [X]), (cross_entropy, [M]),
    (asserted, [X, I3]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("program", "arrays"),
    [pytest.param(*case, id=f"{case[0].__name__}-{i}") for i, case in enumerate(PROGRAMS)],
)
def test_a_program_agrees_with_the_interpreter(program, arrays):
    check(program, *arrays)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize("program", [bits, wrapping])
def test_integers_wrap_around(program, dtype):
    check(lambda n: (program(n), program(n + n)), np.array([1, 77, -3, np.iinfo(dtype).max], dtype))


def test_numbers_of_64_bits_keep_them_and_the_process_keeps_its_setting():
    before = jax.config.jax_enable_x64
    (result,) = check(lambda x: tf.cumsum(x) / 3.0, np.array([1.0, 1e-9]))
    assert result.dtype == np.float64
    assert jax.config.jax_enable_x64 is before


# ---- errors: the plan runs again, and raises ----


def gathered(x, n):
    return tf.gather(x * 2.0, n + 1) * 3.0


def indexed(x, n):
    total = tf.constant(0.0)
    while n < 100:
        total += x[n]
        n += 1
    return total


def divided(n):
    return 7 // (n - 3) + n * n


def overflowing(n):
    i = 1
    while n > 0:
        i = i * 3
        n -= 1
    return i


def failing_test(x, n):
    while x[n] > 0.0:
        n += 1
    return n


def failing_in_a_branch(x, n):
    y = tf.gather(x, n * 10) * 2.0 if n > 2 else tf.sin(x[0]) * x[1]
    return tf.exp(x) * y


FAILING = [
    (gathered, [X, np.array([0, 9])]), (gathered, [X, np.array([-4, 0])]), (indexed, [X, I3]),
    (divided, [np.array([3, 4], np.int32)]), (overflowing, [np.int32(40)]), (asserted, [X * 9, I3]),
    (failing_test, [abs(X), I3]), (failing_in_a_branch, [X, I3]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("program", "arrays"),
    [pytest.param(*case, id=f"{case[0].__name__}-{i}") for i, case in enumerate(FAILING)],
)
def test_an_error_is_that_of_the_plan(program, arrays):
    arrays = [np.asarray(array) for array in arrays]
    graph, captured = graph_of(program, *arrays)
    assert reasons(engine.source(graph)) == []
    expected = outcome(plan.executable(graph), [*arrays, *captured])
    assert isinstance(expected, str)
    assert "/tests/runtime/engines/xla/" in expected
    assert outcome(engine.executable(graph), [*arrays, *captured]) == expected


def test_an_untaken_branch_does_not_fail():
    check(failing_in_a_branch, X, np.int32(1))


@pytest.mark.parametrize("number", [np.nan, np.inf, 3e9, -3e9, 2147483648.0])
def test_a_number_outside_of_the_integers_is_converted_by_the_plan(number):
    check(lambda x: tf.cast(x * 1.0, tf.int32) // 2, np.array([1.0, number]))


def test_quotients_of_quotients_do_not_overflow():
    check(lambda x: (x / 1e25) / (x / 1e10), np.array([1e30, 2e30], np.float32))


# ---- what XLA does not run ----


def test_output_and_variables_stay_in_the_plan_in_order(capsys):
    v = tf.Variable([1.0, 2.0])

    def program(x):
        y = tf.sin(v * x) + v
        tf.print("y", tf.size(y))
        v.assign_add(y * 2.0)
        return tf.exp(v) * x

    expected = tf.function(program)(tf.constant([1.0, 2.0])).numpy()
    left = v.numpy()
    v.assign([1.0, 2.0])
    tf.config.experimental.set_engine("xla")
    try:
        found = tf.function(program)(tf.constant([1.0, 2.0])).numpy()
    finally:
        tf.config.experimental.set_engine("plan")
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    np.testing.assert_allclose(v.numpy(), left, rtol=1e-5)


def test_a_loop_that_prints_runs_as_python_and_the_note_names_operation_and_line():
    def f(x, n):
        while n > 0:
            tf.print(n)
            n -= 1
        return tf.sin(x) * tf.cos(x) + tf.exp(x)

    text = source(f, X, I3)
    (note,) = reasons(text)
    assert "Print" in note
    assert text.count("_results is False:") == 1


def test_a_slice_of_unknown_length_is_python():
    def f(x, n):
        while n > 0:
            x = x + tf.reduce_sum(x[:n])
            n -= 1
        return x

    (note,) = reasons(source(f, X, I3))
    assert "StridedSlice" in note
    assert "test_lowering.py" in note
    graph, _ = graph_of(f, X, I3)
    agree(
        outcome(interpreter.executable(graph), [X, I3]), outcome(engine.executable(graph), [X, I3])
    )


def test_strings_are_python():
    text = source(lambda x: tf.strings.as_string(tf.sin(x) * 2.0), X)
    assert "AsString" in text


def test_the_plan_runs_where_xla_fails():
    graph, _ = graph_of(softmax, M)
    function = XlaFunction(graph)
    (found,) = function.call(M)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-6)
    function._run = mock.Mock(side_effect=jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED"))
    assert function.call(M) is False


# ---- functions ----


@pytest.fixture
def xla():
    tf.config.experimental.set_engine("xla")
    yield
    tf.config.experimental.set_engine("plan")


def test_unknown_dimensions_are_compiled_for_each_shape(xla):
    f = tf.function(lambda x: tf.nn.softmax(x) * 2.0, [tf.TensorSpec([None, 3], tf.float32)])
    for rows in (1, 4, 1):
        x = np.ones((rows, 3), np.float32)
        np.testing.assert_allclose(f(x).numpy(), np.full((rows, 3), 2 / 3), rtol=1e-6)


def test_unknown_shapes_that_xla_refuses_run_as_python(xla):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(dims):
        return tf.zeros(dims) + tf.ones(dims) * 2.0

    np.testing.assert_array_equal(f([2, 3]).numpy(), np.full((2, 3), 2.0))
    np.testing.assert_array_equal(f([1]).numpy(), [2.0])


def test_results_do_not_share_memory_with_arguments(xla):
    f = tf.function(lambda x: (x, tf.sin(x) * tf.cos(x)))
    x = np.ones(1024, np.float32)
    same, _ = f(x)
    x[:] = 5
    assert same.numpy().max() == 1


def test_variables_can_be_changed_in_place_after_they_took_a_result(xla):
    v = tf.Variable(tf.zeros([8]))

    @tf.function
    def f(x):
        v.assign(tf.sin(x) + tf.cos(x) * 2.0)

    f(tf.ones([8]))
    v.scatter_nd_update([[1]], [9.0])
    assert v.numpy()[1] == 9


def test_programs_of_numpy_run(xla):
    @tf.function(numpy=True)
    def f(x):
        y = np.sin(x) * 2 + x.sum()
        y[0] = 7
        return y

    result = f(np.arange(4.0))
    expected = np.sin(np.arange(4.0)) * 2 + 6
    np.testing.assert_allclose(result[1:], expected[1:], rtol=1e-12)
    assert result[0] == 7
    result[1] = 0  # the caller's own array


def test_threads_share_a_function(xla):
    f = tf.function(newton)
    found = []
    threads = [
        threading.Thread(target=lambda n=n: found.append((n, float(f(tf.constant(float(n)))))))
        for n in range(1, 7)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(n for n, root in found if abs(root * root - n) < 1e-3) == list(range(1, 7))


# ---- gradients ----


def powers(x, n):
    for _ in tf.range(n):
        x = x * tf.sin(x)
    return tf.reduce_sum(x)


def branches(x, w):
    y = x * w if tf.reduce_sum(x) > 0.0 else x - w
    return tf.reduce_sum(y * y)


def gathers(x, w):
    return tf.reduce_sum(tf.gather(x, [0, 2, 0]) * w[1:] + x[-1])


def recurrent(x, w):
    states, state = rnn(x, w)
    return tf.reduce_sum(states) + tf.reduce_sum(state)


@pytest.mark.parametrize(
    ("program", "arrays"),
    [
        (lambda x, w: powers(x * w, 3), [X, X / 9]),
        (branches, [X, X * 2]),
        (branches, [-X, X * 2]),
        (gathers, [X, X]),
        (recurrent, [M, np.eye(4, dtype=np.float32)]),
        (lambda x, w: tf.reduce_sum(tf.nn.softmax(x @ w) ** 2), [M, np.eye(4, dtype=np.float32)]),
    ],
)
def test_gradients_agree(program, arrays):
    def gradients(*tensors):
        with tf.GradientTape() as tape:
            for tensor in tensors:
                tape.watch(tensor)
            result = program(*tensors)
        return tape.gradient(result, tensors)

    agree(eager_gradient(program, *arrays), check(gradients, *arrays))


@pytest.mark.parametrize(("x", "y"), [(7, 0), (7.5, 0.0), (-7, 2), (7.5, -2.0)])
def test_numbers_of_python_divided(x, y):
    def divided(n, x, y):
        for _ in range(n):
            x, y = x * 1, y * 1
        return x / y, x // y, x % y

    run = tf.function(divided, jit_compile=True)
    if y == 0:
        with pytest.raises(ZeroDivisionError, match=r"test_lowering\.py"):
            run(tf.constant(2), x, y)
    else:
        found = [float(each) for each in run(tf.constant(2), x, y)]
        assert found == [float(each) for each in divided(2, x, y)]
