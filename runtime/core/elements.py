"""The operations of a graph, and lookup of operations and tensors."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor


class Elements:
    """Operations in execution order, found by name or by object.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0, name="x")
    >>> graph.get_tensor_by_name("x:0") is x
    True
    """

    def __init__(self) -> None:
        """Start without operations."""
        self.operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._listed = self.operations
        self._count = 0

    @property
    def version(self) -> int:
        """A number that grows with every operation."""
        return len(self.operations)

    def is_feedable(self, tensor: SymbolicTensor) -> bool:
        """Return whether a Session can feed the tensor: every tensor of this graph."""
        return isinstance(tensor, SymbolicTensor) and tensor.graph is self

    def is_fetchable(self, tensor_or_op: object) -> bool:
        """Return whether a Session can fetch the tensor or operation: every one of this graph."""
        return getattr(tensor_or_op, "graph", None) is self

    def get_operations(self) -> list[Operation]:
        """Return the operations in execution order."""
        return list(self.operations)

    def _named(self) -> Mapping[str, Operation]:
        """Return the operations by name; adds those appended since the last call."""
        if self._listed is not self.operations:
            self._by_name, self._listed, self._count = {}, self.operations, 0
        self._by_name.update((op.name, op) for op in self._listed[self._count :])
        self._count = len(self._listed)
        return self._by_name

    def get_operation_by_name(self, name: str) -> Operation:
        """Return one operation.

        Raises:
          KeyError: if there is no operation of that name.
          ValueError: if `name` names a tensor.
          TypeError: if `name` is not a string.
        """
        if not isinstance(name, str):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False)  # type: ignore[return-value]

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """Return one tensor, by `operation:number`.

        Raises:
          KeyError: if there is no tensor of that name.
          ValueError: if `name` is not a tensor name.
          TypeError: if `name` is not a string.
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_operation=False)  # type: ignore[return-value]

    def as_graph_element(
        self, obj: object, allow_tensor: bool = True, allow_operation: bool = True
    ) -> SymbolicTensor | Operation:
        """Return the tensor or operation of this graph that `obj` refers to.

        Args:
          obj: a tensor, an operation, a variable, or a name.
          allow_tensor, allow_operation: which results are allowed.

        Raises:
          TypeError: if `obj` cannot refer to an allowed kind.
          KeyError: if there is no element of that name.
          ValueError: for an element of another graph, or a name of the other kind.
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


def _not_converted(obj: object, wanted: tuple[type, ...]) -> TypeError:
    words = {SymbolicTensor: "Tensor", Operation: "Operation"}
    kinds = " or ".join(words[kind] for kind in wanted)
    return TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")


def foreign(obj: object) -> ValueError:
    """Return the error for a tensor or operation of another graph."""
    kind = "Operation" if isinstance(obj, Operation) else "Tensor"
    return ValueError(f"{kind} {obj} is not an element of this graph.")
