"""What a walk over functions and values finds, and what it says changed afterwards."""

import importlib
import mimetypes
import re
import types

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from autograph.reach import walk as walking
from autograph.reach.walk import Objects, Reach


class Point:
    shared = 0

    def __init__(self, x=0):
        self.x = x

    def move(self, by):
        self.x += by


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


def test_objects_in_an_array():
    array = np.array([Point(), None], object)
    reach = Reach([], {"value": array})
    array[0].move(1)
    assert [place.label for place in reach.changes(sealed=False)[0][:1]] == ["value[0].x"]


def test_objects_are_found_without_a_copy():
    rows = [[1], {2}]
    found = list(Objects({"rows": rows}).objects())
    assert [any(each is row for each in found) for row in rows] == [True, True]


PACKAGE = """
import json

COUNTS = {"added": 0, "encoded": 0}


class Visitor:
    def visit(self, kind, x):
        return getattr(self, f"visit_{kind}")(x)

    def visit_add(self, x):
        COUNTS["added"] += 1
        return x + 1


class Encoder(json.JSONEncoder):
    def default(self, value):
        COUNTS["encoded"] += 1
        return 7


def encoded():
    return len(json.dumps([object()], cls=Encoder))
"""


def test_methods_of_a_package_change_its_state_only_in_the_branch(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "package_of_visitors.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(folder)
    package = importlib.import_module("package_of_visitors")
    visitor = package.Visitor()

    def f(x):
        if x > 0:
            x = visitor.visit("add", x) + package.encoded()
        return x

    staged = tf.function(f)
    results = [int(staged(tf.constant(x))) for x in (1, -1, 2, -3)]
    assert results == [5, -1, 6, -3]
    assert package.COUNTS == {"added": 2, "encoded": 2}
