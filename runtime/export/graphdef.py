"""Export of graphs as `GraphDef`: nodes, and a library of the carried graphs."""

from __future__ import annotations

import itertools
import re
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import Control, Effect
from runtime.core.operation import Operation
from runtime.core.structural import CONST, IDENTITY, PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor
from runtime.export import attributes
from runtime.export.attributes import Elements
from runtime.export.messages import FunctionDef, GraphDef, Message, VersionDef
from runtime.export.nodes import Nodes, Place
from runtime.export.signatures import signature

PRODUCER, MIN_CONSUMER = 1882, 12
"""The producer and minimum consumer versions in exported graphs."""

_numbers = itertools.count(1)
_given: weakref.WeakKeyDictionary[Graph, int] = weakref.WeakKeyDictionary()

_BRANCHES = {"then_branch": "true", "else_branch": "false", "cond": "cond", "body": "body"}
_BOXED = (dtypes.resource, dtypes.variant)


def _number(graph: Graph) -> int:
    """Return a process-wide unique number of a graph."""
    if graph not in _given:
        _given[graph] = next(_numbers)
    return _given[graph]


class _Exporter:
    """Exports a graph and the functions that it needs."""

    def __init__(self, graph: Graph) -> None:
        self.message = GraphDef()
        self._elements = Elements(graph)
        self._written: dict[int, str] = {}

    def function(self, graph: Graph, label: str, passed: int = 0, scope: str = "") -> str:
        """Write a graph into the library, once, and return its name.

        The last `passed` inputs are appended to the results. Names in it begin with `scope`.
        """
        if id(graph) not in self._written:
            name = f"{_identifier(label)}_{_number(graph)}"
            self._written[id(graph)] = name
            written = _Body(self, graph, scope=scope).function(name, passed)
            self.message.library.function.append(written)
        return self._written[id(graph)]

    def elements_of(self, tensor: SymbolicTensor) -> Any:
        return self._elements.of(tensor)


