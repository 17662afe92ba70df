"""Elementary functions without branches and calls, so that LLVM computes several elements at once.

Largest errors in units of the last place, as tests measure them on numbers of all magnitudes: exp
1, log 1, tanh 2, sin and cos of float32 1, and the logistic function 3 where exp(-x) is finite;
elsewhere it is 0, as that of the interpreter. NaN, infinities, signed zeros and subnormal numbers
are those of the C library.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from llvmlite import ir

_FLOAT, _DOUBLE = ir.FloatType(), ir.DoubleType()
_INT32 = ir.IntType(32)

_FUSED = ("contract",)
"""LLVM may fuse a product and a sum, which rounds once."""


class Format(NamedTuple):
    """Numbers that depend on a floating-point type.

    Attributes:
      kind: the type.
      bits: the integer type of the same size.
      fraction: bits of the fraction.
      bias: exponent of 1.
      lowest, highest: exp is 0 below and infinite above these arguments.
      degree: degree of the Taylor polynomial of exp on [-log(2) / 2, log(2) / 2].
      ln2: log(2) as the sum of two numbers, the first with zeros at its end (exp and log of
        FreeBSD's msun, e_log.c and e_logf.c).
      log_even, log_odd: coefficients of log (`Lg1` to `Lg7` there).
      tanh: numerator and denominator of (tanh(x) / x - 1) / x**2 on [-0.625, 0.625] (Cephes, tanh.c
        and tanhf.c).
      subnormal: the power of 2 that makes subnormal numbers normal.
    """

    kind: ir.Type
    bits: ir.IntType
    fraction: int
    bias: int
    lowest: float
    highest: float
    degree: int
    ln2: tuple[float, float]
    log_odd: Sequence[float]
    log_even: Sequence[float]
    tanh: tuple[Sequence[float], Sequence[float]]
    subnormal: int


_FORMATS = {
    _FLOAT: Format(
        _FLOAT, _INT32, 23, 127, -104.0, 89.0, 7,
        (float.fromhex("0x1.62e300p-1"), float.fromhex("0x1.2fefa2p-17")),
        (float.fromhex("0xaaaaaa.0p-24"), float.fromhex("0x91e9ee.0p-25")),
        (float.fromhex("0xccce13.0p-25"), float.fromhex("0xf89e26.0p-26")),
        (
            (
                -5.70498872745e-3, 2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1,
                -3.33332819422e-1,
            ),
            (1.0,),
        ),
        25,
    ),
    _DOUBLE: Format(
        _DOUBLE, ir.IntType(64), 52, 1023, -746.0, 710.0, 13,
        (6.93147180369123816490e-01, 1.90821492927058770002e-10),
        (
            6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01,
            1.479819860511658591e-01,
        ),
        (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01),
        (
            (-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3),
            (1.0, 1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3),
        ),
        54,
    ),
}  # fmt: skip


class Functions:
    """Emits elementary functions of one number."""

    def __init__(self, builder: ir.IRBuilder) -> None:
        """Store the builder."""
        self._build = builder

    def _intrinsic(self, name: str, *operands: ir.Value) -> ir.Value:
        kind = operands[0].type
        signature = ir.FunctionType(kind, [kind] * len(operands))
        function = self._build.module.declare_intrinsic(f"llvm.{name}", [kind], signature)
        return self._build.call(function, operands)

    def _polynomial(self, x: ir.Value, coefficients: Sequence[float]) -> ir.Value:
        """Return a polynomial, whose highest coefficient is the first."""
        total = x.type(coefficients[0])
        for each in coefficients[1:]:
            total = self._plus(self._build.fmul(total, x, flags=_FUSED), x.type(each))
        return total

    def _plus(self, x: ir.Value, y: ir.Value) -> ir.Value:
        return self._build.fadd(x, y, flags=_FUSED)

    def exp(self, x: ir.Value) -> ir.Value:
        """Return exp(n * log(2) + r) as 2**n * exp(r), with exp(r) by Taylor's series."""
        build, form = self._build, _FORMATS[x.type]
        kind = form.kind
        low, high = kind(form.lowest), kind(form.highest)
        inside = build.select(build.fcmp_ordered("<", x, low), low, x)
        inside = build.select(build.fcmp_ordered(">", inside, high), high, inside)
        n = self._intrinsic("rint", build.fmul(inside, kind(1 / math.log(2))))
        r = build.fsub(inside, build.fmul(n, kind(form.ln2[0])))
        r = build.fsub(r, build.fmul(n, kind(form.ln2[1])))
        terms = [1 / math.factorial(k) for k in range(form.degree, 1, -1)]
        tail = build.fmul(build.fmul(r, r), self._polynomial(r, terms))
        power = build.fadd(kind(1.0), build.fadd(r, tail))
        is_nan = build.fcmp_unordered("uno", x, x)
        count = build.fptosi(build.select(is_nan, kind(0.0), n), _INT32)
        half = build.ashr(count, _INT32(1))
        scaled = build.fmul(power, self._power_of_two(form, half))
        return build.fmul(scaled, self._power_of_two(form, build.sub(count, half)))

    def _power_of_two(self, form: Format, exponent: ir.Value) -> ir.Value:
        build = self._build
        biased = build.add(exponent, _INT32(form.bias))
        wide = biased if form.bits.width == 32 else build.zext(biased, form.bits)
        return build.bitcast(build.shl(wide, form.bits(form.fraction)), form.kind)

    def log(self, x: ir.Value) -> ir.Value:
        """Return log(2**k * (1 + f)) as k * log(2) + log(1 + f), as `log` of FreeBSD's msun."""
        build, form = self._build, _FORMATS[x.type]
        kind, bits = form.kind, form.bits
        smallest = kind(2.0 ** (1 - form.bias))
        is_small = build.fcmp_ordered("<", x, smallest)
        scaled = build.fmul(x, kind(2.0**form.subnormal))
        whole = build.bitcast(build.select(is_small, scaled, x), bits)
        # The fraction of sqrt(1/2), so that 1 + f is between sqrt(1/2) and sqrt(2).
        root = 0x3F3504F3 if bits.width == 32 else 0x3FE6A09E << 32
        whole = build.add(whole, bits((form.bias << form.fraction) - root))
        k = build.sub(build.lshr(whole, bits(form.fraction)), bits(form.bias))
        k = build.sub(k, build.select(is_small, bits(form.subnormal), bits(0)))
        rest = build.and_(whole, bits((1 << form.fraction) - 1))
        f = build.fsub(build.bitcast(build.add(rest, bits(root)), kind), kind(1.0))
        count = build.sitofp(k if bits.width == 32 else build.trunc(k, _INT32), kind)
        s = build.fdiv(f, build.fadd(kind(2.0), f))
        z = build.fmul(s, s)
        w = build.fmul(z, z)
        odd = build.fmul(z, self._polynomial(w, form.log_odd[::-1]))
        even = build.fmul(w, self._polynomial(w, form.log_even[::-1]))
        half = build.fmul(build.fmul(kind(0.5), f), f)
        total = build.fmul(s, build.fadd(half, build.fadd(odd, even)))
        total = build.fadd(total, build.fmul(count, kind(form.ln2[1])))
        total = build.fadd(build.fsub(total, half), f)
        total = build.fadd(total, build.fmul(count, kind(form.ln2[0])))
        infinite = build.fcmp_ordered("==", x, kind(math.inf))
        total = build.select(infinite, x, total)
        total = build.select(build.fcmp_ordered("==", x, kind(0.0)), kind(-math.inf), total)
        # Unordered: NaN stays NaN, and numbers below 0 become NaN.
        return build.select(build.fcmp_unordered("<", x, kind(0.0)), kind(math.nan), total)

    def tanh(self, x: ir.Value) -> ir.Value:
        """Return 1 - 2 / (exp(2 x) + 1) of the magnitude; near 0 a rational function (Cephes)."""
        build, form = self._build, _FORMATS[x.type]
        kind = form.kind
        size = self._intrinsic("fabs", x)
        power = build.fadd(self.exp(build.fadd(size, size)), kind(1.0))
        large = build.fsub(kind(1.0), build.fdiv(kind(2.0), power))
        z = build.fmul(x, x)
        ratio = self._polynomial(z, form.tanh[0])
        if len(form.tanh[1]) > 1:
            ratio = build.fdiv(ratio, self._polynomial(z, form.tanh[1]))
        small = build.fadd(x, build.fmul(x, build.fmul(z, ratio)))
        near = build.fcmp_ordered("<", size, kind(0.625))
        return self._intrinsic("copysign", build.select(near, small, large), x)

    def logistic(self, x: ir.Value) -> ir.Value:
        """Return 1 / (1 + exp(-x))."""
        build, one = self._build, x.type(1.0)
        return build.fdiv(one, build.fadd(one, self.exp(build.fneg(x))))

    def sin(self, x: ir.Value) -> ir.Value:
        """Return the sine of a float32 up to `LARGEST_ANGLE`."""
        is_zero = self._build.fcmp_ordered("==", x, x.type(0.0))
        return self._build.select(is_zero, x, self._circular(x, 0))

    def cos(self, x: ir.Value) -> ir.Value:
        """Return the cosine of a float32 up to `LARGEST_ANGLE`."""
        return self._circular(x, 1)

    def _circular(self, x: ir.Value, quarter: int) -> ir.Value:
        """Reduce to [-pi/4, pi/4] in float64 (msun: e_rem_pio2f.c, k_sinf.c, k_cosf.c)."""
        build, kind = self._build, _DOUBLE
        wide = build.fpext(x, kind)
        n = self._intrinsic("rint", build.fmul(wide, kind(2 / math.pi)))
        r = build.fsub(wide, build.fmul(n, kind(_HALF_PI[0])))
        r = build.fsub(r, build.fmul(n, kind(_HALF_PI[1])))
        z = build.fmul(r, r)
        odd = build.fmul(r, self._polynomial(z, _SINE))
        even = self._polynomial(z, _COSINE)
        is_known = build.fcmp_ordered("<=", self._intrinsic("fabs", x), x.type(LARGEST_ANGLE))
        turns = build.fptosi(build.select(is_known, n, kind(0.0)), _INT32)
        turns = build.add(turns, _INT32(quarter))
        is_even = build.icmp_signed("!=", build.and_(turns, _INT32(1)), _INT32(0))
        value = build.select(is_even, even, odd)
        negative = build.icmp_signed("!=", build.and_(turns, _INT32(2)), _INT32(0))
        return build.fptrunc(build.select(negative, build.fneg(value), value), _FLOAT)


LARGEST_ANGLE = 4.2e8
"""Largest angle that is reduced: 2**28 * pi / 2, above which pi needs more digits."""

_HALF_PI = (1.57079631090164184570e00, 1.58932547735281966916e-08)
_SINE = (
    0.0000027183114939898219064, -0.000198393348360966317347, 0.0083333293858894631756,
    -0.166666666416265235595, 1.0,
)  # fmt: skip
_COSINE = (
    0.0000243904487962774090654, -0.00138867637746099294692, 0.0416666233237390631894,
    -0.499999997251031003120, 1.0,
)  # fmt: skip

BY_NAME: dict[str, Callable[[Functions, ir.Value], ir.Value]] = {
    "exp": Functions.exp,
    "log": Functions.log,
    "tanh": Functions.tanh,
}
"""Functions of both types by their name in NumPy."""
