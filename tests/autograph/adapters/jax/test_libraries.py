# ruff: noqa: SIM108 - programs as people write them
"""Programs that use libraries on top of JAX: each agrees with plain Python."""

import importlib

import numpy as np
import pytest

import autograph

jax = pytest.importorskip("jax")
jnp = jax.numpy

X = jnp.array([0.5, -1.0, 2.0])


def close(actual, expected):
    mine, others = jax.tree.leaves(actual), jax.tree.leaves(expected)
    assert len(mine) == len(others)
    for one, other in zip(mine, others, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-5)


# ---- optax ----


def fit(optimizer, limit):
    """Train until the loss stops to fall; `limit` bounds the steps."""
    import optax

    def loss_of(w):
        return ((w - 3) ** 2).sum()

    w = jnp.array([0.0, 1.0])
    state = optimizer.init(w)
    best, patience, steps = jnp.inf, 0, 0
    while patience < 3:
        autograph.set_loop_options(maximum_iterations=limit)
        loss, gradient = jax.value_and_grad(loss_of)(w)
        if loss < best - 1e-3:
            best = loss
            patience = 0
        else:
            patience += 1
        updates, state = optimizer.update(gradient, state, w)
        w = optax.apply_updates(w, updates)
        steps += 1
    return w, best, steps


@pytest.mark.parametrize("name", ["sgd", "adam", "adamw", "rmsprop"])
def test_optax_training_with_early_stopping(name):
    optax = pytest.importorskip("optax")
    optimizer = getattr(optax, name)(0.2)
    converted = jax.jit(lambda: autograph.convert()(fit)(optimizer, 200))
    close(converted(), fit(optimizer, 200))


def test_optax_schedule_and_clipping():
    optax = pytest.importorskip("optax")
    schedule = optax.piecewise_constant_schedule(0.5, {2: 0.1})
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.sgd(schedule))

    def train(w):
        state = optimizer.init(w)
        for _ in range(6):
            gradient = 2 * w
            if jnp.linalg.norm(gradient) < 0.5:
                break
            updates, state = optimizer.update(gradient, state)
            w = optax.apply_updates(w, updates)
        return w

    close(jax.jit(autograph.convert()(train))(X), train(X))


# ---- equinox ----


def equinox_network(eqx):
    class Network(eqx.Module):
        layers: list
        head: eqx.nn.Linear

        def __init__(self, key):
            keys = jax.random.split(key, 4)
            self.layers = [eqx.nn.Linear(3, 3, key=each) for each in keys[:3]]
            self.head = eqx.nn.Linear(3, 2, key=keys[3])

        def __call__(self, x):
            for layer in self.layers:
                x = jnp.tanh(layer(x))
                if jax.nn.softmax(self.head(x)).max() > 0.6:
                    break
            return self.head(x)

    return Network(jax.random.key(0))


def test_equinox_module_that_exits_early():
    eqx = pytest.importorskip("equinox")
    network = equinox_network(eqx)
    run = autograph.convert()(lambda network, x: network(x))
    close(eqx.filter_jit(run)(network, X), network(X))
    close(jax.jit(lambda x: run(network, x))(X), network(X))
    batch = jnp.stack([X, -X, 2 * X])
    close(jax.vmap(lambda x: run(network, x))(batch), jnp.stack(list(map(network, batch))))


# ---- flax ----


@pytest.mark.parametrize("compiled", [False, True])
def test_equinox_gradient_of_a_model_that_is_called_in_a_branch(compiled):
    """The model is data here, although it is callable."""
    eqx = pytest.importorskip("equinox")

    class Model(eqx.Module):
        w: jax.Array

        def __call__(self, x):
            y = self.w * x
            return y if y.sum() > 0 else 0.1 * y

    def loss(model, x):
        y = model(x)
        if y.sum() < -1:
            return (y**2).sum()
        return jnp.abs(y).sum()

    def train(model, x):
        for _ in range(3):
            value, grads = eqx.filter_value_and_grad(loss)(model, x)
            model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))
        return value, model

    def train_by_hand(w, x):
        for _ in range(3):
            scale = 1.0 if (w * x).sum() > 0 else 0.1
            value, slope = scale * jnp.abs(w * x).sum(), scale * x * jnp.sign(w * x)
            w = w - 0.1 * slope
        return value, w

    w, x = jnp.array([1.0, -2.0]), jnp.array([1.0, 2.0])
    run = autograph.convert()(train)
    value, model = (eqx.filter_jit(run) if compiled else run)(Model(w), x)
    close((value, model.w), train_by_hand(w, x))


