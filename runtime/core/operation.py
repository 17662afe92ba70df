"""Operations of a graph, and the order in which their effects happen."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import TYPE_CHECKING, Any, cast

from runtime.core.collected import Collected
from runtime.core.descriptions import describe
from runtime.core.opdef import Effect, OpDef
from runtime.core.places import Place
from runtime.core.sessions import session_for

if TYPE_CHECKING:
    from runtime.core.graph import Graph
    from runtime.core.symbolic import SymbolicTensor


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
        self.control_inputs: list[Operation] = []
        self.device = ""
        self.place = place

    @property
    def type(self) -> str:
        """The name of the op type."""
        return self.definition.name

    @property
    def effect(self) -> Effect:
        """How the operation, with the graphs it carries, touches anything but its outputs."""
        return strongest({self.definition.effect, *(graph.effect for graph in self.subgraphs())})

    def subgraphs(self) -> tuple[Graph, ...]:
        """The graphs among the attributes."""
        found = (value for value in self.attrs.values() if isinstance(value, Collected))
        return cast("tuple[Graph, ...]", tuple(found))  # graphs, and nothing else, are Collected

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
        return describe("attr", self, name)

    @property
    def node_def(self) -> Any:
        """The node that stands for the operation in a GraphDef."""
        return describe("node_def", self)

    @property
    def op_def(self) -> Any:
        """The inputs, outputs and attributes of the op type."""
        return describe("op_def", self)

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
        session_for(session, text, "run").run(self, feed_dict)

    def __repr__(self) -> str:
        """Gives `<tf.Operation 'add' type=AddV2>`."""
        return f"<tf.Operation '{self.name}' type={self.type}>"


def strongest(effects: Container[Effect]) -> Effect:
    """Return the effect that includes the others."""
    for effect in (Effect.WRITE, Effect.READ):
        if effect in effects:
            return effect
    return Effect.NONE


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
