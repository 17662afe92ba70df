"""Objects whose class states their type as an argument of functions."""

import pytest

import runtime as tf

TraceType = tf.types.experimental.TraceType


class UpTo(TraceType):
    """The type of boxes of a size or less."""

    def __init__(self, box):
        self.box = box

    def is_subtype_of(self, other):
        return isinstance(other, UpTo) and self.box.size <= other.box.size

    def most_specific_common_supertype(self, others):
        return max([self, *others], key=lambda each: each.box.size)

    def placeholder_value(self, placeholder_context=None):
        return self.box

    def __eq__(self, other):
        return isinstance(other, UpTo) and self.box.size == other.box.size

    def __hash__(self):
        return hash(self.box.size)


class Box:
    def __init__(self, size, stated=UpTo):
        self.size = size
        self.stated = stated

    def __tf_tracing_type__(self, context):
        return self.stated(self)


class Plain:
    def __init__(self, size):
        self.size = size


def counted(**options):
    traces = []

    @tf.function(**options)
    def scaled(box, x):
        traces.append(box.size)
        return x * box.size

    return scaled, traces


def test_objects_of_equal_types_share_a_graph():
    scaled, traces = counted()
    x = tf.constant(2.0)
    assert [float(scaled(Box(size), x)) for size in (3, 3, 2, 2)] == [6.0, 6.0, 6.0, 6.0]
    assert traces == [3]  # a graph for a box of 3 runs calls of its subtypes


def test_other_types_get_graphs_of_their_own():
    scaled, traces = counted()
    x = tf.constant(2.0)
    assert [float(scaled(Box(size), x)) for size in (2, 3, 3)] == [4.0, 6.0, 6.0]
    assert traces == [2, 3]


def test_objects_without_a_stated_type_count_by_identity():
    scaled, traces = counted()
    boxes = Plain(3), Plain(3)
    for box in (*boxes, *boxes):
        scaled(box, tf.constant(2.0))
    assert traces == [3, 3]


def test_objects_in_structures_count_by_their_types():
    @tf.function
    def total(boxes):
        return sum((box.size for box in boxes), tf.constant(0))

    assert [int(total([Box(1), Box(2)])) for _ in range(2)] == [3, 3]
    assert total.experimental_get_tracing_count() == 1


def test_a_concrete_function_takes_objects_of_its_types():
    scaled, _ = counted()
    concrete = scaled.get_concrete_function(Box(3), tf.TensorSpec([]))
    assert float(concrete(Box(3), tf.constant(2.0))) == 6.0
    with pytest.raises(TypeError, match="argument `box` of scaled is fixed"):
        concrete(Box(4), tf.constant(2.0))


class OfTensors(UpTo):
    def flatten(self):
        return []


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (lambda box: "large", "returned 'large', which is not a `types.experimental.TraceType`"),
        (OfTensors, "become inputs of a graph if `Box` has `__tensor_flatten__`"),
    ],
)
def test_types_that_cannot_be_used_are_refused(stated, words):
    scaled, _ = counted()
    with pytest.raises(TypeError, match=words):
        scaled(Box(1, stated), tf.constant(1.0))


def test_a_type_has_to_state_everything():
    class Half(TraceType):
        def is_subtype_of(self, other):
            return True

    with pytest.raises(TypeError, match="abstract"):
        Half()


KEYS = [1, True, 1.0, 0.0, -0.0, (1,), (True,), ((1.0, "a"),), ((1, "a"),), frozenset({1}), 1 + 0j]


@pytest.mark.parametrize("one", KEYS)
@pytest.mark.parametrize("other", KEYS)
def test_equal_keys_of_other_types_are_other_structures(one, other):
    shown = tf.function(lambda values: tf.constant(repr([*values])))
    assert [shown({key: 5}).numpy() for key in (one, other)] == [
        repr([key]).encode() for key in (one, other)
    ]
