"""Changes of every kind of object are found and undone."""

import argparse
import collections
import configparser
import functools
import threading
import types
import weakref

import pytest

from autograph import StagingError
from autograph.reach.reads import Reads
from autograph.reach.walk import Reach


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


@pytest.mark.parametrize(
    ("value", "look"),
    [(LIST, lambda: LIST[1][0]), (POINT, lambda: POINT.x), (COUNT, lambda: len(LIST))],
)
def test_looking_is_no_change(value, look):
    assert described(value, look) == []


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


def read(value):
    return [place.label for place, _ in Reads({"value": value}).places()]


def test_a_thread_in_a_class_of_a_library_is_its_own(monkeypatch):
    reach = Reach([], {"value": configparser.ConfigParser})
    monkeypatch.setattr(configparser.ConfigParser, "monitor", threading.Thread(), raising=False)
    assert not reach.changed()
    monkeypatch.setattr(configparser.ConfigParser, "monitor", 1)
    assert [place.label for place in reach.changed()] == ["ConfigParser.monitor"]
