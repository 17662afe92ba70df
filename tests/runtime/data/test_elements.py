"""Elements of datasets: tuples, dicts and classes of tensors."""

import collections

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


def test_rows_of_tensors_in_any_structure():
    dataset = Dataset.from_tensor_slices({"x": [[1, 2], [3, 4]], "y": ["a", "b"]})
    assert values(dataset) == [{"x": [1, 2], "y": b"a"}, {"x": [3, 4], "y": b"b"}]
    assert dataset.element_spec["x"] == tf.TensorSpec([2], tf.int32)
    assert len(dataset) == 2


def test_classes_make_elements_and_datasets():
    Point = collections.namedtuple("Point", "x y")
    points = Dataset.zip(Dataset.range(2), Dataset.range(5, 7)).map(Point)
    assert [(int(p.x), int(p.y)) for p in points] == [(0, 5), (1, 6)]
