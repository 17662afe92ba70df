"""What a folder of a model has: objects, signatures, assets; and what is refused."""

import os

import numpy as np
import pytest

import runtime as tf
from runtime.saved_model.saving import FILE
from tests.runtime.saved_model.models import reloaded

SPEC = tf.TensorSpec([None], tf.float32, name="inp")


class Net(tf.Module):
    def __init__(self):
        super().__init__(name="net")
        self.v = tf.Variable(2.0, name="v")
        self.frozen = tf.Variable([1], trainable=False)
        self.open = tf.Variable([1.0], shape=[None])
        self.mixed = [tf.Variable(1.0), 5, {"a": tf.Variable(3.0), 7: "x"}]
        self.sizes, self.rate, self.label, self.none = (1, [2]), 0.5, "hi", None
        self.table = tf.constant([1.0, 2.0])
        self.array = np.arange(3)
        self._hidden = tf.Variable("text")
        self._note = "private"
        self.lock = __import__("threading").Lock()


def test_attributes_come_back(tmp_path):
    net = reloaded(Net(), tmp_path)
    assert (net.sizes, net.rate, net.label, net.none) == ((1, [2]), 0.5, "hi", None)
    assert [net.mixed[0].numpy(), net.mixed[1], net.mixed[2]["a"].numpy()] == [1.0, 5, 3.0]
    assert net.mixed[2][7] == "x"
    assert net.table.numpy().tolist() == [1.0, 2.0]
    assert net._hidden.numpy() == b"text"
    assert not hasattr(net, "_note") and not hasattr(net, "lock")


def test_variables_come_back_with_name_shape_and_use(tmp_path):
    net = reloaded(Net(), tmp_path)
    assert net.v.name == "v:0"
    assert [v.trainable for v in (net.v, net.frozen)] == [True, False]
    assert net.open.shape.as_list() == [None]
    net.open.assign([1.0, 2.0])
    assert len(net.variables) == 6
    assert len(net.trainable_variables) == 5


def test_variables_and_objects_that_are_one_stay_one(tmp_path):
    net, inner = tf.Module(), tf.Module()
    inner.v = tf.Variable(1.0)
    net.a = net.b = inner
    net.c = [inner.v]
    inner.around = net
    loaded = reloaded(net, tmp_path)
    assert loaded.a is loaded.b
    assert loaded.c[0] is loaded.a.v
    assert loaded.a.around is loaded


def test_a_loaded_model_can_be_restored_from_a_checkpoint(tmp_path):
    net = Net()
    net.v.assign(9.0)
    path = tf.train.Checkpoint(net).write(tmp_path / "ckpt")
    loaded = reloaded(Net(), tmp_path / "model")
    tf.train.Checkpoint(loaded).restore(path).expect_partial()
    assert loaded.v.numpy() == 9.0


def with_function(function, *specs):
    net = tf.Module()
    net.f = tf.function(function, input_signature=list(specs) or [SPEC])
    return net


def test_the_only_function_with_an_input_signature_is_the_default_signature(tmp_path):
    loaded = reloaded(with_function(lambda x: {"out": x, "sum": tf.reduce_sum(x)}), tmp_path)
    assert list(loaded.signatures) == ["serving_default"]
    serve = loaded.signatures["serving_default"]
    assert serve.structured_input_signature == ((), {"inp": SPEC})
    assert set(serve.structured_outputs) == {"out", "sum"}
    assert serve.structured_outputs["sum"] == tf.TensorSpec([], tf.float32, "sum")
    result = serve(inp=tf.constant([1.0, 2.0]))
    assert {name: value.numpy().tolist() for name, value in result.items()} == {
        "out": [1.0, 2.0],
        "sum": 3.0,
    }
    assert serve([4.0])["sum"].numpy() == 4.0


def test_a_function_that_returns_no_tensor_is_no_default(tmp_path):
    class Net(tf.Module):
        def __init__(self):
            self.scale = tf.Variable(2.0)
            self.times = tf.function(lambda x: x * self.scale, input_signature=[SPEC])

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def set_scale(self, scale):
            self.scale.assign(scale)

    loaded = reloaded(Net(), tmp_path)
    assert list(loaded.signatures) == ["serving_default"]
    loaded.set_scale(3.0)
    assert loaded.signatures["serving_default"]([1.0])["output_0"].numpy().tolist() == [3.0]


