"""Forms that arguments of op types have in TensorFlow's graphs."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.ops.base import node_forms


@pytest.mark.parametrize(
    ("dims", "written"), [((2, None), [2, -1]), ((), []), (None, -1)], ids=["some", "no", "any"]
)
def test_an_unknown_dimension_is_minus_one(dims, written):
    array = node_forms.dims_array(dims)
    assert array.dtype == np.int32
    assert array.tolist() == written


def test_a_zero_of_strings_is_an_empty_one():
    assert node_forms.dtype_zero(tf.string) == b""
    assert node_forms.dtype_zero(tf.int64).dtype == np.int64


def sum_of_all(shape):
    graph = Graph("g")
    x = graph.add_input(tf.TensorSpec(shape, tf.float32), "x")
    with recording(graph):
        return tf.reduce_sum(x).op


def test_a_reduction_of_all_axes_names_each():
    moved = node_forms.moved_axes("reduction_indices")
    assert moved.array(None, sum_of_all([2, 3])).tolist() == [0, 1]
    with pytest.raises(ValueError, match="the rank of its input is not known"):
        moved.array(None, sum_of_all(None))
