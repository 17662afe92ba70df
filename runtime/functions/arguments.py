"""The parameters of one graph of a function, and the conversion of call arguments to its inputs.

In Python `x[i] = value` changes the caller's array. A graph receives tensors, and the assignment
creates a new tensor, so NumPy arguments whose items a graph assigns are refused.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.boundary import public_error
from runtime.core import dtypes
from runtime.core.errors import DTypeMismatchError, StagingError
from runtime.core.graph import Graph
from runtime.core.opdef import Emit, Storage
from runtime.core.operation import Operation
from runtime.core.places import Place
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.structure import children, flatten, rebuild
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.functions.trace_type import LeafType, in_words, leaf_type
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable_type import VariableArgument, VariableType

_HANDLE = spec_of(dtypes.resource, ())


class Arguments:
    """The parameters of a function, as one graph knows them.

    `bound` holds the value of each parameter but the instance of a method: specs for tensors, a
    `VariableType` for each variable. `signature` has the bound parameters alone.
    """

    def __init__(
        self, name: str, signature: inspect.Signature, bound: dict[str, Any], graph: Graph
    ) -> None:
        """Select the bound parameters."""
        self.name = name
        self.bound = bound
        own = [parameter for key, parameter in signature.parameters.items() if key in bound]
        self.signature = signature.replace(parameters=own)
        self._graph = graph

    def inputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
        """Return the input tensors of a call, by parameter or else by graph input.

        Raises:
          TypeError: if the arguments fit neither.
          InvalidArgumentError: for a tensor of another dtype or shape; also a TypeError.
        """
        try:
            return self.by_parameter(args, kwargs)
        except DTypeMismatchError:
            raise
        except TypeError as error:
            try:
                return self._by_input(args, kwargs)
            except DTypeMismatchError:
                raise
            except TypeError as other:
                raise TypeError(
                    f"Binding inputs to tf.function failed due to `{error}`. Received args: "
                    f"{args} and kwargs: {kwargs} for signature: {self}.\n"
                    f"Fallback to flat signature also failed due to: {other}"
                ) from None

    def by_parameter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
        """Return the input tensors of a call by parameter; raises like `inputs`."""
        given = self.signature.bind_partial(*args, **kwargs).arguments
        tensors: list[Tensor] = []
        for name, wanted in self.bound.items():
            tensors += self._of_parameter(name, wanted, given.get(name, wanted), len(tensors))
        return tensors

    def _of_parameter(self, name: str, wanted: object, value: object, start: int) -> list[Tensor]:
        wanted_leaves, node = flatten(wanted)
        # A list or tuple for a tensor parameter converts to a tensor.
        is_tensor = isinstance(wanted, TensorSpec) and type(value) in (list, tuple)
        leaves, own_node = ([value], None) if is_tensor else flatten(value)
        if node != own_node:
            raise TypeError(f"argument `{name}` of {self.name} must have the structure {wanted!r}")
        tensors: list[Tensor] = []
        for spec, leaf in zip(wanted_leaves, leaves, strict=True):
            if isinstance(spec, (TensorSpec, VariableType)):
                tensors.append(self._input(name, spec, leaf, start + len(tensors)))
            elif leaf_type(leaf) != leaf_type(spec):
                raise TypeError(
                    f"Can not cast {leaf!r} to {in_words(spec)}: argument `{name}` of {self.name} "
                    f"is fixed to {spec!r} in this graph, but it is {leaf!r}"
                )
        return tensors

    def _input(self, name: str, spec: Any, value: Any, position: int) -> Tensor:
        if value is spec:
            raise TypeError(
                f"missing a required argument: '{name}' ({spec}) of {self.name} is missing"
            )
        if isinstance(spec, VariableType):
            if not isinstance(value, VariableArgument) or value.spec != spec.spec:
                raise TypeError(f"argument `{name}` of {self.name} must be a {spec}")
            return value.handle
        tensor = convert_to_tensor(value, dtype_hint=spec.dtype)
        if tensor.dtype is not spec.dtype or not tensor.shape.is_compatible_with(spec.dims):
            kinds = spec.dtype.type_word, tensor.dtype.type_word
            if spec.dtype is tensor.dtype:
                kinds = f"{spec}", f"{tensor.spec}"
            raise DTypeMismatchError.of(
                f"cannot compute {self.name} as input #{position}(zero-based) was expected to be "
                f"a {kinds[0]} tensor but is a {kinds[1]} tensor: argument `{name}` of "
                f"{self.name} must be {spec}, not {tensor.spec}",
            )
        return tensor

    def _by_input(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor]:
        """Return the input tensors of a call that names the inputs of the graph."""
        wanted = {tensor.op.name: spec for tensor, spec in self._leaves()}
        shown = f"{self.name}({', '.join(wanted)})"
        if len(args) > len(wanted):
            raise TypeError(f"{shown} takes {len(wanted)} positional arguments, got {len(args)}.")
        given = dict(zip(wanted, args, strict=False))
        for name, value in kwargs.items():
            if name not in wanted or name in given:
                raise TypeError(f"{shown} got unexpected keyword argument `{name}`.")
            given[name] = value
        missing = [name for name in wanted if name not in given]
        if missing:
            raise TypeError(f"{shown} missing required arguments: {', '.join(missing)}.")
        pairs = enumerate(wanted.items())
        return [self._input(name, spec, given[name], i) for i, (name, spec) in pairs]

    def is_empty(self, name: str) -> bool:
        """Return whether a parameter is `*args` or `**kwargs` without arguments."""
        kind = self.signature.parameters[name].kind
        star = kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        return star and not self.bound[name]

    def _leaves(self) -> list[tuple[Any, Any]]:
        """Return the graph inputs except captures, each with its spec."""
        leaves = flatten(self.bound)[0]
        specs = [leaf for leaf in leaves if isinstance(leaf, (TensorSpec, VariableType))]
        return list(zip(self._graph.arguments, specs, strict=True))

    def require_inputs(self) -> None:
        """Raise ValueError if the inputs of the graph do not match the bound parameters."""
        leaves = flatten(self.bound)[0]
        taken = [leaf for leaf in leaves if isinstance(leaf, (TensorSpec, VariableType))]
        specs = [leaf if isinstance(leaf, TensorSpec) else _HANDLE for leaf in taken]
        own = [tensor.spec for tensor in self._graph.arguments]
        if not isinstance(self.bound, dict) or len(own) != len(specs):
            raise ValueError(f"the graph {self.name} takes {len(own)} tensors, not {len(specs)}")
        for spec, wanted in zip(specs, own, strict=True):
            if spec.dtype is not wanted.dtype or not wanted.includes(spec):
                raise ValueError(f"the graph {self.name} takes {wanted}, not {spec}")

    @property
    def structured(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments, with a named `TensorSpec` for each tensor."""
        names = iter(tensor.op.name for tensor, _ in self._leaves())
        positional: list[Any] = []
        by_name: dict[str, Any] = {}
        for name, value in self.bound.items():
            kind = self.signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                positional += (_named(v, f"{name}_{i}", names) for i, v in enumerate(value))
            elif kind is inspect.Parameter.VAR_KEYWORD:
                by_name.update((key, _named(value[key], key, names)) for key in value)
            elif kind is inspect.Parameter.KEYWORD_ONLY:
                by_name[name] = _named(value, name, names)
            else:
                positional.append(_named(value, name, names))
        return tuple(positional), by_name

    def __str__(self) -> str:
        return f"({', '.join(f'{name}: {in_words(v)}' for name, v in self.bound.items())})"


