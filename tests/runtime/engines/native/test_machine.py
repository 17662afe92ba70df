"""Machine code lives as long as a function that runs it."""

import gc

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import loop_of, total


def test_code_lives_as_long_as_the_function():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    gc.collect()
    values = {"x": np.ones(3), "n": 3}
    arguments = [values.get(t.op.name, 0.0 if t.spec.dtype.is_floating else 0) for t in inputs]
    assert 3.0 in call(*arguments)
