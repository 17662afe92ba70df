"""TensorFlow reads what is written, and computes the same."""

import numpy as np
import pytest

import runtime as rt
import runtime.saved_model.op_types
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.errors import UnimplementedError
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.core.tensor import EagerTensor
from runtime.engines import interpreter
from runtime.export.messages import GraphDef
from runtime.ops.base.define import bind

tf = pytest.importorskip("tensorflow", exc_type=ImportError)

BOXED = (rt.resource, rt.variant)
NOT_THERE = {
    "AddAlongAxis-0",
    "AddAlongAxis-1",
    "ArgSort-1",
    "DecodeImageFile-0",
    "DecodeImageFile-1",
    "EncodeJpeg-0",
    "LinSpace-1",
    "MatrixExponential-0",
    "MatrixExponential-1",
    "MaxPoolGradGrad-2",
    "ParseDenseExample-0",
    "ParseDenseExample-1",
    "ParseDenseSequenceExample-0",
    "PyFuncStateless-0",
    "PythonContains-0",
    "PythonContains-1",
    "PythonRound-0",
    "PythonRound-1",
    "PythonStringMethod-0",
    "PythonStringMethod-1",
    "PythonText-0",
    "PythonText-1",
    "PythonText-2",
    "PythonText-3",
    "PythonText-4",
    "RepeatedPositions-0",
    "Sort-1",
    "StridedSliceAdd-0",
    "StridedSliceAdd-1",
    "StringBytesSplitScalar-0",
    "StringSplitScalar-0",
    "TakeAlongAxis-0",
    "TakeAlongAxis-1",
    "UniqueOfRows-0",
}
"""Samples that no op type of TensorFlow, nor a few of them, can stand for."""


WITHOUT_KERNEL = {
    "AvgPool-1",
    "AvgPoolGrad-1",
    "Conv2D-1",
    "Conv2DBackpropFilter-1",
    "Conv2DBackpropInput-1",
    "DepthToSpace-1",
    "MaxPool-1",
    "MaxPoolGrad-1",
    "MaxPoolGradGrad-1",
    "SpaceToDepth-1",
}
"""Samples for which TensorFlow has no kernel on a CPU; it reads them all the same."""
ANOTHER_MEANING = {"MaxPoolGradGrad-0"}
"""Samples whose second input is not, as TensorFlow demands, the pooled first one."""
OTHER_NUMBERS = {
    "RandomGammaGrad-1",
}
"""Samples for which TensorFlow draws numbers in another way, or is less exact."""
OF_EITHER_SIGN = {"SelfAdjointEigV2"}
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
        results = execute(op, arguments, sample.attrs)
        graph.outputs = [rt.identity(result, name="result") for result in results]
    if label in NOT_THERE:
        with pytest.raises(UnimplementedError, match="cannot be written to a GraphDef"):
            graph.as_graph_def()
        return
    arrays = [tensor.array for tensor in inputs]
    ours = interpreter.executable(graph)(*arrays)
    fetches = [f"result{f'_{i}' if i else ''}:0" for i in range(len(ours))]
    feeds = {f"x{i}:0": array for i, array in enumerate(arrays)}
    data = graph.as_graph_def().SerializeToString()
    if label in ANOTHER_MEANING:
        return
    if label in WITHOUT_KERNEL:
        assert run_there(data, feeds, ["x0:0"])[0].shape == np.shape(arrays[0])
        return
    theirs = run_there(data, feeds, fetches)
    if op.name in OF_EITHER_SIGN:
        ours, theirs = ([np.abs(array) for array in arrays] for arrays in (ours, theirs))
    for one, other in zip(ours, theirs, strict=True):
        mine = EagerTensor(np.asarray(one)).numpy()
        if label in OTHER_NUMBERS:
            assert np.shape(mine) == np.shape(other)
        elif np.asarray(mine).dtype.kind in "fc":
            np.testing.assert_allclose(mine, other, rtol=2e-5, atol=2e-6)
        else:
            np.testing.assert_array_equal(mine, other)
        assert np.asarray(mine).dtype == np.asarray(other).dtype


def loop(x):
    i = 0
    total = x
    while i < 5:
        if i % 2 == 0:
            total += tf.cast(i, tf.float32)
        i += 1
    return total


def test_messages_are_the_same_in_bytes_and_text():
    concrete = tf.function(loop).get_concrete_function(tf.TensorSpec([], tf.float32))
    written = concrete.graph.as_graph_def()
    message = GraphDef.FromString(written.SerializeToString())
    assert tf.compat.v1.GraphDef.FromString(message.SerializeToString()) == written
    assert sorted(str(message).splitlines()) == sorted(str(written).splitlines())


def control(x):
    if x > 0.0:
        y = x + 1.0
        z = y
    else:
        y = x * 2.0
        z = x
    total = rt.zeros([])
    rows = []
    for e in rt.range(3):
        if e == 2:
            break
        total += rt.cast(e, rt.float32) * y
        rows.append(total + z)
    return total, rt.stack(rows)


def test_control_flow_means_the_same_there():
    concrete = rt.function(control).get_concrete_function(rt.TensorSpec([], rt.float32))
    data = concrete.graph.as_graph_def().SerializeToString()
    for value in (np.float32(2), np.float32(-2)):
        ours = [tensor.numpy() for tensor in concrete(rt.constant(value))]
        theirs = run_there(data, {"x:0": value}, ["Identity:0", "Identity_1:0"])
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other)


def numbered(i, x):
    return rt.switch_case(i, [lambda: x, lambda: x * 2.0], default=lambda: x - 1.0)


def test_choices_mean_the_same_there():
    specs = (rt.TensorSpec([], rt.int32), rt.TensorSpec([], rt.float32))
    graph = rt.function(numbered).get_concrete_function(*specs).graph
    data = graph.as_graph_def().SerializeToString()
    for i in (-1, 0, 1, 2, 3):
        ours = rt.function(numbered)(rt.constant(i), rt.constant(5.0))
        theirs = run_there(data, {"i:0": np.int32(i), "x:0": np.float32(5)}, "Identity:0")
        assert float(ours) == theirs


def test_graphs_of_functions_have_the_same_operations():
    def operations(library):
        v = library.Variable(1.0)

        def f(i, x):
            library.print(x)
            v.assign(x)
            y = library.cond(x > 0.0, lambda: x, lambda: x + 1.0, name="choose")
            z = library.switch_case(i, [lambda: y, lambda: -y])
            return {"b": z, "a": (z, x, None, 2)}

        function = library.function(f)
        specs = (library.TensorSpec([], library.int32), library.TensorSpec([], library.float32))
        concrete = function.get_concrete_function(*specs)
        kinds = ("Identity", "NoOp", "StatelessIf", "StatelessCase")
        found = {op.name: op.type for op in concrete.graph.get_operations() if op.type in kinds}
        return found, [tensor.name for tensor in concrete.outputs]

    assert operations(rt) == operations(tf)


def test_variables_mean_the_same_there():
    with rt.Graph().as_default() as graph:
        v = rt.Variable([1.0, 2.0], name="v")
        v.assign_add([1.0, 1.0], name="grow")
        rt.compat.v1.global_variables_initializer()
    message = tf.compat.v1.GraphDef.FromString(graph.as_graph_def().SerializeToString())
    with tf.Graph().as_default() as there, tf.compat.v1.Session(graph=there) as session:
        tf.graph_util.import_graph_def(message, name="")
        session.run("init")
        session.run("grow")
        assert session.run("v/Read/ReadVariableOp:0").tolist() == [2.0, 3.0]
