"""Documented behavior of gradients, variables, models, data and checkpoints, one program for each.

The programs are those that introductions to eager execution teach.
"""

import gc
import os
import re
import weakref

import numpy as np
import pytest

import runtime as tf

# ---- gradients ----


def test_a_tape_watches_variables_by_itself():
    w = tf.Variable([[1.0]])
    with tf.GradientTape() as tape:
        loss = w * w
    grad = tape.gradient(loss, w)
    assert str(grad) == "tf.Tensor([[2.]], shape=(1, 1), dtype=float32)"


def test_a_tape_computes_one_gradient_and_a_persistent_one_many():
    x = tf.Variable(3.0)
    with tf.GradientTape() as once:
        y = x * x
    with tf.GradientTape(persistent=True) as often:
        z = x * x
    assert float(once.gradient(y, x)) == 6.0
    with pytest.raises(RuntimeError, match="A non-persistent GradientTape can only be used to"):
        once.gradient(y, x)
    assert [float(often.gradient(z, x)) for _ in range(2)] == [6.0, 6.0]


def test_tensors_are_watched_by_request():
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        before = x * x
        tape.watch(x)
        after = x * x
    assert tape.gradient(before, x) is None
    assert float(tape.gradient(after, x)) == 6.0


def test_a_function_computes_the_gradient_of_a_cube():
    @tf.function
    def compute_gradient(x):
        with tf.GradientTape() as tape:
            y = x * x * x
        return tape.gradient(y, x)

    assert compute_gradient(tf.Variable(3.0)).numpy() == 27.0


@pytest.mark.parametrize("rounds", [0, 1, 4])
def test_a_gradient_passes_through_a_loop_of_any_length(rounds):
    @tf.function
    def compute_gradient(x, n):
        with tf.GradientTape() as tape:
            y = x
            while n > 0:
                y = y * x
                n -= 1
        return tape.gradient(y, x)

    slope = compute_gradient(tf.Variable(2.0), tf.constant(rounds))
    assert float(slope) == (rounds + 1) * 2.0**rounds


def line_search_step(fn, init_x, rate=1.0):
    with tf.GradientTape() as tape:
        tape.watch(init_x)
        value = fn(init_x)
    grad = tape.gradient(value, init_x)
    grad_norm = tf.reduce_sum(grad * grad)
    init_value = value
    while value > init_value - rate * grad_norm:
        x = init_x - rate * grad
        value = fn(x)
        rate /= 2.0
    return x, value


@pytest.mark.parametrize("stage", [lambda f: f, tf.function], ids=["eager", "staged"])
def test_dynamic_models_search_a_line(stage):
    x, value = stage(lambda x: line_search_step(lambda x: tf.reduce_sum(x * x), x))(tf.ones([2]))
    assert (x.numpy().tolist(), float(value)) == ([0.0, 0.0], 0.0)


@tf.custom_gradient
def clip_gradient_by_norm(x, norm):
    y = tf.identity(x)

    def grad_fn(dresult):
        return [tf.clip_by_norm(dresult, norm), None]

    return y, grad_fn


def test_a_stated_gradient_is_clipped_on_the_way_back():
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(clip_gradient_by_norm(x, 0.5) ** 2) / 2.0
    np.testing.assert_allclose(tape.gradient(y, x), [0.3, 0.4], rtol=1e-6)


def log1pexp(x):
    return tf.math.log(1 + tf.exp(x))


@tf.custom_gradient
def stable_log1pexp(x):
    e = tf.exp(x)

    def grad(dy):
        return dy * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


