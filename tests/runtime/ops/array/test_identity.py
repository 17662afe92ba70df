"""Tensors that pass on, with or without a gradient."""

import runtime as tf
from runtime.core.opdef import NOT_DIFFERENTIABLE, lookup


def test_nothing_flows_back_through_a_stop():
    assert lookup("StopGradient").grad is NOT_DIFFERENTIABLE
    assert float(tf.stop_gradient(2.0)) == 2.0
