"""Graphs as GraphDef, and back."""

import numpy as np
import pytest

import runtime as tf
import runtime.op_types
from runtime.core.context import recording
from runtime.core.dispatch import execute
from runtime.core.errors import NotFoundError, UnimplementedError
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, all_ops
from runtime.core.structure import flatten
from runtime.core.tensor import EagerTensor
from runtime.core.verify import verify
from runtime.engines import interpreter
from runtime.export.messages import GraphDef, NodeDef
from runtime.export.tensors import tensor_message
from runtime.ops.base.define import bind

SCALAR = tf.TensorSpec([], tf.float32)
COUNT = tf.TensorSpec([], tf.int32)
VECTOR = tf.TensorSpec([None], tf.float32)
BOXED = (tf.resource, tf.variant)


def exported(function, *specs):
    return tf.function(function).get_concrete_function(*specs).graph.as_graph_def()


def imported(message, feeds, fetches):
    """What a message computes after its bytes were read."""
    with tf.Graph().as_default() as graph, tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(GraphDef.FromString(message.SerializeToString()), name="")
        verify(graph)
        return session.run(fetches, feeds)


def pick(x):
    if x > 0.0:
        y = x + 1.0
        z = y
    else:
        y = x * 2.0
        z = x
    return y + z


def total(n):
    i = 0
    s = 0
    while i < n:
        if i % 2 == 0:
            s += i
        i += 1
    return s


def until_negative(x):
    s = 0.0
    for e in x:
        if e < 0.0:
            break
        s += e
    return s


def doubled(x):
    rows = []
    for e in x:
        rows.append(e * 2.0)
    return tf.stack(rows)


def numbered(n):
    def inside():
        return tf.switch_case(n - 5, [lambda: n * 3, lambda: n * 4], name="inner")

    return tf.switch_case(n, [lambda: 10, lambda: n + 1, inside])


def filled(n):
    array = tf.TensorArray(tf.float32, size=n)
    for i in tf.range(n):
        array = array.write(i, tf.cast(i, tf.float32))
    return array.stack()


def nested(x):
    @tf.function
    def inner(y):
        return y * y + x

    return inner(x) + inner(x + 1.0)


def several(x):
    return {"a": tf.reduce_sum(x), "b": (x[1:], tf.sort(x), tf.reduce_logsumexp(x))}


PROGRAMS = [
    (pick, SCALAR, [np.float32(3), np.float32(-3)]),
    (total, COUNT, [np.int32(0), np.int32(7)]),
    (until_negative, VECTOR, [np.float32([1, 2, -1, 5]), np.float32([])]),
    (doubled, VECTOR, [np.float32([1, 2, 3])]),
    (filled, COUNT, [np.int32(3)]),
    (numbered, COUNT, [np.int32(value) for value in (-1, 0, 1, 2, 5, 6)]),
    (nested, SCALAR, [np.float32(2)]),
    (several, VECTOR, [np.float32([3, 1, 2])]),
]


@pytest.mark.parametrize(
    ("function", "spec", "values"), PROGRAMS, ids=[function.__name__ for function, *_ in PROGRAMS]
)
def test_programs_come_back(function, spec, values):
    concrete = tf.function(function).get_concrete_function(spec)
    message = concrete.graph.as_graph_def()
    count = len(concrete.graph.outputs)
    fetches = [f"Identity{f'_{i}' if i else ''}:0" for i in range(count)]
    argument = concrete.graph.arguments[0].name
    for value in values:
        wanted = flatten(concrete(tf.constant(value)))[0]
        for one, other in zip(wanted, imported(message, {argument: value}, fetches), strict=True):
            np.testing.assert_array_equal(one.numpy(), other)


