"""Rules of the plan: operators, functions and conversions of numbers.

Integers are ints of Python, which wrap around or raise as their dtype does.
"""

from __future__ import annotations

import math
import re
import sys

from runtime.core import dtypes
from runtime.core.opdef import Effect, Emit, Overflow, PythonOperator, Ufunc, Undefined
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.structural import CONST
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.printer import LIMITS, Kind, Printer, Rule, kind_of
from runtime.engines.ranges import Range, of_operator

# ---- integers ----


def wrap(number: int, bits: int) -> int:
    """Wrap `number` around to a signed integer of `bits` bits.

    >>> wrap(2**31, 32)
    -2147483648
    """
    half = 1 << (bits - 1)
    return (number + half) % (2 * half) - half


def wrapped(printer: Printer, op: Operation, expression: str) -> None:
    """Emit an operator on Python ints, and wrap the result around as the dtype does.

    A sum or product that only sums and products read is wrapped with theirs: the remainder modulo
    a power of two is the same.
    """
    values, result = _values(printer, op), op.outputs[0]
    dtype, is_later = result.spec.dtype, values is None and _is_wrapped_later(printer, op)
    if values is None and not is_later and dtype.is_unsigned:
        number = expression if expression.isidentifier() else f"({expression})"
        printer.result(op, f"{number} & {LIMITS[dtype].most}", Kind.INTEGER)
        return
    name = printer.result(op, expression, Kind.INTEGER, values=values)
    if is_later:
        printer.unwrapped.add(id(result))
    elif values is None:
        printer.bound["wrap"] = wrap
        printer.line(f"if {_outside(printer, op, name)}: {name} = wrap({name}, {8 * dtype.size})")


def _is_wrapped_later(printer: Printer, op: Operation) -> bool:
    """Return whether only sums and products read a sum or product, of operands that are wrapped."""
    if op.definition.sign not in _RING or not printer.unwrapped.isdisjoint(map(id, op.inputs)):
        return False
    readers, dtype = printer.liveness.all_readers(op.outputs[0]), op.outputs[0].spec.dtype
    return bool(readers) and all(_wraps_ring(reader, dtype) for reader in readers)


_RING = ("{} + {}", "{} - {}", "{} * {}")
"""Operators on integers modulo a power of two."""


def _wraps_ring(op: Operation, dtype: dtypes.DType) -> bool:
    python = op.definition.python
    of_ring = python is not None and python.text in _RING and python.overflow is Overflow.WRAPS
    return of_ring and op.outputs[0].spec == TensorSpec((), dtype)


def checked(printer: Printer, op: Operation, expression: str) -> None:
    """Emit an operator on Python ints that raises on overflow."""
    values = _values(printer, op)
    name = printer.result(op, expression, Kind.INTEGER, values=values)
    if values is None:
        outside = _outside(printer, op, name)
        printer.line(f"if {outside}: raise OverflowError({name})", printer.step(op))


def _values(printer: Printer, op: Operation) -> Range | None:
    """Return the range of a result that its dtype represents; None: it may need a check."""
    operands = [tensor for tensor in op.inputs if kind_of(tensor) is not Kind.TRUTH]
    if not all(_is_wrapped_integer(printer, tensor) for tensor in operands):
        return None
    ranges = map(printer.range_of, operands)
    is_cast = op.definition.emit is Emit.CONVERSION
    values = next(ranges) if is_cast else of_operator(op.definition.sign, *ranges)
    least, most = LIMITS[op.outputs[0].spec.dtype]
    return values if values is not None and least <= values.least <= values.most <= most else None


def _is_wrapped_integer(printer: Printer, tensor: SymbolicTensor) -> bool:
    return kind_of(tensor) is Kind.INTEGER and id(tensor) not in printer.unwrapped


def _outside(printer: Printer, op: Operation, name: str) -> str:
    """Return the test for a result that the dtype cannot represent."""
    (least, most), addend = LIMITS[op.outputs[0].spec.dtype], _addend(op)
    if addend is None or not printer.unwrapped.isdisjoint(map(id, op.inputs)):
        return f"not {least} <= {name} < {most + 1}"
    return f"{name} >= {most + 1}" if addend >= 0 else f"{name} < {least}"


