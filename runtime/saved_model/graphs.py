"""Graphs as JSON, and back.

A graph is an object with these entries:

- `name`: the name of the function, branch or loop;
- `operations`: in the order in which they run. Each is an object with `type` and `name`; `inputs`,
  pairs of the position of an operation and the number of its output; `attrs`, encoded as
  `runtime.saved_model.values` says, a graph as `{"graph": POSITION}`; `after`, the positions of
  operations that it waits for; `line`, the file, line and function of the program. `specs` lists
  what is known of the outputs where that is more than follows from the inputs, `weak` the numbers
  of the outputs that represent Python numbers;
- `inputs`, `outputs`: tensors, as in `inputs` of operations;
- `captures`: how many of the inputs, the last ones, are captured from outside.

A graph comes after the graphs that its operations carry, so no graph contains itself. A recursive
function has `{"callee": NUMBER}` where it calls itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core.dispatch import infer
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.naming import check_node
from runtime.core.opdef import OpDef, all_ops
from runtime.core.operation import Callee, Operation
from runtime.core.places import Place
from runtime.core.shapes import compatible
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.core.verify import verify
from runtime.saved_model.values import CannotBeSaved, Json, Reader, Writer, decode_spec, encode_spec

FILE, VERSION = "saved_model.safetensors", 1
"""Name of the file of a model, and version of its structure."""

MOST_OPERATIONS = 1 << 22
"""Maximum number of operations of a graph, with those of the graphs that it carries.