@pytest.mark.parametrize(("function", "spec"), [(pick, SCALAR), (numbered, COUNT)])
def test_a_graph_that_was_read_is_written_as_it_was(function, spec):
    def shape(message):
        functions = {
            function.signature.name.rstrip("0123456789"): (
                [arg.name for arg in function.signature.input_arg],
                [(node.name, node.op, list(node.input)) for node in function.node_def],
                dict(function.ret),
            )
            for function in message.library.function
        }
        return [(node.name, node.op, list(node.input)) for node in message.node], functions

    message = exported(function, spec)
    with tf.Graph().as_default() as graph:
        tf.graph_util.import_graph_def(message, name="")
    assert shape(graph.as_graph_def()) == shape(message)


def test_names_in_the_library_stand_behind_that_of_the_operation():
    message = exported(numbered, COUNT)
    names = {node.name for function in message.library.function for node in function.node_def}
    assert "switch_case/indexed_case/add" in names
    assert "switch_case/indexed_case/inner/indexed_case/mul" in names


def test_a_branch_without_results():
    variable = tf.Variable(0.0)

    def f(x):
        if x > 0.0:
            variable.assign(x)
        return variable + 1.0

    choice = exported(f, SCALAR)
    (node,) = [node for node in choice.node if node.op == "If"]
    assert not node.attr["Tout"].list.type


def test_results_wait_for_effects():
    def f(x):
        tf.print(x)
        return x, x

    nodes = {node.name: list(node.input) for node in exported(f, SCALAR).node}
    assert nodes["Identity"] == ["x", "^NoOp"] == nodes["Identity_1"]
    assert nodes["NoOp"] == ["^PrintV2"]


def samples():
    for op in all_ops():
        for number, sample in enumerate(op.samples):
            inputs, _ = bind(op.name, op.inputs, sample.args)
            boxed = op.boxed or any(tensor.dtype in BOXED for tensor in inputs)
            if not boxed and op.effect is Effect.NONE:
                yield pytest.param(op, sample, id=f"{op.name}-{number}")


@pytest.mark.parametrize(("op", "sample"), list(samples()))
def test_op_types_come_back(op, sample):
    inputs, _ = bind(op.name, op.inputs, sample.args)
    graph = Graph("sample")
    arguments = [graph.add_input(tensor.spec, f"x{i}") for i, tensor in enumerate(inputs)]
    with recording(graph):
        results = execute(op, arguments, sample.attrs)
        graph.outputs = [tf.identity(result) for result in results]
    try:
        message = graph.as_graph_def()
    except UnimplementedError as error:
        assert "cannot be written to a GraphDef" in error.message
        assert "test_graphdef.py" in error.message
        return
    arrays = [tensor.array for tensor in inputs]
    wanted = interpreter.executable(graph)(*arrays)
    fetches = [node.name + ":0" for node in message.node if node.name.startswith("Identity")]
    feeds = {f"x{i}:0": array for i, array in enumerate(arrays)}
    found = imported(message, feeds, fetches[-len(wanted) :])
    for one, other in zip(wanted, found, strict=True):
        mine = EagerTensor(np.asarray(one)).numpy()
        if np.asarray(mine).dtype.kind in "fc":
            np.testing.assert_allclose(mine, other, rtol=2e-5, atol=2e-6)
        else:
            np.testing.assert_array_equal(mine, other)


def test_text_of_a_branch():
    def relu(x):
        if tf.greater(x, 0):
            return x
        else:
            return 0

    text = str(exported(relu, COUNT))
    for part in (
        'name: "x"\n  op: "Placeholder"',
        'key: "_user_specified_name"\n    value {\n      s: "x"',
        'name: "Greater/y"\n  op: "Const"',
        'name: "Greater"\n  op: "Greater"\n  input: "x"\n  input: "Greater/y"\n'
        '  attr {\n    key: "T"\n    value {\n      type: DT_INT32',
        'name: "cond"\n  op: "StatelessIf"\n  input: "Greater"\n  input: "x"',
        'key: "_lower_using_switch_merge"\n    value {\n      b: true',
        'key: "else_branch"\n    value {\n      func {\n        name: "cond_false_',
        'name: "cond/Identity"\n  op: "Identity"\n  input: "cond"',
        'output_arg {\n        name: "cond_identity"\n        type: DT_INT32',
        'ret {\n      key: "cond_identity"\n      value: "cond/Identity:output:0"',
        'name: "Identity"\n  op: "Identity"\n  input: "cond/Identity"',
        'library {\n  function {\n    signature {\n      name: "cond_true_',
        "versions {\n  producer: 1882\n  min_consumer: 12\n}",
    ):
        assert part in text


