"""Models: functional, sequential, subclassed; files and copies; what is refused."""

import copy

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.models.small import X, functional, sequential


class Two(keras.Model):
    def __init__(self, units=2, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.first = keras.layers.Dense(3, activation="relu")
        self.second = keras.layers.Dense(units)

    def call(self, inputs, training=False):
        hidden = self.first(inputs)
        if training:
            hidden = hidden + 1.0
        return self.second(hidden)

    def get_config(self):
        return {"units": self.units, "name": self.name}


class Linear(keras.Model):
    """A model whose variables are those of the runtime."""

    def __init__(self):
        super().__init__()
        self.W, self.B = tf.Variable(5.0, name="weight"), tf.Variable(10.0, name="bias")

    def call(self, inputs):
        return inputs * self.W + self.B


def subclassed():
    model = Two()
    model(np.ones([1, 3], np.float32))
    return model


MODELS = {"functional": functional, "sequential": sequential, "subclassed": subclassed}
each_model = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


@each_model
@pytest.mark.parametrize("ending", ["model.keras", "model.h5"])
def test_a_model_comes_back_from_its_file(make, ending, tmp_path):
    model = make()
    path = tmp_path / ending
    model.save(path)
    loaded = keras.models.load_model(path, custom_objects={"Two": Two})
    assert type(loaded).__name__ == type(model).__name__
    np.testing.assert_array_equal(loaded(X), model(X))


@each_model
def test_weights_come_back_from_their_file(make, tmp_path):
    model, other = make(), make()
    model.save_weights(tmp_path / "some.weights.h5")
    other.load_weights(tmp_path / "some.weights.h5")
    np.testing.assert_array_equal(other(X), model(X))


@each_model
def test_a_model_computes_the_same_in_a_function(make):
    model = make()
    compiled = tf.function(model)
    np.testing.assert_allclose(compiled(X), model(X), rtol=1e-6)
    compiled(X[:2])
    assert len(model.trainable_variables) == 4


@each_model
def test_an_exported_model_runs_without_its_class(make, tmp_path):
    model = make()
    model.export(tmp_path / "served")
    layer = keras.layers.TFSMLayer(tmp_path / "served")
    np.testing.assert_allclose(layer(X), model(X), rtol=1e-6)


def test_optimizer_and_losses_come_back_with_a_trained_model(tmp_path):
    model = sequential()
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(X, X[:, :2], epochs=2, verbose=0)
    model.save(tmp_path / "trained.keras")
    loaded = keras.models.load_model(tmp_path / "trained.keras")
    assert int(loaded.optimizer.iterations.numpy()) == int(model.optimizer.iterations.numpy())
    np.testing.assert_allclose(loaded.evaluate(X, X[:, :2], verbose=0),
                               model.evaluate(X, X[:, :2], verbose=0), rtol=1e-6)  # fmt: skip
    for each in (loaded, model):
        each.fit(X, X[:, :2], epochs=1, verbose=0, shuffle=False)
    np.testing.assert_allclose(loaded(X), model(X), rtol=1e-5)


@each_model
def test_a_deep_copy_has_variables_of_its_own_and_the_same_values(make):
    model = make()
    model.compile("sgd", "mse")
    other = copy.deepcopy(model)
    np.testing.assert_array_equal(other(X), model(X))
    other.set_weights([0.0 * each for each in other.get_weights()])
    assert not np.array_equal(other(X), model(X))


def test_a_checkpoint_holds_a_model_that_is_compiled_with_metric_objects(tmp_path):
    model, other = sequential(), sequential()
    for each in (model, other):
        each.compile("adam", "mse", metrics=[keras.metrics.MeanAbsoluteError()])
    model.fit(X, X[:, :2], verbose=0)
    path = tf.train.Checkpoint(model=model).save(tmp_path / "c")
    tf.train.Checkpoint(model=other).restore(path)
    np.testing.assert_array_equal(other(X), model(X))


@each_model
def test_a_deep_copy_of_a_trained_model_trains_and_saves_its_own_variables(make, tmp_path):
    model = make()
    model.compile("sgd", "mse")
    model.fit(X, X[:, :2], verbose=0)
    other, before = copy.deepcopy(model), model.get_weights()
    other.fit(X, X[:, :2], verbose=0)
    for now, then in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(now, then)
    assert not np.array_equal(other(X), model(X))
    if make is not subclassed:
        tf.saved_model.save(other, tmp_path / "other")
        served = tf.saved_model.load(tmp_path / "other").signatures["serving_default"]
        [outputs] = served(tf.constant(X)).values()
        np.testing.assert_allclose(outputs, other(X), rtol=1e-5)


@pytest.mark.parametrize("make", [functional, sequential], ids=["functional", "sequential"])
def test_a_clone_has_variables_of_its_own(make):
    model = make()
    clone = keras.models.clone_model(model)
    assert [each.name for each in clone.layers] == [each.name for each in model.layers]
    assert not np.array_equal(clone(X), model(X))
    clone.set_weights(model.get_weights())
    np.testing.assert_array_equal(clone(X), model(X))


def test_a_clone_of_a_model_with_a_lambda_calls_the_same_function():
    inputs = keras.Input((3,))
    model = keras.Model(inputs, keras.layers.Lambda(lambda x: 2.0 * x)(inputs))
    np.testing.assert_array_equal(keras.models.clone_model(model)(X), 2.0 * X)


def test_a_subclass_with_inputs_and_outputs_keeps_its_methods():
    class Own(keras.Model):
        def train_step(self, data):
            return {"steps": 1.0}

    inputs = keras.Input((3,))
    model = Own(inputs, keras.layers.Dense(2)(inputs))
    model.compile("sgd", "mse")
    assert isinstance(model, Own) and len(model.weights) == 2
    assert model.fit(X, X[:, :2], verbose=0).history == {"steps": [1.0]}


@pytest.mark.parametrize("eagerly", [False, True])
def test_a_step_gets_inputs_without_labels_as_they_are(eagerly):
    class Shapes(keras.Model):
        def train_step(self, data):
            parts = data if isinstance(data, tuple) else (data,)
            return {f"rank {len(parts)}": float(len(parts[0].shape))}

    model = Shapes()
    model.compile("sgd", run_eagerly=eagerly)
    dataset = tf.data.Dataset.from_tensor_slices(X).batch(2)
    assert model.fit(X, verbose=0).history == {"rank 1": [2.0]}
    assert model.fit(dataset, verbose=0).history == {"rank 1": [2.0]}
    assert model.fit(X, X, verbose=0).history == {"rank 2": [2.0]}


def test_a_constructor_can_pass_inputs_and_outputs_on():
    class Own(keras.Model):
        def __init__(self, units):
            inputs = keras.Input((3,))
            super().__init__(inputs=inputs, outputs=keras.layers.Dense(units)(inputs))
            self.units = units

    model = Own(4)
    assert model(X).shape == (5, 4) and model.units == 4 and isinstance(model, Own)


def test_variables_of_the_runtime_are_trained():
    model = Linear()
    inputs = np.linspace(-1.0, 1.0, 64).astype(np.float32)
    model.compile(keras.optimizers.SGD(0.2), "mse")
    model.fit(inputs, 3.0 * inputs + 2.0, epochs=60, batch_size=64, verbose=0)
    np.testing.assert_allclose([float(model.W), float(model.B)], [3.0, 2.0], atol=0.05)


def test_training_passes_through_models():
    model = Two()
    np.testing.assert_allclose(
        keras.Sequential([model])(X, training=True), model(X, training=True), rtol=1e-6
    )
    assert not np.allclose(model(X), model(X, training=True))


def test_an_added_metric_is_reported_by_fit():
    class Measured(keras.layers.Layer):
        def call(self, inputs):
            self.add_metric(tf.reduce_mean(inputs), name="mean_input", aggregation="mean")
            return inputs

    model = keras.Sequential([Measured(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    history = model.fit(np.full([8, 2], 3.0), np.zeros([8, 1]), verbose=0).history
    np.testing.assert_allclose(history["mean_input"], [3.0], rtol=1e-6)


class Forgetful(keras.layers.Layer):
    """A layer whose call returns nothing."""

    def call(self, inputs):
        tf.square(inputs)


def functional_with(name, kind=keras.layers.Flatten):
    model = functional()
    return keras.Model(model.input, kind(name=name)(model.output))


REFUSED = {
    "another shape": (
        lambda: functional()(np.ones([2, 4])), ValueError,
        r"'inputs' of layer 'net' .* expected shape=\(None, 3\), found shape=\(2, 4\)",
    ),
    "too many inputs": (
        lambda: functional()([X, X]), ValueError, r"'net' expected 1 input\(s\). Received 2"
    ),
    "missing input": (
        lambda: functional()({"other": X}), ValueError, "Missing data for input 'inputs'"
    ),
    "unknown layer": (
        lambda: functional().get_layer("foo"), ValueError,
        r"No such layer: foo. Existing layers are: \['inputs', 'hidden', 'out'\]",
    ),
    "outputs of other inputs": (
        lambda: keras.Model(keras.Input((3,)), functional().output), ValueError,
        "depends on input 'inputs'",
    ),
    "arrays as outputs": (
        lambda: keras.Model(keras.Input((3,)), X), ValueError, "must be KerasTensors"
    ),
    "something else than a layer": (
        lambda: keras.Sequential([3]), ValueError, "Only instances of `keras.Layer`"
    ),
    "two layers of one name": (
        lambda: keras.Sequential([keras.layers.Flatten(name="a"), keras.layers.Dense(1, name="a")]),
        ValueError, "unique names. Name 'a'",
    ),
    "two layers of one name in a functional model": (
        lambda: functional_with("out"), ValueError, "unique names. Name 'out' is that of 2 layers"
    ),
    "no result of a call": (
        lambda: functional_with("more", Forgetful), TypeError,
        "`call` of layer 'more' of class Forgetful returns None. Does it lack a `return`?",
    ),
    "layer by position": (
        lambda: functional().get_layer(index=9), ValueError, "no layer of index 9: it has 3 layers"
    ),
    "layer without a name": (
        lambda: functional().get_layer(), ValueError, "Pass the name of a layer, or its `index`"
    ),
    "no layer to remove": (lambda: keras.Sequential(name="s").pop(), ValueError, "'s' has no laye"),
    "no layers": (lambda: keras.Sequential(name="s").build((1, 2)), ValueError, "has no layers"),
    "format of a SavedModel": (
        lambda: functional().save("model.keras", save_format="tf"), ValueError, "model.export"
    ),
    "another ending": (
        lambda: functional().save("model"), ValueError, "ends with `.keras`"
    ),
    "no file": (lambda: keras.models.load_model("nowhere.keras"), ValueError, "File not found"),
    "no file of weights": (
        lambda: functional().load_weights("nowhere.weights.h5"), FileNotFoundError, "nowhere"
    ),
    "unknown class": (
        lambda: keras.models.model_from_json(subclassed().to_json()), TypeError,
        "Could not locate 'Two'",
    ),
    "name of no layer in a config": (
        lambda: keras.layers.deserialize({"class_name": "Densse", "config": {}}), TypeError,
        "Could not locate 'Densse'",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "text"), REFUSED.values(), ids=REFUSED)
def test_misuse_is_refused(use, kind, text):
    with pytest.raises(kind, match=text):
        use()


def test_weights_of_another_model_are_refused(tmp_path):
    path = tmp_path / "some.weights.h5"
    sequential().save_weights(path)
    wider = keras.Sequential([keras.Input((3,)), keras.layers.Dense(5), keras.layers.Dense(2)])
    with pytest.raises(ValueError, match=r"kernel' has shape \(3, 5\), and .* shape \(3, 4\)"):
        wider.load_weights(path)
    longer = keras.Sequential([keras.Input((3,)), *(keras.layers.Dense(3) for _ in range(3))])
    with pytest.raises(ValueError, match="has 6 variables, and the file has 4"):
        longer.load_weights(path)


def test_a_list_of_one_output_gives_the_output_itself():
    x = keras.Input((3,))
    hidden = keras.layers.Dense(2)(x)
    one, two = keras.Model(x, [hidden]), keras.Model(x, [hidden, x])
    assert one(tf.ones([1, 3])).shape == (1, 2)
    assert [each.shape for each in two(tf.ones([1, 3]))] == [(1, 2), (1, 3)]
    assert one.predict(tf.ones([4, 3]), verbose=0).shape == (4, 2)
