"""Gradients of tensors in the graph being recorded."""

from __future__ import annotations

from typing import Any

from runtime.autodiff.tape import UnconnectedGradients
from runtime.backprop.walk import walk_back
from runtime.core import nest
from runtime.core.context import name_scope
from runtime.core.graph import Graph
from runtime.core.symbolic import SymbolicTensor
from runtime.core.thread import STATE
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable import Variable


def gradients(
    ys: object,
    xs: object,
    grad_ys: object = None,
    name: str | None = "gradients",
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: object = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
) -> list[Any]:
    """Return the gradients of the sum of `ys` by each of `xs`, in the graph being recorded.

    Args:
      ys: a tensor or a list of tensors.
      xs: a tensor or variable, or a list of them.
      grad_ys: for each of `ys`, the weight of its gradients, of its shape; None: ones.
      name: the name scope.
      gate_gradients, aggregation_method: ignored.
      stop_gradients: tensors treated as constants.
      unconnected_gradients: whether an x on which no y depends yields None or zeros.

    Returns: For each of `xs` a tensor of its shape, or None.

    Raises:
      RuntimeError: in eager mode.
      UnimplementedError: for an op without a gradient.

    >>> import runtime as tf
    >>> @tf.function
    ... def slope(x):
    ...     return tf.gradients(x * x, x)
    >>> print(slope(tf.constant(3.0))[0])
    tf.Tensor(6.0, shape=(), dtype=float32)
    """
    graph: Graph | None = STATE.graph
    if graph is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead, or call it inside a runtime.function."
        )
    unconnected = UnconnectedGradients(unconnected_gradients)
    sources = nest.flatten(xs)
    outputs = [graph.capture(convert_to_tensor(y)) for y in nest.flatten(ys)]
    weights = [None] * len(outputs) if grad_ys is None else nest.flatten(grad_ys)
    if len(weights) != len(outputs):
        raise ValueError(f"Passed {len(weights)} grad_ys for {len(outputs)} ys")
    with name_scope(name or "gradients"):
        seeds = [
            ones_like(y) if weight is None else convert_to_tensor(weight, y.dtype)
            for y, weight in zip(outputs, weights, strict=True)
        ]
        stops = [_own(graph, each) for each in nest.flatten(stop_gradients or [])]
        inputs = [_own(graph, source) for source in sources]
        found = walk_back(list(graph.operations), outputs, seeds, inputs, stops)
        if unconnected is UnconnectedGradients.NONE:
            return found
        pairs = zip(found, sources, strict=True)
        return [zeros_like(source) if each is None else each for each, source in pairs]


def _own(graph: Graph, source: Any) -> SymbolicTensor:
    """Return the tensor of the graph that represents a tensor or variable."""
    return graph.capture(source.handle if isinstance(source, Variable) else source)
