"""Repeated calls: served without a look at the structure of their arguments, and only if equal."""

from importlib.util import find_spec

import numpy as np
import pytest

import runtime as tf
from runtime.functions import entries


def is_served(f, *args, **kwargs):
    """Whether a call takes no look-up by the types of its arguments."""
    before = f.cache_info()
    f(*args, **kwargs)
    return f.cache_info() == before


def tensors(*values):
    return [tf.constant(value) for value in values]


CALLS = [
    ((1.0,), {}),
    ((1.0, 2.0), {}),
    ((1.0,), {"y": 2.0}),
    (((1.0, [2.0, 3.0]),), {"y": {"a": 4.0, "b": 5.0}}),
]


each_engine = pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param(
            {"jit_compile": True},
            marks=pytest.mark.skipif(not find_spec("llvmlite"), reason="needs llvmlite"),
        ),
    ],
    ids=["plan", "native"],
)


@each_engine
@pytest.mark.parametrize(("args", "kwargs"), CALLS)
def test_the_second_call_of_a_type_is_served_and_has_its_own_values(args, kwargs, options):
    def total(x, y=None):
        return sum(tf.nest.flatten((x, y if y is not None else [])))

    f = tf.function(total, **options)
    for scale in (1.0, 2.0, 3.0):
        given = tf.nest.map_structure(lambda value, s=scale: tf.constant(s * value), (args, kwargs))
        assert float(f(*given[0], **given[1])) == scale * sum(tf.nest.flatten((args, kwargs)))
    assert is_served(f, *given[0], **given[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1.0, 2.0], (1.0, 2.0)),
        ([1.0], [1.0, 2.0]),
        ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}),
        ({"a": 1.0}, {"b": 1.0}),
        (1.0, [1.0]),
        (1.0, 1),
        ([1.0, [2.0]], [1.0, 2.0]),
    ],
)
def test_other_structures_and_dtypes_are_other_calls(one, other):
    f = tf.function(lambda x: [sorted(x)] if isinstance(x, dict) else [x])
    for _ in range(3):
        for value in (one, other):
            given = tf.nest.map_structure(tf.constant, value)
            f(given)
    assert f.experimental_get_tracing_count() == 2
    assert is_served(f, given)


@pytest.mark.parametrize("values", [(1, True), (0, False), (1, 2), ("a", "b"), (None, 0)])
def test_python_values_are_compared_by_type_and_value(values):
    f = tf.function(lambda x, k: [x, repr(k)])
    x = tf.constant(1.0)
    for _ in range(3):
        assert [f(x, k)[1] for k in values] == list(map(repr, values))


def test_keyword_arguments_in_another_order_keep_their_names():
    f = tf.function(lambda x, y: 10.0 * x + y)
    x, y = tensors(1.0, 2.0)
    for _ in range(3):
        assert float(f(y=x, x=x)) == 11.0
        assert float(f(y=y, x=x)) == 12.0
        assert float(f(x=y, y=x)) == 21.0
        assert float(f(x, y=y)) == 12.0


def test_results_have_their_structure():
    f = tf.function(lambda x, y: {"b": x, "a": [y, (x + y,)], "c": None, "d": 3})
    for number in range(3):
        found = f(*tensors(1.0 + number, 2.0))
        assert list(found) == ["b", "a", "c", "d"]
        assert tf.nest.map_structure(float, (found["b"], found["a"])) == (
            1.0 + number, [2.0, (3.0 + number,)],
        )  # fmt: skip
        assert (found["c"], found["d"]) == (None, 3)


def test_shared_lists_of_a_result_stay_shared():
    @tf.function
    def f(x):
        row = [x]
        return row, row

    for _ in range(3):
        first, second = f(tf.constant(1.0))
        assert first is second


def test_a_changed_global_of_the_function_is_noticed():
    held = {"rate": 2.0}
    f = tf.function(lambda x: x * held["rate"])
    for rate in (2.0, 2.0, 3.0, 3.0, 2.0):
        held["rate"] = rate
        assert float(f(tf.constant(1.0))) == rate