def test_attributes_that_are_inputs_there():
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [2, 3])
        tf.reduce_sum(x, axis=1)
        tf.transpose(x)
    nodes = {node.name: node for node in graph.as_graph_def().node}
    assert nodes["Sum"].input == ["Placeholder", "Sum/reduction_indices"]
    assert nodes["Sum"].attr["keep_dims"].b is False
    assert nodes["Sum"].attr["Tidx"].type == tf.int32.as_datatype_enum
    assert nodes["Sum/reduction_indices"].op == "Const"
    assert nodes["transpose"].input[1] == "transpose/perm"


def test_control_inputs_devices_and_shapes():
    with tf.Graph().as_default() as graph:
        x = tf.constant(1.0, name="x")
        with tf.control_dependencies([x]), graph.device("/cpu:0"):
            tf.constant([2.0], name="y")
    _, y = graph.as_graph_def(add_shapes=True).node
    assert y.input == ["^x"]
    assert y.device == "/cpu:0"
    assert y.attr["_output_shapes"].list.shape[0].dim[0].size == 1
    assert [node.name for node in graph.as_graph_def(from_version=1).node] == ["y"]
    with tf.Graph().as_default() as other:
        tf.graph_util.import_graph_def(graph.as_graph_def(), name="")
    again = other.get_operation_by_name("y")
    assert again.control_inputs == [other.get_operation_by_name("x")]
    assert again.device == "/cpu:0"


def test_nodes_and_signatures_of_operations():
    with tf.Graph().as_default():
        op = (tf.constant(1.0) + 2.0).op
    assert op.node_def.op == "AddV2"
    assert op.node_def.input == ["Const", "add/y"]
    assert [arg.name for arg in op.op_def.input_arg] == ["x", "y"]
    assert op.get_attr("T") is tf.float32
    with pytest.raises(ValueError, match="Operation 'add' has no attr named 'zz'"):
        op.get_attr("zz")


def test_large_values_that_a_function_captures_are_written():
    large = tf.constant(np.arange(300, dtype=np.float32))
    message = exported(lambda x: tf.reduce_sum(large * x), SCALAR)
    assert imported(message, {"x:0": 2.0}, "Identity:0") == 2 * np.arange(300).sum()


def test_variables_of_a_graph_come_back():
    with tf.Graph().as_default() as graph:
        v = tf.Variable([1.0, 2.0], name="v")
        v.assign_add([1.0, 1.0], name="grow")
        tf.compat.v1.global_variables_initializer()
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.graph_util.import_graph_def(graph.as_graph_def(), name="")
        session.run("init")
        session.run("grow")
        np.testing.assert_array_equal(session.run("v/Read/ReadVariableOp:0"), [2.0, 3.0])


def test_what_has_no_form_is_named():
    def fails(x):
        return tf.numpy_function(lambda value: value, [x], tf.float32)

    with pytest.raises(UnimplementedError, match=r"PyFunc.* cannot be written") as caught:
        exported(fails, SCALAR)
    assert "test_graphdef.py" in caught.value.message


def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def fact_in_loop(n):
    total = 0
    while n > 0:
        total += fact(n)
        n -= 1
    return total


@pytest.mark.parametrize("function", [fact, is_even, fact_in_loop])
def test_recursion_is_refused_with_its_line_and_a_remedy(function):
    with pytest.raises(UnimplementedError, match="calls itself on tensors") as caught:
        exported(function, tf.TensorSpec([], tf.int32))
    assert "write the recursion as a loop" in caught.value.message
    assert "test_graphdef.py" in caught.value.message


def const(name, value=1.0):
    node = NodeDef(name=name, op="Const")
    node.attr["dtype"].type = 1
    node.attr["value"].tensor.CopyFrom(tensor_message(np.float32(value), tf.float32))
    return node


