"""A function of a staged statement as a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.fx import GraphModule, Interpreter
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx

from autograph.adapters.layout import leaves_of, with_arrays
from autograph.adapters.possibly import resolved
from autograph.adapters.torch.arrays import FORMS, copied_as, place, untraced
from autograph.adapters.torch.gradients import transformation_inside
from autograph.adapters.torch.no_grad import is_on_anywhere
from autograph.adapters.torch.outside import Scope, operand_name, refuse_shared, taken
from autograph.values import Array


class Found:
    """A function as a graph: what it takes from outside, what it changes there, and what it gives.

    Args:
      function: of tensors; runs once.
      own: samples of its arguments.
    """

    def __init__(self, function: Callable[..., tuple[Any, ...]], own: Sequence[Any]) -> None:
        scope = Scope(own)
        self.values: tuple[Any, ...] = ()

        def run(*own: object) -> list[Any]:
            scope.tracer = getattr(get_proxy_mode(), "tracer", None)
            with scope.entered():
                self.values = resolved(function(*own))
                leaves = leaves_of(FORMS, self.values)
                given = list(map(taken, filter(torch.is_tensor, leaves)))
            return [*given, *map(scope.stand_in, scope.changed.values())]

        mode = get_proxy_mode()
        with untraced():
            above = mode.pre_dispatch or bool(transformation_inside())
            self._graph = make_fx(run, pre_dispatch=above)(*own)
        self.outside = scope.outside
        self.changed = scope.changed
        self.own_changed = scope.own_changed
        self.retired = scope.retired()
        self._stand_in = scope.stand_in
        self._partners = scope.partners
        refuse_shared(self.changed.values(), list(self.outside.values()))

    def place(self, tensor: object) -> int:
        """Where the elements of a tensor were in the function."""
        return place(self._stand_in(tensor))

    def sources(self, originals: Sequence[Any], arrays: Sequence[Any]) -> list[list[Any]]:
        """For each original the tensors from outside, and other arrays, that show its elements.

        Args:
          originals: what the function gives.
          arrays: the outputs of the statement, in that order.
        """
        places = [self._places(each) if torch.is_tensor(each) else set() for each in originals]
        known = [({self.place(each)}, each) for each in self.outside.values()]
        known += zip(places, arrays, strict=False)
        return [
            [each for others, each in known if others & own and each is not array]
            for own, array in zip(places, arrays, strict=False)
        ]

    def _places(self, tensor: Array) -> set[int]:
        """Where the elements of a tensor may have been in the function."""
        others = (other for other, _ in self._partners(tensor) if other is not None)
        return set(map(self.place, (tensor, *others)))

    def run(
        self, own: Sequence[Any], operands: Mapping[int, Any]
    ) -> tuple[tuple[Any, ...], dict[int, Any]]:
        """Run the graph of the function; return its values, and what has changed outside.

        Args:
          own: its arguments.
          operands: what represents the tensors from outside, by their identity.
        """
        given = {
            operand_name(tensor): copied_as(self._stand_in(tensor), operands[key])
            if key in self.changed
            else operands[key]
            for key, tensor in self.outside.items()
        }
        # Under `no_grad` the graph detaches what the function has computed.
        with torch.set_grad_enabled(is_on_anywhere()):
            outputs = iter(_Run(self._graph, given).run(*own, enable_io_processing=False))
        values = tuple(with_arrays(FORMS, value, outputs) for value in self.values)
        return values, dict(zip(self.changed, outputs, strict=True))


class _Run(Interpreter):
    """Runs the graph of a function on its arguments and on operands, given by name."""

    def __init__(self, graph: GraphModule, operands: Mapping[str, Any]) -> None:
        super().__init__(graph)
        self._operands = operands

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Return an operand or an argument."""
        if target in self._operands:
            return self._operands[target]
        return super().placeholder(target, args, kwargs)
