import collections
import dataclasses

import pytest

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
