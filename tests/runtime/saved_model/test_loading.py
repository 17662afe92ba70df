"""A folder that is damaged, or written to harm, is an error; loading runs no code."""

import json
import random
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.io.value_file import ValueFile, write_values
from runtime.saved_model.saving import FILE


@pytest.fixture
def folder(tmp_path):
    net = tf.Module()
    net.v = tf.Variable([1.0, 2.0])
    net.items = (net.v, [3, net.v])

    def program(x):
        y = x * net.v
        if tf.reduce_sum(x) > 1.0:
            y = y + 1.0
        while tf.reduce_sum(y) < 10.0:
            y = y * 2.0
        return y

    net.f = tf.function(program)
    net.f(tf.constant([1.0, 1.0]))
    tf.saved_model.save(net, tmp_path / "model")
    return tmp_path / "model"


def changed(folder, change):
    """Write the model with a structure that a function has changed."""
    file = ValueFile(str(folder / FILE))
    structure = json.loads(json.dumps(file.structure))
    arrays = {name: file.array(name) for name in file}
    change(structure, arrays)
    write_values(str(folder / FILE), arrays, structure)


def refused(folder, text="is damaged, or"):
    with pytest.raises(tf.errors.DataLossError, match=text):
        tf.saved_model.load(folder)


def node(structure, kind):
    return next(each for each in structure["nodes"] if each["kind"] == kind)


def operation(structure, op_type):
    every = (op for graph in structure["graphs"] for op in graph["operations"])
    return next(op for op in every if op["type"] == op_type)


def set_in(*path):
    """A change of the structure: the last of `path` goes to the place that the others name."""

    def change(structure, arrays):
        held = structure
        for key in path[:-2]:
            held = held(key) if callable(held) else held[key]
        held[path[-2]] = path[-1]

    return change


def of_node(kind, /, **entries):
    return lambda structure, arrays: node(structure, kind).update(entries)


def of_op(op_type, /, **entries):
    return lambda structure, arrays: operation(structure, op_type).update(entries)


def of_attrs(op_type, /, **entries):
    return lambda structure, arrays: operation(structure, op_type)["attrs"].update(entries)


def self_holding_tuple(structure, arrays):
    held = node(structure, "tuple")
    held["children"].append(["9", structure["nodes"].index(held)])


TOO_DEEP = 400 if sys.version_info < (3, 12) else 600
"""Lists in a list; from Python 3.12 on a comprehension takes no frame of its own."""


def deep_value(structure, arrays):
    value = {"list": []}
    for _ in range(TOO_DEEP):
        value = {"list": [value]}
    structure["nodes"].append({"kind": "value", "value": value})
    node(structure, "object")["children"].append(["deep", len(structure["nodes"]) - 1])


def deep_tuples(structure, arrays):
    start = len(structure["nodes"])
    for number in range(20_000):
        structure["nodes"].append({"kind": "tuple", "children": [["0", start + number + 1]]})
    structure["nodes"].append({"kind": "value", "value": 1})
    node(structure, "object")["children"].append(["deep", start])


def deep_graphs(structure, arrays):
    first = len(structure["graphs"])
    plain = {"type": "Const", "name": "c", "inputs": [], "attrs": {"value": 1.5}}
    plain["attrs"] = {"value": {"scalar": ["float32", [], "00000000"]}}
    inner = {"name": "g", "operations": [plain], "inputs": [], "outputs": [[0, 0]], "captures": 0}
    structure["graphs"].append(inner)
    for number in range(300):
        call = {"type": "PartitionedCall", "name": "p", "inputs": []}
        call["attrs"] = {"f": {"graph": first + number}}
        structure["graphs"].append({**inner, "operations": [call]})


def doubling_graphs(structure, arrays):
    """Each graph calls the one before twice: 2 ** 60 operations if they are taken apart."""
    first = len(structure["graphs"])
    plain = {"type": "Const", "name": "c", "inputs": []}
    plain["attrs"] = {"value": {"scalar": ["float32", [], "00000000"]}}
    inner = {"name": "g", "operations": [plain], "inputs": [], "outputs": [[0, 0]], "captures": 0}
    structure["graphs"].append(inner)
    for number in range(60):
        calls = [
            {
                "type": "PartitionedCall",
                "name": f"p{i}",
                "inputs": [],
                "attrs": {"f": {"graph": first + number}},
            }
            for i in range(2)
        ]
        structure["graphs"].append({**inner, "operations": calls})


