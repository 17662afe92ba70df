"""Graphs: operations in the order in which the program ran them, and the tensors between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NoReturn

import numpy as np

from runtime.core import dtypes
from runtime.core.collected import Collected
from runtime.core.errors import (
    InaccessibleTensorError,
    OperatorNotAllowedInGraphError,
    StagingError,
)
from runtime.core.naming import Names, label
from runtime.core.opdef import Effect, OpDef, lookup
from runtime.core.places import Place, user_name, user_place
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE

CONSTANT_LIMIT = 128
"""A tensor with at most so many elements that a function takes from outside becomes a constant."""

_descriptions: dict[str, Callable[..., Any]] = {}


def bind_descriptions(table: Mapping[str, Callable[..., Any]]) -> None:
    """Says how graphs and operations are described; called once, by the package of exports.

    The keys: `graph_def`, `optimized_graph_def`, `node_def`, `op_def`, `attr`, `versions`.
    """
    _descriptions.update(table)


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
    def device(self) -> str:
        """The device that the program asked for, or an empty string."""
        return self.op.device

    @property
    def ndim(self) -> int | None:
        """The number of dimensions, or None if it is unknown."""
        return self.shape.rank

    def consumers(self) -> list[Operation]:
        """The operations of the graph that read the tensor."""
        return [op for op in self.graph.operations if any(read is self for read in op.inputs)]

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> Any:
        """What a Session computes for the tensor.

        Args:
          feed_dict: values for placeholders and other tensors.
          session: the Session; None: the default one.

        Raises: ValueError if there is no Session.
        """
        text = "evaluate tensor using `eval()`"
        return _session(session, text, "eval").run(self, feed_dict)

    def set_shape(self, shape: Any) -> None:
        """Adds what the program knows of the shape. Raises ValueError if it cannot be so."""
        merged = self.shape.merge_with(shape)
        self._known = self.spec.with_dims(merged.dims)

    def _refuse(
        self,
        wanted: str,
        remedy: str,
        public: type[Exception] = OperatorNotAllowedInGraphError,
    ) -> NoReturn:
        called = user_name(self)
        subject = f"`{called}`" if called else "the operand"
        if STATE.graph is None:
            raise self.left_over()
        error = StagingError(
            f"{subject} is a symbolic tensor ({self.name}, {self.spec}): it gets its value when "
            f"the graph runs, and {wanted} asks for it while the graph is being recorded.",
            public=public,
            remedy=remedy,
        )
        raise _for_the_graph(STATE.graph, error)

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

    def __hash__(self) -> int:
        """Hashes the identity, in a graph built by hand: so that tensors can be keys of feeds.

        In a graph that records a function it is refused, as for tensors with a value.
        """
        return super().__hash__() if self.op.graph.building_function else id(self)

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

    def __getattr__(self, name: str) -> Any:
        """Refuses; programs ask `hasattr(x, "numpy")` whether there is a value."""
        text = f"'{type(self).__name__}' object has no attribute {name!r}"
        if name != "numpy":
            raise AttributeError(text)
        if STATE.graph is None:
            raise AttributeError(f"{text}: {self.left_over()}")
        called = user_name(self)
        subject = f"`{called}`" if called else "the operand"
        raise AttributeError(
            f"{text}: {subject} is a symbolic tensor ({self.name}, {self.spec}), which gets its "
            "value when the graph runs. Return the tensor, and call .numpy() on the result."
        )

    def __str__(self) -> str:
        """Gives `Tensor("add:0", shape=(2,), dtype=float32)`."""
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        """Gives `<tf.Tensor 'add:0' shape=(2,) dtype=float32>`."""
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


def _for_the_graph(graph: Graph, error: StagingError) -> BaseException:
    """An error as the program gets it: while a graph is built by hand no trace will end."""
    return error if graph.building_function else error.surface()


def _session(given: Any, action: str, method: str) -> Any:
    session = given or (STATE.sessions[-1] if STATE.sessions else None)
    if session is None:
        raise ValueError(
            f"Cannot {action}: No default session is registered. Use `with sess.as_default()` or "
            f"pass an explicit session to `{method}(session=sess)`"
        )
    return session


class Operation:
    """One step of a graph: an op type applied to tensors.

    Attributes:
      graph, name: the graph, and the name, which is unique in it.
      definition: the op type.
      inputs: the tensors it reads.
      attrs: everything else that decides what it computes; graphs among them.
      outputs: the tensors it makes.
      control_inputs: operations that have to run before it.
      device: the device that the program asked for, or an empty string.
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
        "device",
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
        self.device = ""
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
        """One attribute, of this operation or of its node in a GraphDef.

        Raises: ValueError if there is none of that name.

        >>> import runtime as tf
        >>> with tf.Graph().as_default():
        ...     (tf.constant(1.0) + 2.0).op.get_attr("T")
        tf.float32
        """
        if name in self.attrs:
            return self.attrs[name]
        return _descriptions["attr"](self, name)

    @property
    def node_def(self) -> Any:
        """The node that stands for the operation in a GraphDef."""
        return _descriptions["node_def"](self)

    @property
    def op_def(self) -> Any:
        """The inputs, outputs and attributes of the op type."""
        return _descriptions["op_def"](self)

    def values(self) -> tuple[SymbolicTensor, ...]:
        """The tensors it makes."""
        return self.outputs

    def run(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> None:
        """Lets a Session run the operation and what it needs.

        Args:
          feed_dict: values for placeholders and other tensors.
          session: the Session; None: the default one.

        Raises: ValueError if there is no Session.
        """
        text = "execute operation using `run()`"
        _session(session, text, "run").run(self, feed_dict)

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


class Graph(Collected):
    """Operations in the order in which they run, with inputs and outputs.

    Args:
      name: of the function, branch or loop that it records; None: a graph that a program builds by
        hand, for a Session. Only in the graph of a function do effects keep the order of the
        program; a Session runs what it is asked for, and what that needs.
      outer: the graph that was being recorded when this one was begun; its tensors, and those of
        graphs around it, can be used here and are captured then.

    Attributes:
      inputs: first the arguments, then one tensor for each of `captures`.
      captures: tensors from outside that the graph uses.
      operations, outputs: as they say.
      building_function: whether it records a function, branch or loop.
      seed: the seed of its random operations, or None.

    >>> import runtime as tf
    >>> graph = Graph()
    >>> with graph.as_default():
    ...     x = tf.constant(1.0) + 2.0
    >>> [op.name for op in graph.get_operations()]
    ['Const', 'add/y', 'add']
    """

    def __init__(self, name: str | None = None, outer: Graph | None = None) -> None:
        """Makes an empty graph."""
        super().__init__()
        self.name = "graph" if name is None else name
        self.building_function = name is not None
        self.outer = outer
        self.seed: int | None = None
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.captures: list[Tensor] = []
        self.operations: list[Operation] = []
        self.required: tuple[Operation, ...] = ()
        self._captured: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        self._names = Names()
        self._by_name: dict[str, Operation] = {}
        self._order = EffectOrder() if self.building_function else None
        self._device = ""

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
          name: the name, made unique; with a slash at its end this very one if it is free; None:
            the name of the op type.
          weak: whether the outputs stand for Python numbers.

        Raises: StagingError if an input belongs to a graph that is not around this one; ValueError
          if an operation cannot be called so; RuntimeError if the graph is finalized.
        """
        self._require_unfinished()
        own = tuple(self.capture(tensor) for tensor in inputs)
        op = Operation(
            self, self._new_name(name or definition.name), definition, own, attrs, user_place()
        )
        op.device = self._device
        op.outputs = tuple(
            SymbolicTensor(op, index, spec, weak) for index, spec in enumerate(specs)
        )
        ordered = () if self._order is None else self._order.before(op)
        op.control_inputs = tuple(dict.fromkeys((*ordered, *self.required)))
        self.operations.append(op)
        return op

    def _new_name(self, name: str) -> str:
        if name.endswith("/"):
            exact = name[:-1]
            if exact not in self._named():
                self._names.mark(exact)
                return exact
            name = exact.removeprefix(self._names.scope)
        self._names.check(name)
        return self._names.unique(name)

    def add_input(self, spec: TensorSpec, name: str, weak: bool = False) -> SymbolicTensor:
        """Appends an argument."""
        tensor = self._placeholder(spec, label(name), weak)
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
                raise _for_the_graph(self, self._inaccessible(tensor))
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
        if self.building_function and (element_count(spec.dims) or 0) > CONSTANT_LIMIT:
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
        with self.name_scope(None):
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

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """The name in the present scope, with `_1`, `_2`, ... behind it if it is taken.

        Case does not matter. Without `mark_as_used` the name stays free.
        """
        return self._names.unique(name, mark_as_used)

    def name_scope(self, name: str | None) -> AbstractContextManager[str]:
        """Puts a scope before the names that are given inside; see `runtime.name_scope`."""
        return self._names.scoped(name)

    def get_name_scope(self) -> str:
        """The present scope, without a slash at its end."""
        return self._names.scope.removesuffix("/")

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

    @contextmanager
    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> Iterator[None]:
        """Operations recorded inside run after `control_inputs`.

        Args:
          control_inputs: tensors, operations or variables of this graph; those of graphs around
            it have run before. None: no dependencies, also none from outside.

        Raises: TypeError for anything else; ValueError for an element of another graph.
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
    def device(self, device_name: Any) -> Iterator[None]:
        """Notes, for the operations recorded inside, a device that the program asks for."""
        before = self._device
        self._device = "" if device_name is None else str(device_name)
        try:
            yield
        finally:
            self._device = before

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

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The graph as a `GraphDef`, with a library of the graphs that it carries.

        Args:
          from_version: only operations from this number on.
          add_shapes: whether each node lists the shapes of its outputs as `_output_shapes`.

        Raises: UnimplementedError that names the operation and its line if there is one that a
          GraphDef cannot say.
        """
        return _descriptions["graph_def"](self, from_version or 0, add_shapes)

    def optimized_graph_def(self) -> Any:
        """The graph after the passes, as a `GraphDef`; see `as_graph_def`.

        Operations stay single: they are put into groups only when the graph runs.
        """
        return _descriptions["optimized_graph_def"](self)

    @property
    def graph_def_versions(self) -> Any:
        """The versions that `as_graph_def` writes down."""
        return _descriptions["versions"]()

    def get_operations(self) -> list[Operation]:
        """The operations, in the order in which they run."""
        return list(self.operations)

    def _named(self) -> Mapping[str, Operation]:
        if len(self._by_name) != len(self.operations):
            self._by_name = {op.name: op for op in self.operations}
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
                raise _foreign(obj)
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


def _foreign(obj: Any) -> ValueError:
    kind = "Operation" if isinstance(obj, Operation) else "Tensor"
    return ValueError(f"{kind} {obj} is not an element of this graph.")
