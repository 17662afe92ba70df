"""Initial values of variables: conversion and checks."""

from __future__ import annotations

from runtime.core.context import get_default_graph, init_scope
from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape, as_dims
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.ops.base.convert import cast_to, convert_to_tensor
from runtime.state.lifting import lifted_value


def require_initial_value(value: object) -> None:
    """Raise ValueError if the initial value of a variable is None."""
    if value is None:
        raise ValueError(
            "The `initial_value` arg to `tf.Variable` must be specified: a Variable needs an "
            "initial value."
        )


def known_spec(spec: TensorSpec, shape: object) -> TensorSpec:
    """Return the spec with the `shape` argument. Raise ValueError if the value does not fit it."""
    if shape is None:
        return spec
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(spec.dims):
        raise ValueError(
            f"In this `tf.Variable` creation, the initial value's shape ({spec.shape}) is not "
            f"compatible with the explicitly supplied `shape` argument ({wanted})."
        )
    return spec.with_dims(as_dims(wanted))


def initial(value: object, dtype: DType | None) -> EagerTensor:
    """Return the initial value of a variable outside of graphs built by hand."""
    if callable(value):
        with init_scope():
            value = value()
    if hasattr(type(value), "__tf_tensor__"):
        with init_scope():
            value = convert_to_tensor(value)
    if isinstance(value, SymbolicTensor):
        value = EagerTensor(lifted_value(value))
    with init_scope():
        tensor = convert_to_tensor(value, dtype)
        tensor = tensor if dtype is None else cast_to(tensor, dtype)
    assert isinstance(tensor, EagerTensor)
    return tensor


def initial_in_graph(value: object, dtype: DType | None) -> Tensor:
    """Return the initial value of a variable of a graph built by hand."""
    graph = get_default_graph()
    if isinstance(value, SymbolicTensor):
        return convert_to_tensor(value, dtype)
    with graph.name_scope("Initializer"):
        given = value() if callable(value) else value
        return convert_to_tensor(given, dtype, name="initial_value")
