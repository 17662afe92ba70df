"""`jit_compile=True` selects the engine that is installed."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
for name in {missing!r}:
    sys.modules[name] = None
import runtime as tf
def f(x):
    return tf.sin(x) * 2.0 + tf.cos(x)
try:
    compiled = tf.function(f, jit_compile=True)
except ImportError as error:
    print(type(error).__name__, error)
else:
    x = tf.ones([3])
    print(compiled.get_concrete_function(x).engine, compiled(x).numpy() == tf.function(f)(x))
for engine in ("native", "xla"):
    try:
        tf.config.experimental.set_engine(engine)
    except ImportError as error:
        print(error)
"""


def printed(*missing):
    """Return the lines that the program prints where libraries are not installed."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(missing=missing)],
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.splitlines()


NEEDS_LLVMLITE = 'the native engine needs llvmlite: pip install "autograph-numpy[native]"'
NEEDS_JAX = 'the XLA engine needs jax: pip install "autograph-numpy[xla]"'


def test_it_is_the_native_engine_if_llvmlite_is_installed():
    pytest.importorskip("llvmlite")
    first, *rest = printed("jax")
    assert first.startswith("native ")
    assert rest == [NEEDS_JAX]


def test_it_is_xla_if_only_jax_is_installed():
    pytest.importorskip("jax")
    first, *rest = printed("llvmlite")
    assert first.startswith("xla ")
    assert rest == [NEEDS_LLVMLITE]


def test_it_is_an_error_that_names_both_if_neither_is_installed():
    assert printed("llvmlite", "jax") == [
        "ModuleNotFoundError jit_compile=True needs llvmlite or jax: pip install "
        '"autograph-numpy[native]" or "autograph-numpy[xla]"',
        NEEDS_LLVMLITE,
        NEEDS_JAX,
    ]


def test_jax_is_imported_by_no_other_engine():
    program = "import sys, runtime as tf; tf.function(tf.sin)(2.0); print('jax' in sys.modules)"
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout == "False\n"
