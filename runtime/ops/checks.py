"""Checks of whole tensors: `runtime.debugging`.

What is known while a graph is recorded is checked at once, the rest when the graph runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.graph import Operation
from runtime.core.opdef import DTypes, Effect, sample
from runtime.core.static import static_value
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops import comparison
from runtime.ops.arithmetic import subtract
from runtime.ops.convert import convert_to_tensor, one_dtype
from runtime.ops.define import call, define_op
from runtime.ops.dimensions import rank as rank_of
from runtime.ops.dimensions import shape as shape_of
from runtime.ops.elementwise import abs as absolute
from runtime.ops.grouping import no_op
from runtime.ops.indexing import getitem
from runtime.ops.output import Assert
from runtime.ops.reduction import reduce_all

_FLOATING = DTypes("float16, float32 or float64", dtypes.float16, dtypes.float32, dtypes.float64)
_SHOWN = 3

Relation = Callable[[Tensor, Tensor], Tensor]


def _compared(
    relation: Relation,
    sign: str,
    x: TensorLike,
    y: TensorLike,
    message: str | None,
    summarize: int | None,
    name: str,
) -> Operation | None:
    (a, b), _ = one_dtype(name, [("x", x), ("y", y)])
    holds = relation(a, b)
    known = static_value(holds)
    if known is not None and np.all(known):
        return _nothing_left()
    prefix = f"{message}\n" if message else ""
    if isinstance(a, EagerTensor) and isinstance(b, EagerTensor):
        shown = _SHOWN if summarize is None else summarize
        text = f"{prefix}Condition x {sign} y did not hold.\n"
        raise InvalidArgumentError(None, None, text + _differences(sign, known, a, b, shown))
    text = f"Condition x {sign} y did not hold element-wise:"
    values = [static_value(a), static_value(b)]
    if known is not None and values[0] is not None and values[1] is not None:
        lines = [f"{label} ({_name(tensor)}) = \n{value}" for label, tensor, value in _pairs(a, b)]
        raise InvalidArgumentError(None, None, "\n".join([f"{prefix}{text}", *lines]))
    own = [] if message is None else [message]
    data = [text, f"x ({_name(a)}) = ", a, f"y ({_name(b)}) = ", b]
    return Assert(reduce_all(holds), [*own, *data], _SHOWN if summarize is None else summarize)


def _nothing_left() -> Operation | None:
    """What a check that holds already leaves to do in a graph built by hand: nothing."""
    graph = STATE.graph
    return None if graph is None or graph.building_function else no_op()


def _pairs(a: Tensor, b: Tensor) -> list[tuple[str, Tensor, Any]]:
    return [("x", a, static_value(a)), ("y", b, static_value(b))]


def _differences(sign: str, holds: Any, a: EagerTensor, b: EagerTensor, shown: int) -> str:
    lines = []
    x, y = np.asarray(a.array), np.asarray(b.array)
    if sign in ("==", "!="):
        where = np.argwhere(np.logical_not(holds))[:shown] if np.ndim(holds) else np.zeros((0, 0))
        if len(where):
            full = np.broadcast_arrays(x, y)
            first, second = (array[tuple(where.T)] for array in full)
            lines.append(f"Indices of first {len(where)} different values:\n{where}")
            lines.append(f"Corresponding x values:\n{first}")
            lines.append(f"Corresponding y values:\n{second}")
    for label, array in (("x", x), ("y", y)):
        flat = array.ravel()[:shown]
        lines.append(f"First {len(flat)} elements of {label}:\n{flat}")
    return "\n".join(lines)


def _name(tensor: Tensor) -> str:
    if isinstance(tensor, EagerTensor):
        return f"shape={tensor.shape} dtype={tensor.dtype.name}"
    return str(tensor.name)  # type: ignore[attr-defined]


def assert_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x == y` for all elements, at once if they are known, else when the graph runs.

    Args:
      x, y: tensors of one dtype that broadcast.
      message: what stands first in the error.
      summarize: how many elements the error shows; None: 3.
      name: has no effect.

    Returns: the operation in a graph built by hand, else None.
    Raises: InvalidArgumentError with both values if not.

    >>> assert_equal([1, 2], [1, 2])
    """
    return _compared(comparison.equal, "==", x, y, message, summarize, "Equal")


