"""What a folder of a model has: objects, signatures, assets; and what is refused."""

import os

import numpy as np
import pytest

import runtime as tf
from runtime.saved_model.saving import FILE

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


def reloaded(saved, folder, **options):
    tf.saved_model.save(saved, folder, **options)
    return tf.saved_model.load(folder)


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


DTYPES = [tf.float16, tf.float64, tf.int8, tf.uint64, tf.bool, tf.complex128]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_constants_and_variables_keep_their_dtype(tmp_path, dtype):
    net = tf.Module()
    net.v = tf.Variable(tf.cast([0, 1], dtype))
    net.f = tf.function(lambda: (net.v, tf.cast([1, 0], dtype), tf.cast([1] * 99, dtype)))
    before = net.f()
    for after, own in zip(reloaded(net, tmp_path).f(), before, strict=True):
        assert after.dtype is own.dtype
        assert after.numpy().tobytes() == own.numpy().tobytes()


def test_numbers_that_json_lacks_come_back(tmp_path):
    net = tf.Module()
    net.numbers = [float("inf"), float("-inf"), -0.0, 1e-300, 2**70, 1j, b"\xff"]
    net.odd = float("nan")
    net.f = tf.function(lambda x: x * float("inf"))
    net.f(tf.constant(1.0))
    loaded = reloaded(net, tmp_path)
    assert repr(loaded.numbers) == repr(net.numbers)
    assert loaded.odd != loaded.odd
    assert loaded.f(tf.constant(1.0)).numpy() == np.inf


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


def test_two_functions_with_input_signatures_make_no_default(tmp_path):
    net = with_function(lambda x: x)
    net.g = tf.function(lambda x: x, input_signature=[SPEC])
    assert not reloaded(net, tmp_path).signatures


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


class Reading(tf.Module):
    def __init__(self, path):
        super().__init__()
        self.file = tf.saved_model.Asset(path)

    @tf.function(input_signature=[])
    def read(self):
        return tf.io.read_file(self.file.asset_path)


def test_assets_are_copied_and_read_from_the_folder(tmp_path):
    (tmp_path / "words.txt").write_text("a\nb")
    net = Reading(tmp_path / "words.txt")
    tf.saved_model.save(net, tmp_path / "model")
    (tmp_path / "words.txt").write_text("changed")
    os.rename(tmp_path / "model", tmp_path / "moved")
    loaded = tf.saved_model.load(tmp_path / "moved")
    assert loaded.read().numpy() == b"a\nb"
    path = loaded.file.asset_path.numpy().decode()
    assert path == str(tmp_path / "moved" / "assets" / "words.txt")
    assert reloaded(loaded, tmp_path / "again").read().numpy() == b"a\nb"


def test_assets_of_one_name_are_two_files(tmp_path):
    net = tf.Module()
    net.parts = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "words.txt").write_text(name)
        net.parts.append(Reading(tmp_path / name / "words.txt"))
    loaded = reloaded(net, tmp_path / "model")
    assert [part.read().numpy() for part in loaded.parts] == [b"a", b"b"]
    (tmp_path / "a" / "words.txt").write_text("new")
    net.parts.pop()
    (tmp_path / "model" / "assets" / "other.txt").write_text("of another program")
    loaded = reloaded(net, tmp_path / "model")
    assert loaded.parts[0].read().numpy() == b"new"
    assert sorted(os.listdir(tmp_path / "model" / "assets")) == ["other.txt", "words_2.txt"]


def test_a_missing_asset_is_refused(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match=r"words\.txt is no file"):
        tf.saved_model.save(Reading(tmp_path / "words.txt"), tmp_path / "model")
    assert not os.path.exists(tmp_path / "model" / FILE)


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
    "place outside": (writes_outside, "object of the program that is no variable"),
}


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