def _addend(op: Operation) -> int | None:
    """Return the constant that an operation adds to its other operand; None if there is none."""
    if op.definition.sign not in ("{} + {}", "{} - {}"):
        return None
    one, other = map(_constant_integer, op.inputs)
    if op.definition.sign == "{} - {}":
        return None if other is None else -other
    return one if other is None else other


_SHIFTS = {"{} >> {}": Overflow.NEVER, "{} << {}": Overflow.WRAPS}
"""What a shift of bits by at least 0 and fewer places than there are bits may need."""


def _overflow(op: Operation) -> Overflow:
    """Return what a result outside the range of the dtype means, see `_in_range`."""
    python = op.definition.python
    assert python is not None, op
    return _SHIFTS.get(python.text, python.overflow)


def _in_range(op: Operation, words: list[str]) -> list[str]:
    """Return the operands; the kernel limits the places of a shift to those that there are."""
    bits = 8 * op.inputs[0].spec.dtype.size
    if op.definition.sign not in _SHIFTS or _known_places(op) in range(bits):
        return words
    return [words[0], f"min(max({words[1]}, 0), {bits - 1})"]


def _known_places(op: Operation) -> int | None:
    return _constant_integer(op.inputs[1])


def python_shift(printer: Printer, op: Operation) -> bool:
    """Emit Python's shift, which raises Python's error for less than 0 places.

    To the left it may overflow, which 64 places do as more would: zero alone stays.
    """
    x, places = op.inputs
    if not kind_of(x) is kind_of(places) is Kind.INTEGER:
        return False
    number, count = printer.integer(x), printer.integer(places)
    if op.definition.emit is Emit.RIGHT_SHIFT:
        printer.result(op, f"{number} >> {count}", Kind.INTEGER)
    else:
        is_short = _known_places(op) in range(32)
        checked(printer, op, f"{number} << {count if is_short else f'min({count}, 64)'}")
    return True


def _constant_power(tensor: SymbolicTensor) -> int | None:
    """Return the exponent of a constant power of two."""
    value = _constant_integer(tensor) or 0
    return value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else None


def _constant_integer(tensor: SymbolicTensor) -> int | None:
    """Return the value of a constant scalar of integers."""
    is_known = tensor.op.definition is CONST and kind_of(tensor) is Kind.INTEGER
    return int(tensor.op.attrs["value"]) if is_known else None


# ---- operators and functions ----


def is_number(tensor: SymbolicTensor) -> bool:
    """Return whether a dtype is integer, floating-point or bool."""
    return tensor.spec.dtype.kind in "iuf"


def is_string(tensor: SymbolicTensor) -> bool:
    """Return whether a tensor holds strings."""
    return tensor.spec.dtype is dtypes.string


def elementwise(printer: Printer, op: Operation) -> bool:
    """Emit a NumPy function; write over a dead input, or into the target of the result."""
    kernel = op.definition.kernel
    if not isinstance(kernel, Ufunc) or not all(t.spec.dtype.kind in "biufc" for t in op.inputs):
        return False
    if kernel.scalar is not None and _are_complex_scalars(op):
        return False
    if kernel.name == "sqrt" and kind_of(op.inputs[0]) is Kind.FLOAT:
        return _root(printer, op)
    dtype = op.inputs[0].spec.dtype.name
    printer.result(op, kernel.source(_operands(printer, op), dtype, printer.target(op)))
    return True


def _root(printer: Printer, op: Operation) -> bool:
    """Emit the root of a float of Python; that of a negative one is no number to NumPy."""
    x = printer.as_kind(op.inputs[0], Kind.FLOAT)
    printer.bound["math"] = math
    root = f"math.sqrt({x}) if {x} >= 0.0 else float(np.sqrt(float64({x})))"
    printer.result(op, root, Kind.FLOAT)
    return True


def _operands(printer: Printer, op: Operation) -> list[str]:
    """Return the operands of a function or operator of NumPy."""
    are_scalars = all(tensor.spec.dims == () for tensor in op.inputs)
    return list(map(printer.array if are_scalars else printer.operand, op.inputs))


