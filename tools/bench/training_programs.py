"""Models to train, for every library; this file imports nothing at its top.

Each function takes a library and gives a function that takes `STEPS` steps of training, and its
arguments. Batches are the same 32 samples over and over, as NumPy arrays cut from a larger one.
"""

from collections.abc import Callable
from typing import Any

STEPS = 50
BATCH = 32
Made = tuple[Callable[..., Any], list[Any]]


def images(*shape: int) -> tuple[Any, Any]:
    """Samples and classes, the same for every library."""
    import numpy as np

    numbers = np.random.default_rng(0)
    count = STEPS * BATCH
    x = numbers.normal(size=(count, *shape)).astype("float32")
    return x, numbers.integers(0, 10, count).astype("int64")


def fitted(model: Any, x: Any, y: Any, **options: bool) -> Made:
    """An epoch of `fit`, after one that compiles; `options` are those of `Model.compile`."""
    model.compile("adam", model.loss_name, metrics=["accuracy"], **options)
    model.fit(x, y, batch_size=BATCH, verbose=0)
    return lambda: model.fit(x, y, batch_size=BATCH, verbose=0), []


def of_layers(tf: Any, shape: tuple[int, ...], *layers: Any) -> Any:
    model = tf.keras.Sequential([tf.keras.Input(shape), *layers])
    model.loss_name = "sparse_categorical_crossentropy"
    return model


def keras_mlp(tf: Any, **options: bool) -> Made:
    """784-128-10."""
    dense = tf.keras.layers.Dense
    layers = [dense(128, activation="relu"), dense(10, activation="softmax")]
    return fitted(of_layers(tf, (784,), *layers), *images(784), **options)


def keras_cnn(tf: Any, **options: bool) -> Made:
    """Two convolutions with pooling on images of 28 x 28."""
    kinds = tf.keras.layers
    layers = [
        kinds.Conv2D(16, 3, activation="relu"),
        kinds.MaxPooling2D(),
        kinds.Conv2D(32, 3, activation="relu"),
        kinds.MaxPooling2D(),
        kinds.Flatten(),
        kinds.Dense(10, activation="softmax"),
    ]
    return fitted(of_layers(tf, (28, 28, 1), *layers), *images(28, 28, 1), **options)


def keras_lstm(tf: Any, **options: bool) -> Made:
    """64 units on sequences of 20 steps."""
    kinds = tf.keras.layers
    layers = [kinds.LSTM(64), kinds.Dense(10, activation="softmax")]
    return fitted(of_layers(tf, (20, 32), *layers), *images(20, 32), **options)


def keras_small_cnn(tf: Any, **options: bool) -> Made:
    """One convolution with pooling on images of 8 x 8."""
    kinds = tf.keras.layers
    layers = [
        kinds.Conv2D(8, 3, activation="relu"),
        kinds.MaxPooling2D(),
        kinds.Flatten(),
        kinds.Dense(10, activation="softmax"),
    ]
    return fitted(of_layers(tf, (8, 8, 1), *layers), *images(8, 8, 1), **options)


def keras_small_lstm(tf: Any, **options: bool) -> Made:
    """16 units on sequences of 10 steps."""
    kinds = tf.keras.layers
    layers = [kinds.LSTM(16), kinds.Dense(10, activation="softmax")]
    return fitted(of_layers(tf, (10, 8), *layers), *images(10, 8), **options)


def jax_steps(jax: Any, forward: Callable[..., Any], params: Any, x: Any, y: Any) -> Made:
    import optax  # type: ignore[import-not-found,unused-ignore]

    rule = optax.adam(1e-3)

    def loss(params: Any, x: Any, y: Any) -> Any:
        logits = forward(params, x)
        found = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
        return found, (logits.argmax(-1) == y).mean()

    def step(params: Any, state: Any, x: Any, y: Any) -> Any:
        results, grads = jax.value_and_grad(loss, has_aux=True)(params, x, y)
        changes, state = rule.update(grads, state)
        return optax.apply_updates(params, changes), state, results

    compiled = jax.jit(step)
    state = [params, rule.init(params)]

    def run() -> None:
        results: Any = None
        for i in range(0, len(x), BATCH):
            *state[:], results = compiled(*state, x[i : i + BATCH], y[i : i + BATCH])
        jax.block_until_ready((state, results))

    run()
    return run, []


def jax_normal(jax: Any, *shape: int) -> Any:
    return jax.random.normal(jax.random.PRNGKey(sum(shape)), shape) * 0.05


def jax_mlp(jax: Any) -> Made:
    def forward(p: Any, x: Any) -> Any:
        return jax.nn.relu(x @ p[0] + p[1]) @ p[2] + p[3]

    shapes = ((784, 128), (128,), (128, 10), (10,))
    return jax_steps(jax, forward, [jax_normal(jax, *each) for each in shapes], *images(784))


