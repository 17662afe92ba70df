"""Every op type: eager, inferred and interpreted agree on its samples."""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.core.context import recording
from runtime.core.dispatch import execute, infer
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.core.tensor import EagerTensor
from runtime.core.verify import verify
from runtime.engines import interpreter
from runtime.ops.base.define import bind

CARRYING = {
    "If",
    "StatelessIf",
    "Case",
    "StatelessCase",
    "While",
    "StatelessWhile",
    "PartitionedCall",
    "StatefulPartitionedCall",
    "Placeholder",
    "ReadOutside",
    "ShareOutside",
    "WriteOutside",
    "Recursion",
    "Recur",
    "StatefulRecur",
    "CustomGradient",
    "EagerPyFuncGradient",
    "EagerPyFuncGradientOnTape",
}
"""Ops that carry graphs, or what only a graph can give them."""

OF_DATASETS = {
    "BatchDatasetV2",
    "CacheDataset",
    "ConcatenateDataset",
    "CounterDataset",
    "DatasetCardinality",
    "EnumerateDataset",
    "FilterDataset",
    "FlatMapDataset",
    "InterleaveDataset",
    "IteratorGetNext",
    "IteratorHasNext",
    "MakeIterator",
    "MapDataset",
    "ParallelMapDatasetV2",
    "PrefetchDataset",
    "PythonDataset",
    "RangeDataset",
    "RepeatDataset",
    "ShuffleDatasetV3",
    "SkipDataset",
    "TakeDataset",
    "TensorDataset",
    "TensorSliceDataset",
    "UnbatchDataset",
    "ZipDataset",
}
"""Ops whose values are no arrays; `tests/runtime/data` runs them."""

SAMPLES = [
    pytest.param(op, sample, id=f"{op.name}-{i}")
    for op in all_ops()
    for i, sample in enumerate(op.samples)
]


def test_every_op_has_samples():
    missing = {op.name for op in all_ops() if not op.samples}
    assert missing == CARRYING | OF_DATASETS


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_inferred_spec_is_that_of_the_result(op, sample, capsys):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    results = execute(op, inputs, sample.attrs)
    specs = infer(op, inputs, sample.attrs)
    assert len(results) == len(specs)
    for result, spec in zip(results, specs, strict=True):
        assert spec.dtype is result.dtype
        assert spec.includes(result.spec), (spec, result.spec)


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_interpreted_graph_gives_the_eager_result(op, sample, capsys):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    tf.random.set_seed(3)
    eager = execute(op, inputs, sample.attrs)
    graph = Graph("sample")
    arguments = [graph.add_input(tensor.spec, "x") for tensor in inputs]
    with recording(graph):
        graph.outputs = list(execute(op, arguments, sample.attrs))
    verify(graph)
    tf.random.set_seed(3)
    results = interpreter.executable(graph)(*(tensor.array for tensor in inputs))
    for one, other in zip(eager, results, strict=True):
        if not op.boxed and op.effect is not Effect.READ:
            np.testing.assert_array_equal(one.numpy(), EagerTensor(np.asarray(other)).numpy())


@pytest.mark.parametrize(("op", "sample"), SAMPLES)
def test_unknown_shapes_are_inferred_without_contradiction(op, sample, capsys):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    results = execute(op, inputs, sample.attrs)
    graph = Graph("sample")
    arguments = [
        graph.add_input(tensor.spec.with_dims((None,) * len(tensor.spec.dims)), "x")
        for tensor in inputs
    ]
    with recording(graph):
        symbolic = execute(op, arguments, sample.attrs)
    for tensor, result in zip(symbolic, results, strict=True):
        assert tensor.spec.includes(result.spec), (tensor.spec, result.spec)