def flax_network(nnx):
    class Network(nnx.Module):
        def __init__(self, rngs):
            self.first = nnx.Linear(3, 3, rngs=rngs)
            self.second = nnx.Linear(3, 3, rngs=rngs)
            self.norm = nnx.LayerNorm(3, rngs=rngs)

        def __call__(self, x):
            x = jnp.tanh(self.first(x))
            if x.sum() > 0:
                x = self.norm(x)
            else:
                x = -x
            n = 0
            while jnp.abs(x).max() > 0.5:
                autograph.set_loop_options(maximum_iterations=10)
                x = 0.7 * jnp.tanh(self.second(x))
                n += 1
            return x, n

    return Network(nnx.Rngs(0))


def test_flax_module():
    nnx = pytest.importorskip("flax.nnx")
    network = flax_network(nnx)
    run = autograph.convert()(lambda network, x: network(x))
    for x in (X, -X):
        close(nnx.jit(run)(network, x), network(x))


def test_flax_gradient():
    nnx = pytest.importorskip("flax.nnx")
    network = flax_network(nnx)
    run = autograph.convert()(lambda network, x: network(x)[0].sum())
    expected = nnx.grad(lambda network: network(X)[0].sum())(network)
    close(nnx.jit(nnx.grad(lambda network: run(network, X)))(network), expected)


def test_flax_variable_that_a_branch_changes_is_refused_with_what_works():
    nnx = pytest.importorskip("flax.nnx")

    class Counter(nnx.Module):
        def __init__(self):
            self.count = nnx.Variable(jnp.zeros(()))

        def __call__(self, x):
            if x.sum() > 1:
                self.count[...] = self.count[...] + 1  # refused
            return x

    class Local(Counter):
        def __call__(self, x):
            count = self.count[...]
            if x.sum() > 1:
                count = count + 1
            self.count[...] = count
            return x

    run = nnx.jit(autograph.convert()(lambda network, x: network(x)))
    with pytest.raises(Exception, match="Cannot mutate Variable") as caught:
        run(Counter(), X)
    assert type(caught.value).__name__ == "TraceContextError"
    assert any(str(each.path) == __file__ for each in caught.traceback)
    assert any("assign a local variable" in note for note in caught.value.__notes__)
    line = Counter.__call__.__code__.co_firstlineno + 2
    assert any(f'{__file__}", line {line}, in' in note for note in caught.value.__notes__)
    counter = Local()
    run(counter, X)
    run(counter, -X)
    assert counter.count[...] == 1


# ---- diffrax ----


def field(t, y, args):
    """A ball in a medium that is thick below zero."""
    position, speed = y
    if position < 0:
        drag = 4.0
    else:
        drag = 0.1
    return speed, -1.0 - drag * speed


def test_diffrax_style_solver_by_hand():
    def solve(y):
        t, h, steps = 0.0, 0.1, 0
        while t < 1.0:
            autograph.set_loop_options(maximum_iterations=100)
            h = jnp.minimum(h, 1.0 - t)
            k1 = field(t, y, None)
            middle = jax.tree.map(lambda a, b, h=h: a + h * b, y, k1)
            k2 = field(t + h, middle, None)
            error = h * jnp.abs(k2[1] - k1[1])
            if error < 0.05:
                y = jax.tree.map(lambda a, b, c, h=h: a + h * (b + c) / 2, y, k1, k2)
                t = t + h
                h = h * 1.5
            else:
                h = h * 0.5
            steps += 1
        return y, steps

    start = jnp.array(0.2), jnp.array(0.0)
    close(jax.jit(autograph.convert()(solve))(start), solve(start))


