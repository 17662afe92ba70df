"""The tensors and operations of a graph, found by what a program has of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor


class Elements:
    """Operations in the order in which they run, found by number, by name or by themselves.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0, name="x")
    >>> graph.get_tensor_by_name("x:0") is x
    True
    """

    def __init__(self) -> None:
        """Starts with no operation."""
        self.operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._listed = self.operations
        self._count = 0

    @property
    def version(self) -> int:
        """A number that grows with every operation."""
        return len(self.operations)

    def is_feedable(self, tensor: SymbolicTensor) -> bool:
        """Whether a Session can be given a value for the tensor: every one."""
        return isinstance(tensor, SymbolicTensor) and tensor.graph is self

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a Session can be asked for the tensor or operation: every one."""
        return getattr(tensor_or_op, "graph", None) is self

    def get_operations(self) -> list[Operation]:
        """The operations, in the order in which they run."""
        return list(self.operations)

    def _named(self) -> Mapping[str, Operation]:
        """The operations by name; those that were appended since the last time are added."""
        if self._listed is not self.operations:
            self._by_name, self._listed, self._count = {}, self.operations, 0
        self._by_name.update((op.name, op) for op in self._listed[self._count :])
        self._count = len(self._listed)
        return self._by_name

    def get_operation_by_name(self, name: str) -> Operation:
        """One operation.

        Raises: KeyError if there is none of that name; ValueError for the name of a tensor;
          TypeError for anything but a name.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False)  # type: ignore[return-value]

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """One tensor, by `operation:number`.

        Raises: KeyError if there is none of that name; ValueError if it is no name of a tensor;
          TypeError for anything but a name.
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_operation=False)  # type: ignore[return-value]

    def as_graph_element(
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> SymbolicTensor | Operation:
        """The tensor or operation of this graph that something stands for.

        Args:
          obj: a tensor, an operation, a variable, or a name.
          allow_tensor, allow_operation: what it may be.

        Raises: TypeError if it can be neither; KeyError if there is none of that name; ValueError
          for an element of another graph, or a name of the other kind.
        """
        wanted = _kinds(allow_tensor, allow_operation)
        if isinstance(obj, str):
            return self._by_text(obj, wanted)
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if isinstance(obj, (SymbolicTensor, Operation)):
            if not isinstance(obj, wanted):
                raise _not_converted(obj, wanted)
            if obj.graph is not self:
                raise foreign(obj)
            return obj
        raise _not_converted(obj, wanted)

    def _by_text(self, name: str, wanted: tuple[type, ...]) -> SymbolicTensor | Operation:
        op_name, colon, index = name.partition(":")
        op = self._named().get(op_name)
        if not colon:
            return self._operation_named(name, op, wanted)
        if SymbolicTensor not in wanted:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation.")
        if not index.isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. {_FORM}"
            )
        if op is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name!r}, does not exist in the graph."
            )
        if int(index) >= len(op.outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name!r}, exists but only has {len(op.outputs)} outputs."
            )
        return op.outputs[int(index)]

    def _operation_named(
        self, name: str, op: Operation | None, wanted: tuple[type, ...]
    ) -> Operation:
        if Operation not in wanted:
            what = "looks like an (invalid)" if op is None else "refers to an"
            named = "Operation name" if op is None else "Operation"
            raise ValueError(f"The name {name!r} {what} {named}, not a Tensor. {_FORM}")
        if op is None:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return op


_FORM = 'Tensor names must be of the form "<op_name>:<output_index>".'


def _kinds(allow_tensor: bool, allow_operation: bool) -> tuple[type, ...]:
    pairs = ((SymbolicTensor, allow_tensor), (Operation, allow_operation))
    allowed = tuple(kind for kind, is_allowed in pairs if is_allowed)
    if not allowed:
        raise ValueError("allow_tensor and allow_operation can't both be False.")
    return allowed


def _not_converted(obj: Any, wanted: tuple[type, ...]) -> TypeError:
    words = {SymbolicTensor: "Tensor", Operation: "Operation"}
    kinds = " or ".join(words[kind] for kind in wanted)
    return TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")


def foreign(obj: Any) -> ValueError:
    """The error for a tensor or operation of another graph."""
    kind = "Operation" if isinstance(obj, Operation) else "Tensor"
    return ValueError(f"{kind} {obj} is not an element of this graph.")