def jax_convolved(jax: Any, x: Any, kernel: Any, bias: Any) -> Any:
    names = ("NHWC", "HWIO", "NHWC")
    y = jax.lax.conv_general_dilated(x, kernel, (1, 1), "VALID", dimension_numbers=names)
    y = jax.nn.relu(y + bias)
    window = (1, 2, 2, 1)
    return jax.lax.reduce_window(y, -float("inf"), jax.lax.max, window, window, "VALID")


def jax_cnn(jax: Any) -> Made:
    def forward(p: Any, x: Any) -> Any:
        x = jax_convolved(jax, jax_convolved(jax, x, p[0], p[1]), p[2], p[3])
        return x.reshape(x.shape[0], -1) @ p[4] + p[5]

    shapes = ((3, 3, 1, 16), (16,), (3, 3, 16, 32), (32,), (800, 10), (10,))
    return jax_steps(jax, forward, [jax_normal(jax, *each) for each in shapes], *images(28, 28, 1))


def jax_small_cnn(jax: Any) -> Made:
    def forward(p: Any, x: Any) -> Any:
        x = jax_convolved(jax, x, p[0], p[1])
        return x.reshape(x.shape[0], -1) @ p[2] + p[3]

    shapes = ((3, 3, 1, 8), (8,), (72, 10), (10,))
    return jax_steps(jax, forward, [jax_normal(jax, *each) for each in shapes], *images(8, 8, 1))


def jax_lstm(jax: Any) -> Made:
    return jax_recurrent(jax, 64, 20, 32)


def jax_small_lstm(jax: Any) -> Made:
    return jax_recurrent(jax, 16, 10, 8)


def jax_recurrent(jax: Any, units: int, steps: int, features: int) -> Made:
    def forward(p: Any, x: Any) -> Any:
        def cell(carry: Any, part: Any) -> Any:
            h, c = carry
            i, f, g, o = jax.numpy.split(part @ p[0] + h @ p[1] + p[2], 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jax.numpy.tanh(g)
            h = jax.nn.sigmoid(o) * jax.numpy.tanh(c)
            return (h, c), None

        zeros = jax.numpy.zeros((x.shape[0], units))
        (h, _), _ = jax.lax.scan(cell, (zeros, zeros), x.swapaxes(0, 1))
        return h @ p[3] + p[4]

    shapes = ((features, 4 * units), (units, 4 * units), (4 * units,), (units, 10), (10,))
    weights = [jax_normal(jax, *each) for each in shapes]
    return jax_steps(jax, forward, weights, *images(steps, features))


def torch_steps(torch: Any, model: Any, x: Any, y: Any) -> Made:
    rule = torch.optim.Adam(model.parameters())
    loss = torch.nn.CrossEntropyLoss()
    x, y = torch.from_numpy(x), torch.from_numpy(y)

    def run() -> None:
        right = 0.0
        for i in range(0, len(x), BATCH):
            rule.zero_grad()
            logits = model(x[i : i + BATCH])
            found = loss(logits, y[i : i + BATCH])
            found.backward()
            rule.step()
            right += (logits.argmax(-1) == y[i : i + BATCH]).sum()
        found.item()

    run()
    return run, []


def torch_mlp(torch: Any) -> Made:
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
    return torch_steps(torch, model, *images(784))


def torch_cnn(torch: Any) -> Made:
    nn = torch.nn
    first = (nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2))
    second = (nn.Conv2d(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2))
    model = nn.Sequential(*first, *second, nn.Flatten(), nn.Linear(800, 10))
    return torch_steps(torch, model, *images(1, 28, 28))


def torch_small_cnn(torch: Any) -> Made:
    nn = torch.nn
    first = (nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2))
    return torch_steps(
        torch, nn.Sequential(*first, nn.Flatten(), nn.Linear(72, 10)), *images(1, 8, 8)
    )


def torch_lstm(torch: Any) -> Made:
    return torch_recurrent(torch, 64, 20, 32)


def torch_small_lstm(torch: Any) -> Made:
    return torch_recurrent(torch, 16, 10, 8)


def torch_recurrent(torch: Any, units: int, steps: int, features: int) -> Made:
    class Model(torch.nn.Module):  # type: ignore[misc,name-defined,unused-ignore]
        def __init__(self) -> None:
            super().__init__()
            self.lstm = torch.nn.LSTM(features, units, batch_first=True)
            self.out = torch.nn.Linear(units, 10)

        def forward(self, x: Any) -> Any:
            return self.out(self.lstm(x)[0][:, -1])

    return torch_steps(torch, Model(), *images(steps, features))


MODELS = ("mlp", "cnn", "lstm")
SMALL_MODELS = ("small_cnn", "small_lstm")
