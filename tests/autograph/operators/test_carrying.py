"""A walk hashes no keys; keys that show a copy of their dict or set are refused."""

import collections

import pytest

from autograph import StagingError
from autograph.operators.carrying import require_quiet_keys
from autograph.reach.places import items_of, parts_of
from autograph.reach.walk import Reach

CALLS = []


class Key:
    def __init__(self, n, code):
        self.n = n
        self.code = code

    def __eq__(self, other):
        CALLS.append("eq")
        return self.n == other.n

    def __hash__(self):
        CALLS.append("hash")
        return self.code


class Keeping:
    """Computes its hash once."""

    known = None

    def __eq__(self, other):
        return self is other

    def __hash__(self):
        if self.known is None:
            self.known = 5
        return self.known


class Plain:
    def __eq__(self, other):
        return type(other) is Plain

    def __hash__(self):
        return 1


CONTAINERS = {
    "dict": lambda *keys: dict.fromkeys(keys, 1),
    "set": lambda *keys: set(keys),
    "ordered": lambda *keys: collections.OrderedDict.fromkeys(keys, 1),
    "default": lambda *keys: collections.defaultdict(int, dict.fromkeys(keys, 1)),
}


@pytest.fixture(autouse=True)
def no_calls():
    CALLS.clear()


@pytest.mark.parametrize("kind", ["dict", "set", "default"])
def test_a_walk_that_finds_no_change_calls_no_hash(kind):
    keys = Key(1, 7), Key(2, 7)
    container = CONTAINERS[kind](*keys)
    CALLS.clear()
    reach = Reach([], {"held": container})
    assert not reach.changed()
    reach.restore()
    assert not CALLS


def test_the_parts_of_an_ordered_dict_have_its_order():
    ordered = collections.OrderedDict(a=1, b=2)
    ordered.move_to_end("a")
    assert parts_of(ordered) == (("b", "a"), (2, 1))
    assert list(items_of(ordered)) == ["b", "a"]


@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_key_that_counts_is_refused_with_what_it_changes(kind):
    container = CONTAINERS[kind](Key(1, 7))
    with pytest.raises(StagingError, match=r"`held` has a key of the class `Key`.*changes `CALLS`"):
        require_quiet_keys(container, "held")


def test_a_key_in_a_tuple_is_refused():
    with pytest.raises(StagingError, match="`Key`"):
        require_quiet_keys({(1, (Key(1, 7), 2)): 0}, "held")


@pytest.mark.parametrize("key", [Plain(), Keeping(), "text", 3, (1, "k"), frozenset({1})])
def test_a_key_that_changes_nothing_or_keeps_its_hash_passes(key):
    held = {key: 1}
    require_quiet_keys(held, "held")
    require_quiet_keys({key}, "held")


def test_items_of_a_list_are_no_keys():
    require_quiet_keys([Key(1, 7)], "held")
    assert not CALLS
