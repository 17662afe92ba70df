"""Whether a value of a graph has a gradient in a program that runs line by line.

All outputs of PyTorch's operator `cond` require gradients if one of them does. So a buffer that a
branch sets to a detached tensor would keep the history of a call for the next one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Graph, Node
from torch.fx.experimental.proxy_tensor import (
    get_proxy_mode,
    get_proxy_slot,
    track_tensor_tree,
)

from autograph.adapters.torch_gradients import detached

_WITHOUT_GRADIENT = (".detach.", "_like.", ".new_", ".ones.", ".zeros.", ".full.")


def as_assigned(value: torch.Tensor, constants: Iterable[torch.Tensor]) -> Any:
    """Return a traced tensor that a buffer keeps, detached if no input gives it a gradient.

    Args:
      value: the tensor.
      constants: inputs without gradients.
    """
    mode = get_proxy_mode()
    node = mode and _node(value, mode.tracer)
    if mode is None or node is None:
        return value
    known = {_node(tensor, mode.tracer) for tensor in constants}
    return detached(value) if _sources(node.graph, mode.tracer.root)[node] <= known else value


def overwrite(tensor: torch.Tensor, value: torch.Tensor) -> None:
    """Give a tensor other elements at the end of a trace, which computes with a copy of the first.

    A gradient may save the copy, and the program may return it.
    """
    mode = get_proxy_mode()
    node = mode and _node(tensor, mode.tracer)
    if mode is None or node is None:
        tensor.copy_(value)
        return
    proxy = get_proxy_slot(tensor.clone(), mode.tracer).proxy
    next(each for each in node.graph.nodes if each.op != "placeholder").prepend(proxy.node)
    node.replace_all_uses_with(proxy.node, lambda user: user is not proxy.node)
    tensor.copy_(value)
    track_tensor_tree(tensor, proxy, constant=None, tracer=mode.tracer)


def _node(tensor: torch.Tensor, tracer: Any) -> Any:
    return get_proxy_slot(tensor, tracer, None, lambda slot: slot.proxy.node)


def _sources(graph: Graph, root: torch.nn.Module) -> dict[Node, set[Node]]:
    """Return the inputs of a graph that gradients reach from its nodes."""
    found: dict[Node, set[Node]] = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            found[node] = {node}
        elif node.target is operator.getitem and _is_choice(node.args[0]):
            choice, position = node.args
            read = _read_by_branches(choice, position, root)
            found[node] = set().union(*(found[each] for each in read))
        elif _has_gradient(node):
            found[node] = set().union(*(found[each] for each in node.all_input_nodes))
        else:
            found[node] = set()
    return found


def _is_choice(node: Node) -> bool:
    return node.target is torch.ops.higher_order.cond


def _read_by_branches(choice: Any, position: int, root: torch.nn.Module) -> set[Node]:
    """Return the operands of a `cond` that gradients reach from one of its results."""
    _, *names, operands = choice.args
    read: set[Node] = set()
    for name in names:
        branch: Any = getattr(root, name.target)
        inputs = [node for node in branch.graph.nodes if node.op == "placeholder"]
        (results,) = branch.graph.output_node().args
        reached = _sources(branch.graph, branch)[results[position]]
        read |= {operands[inputs.index(each)] for each in reached}
    return read


def _has_gradient(node: Node) -> bool:
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor) and not (value.is_floating_point() or value.is_complex()):
        return False
    return not any(part in str(node.target) for part in _WITHOUT_GRADIENT)