def python_operator(printer: Printer, op: Operation) -> bool:
    """Emit the op's Python operator, on numbers of Python or on arrays of numbers."""
    python = op.definition.python
    assert python is not None, op
    kinds = list(map(kind_of, op.inputs))
    if Kind.COMPLEX in kinds and Kind.ARRAY not in kinds and python.text in _OF_COMPLEX:
        return _of_complex(printer, op, python)
    if Kind.FLOAT in kinds and Kind.ARRAY not in kinds and python.text in _OF_FLOATS:
        return _of_floats(printer, op, python)
    overflow = _overflow(op)
    if overflow is not Overflow.UNLIKE and {Kind.INTEGER, Kind.TRUTH} >= {*kinds}:
        words = list(map(printer.as_kind, op.inputs, kinds))
        if not _may_raise(op):
            words = _in_range(op, _in_one_line(printer, op, words))
        exponent = _constant_power(op.inputs[-1]) if python.by_power is not None else None
        if python.by_power is not None and exponent is not None:
            by_power, values = python.by_power(words[0], exponent), _values(printer, op)
            printer.result(op, by_power, Kind.INTEGER, values=values)
        else:
            _number(printer, op, python.text.format(*words), overflow)
        return True
    scalars = all(tensor.spec.dims == () for tensor in op.inputs)
    if scalars and python.text in _OF_STRINGS and all(map(is_string, op.inputs)):
        words = [f"{printer.array(tensor)}.item()" for tensor in op.inputs]
        truth(printer, op, python.text.format(*words))
        return True
    if scalars and python.text == _CHOICE and all(map(is_number, op.inputs[1:])):
        test, *choices = op.inputs
        words = [printer.condition(test), *map(printer.array, choices)]
        printer.result(op, python.text.format(*words))
        return True
    by_zero = scalars and python.undefined is Undefined.BY_ZERO
    infix = (by_zero or isinstance(op.definition.kernel, Ufunc)) and python.infix
    if infix and all(map(is_number, op.inputs)) and printer.target(op) is None:
        if by_zero:
            divisor = printer.array(op.inputs[1])
            printer.line(f"if {divisor} == 0: raise ZeroDivisionError", printer.step(op))
        printer.result(op, python.text.format(*_operands(printer, op)))
        return True
    return elementwise(printer, op)


_QUOTIENT = "{} / {}"


_POWER = "{} ** {}"


_CHOICE = "{1} if {0} else {2}"


_OF_STRINGS = ("{} == {}", "{} != {}")
"""Operators that strings of Python have as tensors of strings have them."""


_OF_FLOATS = (
    *("{} + {}", "{} - {}", "{} * {}", "{0} * {0}", "-{}", "abs({})"),
    *(_QUOTIENT, _POWER, _CHOICE),
    *("{} < {}", "{} <= {}", "{} > {}", "{} >= {}", "{} == {}", "{} != {}"),
)
"""Operators that floats of Python have as float64 has them, but for a quotient by zero."""


_OF_COMPLEX = {
    **{text: text for text in ("{} + {}", "{} - {}", "-{}", "{} == {}", "{} != {}", _CHOICE)},
    # Python 3.14 recovers infinities; a product of NumPy's scalars is the formula alone.
    "{} * {}": "{} * {}" if sys.version_info < (3, 14) else "complex(complex128({}) * {})",
    _QUOTIENT: "complex(complex128({}) / {})",
    "abs({})": "float(abs(complex128({})))",
}
"""What computes an operator on complex numbers of Python as NumPy's scalars do."""


def _are_complex_scalars(op: Operation) -> bool:
    return all(tensor.spec.dims == () and tensor.spec.dtype.is_complex for tensor in op.inputs)


def _of_complex(printer: Printer, op: Operation, python: PythonOperator) -> bool:
    words = [printer.as_kind(tensor, kind_of(tensor)) for tensor in op.inputs]
    if python.undefined is Undefined.BY_ZERO:
        printer.line(f"if {words[1]} == 0: raise ZeroDivisionError", printer.step(op))
    elif not _may_raise(op):
        words = _in_one_line(printer, op, words)
    expression = _OF_COMPLEX[python.text].format(*words)
    printer.result(op, expression, kind_of(op.outputs[0]))
    return True


