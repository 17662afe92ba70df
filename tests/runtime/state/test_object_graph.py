"""The walk over the objects of a program."""

import collections
import threading

import numpy as np

import runtime as tf
from runtime.state.object_graph import is_walked, object_graph, part, parts, path_text
from runtime.state.variable import Variable


def found(root):
    graph = object_graph(root, lambda value: isinstance(value, Variable))
    pairs = zip(graph.objects, graph.paths, strict=True)
    return {path_text(path): value.name for value, path in pairs if isinstance(value, Variable)}


class Plain:
    def __init__(self, **attributes):
        vars(self).update(attributes)


class Slotted:
    __slots__ = ("v",)


class Stating(Plain):
    def __parts__(self):
        return {"own": self.hidden}


def test_attributes_items_keys_and_slots_are_names():
    slotted = Slotted()
    slotted.v = tf.Variable(1, name="slot")
    pair = collections.namedtuple("Pair", "a b")(tf.Variable(1, name="pair"), 2)
    root = Plain(
        listed=[0, tf.Variable(1, name="item")],
        keyed={"k": {"inner": tf.Variable(1, name="key")}},
        slotted=slotted,
        pair=pair,
        stating=Stating(hidden=tf.Variable(1, name="stated"), other=tf.Variable(1)),
    )
    assert found(root) == {
        "(root).listed.1": "item:0",
        "(root).keyed.k.inner": "key:0",
        "(root).slotted.v": "slot:0",
        "(root).pair.0": "pair:0",
        "(root).stating.own": "stated:0",
    }


def test_private_attributes_count_where_no_public_path_leads():
    v, w = tf.Variable(1, name="v"), tf.Variable(1, name="w")
    root = Plain(_all=[v, w], part=Plain(deep=Plain(v=v)))
    assert found(root) == {"(root).part.deep.v": "v:0", "(root)._all.1": "w:0"}


def test_objects_of_libraries_and_functions_are_not_walked():
    values = (3, "text", None, np.zeros(2), threading.Lock(), len, Plain, tf, tf.constant(1))
    assert not any(map(is_walked, values))
    assert not is_walked(tf.function(lambda: 1))
    assert all(map(is_walked, ([], (), {}, Plain(), tf.Module(), collections.OrderedDict())))


def test_parts_are_found_by_name():
    root = Plain(a=1)
    assert part(root, "a") == 1
    assert part(root, "b") is part([1], "1") is part([1], "-1") is part(3, "real") is None
    assert list(parts(3)) == []


def test_only_what_leads_somewhere_is_kept():
    v = tf.Variable(1)
    graph = object_graph(Plain(a=[v], b=[1], c={"d": []}), lambda value: value is v)
    kept = graph.only(_positions(graph, v))
    assert [path_text(path) for path in kept.paths] == ["(root)", "(root).a", "(root).a.0"]
    assert kept.children == [{"a": 1}, {"0": 2}, {}]


def _positions(graph, value):
    return {position for position, each in enumerate(graph.objects) if each is value}