class Own(Exception):
    pass


def raises_own(x):
    if x > 1.0:
        raise Own("mine")
    return x


outside = {"count": tf.constant(0.0)}
numbers = iter(tf.data.Dataset.range(3))


def writes_outside(x):
    outside["count"] = x
    return x


def takes_next(x):
    return x + tf.cast(next(numbers), tf.float32)


UNSAVED = {
    "py_function": (lambda x: tf.py_function(lambda t: t, [x], tf.float32), "runs Python code"),
    "numpy_function": (lambda x: tf.numpy_function(lambda t: t, [x], tf.float32), "Python code"),
    "own exception": (raises_own, "the exception class Own is the program's own"),
    "iterator": (takes_next, "takes from outside"),
    "place outside": (writes_outside, "is not a variable, `outside`. Hold it in a Variable"),
}


def test_an_argument_that_cannot_be_saved_is_refused_by_function(tmp_path):
    net = tf.Module()
    net.f = tf.function(lambda x, by: x)
    net.f(tf.constant(1.0), object())
    with pytest.raises(tf.errors.UnimplementedError, match=r"function <lambda>.*cannot be saved"):
        tf.saved_model.save(net, tmp_path)


@pytest.mark.parametrize("value", [3, [tf.Variable(1)], None, tf.constant(1)])
def test_values_without_attributes_are_refused(tmp_path, value):
    with pytest.raises(ValueError, match="Expected an object with attributes"):
        tf.saved_model.save(value, tmp_path)


def test_a_model_is_not_saved_while_a_function_is_recorded(tmp_path):
    def step():
        tf.saved_model.save(tf.Module(), tmp_path)

    with pytest.raises(RuntimeError, match="while the function `step` is recorded"):
        tf.function(step)()


def test_saving_again_replaces_the_model_and_a_failure_leaves_it(tmp_path):
    net = tf.Module()
    net.v = tf.Variable(1.0)
    tf.saved_model.save(net, tmp_path)
    net.v.assign(2.0)
    assert reloaded(net, tmp_path).v.numpy() == 2.0
    net.v.assign(3.0)
    net.f = tf.function(UNSAVED["py_function"][0])
    net.f(tf.constant(1.0))
    with pytest.raises(tf.errors.UnimplementedError):
        tf.saved_model.save(net, tmp_path)
    assert tf.saved_model.load(tmp_path).v.numpy() == 2.0


def test_objects_of_the_programs_own_classes_are_saved(tmp_path):
    class Plain:
        def __init__(self):
            self.v, self.n = tf.Variable(3.0), 4

        @tf.function
        def scaled(self, x):
            return x * self.v

    plain = Plain()
    plain.scaled(tf.constant(1.0))
    loaded = reloaded(plain, tmp_path)
    assert (loaded.n, loaded.scaled(tf.constant(2.0)).numpy()) == (4, 6.0)
    with pytest.raises(TypeError, match="not callable"):
        loaded()


def test_a_trained_model_is_saved_without_what_trained_it(tmp_path):
    layers = [tf.keras.layers.Dense(3, "relu"), tf.keras.layers.BatchNormalization()]
    model = tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    inputs = np.ones((8, 2), np.float32)
    model.fit(inputs, np.ones((8, 1), np.float32), epochs=1, verbose=0)
    serve = tf.function(
        lambda x: {"y": model(x, training=False)},
        input_signature=[tf.TensorSpec([None, 2], tf.float32, name="x")],
    )
    loaded = reloaded(model, tmp_path, signatures=serve)
    assert not hasattr(loaded, "_functions")
    result = loaded.signatures["serving_default"](x=inputs)
    assert result["y"].numpy().tolist() == model(inputs, training=False).numpy().tolist()
    assert loaded.layers[1].gamma.numpy().tolist() == layers[1].gamma.numpy().tolist()


