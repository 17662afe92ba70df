"""Graphs from untrusted files: only public errors, little memory, little time."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runtime as tf
import runtime.op_types
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.errors import OpError, UnimplementedError
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.export.messages import AttrValue, GraphDef, NodeDef, TensorProto, TensorShapeProto
from runtime.export.tensors import tensor_message
from runtime.ops.base.define import bind

BOXED = (tf.resource, tf.variant)
INTEGERS = st.sampled_from(
    [-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 7, 255, 2**16, 2**31 - 1, 2**40, 2**63 - 1]
)
STRINGS = st.sampled_from([b"", b"NHWC", b"NCHW", b"SAME", b"EXPLICIT", b"bogus", b"\xff", b"\0"])
TYPES = st.sampled_from([0, 1, 2, 3, 4, 7, 9, 10, 14, 19, 20, 21, 23, 101, 1000, -1])


def graphs():
    """A GraphDef of each op type that has a sample, of arguments and of constants."""
    for op in all_ops():
        for sample in op.samples[:1]:
            inputs, _ = bind(op.name, op.inputs, sample.args)
            if op.boxed or op.effect is not Effect.NONE or any(t.dtype in BOXED for t in inputs):
                continue
            for constant in (False, True):
                graph = Graph("sample")
                arguments = [graph.add_input(t.spec, f"x{i}") for i, t in enumerate(inputs)]
                with recording(graph):
                    if constant:
                        arguments = [tf.constant(t.numpy()) for t in inputs]
                    results = execute(op, arguments, sample.attrs)
                    graph.outputs = [tf.identity(result) for result in results]
                try:
                    yield graph.as_graph_def().SerializeToString()
                except UnimplementedError:
                    continue


GRAPHS = list(graphs())
OP_TYPES = sorted({node.op for data in GRAPHS for node in GraphDef.FromString(data).node})


def read(message: GraphDef) -> None:
    with tf.Graph().as_default():
        tf.graph_util.import_graph_def(message, name="")


def read_or_refuse(message: GraphDef) -> None:
    started = time.perf_counter()
    tracemalloc.start()
    try:
        read(message)
    except (ValueError, OpError) as error:
        assert not isinstance(error, UnicodeError)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 64 << 20
    assert time.perf_counter() - started < 10


FUZZED = settings(max_examples=20 * settings().max_examples)
"""Each example takes a few milliseconds."""


def change_shape(shape: TensorShapeProto, draw: Callable) -> None:
    sizes = [dim.size for dim in shape.dim]
    change = draw(st.sampled_from(["replace", "append", "clear", "unknown", "many"]))
    if change == "replace" and sizes:
        sizes[draw(st.integers(0, len(sizes) - 1))] = draw(INTEGERS)
    elif change == "append":
        sizes.append(draw(INTEGERS))
    elif change == "clear":
        sizes = []
    elif change == "many":
        sizes = [draw(INTEGERS)] * draw(st.sampled_from([3, 33, 65, 300]))
    shape.Clear()
    shape.SetInParent()
    shape.unknown_rank = change == "unknown"
    for size in sizes:
        shape.dim.add(size=size)


def change_tensor(tensor: TensorProto, draw: Callable) -> None:
    change = draw(st.sampled_from(["shape", "type", "elements", "bytes"]))
    if change == "shape":
        change_shape(tensor.tensor_shape, draw)
    elif change == "type":
        tensor.dtype = draw(TYPES)
    elif change == "elements":
        tensor.ClearField("tensor_content")
        change_shape(tensor.tensor_shape, draw)
    else:
        tensor.tensor_content = draw(st.binary(max_size=len(tensor.tensor_content) + 8))


def change_list(attr: AttrValue, draw: Callable) -> None:
    for item, held in attr.list.ListFields():
        values = list(held)
        place = draw(st.integers(0, len(values) - 1))
        if item.name == "i":
            values[place] = draw(INTEGERS)
        elif item.name == "type":
            values[place] = draw(TYPES)
        if draw(st.booleans()):
            values = values[:-1] if draw(st.booleans()) else values + values[:1] * 300
        attr.list.ClearField(item.name)
        getattr(attr.list, item.name).extend(values)
        return
    attr.list.i.extend([draw(INTEGERS)])


def change_attr(attr: AttrValue, draw: Callable) -> None:
    slot = attr.WhichOneof("value")
    if slot == "i":
        attr.i = draw(INTEGERS)
    elif slot == "s":
        attr.s = draw(STRINGS)
    elif slot == "f":
        attr.f = draw(st.sampled_from([-1.0, 0.0, float("nan"), float("inf")]))
    elif slot == "b":
        attr.b = not attr.b
    elif slot == "type":
        attr.type = draw(TYPES)
    elif slot == "shape":
        change_shape(attr.shape, draw)
    elif slot == "tensor":
        change_tensor(attr.tensor, draw)
    elif slot == "list":
        change_list(attr, draw)


def change_node(message: GraphDef, node: NodeDef, draw: Callable) -> None:
    change = draw(st.sampled_from(["attr", "attr", "attr", "input", "op", "drop", "name"]))
    keys = sorted(node.attr)
    if change == "attr" and keys:
        change_attr(node.attr[draw(st.sampled_from(keys))], draw)
    elif change == "drop" and keys:
        node.attr[draw(st.sampled_from(keys))].Clear()
    elif change == "input" and len(node.input):
        names = [other.name for other in message.node]
        inputs = list(node.input)
        name = draw(st.sampled_from([*names, f"^{names[0]}", f"{names[0]}:1", "", ":", "x:y:z"]))
        inputs[draw(st.integers(0, len(inputs) - 1))] = name
        node.ClearField("input")
        node.input.extend(inputs)
    elif change == "op":
        node.op = draw(st.sampled_from(OP_TYPES))
    elif change == "name":
        node.name = draw(st.text(max_size=5))


@FUZZED
@given(st.data())
def test_changed_graph_is_read_or_refused(data):
    message = GraphDef.FromString(data.draw(st.sampled_from(GRAPHS)))
    for _ in range(data.draw(st.integers(1, 3))):
        node = data.draw(st.sampled_from(list(message.node)))
        change_node(message, node, data.draw)
    read_or_refuse(message)


@FUZZED
@given(st.data())
def test_changed_bytes_are_read_or_refused(data):
    held = bytearray(data.draw(st.sampled_from(GRAPHS)))
    for _ in range(data.draw(st.integers(1, 4))):
        held[data.draw(st.integers(0, len(held) - 1))] = data.draw(st.integers(0, 255))
    try:
        message = GraphDef.FromString(bytes(held))
    except ValueError:
        return
    read_or_refuse(message)


def graph_of(*nodes: NodeDef) -> GraphDef:
    return GraphDef(node=nodes)


def constant_node(name: str, tensor: TensorProto) -> NodeDef:
    node = NodeDef(name=name, op="Const")
    node.attr["dtype"].type = tensor.dtype
    node.attr["value"].tensor.CopyFrom(tensor)
    return node


def declared(dims: tuple[int, ...], **fields: object) -> TensorProto:
    message = TensorProto(**fields)
    for dim in dims:
        message.tensor_shape.dim.add(size=dim)
    return message


HUGE = [
    declared((1 << 34,), dtype=1),
    declared((1 << 34,), dtype=1, float_val=[2.0]),
    declared((1 << 17, 1 << 17), dtype=9, int64_val=[3]),
    declared((1 << 34,), dtype=7, string_val=[b"x"]),
    declared((1 << 34,), dtype=8, scomplex_val=[1.0, 2.0]),
]


@pytest.mark.parametrize("tensor", HUGE, ids=lambda tensor: str(tensor.dtype))
def test_huge_constant_takes_no_memory_before_it_is_used(tensor):
    tracemalloc.start()
    message = GraphDef.FromString(graph_of(constant_node("c", tensor)).SerializeToString())
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(message, name="")
        c = graph.get_tensor_by_name("c:0")
        shape = [dim.size for dim in tensor.tensor_shape.dim]
        assert c.shape.as_list() == shape
        first = session.run(c[(-1,) * len(shape)])
        again = graph.as_graph_def()
        _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20
    assert first in (0.0, 2.0, 3, b"x", 1 + 2j)
    assert again.ByteSize() < 10_000


def test_huge_constant_that_is_used_is_resource_exhausted():
    message = graph_of(constant_node("c", declared((1 << 44,), dtype=1, float_val=[2.0])))
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(message, name="")
        c = graph.get_tensor_by_name("c:0")
        with pytest.raises(tf.errors.ResourceExhaustedError):
            session.run(c + 1.0)
        with pytest.raises(tf.errors.ResourceExhaustedError):
            session.run(c)


def test_constant_of_some_elements_is_filled_up_to_a_limit():
    for count, fits in ((1 << 10, True), (1 << 40, False)):
        message = graph_of(constant_node("c", declared((count,), dtype=1, float_val=[1.0, 2.0])))
        if fits:
            read(message)
        else:
            with pytest.raises(ValueError, match="may be left out"):
                read(message)


def test_shape_of_too_many_dimensions_is_refused():
    with pytest.raises(ValueError, match="more than 254"):
        read(graph_of(constant_node("c", declared((1,) * 255, dtype=1, float_val=[1.0]))))


def test_shape_operand_of_huge_length_is_refused():
    x = constant_node("x", tensor_message(np.ones(2, np.float32), tf.float32))
    shape = constant_node("shape", declared((1 << 34,), dtype=3, int_val=[1]))
    reshape = NodeDef(name="y", op="Reshape", input=["x", "shape"])
    reshape.attr["T"].type = 1
    with pytest.raises(ValueError, match="at most 254 dimensions"):
        read(graph_of(x, shape, reshape))
