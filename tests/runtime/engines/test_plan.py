"""The plan: what it looks like and computes; threads do not harm it."""

import gc
import threading
import tracemalloc

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, Ufunc, all_ops
from runtime.engines import interpreter, plan
from runtime.engines.printer import LONGEST
from runtime.ops.base.define import bind
from runtime.passes.pipeline import optimize
from tests.runtime.engines.graphs import agree, agree_on_error, concrete_of
from tests.runtime.engines.updates import agree as same_by_plan

SAMPLES = [
    pytest.param(op, sample, id=f"{op.name}-{i}")
    for op in all_ops()
    for i, sample in enumerate(op.samples)
]


SCALAR = tf.TensorSpec([], tf.float32)
COUNT = tf.TensorSpec([], tf.int32)


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_every_op_gives_what_the_interpreter_gives(op, sample, capsys):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    graph = Graph("sample")
    arguments = [graph.add_input(tensor.spec, "x") for tensor in inputs]
    with recording(graph):
        graph.outputs = list(execute(op, arguments, sample.attrs))
    arrays = [tensor.array for tensor in inputs]
    results = []
    for engine in (interpreter, plan):
        tf.random.set_seed(3)
        results.append(engine.executable(graph)(*arrays))
    if op.effect is Effect.READ or op.boxed:
        return
    for one, two in zip(*results, strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_array_equal(one, two)


class TestSource:
    def test_is_python_with_the_names_and_lines_of_the_program(self):
        def f(x):
            y = tf.tanh(x)
            return y * x

        text = concrete_of(f, tf.TensorSpec([3], tf.float32)).plan_source
        first = f.__code__.co_firstlineno
        assert text == (
            "def f(x):\n"
            f"    tanh = np.tanh(x)  # test_plan.py:{first + 1}\n"
            f"    mul = tanh * x  # test_plan.py:{first + 2}\n"
            "    return (mul,)\n"
        )

    def test_has_real_loops_and_branches_on_python_ints(self):
        def f(n):
            steps = 0
            while n != 1:
                n = n // 2 if n % 2 == 0 else 3 * n + 1
                steps += 1
            return steps

        text = concrete_of(f, tf.TensorSpec([], tf.int64), autograph=True).plan_source
        assert "while n_2 != 1:" in text
        assert "if (n_2 & 1) == 0:" in text
        assert "cond = n_2 >> 1" in text

    def test_a_number_that_one_operation_reads_next_has_no_line_of_its_own(self):
        spec = tf.TensorSpec([], tf.int64)

        text = concrete_of(lambda x, y: (x & 6) | 1, spec, spec).plan_source
        assert "or_2 = (x_int & 6) | 1" in text

        def read_twice(x, y):
            masked = x & 6
            return masked | masked

        def read_later(x, y):
            masked, other = x & 6, y & 3
            return other | y, masked

        fails = (
            lambda x, y: 10 // (x & 6),
            lambda x, y: 10 % (x & 6),
            lambda x, y: 10 % (x - 1) + y,
            lambda x, y: tf.cond(10 % (x - 1) == 0, lambda: x, lambda: y),
            lambda x, y: -(10 // (x - 1)),
        )
        for f in fails:
            with pytest.raises(tf.errors.InvalidArgumentError, match="Integer division by zero"):
                tf.function(f)(tf.constant(1, tf.int64), tf.constant(7, tf.int64))

        for f, want in ((read_twice, 4), (read_later, (7, 4))):
            text = concrete_of(f, spec, spec).plan_source
            assert "and_2 = x_int & 6" in text
            found = tf.function(f)(tf.constant(12, tf.int64), tf.constant(7, tf.int64))
            assert tf.nest.map_structure(int, found) == want

    def test_integers_are_checked_where_they_may_leave_the_range_of_the_dtype(self):
        spec = tf.TensorSpec([], tf.int32)
        text = concrete_of(lambda x, y: (x * y - 1, x + 5, y - 5), spec, spec).plan_source
        checks = [line.strip() for line in text.splitlines() if "wrap(" in line]
        assert checks == [
            "if not -2147483648 <= sub < 2147483648: sub = wrap(sub, 32)",
            "if add >= 2147483648: add = wrap(add, 32)",
            "if sub_1 < -2147483648: sub_1 = wrap(sub_1, 32)",
        ]

    def test_a_choice_by_number_is_a_chain_of_elif(self):
        def f(i, x):
            return tf.switch_case(i, [lambda: x + 1.0, lambda: x * 2.0, lambda: x])

        text = concrete_of(f, COUNT, SCALAR).plan_source
        first = f.__code__.co_firstlineno + 1
        assert text.partition("\n\n")[2] == (
            "def f(i, x):\n"
            "    i_int = int(i)\n"
            f"    if i_int == 0:  # test_plan.py:{first}\n"
            f"        switch_case_indexed_case = x + add_y  # test_plan.py:{first}\n"
            "    elif i_int == 1:\n"
            "        switch_case_indexed_case = x * mul_y\n"
            "    else:\n"
            "        switch_case_indexed_case = x\n"
            "    return (switch_case_indexed_case,)\n"
        )

    @pytest.mark.parametrize("count", [1, 2, LONGEST, LONGEST + 1])
    def test_choices_among_few_and_many(self, count):
        def f(i, x):
            return tf.switch_case(i, [lambda n=n: x + float(n) for n in range(count)])

        graph = concrete_of(f, COUNT, SCALAR).graph
        for i in (-1, 0, count - 1, count):
            agree(graph, np.int32(i), np.float32(0.5))
            agree(optimize(graph), np.int32(i), np.float32(0.5))

    def test_a_number_that_turns_out_to_be_no_scalar(self):
        def f(i, x):
            return tf.switch_case(i, [lambda: x + 1.0, lambda: x])

        graph = concrete_of(f, tf.TensorSpec(None, tf.int32), SCALAR).graph
        error = agree_on_error(graph, np.int32([1]), np.float32(0.5))
        assert "must be a scalar, but it has shape [1]" in str(error)
        agree(graph, np.int32(1), np.float32(0.5))

    def test_names_of_the_program_do_not_hide_what_the_text_needs(self):
        def f(np, wrap, int32):
            return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + wrap, x * np), (int32, np))

        number = tf.TensorSpec([], tf.int32)
        agree(concrete_of(f, number, number, number).graph, *np.array([5, 1, -3], np.int32))


