"""Every op type agrees with the interpreter on its samples, or is named here as not lowered."""

import numpy as np
import pytest

pytest.importorskip("jax")

import runtime as tf
from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.core.spec import spec_of
from runtime.engines import interpreter
from runtime.engines.limits import Unsupported
from runtime.engines.xla.boundary import XlaFunction
from runtime.ops.base.define import bind
from tests.runtime.engines.xla.programs import TOLERANCE, agree
from tests.runtime.ops.test_registry import SAMPLES

pytestmark = pytest.mark.sample

NEEDS_VALUES = {
    "ConcatOffset", "Range", "RepeatedPositions", "Unique", "Where",
}  # fmt: skip
"""Ops whose shapes, or whose results that are shapes, depend on elements of their inputs; their
samples have no other inputs.
"""

IN_ORDER = {"TensorScatterUpdate"}
"""Of updates at one index the last one counts; XLA does not say which one it keeps."""

IN_PLACE = {
    "AddAlongAxis", "Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput", "AvgPoolGrad",
    "MatrixDiagV3", "MatrixSetDiagV3", "MaxPool", "MaxPoolGrad",
    "StatelessRandomNormal", "StatelessRandomUniform", "StatelessRandomUniformInt",
    "StatelessTruncatedNormal",
}  # fmt: skip
"""Ops whose kernels change arrays in place or look at the memory of NumPy's."""

SAMPLES_REFUSED = {"RangeSize-2", "Reshape-3"}
"""A range of floating-point numbers, and a shape with 0 and -1."""

OF_PYTHON = {
    "CheckedPow", "EagerPyFunc", "EagerPyFuncOnTape", "KeyPosition", "PyFunc", "PyFuncStateless",
    "PythonFunction", "PythonNumber", "PythonRound",
}  # fmt: skip
"""Ops that compute with objects of Python."""


def refused_by_kind(op, outputs):
    """Return whether an op has an effect or a value that is no array of numbers."""
    return (
        op.effect is not Effect.NONE
        or op.boxed
        or bool(op.local)
        or any(tensor.spec.dtype.kind not in "biufc" for tensor in outputs)
    )


def graph_of(op, sample, constants):
    """Return the graph of one op, and the arrays of its inputs; `constants` says which are none."""
    inputs, _ = bind(op.name, op.inputs, sample.args)
    graph = Graph("sample")
    pairs = list(zip(inputs, constants(inputs), strict=True))
    with recording(graph):
        operands = [t if fixed else graph.add_input(t.spec, "x") for t, fixed in pairs]
        graph.outputs = list(execute(op, operands, sample.attrs))
    return graph, [t.array for t, fixed in pairs if not fixed]


def none(inputs):
    return [False for _ in inputs]


def integers(inputs):
    """Shapes and indices are known, or all inputs but the first."""
    found = [tensor.spec.dtype.kind in "biu" for tensor in inputs]
    return [i > 0 for i in range(len(inputs))] if all(found) or not any(found) else found


def all_but_the_last(inputs):
    return [i < len(inputs) - 1 for i in range(len(inputs))]


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_an_op_agrees_or_is_named(op, sample, request, capsys):
    named = op.name in NEEDS_VALUES | IN_ORDER | IN_PLACE | OF_PYTHON
    named |= request.node.callspec.id in SAMPLES_REFUSED
    refused = []
    for constants in (none, integers, all_but_the_last):
        tf.random.set_seed(3)
        graph, arrays = graph_of(op, sample, constants)
        by_kind = refused_by_kind(op, [*(graph.inputs), *graph.outputs])
        try:
            function = XlaFunction(graph)
            found = function.call(*(arrays[i] for i in function.places))
        except Unsupported as reason:
            refused.append(str(reason))
            continue
        assert found is not False
        expected = interpreter.executable(graph)(*arrays)
        agree(
            list(map(np.asarray, expected)),
            [np.asarray(b, np.asarray(a).dtype) for a, b in zip(expected, found, strict=True)],
        )
        if not refused:
            break
    assert named == (named and bool(refused))
    assert len(refused) < 3 or named or by_kind, refused


def edges(dtype):
    """Return extreme and special numbers of a dtype."""
    if dtype.kind == "b":
        return np.array([True, False])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        small = [0, 1, 2, 3, 7, *([-1, -2, -7] if dtype.kind == "i" else [])]
        most = [limits.min, limits.max, limits.min + 1, limits.max - 1]
        return np.array([*most, *small, min(limits.max, 31), min(limits.max, 64)], dtype)
    halves = [0.0, 1.0, 0.5, 1.5, 2.5, 3.3, np.inf, 1e30, 1e9, 3e9, 88.5, 1e-30]
    return np.array([np.nan, *halves, *np.negative(halves)], dtype)


ELEMENTWISE = [
    pytest.param(op, np.dtype(name), id=f"{op.name}-{name}")
    for op in all_ops()
    if op.elementwise and op.effect is Effect.NONE and op.outputs == 1 and op.samples
    if len(op.inputs) <= 2 and not any(name.startswith("*") for name in op.inputs)
    for name in ("bool", "int8", "int64", "uint64", "float32")
    if all(dtypes.from_numpy(np.dtype(name)) in group for group in op.inputs.values())
]


@pytest.mark.parametrize(("op", "dtype"), ELEMENTWISE)
def test_elementwise_ops_agree_on_edge_values(op, dtype):
    numbers = edges(dtype)
    arrays = [numbers]
    if len(op.inputs) == 2:
        arrays = [each.ravel() for each in np.meshgrid(numbers, numbers)]
    graph = Graph("edges")
    operands = [graph.add_input(spec_of(dtypes.from_numpy(dtype), a.shape), "x") for a in arrays]
    with recording(graph):
        graph.outputs = list(execute(op, operands, op.samples[0].attrs))
    if op.name in OF_PYTHON:
        return
    found = XlaFunction(graph).call(*arrays)
    try:
        (expected,) = interpreter.executable(graph)(*arrays)
    except tf.errors.OpError:
        assert found is False
        return
    if found is False:  # the plan is right anyway; of the ops on numbers, only these need it
        assert op.name in {"Pow", "LeftShift", "RightShift"}
        return
    assert found[0].dtype == expected.dtype
    if dtype.kind != "f":
        np.testing.assert_array_equal(found[0], expected)
        return
    limit = TOLERANCE[dtype.itemsize]
    np.testing.assert_allclose(found[0], expected, rtol=limit, atol=np.finfo(dtype).tiny)
    known = ~np.isnan(expected)
    # The greater one of 0.0 and -0.0 is either of them, in NumPy too.
    if expected.dtype.kind == "f" and op.name not in {"Maximum", "Minimum", "Relu6"}:
        np.testing.assert_array_equal(np.signbit(found[0])[known], np.signbit(expected)[known])
