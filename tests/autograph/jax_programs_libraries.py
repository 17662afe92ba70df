"""Programs with JAX's other libraries, solvers, rollouts and decoders; see `jax_programs`."""

# The programs are written as users write them.
# ruff: noqa: B007, B023, B905, E731, SIM108

import dataclasses
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from flax import nnx
from jax import lax

from tests.autograph.jax_programs import TABLE, Program, V

PROGRAMS: list[Program] = []


def program(*args, plain=None):
    def register(function):
        PROGRAMS.append(Program(function, args, plain or function))
        return function

    return register


class Mlp(eqx.Module):
    layers: list
    threshold: float = eqx.field(static=True, default=0.5)

    def __init__(self, key):
        keys = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(4, 4, key=each) for each in keys]

    def __call__(self, x):
        for i, layer in enumerate(self.layers):
            x = jnp.tanh(layer(x))
            if jnp.abs(x).max() < self.threshold:
                return x * (i + 1)
        return x


@program(V)
def equinox_early_exit(x):
    model = Mlp(jax.random.key(0))
    return model(x)


@program(V)
def equinox_training(x):
    model = Mlp(jax.random.key(1))
    optimizer = optax.adam(1e-2)
    state = optimizer.init(eqx.filter(model, eqx.is_array))

    @eqx.filter_value_and_grad
    def loss_of(model, x):
        return jnp.sum((model(x) - 1) ** 2)

    best = jnp.inf
    patience = 0
    for step in range(8):
        loss, grads = loss_of(model, x)
        updates, state = optimizer.update(grads, state)
        model = eqx.apply_updates(model, updates)
        if loss < best - 1e-4:
            best = loss
            patience = 0
        else:
            patience += 1
        if patience > 2:
            break
    return best


@program(V)
def optax_schedule_by_hand(x):
    w = jnp.zeros(4)
    optimizer = optax.sgd(0.1, momentum=0.9)
    state = optimizer.init(w)
    history = []
    for _ in range(6):
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((w - x) ** 2))(w)
        norm = optax.global_norm(grad)
        if norm > 1.0:
            grad = jax.tree.map(lambda g: g / norm, grad)
        updates, state = optimizer.update(grad, state, w)
        w = optax.apply_updates(w, updates)
        history.append(loss)
    return w, jnp.stack(history)


@program(V)
def optax_until_converged(x):
    w = jnp.zeros(4)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(0.3))
    state = optimizer.init(w)
    loss = jnp.array(jnp.inf)
    steps = 0
    while loss > 0.05 and steps < 200:
        loss, grad = jax.value_and_grad(lambda w: jnp.sum((w - x) ** 2))(w)
        updates, state = optimizer.update(grad, state, w)
        w = optax.apply_updates(w, updates)
        steps += 1
    return w, steps


@program(V)
def nnx_gate(x):
    class Gate(nnx.Module):
        def __init__(self, rngs):
            self.inner = nnx.Linear(4, 4, rngs=rngs)

        def __call__(self, x):
            y = self.inner(x)
            if y.sum() > 0:
                y = y * 2
            else:
                y = -y
            return y

    return Gate(nnx.Rngs(0))(x)


class Env(NamedTuple):
    position: Any
    velocity: Any


def step_of(env, action):
    velocity = env.velocity + 0.1 * (action - 1) - 0.05 * jnp.cos(3 * env.position)
    velocity = jnp.clip(velocity, -0.7, 0.7)
    position = env.position + velocity
    if position < -1.2:
        position = jnp.array(-1.2)
        velocity = jnp.array(0.0)
    done = position >= 0.5
    reward = jnp.where(done, 10.0, -1.0)
    return Env(position, velocity), reward, done


@program(-0.5)
def rollout(start):
    env = Env(jnp.asarray(start), jnp.array(0.0))
    total = 0.0
    for _ in range(60):
        action = 2 if env.velocity >= 0 else 0
        env, reward, done = step_of(env, action)
        total = total + reward
        if done:
            break
    return total, env


@program(TABLE)
def value_iteration(rewards):
    values = jnp.zeros(3)
    delta = jnp.inf
    while delta > 1e-3:
        new = (rewards + 0.8 * values[None, :]).max(axis=1)
        delta = jnp.abs(new - values).max()
        values = new
    return values


@program(TABLE, 3)
def q_learning(table, seed):
    q = jnp.zeros((3, 3))
    state = 0
    key = jax.random.key(seed)
    for t in range(12):
        key, sub, pick = jax.random.split(key, 3)
        if jax.random.uniform(sub) < 0.3:
            action = jax.random.randint(pick, (), 0, 3)
        else:
            action = jnp.argmax(q[state])
        reward = table[state, action]
        target = reward + 0.9 * q[action].max()
        q = q.at[state, action].add(0.5 * (target - q[state, action]))
        state = action
    return q


@program(1.0)
def bogacki_shampine(y):
    t, h, steps = 0.0, 0.1, 0
    while t < 1.0:
        h = jnp.minimum(h, 1.0 - t)
        k1 = -2 * y
        k2 = -2 * (y + h * k1 / 2)
        k3 = -2 * (y + h * 3 * k2 / 4)
        new = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
        k4 = -2 * new
        error = abs(h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - k4 / 8)) + 1e-12
        if error < 1e-5:
            t = t + h
            y = new
        factor = 0.9 * (1e-5 / error) ** (1 / 3)
        h = h * jnp.clip(factor, 0.2, 5.0)
        steps += 1
        if steps > 500:
            break
    return y, t