@pytest.mark.parametrize("function, reason", UNSAVED.values(), ids=UNSAVED)
def test_what_cannot_be_saved_is_refused_with_its_line(tmp_path, function, reason):
    net = tf.Module()
    net.f = tf.function(function)
    net.f(tf.constant(1.0))
    with pytest.raises(tf.errors.UnimplementedError, match="cannot be saved") as caught:
        tf.saved_model.save(net, tmp_path)
    assert reason in str(caught.value)
    assert "test_saving.py" in str(caught.value)
    assert not os.path.exists(tmp_path / FILE)


class Attention(tf.Module):
    """Keeps its last scores, for plots."""

    def __init__(self):
        super().__init__()
        self.scale = tf.Variable(2.0)
        self.last_scores = None

    def __call__(self, x):
        self.last_scores = tf.nn.softmax(x * self.scale)
        return tf.reduce_sum(x * self.last_scores)


class CompiledAttention(Attention):
    __call__ = tf.function(Attention.__call__)


class Translator(tf.Module):
    def __init__(self, attention):
        super().__init__()
        self.attention = attention
        self.last = tf.constant(0.0)

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        self.last = self.attention(x)
        return self.last


@pytest.mark.parametrize("kind", [Attention, CompiledAttention])
def test_tensors_that_functions_leave_in_attributes_are_not_saved(tmp_path, kind):
    net = Translator(kind())
    x = tf.constant([1.0, 3.0])
    expected = net(x)
    loaded = reloaded(net, tmp_path)
    np.testing.assert_allclose(loaded(x), expected)
    assert net.last.shape == () and net.attention.last_scores.shape == (2,)
    for holder, name in ((loaded, "last"), (loaded.attention, "last_scores")):
        assert not hasattr(holder, name)
    assert loaded.attention.scale.numpy() == 2.0


class Decoder(Translator):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def __call__(self, x):
        for _ in tf.range(3):
            x = x + self.attention(x)
            if x[0] > 40.0:
                break
        self.attention(x)
        return x


@pytest.mark.parametrize("kind", [Attention, CompiledAttention])
def test_so_are_tensors_that_a_loop_leaves_there(tmp_path, kind):
    net = Decoder(kind())
    for number in (2.0, 30.0):
        expected = net(tf.constant([number, 1.0]))
    loaded = reloaded(net, tmp_path)
    np.testing.assert_allclose(loaded(tf.constant([30.0, 1.0])), expected)
    again = reloaded(loaded, tmp_path / "again")
    np.testing.assert_allclose(again(tf.constant([30.0, 1.0])), expected)


def test_gradients_of_a_function_that_leaves_a_tensor_are_saved(tmp_path):
    net = Decoder(Attention())
    net(tf.constant([2.0, 1.0]))
    loaded = reloaded(net, tmp_path)

    def slope(function):
        with tf.GradientTape() as tape:
            x = tf.constant([2.0, 1.0])
            tape.watch(x)
            y = tf.reduce_sum(function(x))
        return tape.gradient(y, x)

    np.testing.assert_allclose(slope(loaded), slope(net), rtol=1e-6)


def reads_it_in_a_loop(net, x):
    for _ in tf.range(2):
        x = x + net.last
        net.last = x
    return x


def test_an_attribute_that_a_loop_reads_is_not_left_out(tmp_path):
    net = tf.Module()
    net.last = tf.constant(1.0)
    net.step = tf.function(lambda x: reads_it_in_a_loop(net, x))
    net.step(tf.constant(1.0))
    with pytest.raises(tf.errors.UnimplementedError, match=r"`net\.last`"):
        tf.saved_model.save(net, tmp_path)


class Steps(tf.Module):
    """Goes another way at the second run, or reads what another function assigns."""

    def __init__(self):
        super().__init__()
        self.last = None

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def first(self, x):
        if self.last is None:
            self.last = x
            return x
        return x * 2.0

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def second(self, x):
        self.last = x
        return x

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def third(self, x):
        return x + 1.0 if self.last is None else x * float(self.last)


@pytest.mark.parametrize("called", ["first", "second", "third"])
def test_attributes_on_which_a_function_depends_are_not_left_out(tmp_path, called):
    net = Steps()
    getattr(net, called)(tf.constant(3.0))
    with pytest.raises(tf.errors.UnimplementedError, match=r"`self.last`.*Hold it in a Variable"):
        tf.saved_model.save(net, tmp_path)