class _Body:
    """Exports the operations of one graph."""

    def __init__(
        self, exporter: _Exporter, graph: Graph, in_function: bool = True, scope: str = ""
    ) -> None:
        self.nodes = Nodes(in_function)
        self._scope = scope
        self._exporter = exporter
        self._graph = graph
        self._refs: dict[int, Ref] = {}
        self._names: dict[int, str] = {}

    def function(self, name: str, passed: int) -> Message:
        """Return the graph as a function."""
        message = FunctionDef()
        message.signature.name = name
        for tensor in self._graph.inputs:
            own, scope = _identifier(tensor.op.name), self._scope and _identifier(self._scope)
            arg = self.nodes.names.unique(f"{scope}{own.removeprefix(scope)}".lower())
            message.signature.input_arg.add(name=arg, type=tensor.dtype.enum)
            self._refs[id(tensor)] = Ref(arg, tensor.dtype)
        inputs = {id(tensor.op) for tensor in self._graph.inputs}
        for op in self._graph.operations:
            if id(op) not in inputs:
                self.write(op)
        kept = self._graph.inputs[len(self._graph.inputs) - passed :] if passed else []
        refs = [
            *map(self._result, self._graph.outputs),
            *(self._refs[id(tensor)] for tensor in kept),
        ]
        message.node_def.extend(self.nodes.found)
        self._results(message, refs)
        return message

    def _result(self, tensor: SymbolicTensor) -> Ref:
        """Return an `Identity` of a result, so that each result has its own name."""
        ref = self._refs[id(tensor)]
        if tensor.op.definition is IDENTITY:
            return ref
        name = self.nodes.names.unique(f"{self._scope}Identity")
        return self.nodes.add("Identity", [ref], {}, name)[0]

    def _results(self, message: Message, refs: Sequence[Ref]) -> None:
        names = Nodes(True).names
        for arg in message.signature.input_arg:
            names.mark(arg.name)
        for ref in refs:
            result = names.unique(_identifier(ref.node).lower())
            message.signature.output_arg.add(name=result, type=ref.dtype.enum)
            message.ret[result] = self.nodes.reference(ref)
        for op in self._graph.operations:
            if op.effect is Effect.WRITE:
                name = self._names[id(op)]
                message.signature.control_output.append(name)
                message.control_ret[name] = name
        message.signature.is_stateful = self._graph.effect is not Effect.NONE

    def write(self, op: Operation) -> None:
        """Write one operation."""
        name = self.nodes.names.unique(f"{self._scope}{op.name}")
        self._names[id(op)] = name
        inputs = [self._refs[id(tensor)] for tensor in op.inputs]
        waits = [self._names[id(other)] for other in op.control_inputs if id(other) in self._names]
        try:
            refs = self._written(op, name, inputs, waits)
        except ValueError as error:
            raise _refused(op, str(error)) from None
        self._refs.update(zip(map(id, op.outputs), refs, strict=False))

    def _written(
        self, op: Operation, name: str, inputs: list[Ref], waits: Sequence[str]
    ) -> list[Ref]:
        place = Place(self.nodes, op, inputs, name, waits, self._exporter.elements_of)
        match op.definition.control:
            case Control.IF:
                return self._if(place)
            case Control.CASE:
                return self._case(place)
            case Control.WHILE:
                return self._while(place)
            case Control.CALL:
                return self._call(place)
            case Control.RECURSION | Control.RECUR:
                raise ValueError(
                    "TensorFlow has no op for a function that calls itself on tensors; write the "
                    "recursion as a loop"
                )
        spec = op.outputs[0].spec if op.outputs else None
        if op.definition is PLACEHOLDER and spec is not None:
            return place.main("Placeholder", (), dtype=spec.dtype, shape=spec.dims)
        if op.definition is CONST and spec is not None:
            return place.main("Const", (), value=np.asarray(op.attrs["value"]), dtype=spec.dtype)
        write = op.definition.node.write
        return _plain(place) if write is None else write(place)

    def _branch(self, place: Place, attr: str, passed: int = 0) -> str:
        label = f"{place.name}_{_BRANCHES.get(attr, attr)}"
        graph = place.op.attrs[attr]
        return self._exporter.function(graph, label, passed, scope=f"{place.name}/")

    def _if(self, place: Place) -> list[Ref]:
        op = place.op
        return place.main(
            op.type,
            place.inputs,
            Tout=[tensor.dtype for tensor in op.outputs],
            then_branch=self._branch(place, "then_branch"),
            else_branch=self._branch(place, "else_branch"),
            output_shapes=[tensor.spec.dims for tensor in op.outputs],
            **_lowering(),
        )

    def _case(self, place: Place) -> list[Ref]:
        op = place.op
        graphs = [attr for attr, value in op.attrs.items() if isinstance(value, Graph)]
        return place.main(
            op.type,
            place.inputs,
            Tout=[tensor.dtype for tensor in op.outputs],
            branches=[self._branch(place, attr) for attr in graphs],
            output_shapes=[tensor.spec.dims for tensor in op.outputs],
            **_lowering(),
        )

    def _while(self, place: Place) -> list[Ref]:
        """Write a loop; TensorFlow's loop carries captures too, which pass through unchanged."""
        op = place.op
        passed = len(op.inputs) - op.attrs["count"]
        captured = [tensor.spec.dims for tensor in op.inputs[op.attrs["count"] :]]
        refs = place.main(
            op.type,
            place.inputs,
            cond=self._branch(place, "cond"),
            body=self._branch(place, "body", passed),
            output_shapes=[*(tensor.spec.dims for tensor in op.outputs), *captured],
            **_lowering(),
        )
        return refs[: op.attrs["count"]]

    def _call(self, place: Place) -> list[Ref]:
        graph = place.op.attrs["f"]
        name = self._exporter.function(graph, f"__inference_{graph.name}")
        return place.main(place.op.type, place.inputs, f=name)

    def capture(self, tensor: SymbolicTensor, value: object) -> None:
        """Write an input of a function whose value is known as a constant."""
        name = self.nodes.names.unique(tensor.op.name)
        self._names[id(tensor.op)] = name
        attrs = {"value": np.asarray(value), "dtype": tensor.dtype}
        self._refs[id(tensor)] = self.nodes.add("Const", (), attrs, name)[0]


