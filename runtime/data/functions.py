"""Functions of a program on elements, as graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core import nest
from runtime.core.graph import Graph
from runtime.core.tensor import Tensor
from runtime.data.elements import as_element, specs_of, tensor_of, tensor_spec, value_of
from runtime.functions.conversion import converted
from runtime.functions.polymorphic import Function


class Traced:
    """A function on elements, recorded for elements of one kind.

    Args:
      function: takes an element; the parts of a tuple one by one.
      spec: the spec of the elements.
      name: the name of the function in messages, for instance `map`.

    Attributes:
      spec: the spec of its result.
      graph, captures: the graph, and the tensors from outside that it uses.
    """

    def __init__(self, function: Callable[..., Any], spec: object, name: str) -> None:
        if not callable(function):
            raise TypeError(f"{name} takes a function, not {function!r}")
        self.spec: Any = None
        target = function if isinstance(function, type) else converted(function)

        def program(*components: Tensor) -> tuple[Tensor, ...]:
            element = value_of(spec, components)
            given = target(*element) if type(element) is tuple else target(element)
            # A list is a tuple here: of what `decode_csv` and `unstack` return, not a tensor.
            result = as_element(tuple(given) if type(given) is list else given)
            self.spec = specs_of(result)
            return tuple(map(tensor_of, nest.flatten(result)))

        label = getattr(function, "__name__", name)
        specs = [tensor_spec(each) for each in nest.flatten(spec)]
        concrete = Function(program, label, autograph=False).get_concrete_function(*specs)
        self.graph: Graph = concrete.graph
        self.captures: Sequence[Tensor] = concrete.captured_inputs
