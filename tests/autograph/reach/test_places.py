"""Places that hold what a function reaches."""

import mimetypes
import re

from autograph.reach.walk import Reach


def with_default(by=1):
    return by


def test_a_default_is_a_place():
    reach = Reach([], {"value": with_default})
    with_default.__defaults__ = (2,)
    assert [place.label for place in reach.changed()] == ["the defaults of with_default"]
    reach.restore()
    assert with_default() == 1


def look_into(pattern):
    return re, pattern._cache, mimetypes.types_map


def test_a_table_of_a_standard_module_is_state():
    reach = Reach([], {"value": look_into})
    mimetypes.types_map[".new"] = "text/new"
    assert [place.label for place in reach.changed()] == ["mimetypes.types_map"]
    reach.restore()
    assert ".new" not in mimetypes.types_map
