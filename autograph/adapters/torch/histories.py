"""Whether a value of a graph has a gradient in a program that runs line by line.

All outputs of PyTorch's operator `cond` require gradients if one of them does. So a buffer that a
branch sets to a detached tensor would keep the history of a call for the next one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import Graph, Node, Proxy
from torch.fx.experimental.proxy_tensor import (
    get_proxy_mode,
    get_proxy_slot,
    track_tensor_tree,
)

from autograph.adapters.torch.gradients import detached

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
    nodes = [_node(tensor, mode.tracer) for tensor in constants]
    known = {_input(each) for each in nodes if each is not None} - {None}
    return detached(value) if _sources(node.graph, mode.tracer.root)[node] <= known else value


def overwrite(tensor: torch.Tensor, value: torch.Tensor) -> None:
    """Give a tensor other elements at the end of a trace, which computes with a copy of the first.

    A gradient may save the copy, and the program may return it.
    """
    mode = get_proxy_mode()
    now = mode and _node(tensor, mode.tracer)
    if mode is None or now is None:
        tensor.copy_(value)
        return
    first = _input(now)
    _track(tensor, first, mode.tracer)
    copy = _node(tensor.clone(), mode.tracer)
    next(each for each in first.graph.nodes if each.op != "placeholder").prepend(copy)
    first.replace_all_uses_with(copy, lambda user: user is not copy)
    tensor.copy_(value)
    _track(tensor, copy if now is first else now, mode.tracer)


def _track(tensor: torch.Tensor, node: Node, tracer: Any) -> None:
    """Let a node represent a tensor in a trace."""
    track_tensor_tree(tensor, Proxy(node, tracer), constant=None, tracer=tracer)


def _input(node: Any) -> Any:
    """Return the input that an operation such as `to` or `add_` returned; None if there is none."""
    while isinstance(node, Node) and node.op == "call_function":
        node = node.args[0]
    return node if isinstance(node, Node) else None


def _node(tensor: torch.Tensor, tracer: Any) -> Any:
    return get_proxy_slot(tensor, tracer, None, lambda slot: slot.proxy.node)


def _sources(graph: Graph, root: torch.nn.Module) -> dict[Node, set[Node]]:
    """Return the inputs of a graph that gradients reach from its nodes."""
    found: dict[Node, set[Node]] = {}
    for node in graph.nodes:
        if node.op == "placeholder":
            found[node] = {node}
        elif node.target is operator.getitem and node.args[0].target in _READ_BY:
            statement, position = node.args
            read = _READ_BY[statement.target](statement, position, root)
            found[node] = set().union(*(found[each] for each in read))
        elif _never_chooses(node):
            found[node] = found[node.args[2]]
        elif _has_gradient(node):
            found[node] = set().union(*(found[each] for each in node.all_input_nodes))
        else:
            found[node] = set()
    return found


def _never_chooses(node: Node) -> bool:
    """Return whether an operation is the one by which gradients enter a loop; see `_Gate`."""
    target = torch.ops.aten.where.self, torch.ops.aten.zeros.default
    return node.target is target[0] and node.args[0].target is target[1]


def _read_by_branches(choice: Any, position: int, root: torch.nn.Module) -> set[Node]:
    """Return the operands of a `cond` that gradients reach from one of its results."""
    _, *names, operands = choice.args
    found = (_inputs_read(getattr(root, name.target))[position] for name in names)
    return {operands[number] for read in found for number in read}


def _read_by_loop(loop: Any, position: int, root: torch.nn.Module) -> set[Node]:
    """Return the operands of a `while_loop` that gradients reach from one of its results."""
    _, body, variables, operands = loop.args
    read = _inputs_read(getattr(root, body.target))
    reached: set[int] = set()
    waiting = {position}
    while waiting:
        reached |= waiting
        iterated = (read[number] for number in waiting if number < len(read))
        waiting = set().union(*iterated) - reached
    return {(*variables, *operands)[number] for number in reached}


_READ_BY = {
    torch.ops.higher_order.cond: _read_by_branches,
    torch.ops.higher_order.while_loop: _read_by_loop,
}


def _inputs_read(function: Any) -> list[set[int]]:
    """Return for each result of a function the positions of the inputs that gradients reach."""
    inputs = [node for node in function.graph.nodes if node.op == "placeholder"]
    (results,) = function.graph.output_node().args
    sources = _sources(function.graph, function)
    return [{inputs.index(each) for each in sources[result]} for result in results]


def _has_gradient(node: Node) -> bool:
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor) and not (value.is_floating_point() or value.is_complex()):
        return False
    return not any(part in str(node.target) for part in _WITHOUT_GRADIENT)
