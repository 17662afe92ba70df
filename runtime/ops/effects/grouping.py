"""Operations that compute nothing: they stand for others, or hold them together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from runtime.core.context import control_dependencies
from runtime.core.operation import Operation
from runtime.core.static import static_value
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.identity import identity
from runtime.ops.array.placeholders import NO_OP
from runtime.ops.base.convert import convert_to_tensor


def no_op(name: str | None = None) -> Operation | None:
    """Does nothing; in a graph it is an operation that others can wait for.

    Returns: the operation; None where operations run at once.

    >>> no_op() is None
    True
    """
    NO_OP.outputs(name=name)
    graph = STATE.graph
    return None if graph is None else graph.operations[-1]


def group(*inputs: Any, name: str | None = None) -> Operation | None:
    """An operation that is done when all of `inputs` are.

    Args:
      inputs: tensors, operations, None, and structures of them.
      name: the name of the operation.

    Returns: the operation; None where operations run at once.

    >>> group() is None
    True
    """
    waits = [item for item in flatten(list(inputs))[0] if item is not None]
    with control_dependencies(waits):
        return no_op(name)


def tuple(
    tensors: Sequence[TensorLike | None],
    control_inputs: Iterable[Any] | None = None,
    name: str | None = None,
) -> list[Tensor | None]:
    """Tensors of which none has a value before all of them have.

    Args:
      tensors: tensors; None stays None.
      control_inputs: what has to be done too.
      name: has no effect.

    Raises: ValueError if there is no tensor.

    >>> import runtime as tf
    >>> [int(x) for x in tf.tuple([1, 2])]
    [1, 2]
    """
    given = [None if tensor is None else convert_to_tensor(tensor) for tensor in tensors]
    waits = [tensor for tensor in given if tensor is not None]
    if not waits:
        raise ValueError("tuple needs at least one tensor")
    with control_dependencies([*waits, *(control_inputs or ())]):
        return [None if tensor is None else identity(tensor) for tensor in given]


def get_static_value(tensor: Any, partial: bool = False) -> Any:
    """The value of a tensor, if it is known already while a graph is recorded.

    Args:
      tensor: a tensor.
      partial: has no effect.

    Returns: an array or NumPy scalar; None if the value is not known.

    >>> get_static_value(convert_to_tensor([1, 2]))
    array([1, 2], dtype=int32)
    """
    if not isinstance(tensor, Tensor):
        return None
    value = static_value(tensor)
    return value if value is None else value[()] if value.ndim == 0 else value.copy()
