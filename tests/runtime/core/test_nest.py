import collections

import pytest

import runtime as tf

Point = collections.namedtuple("Point", "a b")
MIXED = {"b": [1, 2], "a": (3, None), "c": Point(4, 5)}


@pytest.mark.parametrize(
    ("structure", "atoms"),
    [
        (MIXED, [3, None, 1, 2, 4, 5]),
        (3, [3]),
        (None, [None]),
        ("abc", ["abc"]),
        ({1}, [{1}]),
        ([], []),
        (collections.OrderedDict([("z", 1), ("a", 2)]), [2, 1]),
    ],
)
def test_flatten_and_pack(structure, atoms):
    assert tf.nest.flatten(structure) == atoms
    assert tf.nest.pack_sequence_as(structure, atoms) == structure


def test_keys_that_cannot_be_sorted():
    with pytest.raises(TypeError):
        tf.nest.flatten({1: 2, "a": 3})


def test_the_class_and_the_order_of_mappings_stay():
    ordered = collections.OrderedDict([("z", 1), ("a", 2)])
    packed = tf.nest.pack_sequence_as(ordered, [10, 20])
    assert list(packed.items()) == [("z", 20), ("a", 10)]
    default = tf.nest.map_structure(str, collections.defaultdict(list, {"a": 1}))
    assert default == {"a": "1"}
    assert default["missing"] == []


@pytest.mark.parametrize(
    ("structure", "flat", "kind", "words"),
    [
        ([1, 2], [1], ValueError, "Structure had 2 atoms, but flat_sequence had 1 items"),
        ([1, 2], [1, 2, 3], ValueError, "Structure had 2 atoms, but flat_sequence had 3 items"),
        (1, [5, 6], ValueError, "The target structure is of type"),
        ([1], 5, TypeError, "Attempted to pack value"),
    ],
)
def test_packing_what_does_not_fit(structure, flat, kind, words):
    with pytest.raises(kind, match=words):
        tf.nest.pack_sequence_as(structure, flat)


def test_map_structure():
    assert tf.nest.map_structure(lambda x, y: x + y, {"b": 1, "a": [2]}, {"a": [20], "b": 10}) == {
        "b": 11,
        "a": [22],
    }
    assert tf.nest.map_structure(lambda x: x * 2, Point(1, 2)) == Point(2, 4)
    assert tf.nest.map_structure(lambda x, y: x, [1], (2,), check_types=False) == [1]
    with pytest.raises(TypeError, match="func must be callable"):
        tf.nest.map_structure(3, [1])
    with pytest.raises(ValueError, match="at least one structure"):
        tf.nest.map_structure(str)
    with pytest.raises(ValueError, match="not: `foo`"):
        tf.nest.map_structure(str, [1], foo=1)


@pytest.mark.parametrize(
    ("a", "b", "kind", "words"),
    [
        ([1, 2], [1], ValueError, "number of elements"),
        ([1, [2]], [1, 2], ValueError, 'Substructure "type=list'),
        (1, [1], ValueError, "is a sequence, while substructure"),
        ({"a": 1}, {"b": 1}, ValueError, "same set of keys"),
        ([1, 2], (1, 2), TypeError, "same sequence type"),
        (Point(1, 2), collections.namedtuple("Other", "a b")(1, 2), TypeError, "sequence type"),
    ],
)
def test_structures_that_differ(a, b, kind, words):
    with pytest.raises(kind, match=f"(?s)don't have the same nested structure.*{words}"):
        tf.nest.assert_same_structure(a, b)


def test_structures_that_are_the_same():
    tf.nest.assert_same_structure([1, (2,)], [3, (4,)])
    tf.nest.assert_same_structure([1, 2], (1, 2), check_types=False)
    tf.nest.assert_same_structure({"a": 1}, collections.OrderedDict(a=2))
    tf.nest.assert_same_structure(Point(1, 2), collections.namedtuple("Point", "a b")(1, 2))


def test_what_is_nested():
    nested = [[], (), {}, Point(1, 2), range(3)]
    atoms = ["a", b"b", 1, None, {1}, tf.constant([1])]
    assert all(map(tf.nest.is_nested, nested))
    assert not any(map(tf.nest.is_nested, atoms))


def grown(n):
    out = []
    for i in tf.range(n):
        out.append(tf.fill([2], i))
    return out


def with_a_key(n):
    out = {"a": n}
    if n > 2:
        out["b"] = n
    return out


def chosen(n):
    first, second = [n, n + 1], [n + 2, n + 3]
    return first if n > 2 else second


@pytest.mark.parametrize("make", [grown, with_a_key, chosen])
@pytest.mark.parametrize(
    "use",
    [
        lambda x: len(tf.nest.flatten(x)),
        lambda x: tf.nest.map_structure(lambda each: each + 1, x),
        lambda x: tf.nest.map_structure(lambda each: each + 1, (x, 1)),
        lambda x: tf.nest.assert_same_structure(x, x),
        lambda x: tf.map_fn(lambda row: row, x),
        lambda x: tf.vectorized_map(lambda row: row, x),
    ],
)
def test_what_only_the_graph_knows_is_a_structure_that_is_not_taken_apart(make, use):
    assert tf.nest.is_nested(make(tf.constant(3)))
    assert tf.function(lambda n: tf.constant(tf.nest.is_nested(make(n))))(tf.constant(3))
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="are asked for as those of"):
        tf.function(lambda n: tf.constant(use(make(n))))(tf.constant(3))
