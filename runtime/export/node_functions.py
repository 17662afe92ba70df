"""Import of nodes that carry functions: branches, loops and calls."""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.spec import spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.export.node import Node


def read_if(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a branch."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    attrs = {key: node.functions(node.attrs[key], specs) for key in ("then_branch", "else_branch")}
    if not node.inputs[0].dtype.is_bool:
        raise node.refuse("its condition is not a bool")
    return node.add(node.message.op, node.inputs, attrs)


def read_while(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a loop."""
    shapes = node.attrs["output_shapes"] or [None] * len(node.inputs)
    if len(shapes) != len(node.inputs):
        raise ValueError(
            f"node '{node.message.name}' has {len(node.inputs)} inputs and {len(shapes)} "
            "output_shapes"
        )
    specs = [spec_of(tensor.dtype, dims) for tensor, dims in zip(node.inputs, shapes, strict=True)]
    attrs = {key: node.functions(node.attrs[key], specs) for key in ("cond", "body")}
    _check_loop(node, attrs["body"])
    return node.add(node.message.op, node.inputs, {**attrs, "count": len(node.inputs)})


def _check_loop(node: Node, body: Graph) -> None:
    before = [tensor.dtype for tensor in node.inputs]
    if [tensor.dtype for tensor in body.outputs] != before:
        raise ValueError(f"the body of '{node.message.name}' returns other dtypes than it takes")


def read_call(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a call of a function."""
    function = node.functions(node.attrs["f"], [tensor.spec for tensor in node.inputs])
    return node.add(node.message.op, node.inputs, {"f": function})


def read_case(node: Node) -> tuple[SymbolicTensor, ...]:
    """Import a choice among several branches."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    graphs = [node.functions(name, specs) for name in node.attrs["branches"]]
    attrs = {f"branch{number}": graph for number, graph in enumerate(graphs)}
    return node.add(node.message.op, node.inputs, attrs)
