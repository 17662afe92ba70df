"""Computations on complex numbers: pairs of floating-point numbers.

A product or quotient with a part that is infinite or NaN fails: NumPy's result depends on whether
it fuses a product and a sum, as does the sign of a zero that underflows. So the quotient by zero,
which raises for numbers of Python, fails, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from runtime.core.opdef import Emit, Ufunc
from runtime.core.operation import Operation
from runtime.engines.limits import Unsupported


def pair(build: ir.IRBuilder, real: ir.Value, imag: ir.Value) -> ir.Value:
    """Return a complex number."""
    empty = ir.Constant(ir.LiteralStructType([real.type, imag.type]), ir.Undefined)
    return build.insert_value(build.insert_value(empty, real, 0), imag, 1)


def parts(build: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Return the real and the imaginary part."""
    return build.extract_value(value, 0), build.extract_value(value, 1)


def compute(numbers: Any, op: Operation, operands: Sequence[ir.Value]) -> ir.Value:
    """Emit an operation that takes or returns a complex number. Raises Unsupported."""
    definition = op.definition
    rule = _BY_EMIT.get(definition.emit) or _BY_SIGN.get(definition.sign)
    if isinstance(definition.kernel, Ufunc) and definition.kernel.name == "exp":
        rule = _exponential
    if rule is None:
        raise Unsupported(f"the operation {op.type} of {op.inputs[0].spec.dtype.name}")
    return rule(numbers, *operands)


def _finite(numbers: Any, real: ir.Value, imag: ir.Value) -> ir.Value:
    """Return a complex number; fail if a part is infinite or NaN."""
    build = numbers.builder
    fits = build.and_(numbers.is_finite(real), numbers.is_finite(imag))
    numbers.fail_later(build.not_(fits))
    return pair(build, real, imag)


def _by_part(name: str) -> Callable[..., ir.Value]:
    def rule(numbers: Any, *operands: ir.Value) -> ir.Value:
        build = numbers.builder
        columns = zip(*(parts(build, operand) for operand in operands), strict=True)
        return pair(build, *(getattr(build, name)(*column) for column in columns))

    return rule


added = _by_part("fadd")
"""Adds two complex numbers."""


def _product(numbers: Any, x: ir.Value, y: ir.Value) -> ir.Value:
    build = numbers.builder
    (a, b), (c, d) = parts(build, x), parts(build, y)
    real = build.fsub(build.fmul(a, c), build.fmul(b, d))
    return _finite(numbers, real, build.fadd(build.fmul(a, d), build.fmul(b, c)))


def _quotient(numbers: Any, x: ir.Value, y: ir.Value) -> ir.Value:
    """Divide by Smith's method (Algorithm 116, CACM 1962), as NumPy does."""
    build = numbers.builder
    (a, b), (c, d) = parts(build, x), parts(build, y)
    sizes = [numbers.intrinsic("llvm.fabs", each) for each in (c, d)]
    is_real = build.fcmp_ordered(">=", *sizes)
    large, small = build.select(is_real, c, d), build.select(is_real, d, c)
    ratio = build.fdiv(small, large)
    scale = build.fdiv(c.type(1.0), build.fadd(large, build.fmul(small, ratio)))
    first, second = build.select(is_real, a, b), build.select(is_real, b, a)
    real = build.fmul(build.fadd(first, build.fmul(second, ratio)), scale)
    difference = build.select(
        is_real,
        build.fsub(b, build.fmul(a, ratio)),
        build.fsub(build.fmul(b, ratio), a),
    )
    return _finite(numbers, real, build.fmul(difference, scale))


def _square(numbers: Any, x: ir.Value) -> ir.Value:
    return _product(numbers, x, x)


def _exponential(numbers: Any, x: ir.Value) -> ir.Value:
    build = numbers.builder
    real, imag = parts(build, x)
    size, cos, sin = (
        numbers.function(name, part) for name, part in (("exp", real), ("cos", imag), ("sin", imag))
    )
    return _finite(numbers, build.fmul(size, cos), build.fmul(size, sin))


def _conjugate(numbers: Any, x: ir.Value) -> ir.Value:
    real, imag = parts(numbers.builder, x)
    return pair(numbers.builder, real, numbers.builder.fneg(imag))


def _compared(numbers: Any, x: ir.Value, y: ir.Value) -> ir.Value:
    build = numbers.builder
    pairs = zip(parts(build, x), parts(build, y), strict=True)
    return build.and_(*(build.fcmp_ordered("==", one, other) for one, other in pairs))


_BY_SIGN: dict[str | None, Callable[..., ir.Value]] = {
    "{} + {}": added,
    "{} - {}": _by_part("fsub"),
    "{} * {}": _product,
    "{} / {}": _quotient,
    "{0} * {0}": _square,
    "-{}": _by_part("fneg"),
    "abs({})": lambda numbers, x: numbers.library("hypot", *parts(numbers.builder, x)),
    "{} == {}": _compared,
    "{} != {}": lambda numbers, x, y: numbers.builder.not_(_compared(numbers, x, y)),
    "{1} if {0} else {2}": lambda numbers, test, x, y: numbers.builder.select(test, x, y),
}
"""Rules by the Python operator of an op type, see `OpDef.sign`."""

_BY_EMIT: dict[Emit | None, Callable[..., ir.Value]] = {
    Emit.COMPLEX: lambda numbers, real, imag: pair(numbers.builder, real, imag),
    Emit.REAL: lambda numbers, x: parts(numbers.builder, x)[0],
    Emit.IMAG: lambda numbers, x: parts(numbers.builder, x)[1],
    Emit.CONJUGATE: _conjugate,
}
"""Rules of operations that only complex numbers have."""
