"""Iterators and settings: what is a change of them, and what is put back."""

import decimal
import itertools

import pytest

from autograph import StagingError
from autograph.reach.walk import Reach

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


class Named(set):
    """A set of a derived class."""


@pytest.mark.parametrize("added", [3, True])
def test_a_changed_set_of_a_derived_class_is_refused_and_put_back(added):
    members = Named([1, 2])
    reach = Reach([], {"members": members})
    assert not reach.changed()
    members.discard(1)
    members.add(added)
    with pytest.raises(StagingError, match="`members`, of type Named"):
        reach.changed()
    assert sorted(map(repr, members)) == ["1", "2"]


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
