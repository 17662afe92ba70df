"""Layouts: the variables of a staged statement as arrays, and back."""

import pytest

import autograph
from autograph.adapters.layout import Kept, Layout
from autograph.operators.variables import Undefined
from fixtures.staging.lazy_arrays import LIBRARY, lazy, run

FORMS = LIBRARY.forms


def layout(**variables):
    entries = [
        value if isinstance(value, Kept) else FORMS.of(value) for value in variables.values()
    ]
    return Layout(FORMS, tuple(variables), tuple(entries))


def test_only_what_changes_is_an_array():
    kept = [1]
    made = layout(x=lazy(1.0), same=Kept(kept), pair=(lazy(2.0), "a", lazy(3.0)))
    assert made.paths() == ["x", "pair[0]", "pair[2]"]
    assert [made.position(number) for number in range(3)] == [0, 1, 1]
    arrays = [lazy(number) for number in (5.0, 6.0, 7.0)]
    x, same, pair = made.values(arrays)
    assert (x, pair) == (arrays[0], (arrays[1], "a", arrays[2]))
    assert same is kept


def test_a_variable_without_a_value_has_no_array():
    made = layout(x=Undefined("x"))
    assert made.leaves() == []
    (value,) = made.values([])
    assert type(value) is Undefined


def program(x, found):
    if x > 3:
        y = x * 2
        found = True
    result = x
    if found:
        result = y
    return result


def test_a_flag_that_only_one_branch_sets_tells_that_a_variable_has_a_value():
    converted = autograph.convert()(lambda x: program(x, False))
    assert run(converted, 4.0) == 8.0
    assert run(converted, 1.0) == 1.0


def test_a_flag_that_may_be_set_before_does_not():
    converted = autograph.convert()(lambda x: program(x, x < 0))
    with pytest.raises(UnboundLocalError, match="`result` is read, but has a value only if"):
        run(converted, 4.0)