A graph that is carried n times counts n times, as it does in what is compiled.
"""

DEEPEST = 100
"""Maximum depth of graphs that carry each other."""


def refused(op: Operation, reason: str) -> UnimplementedError:
    """Return the error for an operation that cannot be saved."""
    label = getattr(op.attrs.get("place"), "label", None)
    if label is not None:  # an access at the start or end of a run: its line is that of the call
        what, made = f"function {op.graph.name}", "traced by the call"
        reason = f"{reason}, `{label}`. Hold it in a Variable, or return it."
    else:
        what, made = f"operation {op.name} ({op.type})", "made"
    place = f"\n  {made} at {op.place}" if op.place else ""
    return UnimplementedError.of(f"{what} cannot be saved: {reason}{place}", op)


class GraphWriter:
    """Encodes graphs.

    Attributes:
      graphs: the graphs that are encoded so far.
    """

    def __init__(self, writer: Writer) -> None:
        self.graphs: list[Json] = []
        self._writer = writer
        self._known: dict[int, tuple[Graph, int]] = {}
        self._callees: dict[Callee, int] = {}

    def add(self, graph: Graph) -> int:
        """Encode a graph, and those that it carries; return its position.

        Raises: UnimplementedError that names the operation and its line, for one that cannot be
          saved.
        """
        if id(graph) not in self._known:
            encoded = self._encoded(graph)
            self._known[id(graph)] = graph, len(self.graphs)
            self.graphs.append(encoded)
        return self._known[id(graph)][1]

    def _encoded(self, graph: Graph) -> Json:
        tensors: dict[int, list[int]] = {}
        positions: dict[int, int] = {}
        operations = []
        for position, op in enumerate(graph.operations):
            operations.append(self._operation(op, tensors, positions))
            positions[id(op)] = position
            for number, tensor in enumerate(op.outputs):
                tensors[id(tensor)] = [position, number]
        return {
            "name": graph.name,
            "operations": operations,
            "inputs": [tensors[id(tensor)] for tensor in graph.inputs],
            "outputs": [tensors[id(tensor)] for tensor in graph.outputs],
            "captures": len(graph.captures),
        }

    def _operation(
        self, op: Operation, tensors: Mapping[int, list[int]], positions: Mapping[int, int]
    ) -> Json:
        if op.definition.local:
            raise refused(op, op.definition.local)
        try:
            attrs = {name: self._attribute(value) for name, value in op.attrs.items()}
        except CannotBeSaved as error:
            raise refused(op, str(error)) from None
        made: dict[str, Any] = {
            "type": op.type,
            "name": op.name,
            "inputs": [tensors[id(tensor)] for tensor in op.inputs],
            "attrs": attrs,
        }
        after = [positions[id(other)] for other in op.control_inputs if id(other) in positions]
        specs = [tensor.spec for tensor in op.outputs]
        known = specs != list(infer(op.definition, op.inputs, op.attrs))
        optional = {
            "after": after,
            "line": list(op.place) if op.place else None,
            "specs": [encode_spec(spec) for spec in specs] if known else None,
            "weak": [number for number, tensor in enumerate(op.outputs) if tensor.weak],
        }
        return made | {name: value for name, value in optional.items() if value}

    def _attribute(self, value: object) -> Json:
        if isinstance(value, Graph):
            return {"graph": self.add(value)}
        if isinstance(value, Callee):
            return {"callee": [self._callees.setdefault(value, len(self._callees)), value.name]}
        if type(value) is tuple and any(isinstance(part, Callee) for part in value):
            return {"callees": [self._attribute(part) for part in value]}
        return self._writer.encode(value)


class GraphReader:
    """Decodes graphs.

    Attributes:
      graphs: the graphs that are decoded so far.
    """

    def __init__(self, reader: Reader) -> None:
        self.graphs: list[Graph] = []
        self._reader = reader
        self._callees: dict[int, Callee] = {}
        self._sizes: dict[Graph, tuple[int, int]] = {}
        self._captures: dict[Graph, int] = {}
        self._definitions = {op.name: op for op in all_ops() if not op.local}

    def read(self, encoded: Json) -> None:
        """Decode one more graph.

        Raises: LookupError, TypeError, ValueError or an OpError if it is not a graph that can run.
        """
        graph = Graph(encoded["name"])
        for each in encoded["operations"]:
            self._add(graph, each)
        graph.inputs = [_tensor(graph, place) for place in encoded["inputs"]]
        graph.outputs = [_tensor(graph, place) for place in encoded["outputs"]]
        if any(tensor.op.definition is not PLACEHOLDER for tensor in graph.inputs):
            raise ValueError(f"graph {graph.name} has an input that is not a Placeholder")
        carried = [inner for op in graph.operations for inner in op.subgraphs()]
        sizes = [self._sizes[inner] for inner in carried]
        size = len(graph.operations) + sum(count for count, _ in sizes)
        depth = 1 + max((depth for _, depth in sizes), default=0)
        if size > MOST_OPERATIONS or depth > DEEPEST:
            raise ValueError(f"graph {graph.name} has {size} operations in {depth} levels")
        verify(graph, nested=False)
        captures = encoded["captures"]
        if type(captures) is not int or not 0 <= captures <= len(graph.inputs):
            raise ValueError(f"graph {graph.name} has {captures!r} captured inputs")
        self._captures[graph] = captures
        self._sizes[graph] = size, depth
        self.graphs.append(graph)

    def _add(self, graph: Graph, encoded: Json) -> None:
        definition = self._definitions.get(encoded["type"])
        if definition is None:
            raise ValueError(f"there is no op type {encoded['type']!r}")
        name = encoded["name"]
        check_node(name)
        inputs = tuple(_tensor(graph, place) for place in encoded["inputs"])
        _check_inputs(definition, inputs)
        attrs = {key: self._attribute(value) for key, value in encoded["attrs"].items()}
        takes_none = definition.samples and not any(each.attrs for each in definition.samples)
        if (attrs and takes_none) or not all(key.isidentifier() for key in attrs):
            raise ValueError(f"operation {name} has attributes {list(attrs)}")
        line = encoded.get("line")
        place = None if line is None else Place(str(line[0]), int(line[1]), str(line[2]))
        op = Operation(graph, name, definition, inputs, attrs, place)
        weak = encoded.get("weak", ())
        specs = _specs(infer(definition, inputs, attrs), encoded.get("specs"))
        op.outputs = tuple(
            SymbolicTensor(op, number, spec, number in weak) for number, spec in enumerate(specs)
        )
        op.control_inputs = [_of(graph.operations, other) for other in encoded.get("after", ())]
        graph.operations.append(op)
        for inner in op.subgraphs():
            if not inner.captures:
                inner.captures = list(inputs[len(inputs) - self._captures[inner] :])

    def _attribute(self, value: Json) -> Any:
        if isinstance(value, dict):
            if "graph" in value:
                return _of(self.graphs, value["graph"])
            if "callee" in value:
                number, name = value["callee"]
                return self._callees.setdefault(int(number), Callee(str(name)))
            if "callees" in value:
                return tuple(map(self._attribute, value["callees"]))
        return self._reader.decode(value)


def _of(items: Sequence[Any], position: Json) -> Any:
    if type(position) is not int or not 0 <= position < len(items):
        raise ValueError(f"{position!r} is not a position among {len(items)}")
    return items[position]


def _tensor(graph: Graph, place: Json) -> SymbolicTensor:
    position, number = place
    return _of(_of(graph.operations, position).outputs, number)  # type: ignore[no-any-return]


def _check_inputs(definition: OpDef, inputs: Sequence[SymbolicTensor]) -> None:
    groups = list(definition.inputs.items())
    several = any(name.startswith("*") for name, _ in groups)
    if not several and len(inputs) != len(groups):
        raise ValueError(f"{definition.name} has {len(inputs)} inputs, not {len(groups)}")
    for (name, group), tensor in zip(groups, inputs, strict=False):
        if tensor.dtype not in group:
            raise ValueError(f"{definition.name} takes {group.name} as {name}, not {tensor.spec}")


def _specs(inferred: Sequence[TensorSpec], known: Json) -> list[TensorSpec]:
    if known is None:
        return list(inferred)
    specs = [decode_spec(held) for held in known]
    if len(specs) != len(inferred):
        raise ValueError(f"{len(specs)} outputs are described, and there are {len(inferred)}")
    for spec, own in zip(specs, inferred, strict=True):
        if spec.dtype is not own.dtype or not compatible(spec.dims, own.dims):
            raise ValueError(f"an output is described as {spec}, and it is {own}")
    return [spec_of(spec.dtype, spec.dims) for spec in specs]
