"""Facts about classes, read without running code of the program."""

import datetime

import pytest

from autograph.conversion.class_facts import bases_of, is_base, is_static, look_up


def loud_classes():
    """Return a class and one derived from it, whose metaclass fails wherever it is asked."""

    class Loud(type):
        def __instancecheck__(cls, value):
            raise AssertionError

        __subclasscheck__ = __instancecheck__

        def __getattribute__(cls, name):
            raise AssertionError(name)

    class Base(metaclass=Loud):
        @property
        def size(self):
            raise AssertionError

    class Derived(Base):
        nothing = None

    return Base, Derived


@pytest.mark.parametrize("kind", [int, dict, datetime.date])
def test_classes_of_c_are_static_and_those_of_python_are_not(kind):
    assert is_static(kind)
    assert not is_static(type("Mine", (kind,), {}))


def test_no_metaclass_is_asked_for_bases():
    base, derived = loud_classes()
    assert bases_of(derived) == (derived, base, object)
    assert is_base(base, derived)
    assert not is_base(derived, base)


def test_an_attribute_is_found_unbound_in_the_first_base_that_has_it():
    _, derived = loud_classes()
    assert isinstance(look_up(derived, "size"), property)
    assert look_up(derived, "nothing") is None
    assert look_up(derived, "missing") is None
    assert look_up(derived, "__repr__") is object.__repr__