def parts_of_complex(text: str) -> Rule:
    """Return the rule of an expression of the parts of a complex number, or of the number."""

    def rule(printer: Printer, op: Operation) -> bool:
        kinds = {kind_of(tensor) for tensor in (*op.inputs, *op.outputs)}
        if Kind.COMPLEX not in kinds or Kind.ARRAY in kinds:
            return False
        words = [printer.as_kind(tensor, kind_of(tensor)) for tensor in op.inputs]
        printer.result(op, text.format(*words), kind_of(op.outputs[0]))
        return True

    return rule


def _of_floats(printer: Printer, op: Operation, python: PythonOperator) -> bool:
    words = [printer.as_kind(tensor, kind_of(tensor)) for tensor in op.inputs]
    if python.text == _QUOTIENT:
        return _quotient(printer, op, python.undefined, *words)
    if python.text == _POWER:
        return _power(printer, op, python.undefined, *words)
    if not _may_raise(op):
        words = _in_one_line(printer, op, words)
    printer.result(op, python.text.format(*words), kind_of(op.outputs[0]))
    return True


def _power(printer: Printer, op: Operation, undefined: Undefined, x: str, y: str) -> bool:
    """Emit a power as NumPy's scalars have it; Python's is an error where it is not finite."""
    printer.bound["math"] = math
    if undefined is Undefined.NOT_FINITE and re.fullmatch(r"\d+\.0", y):
        printer.result(op, f"{x} ** {y}", Kind.FLOAT)
        return True
    name = printer.result(op, f"float(float64({x}) ** {y})", Kind.FLOAT)
    if undefined is Undefined.NOT_FINITE:
        are_finite = f"math.isfinite({x}) and math.isfinite({y})"
        failed = f"{are_finite} and not math.isfinite({name})"
        printer.line(f"if {failed}: raise OverflowError({name})", printer.step(op))
    return True


def _quotient(printer: Printer, op: Operation, undefined: Undefined, x: str, y: str) -> bool:
    """Emit a quotient; where Python has none, float64 has an infinity or no number."""
    quotient = f"{x} / {y}"
    if undefined is Undefined.BY_ZERO:
        printer.line(f"if {y} == 0: raise ZeroDivisionError", printer.step(op))
    elif y.isidentifier() or not float(y):
        quotient = f"{quotient} if {y} else float(float64({x}) / {y})"
    printer.result(op, quotient, Kind.FLOAT)
    return True


def python_function(printer: Printer, op: Operation) -> bool:
    """Emit a call of `int`, or of a function of `math`, with one number."""
    name, dtype = op.attrs["function"], op.attrs["dtype"]
    is_direct = name == "int" or (name.startswith("math.") and name != "math.fsum")
    if not is_direct or op.attrs["options"] or len(op.inputs) != 1:
        return False
    (x,) = op.inputs
    if kind_of(x) is Kind.ARRAY and not x.spec.dtype.is_floating:
        return False
    number = printer.as_kind(x, kind_of(x))
    number = f"float({number})" if kind_of(x) is Kind.ARRAY else number
    printer.bound["math"] = math
    call = f"{name}({number})"
    if dtype in LIMITS:
        checked(printer, op, call)
    elif dtype is dtypes.bool:
        truth(printer, op, call)
    else:
        printer.result(op, call, Kind.FLOAT)
    return True


_CALL = re.compile(r"[\w.]+\([^()]*\)")
"""An expression that needs no parentheses."""


_LONGEST = 40
"""Most characters of an operand that has no line of its own."""


def _in_one_line(printer: Printer, op: Operation, words: list[str]) -> list[str]:
    """Return the operands; one that the line before computes is its expression in parentheses.

    Neither the operation nor such an operand may raise: an error is explained by the operation of
    its line and the values of its operands.
    """
    for i, tensor in reversed([*enumerate(op.inputs)]):
        if len(printer.lines[-1].code) < _LONGEST and not _may_raise(tensor.op):
            expression, step = printer.moved(tensor, words[i])
            if step is not None:
                words[i] = expression if _CALL.fullmatch(expression) else f"({expression})"
    return words


