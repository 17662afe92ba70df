"""Gradients of lists of tensors: lists of gradients, in which what is not written is zero."""

import numpy as np

import runtime as tf
from runtime.core.opdef import lookup
from runtime.core.spec import spec_of
from runtime.ops.array.lists import LIST_SUM, list_tensor, list_zeros
from runtime.ops.base.define import call

FLOAT = spec_of(tf.float32, ())


def listed(*numbers):
    return list_tensor([np.float32(number) for number in numbers])


def rows(handle, like=(0.0,)):
    return call("TensorListStackLike", handle, np.array(like, np.float32)).numpy().tolist()


def rule(name, g, *inputs, **attrs):
    return lookup(name).grad(g, None, *inputs, **attrs)


def test_reading_gives_to_one_entry_only():
    (gradient, _) = rule(
        "TensorListGetItem", tf.constant(7.0), listed(1, 2, 3), tf.constant(1), element=FLOAT
    )
    assert rows(gradient) == [0, 7, 0]


def test_writing_takes_the_gradient_of_its_entry():
    old, _, item = rule(
        "TensorListSetItem",
        listed(5, 6, 7),
        listed(1, 2),
        tf.constant(2),
        tf.constant(9.0),
        resize=True,
    )
    assert rows(old) == [5, 6]
    assert float(item) == 7


def test_pushing_gives_the_last_to_the_item():
    old, item = rule("TensorListPushBack", listed(5, 6), listed(1), tf.constant(2.0))
    assert rows(old) == [5]
    assert float(item) == 6


def test_stacking_and_unstacking_are_inverses():
    (gradient,) = rule(
        "TensorListStack", tf.constant([1.0, 2.0]), listed(0, 0), element=FLOAT, length=None
    )
    assert rows(gradient) == [1, 2]
    (gradient,) = rule("TensorListFromTensor", listed(3, 4), tf.constant([0.0, 0.0]))
    assert gradient.numpy().tolist() == [3, 4]


def test_lists_of_gradients_add_up():
    assert rows(LIST_SUM(listed(1, 2), list_zeros(listed(0, 0)))) == [1, 2]
    assert rows(LIST_SUM(listed(1, 2), listed(3, 4))) == [4, 6]
