"""Documented behaviour of functions and of eager tensors, one small program for each.

The programs are those that introductions to `tf.function` and eager execution teach: what they
print, what they give, and how they fail.
"""

import cProfile
import io
import logging
import re
import timeit
import weakref

import numpy as np
import pytest

import runtime as tf


@pytest.fixture
def eagerly():
    yield tf.config.run_functions_eagerly
    tf.config.run_functions_eagerly(False)


def layer():
    """A fresh copy of `y = a @ x + b` with a variable that is made inside."""

    def f():
        a = tf.constant([[10, 10], [11.0, 1.0]])
        x = tf.constant([[1.0, 0.0], [0.0, 1.0]])
        b = tf.Variable(12.0)
        y = tf.matmul(a, x) + b
        print("PRINT: ", y)
        tf.print("TF-PRINT: ", y)
        return y

    return f


# ---- functions ----


def test_while_tracing_nothing_runs_at_once(capsys):
    seen = []

    @tf.function
    def f(x):
        seen.append(tf.executing_eagerly())
        print(x + x)
        return x + x

    f(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    f(tf.constant([[5.0, 6.0], [7.0, 8.0]]))
    assert seen == [False]
    assert capsys.readouterr().out == 'Tensor("add:0", shape=(2, 2), dtype=float32)\n'
    assert tf.executing_eagerly()


def test_print_shows_traces_and_tf_print_shows_runs(capsys):
    @tf.function
    def f(x):
        print("tracing")
        tf.print("running", x)
        return x

    for value in (1, 2, 3):
        f(tf.constant(value))
    out, err = capsys.readouterr()
    assert out == "tracing\n"
    assert err == "running 1\nrunning 2\nrunning 3\n"


def test_a_variable_made_at_every_call_is_refused(capsys):
    with pytest.raises(
        ValueError,
        match=r"tf\.function-decorated function tried to create variables on non-first call\.",
    ):
        tf.function(layer())()
    assert 'PRINT:  Tensor("add:0", shape=(2, 2), dtype=float32)' in capsys.readouterr().out
    assert layer()().numpy().tolist() == [[22.0, 22.0], [23.0, 13.0]]


def test_state_is_made_at_the_first_call_only():
    class Layer:
        def __init__(self):
            self.b = None
            self.traces = 0

        @tf.function
        def __call__(self, x):
            self.traces += 1
            if self.b is None:
                self.b = tf.Variable(12.0)
            return x + self.b

    made = Layer()
    assert float(made(tf.constant(1.0))) == 13.0
    assert made.traces == 2  # once more for the calls after the first
    made.b.assign(1.0)
    assert float(made(tf.constant(1.0))) == 2.0
    assert made.traces == 2


def test_three_ways_to_have_a_variable():
    outside = tf.Variable(12.0)

    class Holder:
        def __init__(self):
            self.b = tf.Variable(12.0)

        @tf.function
        def add(self, x):
            return x + self.b

    @tf.function
    def argument(x, b):
        return x + b

    @tf.function
    def enclosing(x):
        return x + outside

    x = tf.constant(1.0)
    assert [float(y) for y in (argument(x, outside), enclosing(x), Holder().add(x))] == [13.0] * 3


def test_variables_that_are_arguments_change_outside_too(capsys):
    a = tf.Variable(0)

    @tf.function
    def g(x):
        x.assign_add(1)
        return x

    for _ in range(3):
        print(g(a).numpy())
    assert capsys.readouterr().out == "1\n2\n3\n"
    assert int(a) == 3


def test_lines_run_in_their_order():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        before = v.read_value()
        v.assign(before * 10.0)
        between = v.read_value()
        v.assign_add(5.0)
        return before, between, v.read_value()

    assert [float(x) for x in f()] == [1.0, 10.0, 15.0]


def test_control_dependencies_by_hand():
    v = tf.Variable(0.0)

    @tf.function
    def f():
        with tf.control_dependencies([v.assign(3.0).read_value()]):
            return tf.identity(1.0) + v

    assert float(f()) == 4.0


def test_a_graph_for_each_dtype_and_shape():
    @tf.function
    def my_relu(x):
        return tf.maximum(0.0, x)

    results = [my_relu(x) for x in (tf.constant(5.5), [1, -1], tf.constant([3.0, -3.0]))]
    assert [str(y) for y in results] == [
        "tf.Tensor(5.5, shape=(), dtype=float32)",
        "tf.Tensor([1. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor([3. 0.], shape=(2,), dtype=float32)",
    ]
    my_relu(tf.constant(-2.5))
    my_relu(tf.constant([-1.0, 1.0]))
    assert my_relu.experimental_get_tracing_count() == 3
    assert my_relu.pretty_printed_concrete_signatures() == (
        "my_relu(x)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=()\n"
        "  Returns:\n"
        "    float32 Tensor, shape=()\n"
        "\n"
        "my_relu(x=[1, -1])\n"
        "  Returns:\n"
        "    float32 Tensor, shape=(2,)\n"
        "\n"
        "my_relu(x)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=(2,)\n"
        "  Returns:\n"
        "    float32 Tensor, shape=(2,)"
    )


def test_one_object_has_one_graph():
    class Scale:
        def __init__(self, by):
            self.by = by

    @tf.function
    def scaled(scale, x):
        return x * scale.by

    two, three = Scale(2.0), Scale(3.0)
    x = tf.constant(1.0)
    assert [float(scaled(s, x)) for s in (two, three, two, three)] == [2.0, 3.0, 2.0, 3.0]
    assert scaled.experimental_get_tracing_count() == 2


def test_python_arguments_are_traced_anew_and_tensors_are_not(capsys):
    @tf.function
    def f(x):
        print("Tracing!")
        return x * x + tf.constant(2)

    assert [int(f(tf.constant(n))) for n in (2, 3)] == [6, 11]
    assert capsys.readouterr().out == "Tracing!\n"
    assert [int(f(n)) for n in (2, 3)] == [6, 11]
    assert capsys.readouterr().out == "Tracing!\nTracing!\n"


def test_a_concrete_function_knows_what_it_takes_and_gives():
    @tf.function
    def simple_relu(x):
        return x if tf.greater(x, 0) else 0

    concrete = simple_relu.get_concrete_function(tf.constant(1))
    assert concrete.structured_outputs.dtype == tf.int32
    assert concrete.structured_outputs.shape == []
    assert concrete.structured_input_signature == ((tf.TensorSpec([], tf.int32),), {})
    assert [int(concrete(tf.constant(n))) for n in (3, -3)] == [3, 0]
    names = [op.type for op in concrete.graph.get_operations()]
    assert "Greater" in names
    assert "StatelessIf" in names


def test_an_input_signature_keeps_one_graph():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x)

    assert [float(total(tf.ones([n]))) for n in (1, 2, 3)] == [1.0, 2.0, 3.0]
    assert total.experimental_get_tracing_count() == 1
    with pytest.raises(TypeError, match=r"Binding inputs to tf\.function failed"):
        total(tf.ones([2, 2]))


