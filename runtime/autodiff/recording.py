"""Tapes: what each records, and the gradients of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from runtime.backprop.walk import Gradient, Step, carries_gradient, walk_back
from runtime.core.dispatch import Ran
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.places import user_place
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE, temporarily
from runtime.state.variable import Variable


class Tape:
    """The recorded steps that depend on followed tensors.

    Args:
      graph: record operations of this graph; None: record eager ops.
      follows_variables: whether to follow a trainable variable from its first use.
      orders: maximum number of nested gradients of one call.

    Attributes:
      graph: as given.
      watched: the tensors that the program, or reads of variables, watched; by the id of what
        represents them in the graph.
    """

    def __init__(self, graph: Graph | None, follows_variables: bool, orders: int) -> None:
        self.orders = orders
        self.steps: list[Step] = []
        self.variables: dict[int, Variable] = {}
        self.graph = graph
        self._follows_variables = follows_variables
        self._followed: dict[int, Tensor] = {}
        self.watched: dict[int, Tensor] = {}
        self._before = graph.operations[-1] if graph is not None and graph.operations else None

    def own(self, tensor: Tensor) -> Tensor:
        """Return the key of a tensor: in a graph, the tensor that captures it."""
        if self.graph is None:
            return tensor
        return self.graph.capture(tensor) if self.sees(tensor) else tensor

    def sees(self, tensor: Tensor) -> bool:
        """Return whether a tensor is eager, or of the graph or of one that encloses it."""
        if self.graph is None or not isinstance(tensor, SymbolicTensor):
            return True
        return tensor.graph is self.graph or self.graph.is_inside(tensor.graph)

    def follow(self, tensor: Tensor) -> None:
        """Record the steps that depend on a tensor from now on."""
        own = self.own(tensor)
        self._followed[id(own)] = own
        self.watched[id(own)] = tensor

    def is_followed(self, tensor: Tensor) -> bool:
        """Return whether the steps that depend on a tensor are recorded."""
        graph = self.graph
        is_own = graph is None or (isinstance(tensor, SymbolicTensor) and tensor.graph is graph)
        return id(tensor if graph is None or is_own else graph.known(tensor)) in self._followed

    def operations(self) -> Sequence[Operation]:
        """Return the operations of the graph since the tape began; none of an eager tape."""
        every = [] if self.graph is None else self.graph.operations
        found = (place for place, op in enumerate(every) if op is self._before)
        return every[next(found, -1) + 1 :]

    def watches(self, tensor: Tensor) -> bool:
        """Return whether steps that depend on an eager tensor are recorded, here or in the
        graph.
        """
        own = tensor if self.graph is None else self.graph.known(tensor)
        return id(own) in self._followed

    def follows(self, tensors: Iterable[Tensor]) -> list[bool]:
        """Return, for each eager tensor, whether steps that depend on it are recorded."""
        if self.graph is not None:
            return [False for _ in tensors]
        return [id(tensor) in self._followed for tensor in tensors]

    def note(self, graph: Graph | None, step: Step) -> None:
        """Record a step if it depends on a followed tensor."""
        if graph is not self.graph:
            return
        if not any(id(tensor) in self._followed for tensor in step.inputs):
            return
        made = [tensor for tensor in step.outputs if carries_gradient(tensor)]
        has_rule = step.definition.grad is not None or step.definition.backward is not None
        if isinstance(step, Ran) and made and not has_rule:
            step = step._replace(place=user_place())
        self._followed.update((id(tensor), tensor) for tensor in made)
        self.steps.append(step)

    def accessed(self, variable: Variable) -> None:
        """Follow a variable at its first read, if it is trainable and the tape follows
        variables.
        """
        if self._follows_variables and variable.trainable:
            self.follow_variable(variable)

    def follow_variable(self, variable: Variable) -> None:
        """Follow a variable."""
        self.variables[id(variable.handle)] = variable
        self.follow(variable.handle)


def noting(tape: Tape, watched: Iterable[Tensor] = ()) -> AbstractContextManager[None]:
    """Record the steps of the code inside that depend on the watched tensors."""
    for tensor in filter(carries_gradient, watched):
        tape.follow(tensor)
    return temporarily(tapes=(*STATE.tapes, tape))


def gradients_on(
    tape: Tape, targets: Sequence[Tensor], seeds: Sequence[Tensor], sources: Sequence[Tensor]
) -> list[Gradient | None]:
    """Return the gradients of targets by sources, from the recorded steps of a tape.

    A tensor that the tape does not follow is a constant, but has a gradient by itself.
    """
    own = [tape.own(target) for target in targets]
    wanted = [tape.own(source) for source in sources]
    found = walk_back(tape.steps, own, seeds, wanted)
    if all(map(tape.is_followed, wanted)):
        return found
    alone = walk_back((), own, seeds, wanted)
    triples = zip(wanted, found, alone, strict=True)
    return [one if tape.is_followed(source) else other for source, one, other in triples]
