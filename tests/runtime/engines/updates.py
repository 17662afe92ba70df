"""Programs that update arrays in loops, by the interpreter and by the plan."""

from functools import lru_cache

import numpy as np

import runtime as tf
from runtime.engines import interpreter, plan


def agree(function, *arrays):
    """The outputs and the plan; the outputs are those of the interpreter before the passes."""
    specs = [tf.TensorSpec(np.shape(a), np.asarray(a).dtype) for a in arrays]
    staged = function if hasattr(function, "get_concrete_function") else tf.function(function)
    concrete = staged.get_concrete_function(*specs)
    before = [np.array(array) for array in arrays]
    run, run_plan, text = executables(concrete)
    wanted, got = run(*arrays), run_plan(*arrays)
    for one, two in zip(wanted, got, strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_array_equal(one, two)
    for array, same in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, same)
    return got, text


@lru_cache(maxsize=1)
def executables(concrete):
    """The graph before the passes by the interpreter, the optimized one by the plan, its text."""
    optimized = plan.executable(concrete.optimized_graph)
    return interpreter.executable(concrete.graph), optimized, concrete.plan_source


def is_in_place(text):
    """Whether no round copies an array."""
    _, _, rounds = text.partition("in range(")
    return bool(rounds) and ".copy()" not in rounds


def numbers(*shape):
    return np.random.default_rng(3).normal(size=shape).astype(np.float32)
