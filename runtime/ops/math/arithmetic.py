"""Functions of two numbers, applied to pairs of elements; shapes broadcast. Sums of lists."""

from __future__ import annotations

import operator
from collections.abc import Iterable

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import IncompatibleShapesError, InvalidArgumentError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import (
    FLOAT,
    FLOATING,
    NOT_DIFFERENTIABLE,
    NUMERIC,
    NUMERIC_OR_STRING,
    REAL,
    Emit,
    Failure,
    Grad,
    Overflow,
    PythonOperator,
    Ufunc,
    Undefined,
    sample,
)
from runtime.core.operation import Operation
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import Mixed, TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.identity import identity
from runtime.ops.base import rules
from runtime.ops.base.convert import cast_to, one_dtype, rows_in_graph, weakened
from runtime.ops.base.define import call, define_op, op, select, zeros_of
from runtime.ops.base.families import BINARY_SAMPLES, MINUS_ONE, ONE, Binary, Elementwise
from runtime.ops.base.values import PLAIN_NUMBERS
from runtime.ops.math.checked import checked
from runtime.ops.math.complexes import conj

_rows = Elementwise(__name__)
_BY_ZERO = "InvalidArgumentError if an integer is divided by zero."
_SAMPLES = (
    sample(3.0, 2.0),
    sample([1, 2, 3], 2),
    sample([[1.0], [2.0]], [3.0, 4.0]),
    sample(np.int64(7), np.int64(-2)),
    sample([-7, 7], [2, -2]),
)
_UNEVEN = (sample(7.3, 2.0), sample([5.0, 2.5], [[3.5], [-2.2]]), sample([1, 2, 3], 2))


def _refuse_zero(xp: Namespace, y: Array) -> None:
    if y.dtype.kind in "iu" and xp.any(y == 0):
        raise InvalidArgumentError.of("Integer division by zero")


def _floor_divide(xp: Namespace, x: Array, y: Array) -> Array:
    _refuse_zero(xp, y)
    return xp.floor_divide(x, y)


def _floor_mod(xp: Namespace, x: Array, y: Array) -> Array:
    _refuse_zero(xp, y)
    return xp.mod(x, y)


def _shifted(x: str, exponent: int) -> str:
    """Divide by a power of two: an arithmetic shift rounds down, too."""
    return f"{x} >> {exponent}"


def _masked(x: str, exponent: int) -> str:
    """Return the remainder by a power of two: a mask is right for negative ints, too."""
    return f"{x} & {(1 << exponent) - 1}"


def _power(xp: Namespace, x: Array, y: Array) -> Array:
    if y.dtype.kind == "i" and xp.any(y < 0):
        # Also a ValueError, as NumPy's.
        raise IncompatibleShapesError.of("Integers to negative integer powers are not allowed")
    if xp is np and x.dtype.kind == "f" and not x.ndim and not y.ndim:
        # C's function, as the operator of NumPy's scalars and Python's floats; the ufunc takes the
        # root for 0.5, which differs for -0.0 and -inf, and rounds otherwise with AVX-512.
        return x[()] ** y[()]
    return xp.power(x, y)


def _no_nan(xp: Namespace, x: Array, y: Array) -> Array:
    zero = y == 0
    if xp is np and not zero.any():
        return x / y
    return xp.where(zero, x.dtype.type(0), x / xp.where(zero, y.dtype.type(1), y))


def _product_or_zero(xp: Namespace, x: Array, y: Array) -> Array:
    zero = y == 0
    if xp is np and not zero.any():
        return x * y
    return xp.where(zero, x.dtype.type(0), x * y)


def _to_the_taken(op: str) -> Grad:
    """Return the rule of an extreme: the gradient goes to the operand taken, to `x` if equal."""

    def grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        taken = call(op, x, y)
        return select(taken, g), select(taken, zeros_of(g), g)

    return grad


