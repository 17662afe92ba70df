"""Functions of a saved model: graphs with what they take and return.

A concrete function is an object with `graph`, the position of its graph; `captures`, for each
captured input `{"node": POSITION}`, a variable among the objects of the model, or an encoded array;
`parameters` and `bound`, the arguments that it serves, with specs in place of tensors; `result`,
the form of its result; `shared`, the places in it that hold one list or dict.

A form is an object with one entry: `leaf`, `fixed`, `nest`, `growing`, `keyed`, `maybe` or `stack`,
as in `runtime.control_flow.values.forms`.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from runtime.control_flow.values.forms import (
    PLAIN_DICT,
    DictKind,
    Either,
    Fixed,
    Form,
    Growing,
    Keyed,
    Leaf,
    Nest,
    Stack,
)
from runtime.control_flow.values.layouts import specs
from runtime.core import dtypes
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.nest import map_structure
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.functions.arguments import Arguments
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.polymorphic import Function
from runtime.functions.trace_type import CallType, call_type
from runtime.functions.watched_arrays import ReferredArray
from runtime.saved_model.attributes import without_assignments
from runtime.saved_model.graphs import GraphReader, GraphWriter, refused
from runtime.saved_model.values import (
    CannotBeSaved,
    Json,
    Reader,
    Writer,
    decode_spec,
    encode_spec,
    tuple_class,
)
from runtime.state.cells import Cell
from runtime.state.variable import Variable

_DICTS: dict[str, type[dict[Any, Any]]] = {"dict": dict, "OrderedDict": OrderedDict}
_NESTS: dict[str, type] = {"list": list, "tuple": tuple, **_DICTS}
_EMPTY = inspect.Parameter.empty


class FunctionWriter:
    """Encodes concrete functions.

    Attributes:
      graphs: encodes their graphs.
      functions: the functions that are encoded so far.
    """

    def __init__(
        self,
        writer: Writer,
        node_of: Callable[[Cell], int],
        is_lost: Callable[[Operation], bool],
    ) -> None:
        self.graphs = GraphWriter(writer)
        self._is_lost = is_lost
        self.functions: list[Json] = []
        self._writer = writer
        self._node_of = node_of
        self._known: dict[int, tuple[ConcreteFunction, int]] = {}

    def add(self, concrete: ConcreteFunction) -> int:
        """Encode a concrete function; return its position.

        Raises: UnimplementedError that names what cannot be saved, with its line.
        """
        if id(concrete) not in self._known:
            encoded = self._encoded(concrete)
            self._known[id(concrete)] = concrete, len(self.functions)
            self.functions.append(encoded)
        return self._known[id(concrete)][1]

    def concretes(self) -> list[ConcreteFunction]:
        """Return the functions that are encoded so far."""
        return [concrete for concrete, _ in self._known.values()]

    def _encoded(self, concrete: ConcreteFunction) -> Json:
        arguments = concrete.arguments
        graph = without_assignments(concrete.graph, self._is_lost)
        captured = graph.inputs[len(graph.inputs) - len(graph.captures) :]
        try:
            return {
                "name": concrete.name,
                "graph": self.graphs.add(graph),
                "captures": [
                    self._capture(graph, own, tensor)
                    for own, tensor in zip(captured, graph.captures, strict=True)
                ],
                "parameters": encode_parameters(self._writer, arguments.signature),
                "bound": self._writer.encode(arguments.bound),
                "result": self._form(concrete.result),
                "shared": self._writer.encode(list(concrete.shared)),
            }
        except CannotBeSaved as error:
            raise UnimplementedError.of(
                f"function {concrete.name}{arguments} cannot be saved: among what it takes and "
                f"returns {error}",
            ) from None

    def _capture(self, graph: Graph, own: Tensor, tensor: Tensor) -> Json:
        if isinstance(tensor, ReferredArray):
            return self._writer.encode(tensor.place.read())
        held = tensor.array if isinstance(tensor, EagerTensor) else None
        if isinstance(held, Cell):
            return {"node": self._node_of(held)}
        if tensor.dtype in (dtypes.resource, dtypes.variant) or held is None:
            reader = next((op for op in graph.operations if own in op.inputs), own.op)  # type: ignore[attr-defined]
            raise refused(
                reader,
                f"it uses {type(held).__name__} {own.op.name!r}, which the function takes from "  # type: ignore[attr-defined]
                "outside. Of what a function takes from outside, variables and tensors are saved; "
                "make a dataset or an iterator inside the function",
            )
        return self._writer.encode(held)

    def _form(self, form: Form) -> Json:
        if isinstance(form, Leaf):
            return {"leaf": [encode_spec(form.spec), bool(form.weak), form.maybe]}
        if isinstance(form, Fixed):
            return {"fixed": self._writer.encode(form.value)}
        if isinstance(form, Growing):
            return {"growing": self._form(form.element)}
        if isinstance(form, Either):
            return {"either": [list(map(self._form, form.parts)), str(form.path)]}
        if isinstance(form, Stack):
            return {"stack": [self._form(form.element), form.count]}
        parts = list(map(self._form, form.parts))
        if isinstance(form, Keyed):
            return {"keyed": [_kind(form.kind.plain), self._writer.encode(form.keys), parts]}
        keys = self._writer.encode(form.keys)
        return {"nest": [_kind(form.kind), keys, parts]}


def _kind(kind: type) -> Json:
    fields = getattr(kind, "_fields", None)
    if fields is not None:
        return [kind.__name__, list(fields)]
    if kind in (list, tuple, dict, OrderedDict):
        return kind.__name__
    raise CannotBeSaved(f"is a {kind.__name__}; use a list, tuple, named tuple or dict")


def encode_parameters(writer: Writer, signature: inspect.Signature) -> Json:
    """Encode names, kinds and defaults of parameters."""
    encoded = []
    for name, parameter in signature.parameters.items():
        held = [name, parameter.kind.name]
        if parameter.default is not _EMPTY:
            held.append(writer.encode(parameter.default))
        encoded.append(held)
    return encoded


def decode_parameters(reader: Reader, encoded: Json) -> inspect.Signature:
    """Decode what `encode_parameters` encoded."""
    kinds = {
        name: getattr(inspect.Parameter, name)
        for name in (
            "POSITIONAL_ONLY",
            "POSITIONAL_OR_KEYWORD",
            "VAR_POSITIONAL",
            "KEYWORD_ONLY",
            "VAR_KEYWORD",
        )
    }
    return inspect.Signature(
        [
            inspect.Parameter(
                name, kinds[kind], default=reader.decode(default[0]) if default else _EMPTY
            )
            for name, kind, *default in encoded
        ]
    )


class LoadedFunction(ConcreteFunction):
    """A function of a saved model: what it returns is described by specs."""

    @property
    def structured_outputs(self) -> Any:
        """The return value, with a `TensorSpec` for each tensor, named by its key in a dict."""
        result = super().structured_outputs
        if isinstance(result, Mapping):
            return {key: map_structure(partial(_spec, name=key), result[key]) for key in result}
        return map_structure(_spec, result)


def _spec(leaf: object, name: object = None) -> object:
    if not isinstance(leaf, Tensor):
        return leaf
    return TensorSpec(leaf.shape, leaf.dtype, None if name is None else str(name))


class FunctionReader:
    """Decodes concrete functions; `handle` returns the handle of a variable by its position."""

    def __init__(
        self, reader: Reader, graphs: GraphReader, handle: Callable[[Json], EagerTensor]
    ) -> None:
        self._reader = reader
        self._graphs = graphs.graphs
        self._handle = handle

    def read(self, encoded: Json) -> ConcreteFunction:
        """Decode a function. Raises LookupError, TypeError or ValueError if it cannot be one."""
        graph = self._graphs[encoded["graph"]]
        graph.captures = [self._capture(each) for each in encoded["captures"]]
        own = graph.inputs[len(graph.inputs) - len(graph.captures) :]
        for tensor, captured in zip(own, graph.captures, strict=True):
            if tensor.dtype is not captured.dtype or not tensor.spec.includes(captured.spec):
                raise ValueError(f"{tensor.name} is {tensor.spec}, not {captured.spec}")
        bound = self._reader.decode(encoded["bound"])
        signature = decode_parameters(self._reader, encoded["parameters"])
        arguments = Arguments(str(encoded["name"]), signature, bound, graph)
        arguments.require_inputs()
        result = self._form(encoded["result"])
        if len(specs(result)) != len(graph.outputs):
            raise ValueError(f"the graph {graph.name} has {len(graph.outputs)} outputs")
        concrete = LoadedFunction(graph, arguments, result)
        concrete.name = str(encoded["name"])
        concrete.shared = self._reader.decode(encoded["shared"])
        return concrete

    def _capture(self, encoded: Json) -> EagerTensor:
        if isinstance(encoded, dict) and "node" in encoded:
            return self._handle(encoded["node"])
        return EagerTensor(self._reader.decode(encoded))

    def _form(self, encoded: Json) -> Any:
        ((kind, held),) = encoded.items()
        if kind == "leaf":
            return Leaf(decode_spec(held[0]), bool(held[1]), str(held[2]))
        if kind == "fixed":
            return Fixed(self._reader.decode(held))
        if kind == "growing":
            return Growing(self._form(held))
        if kind == "either":
            return Either(tuple(map(self._form, held[0])), held[1])
        if kind == "stack":
            return Stack(self._form(held[0]), int(held[1]))
        sort, keys, parts = held[0], self._reader.decode(held[1]), tuple(map(self._form, held[2]))
        if kind == "keyed":
            plain = _DICTS[sort]
            owned = (False,) * len(keys)
            return Keyed(keys, parts, owned, PLAIN_DICT if plain is dict else DictKind(plain))
        if kind != "nest":
            raise ValueError(f"there is no form {kind!r}")
        if isinstance(sort, list):
            return Nest(tuple_class(sort), keys, parts)
        return Nest(_NESTS[sort], keys, parts)


class NoMatchingFunction(ValueError):
    """A call of a loaded function for which there is no graph."""


class RestoredFunction(Function[..., Any]):
    """A function of a saved model: it has the graphs that were saved, and records no others.

    The variables that the graphs use live as long as the function.
    """

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        prescribed: object,
        concretes: Sequence[ConcreteFunction],
        variables: Sequence[Variable],
    ) -> None:

        def run(*args: object, **kwargs: object) -> Any:
            concrete, tensors = self._concrete_for(args, kwargs)
            return concrete.call_flat(tensors)

        run.__signature__ = signature  # type: ignore[attr-defined]
        run.__name__ = run.__qualname__ = name
        super().__init__(run, name, prescribed, autograph=False)
        self._concretes = list(concretes)
        self._variables = list(variables)
        for concrete in concretes:
            self._cache.add(call_type(concrete.arguments.bound)[0], None, concrete)

    def _concrete_for(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ConcreteFunction, list[Tensor]]:
        """Find a graph by the types of the arguments, or one to which they can be converted."""
        try:
            return super()._concrete_for(args, kwargs)
        except NoMatchingFunction:
            for concrete in self._concretes:
                try:
                    return concrete, concrete.arguments.by_parameter(args, kwargs)
                except TypeError:
                    continue
            raise

    def _trace(self, key: CallType, arguments: dict[str, Any]) -> ConcreteFunction:
        if not self._concretes:
            raise NoMatchingFunction(
                f"Found zero restored functions for caller function: `{self.name}` was saved "
                "before it was called, so it has no graph. Give it an input_signature, or call it "
                "before `saved_model.save`."
            )
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        options = "\n\n".join(each.pretty_printed_signature() for each in self._concretes)
        raise NoMatchingFunction(
            "Could not find matching concrete function to call loaded from the SavedModel. Got:\n"
            f"  {self.name}({given})\n\nExpected these arguments to match one of the following "
            f"{len(self._concretes)} option(s):\n\n{options}"
        )
