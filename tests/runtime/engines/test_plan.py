"""The plan: what it looks like, what it raises; threads and large arrays do not harm it."""

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
from runtime.engines.engine import get_engine, set_engine
from runtime.engines.fused import BLOCK
from runtime.engines.printer import LONGEST
from runtime.ops.base.define import bind
from runtime.passes.pipeline import optimize

SAMPLES = [
    pytest.param(op, sample, id=f"{op.name}-{i}")
    for op in all_ops()
    for i, sample in enumerate(op.samples)
]


SCALAR = tf.TensorSpec([], tf.float32)
COUNT = tf.TensorSpec([], tf.int32)


def concrete_of(function, *args, autograph=False):
    return tf.function(function, autograph=autograph).get_concrete_function(*args)


def both(graph, *arrays):
    """The outputs of the interpreter and of the plan."""
    return interpreter.executable(graph)(*arrays), plan.executable(graph)(*arrays)


def errors(graph, *arrays):
    found = []
    for engine in (interpreter, plan):
        with pytest.raises(tf.errors.OpError) as caught:
            engine.executable(graph)(*arrays)
        found.append(caught.value)
    return found


def agree(graph, *arrays):
    for one, two in zip(*both(graph, *arrays), strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_array_equal(one, two)


def agree_on_error(graph, *arrays):
    one, two = errors(graph, *arrays)
    assert type(one) is type(two)
    assert str(one) == str(two)
    assert type(one.__cause__) is type(two.__cause__)
    return two


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
        assert "if equal:" in text
        assert "n_2 >> 1" in text

    def test_a_choice_by_number_is_a_chain_of_elif(self):
        def f(i, x):
            return tf.switch_case(i, [lambda: x + 1.0, lambda: x * 2.0, lambda: x])

        text = concrete_of(f, COUNT, SCALAR).plan_source
        first = f.__code__.co_firstlineno + 1
        assert text.partition("\n\n")[2] == (
            "def f(i, x):\n"
            "    i_int = int(i)\n"
            f"    if i_int == 0:  # test_plan.py:{first}\n"
            f"        add = x + add_y  # test_plan.py:{first}\n"
            "        switch_case_indexed_case = add\n"
            "    elif i_int == 1:\n"
            "        mul = x * mul_y\n"
            "        switch_case_indexed_case = mul\n"
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
            concrete_of(lambda x, y: (x / y, tf.math.log(y)), spec, spec).graph, 1.0, np.zeros(())
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


class TestErrors:
    VECTOR = tf.TensorSpec([None], tf.float32)

    def test_shapes_that_do_not_fit(self):
        graph = concrete_of(lambda x, y: tf.sin(x) + y, self.VECTOR, self.VECTOR).graph
        error = agree_on_error(graph, np.ones(2, np.float32), np.ones(3, np.float32))
        assert "test_plan.py" in str(error)
        assert "could not be broadcast" in str(error) or "Incompatible shapes" in str(error)

    def test_division_by_zero_in_a_loop(self):
        def f(n):
            return tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x // (i - n)), (0, 9))[1]

        graph = concrete_of(f, tf.TensorSpec([], tf.int32)).graph
        assert "zero" in str(agree_on_error(graph, np.int32(3)))

    def test_a_python_int_that_does_not_fit(self):
        def f(n):
            x = 1
            for _ in tf.range(n):
                x = x * 10
            return x

        graph = concrete_of(f, tf.TensorSpec([], tf.int32), autograph=True).graph
        assert "10000000000" in str(agree_on_error(graph, np.int32(11)))

    def test_a_position_out_of_range(self):
        def f(x, i):
            return tf.gather(x, i), x[i]

        graph = concrete_of(f, self.VECTOR, tf.TensorSpec([], tf.int32)).graph
        agree(graph, np.ones(3, np.float32), np.int32(2))
        agree_on_error(graph, np.ones(3, np.float32), np.int32(5))
        agree_on_error(graph, np.ones(3, np.float32), np.int32(-4))

    def test_assertions_and_printing_happen_once(self, capsys):
        def f(x):
            tf.print("seen")
            tf.debugging.assert_positive(x, message="must be positive")
            return x

        with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
            plan.executable(concrete_of(f, self.VECTOR).graph)(np.zeros(2, np.float32))
        assert capsys.readouterr().err == "seen\n"

    def test_an_error_in_a_branch_of_a_loop_that_is_nested_deep(self):
        def deep(level, x, k):
            if level == 0:
                return tf.gather(x, [k])
            return tf.cond(k < 100, lambda: deep(level - 1, x, k), lambda: x[:1])

        graph = concrete_of(lambda x, k: deep(40, x, k), self.VECTOR, tf.TensorSpec([], tf.int32))
        agree(graph.graph, np.ones(3, np.float32), np.int32(2))
        agree_on_error(graph.graph, np.ones(3, np.float32), np.int32(3))


class TestLargeArrays:
    @staticmethod
    def chain(x, y):
        z = tf.exp(-x * y) + tf.sqrt(tf.abs(y))
        return tf.tanh(z) / (z + 1.0), tf.cast(z > 1.5, tf.float32), tf.reduce_sum(z, 0)

    @pytest.mark.parametrize("threads", [0, 2])
    @pytest.mark.parametrize("shape", [(5 * BLOCK + 7,), (1000, 300), (3, BLOCK), (2, 3 * BLOCK)])
    def test_blocks_give_the_same_bits(self, shape, threads):
        random = np.random.default_rng(4)
        x, y = random.normal(size=(2, *shape)).astype(np.float32)
        spec = tf.TensorSpec(shape, tf.float32)
        unknown = tf.TensorSpec([None] * len(shape), tf.float32)
        tf.config.threading.set_inter_op_parallelism_threads(threads)
        try:
            for given in (spec, unknown):
                graph = optimize(concrete_of(self.chain, given, given).graph)
                agree(graph, x, y)
                agree(graph, x, np.asfortranarray(y))
        finally:
            tf.config.threading.set_inter_op_parallelism_threads(0)

    def test_rows_and_numbers_broadcast_into_blocks(self):
        def f(x, row, number):
            return tf.tanh(x * row + number) * x

        specs = [tf.TensorSpec(dims, tf.float32) for dims in ([700, 200], [200], [])]
        graph = optimize(concrete_of(f, *specs).graph)
        random = np.random.default_rng(5)
        arrays = [random.normal(size=s.dims).astype(np.float32) for s in specs[:2]]
        agree(graph, *arrays, np.float32(0.5))

    def test_unknown_shapes_that_broadcast(self):
        unknown = tf.TensorSpec([None, None], tf.float32)
        graph = optimize(concrete_of(self.chain, unknown, unknown).graph)
        random = np.random.default_rng(6)
        for one, two in [((700, 200), (1, 200)), ((700, 1), (700, 200)), ((1, 1), (700, 200))]:
            x, y = (random.normal(size=shape).astype(np.float32) for shape in (one, two))
            agree(graph, x, y)

    def test_neither_arguments_nor_results_nor_variables_are_written_over(self):
        variable = tf.Variable(tf.zeros([BLOCK]))

        @tf.function(autograph=False)
        def f(x):
            a = tf.sin(x)
            kept = tf.reshape(a, [2, -1])
            b = a * 2.0
            variable.assign(b)
            c = b + 1.0
            return c * c, kept, tf.reduce_sum(c)

        x = tf.ones([BLOCK])
        first = [part.numpy() for part in f(x)]
        held = f(x)
        f(x * 5.0)
        assert x.numpy().tolist() == [1.0] * BLOCK
        for one, two in zip(first, held, strict=True):
            np.testing.assert_array_equal(one, two.numpy())
        np.testing.assert_array_equal(variable.numpy(), np.sin(np.float32(5)) * np.float32(2))


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


class TestSwitches:
    def test_engine(self):
        calls = []

        @tf.function(autograph=False)
        def f(x):
            calls.append(1)
            return x + 1.0

        x = tf.constant(1.0)
        assert tf.config.experimental.get_engine() == "plan"
        f(x)
        tf.config.experimental.set_engine("interpreter")
        try:
            assert float(f(x)) == 2.0
        finally:
            tf.config.experimental.set_engine("plan")
        assert float(f(x)) == 2.0
        assert calls == [1]

    def test_unknown_engine(self):
        with pytest.raises(ValueError, match="there are plan, interpreter"):
            tf.config.experimental.set_engine("fast")

    def test_options_reach_functions_that_ran_before(self):
        f = tf.function(lambda x: x * 1.0, autograph=False)
        concrete = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
        assert [op.type for op in concrete.optimized_graph.operations] == ["Placeholder"]
        tf.config.optimizer.set_experimental_options({"arithmetic_optimization": False})
        try:
            assert "Mul" in [op.type for op in concrete.optimized_graph.operations]
        finally:
            tf.config.optimizer.set_experimental_options({"arithmetic_optimization": True})

    def test_unknown_option_names_the_known(self):
        with pytest.raises(ValueError, match=r"'constant_fold'.*constant_folding"):
            tf.config.optimizer.set_experimental_options({"constant_fold": True})

    @pytest.mark.parametrize("which", ["inter", "intra"])
    def test_a_negative_number_of_threads_is_refused(self, which):
        put = getattr(tf.config.threading, f"set_{which}_op_parallelism_threads")
        put(0)
        with pytest.raises(ValueError, match="-1"):
            put(-1)

    def test_one_thread_for_products_gives_the_same(self):
        x = tf.constant(np.random.default_rng(8).normal(size=(40, 40)).astype(np.float32))
        f = tf.function(lambda x: tf.matmul(x, x), autograph=False)
        expected = f(x).numpy()
        tf.config.threading.set_intra_op_parallelism_threads(1)
        try:
            np.testing.assert_allclose(f(x).numpy(), expected, rtol=1e-5, atol=1e-6)
        finally:
            tf.config.threading.set_intra_op_parallelism_threads(0)


STRING_PROGRAMS = {
    "a sum": lambda s, v: s + s,
    "a sum that is shaped": lambda s, v: tf.reshape(s + s, [1]),
    "a sum that is sliced": lambda s, v: (s + s)[tf.newaxis],
    "an element": lambda s, v: v[1] + s,
    "an element somewhere": lambda s, v: v[tf.strings.length(s)],
    "a row of elements": lambda s, v: tuple(tf.unstack(v)),
    "a loop": lambda s, v: tf.while_loop(
        lambda i, t: i < 3, lambda i, t: (i + 1, t + s), (tf.constant(0), s)
    )[1],
    "a branch": lambda s, v: tf.cond(s == "a", lambda: s + s, lambda: s),
    "constants": lambda s, v: tf.constant("a") + tf.constant(["b", "c"])[0],
}


@pytest.mark.parametrize("program", STRING_PROGRAMS.values(), ids=list(STRING_PROGRAMS))
@pytest.mark.parametrize("engine", ["plan", "interpreter"])
def test_a_single_string_that_a_graph_computes_is_a_tensor(program, engine):
    before = get_engine()
    set_engine(engine)
    try:
        arguments = tf.constant("a"), tf.constant(["b", "c"])
        wanted, got = program(*arguments), tf.function(program)(*arguments)
    finally:
        set_engine(before)
    for one, other in zip(tf.nest.flatten(wanted), tf.nest.flatten(got), strict=True):
        assert (other.dtype, other.shape) == (tf.string, one.shape)
        assert repr(other) == repr(one)
