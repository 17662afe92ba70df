import collections
import dataclasses
import functools

import pytest

import runtime as tf
from runtime.core.structure import flatten, map_structure, unflatten

Point = collections.namedtuple("Point", "x y")


@dataclasses.dataclass
class Pair:
    left: object
    right: object


@pytest.mark.parametrize(
    "value",
    [
        5,
        [],
        [1, (2, 3)],
        {"b": 1, "a": [2]},
        Point(1, [2, 3]),
        Pair(1, {"k": 2}),
        (None, "text"),
        collections.OrderedDict(z=1, a=2),
    ],
)
def test_round_trip(value):
    leaves, node = flatten(value)
    assert unflatten(node, leaves) == value
    assert map_structure(lambda leaf: leaf, value) == value


def test_order_of_a_dict_stays():
    assert list(map_structure(str, {"b": 1, "a": 2})) == ["b", "a"]


def test_default_of_a_defaultdict_stays():
    counts = collections.defaultdict(int, a=1)
    assert map_structure(lambda leaf: leaf + 1, counts)["missing"] == 0


def in_itself(kind):
    value = [1] if kind is list else {"a": 1}
    if kind is list:
        value.append((value, 2))
    else:
        value["b"] = [value]
    return value


@pytest.mark.parametrize("kind", [list, dict])
def test_a_structure_that_contains_itself_is_refused(kind):
    cyclic = in_itself(kind)
    for use in (
        lambda: tf.function(lambda x: 1)(cyclic),
        lambda: tf.function(lambda: cyclic)(),
        lambda: tf.nest.flatten(cyclic),
    ):
        with pytest.raises(ValueError, match=f"a {kind.__name__} contains itself"):
            use()


def test_a_constant_of_a_list_that_contains_itself_is_refused():
    with pytest.raises(ValueError, match="a list contains itself"):
        tf.constant(in_itself(list))


def test_a_part_that_occurs_twice_is_no_cycle():
    part = [1, 2]
    assert tf.nest.flatten([part, [part]]) == [1, 2, 1, 2]
    with pytest.raises(ValueError, match="nested too deep"):
        tf.nest.flatten(nested(100_000))


def nested(depth):
    value = [1]
    for _ in range(depth):
        value = [value]
    return value


def test_dicts_are_rebuilt_without_their_methods():
    class Loud(dict):
        def __init__(self, needed):
            super().__init__(a=needed)
            self.needed = needed

        def __setitem__(self, key, value):
            raise AssertionError

        clear = update = __copy__ = __setitem__

    loud = Loud(1)
    made = map_structure(lambda leaf: leaf + 1, loud)
    assert type(made) is Loud and dict(made) == {"a": 2} and made.needed == 1


def test_attributes_besides_the_fields_are_parts():
    @dataclasses.dataclass
    class Point:
        x: int

        def __post_init__(self):
            self.double = self.x * 2

        @functools.cached_property
        def triple(self):
            return self.x * 3

    point = Point(1)
    assert point.triple == 3
    made = map_structure(lambda leaf: leaf + 10, point)
    assert (made.x, made.double, made.triple) == (11, 12, 33)
    assert map_structure(lambda leaf: leaf, dataclasses.replace(made)).double == 22