def _divide_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    divisor = conj(y)
    return g / divisor, g * (-conj(x) / divisor / divisor)


def _no_nan_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    divisor = conj(y)
    return _divide_no_nan(g, divisor), g * _divide_no_nan(
        _divide_no_nan(-conj(x), divisor), divisor
    )


def _pow_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Give the exponent no gradient where the base is not positive: no power is smooth there."""
    base, exponent = conj(x), conj(y)
    smooth = base > 0 if x.dtype.is_floating else base != 0
    log = select(smooth, call("Log", select(smooth, base, 1)))
    return g * exponent * pow(base, exponent - 1), g * conj(z) * log


def _atan2_grad(g: Tensor, z: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    scaled = g / (x * x + y * y)
    return x * scaled, -y * scaled


def _squared_difference_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    half = 2 * g * (x - y)
    return half, -half


def _type_of_sum(op: Operation) -> str:
    """Return TensorFlow's op type: `AddV2` takes no strings."""
    return "Add" if op.inputs[0].dtype is dtypes.string else "AddV2"


add = checked(
    _rows.binary(
        "add",
        "add",
        lambda x, y, z: (ONE, ONE),
        "Sum, `x + y`; strings are concatenated, integers wrap around.",
        "[1, 2], 3 -> [4 5]",
        op="AddV2",
        node=NodeForm(_type_of_sum),
        label="Add",
        group=NUMERIC_OR_STRING,
        samples=(*_SAMPLES, sample(["a", "b"], "c")),
        commutative=True,
        python=PythonOperator("{} + {}", operator.add),
    )
)
subtract = checked(
    _rows.binary(
        "subtract",
        "subtract",
        lambda x, y, z: (ONE, MINUS_ONE),
        "Difference, `x - y`; integers wrap around.",
        "[1, 2], 3 -> [-2 -1]",
        op="Sub",
        group=NUMERIC,
        samples=_SAMPLES,
        python=PythonOperator("{} - {}", operator.sub),
    )
)
multiply = checked(
    _rows.binary(
        "multiply",
        Ufunc("multiply", scalar=operator.mul),
        lambda x, y, z: (y, x),
        "Elementwise product, `x * y`; integers wrap around.",
        "[1, 2], 3 -> [3 6]",
        op="Mul",
        group=NUMERIC,
        samples=_SAMPLES,
        commutative=True,
        python=PythonOperator("{} * {}", operator.mul),
    )
)
realdiv = checked(
    _rows.binary(
        "realdiv",
        Ufunc("true_divide", scalar=operator.truediv),
        None,
        "Quotient, `x / y`, of floating-point or complex numbers; integers are refused.",
        "[1.0, 3.0], 2.0 -> [0.5 1.5]",
        op="RealDiv",
        python=PythonOperator("{} / {}", operator.truediv),
        grad=_divide_grad,
    ),
    FLOATING,
    Undefined.BY_ZERO,
)
_divide_no_nan = _rows.binary(
    "divide_no_nan",
    _no_nan,
    None,
    "Quotient that is 0 where `y` is 0, of floating-point or complex numbers.",
    "[1.0, 2.0], [0.0, 4.0] -> [0.  0.5]",
    op="DivNoNan",
    grad=_no_nan_grad,
    samples=(*BINARY_SAMPLES, sample([1.0, 2.0], [3.0, 4.0])),
)
multiply_no_nan: Binary = _rows.binary(
    "multiply_no_nan",
    _product_or_zero,
    None,
    "Product that is 0 where `y` is 0, even if `x` is infinite or NaN there.",
    '[float("inf"), 2.0], [0.0, 4.0] -> [0. 8.]',
    op="MulNoNan",
    label="multiply_no_nan",
    grad=lambda g, z, x, y: (multiply_no_nan(g, conj(y)), multiply_no_nan(conj(x), g)),
    emit=Emit.PRODUCT_OR_ZERO,
)
floordiv = checked(
    _rows.binary(
        "floordiv",
        _floor_divide,
        NOT_DIFFERENTIABLE,
        "Quotient rounded down, `x // y`, as in Python.",
        "[-7, 7], 2 -> [-4  3]",
        op="FloorDiv",
        failure=Failure.VALUES,
        python=PythonOperator("{} // {}", operator.floordiv, by_power=_shifted),
        label="floordiv",
        group=REAL,
        samples=_SAMPLES,
        raises=_BY_ZERO,
    ),
    REAL,
    Undefined.BY_ZERO,
)
floormod: Binary = checked(
    _rows.binary(
        "floormod",
        _floor_mod,
        lambda x, y, z: (ONE, -floordiv(x, y)),
        "Remainder with the sign of `y`, `x % y`, as in Python.",
        "[-7, 7], 3 -> [2 1]",
        op="FloorMod",
        failure=Failure.VALUES,
        python=PythonOperator("{} % {}", operator.mod, Overflow.NEVER, by_power=_masked),
        group=REAL,
        samples=(*_UNEVEN, sample([-7, 7], [2, -2])),
        raises=_BY_ZERO,
    ),
    REAL,
    Undefined.BY_ZERO,
)
pow = checked(
    _rows.binary(
        "pow",
        _power,
        None,
        "Power, `x ** y`; integers wrap around.",
        "[2, 3], 2 -> [4 9]",
        group=NUMERIC,
        grad=_pow_grad,
        samples=(sample(3.0, 2.0), sample([1, 2, 3], 2), sample([1.5, 2.5], [[0.5], [3.0]])),
        raises="InvalidArgumentError if an integer is raised to a negative integer.",
        failure=Failure.VALUES,
        python=PythonOperator("{} ** {}", operator.pow, Overflow.UNLIKE, vector=False),
    ),
    REAL,
    Undefined.NOT_FINITE,
)
maximum = _rows.binary(
    "maximum",
    "maximum",
    None,
    "Larger of each pair; NaN if either is NaN.",
    "[1.0, -1.0], 0.0 -> [1. 0.]",
    group=REAL,
    grad=_to_the_taken("GreaterEqual"),
    commutative=True,
    python=PythonOperator("max({}, {})", max, Overflow.NEVER),
    samples=_UNEVEN,
)
minimum = _rows.binary(
    "minimum",
    "minimum",
    None,
    "Smaller of each pair; NaN if either is NaN.",
    "[1, 5], 3 -> [1 3]",
    group=REAL,
    grad=_to_the_taken("LessEqual"),
    commutative=True,
    python=PythonOperator("min({}, {})", min, Overflow.NEVER),
    samples=_UNEVEN,
)
squared_difference = _rows.binary(
    "squared_difference",
    lambda xp, x, y: xp.real(xp.conj(x - y) * (x - y)).astype(x.dtype),
    None,
    "Squared modulus of the difference, `(x - y) * conj(x - y)`.",
    "[5, 2], 2 -> [9 0]",
    group=NUMERIC,
    grad=_squared_difference_grad,
    commutative=True,
    samples=_SAMPLES,
)
_ATAN2 = define_op(
    "Atan2",
    {"y": FLOAT, "x": FLOAT},
    rules.broadcasted,
    Ufunc("arctan2"),
    elementwise=True,
    grad=_atan2_grad,
    samples=BINARY_SAMPLES,
)
mod = floormod


