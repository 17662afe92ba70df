"""Python's operators on tensors, and the methods of core classes that are operations."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import export
from runtime.control_flow.values.repetition import multiplied
from runtime.core import dtypes
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.handlers import refuse_handled_by_name
from runtime.core.machine.devices import to_gpu
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Operators, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.base import families
from runtime.ops.base.convert import (
    constant_of,
    convert_to_tensor,
    is_scalar_with_list,
    is_weak,
    never_equals,
    weakened,
    weakness,
)
from runtime.ops.base.exact_comparison import comparable
from runtime.ops.items import indexing
from runtime.ops.linalg import products as linalg
from runtime.ops.math import arithmetic, elementwise, logic
from runtime.ops.math.casting import cast
from runtime.ops.strings import texts

Binary = Callable[..., Tensor]

_DIVISIONS = ("truediv", "floordiv", "mod")


def _named(function: Binary, name: str, operator: str) -> tuple[Binary, Binary]:
    """Return an operator and its reflected form, with TensorFlow's name for the operation.

    A truth value is the number 0 or 1 in arithmetic, as in Python, and beside a number. A division
    is refused where the program handles Python's ZeroDivisionError.
    """
    divides = operator in _DIVISIONS
    reflected_name = f"__r{operator}__"

    def counted(x: object, y: object, error: Exception) -> Any:
        known = isinstance(error, TypeError) and (_is_truth(x) or _is_truth(y))
        if not known or operator == "matmul":
            raise error
        return function(_number_beside(x, y, operator), _number_beside(y, x, operator), name=name)

    def forward(x: object, y: object) -> Any:
        if divides and STATE.graph is not None and not (type(y) in (int, float) and y != 0):
            _refuse_handled_division()
        try:
            return function(x, y, name=name)
        except (TypeError, ValueError) as error:
            # An object that is not a tensor may know what it does with one.
            known = isinstance(y, (Operators, np.ndarray, np.generic))
            method = None if known else getattr(y, reflected_name, None)
            try:
                result = NotImplemented if method is None else method(x)
            except (TypeError, ValueError):
                result = NotImplemented
            return counted(x, y, error) if result is NotImplemented else result

    def reflected(x: object, y: object) -> Any:
        if divides and STATE.graph is not None:
            _refuse_handled_division()
        try:
            return function(y, x, name=name)
        except TypeError as error:
            return counted(y, x, error)

    return forward, reflected


def _refuse_handled_division() -> None:
    refuse_handled_by_name(
        ZeroDivisionError("division by zero"),
        "Test the divisor by an `if` in place of the handler.",
    )


def _is_truth(value: object) -> bool:
    return isinstance(value, Operators) and value.dtype is dtypes.bool  # type: ignore[attr-defined]


def _number_of(value: Any) -> Any:
    return weakened(cast(value, dtypes.int32)) if _is_truth(value) else value


def _number_beside(value: Any, other: Any, operator: str) -> Any:
    """Return the number of a truth value; of an eager one, in the dtype that graphs give it.

    So is that of an array that divides: by its zeros, which are no Python numbers, nothing raises.
    """
    number = _number_of(value)
    divides = operator in _DIVISIONS and number is not value and number.shape.rank
    if number is value or not (divides or type(number) is EagerTensor):
        return number
    if type(other) in (bool, int) or _is_truth(other):
        return cast(number, dtypes.float32) if operator == "truediv" else number
    return cast(number, convert_to_tensor(other).dtype)


def _logical(on_bools: Binary, on_integers: Binary, name: str) -> Binary:
    def apply(x: TensorLike, y: TensorLike, name: str = name) -> Tensor:
        own, other = (x, y) if isinstance(x, Operators) else (y, x)
        if isinstance(other, enum.Flag):
            raise _gives_member(other)
        is_bool = own.dtype is dtypes.bool  # type: ignore[union-attr]
        return (on_bools if is_bool else on_integers)(x, y, name=name)

    return apply


def _gives_member(member: enum.Flag) -> StagingError:
    kind = type(member).__name__
    return StagingError(
        f"`|`, `&` or `^` of `{member!r}` and a tensor gives a member of {kind}, and which one is "
        "known only when the graph runs.",
        remedy="Use the number of the member, its attribute `value`.",
        public=TypeError,
    )


def _is_int_of_python(number: Any) -> bool:
    """Return whether a value represents a Python int, at least on some paths."""
    return weakness(number) is not False and number.dtype.is_integer


def _negative(x: TensorLike) -> Tensor:
    """Return `-x`; the smallest int of a dtype has no opposite, which a Python int has."""
    if type(x) is EagerTensor and x.dtype is not dtypes.bool:
        return elementwise.negative(x)
    number = _number_of(x)
    if _is_int_of_python(number):
        return arithmetic.subtract(0, number)
    return elementwise.negative(number)


def _absolute(x: TensorLike) -> Tensor:
    number = _number_of(x)
    if _is_int_of_python(number):
        return arithmetic.maximum(number, _negative(number))
    return elementwise.abs(number)


def _exactly(compare: families.Binary) -> Binary:
    """Return a comparison that takes Python numbers which the dtype of a tensor does not have."""

    def compared(x: TensorLike, y: TensorLike) -> Tensor:
        return compare.op.apply(comparable(x, y))

    return compared


def _divmod(x: Any, y: Any) -> tuple[Any, Any]:
    return x // y, x % y


def _invert(x: TensorLike) -> Tensor:
    """Return `~x`; of a truth value that represents Python's, as of the number that it is."""
    tensor = convert_to_tensor(_number_of(x) if is_weak(x) else x)
    if tensor.dtype is dtypes.bool:
        return elementwise.logical_not(tensor)
    return logic.invert(tensor)


