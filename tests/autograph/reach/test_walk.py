"""What a walk over functions and values finds, and what it says changed afterwards."""

import argparse
import collections
import configparser
import decimal
import functools
import gc
import itertools
import mimetypes
import re
import threading
import types
import weakref

import numpy as np
import pytest

from autograph import StagingError
from autograph.reach import walk as walking
from autograph.reach.reads import Reads
from autograph.reach.walk import Objects, Reach


class Tags(set):
    pass


class Point:
    shared = 0

    def __init__(self, x=0):
        self.x = x

    def move(self, by):
        self.x += by


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self):
        self.x = 1


class Guarded(Point):
    def __setattr__(self, name, value):
        object.__setattr__(self, "_" + name, value * 2)


def make_counter():
    count = 0

    def increase():
        nonlocal count
        count += 1
        return count

    return increase


COUNTER = 0


def count_globally():
    global COUNTER
    COUNTER += 1


def changes(value, change):
    """The labels of the places that a change leaves different, and whether it can be undone."""
    reach = Reach([], {"value": value})
    change()
    labels = [place.label for place in reach.changed()]
    reach.restore()
    return labels, not reach.changed()


def described(value, change):
    labels, undone = changes(value, change)
    assert undone
    return labels


LIST = [1, [2]]
DICT = {"a": {"b": 1}}
POINT = Point()
SLOTTED = Slotted()
GUARDED = Guarded()
COUNT = make_counter()
ORDERED = collections.OrderedDict(a=1, b=2)
QUEUE = collections.deque([1, 2], maxlen=2)
MEMBERS = {1, 2}
USER_LIST = collections.UserList([1])
CHAIN = collections.ChainMap({}, {"a": 1})
LOCAL = threading.local()
LOCAL.x = 1
NAMESPACE = types.SimpleNamespace(x=1)
OPTIONS = argparse.Namespace(x=1, rows=[1])
ERROR = ValueError([1])
CELL = types.CellType(1)
CALL = functools.partial(int)
PARSER = configparser.ConfigParser()
PARSER.read_string("[a]\nb = 1")


@functools.lru_cache
def cached_rows(count):
    return [0] * count


ROWS = cached_rows(2)
ALL_ROWS = functools.cache(cached_rows)
ALL_ROWS(2)


@pytest.mark.parametrize(
    ("value", "change", "labels"),
    [
        (LIST, lambda: LIST.append(3), ["value"]),
        (LIST, lambda: LIST[1].append(3), ["value[1]"]),
        (LIST, lambda: LIST.__setitem__(0, True), ["value"]),
        (DICT, lambda: DICT["a"].pop("b"), ["value['a']"]),
        (POINT, lambda: POINT.move(1), ["value.x"]),
        (POINT, lambda: setattr(POINT, "new", 1), ["value.new"]),
        (POINT, lambda: delattr(POINT, "x"), ["value.x"]),
        (POINT, lambda: setattr(Point, "shared", 1), ["Point.shared"]),
        (SLOTTED, lambda: setattr(SLOTTED, "y", 2), ["value.y"]),
        (GUARDED, lambda: setattr(GUARDED, "x", 2), ["value._x"]),
        (COUNT, COUNT, ["count"]),
        (count_globally, count_globally, ["COUNTER"]),
        (LIST.append, lambda: LIST.append(1), ["value"]),
        (functools.partial(LIST.append, 1), lambda: LIST.append(1), ["value"]),
        (ORDERED, lambda: ORDERED.move_to_end("a"), ["value"]),
        (QUEUE, lambda: QUEUE.appendleft(0), ["value"]),
        (MEMBERS, lambda: MEMBERS.discard(1), ["value"]),
        (USER_LIST, lambda: USER_LIST.append(2), ["value.data"]),
        (CHAIN, lambda: CHAIN.__setitem__("b", 1), ["value.maps[0]"]),
        (LOCAL, lambda: setattr(LOCAL, "x", 2), ["value.x"]),
        (NAMESPACE, lambda: setattr(NAMESPACE, "x", 2), ["value.x"]),
        ((LIST, POINT), lambda: POINT.move(2), ["value[1].x"]),
        (weakref.ref(POINT), lambda: POINT.move(3), ["value().x"]),
        (weakref.proxy(POINT), lambda: POINT.move(4), ["value().x"]),
        (weakref.WeakMethod(POINT.move), lambda: POINT.move(5), ["value().x"]),
        ({(1, POINT): 2}, lambda: POINT.move(6), ["value.keys()[1].x"]),
        (slice(POINT), lambda: POINT.move(7), ["value.x"]),
        (DICT.values(), lambda: DICT["a"].pop("b"), ["value['a']"]),
        (OPTIONS, lambda: setattr(OPTIONS, "x", 2), ["value.x"]),
        (OPTIONS, lambda: OPTIONS.rows.append(2), ["value.rows"]),
        (PARSER, lambda: PARSER.set("a", "b", "2"), ["value._sections['a']"]),
        (ERROR, lambda: ERROR.args[0].append(2), ["value.args[0]"]),
        (ERROR, lambda: setattr(ERROR, "args", (2,)), ["value.args"]),
        (ERROR, lambda: setattr(ERROR, "code", 2), ["value.code"]),
        (CELL, lambda: setattr(CELL, "cell_contents", 2), ["value.cell_contents"]),
        (CALL, lambda: setattr(CALL, "tag", 2), ["value.tag"]),
        (cached_rows, lambda: ROWS.append(1), ["value()"]),
        (ALL_ROWS, lambda: ROWS.append(1), ["value()"]),
        (functools.singledispatch(COUNT), COUNT, ["count"]),
    ],
)
def test_a_change_is_found_and_undone(value, change, labels):
    assert described(value, change) == labels


