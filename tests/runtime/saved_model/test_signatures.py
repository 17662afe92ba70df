"""Signatures of saved models: which functions are some, names, and what is refused."""

import os

import pytest

import runtime as tf
from runtime.saved_model.saving import FILE
from tests.runtime.saved_model.models import reloaded

SPEC = tf.TensorSpec([None], tf.float32, name="inp")


def with_function(function, *specs):
    net = tf.Module()
    net.f = tf.function(function, input_signature=list(specs) or [SPEC])
    return net


def test_two_functions_with_input_signatures_make_no_default(tmp_path):
    net = with_function(lambda x: x)
    net.g = tf.function(lambda x: x, input_signature=[SPEC])
    assert not reloaded(net, tmp_path).signatures


RESULTS = [
    (lambda x: x, ["output_0"]),
    (lambda x: [x, x + 1.0], ["output_0", "output_1"]),
    (lambda x: (x,), ["output_0"]),
    (lambda x: {"b": x, "a": x}, ["a", "b"]),
]


@pytest.mark.parametrize("function, names", RESULTS)
def test_results_of_signatures_have_names(tmp_path, function, names):
    loaded = reloaded(with_function(function), tmp_path)
    assert sorted(loaded.signatures["serving_default"](inp=[1.0])) == names


def test_structured_arguments_of_signatures_have_names_of_their_parts(tmp_path):
    net = tf.Module()
    f = tf.function(lambda x, y: x["a"] - x["b"] + y[0])
    scalar = tf.TensorSpec([], tf.float32)
    concrete = f.get_concrete_function({"a": scalar, "b": scalar}, [scalar])
    loaded = reloaded(net, tmp_path, signatures={"minus": concrete})
    assert list(loaded.signatures) == ["minus"]
    minus = loaded.signatures["minus"]
    names = list(minus.structured_input_signature[1])
    assert names == ["x", "x_1", "y"]
    assert minus(x=5.0, x_1=3.0, y=1.0)["output_0"].numpy() == 3.0


CALLS = [
    ({}, TypeError, "missing required arguments: inp"),
    ({"other": [1.0]}, TypeError, "got unexpected keyword argument `other`"),
    ({"inp": tf.constant([1])}, tf.errors.InvalidArgumentError, "expected to be a float tensor"),
    ({"inp": tf.constant([[1.0]])}, tf.errors.InvalidArgumentError, r"float32\[\?\]"),
]


@pytest.mark.parametrize("arguments, error, text", CALLS)
def test_calls_of_signatures_that_do_not_fit_are_refused(tmp_path, arguments, error, text):
    loaded = reloaded(with_function(lambda x: x), tmp_path)
    with pytest.raises(error, match=text):
        loaded.signatures["serving_default"](**arguments)


def spec_function(function):
    return tf.function(function, input_signature=[SPEC])


SIGNATURES = [
    (3, "Expected a TensorFlow function"),
    (lambda x: x, "Expected a TensorFlow function"),
    (tf.function(lambda x: x), "Only `tf.functions` with an input signature or concrete"),
    ({1: spec_function(lambda x: x)}, "strings, not 1"),
    (spec_function(lambda x: {"a": [x]}), "Got a non-Tensor value .* for key 'a'"),
    (spec_function(lambda x: {1: x}), "non-string key 1"),
    (spec_function(lambda x: None), "Got a non-Tensor value None for key 'output_0'"),
]


@pytest.mark.parametrize("signatures, text", SIGNATURES)
def test_functions_that_are_no_signatures_are_refused(tmp_path, signatures, text):
    with pytest.raises(ValueError, match=text):
        tf.saved_model.save(tf.Module(), tmp_path, signatures=signatures)
    assert not os.path.exists(tmp_path / FILE)
