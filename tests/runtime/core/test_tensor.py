import copy
import pickle
import re

import numpy as np
import pytest

import runtime as tf


def test_text_of_a_scalar():
    x = tf.constant(3.0)
    assert str(x) == "tf.Tensor(3.0, shape=(), dtype=float32)"
    assert repr(x) == "<tf.Tensor: shape=(), dtype=float32, numpy=3.0>"


def test_text_of_a_vector_and_a_matrix():
    assert str(tf.constant([1, 2])) == "tf.Tensor([1 2], shape=(2,), dtype=int32)"
    assert repr(tf.constant([[1.0, 2.0], [3.0, 4.0]])) == (
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\n"
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)>"
    )
    assert str(tf.constant("a")) == "tf.Tensor(b'a', shape=(), dtype=string)"


def test_python_conversions():
    x = tf.constant(3)
    assert (int(x), float(x), bool(x), [10, 20, 30, 40][x]) == (3, 3.0, True, 40)
    assert f"{tf.constant(1.25):.1f}" == "1.2"
    assert len(tf.constant([1, 2])) == 2
    assert [int(row) for row in tf.constant([1, 2])] == [1, 2]
    assert 2 in tf.constant([1, 2])


@pytest.mark.parametrize("use", [len, iter, lambda x: [0][x]])
def test_scalars_have_no_rows(use):
    with pytest.raises(TypeError):
        use(tf.constant(1.0))


def test_tensors_are_not_hashable_but_references_are():
    x = tf.constant(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(x)
    assert x.ref() == x.ref()
    assert x.ref().deref() is x
    assert x.ref() != tf.constant(1).ref()


def test_copies():
    x = tf.constant([1, 2])
    assert copy.deepcopy(x) is x
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)).numpy(), [1, 2])


def test_a_tensor_with_a_value_has_no_operation():
    with pytest.raises(AttributeError, match="belongs to no graph"):
        _ = tf.constant(1).op


def traced(function, *specs):
    return tf.function(function, autograph=False).get_concrete_function(*specs)


def test_text_of_symbolic_tensors():
    shown = []

    def f(x):
        y = x + x
        shown.extend([str(y), repr(y)])
        return y

    traced(f, tf.TensorSpec([2, 2], tf.float32))
    assert shown == [
        'Tensor("add:0", shape=(2, 2), dtype=float32)',
        "<tf.Tensor 'add:0' shape=(2, 2) dtype=float32>",
    ]


@pytest.mark.parametrize(
    ("use", "wanted"),
    [
        (bool, "runtime.cond"),
        (iter, "append to a list"),
        (int, "runtime.cast"),
        (float, "runtime.cast"),
        (len, "runtime.shape"),
        (lambda x: [0][x], "runtime.gather"),
        (np.asarray, "NumPy"),
        (lambda x: x.numpy(), "Return the tensor"),
        (lambda x: 1 in x, "reduce_any"),
    ],
)
def test_python_cannot_have_the_value_of_a_symbolic_tensor(use, wanted):
    def f(speed):
        use(speed)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        traced(f, tf.TensorSpec([None], tf.float32))
    text = str(caught.value)
    assert re.search(r"`(speed|x)` is a symbolic tensor", text)
    assert wanted in text


def test_user_code_cannot_swallow_the_refusal():
    def f(x):
        try:
            return 1.0 if x > 0 else 2.0
        except TypeError:
            return 3.0

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        traced(f, tf.TensorSpec([], tf.float32))
