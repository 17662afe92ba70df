"""Computations on numbers as LLVM instructions.

Integers wrap around, and floating-point instructions round, as in the kernels: no instruction is
contracted or reordered. Elementary functions are those of `functions` and of the C library. Largest
errors of the latter in ulp, as tests measure them with glibc: asin, acos, atan, expm1 and log1p 1;
tan, atan2, sinh, cosh, asinh and atanh 2; acosh 3. NumPy's differ from them by a few ulp.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import Emit, Overflow, Ufunc, Undefined
from runtime.core.operation import Operation
from runtime.engines.limits import Unsupported
from runtime.engines.native import complexes
from runtime.engines.native.functions import BY_NAME, LARGEST_ANGLES, Functions
from runtime.engines.native.types import FLOATS, TRUTH, imported, type_of


class Numbers:
    """Emits computations on numbers.

    Attributes:
      may_fail: whether a computation may jump there.
      are_elements: whether the numbers are elements of arrays, in a loop that LLVM may vectorize.
    """

    def __init__(self, builder: ir.IRBuilder, failed: ir.Block) -> None:
        """Store the fields."""
        self.builder = builder
        self._failed = failed
        self._later: ir.Value | None = None
        self.may_fail = False
        self.are_elements = False

    def fail_if(self, condition: ir.Value) -> None:
        """Jump to the failure block if a condition holds."""
        self.may_fail = True
        rest = self.builder.append_basic_block()
        self.builder.cbranch(condition, self._failed, rest)
        self.builder.position_at_end(rest)

    def rarely(self, condition: ir.Value, one: ir.Value, other: ir.Value) -> ir.Value:
        """Return `one` where a condition holds, which it rarely does, and `other` elsewhere.

        With weights LLVM emits a branch, which the processor predicts, and no conditional move, for
        which what needs the number would wait (the sieve of `tools/bench`: 15 us, not 20).
        """
        module, weight = self.builder.module, ir.IntType(32)
        name = ir.MetaDataString(module, "branch_weights")
        found = self.builder.select(condition, one, other)
        found.set_metadata("prof", module.add_metadata([name, weight(1), weight(1_000_000)]))
        return found

    def fail_later(self, condition: ir.Value) -> None:
        """Fail if a condition holds; inside of `together`, after the loop.

        The computation goes on with a number that is not used.
        """
        if self._later is None:
            self.fail_if(condition)
            return
        before = self.builder.load(self._later, typ=TRUTH)
        self.builder.store(self.builder.or_(before, condition), self._later)

    @contextmanager
    def together(self, flag: ir.Value) -> Iterator[None]:
        """Enclose a loop whose iterations LLVM may run at once: `fail_later` waits for its end."""
        self.builder.store(TRUTH(0), flag)
        self._later = flag
        self.are_elements = True
        yield
        self.are_elements = False
        self._later = None
        self.fail_if(self.builder.load(flag, typ=TRUTH))

    @contextmanager
    def apart(self, flag: ir.Value, failed: ir.Block) -> Iterator[None]:
        """Enclose iterations in another function; one that fails jumps to its block `failed`."""
        before = self._later, self._failed
        self._later, self._failed = flag, failed
        yield
        self._later = None
        self.fail_if(self.builder.load(flag, typ=TRUTH))
        self._later, self._failed = before

    def intrinsic(self, name: str, *operands: ir.Value) -> ir.Value:
        """Call an LLVM intrinsic that is overloaded by the type of its first operand."""
        kind = operands[0].type
        function = self.builder.module.declare_intrinsic(name, [kind], _signature(kind, operands))
        return self.builder.call(function, operands)

    def library(self, name: str, *operands: ir.Value) -> ir.Value:
        """Call a function of the C library; that of float32 has the suffix `f`."""
        kind = operands[0].type
        name += "f" * isinstance(kind, ir.FloatType)
        function = imported(self.builder, name, _signature(kind, operands))
        return self.builder.call(function, operands)

    def function(self, name: str, x: ir.Value) -> ir.Value:
        """Call the function of this package, or of the C library, for a function of NumPy."""
        dtype = next(dtype for dtype, kind in FLOATS.items() if kind == x.type)
        found: ir.Value = _FUNCTIONS[name](self, dtype, x)
        return found

    def compute(self, op: Operation, operands: Sequence[ir.Value]) -> ir.Value:
        """Emit an operation on numbers, or on an element of each operand. Raises Unsupported."""
        definition, dtype = op.definition, op.inputs[0].spec.dtype
        if definition.emit is Emit.CONVERSION and set(op.attrs) == {"dtype"}:
            (operand,) = operands
            return self.converted(operand, dtype, op.attrs["dtype"])
        if any(tensor.spec.dtype.is_complex for tensor in (*op.inputs, *op.outputs)):
            return complexes.compute(self, op, operands)
        rule: Any = _BY_EMIT.get(definition.emit)
        if definition.python is not None:
            overflow = definition.python.overflow
            exact = overflow is Overflow.RAISES and dtype.is_integer
            rule = (_EXACT if exact else _SIGNS).get(definition.sign)
        elif isinstance(definition.kernel, Ufunc):
            rules = _FUNCTIONS if dtype in FLOATS else _OF_INTEGERS
            rule = rules.get(definition.kernel.name)
            constants = (type_of(dtype)(number) for number in definition.kernel.constants)
            operands = (*operands, *constants)
        if rule is None:
            raise Unsupported(f"the operation {op.type} of {dtype.name}")
        result: ir.Value = rule(self, op.inputs[-1].spec.dtype, *operands)
        if definition.python is not None and dtype in FLOATS:
            self._refuse_undefined(definition.python.undefined, result, *operands)
        return result

    def _refuse_undefined(
        self, undefined: Undefined, result: ir.Value, *operands: ir.Value
    ) -> None:
        """Fail where Python's operator raises on floats."""
        if undefined is Undefined.BY_ZERO:
            divisor = operands[1]
            self.fail_later(self.builder.fcmp_ordered("==", divisor, divisor.type(0)))
        elif undefined is Undefined.NOT_FINITE:
            finite = [self.is_finite(operand) for operand in operands]
            failed = self.builder.not_(self.is_finite(result))
            self.fail_later(functools.reduce(self.builder.and_, finite, failed))

    def is_finite(self, x: ir.Value) -> ir.Value:
        """Return whether a float is a number: the difference of others from themselves is NaN."""
        return self.builder.fcmp_ordered("==", self.builder.fsub(x, x), x.type(0))

    @staticmethod
    def trial(op: Operation) -> Numbers | None:
        """Emit an operation on one element of each operand elsewhere; None: it has no rule."""
        function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), []), "trial")
        builder = ir.IRBuilder(function.append_basic_block())
        trial = Numbers(builder, function.append_basic_block())
        trial.are_elements = True
        try:
            kinds = [type_of(tensor.spec.dtype) for tensor in op.inputs]
            trial.compute(op, [ir.Constant(kind, ir.Undefined) for kind in kinds])
        except Unsupported:
            return None
        return trial

    def converted(self, value: ir.Value, source: DType, target: DType) -> ir.Value:
        """Convert a number as `astype` does; fail where C leaves the result undefined."""
        build, kind = self.builder, type_of(target)
        if source is target:
            return value
        if source.is_complex:
            return self._from_complex(value, source, target)
        if target.is_complex:
            part = target.real_dtype
            return complexes.pair(build, self.converted(value, source, part), type_of(part)(0))
        if target.is_bool:
            return self.compare("!=", source, value, value.type(0))
        if source in FLOATS:
            return self._from_float(value, target)
        unsigned = source.is_bool or source.is_unsigned
        if target in FLOATS:
            return (build.uitofp if unsigned else build.sitofp)(value, kind)
        if value.type.width > kind.width:
            return build.trunc(value, kind)
        if value.type.width == kind.width:
            return value
        return (build.zext if unsigned else build.sext)(value, kind)

    def _from_complex(self, value: ir.Value, source: DType, target: DType) -> ir.Value:
        if not target.is_complex:
            raise Unsupported(f"a conversion of a complex number to {target.name}")
        found = (
            self.converted(part, source.real_dtype, target.real_dtype)
            for part in complexes.parts(self.builder, value)
        )
        return complexes.pair(self.builder, *found)

    def _from_float(self, value: ir.Value, target: DType) -> ir.Value:
        build, kind = self.builder, type_of(target)
        if target in FLOATS:
            narrows = isinstance(kind, ir.FloatType)
            return build.fptrunc(value, kind) if narrows else build.fpext(value, kind)
        if target not in (dtypes.int32, dtypes.int64):
            raise Unsupported(f"a conversion of a floating-point number to {target.name}")
        limit = 2.0 ** (8 * target.size - 1)
        inside = build.and_(
            build.fcmp_ordered(">=", value, value.type(-limit)),
            build.fcmp_ordered("<", value, value.type(limit)),
        )
        self.fail_later(build.not_(inside))
        return build.fptosi(build.select(inside, value, value.type(0)), kind)

    def sum(self, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        """Add two numbers; ints wrap around."""
        if dtype.is_complex:
            return complexes.added(self, x, y)
        return _SIGNS["{} + {}"](self, dtype, x, y)

    def product(self, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        """Multiply two numbers; ints wrap around."""
        return _SIGNS["{} * {}"](self, dtype, x, y)

    def extreme(self, sign: str, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        """Return the larger (`sign` is ">") or smaller of two numbers; NaN wins."""
        return _extreme(sign)(self, dtype, x, y)

    def exact_difference(self, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        """Subtract ints; fail where the difference does not fit."""
        return _EXACT["{} - {}"](self, dtype, x, y)

    def compare(self, sign: str, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        """Compare two numbers; NaN is unequal to each."""
        if dtype in FLOATS:
            ordered = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered
            return ordered(sign, x, y)
        unsigned = dtype.is_bool or dtype.is_unsigned
        return (self.builder.icmp_unsigned if unsigned else self.builder.icmp_signed)(sign, x, y)


def _signature(kind: ir.Type, operands: Sequence[ir.Value]) -> ir.FunctionType:
    return ir.FunctionType(kind, [operand.type for operand in operands])


Rule = Callable[..., ir.Value]


def _arithmetic(integer: str, floating: str) -> Rule:
    def rule(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        if dtype.is_bool:
            raise Unsupported("arithmetic on truth values")
        return getattr(numbers.builder, floating if dtype in FLOATS else integer)(x, y)

    return rule


def _exact(intrinsic: str) -> Rule:
    """Return the rule of an operator on ints that raises on overflow."""

    def rule(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        build = numbers.builder
        both = getattr(build, f"s{intrinsic}_with_overflow")(x, y)
        numbers.fail_if(build.extract_value(both, 1))
        return build.extract_value(both, 0)

    return rule


def _comparison(sign: str) -> Rule:
    return lambda numbers, dtype, x, y: numbers.compare(sign, dtype, x, y)


def _bitwise(name: str) -> Rule:
    def rule(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        return getattr(numbers.builder, name)(x, y)

    return rule


def _divided(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
    if dtype not in FLOATS:
        raise Unsupported("a quotient of integers")
    return numbers.builder.fdiv(x, y)


def _floor_divided(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
    """Divide integers and round down; the smallest integer divided by -1 wraps around."""
    build = numbers.builder
    quotient, remainder = _quotient(numbers, dtype, x, y)
    if dtype.is_unsigned:
        return quotient
    down = build.sub(quotient, build.zext(_is_rounded_up(build, remainder, y), x.type))
    return build.select(_is_minus_one(build, y), build.neg(x), down)


def _floor_remainder(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
    build = numbers.builder
    _, remainder = _quotient(numbers, dtype, x, y)
    if dtype.is_unsigned:
        return remainder
    missing = build.select(_is_rounded_up(build, remainder, y), y, x.type(0))
    return build.add(remainder, missing)


def _is_rounded_up(build: ir.IRBuilder, remainder: ir.Value, y: ir.Value) -> ir.Value:
    """Return whether the truncated quotient by `y` is larger than the exact one."""
    none = y.type(0)
    differs = build.icmp_signed("<", build.xor(remainder, y), none)
    return build.and_(build.icmp_signed("!=", remainder, none), differs)


def _quotient(
    numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """Return the truncated quotient and remainder of integers; those by -1 are of another divisor.

    The processor raises a signal for the smallest integer divided by -1.
    """
    build = numbers.builder
    if not dtype.is_integer:
        raise Unsupported("a rounded quotient of floating-point numbers")
    numbers.fail_if(build.icmp_unsigned("==", y, y.type(0)))
    if dtype.is_unsigned:
        return build.udiv(x, y), build.urem(x, y)
    divisor = build.select(_is_minus_one(build, y), y.type(1), y)
    return build.sdiv(x, divisor), build.srem(x, divisor)


def _is_minus_one(build: ir.IRBuilder, y: ir.Value) -> ir.Value:
    return build.icmp_signed("==", y, y.type(-1))


def _power(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
    if dtype not in FLOATS:
        raise Unsupported("a power of integers")
    if numbers.are_elements:
        return Functions(numbers.builder).power(x, y)
    return numbers.library("pow", x, y)


def _chosen(numbers: Numbers, dtype: DType, test: ir.Value, x: ir.Value, y: ir.Value) -> ir.Value:
    return numbers.builder.select(test, x, y)


def _extreme(sign: str) -> Rule:
    """Return the rule of a maximum or minimum; NaN wins, and of equal numbers the second."""

    def rule(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        build = numbers.builder
        first = numbers.compare(sign, dtype, x, y)
        if dtype in FLOATS:
            first = build.or_(first, build.fcmp_unordered("uno", x, x))
        return build.select(first, x, y)

    return rule


def _negated(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
    return numbers.builder.fneg(x) if dtype in FLOATS else numbers.builder.neg(x)


def _absolute(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
    if dtype in FLOATS:
        return numbers.intrinsic("llvm.fabs", x)
    if dtype.is_bool or dtype.is_unsigned:
        return x
    build = numbers.builder
    return build.select(build.icmp_signed("<", x, x.type(0)), build.neg(x), x)


def _shifted(signed: str, unsigned: str) -> Rule:
    """Return the rule of a shift; its width is clamped to the bits that there are."""

    def rule(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        build, most = numbers.builder, 8 * dtype.size - 1
        if not dtype.is_unsigned:
            y = build.select(build.icmp_signed("<", y, y.type(0)), y.type(0), y)
        y = build.select(build.icmp_unsigned(">", y, y.type(most)), y.type(most), y)
        return getattr(build, unsigned if dtype.is_unsigned else signed)(x, y)

    return rule


def _python_shifted(emit: Emit) -> Rule:
    """Return the rule of a shift of Python; fail where Python raises or the result does not fit."""

    def rule(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
        if dtype.is_unsigned:
            raise Unsupported(f"a shift of Python of {dtype.name}")
        build, most = numbers.builder, y.type(8 * dtype.size - 1)
        numbers.fail_later(build.icmp_unsigned(">", y, most))
        y = build.and_(y, most)
        if emit is Emit.RIGHT_SHIFT:
            return build.ashr(x, y)
        result = build.shl(x, y)
        numbers.fail_later(build.icmp_signed("!=", build.ashr(result, y), x))
        return result

    return rule


def _opposite(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
    return numbers.builder.not_(x)


_SIGNS: dict[str, Rule] = {
    "{} + {}": _arithmetic("add", "fadd"),
    "{} - {}": _arithmetic("sub", "fsub"),
    "{} * {}": _arithmetic("mul", "fmul"),
    "{} / {}": _divided,
    "{} // {}": _floor_divided,
    "{} % {}": _floor_remainder,
    "{} ** {}": _power,
    "{} & {}": _bitwise("and_"),
    "{} | {}": _bitwise("or_"),
    "{} ^ {}": _bitwise("xor"),
    "{} << {}": _shifted("shl", "shl"),
    "{} >> {}": _shifted("ashr", "lshr"),
    "{} and {}": _bitwise("and_"),
    "{} or {}": _bitwise("or_"),
    "not {}": _opposite,
    "~{}": _opposite,
    "-{}": _negated,
    "abs({})": _absolute,
    "{0} * {0}": lambda numbers, dtype, x: _SIGNS["{} * {}"](numbers, dtype, x, x),
    "max({}, {})": _extreme(">"),
    "min({}, {})": _extreme("<"),
    "{1} if {0} else {2}": _chosen,
    **{f"{{}} {sign} {{}}": _comparison(sign) for sign in ("<", "<=", ">", ">=", "==", "!=")},
}
"""Rules by the Python operator of an op type, see `OpDef.sign`."""


def _exact_floor_divided(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
    """Divide integers and round down; fail for the smallest one divided by -1."""
    build = numbers.builder
    if not dtype.is_unsigned:
        smallest = build.icmp_signed("==", x, x.type(dtype.min))
        numbers.fail_if(build.and_(smallest, _is_minus_one(build, y)))
    return _floor_divided(numbers, dtype, x, y)


_EXACT: dict[str, Rule] = {
    "{} // {}": _exact_floor_divided,
    "{} + {}": _exact("add"),
    "{} - {}": _exact("sub"),
    "{} * {}": _exact("mul"),
}
"""Rules of operators on ints that raise on overflow."""


def _float(dtype: DType, x: ir.Value, number: float) -> ir.Value:
    """Return a constant of the type of a floating-point operand."""
    if dtype not in FLOATS:
        raise Unsupported(f"an operation on {dtype.name}")
    return x.type(number)


def _reciprocal_root(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
    one = _float(dtype, x, 1.0)
    return numbers.builder.fdiv(one, numbers.intrinsic("llvm.sqrt", x))


def _sign(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
    """Return -1, 0 or 1; of NaN NaN."""
    build, none = numbers.builder, x.type(0)
    if dtype.is_unsigned:
        return build.zext(build.icmp_unsigned("!=", x, none), x.type)
    above = numbers.compare(">", dtype, x, none)
    below = numbers.compare("<", dtype, x, none)
    found = build.select(above, x.type(1), build.select(below, x.type(-1), none))
    if dtype not in FLOATS:
        return found
    return build.select(build.fcmp_unordered("uno", x, x), x, found)


def _product_or_zero(numbers: Numbers, dtype: DType, x: ir.Value, y: ir.Value) -> ir.Value:
    """Return the product, and 0 where `y` is 0, even if `x` is infinite or NaN there."""
    none = _float(dtype, y, 0.0)
    is_zero = numbers.compare("==", dtype, y, none)
    return numbers.builder.select(is_zero, none, numbers.product(dtype, x, y))


_BY_EMIT: dict[Emit | None, Rule] = {
    Emit.LOGISTIC: lambda numbers, dtype, x: Functions(numbers.builder).logistic(x),
    Emit.RECIPROCAL: lambda numbers, dtype, x: numbers.builder.fdiv(_float(dtype, x, 1.0), x),
    Emit.RSQRT: _reciprocal_root,
    Emit.SIGN: _sign,
    Emit.PRODUCT_OR_ZERO: _product_or_zero,
    **{emit: _python_shifted(emit) for emit in (Emit.LEFT_SHIFT, Emit.RIGHT_SHIFT)},
}
"""Rules of computations that are no function of NumPy."""

_OF_INTEGERS: dict[str, Rule] = {"maximum": _extreme(">")}
"""Rules by the NumPy function of a kernel, for integers."""


def _by_library(name: str) -> Rule:
    return lambda numbers, dtype, *operands: numbers.library(name, *operands)


def _by_intrinsic(name: str) -> Rule:
    return lambda numbers, dtype, *operands: numbers.intrinsic(f"llvm.{name}", *operands)


def _magnitude(sign: str) -> Rule:
    """Return the rule that compares the magnitude with infinity."""

    def rule(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
        size = numbers.intrinsic("llvm.fabs", x)
        return numbers.builder.fcmp_ordered(sign, size, x.type(float("inf")))

    return rule


def _own(name: str) -> Rule:
    """Return the rule of a function of this package."""
    return lambda numbers, dtype, x: BY_NAME[name](Functions(numbers.builder), x)


def _circular(name: str) -> Rule:
    """Return the rule of `sin` or `cos`; angles above a limit fail."""

    def rule(numbers: Numbers, dtype: DType, x: ir.Value) -> ir.Value:
        if dtype is not dtypes.float32 and not numbers.are_elements:
            return numbers.library(name, x)
        size = numbers.intrinsic("llvm.fabs", x)
        is_large = numbers.builder.fcmp_ordered(">", size, x.type(LARGEST_ANGLES[x.type]))
        infinite = numbers.builder.fcmp_ordered("==", size, x.type(float("inf")))
        numbers.fail_later(numbers.builder.and_(is_large, numbers.builder.not_(infinite)))
        return getattr(Functions(numbers.builder), name)(x)

    return rule


_FUNCTIONS: dict[str, Rule] = {
    "sqrt": _by_intrinsic("sqrt"),
    "rint": _by_intrinsic("rint"),
    "isnan": lambda numbers, dtype, x: numbers.builder.fcmp_unordered("uno", x, x),
    "isfinite": _magnitude("<"),
    "isinf": _magnitude("=="),
    "maximum": _extreme(">"),
    "sin": _circular("sin"),
    "cos": _circular("cos"),
    **{name: _own(name) for name in BY_NAME},
    "arctan2": _by_library("atan2"),
    **{
        f"arc{name}": _by_library(f"a{name}")
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{
        name: _by_library(name)
        for name in ("expm1", "log1p", "tan", "sinh", "cosh")
    },
}  # fmt: skip
"""Rules by the NumPy function of a kernel, for floating-point numbers."""
