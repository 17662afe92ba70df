"""Modified Bessel functions of the first kind, of orders 0 and 1; derivatives from DLMF 10.29."""

from __future__ import annotations

from functools import partial

from runtime.core.opdef import sample
from runtime.core.tensor import Tensor
from runtime.ops.base.families import Unary
from runtime.ops.base.gradient_parts import chosen, ones_of
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementwise import sign
from runtime.ops.special import bessel_kernels as kernels
from runtime.ops.special.family import Special

_rows = Special(__name__)
_SAMPLES = (sample(1.3), sample([0.4, 3.0, 18.0]), sample([30.0]))
_SMALL_SAMPLES = (sample(1.3), sample([0.4, 3.0]))


def _less_quotient(lower: Unary, x: Tensor, y: Tensor, at_zero: float) -> Tensor:
    """Return `lower(x) - y / x`, and the limit `at_zero` where x is 0."""
    zero, one = equal(x, 0), ones_of(x)
    return chosen(zero, one * at_zero, lower(x) - y / chosen(zero, one, x))


bessel_i0: Unary = _rows.row(
    "bessel_i0",
    partial(kernels.i, order=0),
    lambda x, y: bessel_i1(x),
    "Modified Bessel function of the first kind of order 0.",
    "[0.5, 2.0] ~> [1.0635 2.2796]",
    _SMALL_SAMPLES,
)
bessel_i1: Unary = _rows.row(
    "bessel_i1",
    partial(kernels.i, order=1),
    lambda x, y: _less_quotient(bessel_i0, x, y, 1.0),
    "Modified Bessel function of the first kind of order 1.",
    "[0.5, 2.0] ~> [0.2579 1.5906]",
    _SMALL_SAMPLES,
)
bessel_i0e: Unary = _rows.row(
    "bessel_i0e",
    partial(kernels.scaled_i, order=0),
    lambda x, y: bessel_i1e(x) - sign(x) * y,
    "`exp(-|x|) * bessel_i0(x)`, which does not overflow.",
    "[0.5, 200.0] ~> [0.645  0.0282]",
    _SAMPLES,
)
bessel_i1e: Unary = _rows.row(
    "bessel_i1e",
    partial(kernels.scaled_i, order=1),
    lambda x, y: _less_quotient(bessel_i0e, x, y, 0.5) - sign(x) * y,
    "`exp(-|x|) * bessel_i1(x)`, which does not overflow.",
    "[0.5, 200.0] ~> [0.1564 0.0282]",
    _SAMPLES,
)
