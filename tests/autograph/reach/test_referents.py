"""Objects that caches and weak references hold."""

import functools
import gc
import weakref

from autograph.reach.walk import Reach


class Point:
    shared = 0

    def __init__(self, x=0):
        self.x = x

    def move(self, by):
        self.x += by


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
