"""Attributes of layers, modules and optimizers: a change after a trace reaches the graph."""

import gc
import threading
import weakref

import numpy as np
import pytest

import runtime as tf
from runtime import keras

X = tf.constant([[1.0, 2.0], [3.0, -4.0]])
Y = tf.constant([[1.0], [0.0]])
layers = keras.layers


def traces(function):
    return function.experimental_get_tracing_count()


def chain(*inner):
    return keras.Sequential([keras.Input((2,)), *inner])


def step_of(model, optimizer):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2) + tf.add_n(
                [0.0, *model.losses]
            )
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss

    step(X, Y)
    step(X, Y)
    return step


def changed(step, model):
    """The names of the layers of which a step changes variables."""
    before = {each.name: each.get_weights() for each in model.layers}
    step(X, Y)
    return {
        each.name
        for each in model.layers
        if not all(map(np.array_equal, before[each.name], each.get_weights()))
    }


@pytest.fixture
def model():
    return chain(layers.Dense(3, name="first"), layers.Dense(1, name="last"))


def test_a_frozen_layer_is_not_trained_by_a_function_traced_before(model):
    step = step_of(model, keras.optimizers.SGD(0.1))
    count = traces(step)
    assert changed(step, model) == {"first", "last"}
    model.layers[0].trainable = False
    assert changed(step, model) == {"last"}
    model.layers[0].trainable = True
    assert changed(step, model) == {"first", "last"}
    assert traces(step) == count + 1


def test_a_frozen_variable_is_not_trained(model):
    step = step_of(model, keras.optimizers.SGD(0.1))
    bias = model.layers[1].bias
    bias.trainable = False
    before = bias.numpy()
    step(X, Y)
    assert np.array_equal(before, bias.numpy())


def test_the_message_about_retracing_names_the_attribute(model):
    f = tf.function(lambda x: model.trainable_variables[-1] * x)
    f(X)
    model.layers[1].trainable = False
    [graph] = f.concrete_functions()
    assert "`kernel.trainable`: True -> False" in graph.guards.changes()


@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: layers.Dense(2), lambda m: setattr(m.layers[0], "activation", tf.nn.tanh)),
        (layers.LayerNormalization, lambda m: setattr(m.layers[0], "epsilon", 2.0)),
        (lambda: layers.LeakyReLU(2.0), lambda m: setattr(m.layers[0], "negative_slope", 7.0)),
        (lambda: layers.LeakyReLU(2.0), lambda m: setattr(m.layers[0], "call", lambda x: x * 3.0)),
        (lambda: layers.LeakyReLU(2.0), lambda m: m.add(layers.LeakyReLU(5.0))),
        (lambda: layers.LeakyReLU(2.0), lambda m: m.pop()),
        (layers.Softmax, lambda m: setattr(m.layers[0], "axis", 0)),
    ],
)
def test_a_graph_computes_with_the_attributes_of_now(make, change):
    model = chain(make(), layers.LeakyReLU(1.5))
    f = tf.function(lambda x: model(x))
    for _ in range(2):
        assert np.allclose(f(X), model(X))
    assert traces(f) == 1
    change(model)
    assert np.allclose(f(X), model(X))
    count = traces(f)
    assert np.allclose(f(X), model(X))
    assert traces(f) == count


def test_dropout_drops_at_the_rate_of_now():
    layer = layers.Dropout(0.0)
    f = tf.function(lambda x: layer(x, training=True))
    ones = tf.ones([1000])
    assert float(tf.reduce_mean(f(ones))) == 1.0
    layer.rate = 0.5
    assert 0.3 < np.mean(f(ones).numpy() == 0.0) < 0.7


@pytest.mark.parametrize(
    ("name", "value"),
    [("weight_decay", 0.5), ("loss_scale_factor", 2.0), ("learning_rate", 0.0), ("nesterov", True)],
)
def test_an_optimizer_steps_with_the_hyperparameters_of_now(name, value):
    def after_two_steps(decorate):
        variable = tf.Variable([1.0, 2.0])
        optimizer = keras.optimizers.SGD(0.5, momentum=0.5)
        step = decorate(lambda: optimizer.apply_gradients([(2.0 * variable, variable)]))
        step()
        setattr(optimizer, name, value)
        step()
        return variable.numpy()

    assert np.allclose(after_two_steps(tf.function), after_two_steps(lambda step: step))


def test_a_learning_rate_that_is_assigned_needs_no_new_graph(model):
    optimizer = keras.optimizers.SGD(0.1)
    step = step_of(model, optimizer)
    count = traces(step)
    optimizer.learning_rate = 0.0
    assert changed(step, model) == set()
    assert traces(step) == count


def test_a_schedule_takes_the_place_of_a_learning_rate(model):
    optimizer = keras.optimizers.SGD(0.1)
    step = step_of(model, optimizer)
    optimizer.learning_rate = keras.optimizers.schedules.ExponentialDecay(0.0, 1, 1.0)
    assert changed(step, model) == set()


def test_a_momentum_set_after_the_first_step_is_an_error(model):
    optimizer = keras.optimizers.SGD(0.1)
    step = step_of(model, optimizer)
    optimizer.momentum = 0.9
    with pytest.raises(ValueError, match="no state `momentum`"):
        step(X, Y)


