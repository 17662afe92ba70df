"""Calls of one op type by itself, with inputs and attributes as TensorFlow's signature has them.

A call is read like a node of a `GraphDef`; where operations run at once it is read into a graph of
its own, of which the operations then run.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Mapping, Sequence
from inspect import Parameter
from inspect import Signature as CallSignature
from typing import Any, NoReturn

import numpy as np

from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.dtypes import as_dtype
from runtime.core.errors import InvalidArgumentError
from runtime.core.graph import Graph
from runtime.core.opdef import all_ops
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.export.forms import SAME_AS
from runtime.export.messages import NodeDef
from runtime.export.node_rules import RULES
from runtime.export.nodes import Nodes, Ref
from runtime.export.reading import Read, read_node
from runtime.export.signatures import Port, Signature, op_types, signature
from runtime.ops.convert import convert_to_tensor, one_dtype

_AXES = dict.fromkeys(("dim", "reduction_indices", "split_dim", "squeeze_dims"), "axis")
_KEYWORDS: dict[str, dict[str, str]] = {
    "ReduceJoin": {"reduction_indices": "reduction_indices"},
    "Select": {"e": "y", "t": "x"},
    "SobolSample": {"dim": "dim"},
    "Where": {"input": "condition"},
}
"""Names in graphs, and what the functions that make single operations call the same thing."""


class SingleOp:
    """A function that makes one operation of an op type. Its arguments are given by name."""

    def __init__(self, op_type: str, wanted: Signature) -> None:
        """Takes the op type and what it needs."""
        self.__name__ = self.__qualname__ = op_type
        self.__doc__ = f"One operation of the op type {op_type}; arguments are given by name."
        self._wanted = wanted
        renamed = {**_AXES, **_KEYWORDS.get(op_type, {})}
        own = [name for name in wanted.kinds if name not in wanted.inferred]
        needed = [name for name in own if name not in wanted.defaults]
        left = [name for name in own if name in wanted.defaults]
        names = [*(port.name for port in wanted.inputs), *needed, *left]
        self._names = {renamed.get(name, name): name for name in names}
        self._optional = {renamed.get(name, name): wanted.defaults[name] for name in left}
        self.__signature__ = CallSignature([*self._parameters()])

    def _parameters(self) -> list[Parameter]:
        kind = Parameter.POSITIONAL_OR_KEYWORD
        found = [
            Parameter(name, kind, default=self._optional.get(name, Parameter.empty))
            for name in self._names
        ]
        return [*found, Parameter("name", kind, default=None)]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Makes the operation.

        Returns: the output, a list for an output of several tensors, a named tuple of several
          outputs; for an op type without outputs the operation, None where it ran at once.
        Raises: TypeError for arguments that are missing, unknown or not given by name.
        """
        if args:
            keys = [*self._names, "name"]
            raise TypeError(
                f"{_snake(self.__name__)} only takes keyword args (possible keys: {keys}). Please "
                "pass these args as kwargs instead."
            )
        name = kwargs.pop("name", None)
        given = self._given(kwargs)
        inputs, dtypes = self._inputs(given)
        attrs = {key: given[key] for key in self._wanted.kinds if key in given}
        node = _node(self._wanted, inputs, attrs, dtypes)
        return self._made(node, inputs, name)

    def _given(self, kwargs: Mapping[str, Any]) -> dict[str, Any]:
        for name in kwargs:
            if name not in self._names:
                self._refuse(f"got an unexpected keyword argument '{name}'")
        for name in self._names:
            if name not in kwargs and name not in self._optional:
                self._refuse(f"missing 1 required positional argument: '{name}'")
        return {own: kwargs[name] for name, own in self._names.items() if name in kwargs}

    def _refuse(self, text: str) -> NoReturn:
        raise TypeError(f"{_snake(self.__name__)}() {text}")

    def _inputs(self, given: Mapping[str, Any]) -> tuple[list[Tensor], dict[str, Any]]:
        """The inputs as tensors, and the dtypes that attributes for them have."""
        wanted = self._wanted
        found: dict[str, list[Tensor]] = {}
        chosen: dict[str, Any] = {}
        for attr in dict.fromkeys(port.type_attr for port in wanted.inputs if port.type_attr):
            ports = [port for port in wanted.inputs if port.type_attr == attr]
            entries = [(port.name, value) for port in ports for value in _values(port, given)]
            tensors = self._alike(entries, wanted.defaults.get(attr))
            rest = iter(tensors)
            for port in ports:
                found[port.name] = [next(rest) for _ in _values(port, given)]
            if tensors:
                chosen[attr] = tensors[0].dtype
        for port in wanted.inputs:
            if not port.type_attr:
                found[port.name] = [_converted(v, port) for v in _values(port, given)]
        return [tensor for port in wanted.inputs for tensor in found[port.name]], chosen

    def _alike(self, entries: Sequence[tuple[str, Any]], default: Any) -> list[Tensor]:
        typed = (Tensor, np.ndarray, np.generic)
        settled = default is None or any(isinstance(value, typed) for _, value in entries)
        return one_dtype(self.__name__, entries, None if settled else default)[0]

    def _made(self, node: NodeDef, inputs: Sequence[Tensor], name: str | None) -> Any:
        graph: Graph | None = STATE.graph
        if graph is not None:
            label = graph.unique_name(name or self.__name__)
            return self._result(_read(node, graph, inputs, label), None)
        own = Graph()
        with recording(own):
            read = _read(node, own, inputs, name or self.__name__)
        return self._result(read, _run(own))

    def _result(self, read: Read, values: Mapping[int, Tensor] | None) -> Any:
        outputs = self._wanted.outputs
        if not outputs:
            return read.operation if values is None else None
        parts = [_part(port, read.named[port.name], values) for port in outputs]
        if len(parts) == 1:
            return parts[0]
        return namedtuple(self.__name__, [port.name for port in outputs])(*parts)

    def __repr__(self) -> str:
        """Gives `<function MatMul>`."""
        return f"<function {self.__name__}>"


