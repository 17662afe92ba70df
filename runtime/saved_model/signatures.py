"""Signatures: functions of a model that take tensors by name, and return tensors by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runtime.core import dtypes
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.methods import Method
from runtime.functions.polymorphic import Function
from runtime.state.object_graph import parts

DEFAULT = "serving_default"
"""The name of a signature for which the program gives none."""


def signature_functions(
    root: object, given: object, methods: Mapping[str, Any]
) -> dict[str, ConcreteFunction]:
    """Return the signatures of a model that is saved.

    Args:
      root: the model.
      given: a function, or functions by name; None: the attribute `_default_save_signature` of the
        model, or else its one function that can be a signature, if there is exactly one: it has an
        `input_signature`, and returns tensors.
      methods: the functions among the methods of the model.

    Raises: ValueError for a function that has no single graph, or whose results have no names.
    """
    if given is None:
        default = getattr(root, "_default_save_signature", None)
        functions = filter(_can_serve, {**dict(parts(root)), **methods}.values())
        found = [default] if _has_specs(default) else list(functions)
        given = found[0] if len(found) == 1 else {}
    by_name = given if isinstance(given, Mapping) else {DEFAULT: given}
    return {name: _signature(name, function) for name, function in by_name.items()}


def _has_specs(value: object) -> bool:
    return isinstance(value, (Function, Method)) and value.input_signature is not None


def _can_serve(value: Any) -> bool:
    """Return whether a part of a model can be a signature: it takes and returns tensors only."""
    if not _has_specs(value):
        return False
    concrete = value.get_concrete_function()
    results = _with_names(concrete.structured_outputs)
    return (
        bool(results)
        and all(isinstance(key, str) for key in results)
        and all(isinstance(each, (Tensor, TensorSpec)) for each in results.values())
        and all(tensor.dtype is not dtypes.resource for tensor in concrete.graph.arguments)
    )


def _with_names(result: object) -> dict[Any, Any]:
    """Return the results of a function by name, `output_0`, `output_1`, ... if they have none."""
    if isinstance(result, Mapping):
        return dict(result)
    values = result if isinstance(result, (list, tuple)) else [result]
    return {f"output_{number}": value for number, value in enumerate(values)}


def _signature(name: object, function: Any) -> ConcreteFunction:
    if not isinstance(name, str):
        raise ValueError(f"signatures have names that are strings, not {name!r}")
    if _has_specs(function):
        function = function.get_concrete_function()
    if not isinstance(function, ConcreteFunction):
        raise ValueError(
            "Expected a TensorFlow function for which to generate a signature, but got "
            f"{function!r}. Only `tf.functions` with an input signature or concrete functions can "
            "be used as a signature."
        )
    concrete = function
    specs: dict[str, TensorSpec] = {}
    for tensor in concrete.graph.arguments:
        if tensor.dtype is dtypes.resource:
            raise ValueError(
                f"the signature {name!r} takes a variable as {tensor.op.name}; it can take tensors"
            )
        specs[tensor.op.name] = TensorSpec(tensor.spec.dims, tensor.dtype, tensor.op.name)

    def signature_wrapper(**inputs: Any) -> dict[str, Tensor]:
        result = concrete.call_flat([inputs[key] for key in specs])
        return _by_name(name, concrete, result)

    return Function(signature_wrapper, autograph=False).get_concrete_function(**specs)


def _by_name(name: str, concrete: ConcreteFunction, result: object) -> dict[str, Tensor]:
    """Return the results of a signature by name. Raises ValueError unless they are tensors."""
    named = _with_names(result)
    where = f"in the output of the function {concrete.name} used to generate the SavedModel " + (
        f"signature '{name}'"
    )
    for key, value in named.items():
        if not isinstance(key, str):
            raise ValueError(f"Got a dictionary with a non-string key {key!r} {where}.")
        if not isinstance(value, Tensor):
            raise ValueError(
                f"Got a non-Tensor value {value!r} for key {key!r} {where}. Outputs for functions "
                "used as signatures must be a single Tensor, a sequence of Tensors, or a "
                "dictionary from string to Tensor."
            )
    return named


class SignatureMap(Mapping[str, ConcreteFunction]):
    """The signatures of a loaded model, by name."""

    def __init__(self, signatures: Mapping[str, ConcreteFunction]) -> None:
        self._signatures = dict(signatures)

    def __getitem__(self, key: str) -> ConcreteFunction:
        """Return a signature. Raises KeyError if there is none of that name."""
        return self._signatures[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signatures)

    def __len__(self) -> int:
        return len(self._signatures)

    def __repr__(self) -> str:
        return f"_SignatureMap({self._signatures})"