def test_tapes_follow_served_calls():
    f = tf.function(lambda x: x * x)
    (x,) = tensors(3.0)
    for _ in range(3):
        f(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert float(tape.gradient(y, x)) == 6.0


def test_functions_that_run_eagerly_run_python_each_time():
    seen = []
    f = tf.function(lambda x: seen.append(type(x)) or x, autograph=False)
    (x,) = tensors(1.0)
    f(x)
    f(x)
    traced = len(seen)
    tf.config.run_functions_eagerly(True)
    try:
        f(x)
        f(x)
    finally:
        tf.config.run_functions_eagerly(False)
    assert len(seen) == traced + 2


def test_another_engine_takes_effect():
    f = tf.function(lambda x: x / 3.0)
    (x,) = tensors(1.0)
    want = float(f(x))
    assert is_served(f, x)
    tf.config.experimental.set_engine("interpreter")
    try:
        assert float(f(x)) == want
        assert is_served(f, x)
    finally:
        tf.config.experimental.set_engine("plan")


def test_instances_have_entries_of_their_own():
    class Scale:
        def __init__(self, factor):
            self.factor = factor

        @tf.function
        def __call__(self, x):
            return x * self.factor

    (x,) = tensors(3.0)
    scales = [Scale(2.0), Scale(5.0)]
    for _ in range(3):
        assert [float(scale(x)) for scale in scales] == [6.0, 15.0]
    scales[0].factor = 7.0
    assert [float(scale(x)) for scale in scales] == [21.0, 15.0]


def test_variables_as_arguments():
    f = tf.function(lambda v, x: v + x)
    v = tf.Variable(1.0)
    for number in range(4):
        v.assign(float(number))
        assert float(f(v, tf.constant(1.0))) == number + 1.0
    w = tf.Variable(10.0)
    assert float(f(w, tf.constant(1.0))) == 11.0


def test_more_types_than_are_kept():
    f = tf.function(lambda x: tf.reduce_sum(x))
    for _ in range(2):
        for count in range(entries.MOST + 5):
            assert float(f(tf.ones(count))) == count


@each_engine
def test_errors_of_served_calls_are_at_the_users_line(options):
    @tf.function(**options)
    def f(x, i):
        return x[i]

    x = tf.constant([1.0, 2.0])
    assert float(f(x, tf.constant(1))) == 2.0
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"test_printed_entries.py"):
            f(x, tf.constant(5))
    assert float(f(x, tf.constant(0))) == 1.0


@each_engine
def test_tensors_in_any_order_of_memory_are_taken(options):
    f = tf.function(lambda x, y: x * 2.0 + y, **options)
    y = tf.constant(np.arange(6.0).reshape(2, 3))
    for x in (np.ones((2, 3)), np.ones((3, 2)).T, np.ones((2, 6))[:, ::-2]):
        x = tf.convert_to_tensor(x)
        for _ in range(2):
            np.testing.assert_array_equal(f(x, y), 2.0 + y)
        assert is_served(f, x, y)


@each_engine
def test_results_of_numpy_programs_have_their_types(options):
    def program(x, k):
        n = 0
        for value in x:
            if value > k:
                n += 1
        return n, x[0], x.sum(), n > 1, x[0] > 0, [x * 2, "text", None], x

    f = tf.function(program, numpy=True, **options)
    for _ in range(3):
        x = np.arange(5.0)
        got, want = f(x, 1.5), program(x, 1.5)
        assert list(map(type, got)) == list(map(type, want))
        assert got[:5] == want[:5]
        assert got[5][1:] == want[5][1:]
        assert got[6] is x
        np.testing.assert_array_equal(got[5][0], want[5][0])


@pytest.mark.parametrize("values", [(0.0, -0.0), (float("nan"), float("inf")), (1.0, 1), (1, True)])
def test_numbers_of_numpy_programs_are_compared_exactly(values):
    def program(x, k):
        return x + np.copysign(1.0, k), repr(k)

    f = tf.function(program, numpy=True)
    x = np.ones(3)
    for _ in range(3):
        for k in values:
            got, want = f(x, k), program(x, k)
            np.testing.assert_array_equal(got[0], want[0])
            assert got[1] == want[1]


@each_engine
def test_arrays_of_numpy_programs_are_compared_by_class_dtype_and_shape(options):
    f = tf.function(lambda x: x + x, numpy=True, **options)
    given = [
        np.arange(12.0)[::-2],
        np.ones(3),
        np.ones(4),
        np.ones(3, np.float32),
        np.float64(2),
        np.ones((3, 2)).T,
    ]
    for _ in range(3):
        for x in given:
            got = f(x)
            assert (got.dtype, got.shape) == (x.dtype, x.shape)
            np.testing.assert_array_equal(got, x + x)
    for x in given:
        assert is_served(f, x)


@each_engine
def test_arrays_of_which_only_the_shape_is_read(options):
    f = tf.function(lambda x, y: x * len(y) + y.shape[1], numpy=True, **options)
    x = np.ones(3)
    for _ in range(3):
        for y in (np.ones((2, 3)), np.ones((5, 1))):
            np.testing.assert_array_equal(f(x, y), x * len(y) + y.shape[1])
    assert is_served(f, x, np.zeros((2, 3)))
