"""What a compiler refuses is Python, with a note that says why."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import refused


def test_carried_values_of_unknown_rank_stay_python():
    def f(n):
        shapes = [tf.TensorShape([]), tf.TensorShape(None)]
        start = [tf.constant(0), tf.constant(1.0)]
        return tf.while_loop(
            lambda i, x: i < n, lambda i, x: (i + 1, x * 2.0), start, shape_invariants=shapes
        )[1]

    refused(f, np.int32(3), reason="whose rank is unknown")


def test_prints_stay_python():
    def f(n):
        i = 0
        while i < n:
            tf.print(i)
            i += 1
        return i

    refused(f, np.int32(1), reason="Print")
