"""Bessel functions of orders 0 and 1; derivatives from DLMF 10.6 and 10.29."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from runtime.core.opdef import Sample, sample
from runtime.core.tensor import Tensor
from runtime.ops.array.creation import ones_like
from runtime.ops.base.families import Slope, Unary
from runtime.ops.base.gradient_parts import chosen
from runtime.ops.math.comparison import equal
from runtime.ops.math.elementwise import sign
from runtime.ops.special import bessel_kernels as kernels
from runtime.ops.special.family import Function, Special

_rows = Special(__name__)
_SAMPLES = (sample(1.3), sample([0.4, 3.0, 18.0]), sample([30.0]))
_FIRST, _SECOND = "Bessel function of the first kind", "Bessel function of the second kind"


def _bessel(
    letter: str,
    function: Function,
    about: str,
    slopes: tuple[Slope, Slope],
    examples: tuple[str, str],
    samples: Sequence[Sample] = _SAMPLES,
) -> tuple[Unary, Unary]:
    """Define the functions of order 0 and 1; `letter` has an `e` where they are scaled."""
    first, second = (
        _rows.row(
            f"bessel_{letter[0]}{order}{letter[1:]}",
            partial(function, order=order),
            slopes[order],
            about.format(order=order),
            examples[order],
            samples,
        )
        for order in (0, 1)
    )
    return first, second


def _less_quotient(lower: Unary, x: Tensor, y: Tensor, at_zero: float) -> Tensor:
    """Return `lower(x) - y / x`, and the limit `at_zero` where x is 0."""
    zero, one = equal(x, 0), ones_like.op(x, dtype=x.dtype)
    return chosen(zero, one * at_zero, lower(x) - y / chosen(zero, one, x))


bessel_i0: Unary
bessel_i1: Unary
bessel_i0e: Unary
bessel_i1e: Unary
bessel_k0: Unary
bessel_k1: Unary
bessel_k0e: Unary
bessel_k1e: Unary
bessel_j0: Unary
bessel_j1: Unary
bessel_y0: Unary
bessel_y1: Unary

bessel_i0, bessel_i1 = _bessel(
    "i",
    kernels.i,
    f"Modified {_FIRST} of order {{order}}.",
    (lambda x, y: bessel_i1(x), lambda x, y: _less_quotient(bessel_i0, x, y, 1.0)),
    ("[0.5, 2.0] ~> [1.0635 2.2796]", "[0.5, 2.0] ~> [0.2579 1.5906]"),
    (sample(1.3), sample([0.4, 3.0])),
)
bessel_i0e, bessel_i1e = _bessel(
    "ie",
    kernels.scaled_i,
    "`exp(-|x|) * bessel_i{order}(x)`, which does not overflow.",
    (
        lambda x, y: bessel_i1e(x) - sign(x) * y,
        lambda x, y: _less_quotient(bessel_i0e, x, y, 0.5) - sign(x) * y,
    ),
    ("[0.5, 200.0] ~> [0.645  0.0282]", "[0.5, 200.0] ~> [0.1564 0.0282]"),
)
bessel_k0, bessel_k1 = _bessel(
    "k",
    kernels.k,
    f"Modified {_SECOND} of order {{order}}; inf for `x` <= 0.",
    (lambda x, y: -bessel_k1(x), lambda x, y: -(bessel_k0(x) + y / x)),
    ("[0.5, 2.0] ~> [0.9244 0.1139]", "[0.5, 2.0] ~> [1.6564 0.1399]"),
)
bessel_k0e, bessel_k1e = _bessel(
    "ke",
    kernels.scaled_k,
    "`exp(x) * bessel_k{order}(x)`, which does not underflow; inf for `x` <= 0.",
    (lambda x, y: y - bessel_k1e(x), lambda x, y: y * (1 - 1 / x) - bessel_k0e(x)),
    ("[0.5, 200.0] ~> [1.5241 0.0886]", "[0.5, 200.0] ~> [2.731  0.0888]"),
)
bessel_j0, bessel_j1 = _bessel(
    "j",
    kernels.j,
    f"{_FIRST} of order {{order}}.",
    (lambda x, y: -bessel_j1(x), lambda x, y: _less_quotient(bessel_j0, x, y, 0.5)),
    ("[0.5, 2.0] ~> [0.9385 0.2239]", "[0.5, 2.0] ~> [0.2423 0.5767]"),
)
bessel_y0, bessel_y1 = _bessel(
    "y",
    kernels.y,
    f"{_SECOND} of order {{order}}; -inf for `x` <= 0.",
    (lambda x, y: -bessel_y1(x), lambda x, y: bessel_y0(x) - y / x),
    ("[0.5, 2.0] ~> [-0.4445  0.5104]", "[0.5, 2.0] ~> [-1.4715 -0.107 ]"),
)