def grad_of(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = f(x)
    return tape.gradient(value, x).numpy()


def test_a_stated_gradient_is_stable_where_the_derived_one_is_not():
    assert grad_of(log1pexp, tf.constant(0.0)) == 0.5
    assert np.isnan(grad_of(log1pexp, tf.constant(100.0)))
    assert grad_of(stable_log1pexp, tf.constant(0.0)) == 0.5
    assert grad_of(stable_log1pexp, tf.constant(100.0)) == 1.0


def test_the_gradient_function_uses_values_of_the_forward_pass():
    computed = []

    @tf.custom_gradient
    def square(x):
        computed.append(float(x))
        twice = 2.0 * x
        return x * x, lambda dy: dy * twice

    assert grad_of(square, tf.constant(3.0)) == 6.0
    assert computed == [3.0]


def test_gradients_have_the_structure_of_their_sources():
    a, b = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = a * b
    assert [float(each) for each in tape.gradient(loss, [a, b])] == [5.0, 2.0]
    made = tape.gradient(loss, {"a": a, "rest": (b,)})
    assert (float(made["a"]), float(made["rest"][0])) == (5.0, 2.0)


def test_looking_at_values_does_not_stop_gradients():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = w * w
        assert (y.numpy(), f"{y:.1f}") == (9.0, "9.0")
        z = y * 2.0
    assert float(tape.gradient(z, w)) == 12.0


# ---- variables ----


def test_variables_are_assigned_and_are_tensors_where_one_is_needed():
    v = tf.Variable(10.0, name="step")
    v.assign(2.0)
    v.assign_add(1.5)
    assert (v.name, v.numpy(), float(v + 1.0)) == ("step:0", 3.5, 4.5)
    assert repr(v) == "<tf.Variable 'step:0' shape=() dtype=float32, numpy=3.5>"


def test_a_variable_lives_as_long_as_a_reference():
    v = tf.Variable(tf.random.normal([1000, 1000]))
    alive = weakref.ref(v)
    keeper = [v]
    del v
    assert alive() is not None
    keeper.clear()
    gc.collect()
    assert alive() is None


def test_an_operation_has_run_when_its_line_has_run():
    v = tf.Variable(0.0)
    seen = []
    for _ in range(3):
        v.assign_add(1.0)
        seen.append(float(v))
    assert seen == [1.0, 2.0, 3.0]


# ---- models ----


def classifier():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(16, [3, 3], activation="relu", input_shape=(None, None, 1)),
            tf.keras.layers.Conv2D(16, [3, 3], activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10),
        ]
    )


def images(count):
    """Pictures of ten patterns, with noise."""
    draw = np.random.default_rng(0)
    patterns = draw.uniform(size=(10, 12, 12))
    labels = np.arange(count) % 10
    noisy = patterns[labels] + draw.normal(scale=0.05, size=(count, 12, 12))
    return np.clip(noisy * 255.0, 0, 255).astype(np.uint8), labels.astype(np.uint8)


def batches(count):
    pictures, labels = images(count)
    dataset = tf.data.Dataset.from_tensor_slices(
        (tf.cast(pictures[..., tf.newaxis] / 255, tf.float32), tf.cast(labels, tf.int64))
    )
    return dataset.shuffle(1000).batch(32)


def test_an_untrained_model_takes_images_of_any_size():
    model = classifier()
    for rows, columns in ((28, 28), (20, 33)):
        assert model(tf.zeros([2, rows, columns, 1])).shape == (2, 10)
    for pictures, _ in batches(64).take(1):
        assert model(pictures[0:1]).numpy().shape == (1, 10)
    assert len(model.trainable_variables) == 6