def later_graph(structure, arrays):
    operation(structure, "StatelessIf")["attrs"]["then_branch"] = {
        "graph": len(structure["graphs"]) - 1
    }


def no_array(structure, arrays):
    arrays.pop(node(structure, "variable")["value"])


def other_shape(structure, arrays):
    arrays[node(structure, "variable")["value"]] = np.zeros([3], np.float32)


def other_dtype(structure, arrays):
    arrays[node(structure, "variable")["value"]] = np.array([b"a", b"b"], object)


CHANGES = {
    "another kind": set_in("kind", "checkpoint"),
    "another version": set_in("version", 2),
    "no nodes": set_in("nodes", []),
    "a root that is a list": lambda s, a: s["nodes"].__setitem__(0, s["nodes"][1]),
    "a node of no kind": of_node("variable", kind="module"),
    "a child outside": of_node("list", children=[["0", 99]]),
    "a child that is a bool": of_node("list", children=[["0", True]]),
    "a child before all": of_node("list", children=[["0", -1]]),
    "attributes without names": of_node("object", children=[[3, 1]]),
    "a tuple in itself": self_holding_tuple,
    "deep tuples": deep_tuples,
    "deep values": deep_value,
    "deep graphs": deep_graphs,
    "doubling graphs": doubling_graphs,
    "a graph in itself": later_graph,
    "a graph outside": of_attrs("StatelessIf", then_branch={"graph": 99}),
    "no array": no_array,
    "another shape": other_shape,
    "another dtype": other_dtype,
    "a huge shape": of_node("variable", shape=[10**12]),
    "a foreign op": of_op("Mul", type="Launch"),
    "a Python function": of_op("Mul", type="PyFunc"),
    "a Python dataset": of_op("Mul", type="PythonDataset"),
    "a missing input": of_op("Mul", inputs=[[0, 0]]),
    "an input after it": of_op("Mul", inputs=[[0, 0], [50, 0]]),
    "an input that is not there": of_op("Mul", inputs=[[0, 0], [0, 7]]),
    "an input before all": of_op("Mul", inputs=[[0, 0], [-1, 0]]),
    "an attribute too many": of_op("Mul", attrs={"x": 1}),
    "an attribute that is code": of_op("Mul", attrs={"x=1); import os; f(y": 1}),
    "a name that is code": of_op("Mul", name="a\nimport os"),
    "a wait for a later one": of_op("Mul", after=[60]),
    "more outputs": of_op("Mul", specs=[["float32", None, None]] * 2),
    "another output": of_op("Mul", specs=[["int32", None, None]]),
    "no attributes": of_op("StatelessIf", attrs={}),
    "an unknown value": of_attrs("Const", value={"object": "os.system"}),
    "two values": of_attrs("Const", value={"float": "1", "bytes": "00"}),
    "an array that is too short": of_attrs("Const", value={"array": ["float32", [9], "00"]}),
    "an array of objects": of_attrs("Const", value={"array": ["string", [1], "00" * 8]}),
    "a huge array": of_attrs("Const", value={"array": ["float32", [2**40], "00"]}),
    "a function of no graph": lambda s, a: s["functions"][0].update(graph=99),
    "a function with fewer captures": lambda s, a: s["functions"][0].update(captures=[]),
    "a function of other arguments": lambda s, a: s["functions"][0].update(
        bound={"dict": [["x", {"spec": ["int32", [2], None]}]]}
    ),
    "a function of other results": lambda s, a: s["functions"][0].update(
        result={"nest": ["list", 2, [{"leaf": [["float32", None, None], False, ""]}] * 2]}
    ),
    "a result of no class": lambda s, a: s["functions"][0].update(
        result={"nest": ["Popen", 0, []]}
    ),
    "parameters of no kind": lambda s, a: s["functions"][0].update(parameters=[["x", "eval"]]),
    "a parameter that is code": lambda s, a: s["functions"][0].update(
        parameters=[["x): import os", "POSITIONAL_ONLY"]]
    ),
    "a signature outside": set_in("signatures", {"a": 5}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_models_that_do_not_fit_together_are_refused(folder, change):
    changed(folder, change)
    refused(folder)


ASSETS = ["../secret", "/etc/passwd", "..", "", "a/b", "missing", 3, None, "link"]


@pytest.mark.parametrize("name", ASSETS, ids=repr)
def test_assets_that_lead_out_of_the_folder_are_refused(folder, name):
    (folder / "assets").mkdir()
    (folder / "secret").write_text("secret")
    (folder / "assets" / "link").symlink_to(folder / "secret")
    changed(folder, lambda s, a: s["nodes"].__setitem__(1, {"kind": "asset", "file": name}))
    refused(folder)


def test_attributes_never_replace_what_a_class_says(folder):
    def change(structure, arrays):
        for name in ("__class__", "__dict__", "variables", "__reduce__", "__del__"):
            structure["nodes"][0]["children"].append([name, 1])

    changed(folder, change)
    loaded = tf.saved_model.load(folder)
    assert type(loaded).__name__ == "LoadedObject"
    assert len(loaded.variables) == 1


def test_names_of_graphs_and_functions_are_no_code(folder):
    def change(structure, arrays):
        for graph in structure["graphs"]:
            graph["name"] = "f():\n    raise SystemExit\ndef g"
            for op in graph["operations"]:
                op["line"] = ["x\nraise SystemExit", 1, "y\nraise SystemExit"]

    changed(folder, change)
    loaded = tf.saved_model.load(folder)
    assert loaded.f(tf.constant([1.0, 1.0])).numpy().tolist() == [4.0, 6.0]


def test_texts_among_attributes_are_no_code(folder):
    def change(structure, arrays):
        every = (op for graph in structure["graphs"] for op in graph["operations"])
        for op in every:
            if op["type"] == "Sum":
                op["attrs"]["keepdims"] = "__import__('os')._exit(3)"

    changed(folder, change)
    with pytest.raises((tf.errors.OpError, TypeError, ValueError)):
        tf.saved_model.load(folder).f(tf.constant([1.0, 1.0]))


def test_random_changes_of_bytes_are_refused_or_load(folder, tmp_path):
    content = (folder / FILE).read_bytes()
    generator = random.Random(3)
    other = tmp_path / "other"
    for _ in range(150):
        copied = bytearray(content)
        for _ in range(generator.randrange(1, 4)):
            copied[generator.randrange(len(content))] = generator.randrange(256)
        shutil.rmtree(other, ignore_errors=True)
        other.mkdir()
        (other / FILE).write_bytes(copied)
        try:
            tf.saved_model.load(other)
        except tf.errors.DataLossError:
            continue


def values(structure):
    """All places of a structure, as pairs of what holds them and their key."""
    waiting = [structure]
    while waiting:
        held = waiting.pop()
        for key in list(held) if isinstance(held, dict) else range(len(held)):
            yield held, key
            if isinstance(held[key], (dict, list)):
                waiting.append(held[key])


ODD = [None, True, -1, 10**30, 1.5, "", "x", [], {}, [None], {"graph": 0}, {"dtype": "variant"}]


def test_random_changes_of_the_structure_are_refused_or_run_or_fail_with_an_error(folder):
    generator = random.Random(4)
    original = (folder / FILE).read_bytes()
    outcomes = set()
    for _ in range(250):

        def change(structure, arrays):
            held, key = generator.choice(list(values(structure)))
            held[key] = generator.choice(ODD)

        (folder / FILE).write_bytes(original)
        changed(folder, change)
        try:
            loaded = tf.saved_model.load(folder)
        except tf.errors.DataLossError:
            outcomes.add("refused")
            continue
        outcomes.add("loaded")
        assert isinstance(loaded, tf.Module)
    assert outcomes == {"refused", "loaded"}


def test_a_model_of_tensorflow_is_refused_by_name(tmp_path):
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(OSError, match="is a model of TensorFlow"):
        tf.saved_model.load(tmp_path)


def test_a_missing_model_is_refused(tmp_path):
    assert not (tmp_path / "saved_model.safetensors").exists()
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(tmp_path)


def test_a_checkpoint_is_no_model(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1)).write(tmp_path / "c")
    Path(f"{path}.safetensors").rename(tmp_path / FILE)
    refused(tmp_path, "it holds a 'checkpoint'")


def test_the_file_has_no_pickle(folder):
    assert b"pickle" not in (folder / FILE).read_bytes()
    assert b"__reduce__" not in (folder / FILE).read_bytes()