_same, _different = _exactly(logic.equal), _exactly(logic.not_equal)


def _equal(x: TensorLike, y: TensorLike) -> Any:
    if _are_alike(x, y):
        return logic.equal.op.apply((x, y))
    if y is None or never_equals(x, y):
        return False
    _refuse_scalar_with_list(x, y)
    return constant_of(np.array(False)) if _cannot_meet(x, y) else _same(x, y)


def _not_equal(x: TensorLike, y: TensorLike) -> Any:
    if _are_alike(x, y):
        return logic.not_equal.op.apply((x, y))
    if y is None or never_equals(x, y):
        return True
    _refuse_scalar_with_list(x, y)
    return constant_of(np.array(True)) if _cannot_meet(x, y) else _different(x, y)


def _are_alike(x: TensorLike, y: TensorLike) -> bool:
    """Return whether two tensors have values of one shape: the common case."""
    if type(x) is not EagerTensor or type(y) is not EagerTensor:
        return False
    return getattr(x._a, "shape", 0) == getattr(y._a, "shape", 1)


def _refuse_scalar_with_list(x: object, y: object) -> None:
    if is_scalar_with_list(x, y):
        raise StagingError(
            f"a scalar tensor is compared with a {type(y).__name__}: a Python number is never "
            "equal to one, and tensors are compared element by element.",
            remedy="Compare the elements by runtime.equal, or the number with an item.",
            public=TypeError,
        )


def _cannot_meet(x: object, y: object) -> bool:
    """Return whether two tensors of one dtype have shapes that are known not to broadcast.

    They are different then, as lists of different lengths are.
    """
    if not isinstance(y, Operators) or x.dtype is not y.dtype:  # type: ignore[attr-defined]
        return False
    first, second = x.spec.dims, y.spec.dims  # type: ignore[attr-defined]
    if first == second or not first or not second:
        return False
    pairs = zip(reversed(first), reversed(second), strict=False)
    return any(None not in (a, b) and a != b and 1 not in (a, b) for a, b in pairs)


def _getitem(x: TensorLike, key: object) -> Tensor:
    if type(x) is EagerTensor:  # a text of Python is symbolic
        return indexing.getitem(x, key)
    return texts.characters_at(x, key) if texts.is_text(x) else indexing.getitem(x, key)


_BINARY: dict[str, tuple[Binary, str]] = {
    "add": (arithmetic.add, "add"),
    "sub": (arithmetic.subtract, "sub"),
    "mul": (multiplied, "mul"),
    "truediv": (arithmetic.divide, "truediv"),
    "floordiv": (arithmetic.floordiv, "floordiv"),
    "mod": (arithmetic.floormod, "mod"),
    "pow": (arithmetic.pow, "pow"),
    "matmul": (linalg.matmul, "matmul"),
    "and": (_logical(logic.logical_and, logic.bitwise_and, "and"), "and"),
    "or": (_logical(logic.logical_or, logic.bitwise_or, "or"), "or"),
    "lshift": (logic.shift_left, "lshift"),
    "rshift": (logic.shift_right, "rshift"),
    "xor": (_logical(logic.logical_xor, logic.bitwise_xor, "xor"), "xor"),
}


_TABLE: dict[str, Callable[..., Any]] = {
    "neg": _negative,
    "pos": convert_to_tensor,
    "abs": _absolute,
    "invert": _invert,
    "lt": _exactly(logic.less),
    "le": _exactly(logic.less_equal),
    "gt": _exactly(logic.greater),
    "ge": _exactly(logic.greater_equal),
    "eq": _equal,
    "ne": _not_equal,
    "getitem": _getitem,
    "divmod": _divmod,
    "rdivmod": lambda x, y: _divmod(y, x),
}


def _as_graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """Return the graph in TensorFlow's format.

    Args:
      from_version: only operations from this number on, in order of their creation; None: all.
      add_shapes: whether each node has the attribute `_output_shapes`.

    Returns: A `GraphDef`.

    Raises:
      UnimplementedError: for an operation that a GraphDef cannot represent; names its line.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0)
    >>> graph.as_graph_def(add_shapes=True).node[0].op
    'Const'
    """
    return export.graph_def(graph, from_version, add_shapes)


def install() -> None:
    """Define the operators of tensors and variables, and the methods that are operations."""
    operators = dict(_TABLE)
    for operator, (function, name) in _BINARY.items():
        forward, reflected = _named(function, name, operator)
        operators |= {operator: forward, f"r{operator}": reflected}
    for operator, function in operators.items():
        setattr(Operators, f"__{operator}__", function)
    EagerTensor.gpu = to_gpu
    SymbolicTensor.text_method = texts.method
    Graph.as_graph_def = _as_graph_def