@pytest.mark.parametrize("stage", [lambda f: f, tf.function], ids=["eager", "staged"])
def test_a_written_out_training_loop_lowers_the_loss(stage):
    tf.random.set_seed(0)
    model, dataset = classifier(), batches(320)
    optimizer = tf.keras.optimizers.Adam(0.01)
    loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    loss_history = []

    @stage
    def train_step(pictures, labels):
        with tf.GradientTape() as tape:
            logits = model(pictures, training=True)
            tf.debugging.assert_equal(logits.shape, (32, 10))
            loss_value = loss_object(labels, logits)
        grads = tape.gradient(loss_value, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        return loss_value

    for _ in range(3):
        for _batch, (pictures, labels) in enumerate(dataset):
            loss_history.append(train_step(pictures, labels).numpy().mean())
    assert len(loss_history) == 30
    assert np.mean(loss_history[-5:]) < np.mean(loss_history[:5])


class Linear(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.W = tf.Variable(5.0, name="weight")
        self.B = tf.Variable(10.0, name="bias")

    def call(self, inputs):
        return inputs * self.W + self.B


def test_a_model_with_variables_fits_a_line():
    tf.random.set_seed(0)
    inputs = tf.random.normal([2000])
    targets = inputs * 3 + 2 + tf.random.normal([2000])
    model, optimizer = Linear(), tf.keras.optimizers.SGD(learning_rate=0.01)

    def loss(model, inputs, targets):
        return tf.reduce_mean(tf.square(model(inputs) - targets))

    assert f"{loss(model, inputs, targets):.0f}" == "69"
    for _ in range(300):
        with tf.GradientTape() as tape:
            value = loss(model, inputs, targets)
        grads = tape.gradient(value, [model.W, model.B])
        optimizer.apply_gradients(zip(grads, [model.W, model.B], strict=True))
    assert float(loss(model, inputs, targets)) < 1.1
    assert (float(model.W), float(model.B)) == pytest.approx((3.0, 2.0), abs=0.1)


def test_models_are_fitted_evaluated_and_saved(tmp_path):
    tf.random.set_seed(0)
    pictures, labels = images(320)
    x = (pictures[..., np.newaxis] / 255).astype(np.float32)
    model = classifier()
    model.compile(
        optimizer="adam",
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(x, labels, epochs=2, verbose=0)
    loss, accuracy = model.evaluate(x, labels, verbose=0)
    assert len(history.history["loss"]) == 2
    assert 0.0 <= accuracy <= 1.0
    path = str(tmp_path / "model.keras")
    model.save(path)
    again = tf.keras.models.load_model(path)
    assert again.evaluate(x, labels, verbose=0)[0] == pytest.approx(loss)


def test_weights_are_saved_and_loaded_with_a_status(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = Linear()
    model(tf.ones([1]))
    model.W.assign(7.0)
    model.save_weights("weights")
    model.W.assign(0.0)
    model.load_weights("weights")
    assert float(model.W) == 7.0


def test_a_metric_object_keeps_a_mean():
    m = tf.keras.metrics.Mean("loss")
    m(0)
    m(5)
    assert m.result().numpy() == 2.5
    m([8, 9])
    assert m.result().numpy() == 5.5


def test_a_cell_with_its_state_in_a_list_runs_eagerly_and_in_a_function():
    lstm_cell = tf.keras.layers.LSTMCell(10)

    @tf.function
    def lstm_fn(input, state):
        return lstm_cell(input, state)

    input = tf.ones([10, 10])
    state = [tf.zeros([10, 10])] * 2
    output, new_state = lstm_cell(input, state)
    again, same_state = lstm_fn(input, state)
    np.testing.assert_allclose(output, again, rtol=1e-6)
    for one, other in zip(new_state, same_state, strict=True):
        assert one.shape == (10, 10)
        np.testing.assert_allclose(one, other, rtol=1e-6)


def bottleneck(x, filters, strides, project):
    """A block of ResNet-50: 1x1, 3x3 and 1x1 convolutions beside a shortcut."""
    layers = tf.keras.layers
    shortcut = x
    if project:
        shortcut = layers.Conv2D(4 * filters, 1, strides=strides)(x)
        shortcut = layers.BatchNormalization(epsilon=1.001e-5)(shortcut)
    for size, stride in ((1, strides), (3, 1)):
        x = layers.Conv2D(filters, size, strides=stride, padding="same")(x)
        x = layers.BatchNormalization(epsilon=1.001e-5)(x)
        x = layers.Activation("relu")(x)
    x = layers.Conv2D(4 * filters, 1)(x)
    x = layers.BatchNormalization(epsilon=1.001e-5)(x)
    return layers.Activation("relu")(layers.Add()([shortcut, x]))


def residual_network(blocks, width, classes, channels):
    """ResNet v1 of bottleneck blocks: four stages, each but the first halves the image."""
    layers = tf.keras.layers
    inputs = tf.keras.Input(shape=(None, None, channels))
    x = layers.Conv2D(width, 7, strides=2, padding="same")(inputs)
    x = layers.BatchNormalization(epsilon=1.001e-5)(x)
    x = layers.Activation("relu")(x)
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    for stage, count in enumerate(blocks):
        for block in range(count):
            strides = 2 if stage and not block else 1
            x = bottleneck(x, width * 2**stage, strides, project=not block)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, layers.Dense(classes)(x))


def test_a_network_of_fifty_layers_has_the_parameters_of_the_published_one():
    model = residual_network((3, 4, 6, 3), width=64, classes=1000, channels=3)
    weighted = (tf.keras.layers.Conv2D, tf.keras.layers.Dense)
    shortcuts = 4
    assert sum(isinstance(layer, weighted) for layer in model.layers) == 50 + shortcuts
    assert model.count_params() == 25_636_712


def test_a_residual_network_computes_and_trains_alike_in_eager_code_and_in_graphs():
    tf.random.set_seed(0)
    model = residual_network((1, 1, 1, 1), width=4, classes=10, channels=1)
    optimizer = tf.keras.optimizers.Adam(0.01)
    loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    pictures, labels = images(64)
    x = tf.image.resize(pictures[..., np.newaxis] / np.float32(255), [32, 32])

    def gradients():
        with tf.GradientTape() as tape:
            loss = loss_of(labels, model(x, training=True))
        return loss, tape.gradient(loss, model.trainable_variables)

    eager_loss, eager = gradients()
    graph_loss, staged = tf.function(gradients)()
    np.testing.assert_allclose(eager_loss, graph_loss, rtol=1e-5)
    for one, other in zip(eager, staged, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-5)

    @tf.function
    def step():
        loss, slopes = gradients()
        optimizer.apply_gradients(zip(slopes, model.trainable_variables, strict=True))
        return loss

    losses = [float(step()) for _ in range(25)]
    assert losses[-1] < losses[0] / 4
    moved = [np.any(v != 0.0) for v in model.non_trainable_variables if "mean" in v.name]
    assert moved
    assert all(moved)


# ---- data ----


def test_a_dataset_is_made_of_a_tuple_shuffled_and_batched():
    features, labels = np.arange(10.0), np.arange(10)
    dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(10).batch(4)
    seen, sizes = [], []
    for number, (x, y) in enumerate(dataset):
        assert x.numpy().tolist() == y.numpy().tolist()
        seen += y.numpy().tolist()
        sizes.append((number, len(y)))
    assert sizes == [(0, 4), (1, 4), (2, 2)]
    assert sorted(seen) == list(range(10))


def test_a_part_of_a_dataset_is_taken():
    dataset = tf.data.Dataset.from_tensor_slices([1, 2, 3, 4])
    assert [int(x) for x in dataset.take(2)] == [1, 2]
    assert [(int(i), int(x)) for i, x in dataset.take(2).enumerate()] == [(0, 1), (1, 2)]


# ---- checkpoints ----


def test_a_checkpoint_saves_and_restores_a_variable(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    x = tf.Variable(10.0)
    checkpoint = tf.train.Checkpoint(x=x)
    x.assign(2.0)
    assert checkpoint.save("./ckpt/") == "./ckpt/-1"
    x.assign(11.0)
    checkpoint.restore(tf.train.latest_checkpoint("./ckpt/"))
    assert repr(x) == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>"


def test_a_checkpoint_holds_model_optimizer_and_steps(tmp_path):
    def made():
        model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.Adam(learning_rate=0.1)
        return model, optimizer, tf.train.Checkpoint(optimizer=optimizer, model=model)

    def step(model, optimizer):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(tf.ones([1, 3])) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        return float(loss)

    model, optimizer, root = made()
    for _ in range(3):
        step(model, optimizer)
    root.save(os.path.join(tmp_path, "ckpt"))
    expected = [step(model, optimizer) for _ in range(2)]

    other, other_optimizer, other_root = made()
    other_root.restore(tf.train.latest_checkpoint(tmp_path))
    assert [step(other, other_optimizer) for _ in range(2)] == expected
    assert int(other_optimizer.iterations) == 5


def test_variables_that_are_made_after_a_restore_get_their_values(tmp_path):
    saved = tf.keras.layers.Dense(2)
    saved(tf.ones([1, 3]))
    path = tf.train.Checkpoint(layer=saved).save(str(tmp_path / "ckpt"))
    later = tf.keras.layers.Dense(2)
    status = tf.train.Checkpoint(layer=later).restore(path)
    with pytest.raises(AssertionError):
        status.assert_consumed()
    later(tf.ones([1, 3]))
    np.testing.assert_array_equal(later.kernel.numpy(), saved.kernel.numpy())
    status.assert_consumed()


def test_a_checkpoint_that_does_not_match_fails_the_assertion(tmp_path):
    path = tf.train.Checkpoint(x=tf.Variable(1.0)).save(str(tmp_path / "ckpt"))
    status = tf.train.Checkpoint(x=tf.Variable(2.0), y=tf.Variable(3.0)).restore(path)
    with pytest.raises(AssertionError):
        status.assert_existing_objects_matched()


def test_a_module_is_exported_and_runs_without_its_class(tmp_path):
    class Scale(tf.Module):
        def __init__(self):
            super().__init__()
            self.by = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def __call__(self, x):
            return tf.nn.relu(x * self.by)

    tf.saved_model.save(Scale(), str(tmp_path))
    del Scale
    loaded = tf.saved_model.load(str(tmp_path))
    assert loaded(tf.constant([3.0, -1.0])).numpy().tolist() == [6.0, 0.0]


# ---- summaries ----

EVENTS = re.compile(r"events\.out\.tfevents\.\d+\..+\.\d+\.\d+\.v2")


def read_by_tensorboard(directory):
    """What TensorBoard reads from a log directory."""
    module = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    accumulator = module.EventAccumulator(str(directory))
    return accumulator.Reload()


def scalars(accumulator, tag):
    util = pytest.importorskip("tensorboard.util.tensor_util")
    events = accumulator.Tensors(tag)
    return {each.step: float(util.make_ndarray(each.tensor_proto)) for each in events}


def test_tensorboard_reads_the_scalars_that_a_program_writes(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    with writer.as_default():
        for i in range(1000):
            step = i + 1
            loss = 1 - 0.001 * step
            if step % 100 == 0:
                tf.summary.scalar("loss", loss, step=step)
    writer.close()
    (name,) = os.listdir(tmp_path)
    assert EVENTS.fullmatch(name)
    read = scalars(read_by_tensorboard(tmp_path), "loss")
    assert list(read) == list(range(100, 1001, 100))
    np.testing.assert_allclose(list(read.values()), 1 - np.arange(0.1, 1.01, 0.1), atol=1e-6)


def test_a_default_writer_is_written_to_until_it_is_closed(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    writer.set_as_default()
    assert tf.summary.scalar("loss", 0.5, step=1)
    writer.close()
    assert not tf.summary.scalar("loss", 0.5, step=2)
    assert scalars(read_by_tensorboard(tmp_path), "loss") == {1: 0.5}


def test_tensorboard_reads_the_graph_of_a_network_of_two_layers(tmp_path):
    layers = [tf.keras.layers.Dense(3, activation="relu"), tf.keras.layers.Dense(2)]

    @tf.function
    def network(x):
        return layers[1](layers[0](x))

    writer = tf.summary.create_file_writer(str(tmp_path))
    tf.summary.trace_on(graph=True)
    network(tf.ones([1, 4]))
    with writer.as_default():
        tf.summary.trace_export(name="network", step=0)
    writer.close()
    (event,) = read_by_tensorboard(tmp_path).Tensors("network")
    protos = pytest.importorskip("tensorboard.compat.proto.config_pb2")
    (data,) = event.tensor_proto.string_val
    (graphs,) = protos.RunMetadata.FromString(data).function_graphs
    types = [node.op for node in graphs.pre_optimization_graph.node]
    assert types.count("MatMul") == 2
    assert types.count("Relu") == 1
