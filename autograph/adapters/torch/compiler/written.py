"""Tensors that a compiled function changes, and the values that its gradient saves of them.

`torch.compile` saves an input of a graph for the gradient, and computes what follows from it anew
there. It does so too with an input that the graph changes, whose first value is lost by then: up to
PyTorch 2.15 `self.calls += 1; return x * self.calls` has twice its gradient after a call. So the
graph works on a copy by an operator that is never computed anew, and writes it back at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import GraphModule, Node

from autograph.adapters.refusals import Place, refusal
from autograph.adapters.torch.arrays import place


@torch.library.custom_op("autograph::copy_at_start", mutates_args=())
def copy_at_start(x: torch.Tensor) -> torch.Tensor:
    """Return a copy that a gradient saves."""
    return x.clone()


copy_at_start.register_fake(torch.clone)
copy_at_start.register_autograd(lambda _, gradient: gradient)


def read_inputs(graph: GraphModule, changed: Iterable[int]) -> list[Node]:
    """Return those of the inputs that a graph changes of which it may compute with the elements."""
    inputs = _inputs(graph)
    return [inputs[number] for number in changed if not _is_only_written(inputs[number])]


def work_on_copies(graph: GraphModule, changed: Iterable[Node], where: Place | None) -> None:
    """Let a graph change copies of inputs, and write these back.

    Args:
      graph: traced with the values of its nodes.
      changed: the inputs.
      where: the function that it is traced from.
    Raises: StagingError if a copy would hide a change from another input, or from a result.
    """
    inputs = _inputs(graph)
    *nodes, output = graph.graph.nodes
    results = [node for node in output.all_input_nodes if node not in inputs]
    for node in changed:
        others = [each for each in (*inputs, *results) if each is not node]
        if place(_value(node)) in map(place, _tensors(others)):
            raise refusal(
                "a compiled function changes a tensor that shares elements with another tensor "
                "from outside, or with a result.",
                "Return a copy, for instance by `.clone()`, or compile under torch.no_grad().",
                RuntimeError,
                where,
            )
        _work_on_copy(graph.graph, node, nodes[len(inputs)], output)
    graph.recompile()


def _inputs(graph: GraphModule) -> list[Node]:
    return [node for node in graph.graph.nodes if node.op == "placeholder"]


def _work_on_copy(graph: torch.fx.Graph, node: Node, first: Node, output: Node) -> None:
    with graph.inserting_before(first):
        copy = graph.call_function(torch.ops.autograph.copy_at_start.default, (node,))
    node.replace_all_uses_with(copy, lambda user: user is not copy)
    with graph.inserting_before(output):
        detach = torch.ops.aten.detach.default
        mine, theirs = (graph.call_function(detach, (each,)) for each in (copy, node))
        graph.call_function(torch.ops.aten.copy_.default, (theirs, mine))


def _is_only_written(node: Node) -> bool:
    """Return whether one operation changes an input, and no other one sees its elements."""
    if len(node.users) != 1:
        return False
    (user,) = node.users
    if not user.users:
        return True
    made = _tensors([user])
    return bool(made) and place(made[0]) != place(_value(node))


def _tensors(nodes: Iterable[Node]) -> list[Any]:
    values = map(_value, nodes)
    return [value for value in values if isinstance(value, torch.Tensor)]


def _value(node: Node) -> Any:
    return node.meta.get("val")