def assert_none_equal(
    x: TensorLike,
    y: TensorLike,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x != y` for all elements; see `assert_equal`.

    >>> assert_none_equal([1, 2], 3)
    """
    return _compared(comparison.not_equal, "!=", x, y, message, summarize, "NotEqual")


def assert_less(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x < y` for all elements; see `assert_equal`.

    >>> assert_less([1, 2], 3)
    """
    return _compared(comparison.less, "<", x, y, message, summarize, "Less")


def assert_less_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x <= y` for all elements; see `assert_equal`.

    >>> assert_less_equal([1, 2], 2)
    """
    return _compared(comparison.less_equal, "<=", x, y, message, summarize, "LessEqual")


def assert_greater(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x > y` for all elements; see `assert_equal`.

    >>> assert_greater([1, 2], 0)
    """
    return _compared(comparison.greater, ">", x, y, message, summarize, "Greater")


def assert_greater_equal(
    x: TensorLike,
    y: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `x >= y` for all elements; see `assert_equal`.

    >>> assert_greater_equal([1, 2], 1)
    """
    return _compared(
        comparison.greater_equal, ">=", x, y, message, summarize, "assert_greater_equal"
    )


def _require(
    holds: Tensor, data: Sequence[Any], message: str | None, summarize: int | None
) -> Operation | None:
    """Checks a condition at once if it is known, else when the graph runs."""
    known = static_value(holds)
    if known is not None and np.all(known):
        return _nothing_left()
    first = f"{message}.  " if message else ""
    if known is not None:
        parts = [static_value(part) if isinstance(part, Tensor) else part for part in data]
        if all(part is not None for part in parts):
            raise InvalidArgumentError(None, None, f"{first}\n" + "\n".join(map(str, parts)))
    return Assert(holds, [first, *data], _SHOWN if summarize is None else summarize)


def _signed(
    relation: Relation, sign: str, x: TensorLike, message: str | None, summarize: int | None
) -> Operation | None:
    tensor = convert_to_tensor(x)
    zero = convert_to_tensor(0, tensor.dtype)
    text = f"Condition x {sign} 0 did not hold element-wise:"
    holds = reduce_all(relation(tensor, zero))
    return _require(holds, [text, f"x ({_name(tensor)}) = ", tensor], message, summarize)


def assert_positive(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that all elements are above 0; see `assert_equal`.

    >>> assert_positive([1, 2])
    """
    return _signed(comparison.greater, ">", x, message, summarize)


def assert_negative(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that all elements are below 0; see `assert_equal`.

    >>> assert_negative([-1, -2])
    """
    return _signed(comparison.less, "<", x, message, summarize)


def assert_non_negative(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that no element is below 0; see `assert_equal`.

    >>> assert_non_negative([0, 2])
    """
    return _signed(comparison.greater_equal, ">=", x, message, summarize)


def assert_non_positive(
    x: TensorLike,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that no element is above 0; see `assert_equal`.

    >>> assert_non_positive([0, -2])
    """
    return _signed(comparison.less_equal, "<=", x, message, summarize)


def assert_near(
    x: TensorLike,
    y: TensorLike,
    rtol: TensorLike | None = None,
    atol: TensorLike | None = None,
    message: str | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Operation | None:
    """Checks that `abs(x - y) <= atol + rtol * abs(y)` for all elements.

    Args:
      x, y: floating-point or complex tensors of one dtype that broadcast.
      rtol, atol: the tolerances; None: ten times the distance from 1 to the next larger number.
      message: what stands first in the error.
      summarize: how many elements the error shows; None: 3.
      name: has no effect.

    Raises: InvalidArgumentError if not; ValueError for integers without tolerances.

    >>> assert_near([1.0], [1.05], atol=0.1)
    """
    (a, b), _ = one_dtype("assert_near", [("x", x), ("y", y)])
    real = a.dtype.real_dtype
    if None in (rtol, atol) and not real.is_floating:
        raise ValueError(f"data type {real.name} not inexact: give rtol and atol for {a.spec}")
    default = None if not real.is_floating else 10 * np.finfo(real.numpy_dtype).eps
    relative, absolute_part = (
        convert_to_tensor(default if tolerance is None else tolerance, real)
        for tolerance in (rtol, atol)
    )
    allowed = absolute_part + relative * absolute(b)
    holds = reduce_all(comparison.less_equal(absolute(subtract(a, b)), allowed))
    text = f"x and y not equal to tolerance rtol = {relative}, atol = {absolute_part}"
    data = [text, f"x ({_name(a)}) = ", a, f"y ({_name(b)}) = ", b]
    return _require(holds, data, message, summarize)


def _prefix(message: str | None) -> str:
    return f"{message}.  " if message else ""


def _label(tensor: Tensor) -> str:
    return "" if isinstance(tensor, EagerTensor) else _name(tensor)


def _ranks(x: TensorLike, ranks: Sequence[Any]) -> tuple[Tensor, list[Any], list[int | None]]:
    tensor = convert_to_tensor(x)
    given = [convert_to_tensor(rank) for rank in ranks]
    for rank in given:
        if rank.dtype is not dtypes.int32:
            raise TypeError(
                f"{_label(rank) or 'tensor'} must be of type tf.int32; got {rank.dtype!r}"
            )
        if rank.shape.rank not in (0, None):
            raise ValueError("Rank must be a scalar.")
    known = [static_value(rank) for rank in given]
    return tensor, given, [None if value is None else int(value) for value in known]


def _check_rank(
    x: TensorLike,
    ranks: Sequence[Any],
    wanted: str,
    fits: Callable[[int, Sequence[int]], bool],
    at_run_time: Callable[[Tensor, Sequence[Tensor]], Tensor],
    message: str | None,
) -> Operation | None:
    tensor, given, known = _ranks(x, ranks)
    have = tensor.shape.rank
    numbers = [rank for rank in known if rank is not None]
    if have is not None and len(numbers) == len(known):
        if not fits(have, numbers):
            shown = tuple(numbers) if "in" in wanted.split() else numbers[0]
            raise ValueError(
                f"{_prefix(message)}Tensor {_label(tensor)} must have rank {wanted}{shown}.  "
                f"Received rank {have}, shape {tensor.shape}"
            )
        return _nothing_left()
    text = f"Tensor {_label(tensor)} must have rank {wanted}".rstrip()
    data = [_prefix(message), text, *given, "Received shape: ", shape_of(tensor)]
    return Assert(at_run_time(rank_of(tensor), given), data)


def assert_rank(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Operation | None:
    """Checks the number of dimensions, at once if it is known, else when the graph runs.

    Args:
      x: any tensor.
      rank: the number, an int32 scalar.
      message: what stands first in the error.
      name: has no effect.

    Raises: ValueError if it is known to be another; InvalidArgumentError if it turns out so.

    >>> assert_rank([1, 2], 1)
    """
    return _check_rank(
        x,
        [rank],
        "",
        lambda have, ranks: have == ranks[0],
        lambda have, ranks: comparison.equal(have, ranks[0]),
        message,
    )


def assert_rank_at_least(
    x: TensorLike, rank: TensorLike, message: str | None = None, name: str | None = None
) -> Operation | None:
    """Checks that there are at least so many dimensions; see `assert_rank`.

    >>> assert_rank_at_least([1, 2], 1)
    """
    return _check_rank(
        x,
        [rank],
        "at least ",
        lambda have, ranks: have >= ranks[0],
        lambda have, ranks: comparison.greater_equal(have, ranks[0]),
        message,
    )


def assert_rank_in(
    x: TensorLike, ranks: Sequence[TensorLike], message: str | None = None, name: str | None = None
) -> Operation | None:
    """Checks that the number of dimensions is one of several; see `assert_rank`.

    >>> assert_rank_in([1, 2], (1, 2))
    """
    return _check_rank(
        x,
        list(ranks),
        "in ",
        lambda have, numbers: have in numbers,
        lambda have, numbers: call(
            "Any",
            call("Pack", *(comparison.equal(have, number) for number in numbers), axis=0),
            axis=None,
            keepdims=False,
        ),
        message,
    )


def assert_scalar(
    tensor: TensorLike, message: str | None = None, name: str | None = None
) -> Tensor:
    """Checks that a tensor is known to have no dimensions; gives the tensor.

    Raises: ValueError if it has some, or if their number is unknown.

    >>> print(assert_scalar(3))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    x = convert_to_tensor(tensor)
    if x.shape.rank != 0:
        subject = f" for {_label(x)}" if _label(x) else ""
        raise ValueError(f"{_prefix(message)}Expected scalar shape{subject}, saw shape: {x.shape}.")
    return x


def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Checks that the dtype is one of integers.

    Raises: TypeError if not.

    >>> assert_integer([1])
    """
    tensor = convert_to_tensor(x)
    if not tensor.dtype.is_integer:
        raise TypeError(
            f'{_prefix(message)}Expected "x" to be integer type.  Found: '
            f"{_label(tensor) or 'tensor'} of dtype {tensor.dtype}"
        )


def assert_type(
    tensor: TensorLike, tf_type: Any, message: str | None = None, name: str | None = None
) -> None:
    """Checks the dtype.

    Raises: TypeError if it is another.

    >>> assert_type([1.0], "float32")
    """
    x, wanted = convert_to_tensor(tensor), dtypes.as_dtype(tf_type)
    if x.dtype is not wanted:
        raise TypeError(
            f"{_prefix(message)}{_label(x) or 'tensor'} must be of type {wanted!r}; got {x.dtype!r}"
        )


def assert_same_float_dtype(tensors: Iterable[Any] | None = None, dtype: Any = None) -> DType:
    """Checks that tensors have one floating-point dtype; gives it.

    Args:
      tensors: the tensors; None among them does not count.
      dtype: the dtype; None: that of the first tensor, or float32 if there is none.

    Raises: ValueError if not.

    >>> assert_same_float_dtype([convert_to_tensor(1.0)])
    tf.float32
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    first: Tensor | None = None
    for tensor in tensors or ():
        if tensor is None:
            continue
        if wanted is None:
            wanted, first = tensor.dtype, tensor
        if tensor.dtype is not wanted:
            behind = "" if first is None else f" as {_reference(first)}"
            raise ValueError(
                f"{_reference(tensor)}, type={tensor.dtype}, must be of the same type "
                f"({wanted}){behind}."
            )
    found = wanted or dtypes.float32
    if not found.is_floating:
        raise ValueError(f"Expected floating point type, got {found}.")
    return found


def _reference(tensor: Tensor) -> str:
    return str(tensor) if isinstance(tensor, EagerTensor) else _name(tensor)


def assert_proper_iterable(values: Any) -> None:
    """Checks that `values` can be iterated over and is no tensor, array or string.

    Raises: TypeError if not.

    >>> assert_proper_iterable([1, 2])
    """
    if isinstance(values, (Tensor, np.ndarray, bytes, str)):
        raise TypeError(
            f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}'
        )
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


class _Sizes:
    """Sizes that symbols stand for, each with where it was found."""

    def __init__(self, message: str | None) -> None:
        self.message = message
        self._found: dict[str, tuple[Any, str]] = {}

    def check(self, tensor: Tensor, axis: int, symbol: Any) -> None:
        """Compares one dimension with a number, or with what a symbol stood for before."""
        if symbol is None or symbol in (".", ""):
            return
        size = self._size(tensor, axis)
        number = _number(symbol)
        if number is None and symbol not in self._found:
            self._found[symbol] = (size, f"Specified by tensor {_name(tensor)} dimension {axis}")
            return
        wanted, origin = (
            (number, "Specified explicitly") if number is not None else self._found[symbol]
        )
        if isinstance(size, int) and isinstance(wanted, int):
            if size != wanted:
                raise ValueError(
                    f"{_prefix(self.message)}{origin}.  Tensor {_name(tensor)} dimension {axis}"
                    f" must have size {wanted}.  Received size {size}, shape {tensor.shape}"
                )
            return
        data = [_prefix(self.message), origin, f"Tensor {_name(tensor)} dimension", axis]
        data += ["must have size", wanted, "Received shape: ", shape_of(tensor)]
        Assert(comparison.equal(size, wanted), data)

    @staticmethod
    def _size(tensor: Tensor, axis: int) -> Any:
        dims = tensor.spec.dims
        if dims is not None and dims[axis] is not None:
            return dims[axis]
        return getitem(shape_of(tensor), axis)


def _number(symbol: Any) -> int | None:
    if isinstance(symbol, str):
        return int(symbol) if symbol.isdigit() else None
    return int(symbol)


def assert_shapes(
    shapes: Any,
    data: Sequence[TensorLike] | None = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> None:
    """Checks the shapes of several tensors, and that equal symbols stand for equal lengths.

    Args:
      shapes: pairs of a tensor and its shape. An entry of a shape is a number, a symbol (any
        string), None or "." for any length; "..." first or last stands for any number of
        dimensions. A string of one-letter symbols is a shape too.
      data, summarize, name: have no effect.
      message: what stands first in the error.

    Raises: ValueError if a shape is known to be another; InvalidArgumentError if it turns out so
      when the graph runs.

    >>> x, y = convert_to_tensor([[1, 2]]), convert_to_tensor([3, 4])
    >>> assert_shapes([(x, ("N", "D")), (y, ("D",))])
    """
    pairs = list(shapes.items()) if isinstance(shapes, Mapping) else list(shapes)
    sizes = _Sizes(message)
    for value, wanted in pairs:
        tensor = convert_to_tensor(value)
        symbols = _symbols(wanted)
        front = bool(symbols) and symbols[0] in ("...", Ellipsis)
        back = len(symbols) > 1 and symbols[-1] in ("...", Ellipsis)
        named = symbols[1 if front else 0 : len(symbols) - 1 if back else None]
        if front or back:
            assert_rank_at_least(tensor, len(named), message)
        elif len(named) < 2:
            assert_rank_in(tensor, (0, 1), message)
        else:
            assert_rank(tensor, len(named), message)
        _check_sizes(sizes, tensor, named or [1], front)


def _symbols(wanted: Any) -> list[Any]:
    if isinstance(wanted, str) and "..." in wanted:
        head, _, tail = wanted.partition("...")
        return [*head, "...", *tail]
    return list(wanted)


def _check_sizes(sizes: _Sizes, tensor: Tensor, named: list[Any], from_end: bool) -> None:
    if tensor.shape.rank == 0:
        return
    for position, symbol in enumerate(named):
        axis = position - len(named) if from_end else position
        if from_end and tensor.shape.rank is not None:
            axis += tensor.shape.rank
        sizes.check(tensor, axis, symbol)


def _numerics(xp: Any, x: Any, message: str) -> Any:
    found = [text for test, text in ((np.isinf, "Inf"), (np.isnan, "NaN")) if test(x).any()]
    if found:
        raise InvalidArgumentError(
            None, None, f"{message} : Tensor had {' and '.join(found)} values"
        )
    return x


_CHECK_NUMERICS = define_op(
    "CheckNumerics",
    {"tensor": _FLOATING},
    lambda x, message: x.spec,
    _numerics,
    effect=Effect.WRITE,
    grad=lambda g, y, x, message: (
        call(
            "CheckNumerics",
            g,
            message=f"Not a number (NaN) or infinity (Inf) values detected in gradient. {message}",
        ),
    ),
    samples=(sample([1.0, 2.0], message="of the sample"),),
)


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """Checks that no element is infinite or NaN; gives the tensor.

    Args:
      tensor: float16, float32 or float64.
      message: what stands first in the error.
      name: the name of the operation.

    Raises: InvalidArgumentError if one is.

    >>> print(check_numerics(1.0, "loss"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _CHECK_NUMERICS(tensor, message=message, name=name)


def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """The same as `check_numerics`.

    >>> print(assert_all_finite(1.0, "loss"))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _CHECK_NUMERICS(x, message=message, name=name)


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether the argument is a tensor of numbers.

    >>> is_numeric_tensor(convert_to_tensor(1))
    True
    """
    return isinstance(tensor, Tensor) and tensor.dtype.is_numeric
