"""Graphs of functions, verified."""

import runtime as tf
from runtime.core.verify import verify

SCALAR = tf.TensorSpec([], tf.float32)


def concrete_of(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    verify(concrete.graph)
    verify(concrete.optimized_graph)
    return concrete
