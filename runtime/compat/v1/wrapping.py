"""Functions as version 1 wrote them, as one graph: `wrap_function`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from runtime.control_flow import forms
from runtime.core.context import creating_variables
from runtime.core.operation import Operation
from runtime.core.structure import flatten, unflatten
from runtime.function.arguments import Arguments
from runtime.function.concrete import ConcreteFunction
from runtime.function.signature import Signature
from runtime.function.trace_type import call_type
from runtime.function.tracing import trace
from runtime.state.subgraph import Part


class WrappedFunction(ConcreteFunction):
    """The graph of a function that `wrap_function` recorded; it keeps its variables alive.

    >>> import runtime as tf
    >>> double = wrap_function(lambda x: x * 2.0, [tf.TensorSpec([], tf.float32)])
    >>> print(double(tf.constant(3.0)))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    _held: Sequence[Any] = ()

    def hold(self, variables: Sequence[Any]) -> None:
        """Keeps variables alive that nothing else may hold."""
        self._held = variables

    def prune(
        self, feeds: Any, fetches: Any, name: str | None = None, input_signature: Any = None
    ) -> WrappedFunction:
        """The part of the graph between some tensors and others, as a function of its own.

        Args:
          feeds: the tensors of the graph, or their names, that become arguments, in this order.
          fetches: a structure of tensors, operations and names: what it gives, None for operations.
          name: the name of the function.
          input_signature: for each of `feeds` a spec that says more of it; None: as it is.

        Raises: KeyError, TypeError or ValueError if something is not in the graph;
          InvalidArgumentError if an argument is needed that is not fed.

        >>> import runtime as tf
        >>> def steps(x):
        ...     return tf.square(x, name="squared") + 1.0
        >>> graph = wrap_function(steps, [tf.TensorSpec([], tf.float32)])
        >>> print(graph.prune("squared:0", {"y": graph.outputs[0]})(tf.constant(3.0)))
        {'y': <tf.Tensor: shape=(), dtype=float32, numpy=4.0>}
        """
        captured = {id(tensor) for tensor in self.graph.inputs[len(self.graph.arguments) :]}
        named = [self.graph.as_graph_element(feed, allow_operation=False) for feed in _row(feeds)]
        fed = [tensor for tensor in named if id(tensor) not in captured]
        leaves, node = flatten(fetches)
        wanted = [self.graph.as_graph_element(leaf) for leaf in leaves]
        part = Part(self.graph, wanted, fed)
        graph = part.graph
        graph.name = name or "pruned"
        graph.captures = part.captured
        found = iter(graph.outputs)
        value = unflatten(
            node, [None if isinstance(item, Operation) else next(found) for item in wanted]
        )
        result = forms.expanded(forms.form_of(value))
        forms.refuse_conflicts(result, "It is part of what the function returns.")
        own = forms.tensors(result, value)
        graph.outputs = [graph.capture(own[place]) for place in forms.places_by_key(result)]
        specs = _row(input_signature) or [tensor.spec for tensor in graph.arguments]
        pruned = WrappedFunction(graph, _positional(graph.name, specs, graph), result)
        pruned.hold(self._held)
        return pruned


def _row(value: Any) -> list[Any]:
    return [] if value is None else flatten(value)[0]


def _positional(name: str, specs: Sequence[Any], graph: Any) -> Arguments:
    """Arguments that go by their position alone."""
    kind = inspect.Parameter.POSITIONAL_ONLY
    names = [f"arg_{number}" for number in range(len(specs))]
    signature = inspect.Signature([inspect.Parameter(each, kind) for each in names])
    return Arguments(name, signature, dict(zip(names, specs, strict=True)), graph)


def wrap_function(fn: Callable[..., Any], signature: Any, name: str | None = None) -> Any:
    """Records a function once, for arguments of these types, without converting it.

    Variables that it makes, also by `get_variable`, are made at once and belong to the result.
    What it does besides, such as assigning them, happens at each call in the order of the program.

    Args:
      fn: the function.
      signature: for each argument a spec, or a structure of specs.
      name: the name of the graph.

    Returns: a `ConcreteFunction` that can also give a part of itself, by `prune`.
    Raises: what the function raises; TypeError if the signature does not fit it.

    >>> import runtime.compat.v1 as tf
    >>> def count(x):
    ...     total = tf.get_variable("total", initializer=0.0)
    ...     return tf.assign_add(total, x)
    >>> counter = tf.wrap_function(count, [tf.TensorSpec([], tf.float32)])
    >>> print(counter(2.0).numpy(), counter(3.0).numpy())
    2.0 5.0
    """
    parameters = Signature(fn)
    arguments = parameters.bind(tuple(signature), {})
    key, _ = call_type(arguments)
    made: list[Any] = []
    label = name or "wrapped_function"
    with creating_variables(made.append):
        found = trace(fn, label, parameters, arguments, key.leaves, False, WrappedFunction)
    found.hold(made)
    return found
