"""Copies and pickles of variables."""

import copy
import pickle

import runtime as tf


def test_copies_and_pickles_have_values_of_their_own():
    v = tf.Variable([1.0, 2.0], name="v", trainable=False)
    for other in (copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        other.assign([5.0, 5.0])
        assert (other.name, other.trainable) == ("v:0", False)
    assert v.numpy().tolist() == [1.0, 2.0]
    assert copy.copy(v) is v
    held = {"a": v, "b": v}
    copied = copy.deepcopy(held)
    assert copied["a"] is copied["b"]
    assert copied["a"] is not v