def _values(port: Port, given: Mapping[str, Any]) -> list[Any]:
    value = given[port.name]
    if not (port.number_attr or port.list_attr):
        return [value]
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{port.name}' argument, not {value!r}.")
    return list(value)


def _converted(value: Any, port: Port) -> Tensor:
    if port.dtype is not None and port.dtype.name == "resource":
        return getattr(value, "handle", value)  # type: ignore[no-any-return]
    return convert_to_tensor(value, port.dtype)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _node(
    wanted: Signature, inputs: Sequence[Tensor], attrs: Mapping[str, Any], chosen: Mapping[str, Any]
) -> NodeDef:
    stated = {key: _stated(wanted.kinds[key], value) for key, value in attrs.items()}
    counts = {port.number_attr: 0 for port in wanted.inputs if port.number_attr}
    missing = {key: wanted.defaults.get(key) for key in wanted.inferred - {*chosen, *counts}}
    settled = {key: value for key, value in missing.items() if value is not None}
    refs = [Ref(f"input_{at}", tensor.dtype) for at, tensor in enumerate(inputs)]
    nodes = Nodes(in_function=False)
    nodes.add(wanted.name, refs, {**settled, **stated}, wanted.name)
    return nodes.found[0]


def _stated(kind: str, value: Any) -> Any:
    if kind == "type":
        return as_dtype(value)
    if kind == "list(type)":
        return [as_dtype(item) for item in value]
    if kind == "shape":
        return TensorShape(value)
    return value


def _read(node: NodeDef, graph: Graph, inputs: Sequence[Tensor], name: str) -> Read:
    def function(name: str, specs: Sequence[TensorSpec]) -> Graph:
        raise ValueError(f"{node.op} carries the function {name!r}, which a call cannot give")

    return read_node(node, [graph.capture(tensor) for tensor in inputs], f"{name}/", function)


def _run(graph: Graph) -> dict[int, Tensor]:
    """Runs the operations of a graph at once; gives what each of its tensors is."""
    values: dict[int, Tensor] = dict(
        zip(map(id, graph.inputs[len(graph.arguments) :]), graph.captures, strict=True)
    )
    for op in graph.operations:
        if op.type == "Const":
            values[id(op.outputs[0])] = EagerTensor(op.attrs["value"], op.outputs[0].spec)
        elif id(next(iter(op.outputs), None)) not in values:
            if op.type == "Placeholder":
                raise InvalidArgumentError(
                    None, op, f"You must feed a value for placeholder tensor '{op.name}'"
                )
            results = execute(op.definition, [values[id(x)] for x in op.inputs], op.attrs)
            values |= zip(map(id, op.outputs), results, strict=True)
    return values


def _part(
    port: Port, tensors: Sequence[SymbolicTensor], values: Mapping[int, Tensor] | None
) -> Any:
    found: list[Tensor] = [x if values is None else values[id(x)] for x in tensors]
    return found if port.number_attr or port.list_attr else found[0]


_MADE: dict[str, SingleOp] = {}


def _is_single(op_type: str) -> bool:
    wanted = signature(op_type)
    return wanted is not None and not any("func" in kind for kind in wanted.kinds.values())


def single_op(op_type: str) -> SingleOp:
    """The function that makes one operation of an op type.

    Raises: KeyError if the runtime has no such op type.

    >>> print(single_op("AddV2")(x=1, y=2))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    if op_type not in _MADE:
        if op_type not in single_op_types():
            raise KeyError(op_type)
        wanted = signature(op_type)
        assert wanted is not None
        _MADE[op_type] = SingleOp(op_type, wanted)
    return _MADE[op_type]


def single_op_types() -> list[str]:
    """The op types of TensorFlow of which single operations can be made here.

    >>> "AddV2" in single_op_types(), "If" in single_op_types()
    (True, False)
    """
    own = {op.name for op in all_ops()} | set(RULES)
    return sorted(
        name for name in op_types() if SAME_AS.get(name, name) in own and _is_single(name)
    )
