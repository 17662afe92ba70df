"""TensorFlow reads what is written, and computes the same."""

import numpy as np
import pytest

import runtime as rt
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.core.tensor import EagerTensor
from runtime.engines import interpreter
from runtime.ops.convert import bind

tf = pytest.importorskip("tensorflow", exc_type=ImportError)

BOXED = (rt.resource, rt.variant)
NOT_THERE = {
    "AddAlongAxis-0",
    "AddAlongAxis-1",
    "ArgSort-1",
    "LinSpace-1",
    "MatrixExponential-0",
    "MatrixExponential-1",
    "PyFuncStateless-0",
    "RepeatedPositions-0",
    "Sort-1",
    "StringBytesSplitScalar-0",
    "StringSplitScalar-0",
    "TakeAlongAxis-0",
    "TakeAlongAxis-1",
}
"""Samples that no op type of TensorFlow, nor a few of them, can stand for."""


ON_A_GPU = {
    "Conv2D-1",
    "Conv2DBackpropFilter-1",
    "Conv2DBackpropInput-1",
    "MaxPool-1",
    "MaxPoolGrad-1",
    "MaxPoolGradGrad-1",
}
"""Samples for which TensorFlow has no kernel on a CPU; it reads them all the same."""
OF_EITHER_SIGN = {"Svd", "SelfAdjointEigV2"}
"""Op types that give vectors of which any multiple would do."""


def plain_samples():
    for op in all_ops():
        for number, sample in enumerate(op.samples):
            inputs, _ = bind(op.name, op.inputs, sample.args)
            boxed = op.boxed or any(tensor.dtype in BOXED for tensor in inputs)
            if not boxed and op.effect is Effect.NONE:
                yield f"{op.name}-{number}", op, sample


def run_there(data, feeds, fetches):
    """What TensorFlow computes for a graph in bytes."""
    message = tf.compat.v1.GraphDef.FromString(data)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(message, name="")
        with tf.compat.v1.Session(graph=graph) as session:
            return session.run(fetches, feeds)


@pytest.mark.parametrize(
    ("label", "op", "sample"), [pytest.param(*entry, id=entry[0]) for entry in plain_samples()]
)
def test_every_op_type_means_the_same_there(label, op, sample):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    graph = Graph("sample")
    arguments = [graph.add_input(tensor.spec, f"x{i}") for i, tensor in enumerate(inputs)]
    with recording(graph):
        graph.outputs = list(execute(op, arguments, sample.attrs))
    if label in NOT_THERE:
        with pytest.raises(UnimplementedError, match="cannot be written to a GraphDef"):
            graph.as_graph_def()
        return
    arrays = [tensor.array for tensor in inputs]
    ours = interpreter.executable(graph)(*arrays)
    fetches = [f"Identity{f'_{i}' if i else ''}:0" for i in range(len(ours))]
    if op.name == "Identity":
        fetches = ["Identity_1:0"]
    feeds = {f"x{i}:0": array for i, array in enumerate(arrays)}
    data = graph.as_graph_def().SerializeToString()
    if label in ON_A_GPU:
        assert run_there(data, feeds, ["x0:0"])[0].shape == np.shape(arrays[0])
        return
    theirs = run_there(data, feeds, fetches)
    if op.name in OF_EITHER_SIGN:
        ours, theirs = ([np.abs(array) for array in arrays] for arrays in (ours, theirs))
    for one, other in zip(ours, theirs, strict=True):
        mine = EagerTensor(np.asarray(one)).numpy()
        if np.asarray(mine).dtype.kind in "fc":
            np.testing.assert_allclose(mine, other, rtol=2e-5, atol=2e-6)
        else:
            np.testing.assert_array_equal(mine, other)
        assert np.asarray(mine).dtype == np.asarray(other).dtype