@pytest.mark.parametrize("height", [0.2, 3.0])
def test_diffrax_solves_a_converted_field_that_branches(height):
    diffrax = pytest.importorskip("diffrax")

    def solved(function):
        terms = diffrax.ODETerm(function)
        start = jnp.array(height), jnp.array(0.0)
        return diffrax.diffeqsolve(terms, diffrax.Tsit5(), 0.0, 1.0, 0.05, start).ys

    def selected(t, y, args):
        drag = jnp.where(y[0] < 0, 4.0, 0.1)
        return y[1], -1.0 - drag * y[1]

    close(solved(autograph.convert()(field)), solved(selected))


@pytest.mark.parametrize("height", [0.2, 3.0])
def test_diffrax_called_by_a_converted_function_converts_the_field(height):
    diffrax = pytest.importorskip("diffrax")

    def fallen(start):
        terms = diffrax.ODETerm(field)
        position, speed = diffrax.diffeqsolve(terms, diffrax.Tsit5(), 0.0, 1.0, 0.05, start).ys
        if position[0] < 0:
            return speed[0]
        return position[0]

    def selected(t, y, args):
        return y[1], -1.0 - jnp.where(y[0] < 0, 4.0, 0.1) * y[1]

    start = jnp.array(height), jnp.array(0.0)
    terms = diffrax.ODETerm(selected)
    position, speed = diffrax.diffeqsolve(terms, diffrax.Tsit5(), 0.0, 1.0, 0.05, start).ys
    expected = speed[0] if position[0] < 0 else position[0]
    close(jax.jit(autograph.convert()(fallen))(start), expected)


def test_diffrax_solves_in_each_iteration_of_a_staged_loop():
    diffrax = pytest.importorskip("diffrax")

    def solved(function, rate):
        terms = diffrax.ODETerm(function)
        return diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, 0.25, jnp.array(3.0), rate).ys[
            0
        ]

    def decay(t, y, rate):
        if y > 1:
            return -rate * y
        return -y

    def shooting(rate):
        end, steps = jnp.array(3.0), 0
        while end > 0.7:
            rate = rate * 1.5
            end = solved(decay, rate)
            steps += 1
        return rate, end, steps

    def by_hand(rate):
        end, steps = 3.0, 0
        while end > 0.7:
            rate = rate * 1.5
            end = solved(lambda t, y, rate: -y * jnp.where(y > 1, rate, 1.0), rate)
            steps += 1
        return rate, end, steps

    close(jax.jit(autograph.convert()(shooting))(jnp.array(0.5)), by_hand(jnp.array(0.5)))


def test_equinox_jit_in_a_staged_branch():
    eqx = pytest.importorskip("equinox")

    def program(x):
        if x > 0:

            @eqx.filter_jit
            def scaled(y):
                return y * 2 if y > 1 else y

            x = scaled(x) + 1
        return x

    run = jax.jit(autograph.convert()(program))
    close([run(2.0), run(0.5), run(-1.0)], [5.0, 1.5, -1.0])


OF_TRACERS = """
import jax.numpy as jnp

def select(test, a, b):
    if test is True:
        return a
    if test is not False:
        return jnp.where(test, a, b)
    return b
"""


@pytest.mark.parametrize("folder", ["site-packages", "program"])
def test_library_for_traced_values_asks_for_their_own_identity(folder, tmp_path, monkeypatch):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / f"selecting_{folder[:4]}.py").write_text(OF_TRACERS)
    monkeypatch.syspath_prepend(tmp_path / folder)
    library = importlib.import_module(f"selecting_{folder[:4]}")
    program = jax.jit(autograph.convert()(lambda x: library.select(x > 0, x, -x)))
    if folder == "program":  # where the value may be one that Python has as True
        with pytest.raises(TypeError, match="`is True` asks for the identity"):
            program(-2.0)
    else:
        assert program(-2.0) == 2.0
