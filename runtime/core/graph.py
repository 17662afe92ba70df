"""Graphs: operations in program order, and the tensors between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, ClassVar

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import infer
from runtime.core.errors import OUT_OF_SCOPE, InaccessibleTensorError, StagingError
from runtime.core.handlers import Raises
from runtime.core.naming import Names, check_node, label
from runtime.core.opdef import Effect, OpDef
from runtime.core.operation import EffectOrder, Operation, Operations
from runtime.core.places import called, user_place
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec, Weak
from runtime.core.structural import CONST, CONSTANT_LIMIT, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor, for_the_graph
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.text import graph_text
from runtime.core.thread import STATE, temporarily


class Graph(Operations):
    """Operations in program order, with inputs and outputs.

    Args:
      name: the name of the function, branch or loop that the graph records. None: a graph built by
        hand, for a Session. Effects keep program order only in a function graph; a Session runs
        what it fetches and its dependencies.
      outer: the enclosing graph during recording. Its tensors, and those of its enclosing graphs,
        are captured when operations here use them.

    Attributes:
      inputs: the arguments, followed by one tensor for each of `captures`.
      captures: tensors from outside that the graph uses.
      initial: for a loop body, the value before the loop by the id of the argument.
      following: for a loop body that is complete, the value after a turn, likewise.
      awaiting: for a loop body, checks that need `following`.
      operations: the operations in program order.
      outputs: the tensors that the graph returns.
      building_function: whether the graph records a function, branch or loop.
      is_trial: whether the graph is thrown away after the trace.
      variables: the variables of a graph built by hand.
      seed: the seed of its random operations, or None.
      raises: the errors of the program that its run may raise.
      derivatives: a cache of its gradient graphs, see `runtime.backprop.derivative`.

    >>> import runtime as tf
    >>> graph = Graph()
    >>> with graph.as_default():
    ...     x = tf.constant(1.0) + 2.0
    >>> [op.name for op in graph.get_operations()]
    ['Const', 'add/y', 'add']
    """

    as_graph_def: ClassVar[Callable[..., Any]]

    def __init__(self, name: str | None = None, outer: Graph | None = None) -> None:
        super().__init__(outer)
        self.name = "graph" if name is None else name
        self.building_function = name is not None
        self.is_trial = False
        self.variables: list[Any] = []
        self.seed: int | None = None
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.captures: list[Tensor] = []
        self.initial: dict[int, Tensor] = {}
        self.following: dict[int, Tensor] = {}
        self.awaiting: list[Callable[[], None]] = []
        self.required: tuple[Operation, ...] = ()
        self.raises: set[Raises] = set()
        self.derivatives: dict[Any, Any] = {}
        self._captured: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        self._names = Names()
        self._order = EffectOrder() if self.building_function else None
        self._device = ""

    def __str__(self) -> str:
        """Return the text form; `runtime.core.text` has its grammar.

        >>> import runtime as tf
        >>> double = tf.function(lambda x: x + x)
        >>> print(double.get_concrete_function(tf.TensorSpec([], tf.int32)).graph)
        graph <lambda>(x: int32[]) -> int32[]
          add = AddV2 x x : int32[]
          Identity = Identity add : int32[]
          return Identity
        """
        return graph_text(self)

    def add(
        self,
        definition: OpDef,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, Any],
        specs: Iterable[TensorSpec],
        name: str | None = None,
        weak: Weak = False,
    ) -> Operation:
        """Append an operation.

        Args:
          definition: the op type.
          inputs: tensors of this graph or of enclosing graphs, or eager tensors.
          attrs: the attributes.
          specs: dtype and shape of each output.
          name: the name, made unique. A trailing slash requests exactly this name if it is free.
            None: the name of the op type.
          weak: whether the outputs represent Python numbers; None: on some ways to here.

        Returns: The operation.

        Raises:
          StagingError: if an input belongs to a graph that does not enclose this one.
          ValueError: if the name is invalid.
          RuntimeError: if the graph is finalized.
        """
        self._require_unfinished()
        own = tuple(self.capture(tensor) for tensor in inputs)
        op = Operation(
            self, self._new_name(name or definition.name), definition, own, attrs, user_place()
        )
        op.device = self._device
        kind = STATE.symbolic or SymbolicTensor
        op.outputs = tuple(kind(op, index, spec, weak) for index, spec in enumerate(specs))
        op.strict = kind.strict
        ordered = () if self._order is None else self._order.before(op)
        op.control_inputs = list(dict.fromkeys((*ordered, *self.required)))
        self.operations.append(op)
        if op.effect is not Effect.NONE:
            self._forget_effects()
        for tape in STATE.tapes:
            tape.note(self, op)
        return op

    def record(
        self,
        definition: OpDef,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, Any],
        name: str | None = None,
        weak: Weak = False,
    ) -> tuple[SymbolicTensor, ...]:
        """Append an operation whose outputs have the inferred dtypes and shapes; see `add`.

        Args:
          definition, inputs, attrs, name, weak: as for `add`.

        Returns: The outputs of the operation.
        """
        own = [self.capture(tensor) for tensor in inputs]
        return self.add(definition, own, attrs, infer(definition, own, attrs), name, weak).outputs

    def _new_name(self, name: str) -> str:
        if name.endswith("/"):
            exact = name[:-1]
            check_node(exact)
            if exact not in self._named():
                self._names.mark(exact)
                return exact
            name = exact.removeprefix(self._names.scope)
        check_node(self._names.scope + name)
        return self._names.unique(name)

    def add_input(self, spec: TensorSpec, name: str, weak: Weak = False) -> SymbolicTensor:
        """Append an argument, before the inputs that capture tensors.

        Args:
          spec: its dtype and shape.
          name: its name; characters that a name cannot have are replaced.
          weak: whether the tensor represents a Python number.

        Returns: The tensor of the argument.
        """
        tensor = self._placeholder(spec, label(name), weak)
        self.inputs.insert(len(self.inputs) - len(self.captures), tensor)
        return tensor

    def _placeholder(self, spec: TensorSpec, name: str, weak: Weak = False) -> SymbolicTensor:
        return self.add(PLACEHOLDER, (), {"spec": spec}, (spec,), name, weak).outputs[0]

    def capture(self, tensor: Tensor) -> SymbolicTensor:
        """Make a tensor from outside usable in this graph.

        Args:
          tensor: an eager tensor, or a symbolic one of this graph or of a graph that encloses it.

        Returns:
          `tensor` itself if it belongs to this graph, else the constant or input that represents it
          here.

        Raises: StagingError if it belongs to a graph that does not enclose this one.
        """
        if isinstance(tensor, SymbolicTensor):
            if tensor.op.graph is self:
                return tensor
            if not self.is_inside(tensor.graph):
                raise for_the_graph(self, self._inaccessible(tensor))
        known = self._captured.get(id(tensor))
        if known is not None:
            return known[1]
        own = self._as_constant(tensor)
        if own is None:
            outer = self._of_outer(tensor)
            own = self.add_capture(tensor) if outer is tensor else self.capture(outer)
        self._captured[id(tensor)] = (tensor, own)
        return own

    def _as_constant(self, tensor: Tensor) -> SymbolicTensor | None:
        if not isinstance(tensor, EagerTensor):
            return None
        spec = tensor.spec
        if spec.dtype in (dtypes.resource, dtypes.variant):
            return None
        if self.building_function:
            if (element_count(spec.dims) or 0) > CONSTANT_LIMIT:
                return None
            if any(tape.watches(tensor) for tape in STATE.tapes):
                return None
        return self.constant(np.asarray(tensor.array), spec)

    def known(self, tensor: Tensor) -> Tensor | None:
        """Return the tensor that captures an outside one; None before its first use.

        Args:
          tensor: an outside tensor.
        """
        return self._captured.get(id(tensor), (None, None))[1]

    def origin(self, own: Tensor) -> Tensor | None:
        """Return the outside tensor that a tensor of this graph represents; None for others.

        Args:
          own: a tensor of this graph.
        """
        found = (tensor for tensor, inner in self._captured.values() if inner is own)
        return next(found, None)

    @property
    def constants(self) -> list[Tensor]:
        """The outside tensors embedded as constants."""
        return [tensor for tensor, own in self._captured.values() if own.op.definition is CONST]

    def constant(self, array: object, spec: TensorSpec, name: str | None = None) -> SymbolicTensor:
        """Append a constant.

        Args:
          array: the value.
          spec: dtype and shape of the value.
          name: the name of the operation; None: `Const`.

        Returns: The tensor of the constant.
        """
        return self.add(CONST, (), {"value": array}, (spec,), name).outputs[0]

    def _of_outer(self, tensor: Tensor) -> Tensor:
        if self.outer is not None and isinstance(tensor, SymbolicTensor):
            return self.outer.capture(tensor)
        return tensor

    def add_capture(self, tensor: Tensor) -> SymbolicTensor:
        """Append an input that receives a tensor from outside at each call.

        Args:
          tensor: a tensor of an enclosing graph, or an eager one.

        Returns: The tensor of the input.
        """
        weak = isinstance(tensor, SymbolicTensor) and tensor.weak
        with self.name_scope(None):
            own = self._placeholder(tensor.spec, "captured", weak)
        self.inputs.append(own)
        self.captures.append(tensor)
        return own

    def _inaccessible(self, tensor: SymbolicTensor) -> StagingError:
        subject = called(tensor, f"The tensor {tensor.name}")
        made = f"\n  made at {tensor.op.place}" if tensor.op.place else ""
        here = user_place()
        used = f"\n  used at {here}" if here else ""
        return StagingError(
            f"{subject} ({tensor.spec}) belongs to the graph `{tensor.graph.name}` and is used in "
            f"the graph `{self.name}`, where it has no value: it {OUT_OF_SCOPE}.{made}{used}\n"
            "A tensor made in a function, a branch or a loop leaves it as a returned value or as a "
            "variable that is assigned there; storing it in an object, a list, a global or a cache "
            "does not carry it out. Keep results in a dict in place of `functools.cache`.",
            public=InaccessibleTensorError,
        )

    def get_operation_by_name(self, name: str) -> Operation:
        """Return one operation.

        Args:
          name: the name of the operation, without `:0`.

        Raises:
          KeyError: if there is no operation of that name.
        """
        operation = self._named().get(name)
        if operation is None:
            raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
        return operation

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """Return one tensor.

        Args:
          name: the name of the tensor: `operation:number`.

        Raises:
          KeyError: if there is no tensor of that name.
          ValueError: if `name` is not a tensor name.
        """
        operation, _, index = name.partition(":")
        if not index.isdigit():
            raise ValueError(
                f"{name!r} is not the name of a tensor, which has the form `operation:number`."
            )
        outputs = self.get_operation_by_name(operation).outputs
        if int(index) >= len(outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist: the operation has "
                f"{len(outputs)} outputs."
            )
        return outputs[int(index)]

    def as_graph_element(self, obj: object) -> SymbolicTensor | Operation:
        """Return the tensor or operation of this graph that `obj` refers to.

        Args:
          obj: a tensor, an operation, a variable, or a name.

        Raises:
          TypeError: for any other object.
          KeyError: if there is no element of that name.
          ValueError: for an element of another graph.
        """
        if isinstance(obj, str):
            return self.get_tensor_by_name(obj) if ":" in obj else self.get_operation_by_name(obj)
        if hasattr(obj, "_as_graph_element"):
            obj = obj._as_graph_element()
        if not isinstance(obj, (SymbolicTensor, Operation)):
            kind = type(obj).__name__
            raise TypeError(f"Can not convert a {kind} into a Tensor or Operation.")
        if obj.graph is not self:
            raise _foreign(obj)
        return obj

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return the name in the current scope, with a suffix `_1`, `_2`, ... if it is taken.

        Args:
          name: the name; case does not matter.
          mark_as_used: whether to reserve the name.
        """
        return self._names.unique(name, mark_as_used)

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """Enter a name scope, as `runtime.name_scope` does.

        Args:
          name: the name of the scope; None or an empty string: the outermost scope.

        Returns: A context manager; its value is the prefix of the names inside.
        """
        return self._names.scoped(name)

    def get_name_scope(self) -> str:
        """Return the current name scope, without a trailing slash."""
        return self._names.scope.removesuffix("/")

    @property
    def arguments(self) -> list[SymbolicTensor]:
        """The inputs that are not captures."""
        return self.inputs[: len(self.inputs) - len(self.captures)]

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Record the operations of the code inside in this graph.

        Returns: A context manager; its value is this graph.

        >>> import runtime as tf
        >>> with tf.Graph().as_default() as graph:
        ...     _ = tf.constant(1) + tf.constant(2)
        >>> [op.type for op in graph.get_operations()]
        ['Const', 'Const', 'AddV2']
        """
        with temporarily(graph=self):
            yield self

    @contextmanager
    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Iterator[None]:
        """Make operations recorded inside run after `control_inputs`.

        Args:
          control_inputs: tensors, operations or variables of this graph; those of enclosing graphs
            have run before. None clears the dependencies of enclosing scopes.

        Returns: A context manager.

        Raises:
          TypeError: for any other element.
          ValueError: for an element of another graph.
        """
        before = self.required
        own = () if control_inputs is None else self._awaited(control_inputs)
        self.required = (*(() if control_inputs is None else before), *own)
        try:
            yield
        finally:
            self.required = before

    def _awaited(self, control_inputs: Iterable[Any]) -> Iterator[Operation]:
        for item in control_inputs:
            if isinstance(item, EagerTensor) or (item is None and self.building_function):
                continue  # it has happened, or keeps its place in the order of effects anyway
            if self.building_function and hasattr(item, "handle") and not hasattr(item, "op"):
                continue  # a variable: what reads or assigns it keeps its place as well
            held = getattr(item, "op", item)
            element = held if isinstance(held, Operation) else self.as_graph_element(item)
            op = element if isinstance(element, Operation) else element.op
            if op.graph is self:
                yield op
            elif not self.is_inside(op.graph):
                raise _foreign(item)

    @contextmanager
    def device(self, device_name: object) -> Iterator[None]:
        """Set the device of the operations recorded inside.

        Args:
          device_name: the name of a device, which becomes `Operation.device`; None: none.

        Returns: A context manager.
        """
        before = self._device
        self._device = "" if device_name is None else str(device_name)
        try:
            yield
        finally:
            self._device = before


def _foreign(obj: object) -> ValueError:
    """Return the error for a tensor or operation of another graph."""
    kind = "Operation" if isinstance(obj, Operation) else "Tensor"
    return ValueError(f"{kind} {obj} is not an element of this graph.")
