"""`ConcreteFunction.inference_fn`: a graph as a function of tensors only."""

from __future__ import annotations

from typing import Any, Protocol

from runtime.core.graph import Graph
from runtime.core.nest import flatten
from runtime.core.tensor import Tensor
from runtime.functions.function_type import FunctionType


class _Concrete(Protocol):
    graph: Graph

    @property
    def function_type(self) -> FunctionType:
        """Parameters, result and captures."""

    @property
    def function_def(self) -> Any:
        """The graph as a function of a `GraphDef`."""

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Run the graph on arguments."""

    def call_flat(self, tensors: list[Tensor]) -> Any:
        """Run the graph on tensors."""


class AtomicFunction:
    """The graph of a `ConcreteFunction`, and ways to run it.

    Attributes:
      graph: the graph.

    >>> import runtime as tf
    >>> double = tf.function(lambda x: {"y": x * 2.0})
    >>> atomic = double.get_concrete_function(tf.TensorSpec([])).inference_fn
    >>> atomic.call_flat(tf.constant(3.0)), atomic(tf.constant(3.0))["y"].numpy()
    ([<tf.Tensor: shape=(), dtype=float32, numpy=6.0>], np.float32(6.0))
    """

    def __init__(self, concrete: _Concrete) -> None:
        """Store the concrete function."""
        self._concrete = concrete
        self.graph = concrete.graph

    @property
    def name(self) -> bytes:
        """The name of the function in a `GraphDef`. Raises UnimplementedError like `definition`."""
        return str(self.definition.signature.name).encode()

    @property
    def function_type(self) -> FunctionType:
        """Parameters, result and captures."""
        return self._concrete.function_type

    @property
    def definition(self) -> Any:
        """The graph as a function of a `GraphDef`; see `ConcreteFunction.function_def`."""
        return self._concrete.function_def

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Run the graph on arguments, as the `ConcreteFunction` does."""
        return self._concrete(*args, **kwargs)

    def call_flat(self, *tensors: Tensor) -> list[Tensor]:
        """Run the graph on its tensor arguments, in order; return the tensors of the result."""
        return flatten(self._concrete.call_flat(list(tensors)))
