"""LLVM types: each dtype of numbers has one, but for those of half precision."""

import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import compiled_parts, looped


def test_numbers_of_half_precision_have_no_machine_code():
    function = tf.function(looped(lambda x: x * x), autograph=False)
    graph = function.get_concrete_function(tf.TensorSpec([], tf.float16)).graph
    number, reasons = compiled_parts(graph)
    assert number == 0
    assert "float16" in reasons[0]