def identity(name, *inputs, dtype=1, op="Identity"):
    node = NodeDef(name=name, op=op, input=inputs)
    node.attr["T"].type = dtype
    return node


def read(*nodes, **options):
    message = GraphDef(node=nodes)
    with tf.Graph().as_default() as graph:
        elements = tf.graph_util.import_graph_def(message, **options)
    return elements, [op.name for op in graph.get_operations()]


def test_names_stand_behind_a_prefix():
    nodes = const("c"), identity("i", "c")
    assert read(*nodes) == (None, ["import/c", "import/i"])
    assert read(*nodes, name="p") == (None, ["p/c", "p/i"])
    assert read(*nodes, name="") == (None, ["c", "i"])
    with tf.Graph().as_default() as graph:
        for _ in range(2):
            tf.graph_util.import_graph_def(GraphDef(node=[const("c")]))
    assert [op.name for op in graph.get_operations()] == ["import/c", "import_1/c"]


def test_nodes_in_any_order():
    assert read(identity("i", "c"), const("c"))[1] == ["import/c", "import/i"]


def test_elements_that_are_returned():
    (op, tensor), _ = read(const("c"), identity("i", "c"), return_elements=["i", "i:0"])
    assert tensor.op is op
    assert op.name == "import/i"


def test_tensors_in_place_of_inputs():
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        x = tf.constant(3.0)
        message = GraphDef(node=[const("c"), identity("i", "c"), identity("j", "k")])
        (i, j) = tf.graph_util.import_graph_def(
            message, input_map={"c:0": x, "k": x + 1.0}, return_elements=["i:0", "j:0"]
        )
        assert session.run([i, j]) == [3.0, 4.0]


@pytest.mark.parametrize(
    ("nodes", "error", "text"),
    [
        ([identity("i", "zz")], ValueError, "Node 'i': Unknown input node 'zz'"),
        ([identity("i", "^zz")], ValueError, r"Node 'i': Unknown input node '\^zz'"),
        ([const("c"), const("c")], ValueError, "Node 'c' is not unique"),
        ([identity("a", "b"), identity("b", "a")], ValueError, "2 nodes in a cycle"),
        ([identity("a", "a")], ValueError, "1 nodes in a cycle"),
        ([NodeDef(name="u", op="Zork")], NotFoundError, "Op type not registered 'Zork'"),
        ([const("c"), identity("i", "c:4")], ValueError, "Connecting to invalid output 4 of sourc"),
        (
            [const("c"), identity("i", "c", dtype=3)],
            ValueError,
            "Input 0 of node import/i was passed float from import/c:0 incompatible with expected "
            "int32",
        ),
        (
            [const("c"), NodeDef(name="i", op="Identity", input=["c"])],
            ValueError,
            "NodeDef missing attr 'T' from Op<name=Identity; signature=input:T -> output:T; "
            "attr=T:type>; NodeDef: {{node import/i}}",
        ),
        (
            [const("c"), identity("i", "c", "c")],
            ValueError,
            "NodeDef expected inputs 'float' do not match 2 inputs specified",
        ),
        ([identity("i")], ValueError, "do not match 0 inputs specified"),
        ([const("a b")], ValueError, "Node 'a b': Node name contains invalid characters"),
        ([const("")], ValueError, "Node '': Node name contains invalid characters"),
        (
            [const("c"), identity("i", "^c", "c")],
            ValueError,
            "Node 'i': Control dependencies must come after regular dependencies",
        ),
        ([const("c"), identity("t", "c", op="Snapshot")], NotFoundError, "'Snapshot' in binary"),
    ],
)
def test_nodes_that_make_no_graph(nodes, error, text):
    with pytest.raises(error, match=text):
        read(*nodes)


