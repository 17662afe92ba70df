"""Elementary functions without branches and calls, so that LLVM computes several elements at once.

Largest errors in units of the last place, as tests measure them on numbers of all magnitudes: exp
1.1, log 1, tanh 2, sin and cos 1, powers of float32 1 and of float64 2, and the logistic function 3
where exp(-x) is finite; elsewhere it is 0, as that of the interpreter. NaN, infinities, signed
zeros and subnormal numbers are those of the C library.
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
            product = self._build.fmul(total, x, flags=_FUSED)
            total = self._build.fadd(product, x.type(each), flags=_FUSED)
        return total

    def exp(self, x: ir.Value, rest: ir.Value | None = None) -> ir.Value:
        """Return exp(n * log(2) + r) as 2**n * exp(r), with exp(r) by Taylor's series.

        `rest` is added to `x`, and smaller than its last place.
        """
        build, form = self._build, _FORMATS[x.type]
        kind = form.kind
        low, high = kind(form.lowest), kind(form.highest)
        inside = build.select(build.fcmp_ordered("<", x, low), low, x)
        inside = build.select(build.fcmp_ordered(">", inside, high), high, inside)
        n = self._intrinsic("rint", build.fmul(inside, kind(1 / math.log(2))))
        r = build.fsub(inside, build.fmul(n, kind(form.ln2[0])))
        near, low = r, build.fmul(n, kind(form.ln2[1]))
        r = build.fsub(near, low)
        terms = [1 / math.factorial(k) for k in range(form.degree, 1, -1)]
        tail = build.fmul(build.fmul(r, r), self._polynomial(r, terms))
        if rest is not None:
            is_inside = build.fcmp_ordered("==", inside, x)
            lost = build.fsub(build.fsub(near, r), low)
            lost = build.fadd(lost, build.select(is_inside, rest, kind(0.0)))
            growth = build.fadd(kind(1.0), build.fadd(r, tail))
            tail = build.fadd(tail, build.fmul(lost, growth))
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

    def _mantissa(self, x: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Return k and m between sqrt(1/2) and sqrt(2), with 2**k * m the positive number x."""
        build, form = self._build, _FORMATS[x.type]
        kind, bits = form.kind, form.bits
        smallest = kind(2.0 ** (1 - form.bias))
        is_small = build.fcmp_ordered("<", x, smallest)
        scaled = build.fmul(x, kind(2.0**form.subnormal))
        whole = build.bitcast(build.select(is_small, scaled, x), bits)
        # The bits of sqrt(1/2).
        root = 0x3F3504F3 if bits.width == 32 else 0x3FE6A09E << 32
        whole = build.add(whole, bits((form.bias << form.fraction) - root))
        k = build.sub(build.lshr(whole, bits(form.fraction)), bits(form.bias))
        k = build.sub(k, build.select(is_small, bits(form.subnormal), bits(0)))
        rest = build.and_(whole, bits((1 << form.fraction) - 1))
        count = build.sitofp(k if bits.width == 32 else build.trunc(k, _INT32), kind)
        return count, build.bitcast(build.add(rest, bits(root)), kind)

    def log(self, x: ir.Value) -> ir.Value:
        """Return log(2**k * (1 + f)) as k * log(2) + log(1 + f), as `log` of FreeBSD's msun."""
        build, form = self._build, _FORMATS[x.type]
        kind = form.kind
        count, m = self._mantissa(x)
        f = build.fsub(m, kind(1.0))
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
        """Return the sine of an angle up to `LARGEST_ANGLES`."""
        is_zero = self._build.fcmp_ordered("==", x, x.type(0.0))
        return self._build.select(is_zero, x, self._circular(x, 0))

    def cos(self, x: ir.Value) -> ir.Value:
        """Return the cosine of an angle up to `LARGEST_ANGLES`."""
        return self._circular(x, 1)

    def _circular(self, x: ir.Value, quarter: int) -> ir.Value:
        """Return sin(n * pi / 2 + r), with r in [-pi/4, pi/4], as +-sin(r) or +-cos(r)."""
        build, kind = self._build, _DOUBLE
        wide = x if x.type == kind else build.fpext(x, kind)
        n = self._intrinsic("rint", build.fmul(wide, kind(2 / math.pi)))
        odd, even = (self._quarter_of_float if x.type == _FLOAT else self._quarter)(wide, n)
        size = self._intrinsic("fabs", x)
        is_known = build.fcmp_ordered("<=", size, x.type(LARGEST_ANGLES[x.type]))
        turns = build.fptosi(build.select(is_known, n, kind(0.0)), _INT32)
        turns = build.add(turns, _INT32(quarter))
        is_even = build.icmp_signed("!=", build.and_(turns, _INT32(1)), _INT32(0))
        value = build.select(is_even, even, odd)
        negative = build.icmp_signed("!=", build.and_(turns, _INT32(2)), _INT32(0))
        value = build.select(negative, build.fneg(value), value)
        return value if x.type == kind else build.fptrunc(value, _FLOAT)

    def _quarter_of_float(self, x: ir.Value, n: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Return sine and cosine of r in float64 (msun: e_rem_pio2f.c, k_sinf.c, k_cosf.c)."""
        build, kind = self._build, _DOUBLE
        r = build.fsub(x, build.fmul(n, kind(_HALF_PI_OF_FLOAT[0])))
        r = build.fsub(r, build.fmul(n, kind(_HALF_PI_OF_FLOAT[1])))
        z = build.fmul(r, r)
        return build.fmul(r, self._polynomial(z, _SINE_OF_FLOAT)), self._polynomial(
            z, _COSINE_OF_FLOAT
        )

    def _quarter(self, x: ir.Value, n: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Return sine and cosine of r, a sum of two numbers (msun: k_sin.c, k_cos.c)."""
        build, kind = self._build, _DOUBLE
        first, second, third, fourth = (build.fmul(n, kind(part)) for part in _HALF_PI)
        r, lost = self._difference(build.fsub(x, first), second)
        r, more = self._difference(r, third)
        more = build.fsub(build.fadd(lost, more), fourth)
        whole = build.fadd(r, more)
        rest = build.fsub(more, build.fsub(whole, r))
        r, half = whole, kind(0.5)
        z = build.fmul(r, r)
        cube = build.fmul(z, r)
        tail = build.fsub(build.fmul(half, rest), build.fmul(cube, self._polynomial(z, _SINE)))
        tail = build.fsub(build.fmul(z, tail), rest)
        sine = build.fsub(r, build.fsub(tail, build.fmul(cube, kind(_CUBIC))))
        tail = build.fmul(build.fmul(z, z), self._polynomial(z, _COSINE))
        tail = build.fsub(tail, build.fmul(r, rest))
        halved = build.fmul(half, z)
        near = build.fsub(kind(1.0), halved)
        lost = build.fsub(build.fsub(kind(1.0), near), halved)
        return sine, build.fadd(near, build.fadd(lost, tail))

    def _difference(self, x: ir.Value, y: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Return x - y as a sum of two numbers (Knuth, The Art of Computer Programming, 4.2.2)."""
        build = self._build
        near = build.fsub(x, y)
        taken = build.fsub(near, x)
        lost = build.fsub(x, build.fsub(near, taken))
        return near, build.fsub(lost, build.fadd(y, taken))

    def power(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """Return x**y, with the special values of C's `pow` (ISO C, F.10.4.4)."""
        build, kind = self._build, x.type
        size, one, none = self._intrinsic("fabs", x), kind(1.0), kind(0.0)
        # Beyond, a power is 0, 1 or infinite.
        exponent = build.select(build.fcmp_ordered(">", y, kind(_LIMIT)), kind(_LIMIT), y)
        exponent = build.select(build.fcmp_ordered("<", y, kind(-_LIMIT)), kind(-_LIMIT), exponent)
        is_single = kind == _FLOAT
        value = (self._power_of_float if is_single else self._power_of_size)(size, exponent)
        is_none = build.fcmp_ordered("==", size, none)
        is_infinite = build.fcmp_ordered("==", size, kind(math.inf))
        is_below = build.fcmp_ordered("<", y, none)
        end = build.select(build.icmp_unsigned("==", is_none, is_below), kind(math.inf), none)
        value = build.select(build.or_(is_none, is_infinite), end, value)
        half = build.fmul(y, kind(0.5))
        is_whole = build.fcmp_ordered("==", self._intrinsic("rint", y), y)
        is_odd = build.and_(is_whole, build.fcmp_ordered("!=", self._intrinsic("rint", half), half))
        bits = _FORMATS[kind].bits
        has_sign = build.icmp_signed("<", build.bitcast(x, bits), bits(0))
        value = build.select(build.and_(has_sign, is_odd), build.fneg(value), value)
        has_root = build.or_(is_whole, build.or_(is_infinite, build.fcmp_ordered(">=", x, none)))
        is_number = build.and_(has_root, build.fcmp_ordered("ord", x, y))
        value = build.select(is_number, value, kind(math.nan))
        is_one = build.or_(build.fcmp_ordered("==", x, one), build.fcmp_ordered("==", y, none))
        return build.select(is_one, one, value)

    def _power_of_float(self, x: ir.Value, y: ir.Value) -> ir.Value:
        build = self._build
        wide, exponent = (build.fpext(each, _DOUBLE) for each in (x, y))
        return build.fptrunc(self.exp(build.fmul(exponent, self.log(wide))), _FLOAT)

    def _power_of_size(self, x: ir.Value, y: ir.Value) -> ir.Value:
        """Return x**y for positive x as exp(y * log(x)), with log(x) as a sum of two numbers.

        With s = (m - 1) / (m + 1), log(m) is 2/3 * s * (3 + s**2 + 3/5 * s**4 + 3/7 * s**6 + ...).
        Products of numbers of 26 bits are exact (as in msun, e_pow.c).
        """
        build, kind, form = self._build, _DOUBLE, _FORMATS[_DOUBLE]
        add, sub, mul = build.fadd, build.fsub, build.fmul
        k, m = self._mantissa(x)
        f, below = sub(m, kind(1.0)), add(m, kind(1.0))
        below_high = self._high(below)
        below_low = sub(m, sub(below_high, kind(1.0)))
        inverse = build.fdiv(kind(1.0), below)
        s = mul(f, inverse)
        s_high = self._high(s)
        s_low = sub(sub(f, mul(s_high, below_high)), mul(s_high, below_low))
        s_low = mul(s_low, inverse)
        z, square = mul(s, s), mul(s_high, s_high)
        series = self._polynomial(z, [3 / (2 * i + 5) for i in range(11, -1, -1)])
        series = add(mul(mul(z, z), series), mul(s_low, add(s_high, s)))
        t_high = self._high(add(add(kind(3.0), square), series))
        t_low = sub(series, sub(sub(t_high, kind(3.0)), square))
        high, low = mul(s_high, t_high), add(mul(s_low, t_high), mul(t_low, s))
        p_high = self._high(add(high, low))
        p_low = sub(low, sub(p_high, high))
        high = mul(p_high, kind(_TWO_THIRDS[0]))
        low = add(mul(p_high, kind(_TWO_THIRDS[1])), mul(p_low, kind(2 / 3)))
        scale, low = mul(k, kind(form.ln2[0])), add(low, mul(k, kind(form.ln2[1])))
        log_high = self._high(add(add(scale, high), low))
        log_low = sub(low, sub(sub(log_high, scale), high))
        y_high = self._high(y)
        high = mul(y_high, log_high)
        low = add(mul(sub(y, y_high), log_high), mul(y, log_low))
        whole = add(high, low)
        return self.exp(whole, sub(low, sub(whole, high)))

    def _high(self, x: ir.Value) -> ir.Value:
        """Return a float64 cut to 26 bits."""
        build, bits = self._build, ir.IntType(64)
        return build.bitcast(build.and_(build.bitcast(x, bits), bits(-1 << 27)), x.type)


_LIMIT = 2.0**65
_TWO_THIRDS = (float.fromhex("0x1.555555p-1"), float.fromhex("0x1.5555555555555p-27"))
"""2/3 as the sum of a number of 26 bits and another one."""

LARGEST_ANGLES = {_FLOAT: 4.2e8, _DOUBLE: 1.6e6}
"""Largest angles that are reduced: 2**28 and 2**20 times pi / 2, above which pi needs more digits.
"""

_HALF_PI_OF_FLOAT = (1.57079631090164184570e00, 1.58932547735281966916e-08)
_SINE_OF_FLOAT = (
    0.0000027183114939898219064, -0.000198393348360966317347, 0.0083333293858894631756,
    -0.166666666416265235595, 1.0,
)  # fmt: skip
_COSINE_OF_FLOAT = (
    0.0000243904487962774090654, -0.00138867637746099294692, 0.0416666233237390631894,
    -0.499999997251031003120, 1.0,
)  # fmt: skip

_HALF_PI = (
    float.fromhex("0x1.921fb544p+0"), float.fromhex("0x1.0b4611a6p-34"),
    float.fromhex("0x1.3198a2e0p-69"), float.fromhex("0x1.b839a252049c1p-104"),
)  # fmt: skip
"""pi / 2 as a sum; its products with integers up to 2**20 are exact but for the last one."""

_CUBIC = -1.66666666666666324348e-01
_SINE = (
    1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
    -1.98412698298579493134e-04, 8.33333333332248946124e-03,
)  # fmt: skip
_COSINE = (
    -1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
    2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02,
)  # fmt: skip

BY_NAME: dict[str, Callable[[Functions, ir.Value], ir.Value]] = {
    "exp": Functions.exp,
    "log": Functions.log,
    "tanh": Functions.tanh,
}
"""Functions of both types by their name in NumPy."""