class TestNumbers:
    @pytest.mark.parametrize("dtype", ["int32", "int64"])
    @pytest.mark.parametrize("function", [
        lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: -x + tf.abs(y),
        lambda x, y: tf.square(x), lambda x, y: x // y, lambda x, y: x % y, lambda x, y: x // 4,
        lambda x, y: x % 8, lambda x, y: tf.maximum(x, y), lambda x, y: x < y,
        lambda x, y: tf.cast(x, tf.int32), lambda x, y: tf.cast(x, tf.float32),
        lambda x, y: tf.cast(x, tf.float64), lambda x, y: tf.cast(x, tf.bool),
        lambda x, y: tf.where(x > y, x, y), lambda x, y: tf.bitwise.bitwise_and(x, y),
        lambda x, y: x + 1, lambda x, y: 1 + x, lambda x, y: x + -2, lambda x, y: x - 1,
        lambda x, y: x - -1, lambda x, y: 1 - x, lambda x, y: x + 0, lambda x, y: -3 + x - 4,
        lambda x, y: 3 * x + 1, lambda x, y: x * x * x * y - 1, lambda x, y: (x * y - 5) // 3,
        lambda x, y: (x * y, x * y + 1), lambda x, y: tf.cast(x * y, tf.float64) + 1.0,
        lambda x, y: (x * 3 + 1) * (y * 3 - 1), lambda x, y: x * 3 + x * 3,
    ])  # fmt: skip
    def test_scalars_wrap_around_as_arrays_do(self, function, dtype):
        spec = tf.TensorSpec([], dtype)
        graph = concrete_of(function, spec, spec).graph
        limits = np.iinfo(dtype)
        numbers = [limits.min, limits.min + 1, -7, -1, 1, 2, 7, limits.max - 1, limits.max]
        if dtype == "int64":
            numbers += [2**53 + 1, -(2**53) - 1, 2**24 + 1]
        for x in numbers:
            for y in numbers:
                agree(graph, np.array(x, dtype), np.array(y, dtype))

    def test_floats_divide_by_zero_silently(self):
        spec = tf.TensorSpec([], tf.float64)
        agree(
            concrete_of(lambda x, y: (x / y, tf.math.log(y)), spec, spec).graph,
            np.float64(1.0),
            np.zeros(()),
        )

    def test_in_place_a_function_gives_the_same_bits(self):
        random = np.random.default_rng(0)
        names = {op.kernel.name for op in all_ops() if isinstance(op.kernel, Ufunc)}
        for dtype in (np.float32, np.float64, np.int32):
            values = (random.normal(size=1003) * 9).astype(dtype)
            others = (random.normal(size=1003) * 9 + 1).astype(dtype)
            for name in sorted(names):
                compare_in_place(getattr(np, name), values, others)