def _may_raise(op: Operation) -> bool:
    """Return whether an operation may fail; masks and shifts by a power of two do not.

    Functions of Python have an effect, so that they raise where nothing reads their results.
    """
    python = op.definition.python
    if op.definition.emit is Emit.RIGHT_SHIFT:
        return _known_places(op) not in range(64)
    if python is not None and python.by_power is not None:
        return op.can_fail and _constant_power(op.inputs[-1]) is None
    return op.can_fail or op.effect is Effect.WRITE


def _number(printer: Printer, op: Operation, expression: str, overflow: Overflow) -> None:
    """Emit an expression of Python ints or bools."""
    kind = kind_of(op.outputs[0])
    if kind is Kind.TRUTH or overflow is Overflow.NEVER:
        values = _values(printer, op) if kind is Kind.INTEGER else None
        printer.result(op, expression, kind, values=values)
    elif overflow is Overflow.WRAPS:
        wrapped(printer, op, expression)
    else:
        checked(printer, op, expression)


def truth(printer: Printer, op: Operation, expression: str) -> None:
    """Emit a bool."""
    printer.result(op, expression, Kind.TRUTH)


def cast(printer: Printer, op: Operation) -> bool:
    """Emit a conversion that keeps or rounds the value as `astype` does."""
    x, target = op.inputs[0], op.attrs["dtype"]
    source, kind = x.spec.dtype, kind_of(x)
    if set(op.attrs) != {"dtype"}:
        return False
    if source is target:
        printer.alias(op.outputs[0], x)
        return True
    if kind is Kind.INTEGER and target in LIMITS:
        return _cast_integer(printer, op)
    if kind is Kind.TRUTH and target in LIMITS:
        printer.result(op, f"int({printer.truth(x)})", Kind.INTEGER, values=Range(0, 1))
        return True
    text = _text_of_cast(x, target)
    if text is not None:
        printer.result(op, text.format(printer.as_kind(x, kind)), kind_of(op.outputs[0]))
        return True
    widening = source.is_floating or source.is_integer or source.is_bool
    if widening and target.is_floating and x.spec.dims != ():
        printer.result(op, f"{printer.array(x)}.astype({target.name})")
        return True
    return False


def _text_of_cast(x: SymbolicTensor, target: dtypes.DType) -> str | None:
    """Return what converts a number; None: the kernel does."""
    kind, source = kind_of(x), x.spec.dtype
    is_array = kind is Kind.ARRAY and not (source is dtypes.float32 and x.spec.dims == ())
    is_rounded_twice = source.size > _EXACT and target is dtypes.float32 and source.is_integer
    return None if is_array or is_rounded_twice else _CASTS.get((kind, target))


_EXACT = 4
"""Bytes of integers that float64 holds, so that float32 rounds them once."""

_CASTS = {
    (Kind.INTEGER, dtypes.bool): "{} != 0",
    (Kind.INTEGER, dtypes.float32): "float32({})",
    (Kind.FLOAT, dtypes.float32): "float32({})",
    (Kind.INTEGER, dtypes.float64): "float({})",
    (Kind.TRUTH, dtypes.float64): "float({})",
    (Kind.ARRAY, dtypes.float64): "float({})",
    (Kind.INTEGER, dtypes.complex128): "complex({})",
    (Kind.FLOAT, dtypes.complex128): "complex({})",
}
"""What converts a number of a kind, a scalar of float32 among the arrays, to a dtype."""


def _cast_integer(printer: Printer, op: Operation) -> bool:
    x, values = op.inputs[0], _values(printer, op)
    if values is None:
        wrapped(printer, op, printer.integer(x))
    else:
        printer.define(op.outputs[0], printer.integer(x), Kind.INTEGER, values)
    return True


NUMBER_RULES: dict[Emit, Rule] = {
    Emit.CONVERSION: cast,
    Emit.FUNCTION: python_function,
    Emit.LEFT_SHIFT: python_shift,
    Emit.RIGHT_SHIFT: python_shift,
    Emit.COMPLEX: parts_of_complex("complex({}, {})"),
    Emit.REAL: parts_of_complex("{}.real"),
    Emit.IMAG: parts_of_complex("{}.imag"),
    Emit.CONJUGATE: parts_of_complex("{}.conjugate()"),
}
"""The rule of each computation on numbers."""