def test_many_traces_are_reported(caplog):
    with caplog.at_level(logging.WARNING):
        for n in range(5):
            total(n)
    assert len(caplog.messages) == 1
    text = caplog.messages[0]
    assert text.startswith("5 out of the last 5 calls to <function total at 0x")
    assert "triggered tf.function retracing. Tracing is expensive" in text


@tf.function
def total(n):
    return tf.constant(n) + 1


def test_functions_run_as_python_for_debugging(capsys, eagerly):
    @tf.function
    def get_mse(y_true, y_pred):
        print("Calculating MSE!")
        return tf.reduce_mean(tf.pow(y_true - y_pred, 2))

    y_true, y_pred = tf.constant([1, 0, 4, 4, 7]), tf.constant([3, 6, 3, 0, 6])
    assert [int(get_mse(y_true, y_pred)) for _ in range(3)] == [11, 11, 11]
    assert capsys.readouterr().out == "Calculating MSE!\n"
    eagerly(True)
    assert tf.config.functions_run_eagerly()
    assert [int(get_mse(y_true, y_pred)) for _ in range(3)] == [11, 11, 11]
    assert capsys.readouterr().out == "Calculating MSE!\n" * 3


def test_what_nobody_needs_is_not_run():
    def unused(x):
        tf.gather(x, [1])
        return x

    short = tf.constant([0.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        unused(short)
    assert tf.function(unused)(short).numpy().tolist() == [0.0]


def test_effects_are_always_run(capsys):
    v = tf.Variable(0.0)

    @tf.function
    def f(x):
        v.assign_add(1.0)
        tf.print("seen", x)
        tf.debugging.assert_positive(x)
        return tf.constant(0)

    f(tf.constant(1.0))
    assert float(v) == 1.0
    assert capsys.readouterr().err == "seen 1\n"
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant(-1.0))


def test_functions_call_functions():
    @tf.function
    def inner(x, y, b):
        return tf.matmul(x, y) + b

    @tf.function
    def outer(x):
        return inner(x, tf.constant([[2.0], [3.0]]), tf.constant(4.0))

    assert outer(tf.constant([[1.0, 2.0]])).numpy().tolist() == [[12.0]]
    assert inner.experimental_get_tracing_count() == 1


def test_python_numbers_steer_the_trace():
    @tf.function
    def power(x, y):
        result = tf.eye(2, dtype=tf.int32)
        for _ in range(y):
            result = tf.matmul(x, result)
        return result

    x = tf.constant([[1, 1], [1, 0]])
    assert power(x, 10).numpy().tolist() == [[89, 55], [55, 34]]
    types = [op.type for op in power.get_concrete_function(x, 10).graph.get_operations()]
    assert types.count("MatMul") == 10


# ---- eager execution ----


def test_operations_run_at_once():
    assert tf.executing_eagerly()
    m = tf.matmul([[2.0]], [[2.0]])
    assert f"hello, {m}" == "hello, [[4.]]"
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.gather([0.0], [1])


def test_texts_of_tensors():
    a = tf.constant([[1, 2], [3, 4]])
    assert str(a) == "tf.Tensor(\n[[1 2]\n [3 4]], shape=(2, 2), dtype=int32)"
    assert repr(a) == (
        "<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\narray([[1, 2],\n       [3, 4]], "
        "dtype=int32)>"
    )
    assert str(tf.add(a, 1)) == "tf.Tensor(\n[[2 3]\n [4 5]], shape=(2, 2), dtype=int32)"
    assert str(a * (a + 1)) == "tf.Tensor(\n[[ 2  6]\n [12 20]], shape=(2, 2), dtype=int32)"


def test_numpy_takes_tensors_and_operations_take_arrays():
    a = tf.constant([[1, 2], [3, 4]])
    product = np.multiply(a, a + 1)
    assert isinstance(product, np.ndarray)
    assert str(product) == "[[ 2  6]\n [12 20]]"
    assert str(a.numpy()) == "[[1 2]\n [3 4]]"
    assert tf.add(np.array([1.0, 2.0]), [1.0, 1.0]).numpy().tolist() == [2.0, 3.0]


def test_python_control_flow_on_values(capsys):
    def fizzbuzz(max_num):
        counter = tf.constant(0)
        max_num = tf.convert_to_tensor(max_num)
        for num in range(1, max_num.numpy() + 1):
            num = tf.constant(num)
            if int(num % 3) == 0 and int(num % 5) == 0:
                print("FizzBuzz")
            elif int(num % 3) == 0:
                print("Fizz")
            elif int(num % 5) == 0:
                print("Buzz")
            else:
                print(num.numpy())
            counter += 1
        return counter

    assert int(fizzbuzz(15)) == 15
    expected = "1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz"
    assert " ".join(capsys.readouterr().out.split()) == expected


def test_assertions_eager_and_in_a_graph():
    def check(x):
        tf.debugging.assert_equal(x.shape, (2,))
        tf.debugging.assert_equal(x, [1, 2])
        return x

    good, bad = tf.constant([1, 2]), tf.constant([1, 3])
    for run in (check, tf.function(check)):
        assert run(good).numpy().tolist() == [1, 2]
        with pytest.raises(tf.errors.InvalidArgumentError):
            run(bad)


def test_integers_stay_integers():
    mean = tf.reduce_mean(tf.pow(tf.constant([1, 0, 4]) - tf.constant([3, 6, 3]), 2))
    assert (mean.dtype, int(mean)) == (tf.int32, 13)


def test_errors_of_operations_have_their_class_and_words():
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.gather([0.0], [1])
    assert type(caught.value).__name__ == "InvalidArgumentError"
    assert "indices[0] = 1 is not in [0, 1)" in str(caught.value)


def test_a_variable_goes_with_its_last_reference():
    v = tf.Variable(tf.ones([3]))
    gone = weakref.ref(v)
    del v
    assert gone() is None


def test_standard_tools_work_on_functions():
    f = tf.function(lambda x: x * x)
    x = tf.constant(2.0)
    assert timeit.timeit(lambda: f(x), number=2) > 0
    profile = cProfile.Profile()
    profile.runcall(f, x)
    text = io.StringIO()
    print(f(x), file=text)
    assert text.getvalue() == "tf.Tensor(4.0, shape=(), dtype=float32)\n"


# ---- data and summaries ----


def test_slices_of_a_tuple_are_shuffled_batched_and_numbered():
    generator = np.random.default_rng(0)
    images = generator.integers(0, 256, (100, 28, 28)).astype(np.uint8)
    labels = generator.integers(0, 10, 100)
    dataset = tf.data.Dataset.from_tensor_slices(
        (tf.cast(images[..., tf.newaxis] / 255, tf.float32), tf.cast(labels, tf.int64))
    )
    dataset = dataset.shuffle(1000).batch(32)
    for batch, numbers in dataset.take(1):
        assert (batch[0:1].shape, numbers.dtype) == ((1, 28, 28, 1), tf.int64)
    found = {}
    for batch, (pixels, numbers) in enumerate(dataset):
        found[batch] = (len(pixels), sorted(numbers.numpy().tolist()))
    assert [size for size, _ in found.values()] == [32, 32, 32, 4]
    assert sorted(each for _, own in found.values() for each in own) == sorted(labels.tolist())


def test_a_loss_is_written_every_hundred_steps(tmp_path):
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    writer = tf.summary.create_file_writer(str(tmp_path / "tb"))
    steps = 1000
    with writer.as_default():
        for i in range(steps):
            step = i + 1
            loss = 1 - 0.001 * step
            if step % 100 == 0:
                tf.summary.scalar("loss", loss, step=step)
    (path,) = (tmp_path / "tb").iterdir()
    assert re.fullmatch(r"events\.out\.tfevents\.\d+\..+\.\d+\.\d+\.v2", path.name)
    events = loader.EventAccumulator(str(tmp_path / "tb")).Reload()
    assert [each.step for each in events.Tensors("loss")] == list(range(100, 1001, 100))