def test_a_weak_reference_whose_object_is_gone_is_passed_over():
    point = Point()
    held = weakref.ref(point), weakref.proxy(point)
    del point
    gc.collect()
    assert described(held, lambda: None) == []


def test_the_table_of_a_cached_function_is_its_own():
    cached = functools.lru_cache(Point)
    assert described(cached, lambda: cached(1)) == []
    assert cached.cache_info().currsize == 1


@pytest.mark.parametrize(
    ("value", "look"),
    [(LIST, lambda: LIST[1][0]), (POINT, lambda: POINT.x), (COUNT, lambda: len(LIST))],
)
def test_looking_is_no_change(value, look):
    assert described(value, look) == []


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (Tags({1}), lambda value: value.add(2)),
        (bytearray(2), lambda value: value.append(1)),
        (iter([1, 2]), next),
        (memoryview(bytearray(2)), lambda value: value.__setitem__(0, 1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_state_is_refused_by_name(value, change):
    reach = Reach([], {"value": value})
    change(value)
    with pytest.raises(StagingError, match="`value`"):
        reach.changed()


ITERATORS = [
    itertools.accumulate([1, 2, 3]),
    itertools.chain([1], [2, 3]),
    itertools.combinations([1, 2, 3], 2),
    itertools.combinations_with_replacement([1, 2], 2),
    itertools.compress([1, 2], [1, 1]),
    itertools.count(),
    itertools.cycle([1, 2]),
    itertools.dropwhile(bool, [0, 1, 2]),
    itertools.filterfalse(bool, [0, 0]),
    itertools.groupby([1, 1, 2]),
    itertools.islice([1, 2, 3], 3),
    itertools.pairwise([1, 2, 3]),
    itertools.permutations([1, 2, 3]),
    itertools.product([1, 2], [3, 4]),
    itertools.repeat(1, 3),
    itertools.starmap(max, [(1, 2), (3, 4)]),
    itertools.takewhile(bool, [1, 2]),
    itertools.tee([1, 2, 3])[0],
    itertools.zip_longest([1, 2]),
    enumerate([1, 2]),
    map(abs, [1, 2]),
    reversed([1, 2]),
    zip([1, 2], strict=True),
]


@pytest.mark.parametrize("iterator", ITERATORS, ids=lambda iterator: type(iterator).__name__)
def test_an_iterator_that_went_on_is_refused(iterator):
    reach = Reach([], {"iterator": iterator})
    assert not reach.changed()
    next(iterator)
    with pytest.raises(StagingError, match="`iterator"):
        reach.changed()


@pytest.mark.parametrize(
    "change",
    [
        lambda: setattr(decimal.getcontext(), "prec", 5),
        lambda: decimal.setcontext(decimal.Context(prec=5)),
        lambda: decimal.getcontext().traps.update({decimal.Inexact: True}),
    ],
)
def test_settings_of_decimal_are_put_back(change):
    before = decimal.getcontext()
    shown = repr(before)
    reach = Reach([], {})
    change()
    with pytest.raises(StagingError, match="`decimal"):
        reach.changed()
    reach.restore()
    assert decimal.getcontext() is before
    assert repr(before) == shown


def test_arithmetic_of_decimal_is_no_change():
    reach = Reach([], {})
    with decimal.localcontext() as own:
        own.prec = 3
        decimal.Decimal(1) / 3
    decimal.Decimal(1) / 3
    assert not reach.changed()


@pytest.mark.parametrize("change", ["dict", "class"])
def test_an_object_does_not_become_another_one(change):
    point = Point()
    reach = Reach([], {"point": point})
    if change == "dict":
        point.__dict__ = {"x": 0}
    else:
        point.__class__ = Guarded
    with pytest.raises(StagingError, match="`point`, of type Point"):
        reach.changed()


def test_properties_are_not_run():
    ran = []

    class Watched:
        @property
        def x(self):
            ran.append("read")
            return 1

        @x.setter
        def x(self, value):
            ran.append("written")

    watched = Watched()
    reach = Reach([], {"watched": watched})
    reach.changed()
    reach.restore()
    assert not ran


def test_too_many_objects_are_an_error_that_names_one(monkeypatch):
    monkeypatch.setattr(walking, "MOST_OBJECTS", 10)
    with pytest.raises(StagingError, match=r"more than 10 objects, .* through `rows\[1?\d\]`"):
        Reach([], {"rows": [[i] for i in range(20)]})


def test_lists_of_numbers_count_once_however_long(monkeypatch):
    monkeypatch.setattr(walking, "MOST_OBJECTS", 10)
    numbers = list(range(100_000))
    reach = Reach([], {"numbers": numbers})
    numbers[99_999] = -1
    assert [place.label for place in reach.changed()] == ["numbers"]


def with_default(by=1):
    return by


def test_a_default_is_a_place():
    reach = Reach([], {"value": with_default})
    with_default.__defaults__ = (2,)
    assert [place.label for place in reach.changed()] == ["the defaults of with_default"]
    reach.restore()
    assert with_default() == 1


SETTINGS = types.ModuleType("settings_of_a_test")


def raise_rate(module):
    module.rate += 1


def test_a_module_that_another_function_changes():
    SETTINGS.rate = 1
    reach = Reach([], {"value": lambda: raise_rate(SETTINGS)})
    raise_rate(SETTINGS)
    assert [place.label for place in reach.changed()] == ["settings_of_a_test.rate"]
    reach.restore()
    assert SETTINGS.rate == 1


def look_into(pattern):
    return re, pattern._cache, mimetypes.types_map


def test_a_cache_of_a_standard_module_is_no_state():
    re.purge()
    reach = Reach([], {"value": look_into})
    re.match("a new pattern", "")
    assert reach.changed() == []


def test_a_table_of_a_standard_module_is_state():
    reach = Reach([], {"value": look_into})
    mimetypes.types_map[".new"] = "text/new"
    assert [place.label for place in reach.changed()] == ["mimetypes.types_map"]
    reach.restore()
    assert ".new" not in mimetypes.types_map


def test_objects_in_an_array():
    array = np.array([Point(), None], object)
    reach = Reach([], {"value": array})
    array[0].move(1)
    assert [place.label for place in reach.changes(sealed=False)[0][:1]] == ["value[0].x"]


def read(value):
    return [place.label for place, _ in Reads({"value": value}).places()]


def test_objects_are_found_without_a_copy():
    rows = [[1], {2}]
    found = list(Objects({"rows": rows}).objects())
    assert [any(each is row for each in found) for row in rows] == [True, True]