def compare_in_place(function, values, others):
    operands = (values, others)[: function.nin]
    with np.errstate(all="ignore"):
        try:
            expected = function(*operands)
        except (TypeError, ValueError):
            return  # not for this dtype
        if function.nout != 1 or expected.dtype != values.dtype:
            return
        place = values.copy()
        function(place, *operands[1:], out=place)
        parts = [function(*(o[i : i + 100] for o in operands)) for i in range(0, 1003, 100)]
    np.testing.assert_array_equal(place, expected, err_msg=function.__name__)
    np.testing.assert_array_equal(np.concatenate(parts), expected, err_msg=function.__name__)


class TestThreadsAndMemory:
    def test_one_plan_in_many_threads(self):
        @tf.function
        def f(x, n):
            total = tf.zeros_like(x)
            for i in tf.range(n):
                total += tf.sin(x * tf.cast(i, tf.float32)) * 0.5
            return total

        arrays = [tf.constant(np.full(1 << 14, k, np.float32)) for k in range(8)]
        expected = [f(x, 20).numpy() for x in arrays]
        wrong = []

        def work(k):
            for _ in range(20):
                if not np.array_equal(f(arrays[k], 20).numpy(), expected[k]):
                    wrong.append(k)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []

    def test_memory_stays_flat_over_many_calls(self):
        f = tf.function(lambda x: x * 2.0 + 1.0, autograph=False)
        x = tf.constant([1.0, 2.0])
        for _ in range(1000):
            f(x)
        gc.collect()
        tracemalloc.start()
        try:
            for _ in range(100_000):
                f(x)
            gc.collect()
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert kept < 10_000


def reductions(x):
    return [
        reduce(each, axis, keepdims)
        for axis in (None, 0, -1)
        for keepdims in (False, True)
        for reduce, each in (
            (tf.reduce_sum, x),
            (tf.reduce_max, x),
            (tf.reduce_min, x),
            (tf.reduce_any, x > 0),
            (tf.reduce_all, x > 0),
        )
    ]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.uint8])
def test_reductions_of_small_arrays_are_those_of_ufuncs(dtype):
    x = np.array([[3, 0, 1], [2, 5, 4]], dtype)
    for array in (x, x[::-1], x * dtype(0)):
        _, text = same_by_plan(reductions, array)
        assert "np.maximum.reduce(" in text
        assert "Max(" not in text
    if x.dtype.kind == "f":
        x[1, 1] = np.nan
        same_by_plan(reductions, x)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0)])
def test_reductions_of_no_elements_are_those_of_the_kernel(shape):
    _, text = same_by_plan(reductions, np.zeros(shape, np.float32))
    assert "np.maximum.reduce(" not in text
