import copy
import pickle
import re
import sys

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


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_a_symbolic_tensor(copied):
    @tf.function
    def change(x):
        held = {"rows": [x, x + 1.0]}
        other = copied(held)
        other["rows"] = [copied(x)]
        if x > 0.0:
            other["rows"][0] = x * 5.0
        return held["rows"], other["rows"], copied(x) is x

    assert [part.numpy() for part in change(tf.constant(2.0))[0]] == [2.0, 3.0]
    assert [part.numpy() for part in change(tf.constant(2.0))[1]] == [10.0]
    assert change(tf.constant(2.0))[2]


def test_a_symbolic_tensor_is_not_pickled():
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="pickle the result"):
        tf.function(lambda x: pickle.dumps(x))(tf.constant(1.0))


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


def test_text_of_a_symbolic_tensor_of_unknown_rank():
    shown = []
    traced(lambda x: shown.extend([str(x), repr(x)]), tf.TensorSpec(None, tf.float32))
    assert shown == [
        'Tensor("x:0", dtype=float32)',
        "<tf.Tensor 'x:0' shape=<unknown> dtype=float32>",
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


@pytest.mark.parametrize("chosen", [1, 5])
def test_a_text_in_a_staged_string_has_a_name(chosen):
    def literal(x):
        word = "big" if x > 3 else "small"
        return "ig" in word

    def named(x):
        word = "big" if x > 3 else "small"
        part = "ig"
        return part in word

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="`part in x`"):
        tf.function(literal)(tf.constant(chosen))
    assert bool(tf.function(named)(tf.constant(chosen))) == named(chosen)


def test_a_symbolic_tensor_has_no_numpy_method_as_programs_ask():
    asked = []

    def f(speed):
        asked.append(hasattr(speed, "numpy"))
        return speed.numpy()

    with pytest.raises(AttributeError, match=r"no attribute 'numpy': `speed` is a .* Return the"):
        traced(f, tf.TensorSpec([None], tf.float32))
    assert asked == [False]
    assert hasattr(tf.constant(1), "numpy")


def test_user_code_cannot_swallow_the_refusal():
    def f(x):
        try:
            return 1.0 if x > 0 else 2.0
        except TypeError:
            return 3.0

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        traced(f, tf.TensorSpec([], tf.float32))


def test_text_of_a_scalar_has_all_digits():
    assert repr(tf.constant(0.1)) == (
        "<tf.Tensor: shape=(), dtype=float32, numpy=0.10000000149011612>"
    )
    assert str(tf.constant(0.1)) == "tf.Tensor(0.1, shape=(), dtype=float32)"


def test_long_tensors_are_summarised():
    assert (
        str(tf.range(2000))
        == "tf.Tensor([   0    1    2 ... 1997 1998 1999], shape=(2000,), dtype=int32)"
    )


def test_formats_are_those_of_numbers_and_arrays():
    assert f"{tf.constant(1.5)} {tf.constant([1, 2])} {tf.constant('a')}" == "1.5 [1 2] b'a'"
    with pytest.raises(TypeError, match="unsupported format string"):
        format(tf.constant([1.0]), ".2f")


def test_numpy_cannot_change_a_tensor():
    x = tf.constant([1, 2])
    x.numpy()[0] = 9
    np.array(x)[0] = 9
    np.from_dlpack(x)[:] = 9
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(x)[0] = 9
    assert x.numpy().tolist() == [1, 2]


def test_a_tensor_does_not_change_with_its_source():
    source = np.array([1, 2])
    x = tf.constant(source)
    source[0] = 9
    assert x.numpy().tolist() == [1, 2]


def test_numpy_functions_give_arrays():
    x = tf.constant([1.0, 4.0])
    for result in (np.multiply(x, 2), np.sqrt(x), np.concatenate([x, x])):
        assert type(result) is np.ndarray
        assert result.dtype == np.float32
    np.testing.assert_allclose(x, [1.0, 4.0])


def test_only_scalars_become_python_numbers():
    assert complex(tf.constant(2.0)) == 2
    assert round(tf.constant(2.6)) == 3
    for convert in (int, float, complex):
        with pytest.raises(TypeError, match="only 0-dimensional arrays"):
            convert(tf.constant([1]))
    with pytest.raises(TypeError, match="only integer scalar arrays"):
        range(tf.constant(1.0))


def test_truth():
    assert [bool(tf.constant(v)) for v in (0, 1, "", "a", [0.5], [])] == [0, 1, 0, 1, 1, 0]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(tf.constant([1, 2]))


def test_rows_that_a_tensor_contains():
    assert 3 not in tf.constant([1, 2])
    assert "a" in tf.constant(["a"])
    with pytest.raises(ValueError, match="ambiguous"):
        _ = [1, 2] in tf.constant([[1, 2], [3, 4]])
    assert 1.5 not in tf.constant([1, 2])
    assert 2.0 in tf.constant([1, 2])


def test_shapes_can_be_checked():
    x = tf.constant([1, 2, 3])
    x.set_shape([None])
    with pytest.raises(ValueError, match=r"Tensor's shape \(3,\) is not compatible with .* \(2,\)"):
        x.set_shape([2])


def test_what_is_not_there():
    x = tf.constant(1)
    with pytest.raises(AttributeError, match="'EagerTensor' object has no attribute 'foo'"):
        _ = x.foo
    with pytest.raises(AttributeError, match=r"Tensor.name is undefined when eager execution"):
        _ = x.name
    with pytest.raises(TypeError, match="cannot be changed in place"):
        x[0] = 1


def test_references_show_what_they_hold():
    assert repr(tf.constant(1).ref()) == (
        "<Reference wrapping <tf.Tensor: shape=(), dtype=int32, numpy=1>>"
    )


def test_what_is_a_tensor():
    assert tf.is_tensor(tf.constant(1))
    assert tf.is_tensor(tf.Variable(1))
    assert not tf.is_tensor(np.array(1))
    for value in (1, "a", [1], np.array(1), tf.constant(1), tf.Variable(1)):
        assert isinstance(value, tf.types.experimental.TensorLike)
    assert not isinstance({}, tf.types.experimental.TensorLike)


def test_equality_of_shapes_that_do_not_meet():
    x, y = tf.constant([1, 2]), tf.constant([1, 2, 3])
    assert not bool(x == y)
    assert bool(x != y)
    assert (x == tf.constant([[1], [2]])).shape == [2, 2]
    assert not bool(tf.function(lambda: x == y)())
    assert (x == None) is False  # noqa: E711
    assert (x == 1.5).numpy().tolist() == [False, False]
    assert (x != 2.0).numpy().tolist() == [True, False]


def test_objects_that_know_what_to_do_with_tensors():
    class Unit:
        def __radd__(self, other):
            return "unit"

        def __rsub__(self, other):
            return NotImplemented

    assert tf.constant(1) + Unit() == "unit"
    for action in (lambda: tf.constant(1) - Unit(), lambda: tf.constant(1) * Unit()):
        with pytest.raises(ValueError, match="unsupported type"):
            action()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes cannot offer buffers before")
def test_buffers_cannot_be_written():
    view = memoryview(tf.constant([1, 2]))
    assert view.tolist() == [1, 2]
    assert view.readonly
