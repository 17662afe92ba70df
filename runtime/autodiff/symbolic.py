"""Gradients of tensors in the graph being recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.tape import UnconnectedGradients, no_tensor
from runtime.backprop.walk import Gradient, dense, walk_back
from runtime.control_flow.rows import rows_of
from runtime.core import nest
from runtime.core.context import name_scope
from runtime.core.graph import Graph
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.creation import ones_like, zeros, zeros_like
from runtime.ops.array.dimensions import shape, size
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape
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
      ValueError: for an x that is not a tensor or variable.

    >>> import runtime as tf
    >>> @tf.function
    ... def slope(x):
    ...     return tf.gradients(x * x, x)
    >>> print(slope(tf.constant(3.0))[0])
    tf.Tensor(6.0, shape=(), dtype=float32)
    """
    graph = _graph("gradients")
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
        found = _by(graph, outputs, seeds, sources, stops)
        if unconnected is UnconnectedGradients.NONE:
            return found
        pairs = zip(found, sources, strict=True)
        return [zeros_like(source) if each is None else each for each, source in pairs]


def _by(
    graph: Graph,
    outputs: Sequence[SymbolicTensor],
    seeds: Sequence[Tensor],
    sources: Sequence[Any],
    stops: Sequence[SymbolicTensor] = (),
) -> list[Gradient | None]:
    inputs = [_own(graph, source) for source in sources]
    return walk_back(list(graph.operations), outputs, seeds, inputs, stops)


def _own(graph: Graph, source: Any) -> SymbolicTensor:
    """Return the tensor of the graph that represents a tensor or variable.

    Raises: ValueError for anything else.
    """
    if isinstance(source, Variable):
        return graph.capture(source.handle)
    if not isinstance(source, Tensor):
        raise no_tensor(source)
    return graph.capture(source)


def _graph(function: str) -> Graph:
    graph: Graph | None = STATE.graph
    if graph is None:
        raise RuntimeError(
            f"tf.{function} is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead, or call it inside a runtime.function."
        )
    return graph


def hessians(
    ys: object,
    xs: object,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    name: str | None = "hessians",
) -> list[Tensor]:
    """Return the Hessians of the sum of `ys` by each of `xs`.

    Args:
      ys, xs, name: as in `gradients`.
      gate_gradients, aggregation_method: ignored.

    Returns: For each x a tensor of shape `[*x.shape, *x.shape]`.

    Raises:
      RuntimeError: in eager mode.
      UnimplementedError: for an op without a gradient.
      ValueError: for an x on which no y depends, or that is not a tensor or variable.

    >>> import runtime as tf
    >>> @tf.function
    ... def curvature(x):
    ...     return tf.hessians(tf.reduce_sum(x**3), x)
    >>> print(curvature(tf.constant([1.0, 2.0]))[0].numpy())
    [[ 6.  0.]
     [ 0. 12.]]
    """
    graph = _graph("hessians")
    sources = nest.flatten(xs)
    with name_scope(name or "hessians"):
        pairs = zip(gradients(ys, sources), sources, strict=True)
        return [_hessian(graph, slope, source) for slope, source in pairs]


def _hessian(graph: Graph, slope: Gradient | None, source: object) -> Tensor:
    if slope is None:
        raise ValueError(f"no y depends on {source!r}, so there is no Hessian")
    output = graph.capture(dense(slope))
    dims = concat([shape(output), shape(output)], 0)

    def slopes_of(seed: Tensor) -> list[Gradient | None]:
        return _by(graph, [output], [seed], [source])

    (rows,) = rows_of(slopes_of, output, size(output))
    return zeros(dims, output.dtype) if rows is None else reshape(rows, dims)
