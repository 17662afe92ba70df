"""Programs as people write them for TensorFlow run unchanged."""

import numpy as np
import pytest

import runtime as tf


def test_eager_matrix_program():
    a = tf.constant([[10, 10], [11.0, 1.0]])
    x = tf.constant([[1.0, 0.0], [0.0, 1.0]])
    b = tf.Variable(12.0)
    y = tf.matmul(a, x) + b
    assert str(y.numpy()) == "[[22. 22.]\n [23. 13.]]"


def test_callees_are_part_of_the_graph():
    def inner_function(x, y, b):
        x = tf.matmul(x, y)
        x = x + b
        return x

    @tf.function
    def outer_function(x):
        y = tf.constant([[2.0], [3.0]])
        b = tf.constant(4.0)
        return inner_function(x, y, b)

    assert outer_function(tf.constant([[1.0, 2.0]])).numpy().tolist() == [[12.0]]


def test_branches_of_tensor_and_python_number():
    @tf.function
    def simple_relu(x):
        if tf.greater(x, 0):
            return x
        else:
            return 0

    assert int(simple_relu(tf.constant(1))) == 1
    assert int(simple_relu(tf.constant(-1))) == 0


def test_one_function_many_graphs():
    @tf.function
    def my_relu(x):
        return tf.maximum(0.0, x)

    shown = [str(my_relu(x)) for x in (tf.constant(5.5), [1, -1], tf.constant([3.0, -3.0]))]
    assert shown == [
        "tf.Tensor(5.5, shape=(), dtype=float32)",
        "tf.Tensor([1. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor([3. 0.], shape=(2,), dtype=float32)",
    ]
    assert my_relu.experimental_get_tracing_count() == 3
    my_relu(tf.constant(-2.5))
    my_relu(tf.constant([-1.0, 1.0]))
    assert my_relu.experimental_get_tracing_count() == 3


def test_mean_of_integer_squares(capsys):
    @tf.function
    def get_MSE(y_true, y_pred):
        print("Calculating MSE!")
        sq_diff = tf.pow(y_true - y_pred, 2)
        return tf.reduce_mean(sq_diff)

    y_true, y_pred = tf.constant([1, 0, 4, 4, 7]), tf.constant([3, 6, 3, 0, 6])
    for _ in range(3):
        assert repr(get_MSE(y_true, y_pred)) == "<tf.Tensor: shape=(), dtype=int32, numpy=11>"
    assert capsys.readouterr().out == "Calculating MSE!\n"


def test_unneeded_operations_are_skipped():
    def unused_return_eager(x):
        tf.gather(x, [1])
        return x

    with pytest.raises(tf.errors.InvalidArgumentError):
        unused_return_eager(tf.constant([0.0]))
    traced = tf.function(unused_return_eager)
    assert str(traced(tf.constant([0.0]))) == "tf.Tensor([0.], shape=(1,), dtype=float32)"


def test_python_loop_is_unrolled():
    def power(x, y):
        result = tf.eye(10, dtype=tf.dtypes.int32)
        for _ in range(y):
            result = tf.matmul(x, result)
        return result

    x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)
    np.testing.assert_array_equal(tf.function(power)(x, 5).numpy(), power(x, 5).numpy())


def test_new_python_arguments_are_traced_anew(capsys):
    @tf.function
    def a_function_with_python_side_effect(x):
        print("Tracing!")
        return x * x + tf.constant(2)

    for x in (tf.constant(2), tf.constant(3), 2, 3):
        print(a_function_with_python_side_effect(x))
    assert capsys.readouterr().out.splitlines() == [
        "Tracing!",
        "tf.Tensor(6, shape=(), dtype=int32)",
        "tf.Tensor(11, shape=(), dtype=int32)",
        "Tracing!",
        "tf.Tensor(6, shape=(), dtype=int32)",
        "Tracing!",
        "tf.Tensor(11, shape=(), dtype=int32)",
    ]


def test_variable_as_class_attribute(capsys):
    class F:
        def __init__(self):
            self._b = None

        @tf.function
        def __call__(self):
            a = tf.constant([[10, 10], [11.0, 1.0]])
            x = tf.constant([[1.0, 0.0], [0.0, 1.0]])
            if self._b is None:
                self._b = tf.Variable(12.0)
            y = tf.matmul(a, x) + self._b
            print("PRINT: ", y)
            tf.print("TF-PRINT: ", y)
            return y

    f = F()
    f()
    f()
    output = capsys.readouterr()
    assert 'PRINT:  Tensor("add:0", shape=(2, 2), dtype=float32)' in output.out
    assert output.err == "TF-PRINT:  [[22 22]\n [23 13]]\n" * 2


def test_newton_iteration():
    @tf.function
    def root(x):
        y = x
        while abs(y * y - x) > 0.001:
            y = (y + x / y) / 2.0
        return y

    assert float(root(tf.constant(16.0))) == pytest.approx(4.0, abs=1e-3)


def test_recurrent_cell():
    @tf.function
    def rnn(xs, h):
        outputs = []
        for x in xs:
            h = tf.tanh(h + x)
            outputs.append(h)
        return tf.stack(outputs), h

    xs, h = tf.ones([3, 2]), tf.zeros([2])
    states = []
    expected = h.numpy()
    for x in xs.numpy():
        expected = np.tanh(expected + x)
        states.append(expected)
    outputs, last = rnn(xs, h)
    np.testing.assert_allclose(outputs.numpy(), states, rtol=1e-6)
    np.testing.assert_allclose(last.numpy(), expected, rtol=1e-6)
