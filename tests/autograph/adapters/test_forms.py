"""Forms of values: what represents a variable, and what covers two values of one."""

import numpy as np
import pytest

from autograph.adapters.forms import Fixed, Leaf, Mismatch
from autograph.operators.variables import Undefined
from fixtures.staging.lazy_arrays import LIBRARY, lazy

FORMS = LIBRARY.forms


def joined(a, b):
    return FORMS.join("state", FORMS.of(a), FORMS.of(b))


def test_a_structure_has_the_leaves_of_its_parts():
    form = FORMS.of({"a": (lazy(1.0), 3), "b": "text"})
    assert form.leaves == (Leaf(np.dtype(float), ()), Fixed(3), Fixed("text"))
    assert form.paths == ("['a'][0]", "['a'][1]", "['b']")
    assert form.described() == "a dict of (float64[], the Python int 3, the Python str 'text')"


def test_numbers_that_differ_become_an_array_and_equal_ones_stay():
    assert joined([1, 2], [1, 3]).leaves[0] == Fixed(1)
    assert isinstance(joined([1, 2], [1, 3]).leaves[1], Leaf)
    assert isinstance(joined(0.0, -0.0).leaves[0], Leaf)


def test_a_variable_of_one_side_may_have_no_value():
    form = joined(Undefined("state"), lazy(1.0))
    assert form.defined is None
    assert len(FORMS.arrays_of(form, Undefined("state"))) == 1
    assert FORMS.originals_of(form, Undefined("state")) == [None]


@pytest.mark.parametrize(
    ("a", "b", "subject", "because"),
    [
        ([1], (1,), "`state`", ""),
        (["x"], ["y"], "`state[0]`", ""),
        ({"k": lazy([1.0])}, {"k": lazy([1.0, 2.0])}, "`state['k']`", ": their shapes differ"),
    ],
)
def test_values_that_no_form_covers_name_the_part_that_differs(a, b, subject, because):
    with pytest.raises(Mismatch) as caught:
        joined(a, b)
    assert (caught.value.subject, caught.value.because) == (subject, because)


def test_a_value_comes_back_from_its_arrays():
    form = FORMS.of((lazy(1.0), ["a", lazy(2.0)]))
    one, two = lazy(5.0), lazy(6.0)
    assert FORMS.value_from(form, iter([one, two])) == (one, ["a", two])
