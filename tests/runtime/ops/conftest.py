"""Op types that a test defines are gone after it."""

import pytest

from runtime.core import opdef
from runtime.ops.reduce.family import Reductions
from runtime.ops.reduce.reduction import restored


@pytest.fixture(scope="module")
def registry():
    before = dict(opdef._registry)
    yield
    opdef._registry.clear()
    opdef._registry.update(before)


@pytest.fixture(scope="module")
def energy(registry):
    def grad(g, y, x, axis, keepdims):
        return (restored(g, x, axis, keepdims) * 2 * x,)

    return Reductions(__name__).row(
        "energy",
        lambda xp, x, axis, keepdims: xp.sum(x * x, axis=axis, keepdims=keepdims, dtype=x.dtype),
        "Sum of squares along axes.",
        "[3.0, 4.0] -> 25.0",
        op="Energy",
        grad=grad,
    )
