"""Training of models: what a program overrides, what goes wrong, and interrupts."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.training.models import CLASSES, MSE, REAL, Regression, X, fit, model_of


class Watched(keras.layers.Layer):
    """Reports the mean of its inputs."""

    def __init__(self):
        super().__init__()
        self.seen = keras.metrics.Mean("seen")

    def call(self, inputs):
        self.seen.update_state(inputs)
        return inputs


def test_metrics_of_layers_are_reported_and_reset():
    model = keras.Sequential([keras.Input((4,)), Watched(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    history = fit(model, X, REAL, epochs=2)
    np.testing.assert_allclose(history["seen"], [X.mean()] * 2, rtol=1e-5)


def test_metrics_of_a_model_inside_are_not_reported():
    class Inner(keras.Model):
        def __init__(self):
            super().__init__()
            self.seen = keras.metrics.Mean("seen")

        def call(self, inputs):
            return inputs

    model = keras.Sequential([Inner(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    assert set(fit(model, X, REAL)) == {"loss"}


def test_loss_of_a_linear_model_falls_and_weights_are_found():
    true = np.array([[3.0], [-2.0], [0.5], [1.0]], "float32")
    model = model_of(optimizer=keras.optimizers.SGD(0.1), loss="mse")
    losses = fit(model, X, X @ true, epochs=100)["loss"]
    assert losses[-1] < 1e-3 * losses[0]
    np.testing.assert_allclose(model.get_weights()[0], true, atol=0.05)


def test_compiled_and_eager_steps_agree():
    found = []
    for eager in (False, True):
        keras.utils.set_random_seed(1)
        model = model_of(3, "softmax")
        model.compile("adam", "sparse_categorical_crossentropy", run_eagerly=eager)
        found.append((fit(model, X, CLASSES, epochs=2), model.get_weights()))
    for name, values in found[0][0].items():
        np.testing.assert_allclose(values, found[1][0][name], rtol=1e-4)
    for here, there in zip(found[0][1], found[1][1], strict=True):
        np.testing.assert_allclose(here, there, rtol=1e-4, atol=1e-6)


def test_a_train_step_of_the_program_is_compiled_with_its_control_flow():
    class Custom(Regression):
        def __init__(self):
            super().__init__()
            self.seen = keras.metrics.Mean(name="seen")

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                loss = self.compute_loss(x, y, self(x, training=True))
            if loss > 0.0:
                self.seen.update_state(loss)
            grads = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.trainable_variables, strict=True))
            return {"seen": self.seen.result()}

        @property
        def metrics(self):
            return [self.seen]

    model = Custom()
    model.compile("sgd", "mse")
    history = fit(model, X, REAL, epochs=3)
    assert list(history) == ["seen"]
    assert history["seen"][2] < history["seen"][0]


@pytest.mark.parametrize("eager", [False, True])
@pytest.mark.parametrize("stream", [False, True])
def test_a_train_step_of_inputs_alone_gets_them_without_a_tuple(eager, stream):
    class Counting(Regression):
        def train_step(self, images):
            return {"count": tf.shape(images)[0]}

    model = Counting()
    model.compile(run_eagerly=eager)
    data = tf.data.Dataset.from_tensor_slices(X).batch(32) if stream else X
    assert fit(model, data)["count"] == [24.0]


def test_layer_losses_and_regularizers_are_added():
    model = keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(1, kernel_regularizer="l2", name="out")]
    )
    model.compile(keras.optimizers.SGD(0.0), "mse")
    plain = np.mean((model.predict(X, verbose=0) - REAL) ** 2)
    added = 0.01 * np.sum(model.get_weights()[0] ** 2)
    loss = model.evaluate(X, REAL, verbose=0)
    np.testing.assert_allclose(loss, plain + added, rtol=1e-5)


def test_a_batch_is_trained_on_and_tested_alone():
    model = model_of(**MSE, metrics=["mae"])
    fit(model, X, REAL)
    before = model.get_weights()
    tested = model.test_on_batch(X[:5], REAL[:5])
    assert tested == model.evaluate(X[:5], REAL[:5], verbose=0)
    assert model.train_on_batch(X[:5], REAL[:5]) == tested
    assert (model.get_weights()[0] != before[0]).any()
    assert model.test_on_batch(X[:5], REAL[:5])[0] < tested[0]


def test_one_batch_is_arrays():
    model = model_of(**MSE)
    data = tf.data.Dataset.from_tensor_slices((X, REAL)).batch(8)
    with pytest.raises(TypeError, match="`train_on_batch` takes the arrays of one batch"):
        model.train_on_batch(data)
    with pytest.raises(ValueError, match="`test_on_batch` received no `x`"):
        model.test_on_batch(None)
    with pytest.raises(ValueError, match="before calling `train_on_batch"):
        model_of().train_on_batch(X, REAL)


def test_arrays_of_another_rank_do_not_share_a_graph():
    model = model_of(**MSE)
    fit(model, X, REAL)
    fit(model, X[:5], REAL[:5])
    with pytest.raises(ValueError, match=r"expected shape=\(None, 4\), found shape=\(1, 24, 4\)"):
        fit(model, X[None], REAL[None])


def test_predict_keeps_structures_and_order():
    x = keras.Input((4,))
    model = keras.Model(x, {"double": x * 2.0, "sum": tf.reduce_sum(x, 1, keepdims=True)})
    found = model.predict(X, batch_size=7, verbose=0)
    np.testing.assert_allclose(found["double"], X * 2)
    np.testing.assert_allclose(found["sum"], X.sum(1, keepdims=True), rtol=1e-5)


def test_a_compiled_model_is_saved_with_the_state_of_its_training(tmp_path):
    model = model_of(optimizer="adam", loss="mse", metrics=["mae"])
    fit(model, X, REAL, epochs=2)
    path = tmp_path / "model.keras"
    model.save(path)
    again = keras.models.load_model(path)
    assert again.evaluate(X, REAL, verbose=0) == model.evaluate(X, REAL, verbose=0)
    assert again.optimizer.iterations.numpy() == model.optimizer.iterations.numpy()
    continued = fit(again, X, REAL, shuffle=False)["loss"]
    np.testing.assert_allclose(continued, fit(model, X, REAL, shuffle=False)["loss"], rtol=1e-6)


class TestInterrupts:
    def test_an_interrupt_leaves_the_variables_of_the_last_whole_step(self):
        class Slow(Regression):
            def train_step(self, data):
                steps.assign_add(1)
                tf.py_function(lambda: time.sleep(0.02), [], [])
                ends.assign_add(1)
                return {"loss": 0.0}

        steps, ends = tf.Variable(0), tf.Variable(0)
        model = Slow()
        model.compile("sgd", "mse")
        fit(model, X, REAL)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # A job ignores it.
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            fit(model, X, REAL, epochs=1000)
        assert steps.numpy() == ends.numpy()
        assert signal.signal(signal.SIGINT, before) is signal.default_int_handler

    def test_training_goes_on_after_an_interrupt(self):
        def interrupt(step, logs):
            raise KeyboardInterrupt

        model = model_of(optimizer="sgd", loss="mse")
        stop = keras.callbacks.LambdaCallback(on_train_batch_end=interrupt)
        with pytest.raises(KeyboardInterrupt):
            fit(model, X, REAL, callbacks=[stop])
        assert len(fit(model, X, REAL)["loss"]) == 1

    def test_fit_in_another_thread_handles_no_signals(self):
        model, found = model_of(optimizer="sgd", loss="mse"), []
        thread = threading.Thread(target=lambda: found.append(fit(model, X, REAL)))
        thread.start()
        thread.join()
        assert len(found[0]["loss"]) == 1


def failing():
    yield X[:4], REAL[:4]
    raise RuntimeError("sensor 7 is broken")


def one_by_one():
    return tf.data.Dataset.from_tensor_slices((X, REAL[:, 0]))


def empty():
    return one_by_one().batch(4).take(0)


class Stopped(Regression):
    def call(self, x):
        return tf.stop_gradient(self.dense(x))


def untrained():
    model = Stopped()
    model.compile("sgd", "mse")
    return model


def changed():
    model = model_of(optimizer="adam", loss="mse")
    fit(model, X, REAL)
    model.add(keras.layers.Dense(1, name="more"))
    return model


def samples():
    return tf.data.Dataset.from_tensor_slices((X, REAL))


class Forgetful(keras.Model):
    """A model whose call returns nothing."""

    def call(self, inputs):
        tf.reduce_sum(inputs)


def forgetful():
    model = Forgetful(name="forgetful")
    model.compile(**MSE)
    return model


SPARSE = {"optimizer": "sgd", "loss": "sparse_categorical_crossentropy"}
DENSE = {"optimizer": "sgd", "loss": "categorical_crossentropy"}
BAD = {
    "not_compiled": (
        lambda: fit(model_of(), X, REAL),
        "call `compile.*calling `fit.*model 'model'",
    ),
    "no_loss": (lambda: fit(model_of(optimizer="sgd"), X, REAL), "'model' has no loss to compute"),
    "optimizer": (lambda: model_of(optimizer="adm"), "identifier: 'adm'. Did you mean 'adam'"),
    "loss": (lambda: model_of(loss="msee"), "loss identifier: 'msee'. Did you mean 'mse'"),
    "metric": (
        lambda: fit(model_of(**MSE, metrics=["maee"]), X, REAL),
        "metric identifier: 'maee'. Did you mean 'mae'",
    ),
    "columns": (
        lambda: fit(model_of(3, **MSE), X, REAL),
        r"Output 'out' of model 'model' has shape \(24, 3\), its labels have shape \(24, 1\)",
    ),
    "numbers_of_classes": (
        lambda: fit(model_of(3, **DENSE), X, CLASSES),
        r"shape \(24,\), which does not fit .*use 'sparse_categorical_crossentropy'",
    ),
    "one_hot": (
        lambda: fit(model_of(3, **SPARSE), X, np.eye(3)[CLASSES]),
        r"shape \(24, 3\), which does not fit .*use 'categorical_crossentropy'",
    ),
    "class": (lambda: fit(model_of(2, **SPARSE), X, CLASSES), r"outside the valid range of \[0, 2"),
    "inputs": (lambda: fit(model_of(**MSE), X[:, :3], REAL), "expected"),
    "lengths": (
        lambda: fit(model_of(**MSE), X, REAL[:9]),
        r"x has shape \(24, 4\), y has shape \(9, 1\)",
    ),
    "no_labels": (lambda: fit(model_of(**MSE), X), "Output 'out' .* has a loss but no labels"),
    "empty_arrays": (lambda: fit(model_of(**MSE), X[:0], REAL[:0]), "`fit` received no data"),
    "empty_dataset": (lambda: fit(model_of(**MSE), empty()), "`fit` received no data"),
    "unbatched": (
        lambda: fit(model_of(**MSE), one_by_one()),
        r"whose `y` is a scalar, not a batch. Call `.batch\(32\)`",
    ),
    "unbatched_columns": (
        lambda: fit(model_of(**MSE), samples()),
        r"expected shape=\(None, 4\), found shape=\(4,\). One sample needs a batch axis",
    ),
    "changed": (
        lambda: fit(changed(), X, REAL),
        r"variable 'model/more/kernel': .* built for \['model/out/kernel'.* Call `compile` again",
    ),
    "strings": (
        lambda: fit(model_of(**MSE), X.astype("U"), REAL),
        "Input .* of layer 'model' .* expected dtype=float32, found dtype=string",
    ),
    "complex_inputs": (
        lambda: fit(model_of(**MSE), X + 1j, REAL),
        "Input .* of layer 'model' .* expected dtype=float32, found dtype=complex64",
    ),
    "string_labels": (
        lambda: fit(model_of(**MSE), X, CLASSES.astype("U")),
        "Output 'out' .* labels of dtype string, and loss 'mean_squared_error' needs numbers",
    ),
    "validation_data": (
        lambda: fit(model_of(**MSE), X, REAL, validation_data=X),
        r"`validation_data` is \(x, y\)",
    ),
    "learning_rate": (
        lambda: keras.optimizers.SGD("0.1"),
        "`learning_rate` of SGD is a number or a schedule. Received: learning_rate='0.1'",
    ),
    "labels_beside_dataset": (
        lambda: fit(model_of(**MSE), one_by_one(), REAL),
        "`y` of `fit` must be None if `x` is a",
    ),
    "endless": (
        lambda: fit(model_of(**MSE), one_by_one().batch(4).repeat()),
        "does not end. Pass `steps_per_epoch`",
    ),
    "generator": (lambda: fit(model_of(**MSE), failing()), "sensor 7 is broken"),
    "parts": (lambda: fit(model_of(**MSE), iter([(X, X, X, X)])), "elements of 4 parts"),
    "split": (
        lambda: fit(model_of(**MSE), one_by_one().batch(4), validation_split=0.2),
        "`validation_split` is only supported for tensors or NumPy arrays",
    ),
    "whole_split": (
        lambda: fit(model_of(**MSE), X, REAL, validation_split=1.5),
        "not sufficient to split it .*`validation_split=1.5`",
    ),
    "negative_split": (
        lambda: fit(model_of(**MSE), X, REAL, validation_split=-0.5),
        "not sufficient to split it .*`validation_split=-0.5`",
    ),
    "parts_of_validation_data": (
        lambda: fit(model_of(**MSE), X, REAL, validation_data=(X, REAL, X[:, 0], X)),
        r"`validation_data` is \(x, y\)",
    ),
    "rows": (
        lambda: fit(model_of(**MSE), [[1.0, 2.0], [3.0]], [1.0, 2.0]),
        "`fit` received lists of different lengths.*pad_sequences",
    ),
    "classes_by_name": (
        lambda: fit(model_of(**MSE), X, REAL, class_weight={"cat": 1.0}),
        r"`class_weight` is a dict of weights by class, not \{'cat': 1.0\}",
    ),
    "no_return": (lambda: fit(forgetful(), X, REAL), "'forgetful' .* returns None. Does it lack a"),
    "no_return_evaluated": (lambda: forgetful().evaluate(X, REAL), "returns None. Does it lack a"),
    "no_return_predicted": (lambda: forgetful().predict(X), "returns None. Does it lack a"),
    "type": (lambda: fit(model_of(**MSE), object(), REAL), "cannot read data of type object"),
    "callback": (lambda: fit(model_of(**MSE), X, REAL, callbacks=[3]), "`callbacks` holds 3"),
    "output_name": (
        lambda: fit(model_of(optimizer="sgd", loss={"put": "mse"}), X, REAL),
        r"`loss` has the key 'put', but the outputs are named \['out'\]",
    ),
    "no_inputs": (lambda: fit(model_of(**MSE), None, REAL), "`fit` received no `x`"),
    "batch_size": (
        lambda: fit(model_of(**MSE), X, REAL, batch_size=0),
        "`batch_size` of `fit` is a positive integer, not 0",
    ),
    "steps": (
        lambda: fit(model_of(**MSE), X, REAL, steps_per_epoch=0),
        "`steps_per_epoch` of `fit` is a positive integer, not 0",
    ),
    "class_weight": (
        lambda: fit(model_of(**MSE), X, REAL, class_weight=[1, 2]),
        r"`class_weight` is a dict of weights by class, not \[1, 2\]",
    ),
    "sample_weight": (
        lambda: fit(model_of(**MSE), X, REAL, sample_weight=X),
        r"'out' .* has shape \(24, 1\), and `sample_weight` has shape \(24, 4\)",
    ),
    "loss_of_the_program": (
        lambda: fit(model_of(optimizer="sgd", loss=lambda y, p: None), X, REAL),
        "Loss '<lambda>' returns None",
    ),
    "gradients_alone": (
        lambda: keras.optimizers.SGD().apply_gradients([tf.constant(1.0)]),
        r"not pairs of gradient and variable. Pass `zip\(gradients, variables\)`",
    ),
    "initializer": (
        lambda: keras.layers.Dense(1, kernel_initializer="he"),
        "initializer identifier: 'he'. Did you mean 'he_normal'",
    ),
    "verbose": (lambda: model_of(**MSE).fit(X, REAL, verbose="yes"), "verbose='yes'"),
    "loss_weights": (
        lambda: fit(model_of(**MSE, loss_weights=["mae"]), X, REAL),
        "`loss_weights` holds 'mae', which is not a number",
    ),
    "no_gradient": (lambda: fit(untrained(), X, REAL), "No gradients provided for any variable"),
    "two_weights": (
        lambda: fit(model_of(**MSE), X, REAL, class_weight={0: 1}, sample_weight=X[:, 0]),
        "cannot pass `class_weight` and `sample_weight` at the same time",
    ),
}


ERRORS = (ValueError, TypeError, RuntimeError, tf.errors.InvalidArgumentError)


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_an_error_that_names_it(case):
    call, message = BAD[case]
    with pytest.raises(ERRORS, match=f"(?s){message}"):
        call()


@pytest.mark.parametrize("options", [{}, {"run_eagerly": True}])
def test_a_loss_that_is_nan_is_an_error_before_variables_change(options):
    damaged = X.copy()
    damaged[3] = np.nan
    model = model_of(**MSE, **options)
    model.fit(X, REAL, verbose=0)
    before = model.get_weights()
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"The loss of model 'model' is nan.*NaN in the data"
    ):
        model.fit(damaged, REAL, batch_size=len(X), verbose=0)
    for found, weight in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(found, weight)


def test_an_infinite_loss_is_a_warning_since_its_gradients_may_be_finite():
    model = model_of(optimizer=keras.optimizers.SGD(clipvalue=0.5), loss="mse")
    large = np.full_like(REAL, 1e20)  # its square is infinite, the gradient is not
    with pytest.warns(UserWarning, match="loss of model 'model' is inf in epoch 1"):
        fit(model, X, large)
    assert all(np.isfinite(weight).all() for weight in model.get_weights())


def test_an_operation_that_fails_names_the_layer_around_it():
    with pytest.raises(tf.errors.OpError, match="output size would be negative") as raised:
        keras.layers.Conv2D(3, 5, name="wide")(tf.ones([1, 3, 3, 1]))
    assert raised.value.__notes__ == ["in layer 'wide' (Conv2D)"]


def test_a_train_step_may_return_a_loss_of_several_numbers():
    class Pairs(Regression):
        def train_step(self, data):
            return {"loss": tf.constant([1.0, 2.0])}

    model = Pairs()
    model.compile("sgd", "mse")
    [loss] = fit(model, X, REAL)["loss"]
    np.testing.assert_array_equal(loss, [1.0, 2.0])
