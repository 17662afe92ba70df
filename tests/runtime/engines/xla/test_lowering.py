"""Programs that XLA compiles give the results and the errors of the interpreter."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import runtime as tf  # noqa: E402
from runtime.engines import interpreter  # noqa: E402
from runtime.engines import xla as engine  # noqa: E402
from tests.runtime.engines.graphs import graph_of, outcome  # noqa: E402
from tests.runtime.engines.xla.programs import (  # noqa: E402
    agree,
    asserted,
    check,
    eager_gradient,
    newton,
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
    *((switched, [X, np.int32(n)]) for n in (-1, 0, 1, 7)), (with_items, [X, I3]),
    (rnn, [M, np.eye(4, dtype=np.float32)]), (softmax, [M]), (casts, [X]),
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


@pytest.mark.parametrize("function", [tf.linalg.inv, lambda x: tf.linalg.solve(x, x)])
def test_a_singular_matrix_is_an_error_as_numpys(function):
    def program(x):
        return tf.reduce_sum(function(x * 2.0 - x + 0.0))

    check(program, np.array([[2.0, 1.0], [1.0, 3.0]], np.float32))
    check(program, np.ones((2, 2), np.float32))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
@pytest.mark.parametrize("program", [bits, wrapping])
def test_integers_wrap_around(program, dtype):
    check(lambda n: (program(n), program(n + n)), np.array([1, 77, -3, np.iinfo(dtype).max], dtype))


# ---- errors: the plan runs again, and raises ----


def divided(n):
    return 7 // (n - 3) + n * n


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


# ---- functions ----


@pytest.fixture
def xla():
    tf.config.experimental.set_engine("xla")
    yield
    tf.config.experimental.set_engine("plan")


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        *((key, (4,)) for key in (0, -1, slice(1, 3), slice(None, None, 2), ..., (..., 1))),
        *((key, (3, 4)) for key in (1, (1, 2), (slice(None), 1), (..., 1), (2, ..., 0))),
        (..., ()),
        ((), ()),
    ],
)
def test_a_computed_number_is_written_at_each_kind_of_key(xla, key, shape):
    def program(x):
        rows = np.zeros(shape, np.float32)
        rows[key] = x[0] * 2
        return rows + x[1]

    np.testing.assert_array_equal(tf.function(program, numpy=True)(X), program(X))


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
