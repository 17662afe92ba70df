"""Operations of a graph, the order of their effects, and recursive references."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from runtime.core import dtypes
from runtime.core.opdef import Control, Effect, Failure, OpDef, Undefined
from runtime.core.places import Place
from runtime.core.shapes import element_count
from runtime.core.thread import session_for

if TYPE_CHECKING:
    from runtime.core.graph import Graph
    from runtime.core.symbolic import SymbolicTensor


class Finalized:
    """Base class of graphs, which operations know by this class alone."""

    def __init__(self) -> None:
        self.finalized = False

    def finalize(self) -> None:
        """Forbid further changes."""
        self.finalized = True

    def _require_unfinished(self) -> None:
        if self.finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")


class Operation:
    """One application of an op type to tensors.

    Attributes:
      graph: the graph that contains the operation.
      name: its name, unique in the graph.
      definition: the op type.
      inputs: the input tensors.
      attrs: static parameters of the computation, including carried graphs.
      outputs: the output tensors.
      strict: whether the program is one that sees the error of an operation of unread outputs.
      control_inputs: operations that must run first.
      device: the requested device, or an empty string.
      place: the line of the user's program that created it.

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
        "strict",
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
        """Create an operation without outputs; graphs add them."""
        self.graph = graph
        self.name = name
        self.definition = definition
        self.inputs = inputs
        self.attrs = dict(attrs)
        self.outputs: tuple[SymbolicTensor, ...] = ()
        self.control_inputs: list[Operation] = []
        self.device = ""
        self.place = place
        self.strict = False

    @property
    def type(self) -> str:
        """The name of the op type."""
        return self.definition.name

    @property
    def effect(self) -> Effect:
        """The strongest effect of the operation and of the graphs it carries."""
        own, graphs = self.definition.effect, self.subgraphs()
        return strongest({own, *(graph.effect for graph in graphs)}) if graphs else own

    @property
    def can_fail(self) -> bool:
        """True if its inputs may be wrong, which is no question of graphs that it carries."""
        definition = self.definition
        if definition.failure is Failure.NEVER or definition.carries:
            return False
        specs = [tensor.spec for tensor in (*self.inputs, *self.outputs)]
        if any(element_count(spec.dims) is None or spec.dtype is dtypes.string for spec in specs):
            return True
        safe = definition.safe
        return definition.failure is Failure.VALUES and (safe is None or not safe(self))

    @property
    def must_raise(self) -> bool:
        """True if it, or a graph it carries, may fail, and has to where nothing reads its outputs.

        So do Python's operators, see `Undefined`, and all operations of strict programs.
        """
        for graph in self.subgraphs():  # a generator would add to the depth
            if graph.must_raise:
                return True
        python, safe = self.definition.python, self.definition.safe
        if python is not None and python.undefined is not Undefined.NOWHERE:
            return safe is None or not safe(self)
        return self.strict and self.can_fail

    def subgraphs(self) -> tuple[Graph, ...]:
        """Return the graphs among the attributes."""
        if not self.definition.carries:
            return ()
        found = (value for value in self.attrs.values() if isinstance(value, Finalized))
        return cast("tuple[Graph, ...]", tuple(found))  # only graphs are Finalized

    def get_attr(self, name: str) -> Any:
        """Return an attribute. Raises ValueError if there is none of that name."""
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        return self.attrs[name]

    def values(self) -> tuple[SymbolicTensor, ...]:
        """Return the output tensors."""
        return self.outputs

    def run(self, feed_dict: Mapping[Any, Any] | None = None, session: object = None) -> None:
        """Run the operation and its dependencies in a Session.

        Args:
          feed_dict: values of placeholders and other tensors.
          session: the Session; None: the default one.

        Raises: ValueError if there is no Session.
        """
        text = "execute operation using `run()`"
        session_for(session, text, "run").run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


def strongest(effects: Container[Effect]) -> Effect:
    """Return the strongest effect: WRITE over READ over NONE."""
    for effect in (Effect.WRITE, Effect.READ):
        if effect in effects:
            return effect
    return Effect.NONE


class Operations(Finalized):
    """The operations of a graph in program order, and their joint effect; the base of `Graph`.

    Args:
      outer: the graph that encloses it, or None.
    """

    def __init__(self, outer: Graph | None) -> None:
        """Start without operations."""
        super().__init__()
        self.outer = outer
        self.operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._listed = self.operations
        self._count = 0
        self._effect = (0, Effect.NONE)
        self._raising = (0, False)

    @property
    def version(self) -> int:
        """A number that grows with every operation."""
        return len(self.operations)

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

    @property
    def effect(self) -> Effect:
        """The strongest effect of the operations."""
        # Cached by the number of operations: the cost of n nested graphs is linear in n.
        if self._effect[0] != len(self.operations):
            found = strongest({op.effect for op in self.operations})
            self._effect = (len(self.operations), found)
        return self._effect[1]

    @property
    def must_raise(self) -> bool:
        """True if an operation may fail, and has to where nothing reads its outputs."""
        if self._raising[0] != len(self.operations):
            found = False
            for op in self.operations:  # without a generator: see Operation.must_raise
                found = found or op.must_raise
            self._raising = (len(self.operations), found)
        return self._raising[1]

    def _forget_effects(self) -> None:
        """Invalidate the cached effect of this graph and of all graphs that enclose it."""
        for graph in self.enclosing():
            graph._effect = (0, Effect.NONE)

    def is_inside(self, other: Graph) -> bool:
        """Return whether `other` encloses this graph."""
        return other is not self and any(graph is other for graph in self.enclosing())

    def enclosing(self) -> Iterator[Graph]:
        """Yield this graph and the graphs that enclose it, the innermost first."""
        graph: Graph | None = cast("Graph", self)  # only graphs are Operations
        while graph is not None:
            yield graph
            graph = graph.outer


class EffectOrder:
    """Keeps effects in program order: a read waits for earlier writes, a write for earlier
    reads.
    """

    def __init__(self) -> None:
        """Start without effects."""
        self._write: Operation | None = None
        self._reads: list[Operation] = []

    def before(self, op: Operation) -> tuple[Operation, ...]:
        """Return the operations that must run before `op`, the next operation of the program."""
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


def is_loop(op: Operation) -> bool:
    """Return whether an operation is a loop."""
    return op.definition.control is Control.WHILE


class Callee:
    """A reference to the graph of a recursive function, used by calls inside that graph.

    The graph cannot be an attribute of its own operations: walks over carried graphs would not end.
    Callees compare by identity.

    Attributes:
      gradient: the gradient rule of calls; None until the first request.
    """

    __slots__ = ("gradient", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.gradient: Any = None

    def __repr__(self) -> str:
        return self.name