@program(0.3)
def implicit_euler(y):
    for _ in range(5):
        guess = y
        for _ in range(10):
            residual = guess - y - 0.1 * jnp.sin(guess)
            if abs(residual) < 1e-6:
                break
            guess = guess - residual / (1 - 0.1 * jnp.cos(guess))
        y = guess
    return y


@program(2.0)
def saveat(y):
    saved = jnp.zeros(5)
    index = 0
    t = 0.0
    while index < 5:
        t = t + 0.05
        y = y + 0.05 * (1 - y)
        if t >= 0.2 * (index + 1):
            saved = saved.at[index].set(y)
            index += 1
    return saved


@program(TABLE)
def sample_top_k(table):
    key = jax.random.key(7)
    tokens = jnp.full(6, -1)
    token = jnp.array(0)
    for t in range(6):
        key, sub = jax.random.split(key)
        values, indices = lax.top_k(table[token], 2)
        if values[0] - values[1] > 1.0:
            token = indices[0]
        else:
            token = indices[jax.random.categorical(sub, values)]
        tokens = tokens.at[t].set(token)
        if token == 2:
            break
    return tokens


@program(V)
def adaptive_computation(x):
    w = jnp.ones((4, 4)) * 0.1
    halting = 0.0
    output = jnp.zeros(4)
    steps = 0
    while halting < 0.99 and steps < 10:
        x = jnp.tanh(w @ x + 0.1)
        p = jax.nn.sigmoid(x.mean())
        if halting + p > 0.99:
            p = 1 - halting
        output = output + p * x
        halting = halting + p
        steps += 1
    return output, steps


@program(V)
def particle_filter(x):
    key = jax.random.key(0)
    particles = jnp.linspace(-1, 1, 8)
    weights = jnp.ones(8) / 8
    for obs in x:
        key, sub = jax.random.split(key)
        particles = particles + 0.1 * jax.random.normal(sub, (8,))
        weights = weights * jnp.exp(-0.5 * (obs - particles) ** 2)
        weights = weights / weights.sum()
        if 1 / (weights**2).sum() < 4:
            positions = (jnp.arange(8) + 0.5) / 8
            particles = particles[jnp.searchsorted(jnp.cumsum(weights), positions)]
            weights = jnp.ones(8) / 8
    return (particles * weights).sum()


@dataclasses.dataclass
class Averager:
    total: Any
    count: int = 0

    def update(self, value):
        if value > 0:
            self.total = self.total + value
            self.count += 1

    @property
    def mean(self):
        return self.total / self.count if self.count > 0 else jnp.array(0.0)


@program(V)
def metrics_object(x):
    average = Averager(jnp.array(0.0))
    for value in x:
        average.update(value)
    return average.mean


@program(V)
def trust_region(x):
    f = lambda w: ((w - 1) ** 2 * (w + 2) ** 2).sum()
    radius = 1.0
    for _ in range(10):
        g = jax.grad(f)(x)
        step = -g * jnp.minimum(1.0, radius / (jnp.linalg.norm(g) + 1e-9))
        predicted = -(g @ step)
        actual = f(x) - f(x + step)
        ratio = actual / predicted
        if ratio < 0.25:
            radius = radius / 4
        elif ratio > 0.75:
            radius = jnp.minimum(2 * radius, 10.0)
        if ratio > 0.1:
            x = x + step
    return x, radius


@program(V)
def lbfgs_memory(x):
    f = lambda w: ((w - jnp.arange(4.0)) ** 2 * jnp.arange(1.0, 5.0)).sum()
    s, y = [], []
    for _ in range(4):
        g = jax.grad(f)(x)
        q = g
        alphas = []
        for si, yi in reversed(list(zip(s, y))):
            a = (si @ q) / (si @ yi + 1e-9)
            q = q - a * yi
            alphas.append(a)
        for (si, yi), a in zip(zip(s, y), reversed(alphas)):
            b = (yi @ q) / (si @ yi + 1e-9)
            q = q + (a - b) * si
        t = 1.0
        while f(x - t * q) > f(x):
            t = t / 2
        new = x - t * q
        s.append(new - x)
        y.append(jax.grad(f)(new) - g)
        x = new
    return x


def _running(x):
    carry, carries = jnp.array(0.0), []
    for v in x:
        carry = carry + v if v > 0 else carry * 0.5
        carries.append(carry)
    return carry, jnp.stack(carries)


@program(V, plain=_running)
def scan_with_branch_inside(x):
    def body(carry, v):
        if v > 0:
            carry = carry + v
        else:
            carry = carry * 0.5
        return carry, carry

    return lax.scan(body, 0.0, x)


def _each_exit(x):
    values, counts = [], []
    for v in x:
        n = 0
        while v > 0.1 and n < 3:
            v = v * 0.5
            n += 1
        values.append(v)
        counts.append(n)
    return jnp.stack(values), jnp.array(counts)


@program(V, plain=_each_exit)
def vmap_of_early_exit(x):
    def each(v):
        n = 0
        while v > 0.1:
            v = v * 0.5
            n += 1
            if n == 3:
                break
        return v, n

    return jax.vmap(each)(x)


@program(V)
def fixed_step_ode_with_time(y):
    dt = 0.01
    for i in range(150):
        t = i * dt
        y = y + dt * (jnp.sin(t) - y)
        if jnp.abs(y).max() < 0.9:
            break
    return y
