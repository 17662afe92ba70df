"""Graphs: operations in the order in which the program ran them, and the tensors between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import (
    InaccessibleTensorError,
    OperatorNotAllowedInGraphError,
    StagingError,
)
from runtime.core.opdef import Effect, OpDef, lookup
from runtime.core.places import Place, user_name, user_place
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE

CONSTANT_LIMIT = 128
"""A tensor with at most so many elements that a graph takes from outside becomes a constant."""


class SymbolicTensor(Tensor):
    """A tensor that will have a value when its graph runs.

    >>> import runtime as tf
    >>> @tf.function
    ... def double(x):
    ...     print(x + x)
    ...     return x + x
    >>> _ = double(tf.constant([1.0, 2.0]))
    Tensor("add:0", shape=(2,), dtype=float32)
    """

    __slots__ = ("_known", "op", "value_index", "weak")

    def __init__(self, op: Operation, value_index: int, spec: TensorSpec, weak: bool) -> None:
        """Makes output number `value_index` of an operation.

        A `weak` tensor stands for a Python number: its dtype gives way to that of other operands.
        """
        self.op = op
        self.value_index = value_index
        self._known = spec
        self.weak = weak

    @property
    def spec(self) -> TensorSpec:
        """Dtype and shape."""
        return self._known

    @property
    def graph(self) -> Graph:
        """The graph that the tensor belongs to."""
        return self.op.graph

    @property
    def name(self) -> str:
        """The name of the operation, a colon, and the number of the output."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def ndim(self) -> int | None:
        """The number of dimensions, or None if it is unknown."""
        return self.shape.rank

    def set_shape(self, shape: Any) -> None:
        """Adds what the program knows of the shape. Raises ValueError if it cannot be so."""
        merged = self.shape.merge_with(shape)
        self._known = self.spec.with_dims(merged.dims)

    def _refuse(self, wanted: str, remedy: str) -> NoReturn:
        called = user_name(self)
        subject = f"`{called}`" if called else "the operand"
        if STATE.graph is None:
            raise self.left_over()
        raise StagingError(
            f"{subject} is a symbolic tensor ({self.name}, {self.spec}): it gets its value when "
            f"the graph runs, and {wanted} asks for it while the graph is being recorded.",
            public=OperatorNotAllowedInGraphError,
            remedy=remedy,
        )

    def left_over(self) -> InaccessibleTensorError:
        """The error for a tensor that is used where no graph is recorded any more."""
        called = user_name(self)
        subject = f"`{called}`" if called else "the operand"
        made = f"\n  made at {self.op.place}" if self.op.place else ""
        return InaccessibleTensorError(
            f"{subject} is a symbolic tensor ({self.name}, {self.spec}) of the graph "
            f"`{self.graph.name}`, which was stored somewhere while the graph was recorded; it has "
            f"no value outside.{made}\nReturn it from the function, or keep it in a "
            "runtime.Variable."
        )

    def __bool__(self) -> bool:
        """Refuses: the truth is known when the graph runs."""
        self._refuse(
            "Python's `bool()` (an `if`, `while`, `and`, `or` or `not`)",
            "Write it in code that is converted (the function given to runtime.function, or one "
            "it calls, not excluded with do_not_convert), or use runtime.cond or runtime.where.",
        )

    def __iter__(self) -> Iterator[Any]:
        """The rows, where it is known how many there are; refuses otherwise.

        A comprehension over a tensor goes through here: it is unrolled.
        """
        dims = self.spec.dims
        if dims and dims[0] is not None:
            return (self[row] for row in range(dims[0]))
        self._refuse(
            "iterating over it in Python",
            "Write a `for` statement in code that is converted, and append to a list there.",
        )

    def __int__(self) -> int:
        """Refuses: the value is known when the graph runs."""
        self._refuse("Python's `int()`", "Use runtime.cast(x, runtime.int32).")

    def __float__(self) -> float:
        """Refuses: the value is known when the graph runs."""
        self._refuse("Python's `float()`", "Use runtime.cast(x, runtime.float32).")

    def __complex__(self) -> complex:
        """Refuses: the value is known when the graph runs."""
        self._refuse("Python's `complex()`", "Use runtime.cast(x, runtime.complex128).")

    def __index__(self) -> int:
        """Refuses: the value is known when the graph runs."""
        self._refuse(
            "using it as a Python integer (an index of a list, `range()`, a shape)",
            "Use the operations of the runtime in its place (runtime.gather, runtime.range), or "
            "pass a Python integer.",
        )

    def __len__(self) -> int:
        """The first dimension, if it is known; refuses otherwise."""
        dims = self.spec.dims
        if dims is not None and not dims:
            raise TypeError("a scalar tensor has no len()")
        if dims is not None and dims[0] is not None:
            return dims[0]
        self._refuse("Python's `len()`", "Use runtime.shape(x)[0].")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Refuses: NumPy cannot compute with it."""
        self._refuse("NumPy", "Use the operation of the runtime that does the same.")

    def __contains__(self, item: Any) -> bool:
        """Refuses: the value is known when the graph runs."""
        self._refuse("Python's `in`", "Use runtime.reduce_any(x == item).")

    def numpy(self) -> Any:
        """Refuses: the value is known when the graph runs."""
        self._refuse("`.numpy()`", "Return the tensor, and call .numpy() on the result.")

    def __str__(self) -> str:
        """Gives `Tensor("add:0", shape=(2,), dtype=float32)`."""
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        """Gives `<tf.Tensor 'add:0' shape=(2,) dtype=float32>`."""
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


class Operation:
    """One step of a graph: an op type applied to tensors.

    Attributes:
      graph, name: the graph, and the name, which is unique in it.
      definition: the op type.
      inputs: the tensors it reads.
      attrs: everything else that decides what it computes; graphs among them.
      outputs: the tensors it makes.
      control_inputs: operations that have to run before it.
      place: the line of the user's program that made it.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     (tf.constant(1.0) + 2.0).op
    <tf.Operation 'add' type=AddV2>
    """

    __slots__ = (
        "attrs",
        "control_inputs",
        "definition",
        "graph",
        "inputs",
        "name",
        "outputs",
        "place",
    )

    def __init__(
        self,
        graph: Graph,
        name: str,
        definition: OpDef,
        inputs: tuple[SymbolicTensor, ...],
        attrs: Mapping[str, Any],
        place: Place | None,
    ) -> None:
        """Makes an operation without outputs; graphs add them."""
        self.graph = graph
        self.name = name
        self.definition = definition
        self.inputs = inputs
        self.attrs = dict(attrs)
        self.outputs: tuple[SymbolicTensor, ...] = ()
        self.control_inputs: tuple[Operation, ...] = ()
        self.place = place

    @property
    def type(self) -> str:
        """The name of the op type."""
        return self.definition.name

    @property
    def effect(self) -> Effect:
        """How the operation, with the graphs it carries, touches anything but its outputs."""
        effects = {self.definition.effect}
        for graph in self.subgraphs():
            effects.update(op.effect for op in graph.operations)
        for effect in (Effect.WRITE, Effect.READ):
            if effect in effects:
                return effect
        return Effect.NONE

    def subgraphs(self) -> tuple[Graph, ...]:
        """The graphs among the attributes."""
        return tuple(value for value in self.attrs.values() if isinstance(value, Graph))

    def get_attr(self, name: str) -> Any:
        """One attribute. Raises ValueError if there is none of that name."""
        if name not in self.attrs:
            raise ValueError(f"operation {self.name} ({self.type}) has no attribute {name!r}")
        return self.attrs[name]

    def __repr__(self) -> str:
        """Gives `<tf.Operation 'add' type=AddV2>`."""
        return f"<tf.Operation '{self.name}' type={self.type}>"


class EffectOrder:
    """Keeps effects in the order of the program: a read waits for the writes before it."""

    def __init__(self) -> None:
        """Starts with no effect."""
        self._write: Operation | None = None
        self._reads: list[Operation] = []

    def before(self, op: Operation) -> tuple[Operation, ...]:
        """The operations that have to run before `op`, which is the next in the program."""
        effect = op.effect
        if effect is Effect.NONE:
            return ()
        write = () if self._write is None else (self._write,)
        if effect is Effect.READ:
            self._reads.append(op)
            return write
        waits = tuple(self._reads) or write
        self._write, self._reads = op, []
        return waits


class Graph:
    """Operations in the order in which they run, with inputs and outputs.

    Args:
      name: for messages and text.
      outer: the graph that was being recorded when this one was begun; its tensors, and those of
        graphs around it, can be used here and are captured then.

    Attributes:
      inputs: first the arguments, then one tensor for each of `captures`.
      captures: tensors from outside that the graph uses.
      operations, outputs: as they say.

    >>> import runtime as tf
    >>> graph = Graph()
    >>> with graph.as_default():
    ...     x = tf.constant(1.0) + 2.0
    >>> [op.name for op in graph.get_operations()]
    ['Const', 'Const_1', 'add']
    """

    def __init__(self, name: str = "graph", outer: Graph | None = None) -> None:
        """Makes an empty graph."""
        self.name = name
        self.outer = outer
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.captures: list[Tensor] = []
        self.operations: list[Operation] = []
        self.required: tuple[Operation, ...] = ()
        self._captured: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        self._names: dict[str, int] = {}
        self._order = EffectOrder()

    def add(
        self,
        definition: OpDef,
        inputs: Sequence[Tensor],
        attrs: Mapping[str, Any],
        specs: Iterable[TensorSpec],
        name: str | None = None,
        weak: bool = False,
    ) -> Operation:
        """Appends an operation.

        Args:
          definition: the op type.
          inputs: tensors of this graph, of graphs around it, or with a value.
          attrs: the attributes.
          specs: what is known of each output.
          name: the name, made unique; None: the name of the op type.
          weak: whether the outputs stand for Python numbers.

        Raises: StagingError if an input belongs to a graph that is not around this one.
        """
        own = tuple(self.capture(tensor) for tensor in inputs)
        op = Operation(
            self, self.unique_name(name or definition.name), definition, own, attrs, user_place()
        )
        op.outputs = tuple(
            SymbolicTensor(op, index, spec, weak) for index, spec in enumerate(specs)
        )
        waits = (*self._order.before(op), *self.required)
        op.control_inputs = tuple(dict.fromkeys(waits))
        self.operations.append(op)
        return op

    def add_input(self, spec: TensorSpec, name: str, weak: bool = False) -> SymbolicTensor:
        """Appends an argument."""
        tensor = self._placeholder(spec, name, weak)
        self.inputs.insert(len(self.inputs) - len(self.captures), tensor)
        return tensor

    def _placeholder(self, spec: TensorSpec, name: str, weak: bool = False) -> SymbolicTensor:
        return self.add(lookup("Placeholder"), (), {"spec": spec}, (spec,), name, weak).outputs[0]

    def capture(self, tensor: Tensor) -> SymbolicTensor:
        """The tensor of this graph that stands for `tensor`.

        Raises: StagingError if it belongs to a graph that is not around this one.
        """
        if isinstance(tensor, SymbolicTensor):
            if tensor.op.graph is self:
                return tensor
            if not self.is_inside(tensor.graph):
                raise self._inaccessible(tensor)
        known = self._captured.get(id(tensor))
        if known is not None:
            return known[1]
        own = self._as_constant(tensor)
        if own is None:
            own = self.add_capture(self._of_outer(tensor))
        self._captured[id(tensor)] = (tensor, own)
        return own

    def _as_constant(self, tensor: Tensor) -> SymbolicTensor | None:
        if not isinstance(tensor, EagerTensor):
            return None
        spec = tensor.spec
        if spec.dtype in (dtypes.resource, dtypes.variant):
            return None
        if (element_count(spec.dims) or 0) > CONSTANT_LIMIT:
            return None
        return self.constant(np.asarray(tensor.array), spec)

    def constant(self, array: Any, spec: TensorSpec, name: str | None = None) -> SymbolicTensor:
        """Appends a constant."""
        return self.add(lookup("Const"), (), {"value": array}, (spec,), name).outputs[0]

    def _of_outer(self, tensor: Tensor) -> Tensor:
        if self.outer is not None and isinstance(tensor, SymbolicTensor):
            return self.outer.capture(tensor)
        return tensor

    def add_capture(self, tensor: Tensor) -> SymbolicTensor:
        """Appends an input that stands for a tensor of the graph around this one."""
        weak = isinstance(tensor, SymbolicTensor) and tensor.weak
        own = self._placeholder(tensor.spec, "captured", weak)
        self.inputs.append(own)
        self.captures.append(tensor)
        return own

    def is_inside(self, other: Graph) -> bool:
        """Whether `other` is one of the graphs around this one."""
        graph = self.outer
        while graph is not None:
            if graph is other:
                return True
            graph = graph.outer
        return False

    def _inaccessible(self, tensor: SymbolicTensor) -> StagingError:
        called = user_name(tensor)
        subject = f"`{called}`" if called else f"The tensor {tensor.name}"
        made = f"\n  made at {tensor.op.place}" if tensor.op.place else ""
        here = user_place()
        used = f"\n  used at {here}" if here else ""
        return StagingError(
            f"{subject} ({tensor.spec}) belongs to the graph `{tensor.graph.name}` and is used in "
            f"the graph `{self.name}`, where it has no value.{made}{used}\n"
            "A tensor made in a function, a branch or a loop leaves it as a returned value or as a "
            "variable that is assigned there; storing it in an object, a list or a global does not "
            "carry it out.",
            public=InaccessibleTensorError,
        )

    def unique_name(self, name: str) -> str:
        """The name, or with `_1`, `_2`, ... behind it if it is taken; case does not matter."""
        key = name.lower()
        count = self._names.get(key, 0)
        self._names[key] = count + 1
        if not count:
            return name
        while f"{key}_{count}" in self._names:
            count += 1
        self._names[key] = count + 1
        self._names[f"{key}_{count}"] = 1
        return f"{name}_{count}"

    @property
    def effect(self) -> Effect:
        """The strongest effect among the operations."""
        effects = {op.effect for op in self.operations}
        if Effect.WRITE in effects:
            return Effect.WRITE
        return Effect.READ if Effect.READ in effects else Effect.NONE

    @property
    def arguments(self) -> list[SymbolicTensor]:
        """The inputs that are no captures."""
        return self.inputs[: len(self.inputs) - len(self.captures)]

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Records what operations do inside in this graph."""
        before = STATE.graph
        STATE.graph = self
        try:
            yield self
        finally:
            STATE.graph = before

    def get_operations(self) -> list[Operation]:
        """The operations, in the order in which they run."""
        return list(self.operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """One operation. Raises KeyError if there is none of that name."""
        for op in self.operations:
            if op.name == name:
                return op
        raise KeyError(f"graph {self.name} has no operation {name!r}")

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """One tensor, by `operation:number`. Raises KeyError if there is none of that name."""
        op_name, _, index = name.partition(":")
        outputs = self.get_operation_by_name(op_name).outputs
        if not index.isdigit() or int(index) >= len(outputs):
            raise KeyError(f"graph {self.name} has no tensor {name!r}")
        return outputs[int(index)]
