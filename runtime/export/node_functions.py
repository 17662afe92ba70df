"""How nodes that carry functions are read: branches, loops and calls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.core.context import recording
from runtime.core.dispatch import infer
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, lookup
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.export.node import Node, unimplemented
from runtime.ops.define import call


def read_if(node: Node) -> tuple[SymbolicTensor, ...]:
    """A branch."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    attrs = {key: node.functions(node.attrs[key], specs) for key in ("then_branch", "else_branch")}
    if not node.inputs[0].dtype.is_bool:
        raise unimplemented(node.message, "its condition is no bool")
    return node.add(node.message.op, node.inputs, attrs)


def read_while(node: Node) -> tuple[SymbolicTensor, ...]:
    """A loop."""
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
        raise ValueError(f"the body of '{node.message.name}' gives other dtypes than it takes")


def read_call(node: Node) -> tuple[SymbolicTensor, ...]:
    """A call of a function."""
    function = node.functions(node.attrs["f"], [tensor.spec for tensor in node.inputs])
    return node.add(node.message.op, node.inputs, {"f": function})


def read_case(node: Node) -> tuple[SymbolicTensor, ...]:
    """A choice among several branches."""
    """Branches by number become branches by tests; another number means the last."""
    specs = [tensor.spec for tensor in node.inputs[1:]]
    branches = [node.functions(name, specs) for name in node.attrs["branches"]]
    stateless = node.message.op == "StatelessCase"
    chosen = branches[-1]
    for number in reversed(range(len(branches) - 1)):
        chosen = _either(node.inputs, number, branches[number], chosen, stateless)
    kind = "PartitionedCall" if stateless else "StatefulPartitionedCall"
    inputs = node.inputs if len(branches) > 1 else node.inputs[1:]
    return node.add(kind, inputs, {"f": chosen})


def _either(
    inputs: Sequence[SymbolicTensor], number: int, then: Graph, otherwise: Graph, stateless: bool
) -> Graph:
    """A function of all inputs: `then` if the first equals `number`, else `otherwise`."""
    graph = Graph(f"case_{number}")
    with recording(graph):
        index, *rest = [graph.add_input(tensor.spec, tensor.op.name) for tensor in inputs]
        takes_index = len(otherwise.inputs) == len(inputs)
        last = otherwise if takes_index else _ignoring(inputs[0].spec, otherwise)
        first = _ignoring(inputs[0].spec, then)
        test = call("Equal", index, np.array(number, np.int32))
        attrs = {"then_branch": first, "else_branch": last}
        operands = (test, index, *rest)
        kind = lookup("StatelessIf" if stateless else "If")
        outputs = graph.add(kind, operands, attrs, infer(kind, operands, attrs)).outputs
        graph.outputs = list(outputs)
    return graph


def _ignoring(index: TensorSpec, function: Graph) -> Graph:
    """The function with another argument before its own."""
    graph = Graph(function.name)
    with recording(graph):
        graph.add_input(index, "index")
        inputs = [graph.add_input(tensor.spec, tensor.op.name) for tensor in function.inputs]
        stateless = function.effect is Effect.NONE
        kind = lookup("PartitionedCall" if stateless else "StatefulPartitionedCall")
        attrs = {"f": function}
        graph.outputs = list(graph.add(kind, inputs, attrs, infer(kind, inputs, attrs)).outputs)
    return graph