def divide(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """True quotient, `x / y`.

    Args:
      x, y: Tensors of one numeric dtype whose shapes broadcast.

    Returns: Tensor of the broadcast shape: float64 for integers, float32 for those of 8 and 16
      bits, else of the dtype of `x`.

    >>> print(divide(1, 2))
    tf.Tensor(0.5, shape=(), dtype=float64)
    """
    own = y if type(x) in PLAIN_NUMBERS else x
    array = own._a if type(own) is EagerTensor and STATE.graph is None else None
    if getattr(array, "dtype", dtypes.string).kind not in "fc":
        x, y = _quotients(x, y)
    quotient = realdiv.op.apply((x, y), name or "truediv")
    if isinstance(quotient, SymbolicTensor) and isinstance(quotient.weak, Mixed):
        quotient.weak = quotient.weak.value  # a float, whatever the operands are
    return quotient


def _quotients(x: TensorLike, y: TensorLike) -> tuple[TensorLike, TensorLike]:
    """Return the operands of a division, with integers as floating-point numbers."""
    (a, b), weak = one_dtype("RealDiv", [("x", x), ("y", y)])
    if weak is not False and not a.dtype.is_integer:
        return x, y
    if a.dtype.is_integer:
        small = a.dtype in (dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16)
        wanted = dtypes.float32 if small else dtypes.float64
        a, b = weakened(cast_to(a, wanted), weak), weakened(cast_to(b, wanted), weak)
    return a, b


truediv = divide


def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """True quotient, `x / y`, and 0 where `y` is 0.

    Args:
      x, y: Tensors of one numeric dtype whose shapes broadcast.

    Returns: Tensor of the shape and dtype of `divide(x, y)`.

    >>> print(divide_no_nan([1.0, 2.0], [0.0, 4.0]))
    tf.Tensor([0.  0.5], shape=(2,), dtype=float32)
    """
    return _divide_no_nan(*_quotients(x, y), name=name or "div_no_nan")


def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Angle, in radians, of the point `(x, y)`.

    Args:
      y, x: floating-point tensors of one dtype whose shapes broadcast.

    Returns: Tensor of the broadcast shape, in [-pi, pi].

    >>> print(atan2(0.0, 1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ATAN2(y, x, name=name)


def _sum_spec(*values: Tensor) -> TensorSpec:
    shape = TensorShape(values[0].spec.dims)
    for value in values[1:]:
        shape = shape.merge_with(value.shape)
    return spec_of(values[0].spec.dtype, as_dims(shape))


def _sum(xp: Namespace, *values: Array) -> Array:
    total = values[0]
    for position, value in enumerate(values[1:], start=1):
        if value.shape != total.shape:
            raise ValueError(
                "Inputs to operation AddN of type AddN must have the same size and shape.  "
                f"Input 0: {list(total.shape)} != input {position}: {list(value.shape)}"
            )
        total = total + value
    return total


@op(
    "AddN",
    {"*inputs": NUMERIC},
    infer=_sum_spec,
    kernel=_sum,
    failure=Failure.SHAPES,
    grad=lambda g, y, *inputs: (g,) * len(inputs),
    samples=(sample(1.0, 2.0, 3.0), sample([1, 2], [3, 4])),
)
def add_n(inputs: object, name: str | None = None) -> Tensor:
    """Add tensors of one shape and dtype.

    Args:
      inputs: list of numeric tensors, or one tensor, whose rows are added.

    Returns: Tensor of that shape and dtype.
    Raises:
      ValueError: if there are none.
      InvalidArgumentError: if the shapes differ.

    >>> print(add_n([[1, 2], [3, 4], [5, 6]]).numpy())
    [ 9 12]
    """
    if (rows := rows_in_graph(inputs)) is not None:
        (rows,), _ = one_dtype("AddN", [("inputs", rows)], None, NUMERIC)
        return call("Sum", rows, axis=(0,), keepdims=False)
    values = list(inputs) if isinstance(inputs, Iterable) else []
    if not values:
        raise ValueError(
            "Inputs must be an iterable of at least one Tensor/IndexedSlices with the same "
            f"dtype and shape. Received: {inputs!r}"
        )
    if len(values) > 1:
        return add_n.op.apply(tuple(values), name)
    (tensor,), _ = one_dtype("AddN", [("inputs", values[0])], None, NUMERIC)
    return identity(tensor, name=name)