def _named(value: object, label: str, names: Iterator[str], path: str | None = None) -> Any:
    """Return a bound value with a name for each spec: its path in the argument.

    A spec that has a name in the program, or is the whole argument, takes the name of its input.
    """
    level = children(value)
    if level is not None and not isinstance(value, TensorSpec):
        keys = level[0] if isinstance(level[0], tuple) else range(len(level[1]))
        own = getattr(type(value), "_fields", keys)
        parts = [
            _named(part, label, names, f"{path or label}_{key}")
            for key, part in zip(own, level[1], strict=True)
        ]
        return rebuild(type(value), level[0], parts, value)
    if isinstance(value, VariableType):
        next(names)
        return value
    if not isinstance(value, TensorSpec):
        return value
    name = next(names)
    is_own = path is None or not re.fullmatch(rf"{re.escape(label)}(_\d+)?", name)
    return TensorSpec(value.dims, value.dtype, name if is_own else path)


def assigned_arguments(graph: Graph) -> dict[int, Place | None]:
    """Return the inputs of a graph whose items are assigned, with the lines that assign them."""
    found: dict[int, Place | None] = {}
    _collect(graph, {id(tensor): i for i, tensor in enumerate(graph.arguments)}, found)
    return found


def _collect(graph: Graph, known: Mapping[int, int], found: dict[int, Place | None]) -> None:
    origins = dict(known)
    for op in graph.operations:
        own = [origins.get(id(tensor)) for tensor in op.inputs]
        if own and own[0] is not None and _is_view(op):
            origins[id(op.outputs[0])] = own[0]
        elif own and own[0] is not None and op.definition.emit is Emit.ASSIGN:
            found.setdefault(own[0], op.place)
        for inner in op.subgraphs():
            # The inputs of a branch follow the predicate or index of its operation.
            passed = zip(reversed(inner.inputs), reversed(own), strict=False)
            _collect(inner, {id(own): i for own, i in passed if i is not None}, found)


def _is_view(op: Operation) -> bool:
    """Return whether the result shares the memory of the array in NumPy; copies are tensors."""
    definition = op.definition
    return definition.storage is Storage.VIEW and definition.emit not in (Emit.ALIAS, Emit.ROW)


def refuse_arrays(
    name: str, concrete: Any, leaves: Sequence[Any], types: Sequence[LeafType]
) -> None:
    """Raise an error (a ValueError) if the graph assigns items of a NumPy argument."""
    pairs = zip(leaves, types, strict=True)
    given = [leaf for leaf, kind in pairs if isinstance(kind, (TensorSpec, VariableType))]
    for position, place in concrete.assigned.items():
        if isinstance(given[position], np.ndarray) and given[position].ndim:
            argument = concrete.graph.inputs[position].op.name
            error = StagingError(
                f"{name} assigns items of its argument `{argument}`, which is a NumPy array: the "
                f"graph would change a copy, and the caller would not see it.\n  {place}\n"
                f"Pass a tensor, `runtime.constant({argument})`, and return the changed one.",
                public=ValueError,
            )
            raise public_error(error) if STATE.graph is None else error
