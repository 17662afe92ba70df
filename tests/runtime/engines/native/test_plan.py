"""Plans with compiled loops."""

import subprocess
import sys

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import plan as python_plan
from runtime.engines.engine import require
from runtime.engines.native import plan
from tests.runtime.engines.native.loops import graph_of


def doubled(x, n):
    i = 0
    while i < n:
        x = x * 2
        i += 1
    return x


@pytest.fixture
def native():
    tf.config.experimental.set_engine("native")
    yield
    tf.config.experimental.set_engine("plan")


def test_plan_calls_the_compiled_loop_and_keeps_python_for_failures():
    graph, _ = graph_of(doubled, np.int32(1), np.int32(3))
    text = plan.source(graph)
    assert "while_compiled(" in text
    assert "if while_results is False:" in text
    assert "_compiled(" not in python_plan.source(graph)


def test_loops_inside_the_python_of_a_compiled_loop_are_not_compiled_again():
    def f(n):
        total, i = 0, 0
        while i < n:
            j = 0
            while j < i:
                total += j
                j += 1
            i += 1
        return total

    graph, _ = graph_of(f, np.int32(3))
    assert plan.source(graph).count("_results is False") == 1


def test_inner_loop_of_numbers_is_compiled_where_the_outer_one_prints():
    def f(n):
        total, i = 0, 0
        while i < n:
            tf.print(i)
            j = 0
            while j < i:
                total += j
                j += 1
            i += 1
        return total

    graph, _ = graph_of(f, np.int32(3))
    text = plan.source(graph)
    assert "# while runs as Python: the operation Print" in text
    assert text.count("_results is False") == 1


def test_set_engine_selects_it_for_every_function(native):
    f = tf.function(doubled)
    assert f(tf.constant(3), tf.constant(4)).numpy() == 48
    assert tf.config.experimental.get_engine() == "native"


def test_jit_compile_selects_it_for_one_function():
    f = tf.function(doubled, jit_compile=True)
    concrete = f.get_concrete_function(tf.constant(1), tf.constant(1))
    assert concrete.engine == "native"
    assert f(tf.constant(3), tf.constant(4)).numpy() == 48
    plain = tf.function(doubled, jit_compile=False)
    assert plain.get_concrete_function(tf.constant(1), tf.constant(1)).engine is None


def test_jit_compile_survives_a_copy():
    import copy

    f = copy.deepcopy(tf.function(doubled, jit_compile=True))
    assert f.get_concrete_function(tf.constant(1), tf.constant(1)).engine == "native"


def test_gradients_flow_through_compiled_loops():
    @tf.function(jit_compile=True)
    def f(x, n):
        i = 0
        while i < n:
            x = x * x
            i += 1
        return x

    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(3))
    np.testing.assert_allclose(tape.gradient(y, x), 8 * 1.5**7, rtol=1e-6)


def test_lists_that_loops_fill_stay_python():
    @tf.function(jit_compile=True)
    def f(n):
        rows = tf.TensorArray(tf.int32, n)
        for i in tf.range(n):
            rows = rows.write(i, i * i)
        return rows.stack()

    np.testing.assert_array_equal(f(tf.constant(4)), [0, 1, 4, 9])


def test_missing_llvmlite_is_an_error_that_says_what_to_install():
    program = (
        "import sys; sys.modules['llvmlite'] = None\n"
        "import runtime as tf\n"
        "tf.config.experimental.set_engine('native')\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ModuleNotFoundError: the native engine needs llvmlite: pip install" in run.stderr


def test_unknown_engine_is_an_error():
    with pytest.raises(ValueError, match="there is no engine 'fast'"):
        require("fast")


@pytest.mark.parametrize(("count", "parts"), [(3, 0), (20, 1)])
def test_many_computations_on_numbers_are_a_part(count, parts):
    def f(x, y):
        for _ in range(count):
            x = x * 0.5 + y
        return x

    graph, captured = graph_of(f, np.float32(1), np.float32(2), autograph=False)
    assert plan.source(graph).count("_results is False") == parts
    want = python_plan.executable(graph)(np.float32(1), np.float32(2), *captured)
    assert plan.executable(graph)(np.float32(1), np.float32(2), *captured) == want


def test_a_graph_that_is_one_part_runs_without_its_plan():
    def counted(x, n, flag):
        i = n - n
        while i < n:
            x = -x if flag else x + x[::-1]
            i += 1
        return x, i, not flag, x[0]

    x = np.arange(6.0).reshape(2, 3)
    for given in (x, x[:, ::-1], x.T):
        for n in (np.int32(3), np.int64(2), np.uint64(4)):
            feeds = [given, n, np.bool_(n == 3)]
            graph, captured = graph_of(counted, *feeds)
            want = python_plan.executable(graph)(*feeds, *captured)
            run = plan.executable(graph)
            assert getattr(run, "makes_new", False) or n.dtype == np.uint64
            for one, other in zip(want, run(*feeds, *captured), strict=True):
                assert type(one) is type(other)
                np.testing.assert_array_equal(one, other)


def test_a_failure_of_a_graph_that_is_one_part_is_the_error_of_the_plan():
    def divided(x, n):
        while x[0] > 0:
            x = x // n
        return x

    graph, captured = graph_of(divided, np.int32([4, 5]), np.int32(2))
    run = plan.executable(graph)
    assert run.makes_new
    assert run(np.int32([4, 5]), np.int32(2), *captured)[0].tolist() == [0, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        run(np.int32([4, 5]), np.int32(0), *captured)
