"""Classes whose objects hold values: enumerations, slots, and classes that go."""

import enum
import gc
import weakref

from autograph.reach.walk import Reach


def test_classes_are_not_kept_alive():
    kind = type("Gone", (), {"x": 1})
    gone = weakref.ref(kind)
    Reach([], {"value": kind()})
    del kind
    gc.collect()
    assert gone() is None


class Color(enum.Enum):
    RED = 1
    GREEN = 2

    def __init__(self, value):
        self.uses = 0


def test_members_of_an_enumeration_are_found_by_its_class():
    def use():
        Color.RED.uses += 1

    reach = Reach([use])
    use()
    assert [place.label for place in reach.changed()] == ["Color.RED.uses"]
    reach.restore()
    assert Color.RED.uses == 0


def test_caches_of_an_enumeration_are_not_state():
    class Access(enum.Flag):
        READ = 1
        WRITE = 2

    reach = Reach([lambda: Access])
    none = Access.READ & Access.WRITE
    assert reach.changed() == []
    reach.restore()
    assert Access(0) is none


def test_a_metaclass_of_enumerations_is_a_class_like_others():
    class Named(enum.EnumMeta):
        reads = 0

        def __getitem__(cls, name):
            Named.reads += 1
            return super().__getitem__(name)

    class Status(enum.Enum, metaclass=Named):
        OK = 200

    def use():
        return Status["OK"]

    reach = Reach([use])
    use()
    assert [place.label for place in reach.changed()] == ["Named.reads"]


def test_a_slot_that_a_derived_class_replaces_is_no_place():
    class Number:
        __slots__ = ("value",)

    class Constant(Number):
        @property
        def value(self):
            return object()

    reach = Reach([], {"pi": Constant()})
    assert reach.changed() == []
    reach.restore()
