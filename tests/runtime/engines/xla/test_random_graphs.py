"""Random programs give the same by the interpreter and by XLA."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("jax")

import runtime as tf
from runtime.engines import interpreter
from runtime.engines import xla as engine
from runtime.passes.pipeline import optimize
from tests.runtime.engines.random_programs import inputs, programs
from tests.runtime.engines.test_random_graphs import Outcome, exact_functions, runs, traced

pytestmark = pytest.mark.sample


@settings(max_examples=max(10, settings().max_examples // 10), deadline=None)
@given(programs(), inputs(), st.booleans())
def test_xla_agrees(program, arrays, unknown):
    with exact_functions():
        try:
            variable, concrete = traced(program, arrays, unknown)
        except tf.errors.InvalidArgumentError:
            return
    graph = optimize(concrete.graph)
    expected = Outcome(runs(concrete, graph, interpreter, arrays), variable)
    found = Outcome(runs(concrete, graph, engine, arrays), variable)
    assert (expected.error is None) == (found.error is None), (expected.error, found.error)
    if expected.error is not None:
        assert str(expected.error) == str(found.error)
        return
    for one, two in zip(expected.values, found.values, strict=True):
        assert (one.dtype, one.shape) == (two.dtype, two.shape)
        if one.dtype.kind != "f":
            np.testing.assert_array_equal(one, two)
            continue
        limit = 1e-4 if one.dtype == np.float32 else 1e-10
        np.testing.assert_allclose(one, two, rtol=limit, atol=limit)
