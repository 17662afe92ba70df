"""Classes of messages from tables of fields."""

import pytest

from runtime.export.protobuf import message_classes

TABLES = {
    "Tree": """
        1 name string
        2 children *Tree
        3 sizes string>int64
        4 parts string>Tree.Part
        5 color Color?kind
        6 weight double?kind
    """,
    "Tree.Part": "1 label bytes",
}
Tree = message_classes(__name__, TABLES, {"Color": {"NONE": 0, "RED": 7}})["Tree"]


def test_fields_of_each_kind():
    tree = Tree(name="a", children=[Tree(name="b")], sizes={"x": 3})
    tree.parts["p"].label = b"l"
    tree.color = 7
    assert Tree.FromString(tree.SerializeToString()) == tree
    assert str(tree) == (
        'name: "a"\nchildren {\n  name: "b"\n}\nsizes {\n  key: "x"\n  value: 3\n}\n'
        'parts {\n  key: "p"\n  value {\n    label: "l"\n  }\n}\ncolor: RED\n'
    )


def test_of_a_group_one_field_is_set():
    tree = Tree(color=7)
    assert tree.WhichOneof("kind") == "color"
    tree.weight = 0.5
    assert tree.WhichOneof("kind") == "weight"


def test_a_message_without_a_table_is_refused():
    with pytest.raises(TypeError):
        message_classes(__name__, {"Tree": "1 part Missing"}, {})


def test_each_file_has_a_pool_of_its_own():
    first, second = (message_classes(__name__, {"Tree": f"1 {n} int32"}, {}) for n in "xy")
    assert first["Tree"](x=1).x == second["Tree"](y=1).y


def test_a_class_tells_its_module():
    assert Tree.__module__ == __name__
    assert Tree.__qualname__ == "Tree"
