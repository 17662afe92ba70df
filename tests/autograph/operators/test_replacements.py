"""What is known of a function: its replacement, for itself and not for functions like it."""

import copy
import functools
import pickle

import pytest

from autograph.operators.replacements import KNOWN, Known, fix, fixed, follow_defaults, forget


def original(x, y=1, *, z=2):
    return x, y, z


@pytest.fixture
def function():
    yield original
    forget(original)


def test_a_decorator_that_copies_attributes_does_not_copy_what_is_fixed(function):
    fix(function)
    assert fixed(function).target is None

    @functools.wraps(function)
    def decorated(*args):
        return function(*args)

    assert fixed(decorated) is None
    forget(function)
    assert fixed(function) is None


def test_an_entry_refers_to_its_owner_unless_that_replaces_itself():
    one = Known(original, "options", len)
    assert (one.owner, one.target, one.converted) == (original, len, True)
    itself = Known(original, "options", original)
    assert (itself.owner, itself.target, itself.converted) == (None, None, False)
    assert itself.number == id(original)


def test_copies_of_entries_are_empty(function):
    function.__dict__[KNOWN] = Known(function, "options", len)
    fix(function)
    for entry in function.__dict__.values():
        for copied in (copy.copy(entry), pickle.loads(pickle.dumps(entry))):
            assert copied.owner is None
            assert copied.target is None


def test_a_replacement_follows_defaults_that_a_program_reassigns(function):
    def replacement(x, y=1, *, z=2):
        return x, y, z

    before = function.__defaults__, function.__kwdefaults__
    try:
        function.__defaults__, function.__kwdefaults__ = (5,), {"z": 6}
        follow_defaults(replacement, function)
        assert replacement(0) == (0, 5, 6)
    finally:
        function.__defaults__, function.__kwdefaults__ = before
    follow_defaults(len, function)
