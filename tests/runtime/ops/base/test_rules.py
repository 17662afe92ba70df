"""Shape rules: what is known of a result while only shapes are known."""

import pytest

import runtime as tf
from runtime.core.spec import spec_of
from runtime.ops.base import rules


class Known:
    """A tensor of which only the spec is known."""

    def __init__(self, dims, dtype=tf.float32):
        self.spec = spec_of(dtype, dims)


def test_a_broadcast_shape_has_the_dtype_of_the_last_input():
    found = rules.broadcasted(Known((2, 1)), Known((None, 3), tf.int32))
    assert found == spec_of(tf.int32, (2, 3))
    assert rules.compared(Known((2, 1)), Known((3,))) == spec_of(tf.bool, (2, 3))


def test_a_rule_of_shapes_is_not_asked_for_an_unknown_rank():
    rule = rules.shaped(lambda dims, by: tuple(dim * by for dim in dims))
    assert rule(Known((2, 3)), by=2) == spec_of(tf.float32, (4, 6))
    assert rule(Known(None), by=2) == spec_of(tf.float32, None)


def test_axes_count_from_either_end():
    assert rules.normalize_axis(-1, 3) == rules.normalize_axis(2, 3) == 2
    with pytest.raises(ValueError, match=r"axis 3 is not in \[-3, 3\)"):
        rules.normalize_axis(3, 3)


@pytest.mark.parametrize(
    ("dims", "axis", "keepdims", "left"),
    [
        ((2, None, 4), (1,), False, (2, 4)),
        ((2, None, 4), (-1,), True, (2, None, 1)),
        ((2, 3), None, False, ()),
        ((2, 3), (), False, (2, 3)),
        (None, None, False, ()),
        (None, (0,), False, None),
    ],
)
def test_a_reduction_leaves_the_other_axes(dims, axis, keepdims, left):
    assert rules.reduced_dims(dims, axis, keepdims) == left


@pytest.mark.parametrize("axis", [(2,), (-3,), (0, 0), (0, -2)])
def test_axes_that_are_not_there_or_come_twice_are_refused(axis):
    with pytest.raises(ValueError, match="Invalid reduction"):
        rules.reduced_dims((2, 3), axis, False)