def test_a_regularizer_counts_with_its_factor_of_now():
    model = chain(layers.Dense(1, kernel_regularizer=keras.regularizers.L2(0.0)))
    f = tf.function(lambda x: (model(x), tf.add_n(model.losses))[1])
    assert float(f(X)) == 0.0
    model.layers[0].kernel_regularizer.l2 = 1.0
    assert np.allclose(f(X), np.sum(model.layers[0].kernel.numpy() ** 2))


@pytest.mark.parametrize(
    "touch",
    [
        lambda model, optimizer: setattr(model.layers[0], "trainable", True),
        lambda model, optimizer: setattr(model, "stop_training", True),
        lambda model, optimizer: setattr(optimizer, "weight_decay", None),
        lambda model, optimizer: model(X),
        lambda model, optimizer: model.evaluate(X, Y, verbose=0),
        lambda model, optimizer: model.predict(X, verbose=0),
        lambda model, optimizer: setattr(layers.Dense(1), "rate", 3),
    ],
)
def test_what_the_trace_did_not_read_leads_to_no_new_graph(model, touch):
    optimizer = keras.optimizers.SGD(0.1)
    model.compile(optimizer, "mse")
    step = step_of(model, optimizer)
    touch(model, optimizer)
    step(X, Y)
    count = traces(step)
    touch(model, optimizer)
    step(X, Y)
    assert traces(step) == count


def test_fit_trains_what_is_trainable_now(model):
    model.compile(keras.optimizers.SGD(0.1), "mse")
    fit = lambda x, y: model.fit(x, y, epochs=1, verbose=0)  # noqa: E731
    assert changed(fit, model) == {"first", "last"}
    model.layers[0].trainable = False
    assert changed(fit, model) == {"last"}


def test_fit_refuses_to_train_what_was_frozen_when_the_optimizer_was_built(model):
    model.layers[0].trainable = False
    model.compile(keras.optimizers.SGD(0.1), "mse")
    model.fit(X, Y, verbose=0)
    model.layers[0].trainable = True
    with pytest.raises(ValueError, match="Unknown variable"):
        model.fit(X, Y, verbose=0)


def test_a_model_that_is_compiled_again_has_its_new_optimizer(model):
    model.compile(keras.optimizers.SGD(0.1), "mse")

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = model.compute_loss(x, y, model(x))
        variables = model.trainable_variables
        model.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))

    step(X, Y)
    assert changed(step, model) == {"first", "last"}
    model.compile(keras.optimizers.SGD(0.0), "mse")
    assert changed(step, model) == set()


class Block(tf.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2.0
        self._parts = []
        self.weight = tf.Variable(1.0)

    def __call__(self, x):
        for part in self._parts:
            x = part(x)
        return x * self.factor * self.weight


def test_python_attributes_of_a_module():
    block = Block()
    f = tf.function(lambda x: block(x))
    assert np.allclose(f(X), block(X))
    block.factor = 3.0
    assert np.allclose(f(X), block(X))
    block._parts.append(tf.abs)
    assert np.allclose(f(X), block(X))
    count = traces(f)
    f(X)
    assert traces(f) == count


def test_variables_of_modules_that_are_added_or_removed_in_place():
    block = Block()
    f = tf.function(lambda: tf.add_n(block.trainable_variables))
    assert float(f()) == 1.0
    block._parts.append(Block())
    assert float(f()) == 2.0
    block.another = tf.Variable(5.0)
    assert float(f()) == 7.0
    del block.another
    block._parts.clear()
    assert float(f()) == 1.0
    assert traces(f) == 3


def test_variables_in_a_list_that_is_assigned_empty():
    module = tf.Module()
    module.weight = tf.Variable(1.0)
    f = tf.function(lambda: tf.add_n(module.trainable_variables))
    assert float(f()) == 1.0
    module._more = []
    assert float(f()) == 1.0
    module._more.append(tf.Variable(2.0))
    assert float(f()) == 3.0


class Scale(layers.Layer):
    def __init__(self):
        super().__init__()
        self.factor = 2.0
        self.calls = []

    def call(self, x):
        return x * self.factor


def test_python_attributes_of_a_layer_of_the_program():
    scale = Scale()
    f = tf.function(lambda x: scale(x))
    assert np.allclose(f(X), 2.0 * X)
    scale.factor = 3.0
    assert np.allclose(f(X), 3.0 * X)
    count = traces(f)
    scale.calls.append(1)
    f(X)
    assert traces(f) == count


def test_a_function_that_calls_a_traced_one_depends_on_what_that_one_read():
    layer = layers.LeakyReLU(2.0)
    inner = tf.function(lambda x: layer(x))
    inner(X)
    outer = tf.function(lambda x: inner(x) + 0.0)
    assert np.allclose(outer(X), layer(X))
    layer.negative_slope = 3.0
    assert np.allclose(outer(X), layer(X))
    staged = tf.function(lambda x: tf.cond(tf.reduce_sum(x) > 0.0, lambda: inner(x), lambda: x))
    assert np.allclose(staged(X), layer(X))
    layer.negative_slope = 4.0
    assert np.allclose(staged(X), layer(X))


def test_a_graph_keeps_no_model_alive():
    f = tf.function(lambda model, x: model(x))
    model = chain(layers.Dense(1))
    f(model, X)
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


def test_another_thread_that_writes_is_seen():
    layer = layers.LeakyReLU(2.0)
    f = tf.function(lambda x: layer(x))
    f(X)
    writer = threading.Thread(target=setattr, args=(layer, "negative_slope", 3.0))
    writer.start()
    writer.join()
    assert np.allclose(f(X), layer(X))