def test_attributes_of_another_kind_are_named():
    node = identity("i", "c")
    node.attr["T"].i = 3
    with pytest.raises(ValueError, match="AttrValue had value with type 'int' when 'type' expect"):
        read(const("c"), node)
    split = NodeDef(name="s", op="Split", input=["axis", "c"])
    split.attr["num_split"].i = 2**40
    split.attr["T"].type = 1
    with pytest.raises(
        ValueError, match="attr 'num_split' is 1099511627776, which is not a number"
    ):
        read(const("axis"), const("c"), split)


def test_graphs_after_the_passes():
    graph = (
        tf.function(lambda x: x * 1.0 + (tf.constant(2.0) + 3.0))
        .get_concrete_function(SCALAR)
        .graph
    )
    message = graph.optimized_graph_def()
    assert [node.op for node in message.node] == ["Placeholder", "Const", "AddV2", "Identity"]
    assert len(graph.as_graph_def().node) > len(message.node)
    assert imported(message, {"x:0": 1.0}, "Identity:0") == 6.0


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"return_elements": ["zz"]}, ValueError, "Requested return node 'zz' not found"),
        ({"return_elements": ["c:3"]}, ValueError, "Invalid return output 3 of node 'c', which h"),
        ({"return_elements": [3]}, TypeError, "must be a list of strings"),
        ({"input_map": {3: 4}}, TypeError, "with strings as keys"),
        ({"input_map": {"x": 4}}, TypeError, "Can not convert a int"),
    ],
)
def test_options_that_do_not_fit(options, error, text):
    with pytest.raises(error, match=text):
        read(const("c"), **options)


def test_maps_of_inputs_that_are_not_there():
    with tf.Graph().as_default():
        mapped = {"zz:0": tf.constant(1.0)}
        with pytest.raises(ValueError, match=r"Attempted to map inputs that were not .*\[zz:0\]"):
            tf.graph_util.import_graph_def(GraphDef(node=[const("c")]), input_map=mapped)


def test_only_messages_are_read():
    for wrong in (3, None, b"bytes"):
        with pytest.raises(TypeError, match="must be a GraphDef proto"):
            tf.graph_util.import_graph_def(wrong)


def test_functions_that_are_not_there_or_call_themselves():
    message = exported(nested, SCALAR)
    call = next(node for node in message.node if node.op == "PartitionedCall")
    name = call.attr["f"].func.name
    call.attr["f"].func.name = "nothing"
    with tf.Graph().as_default(), pytest.raises(ValueError, match="nothing is not defined"):
        tf.graph_util.import_graph_def(message)
    call.attr["f"].func.name = name
    body = next(f for f in message.library.function if f.signature.name == name)
    again = NodeDef.FromString(call.SerializeToString())
    again.input[:] = [arg.name for arg in body.signature.input_arg]
    again.name = "again"
    body.node_def.append(again)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="calls itself"):
        tf.graph_util.import_graph_def(message)


def test_a_long_chain_is_read():
    nodes = [const("n0"), *(identity(f"n{i}", f"n{i - 1}") for i in range(1, 3000))]
    assert len(read(*reversed(nodes))[1]) == 3000


@pytest.mark.parametrize(
    "draw",
    [
        lambda: tf.random.uniform([3]),
        lambda: tf.random.uniform([3], maxval=9, dtype=tf.int64),
        lambda: tf.random.normal([3], dtype=tf.float64),
        lambda: tf.random.truncated_normal([3]),
        lambda: tf.random.shuffle([1, 2, 3, 4]),
        lambda: tf.random.categorical([[0.0, 1.0]], 4),
    ],
)
def test_draws_come_back_with_the_stream_of_their_seeds(draw):
    with tf.Graph().as_default() as graph:
        tf.random.set_seed(7)
        y = tf.identity(draw(), name="y")
        with tf.compat.v1.Session() as session:
            wanted = [session.run(y) for _ in range(2)]
    with tf.Graph().as_default():
        (again,) = tf.import_graph_def(graph.as_graph_def(), return_elements=["y:0"], name="")
        with tf.compat.v1.Session() as session:
            found = [session.run(again) for _ in range(2)]
    np.testing.assert_array_equal(found, wanted)
    assert found[0].dtype == wanted[0].dtype
