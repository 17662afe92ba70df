"""Plans with compiled loops."""

import subprocess
import sys

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.engine import require


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
