"""Import of `GraphDef`: nodes become operations of the graph being recorded."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from runtime.core.context import get_default_graph, recording
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.export.messages import FunctionDef, GraphDef, NodeDef
from runtime.export.reading import Read, read_node
from runtime.export.tensors import dtype_of

_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")

_DEPTH = 64
"""Maximum depth of calls between functions of a library."""


@dataclass
class _Source:
    """Nodes in topological order.

    Attributes:
      nodes: the nodes.
      outputs: for each imported node, its tensors and its operation, by name.
      arguments: tensors that nodes read by name and no node produces.
    """

    nodes: list[NodeDef]
    outputs: dict[str, Read] = field(default_factory=dict)
    arguments: dict[str, SymbolicTensor] = field(default_factory=dict)


class _Importer:
    """Imports one message into one graph."""

    def __init__(self, message: GraphDef, prefix: str, mapped: Mapping[str, Tensor]) -> None:
        self._functions = _library(message.library.function)
        self._built: dict[Any, Graph] = {}
        self._building: list[str] = []
        self._prefix = prefix
        self._mapped = mapped
        self.used: set[str] = set()

    def read(self, source: _Source, in_function: bool = False) -> None:
        """Import nodes into the graph being recorded."""
        for node in source.nodes:
            data = [name for name in node.input if not name.startswith("^")]
            inputs = [self._tensor(source, node, name, in_function) for name in data]
            waits = [self._waited(source, name) for name in node.input[len(data) :]]
            found = [op for op in waits if op is not None]
            graph = get_default_graph()
            with graph.control_dependencies(None), graph.control_dependencies(found):
                prefix = "" if in_function else self._prefix
                source.outputs[node.name] = read_node(
                    node, inputs, f"{prefix}{node.name}/", self.function
                )

    def _tensor(
        self, source: _Source, node: NodeDef, name: str, in_function: bool
    ) -> SymbolicTensor:
        if not in_function:
            return self._of_node(source, node, name)
        if name in source.arguments:
            return source.arguments[name]
        made, port, index = (*name.split(":"), "", "")[:3]
        read = source.outputs[made]
        return _output(read.named.get(port, [])[:], index, node.name, name)

    def _of_node(self, source: _Source, node: NodeDef, name: str) -> SymbolicTensor:
        made, _, index = name.partition(":")
        key = f"{made}:{index or 0}"
        if key in self._mapped:
            self.used.add(key)
            return get_default_graph().capture(self._mapped[key])
        outputs = source.outputs[made].tensors
        number = int(index or 0)
        if number >= len(outputs):
            raise ValueError(
                f"Node '{node.name}': Connecting to invalid output {number} of source node {made} "
                f"which has {len(outputs)} outputs."
            )
        return outputs[number]

    def _waited(self, source: _Source, name: str) -> Operation | None:
        read = source.outputs.get(name[1:].partition(":")[0])
        if read is None:
            self.used.add(name)
            mapped = self._mapped.get(name)
            return mapped.op if isinstance(mapped, SymbolicTensor) else None
        return read.operation

    def function(self, name: str, specs: Sequence[TensorSpec]) -> Graph:
        """Return a function of the library, for arguments of these specs.

        Raises:
          ValueError: if there is no function of that name, or it calls itself.
        """
        key = (name, tuple(specs))
        if key not in self._built:
            message = self._functions.get(name)
            if message is None:
                raise ValueError(f"Function {name} is not defined.")
            if name in self._building:
                raise ValueError(f"Function {name} calls itself.")
            if len(self._building) >= _DEPTH:
                raise ValueError(f"Functions call each other more than {_DEPTH} deep.")
            self._building.append(name)
            self._built[key] = self._body(message, specs)
            self._building.pop()
        return self._built[key]

    def _body(self, message: FunctionDef, specs: Sequence[TensorSpec]) -> Graph:
        declared = message.signature
        if len(specs) != len(declared.input_arg):
            raise ValueError(
                f"Function {declared.name} takes {len(declared.input_arg)} arguments, not "
                f"{len(specs)}."
            )
        graph = Graph(declared.name)
        source = _Source(_ordered(message.node_def, {arg.name for arg in declared.input_arg}, True))
        with recording(graph):
            for arg, spec in zip(declared.input_arg, specs, strict=True):
                if dtype_of(arg.type) is not spec.dtype:
                    raise ValueError(
                        f"Function {declared.name} takes {dtype_of(arg.type).name} as "
                        f"{arg.name}, not {spec.dtype.name}."
                    )
                source.arguments[arg.name] = graph.add_input(spec, arg.name)
            self.read(source, in_function=True)
            graph.outputs = [self._result(source, message, arg.name) for arg in declared.output_arg]
        return graph

    def _result(self, source: _Source, message: FunctionDef, name: str) -> SymbolicTensor:
        held = message.ret.get(name)
        if held is None:
            raise ValueError(f"Function {message.signature.name} does not return {name}.")
        if held.partition(":")[0] not in {**source.outputs, **source.arguments}:
            raise ValueError(
                f"Function {message.signature.name} returns {held}, which is not there."
            )
        return self._tensor(source, NodeDef(name=name), held, in_function=True)


def _output(
    tensors: Sequence[SymbolicTensor], index: str, reader: str, name: str
) -> SymbolicTensor:
    if not index.isdigit() or int(index) >= len(tensors):
        raise ValueError(f"Node '{reader}': there is no output {name}.")
    return tensors[int(index)]


def _library(functions: Iterable[FunctionDef]) -> dict[str, FunctionDef]:
    found: dict[str, FunctionDef] = {}
    for function in functions:
        name = function.signature.name
        if found.get(name, function) != function:
            raise ValueError(f"Function {name} is defined twice, in different ways.")
        found[name] = function
    return found


def _ordered(
    nodes: Sequence[NodeDef], given: Iterable[str], in_function: bool = False
) -> list[NodeDef]:
    """Return the nodes in topological order. Raises ValueError for a cycle."""
    known = set(given)
    by_name: dict[str, NodeDef] = {}
    for node in nodes:
        if not _NAME.match(node.name) and not in_function:
            raise ValueError(f"Node '{node.name}': Node name contains invalid characters")
        if node.name in by_name:
            raise ValueError(f"Node '{node.name}' is not unique")
        by_name[node.name] = node
    missing = {node.name: _reads(node, by_name, known) for node in nodes}
    readers: dict[str, list[str]] = {}
    for name, reads in missing.items():
        for read in reads:
            readers.setdefault(read, []).append(name)
    ready = [node.name for node in reversed(nodes) if not missing[node.name]]
    order: list[NodeDef] = []
    while ready:
        name = ready.pop()
        order.append(by_name[name])
        for reader in reversed(readers.get(name, [])):
            missing[reader].discard(name)
            if not missing[reader]:
                ready.append(reader)
    if len(order) < len(nodes):
        raise ValueError(f"{len(nodes) - len(order)} nodes in a cycle")
    return order


def _reads(node: NodeDef, by_name: Mapping[str, NodeDef], known: set[str]) -> set[str]:
    """Return the nodes that a node depends on."""
    found: set[str] = set()
    is_control = False
    for name in node.input:
        if is_control and not name.startswith("^"):
            raise ValueError(
                f"Node '{node.name}': Control dependencies must come after regular dependencies"
            )
        is_control = name.startswith("^")
        made, _, index = name.removeprefix("^").partition(":")
        if made in known or f"{made}:{index or 0}" in known or name in known:
            continue
        if made not in by_name:
            raise ValueError(f"Node '{node.name}': Unknown input node '{name}'")
        if index and not index.split(":")[-1].isdigit():
            raise ValueError(f"Node '{node.name}': there is no output {name}")
        found.add(made)
    return found


def import_graph_def(
    graph_def: GraphDef,
    input_map: Mapping[str, Any] | None = None,
    return_elements: Sequence[str] | None = None,
    name: str | None = None,
    op_dict: object = None,
    producer_op_list: object = None,
) -> list[SymbolicTensor | Operation] | None:
    """Add the operations of a `GraphDef` to the default graph.

    Args:
      graph_def: the message.
      input_map: tensors that replace outputs of nodes, by their names in `graph_def`.
      return_elements: names of nodes or outputs to return.
      name: prefix of the names; None: "import"; "": no prefix.
      op_dict, producer_op_list: ignored.

    Returns:
      The operations and tensors of `return_elements`; None without `return_elements`.

    Raises:
      TypeError: if `graph_def` is not a `GraphDef`.
      ValueError: if the nodes do not form a valid graph.
      NotFoundError: for an op type that does not exist.
      UnimplementedError: for an op type that the runtime does not support.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     x = tf.constant(1.0, name="x") + 2.0
    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     (y,) = import_graph_def(graph.as_graph_def(), return_elements=["add:0"])
    ...     print(y.name, session.run(y, {"import/x:0": 5.0}))
    import/add:0 7.0
    """
    if not isinstance(graph_def, GraphDef):
        raise TypeError("Argument `graph_def` must be a GraphDef proto.")
    wanted = _names_of(return_elements)
    mapped = _mapping(input_map or {})
    graph = get_default_graph()
    with graph.as_default():
        prefix = _prefix(graph, name)
        importer = _Importer(graph_def, prefix, mapped)
        source = _Source(_ordered(graph_def.node, mapped))
        importer.read(source)
    unused = [
        key for key in mapped if key not in importer.used and _made(key) not in source.outputs
    ]
    if unused:
        raise ValueError(
            f"Attempted to map inputs that were not found in graph_def: [{', '.join(unused)}]"
        )
    return None if return_elements is None else [_returned(source, key) for key in wanted]


def _made(key: str) -> str:
    return key.removeprefix("^").partition(":")[0]


def _prefix(graph: Graph, name: str | None) -> str:
    scope = graph.get_name_scope()
    outer = f"{scope}/" if scope else ""
    if name == "":
        return outer
    if name is not None and name.endswith("/"):
        return name
    return f"{graph.unique_name(name or 'import')}/"


def _names_of(return_elements: Any) -> list[str]:
    if return_elements is None:
        return []
    if isinstance(return_elements, str) or not all(isinstance(n, str) for n in return_elements):
        raise TypeError(
            f"Argument `return_elements` must be a list of strings. Obtained {return_elements}."
        )
    return list(return_elements)


def _mapping(input_map: Mapping[str, Any]) -> dict[str, Tensor]:
    if not isinstance(input_map, Mapping):
        raise TypeError(
            f"Argument `input_map` must be a dictionary. Obtained {type(input_map).__name__}"
        )
    found: dict[str, Tensor] = {}
    for key, value in input_map.items():
        if not isinstance(key, str):
            raise TypeError(
                f"Argument `input_map` must be a dictionary with strings as keys: {key}"
            )
        held = value if isinstance(value, Tensor) else get_default_graph().as_graph_element(value)
        if not isinstance(held, Tensor):
            raise TypeError(f"Argument `input_map` maps {key} to {value}, which is not a tensor.")
        found[key if ":" in key or key.startswith("^") else f"{key}:0"] = held
    return found


def _returned(source: _Source, key: str) -> SymbolicTensor | Operation:
    made, colon, index = key.partition(":")
    read = source.outputs.get(made)
    if read is None:
        kind = "tensor" if colon else "node"
        raise ValueError(f"Requested return {kind} '{key}' not found in graph def")
    if not colon:
        return read.operation
    if not index.isdigit() or int(index) >= len(read.tensors):
        raise ValueError(
            f"Invalid return output {index} of node '{made}', which has {len(read.tensors)} "
            "output(s)"
        )
    return read.tensors[int(index)]
