import pytest

import runtime as tf
from runtime.core.shapes import broadcast, generalize, includes, shape_of


def test_text():
    assert str(tf.TensorShape([2, None])) == "(2, None)"
    assert repr(tf.TensorShape(None)) == "TensorShape(None)"
    assert f"{tf.TensorSpec([None, 2], tf.float32)}" == "float32[?,2]"


def test_sequence():
    shape = tf.TensorShape([2, None, 3])
    assert shape[0] == 2
    assert shape[1:] == [None, 3]
    assert list(shape) == [2, None, 3]
    assert shape.num_elements() is None
    assert shape.concatenate([4]).as_list() == [2, None, 3, 4]


def test_unknown_rank():
    shape = tf.TensorShape(None)
    assert shape.rank is None
    assert not shape
    with pytest.raises(ValueError, match="unknown"):
        len(shape)


def test_merge():
    assert tf.TensorShape([2, None]).merge_with([None, 3]) == [2, 3]
    with pytest.raises(ValueError, match="not compatible"):
        tf.TensorShape([2]).merge_with([3])


def test_rules():
    assert broadcast((3, 1), (None,)) == (3, None)
    assert generalize((2, 3), (2, 4)) == (2, None)
    assert generalize((2,), (2, 3)) is None
    assert includes((None, 2), (5, 2))
    assert not includes((5, 2), (None, 2))


@pytest.mark.parametrize("dims", [[-1], ["a"], 1.5])
def test_what_is_no_shape(dims):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        tf.TensorShape(dims)


def test_slices_of_unknown_rank():
    unknown = tf.TensorShape(None)
    assert unknown[0] is None
    assert unknown[1:3] == [None, None]
    assert unknown[:2].as_list() == [None, None]
    assert unknown[1:].rank is None
    assert unknown[-1:].rank is None


@pytest.mark.parametrize(
    ("check", "words"),
    [
        (lambda s: s.assert_is_compatible_with([3, 3]), "are incompatible"),
        (lambda s: s.merge_with([3, 3]), "are not compatible"),
        (lambda s: len(tf.TensorShape(None)), "Cannot take the length of shape with unknown rank"),
        (lambda s: list(tf.TensorShape(None)), "Cannot iterate over a shape with unknown rank"),
        (lambda s: tf.TensorShape(None).as_list(), "as_list.. is not defined"),
        (lambda s: tf.TensorShape([-2]), "Dimension -2 must be >= 0"),
    ],
)
def test_what_a_shape_is_not(check, words):
    with pytest.raises(ValueError, match=words):
        check(tf.TensorShape([2, None]))


@pytest.mark.parametrize("dims", [["a"], [1.5], "ab"])
def test_what_is_no_dimension(dims):
    with pytest.raises(TypeError, match="Dimension value must be integer or None"):
        tf.TensorShape(dims)


def test_most_exact_shapes():
    shape = tf.TensorShape([2, 3])
    assert shape.most_specific_compatible_shape([2, 4]) == [2, None]
    assert shape.most_specific_compatible_shape([2]).rank is None
    assert shape.is_subtype_of(tf.TensorShape([2, None]))
    assert not tf.TensorShape([2, None]).is_subtype_of(shape)


def test_specs():
    spec = tf.TensorSpec([None, 2], tf.float32, name="x")
    assert spec.is_compatible_with(tf.zeros([5, 2]))
    assert not spec.is_compatible_with(tf.zeros([5, 3]))
    assert not spec.is_compatible_with([[1.0, 2.0]])
    assert tf.TensorSpec([3, 2]).is_subtype_of(spec)


def test_the_spec_that_several_have_in_common():
    common = tf.TensorSpec([2, 3], name="x").most_specific_common_supertype
    assert common([]) == tf.TensorSpec([2, 3])
    found = common([tf.TensorSpec([2, 4], name="x"), tf.TensorSpec([2, 3], name="x")])
    assert (found.shape, found.name) == ([2, None], "x")
    assert common([tf.TensorSpec([2], name="x")]).shape.rank is None
    for other in (tf.TensorSpec([2, 3]), tf.TensorSpec([2, 3], tf.int32, name="x"), 3):
        assert common([other]) is None


def test_a_spec_is_one_of_a_more_general_spec_only():
    spec = tf.TensorSpec([2])
    assert spec.is_subtype_of(tf.TensorSpec([None]))
    assert spec.is_subtype_of(tf.TensorSpec([2], name="x"))
    assert not tf.TensorSpec([None]).is_subtype_of(spec)
    assert not tf.TensorSpec([2], name="x").is_subtype_of(spec)
    assert not spec.is_subtype_of(tf.TensorSpec([2], tf.int32))
    assert not spec.is_subtype_of(3)


def test_the_shape_that_several_have_in_common():
    common = tf.TensorShape([1, 2]).most_specific_common_supertype
    assert common([]).as_list() == [1, 2]
    assert common([tf.TensorShape([1, 3]), tf.TensorShape([1, 2])]).as_list() == [1, None]
    assert common([tf.TensorShape([2])]).rank is None
    assert common([[1, 2]]) is None


def test_dims_are_objects_that_know_what_they_may_be():
    known, unknown = tf.TensorShape([3, None]).dims
    assert known.is_compatible_with(3)
    assert not known.is_compatible_with(4)
    assert unknown.is_compatible_with(4)
    assert known.is_compatible_with(unknown)
    assert (known.value, unknown.value, known == 3, unknown == 3) == (3, None, True, None)
    assert tf.TensorShape(None).dims is None
    assert tf.TensorShape(tf.TensorShape([3, None]).dims) == [3, None]


@pytest.mark.parametrize("dims", [None, (), (2, None), (0, 3)])
def test_shape_of_plain_dimensions_is_that_of_the_constructor(dims):
    assert repr(shape_of(dims)) == repr(tf.TensorShape(dims))
    assert shape_of(dims).rank == tf.TensorShape(dims).rank