def _lowering() -> dict[str, Any]:
    return {
        "_lower_using_switch_merge": ("bool", True),
        "_read_only_resource_inputs": ("list(int)", ()),
    }


def _plain(place: Place) -> list[Ref]:
    op, form = place.op, place.op.definition.node
    op_type = _type_of(op)
    if signature(op_type) is None:
        raise ValueError("TensorFlow has no such op type")
    for attr, only in form.fixed.items():
        if op.attrs[attr] != only:
            raise ValueError(f"TensorFlow's has no attribute {attr} = {op.attrs[attr]!r}")
    inputs = list(place.inputs)
    for moved in form.moved:
        constant = place.constant(moved.array(op.attrs[moved.attr], op), moved.name)
        inputs.insert(len(inputs) if moved.position < 0 else moved.position, constant)
    return place.main(op_type, inputs, **dict(_attrs(op, form)))


def _type_of(op: Operation) -> str:
    """Return TensorFlow's op type."""
    own = op.definition.node.type
    return own(op) if callable(own) else own or op.type


def _attrs(op: Operation, form: NodeForm) -> Iterator[tuple[str, Any]]:
    elsewhere = {moved.attr for moved in form.moved} | set(form.fixed) | set(form.omitted)
    for name, value in op.attrs.items():
        if name not in elsewhere:
            encode = form.encode.get(name)
            yield form.renamed.get(name, name), value if encode is None else encode(value)


def _identifier(name: str) -> str:
    cleaned = re.sub(r"\W", "_", name)
    return cleaned if re.match(r"[A-Za-z_]", cleaned) else f"f_{cleaned}"


def _refused(op: Operation, reason: str) -> UnimplementedError:
    place = f"\n  made at {op.place}" if op.place else ""
    return UnimplementedError.of(
        f"operation {op.name} ({op.type}) cannot be written to a GraphDef: {reason}{place}",
        op,
    )


def graph_def(graph: Graph, from_version: int | None = None, add_shapes: bool = False) -> Message:
    """Return a graph as a `GraphDef`, with a library of the graphs that it carries.

    Public as `Graph.as_graph_def`.

    Args:
      graph: the graph.
      from_version: only operations from this number on.
      add_shapes: whether each node lists the shapes of its outputs as `_output_shapes`.

    Raises:
      UnimplementedError: for an operation that a GraphDef cannot represent; names its line.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0) + 2.0
    >>> [node.name for node in graph_def(graph).node]
    ['Const', 'add/y', 'add']
    """
    exporter = _Exporter(graph)
    body = _Body(exporter, graph, in_function=False)
    captured = dict(zip(map(id, graph.inputs[len(graph.arguments) :]), graph.captures, strict=True))
    before = 0
    for number, op in enumerate(graph.operations):
        if number == from_version:
            before = len(body.nodes.found)
        value = captured.get(id(op.outputs[0])) if op.definition is PLACEHOLDER else None
        if isinstance(value, EagerTensor) and value.dtype not in _BOXED:
            body.capture(op.outputs[0], value.array)
        else:
            body.write(op)
    if graph.building_function:
        _name_arguments(graph, body.nodes.found)
    message = exporter.message
    message.node.extend(body.nodes.found[before:])
    message.versions.CopyFrom(VersionDef(producer=PRODUCER, min_consumer=MIN_CONSUMER))
    if add_shapes:
        _add_shapes(graph, message)
    return message


def _name_arguments(graph: Graph, nodes: Sequence[Message]) -> None:
    found = {node.name: node for node in nodes}
    for tensor in graph.arguments:
        node = found[tensor.op.name]
        label = tensor.op.name.encode()
        node.attr["_user_specified_name"].CopyFrom(attributes.attr_message("string", label))


def _add_shapes(graph: Graph, message: Message) -> None:
    found = {node.name: node for node in message.node}
    for op in graph.operations:
        if op.name in found:
            shapes = attributes.attr_message(
                "list(shape)", [tensor.spec.dims for tensor in op.outputs]
            )
            found[op.name].attr["_output_shapes"].CopyFrom(shapes)
