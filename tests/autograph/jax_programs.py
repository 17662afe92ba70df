"""Programs as users of JAX write them, with control flow that depends on arrays."""

# The programs are written as users write them.
# ruff: noqa: RUF007, RUF021, SIM108

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

import autograph


class Program(NamedTuple):
    function: Any
    args: tuple
    """Of which the first is a float, or an array of floats."""

    plain: Any
    """The same program for Python, where JAX itself would trace a function with a branch."""

    unbounded: bool = False
    """Whether a loop has no limit, so that the gradient is refused."""


PROGRAMS: list[Program] = []

V = jnp.array([0.5, -1.0, 2.0, 3.0])
W = jnp.array([[2.0, 0.5], [0.3, 1.5]])
TABLE = jnp.array([[0.1, 2.0, 0.3], [0.2, 0.1, 1.5], [1.0, 0.2, 0.1]])


def program(*args, plain=None):
    def register(function):
        PROGRAMS.append(Program(function, args, plain or function))
        return function

    return register


# ---- branches ----


@program(1.5)
def absolute(x):
    if x > 0:
        return x
    return -x


@program(-0.3)
def leaky(x):
    if x > 0:
        y = x
    else:
        y = 0.01 * x
    return y


@program(0.7)
def piecewise(x):
    if x < 0:
        return 0.0 * x
    elif x < 0.5:
        return x
    elif x < 1:
        return x * x
    else:
        return 2 * x - 1


@program(V)
def conditional_expression(x):
    return jnp.where(x > 0, x, 0.1 * x).sum() if x.sum() > 0 else -x.sum()


@program(2.0, 3.0)
def nested_branches(x, y):
    if x > 1:
        if y > 2:
            z = x * y
        else:
            z = x + y
    elif y > 0:
        z = x - y
    else:
        z = x
    return z


@program(0.5, 2.0)
def chained_comparison(x, y):
    if 0 < x < y:
        return y - x
    return x


@program(1.0, -2.0)
def boolean_operators(x, y):
    if x > 0 and not y > 0 or x == y:
        return x * y
    return x + y


@program(V)
def huber(x):
    total = 0.0
    for each in x:
        if jnp.abs(each) < 1:
            total += 0.5 * each**2
        else:
            total += jnp.abs(each) - 0.5
    return total


@program(0.3)
def early_returns(x):
    if x < 0:
        return -x, 1
    x = x * 2
    if x > 1:
        return x, 2
    return x + 1, 3


@program(0.3, 1.0)
def swap_to_order(a, b):
    if a > b:
        a, b = b, a
    return b - 2 * a


@program(2.5)
def reused_name(x):
    y = x
    if y > 2:
        y = y - 2
    if y > 0.4:
        y = y * 3
    return y


@program(V)
def largest_by_hand(x):
    best = x[0]
    for each in x[1:]:
        if each > best:
            best = each
    return best


# ---- loops until something holds ----


@program(1.0)
def doubling(x):
    while x < 100:
        autograph.set_loop_options(maximum_iterations=10)
        x = 2 * x
    return x


@program(9.0)
def newton_root(x):
    guess = x
    while abs(guess * guess - x) > 1e-3:
        autograph.set_loop_options(maximum_iterations=30)
        guess = (guess + x / guess) / 2
    return guess


@program(0.5)
def fixed_point(x):
    y = x
    for _ in range(60):
        new = jnp.cos(y * x)
        if abs(new - y) < 1e-4:
            break
        y = new
    return y


@program(2.0)
def bisection(target):
    low, high = 0.0, 4.0
    for _ in range(25):
        middle = (low + high) / 2
        if middle**3 > target:
            high = middle
        else:
            low = middle
    return low * target


@program(W)
def power_iteration(matrix):
    vector = jnp.ones(2)
    for _ in range(50):
        new = matrix @ vector
        new = new / jnp.linalg.norm(new)
        if jnp.abs(new - vector).max() < 1e-4:
            break
        vector = new
    return vector @ matrix @ vector


@program(V)
def gradient_descent(start):
    x = start
    steps = 0
    while jnp.abs(2 * x).max() > 0.1:
        autograph.set_loop_options(maximum_iterations=40)
        x = x - 0.2 * 2 * x
        steps += 1
    return x.sum(), steps


@program(0.2)
def logistic_map(x):
    for i in range(30):
        x = 3.2 * x * (1 - x)
        if i > 5 and x > 0.79:
            break
    return x


@program(7.3)
def remainder_by_subtraction(x):
    while x >= 2:
        autograph.set_loop_options(maximum_iterations=10)
        x -= 2
    return x


@program(1.2)
def series_until_small(x):
    term, total, n = x, x, 1
    while abs(term) > 1e-4:
        autograph.set_loop_options(maximum_iterations=20)
        term = -term * x * x / ((n + 1) * (n + 2))
        total += term
        n += 2
    return total


@program(0.4)
def continue_in_loop(x):
    total = 0.0
    for i in range(8):
        if x * i > 2:
            continue
        total += x * i
    return total


@program(0.4)
def while_true(x):
    steps = 0
    while True:
        autograph.set_loop_options(maximum_iterations=20)
        x = x * 1.5
        steps += 1
        if x > 3:
            break
    return x, steps


@program(0.4)
def loop_else(x):
    for _ in range(5):
        x = x + 0.3
        if x > 10:
            break
    else:
        x = -x
    return x


@program(0.3)
def nested_loops(x):
    total = 0.0
    for i in range(4):
        for j in range(4):
            if x * j > 0.5 + 0.1 * i:
                break
            total += x * i * j
    return total


@program(W, V[:2])
def conjugate_gradient(matrix, b):
    matrix = matrix @ matrix.T
    x = jnp.zeros(2)
    r = b
    p = r
    for _ in range(4):
        rr = r @ r
        if rr < 1e-5:
            break
        alpha = rr / (p @ matrix @ p)
        x = x + alpha * p
        r = r - alpha * matrix @ p
        p = r + (r @ r) / rr * p
    return x.sum()


@program(W)
def jacobi_sweeps(matrix):
    x = jnp.zeros(2)
    change = jnp.inf
    while change > 1e-3:
        autograph.set_loop_options(maximum_iterations=40)
        new = (1.0 - (matrix @ x - jnp.diag(matrix) * x)) / jnp.diag(matrix)
        change = jnp.abs(new - x).max()
        x = new
    return x.sum()


@program(6.0)
def golden_section(x):
    low, high = 0.0, x
    ratio = 0.618
    while high - low > 0.5:
        autograph.set_loop_options(maximum_iterations=20)
        a = high - ratio * (high - low)
        b = low + ratio * (high - low)
        if (a - 2) ** 2 < (b - 2) ** 2:
            high = b
        else:
            low = a
    return (low + high) / 2


# ---- numerical methods ----


@program(1.0)
def adaptive_step(y):
    t, h = 0.0, 0.5
    while t < 1:
        autograph.set_loop_options(maximum_iterations=60)
        full = y + h * -2 * y
        half = y + h / 2 * -2 * y
        half = half + h / 2 * -2 * half
        if abs(full - half) < 0.02:
            y = half
            t = t + h
            h = h * 1.5
        else:
            h = h / 2
    return y


@program(1.0)
def euler_until_event(height):
    velocity = 0.0
    for _ in range(50):
        velocity = velocity - 0.1
        height = height + 0.1 * velocity
        if height < 0:
            break
    return height, velocity


@program(1.0)
def bouncing(height):
    velocity = 0.0
    for _ in range(20):
        velocity = velocity - 0.1
        height = height + velocity * 0.3
        if height < 0:
            height = -height
            velocity = -0.8 * velocity
    return height


@program(jnp.array([1.0, 0.0]))
def runge_kutta(state):
    def derivative(s):
        if s[0] > 0:
            return jnp.array([s[1], -s[0]])
        return jnp.array([s[1], -2 * s[0]])

    for _ in range(10):
        k1 = derivative(state)
        k2 = derivative(state + 0.1 * k1)
        state = state + 0.2 * k2
    return state.sum()


@program(V)
def trapezoid(x):
    total = 0.0
    for i in range(3):
        area = (x[i] + x[i + 1]) / 2
        if area > 0:
            total += area
    return total


@program(0.1, 3)
def secant(x, n):
    a, b = x, x + 1
    for _ in range(8):
        fa, fb = a * a - 2, b * b - 2
        if abs(fb - fa) < 1e-3:
            break
        a, b = b, b - fb * (b - a) / (fb - fa)
    return b * n


@program(V)
def backtracking(x):
    step = 1.0
    value = (x**2).sum()
    while ((x - step * 2 * x) ** 2).sum() > 0.5 * value:
        autograph.set_loop_options(maximum_iterations=20)
        step = step / 2
    return ((x - step * 2 * x) ** 2).sum()


@program(W)
def matrix_sign(x):
    for _ in range(10):
        new = 0.5 * (x + jnp.linalg.inv(x))
        if jnp.abs(new - x).max() < 1e-3:
            return new.sum()
        x = new
    return x.sum()


@program(W)
def matrix_exponential(matrix):
    term = total = jnp.eye(2)
    for k in range(1, 15):
        term = term @ matrix / k
        if jnp.abs(term).max() < 1e-3:
            break
        total = total + term
    return total.sum()


# ---- sequences ----


@program(V)
def sum_until_negative(x):
    total = 0.0
    for each in x:
        if each < 0:
            break
        total = total + each
    return total


@program(V)
def running_maximum(x):
    best, out = -jnp.inf, []
    for each in x:
        if each > best:
            best = each
        out.append(best)
    return jnp.stack(out)


@program(V)
def count_sign_changes(x):
    changes = 0
    for a, b in zip(x[:-1], x[1:], strict=True):
        if a * b < 0:
            changes += 1
    return x.sum() * changes, changes


@program(V)
def argmax_by_hand(x):
    best, where = x[0], 0
    for i, each in enumerate(x):
        if each > best:
            best, where = each, i
    return best, where


@program(V)
def bubble_sort(x):
    for i in range(3):
        for j in range(3 - i):
            if x[j] > x[j + 1]:
                a, b = x[j], x[j + 1]
                x = x.at[j].set(b).at[j + 1].set(a)
    return x * jnp.arange(4)


@program(V)
def insertion(x):
    for i in range(1, 4):
        j = i
        key = x[i]
        while j > 0 and x[j - 1] > key:
            autograph.set_loop_options(maximum_iterations=4)
            x = x.at[j].set(x[j - 1])
            j = j - 1
        x = x.at[j].set(key)
    return x * jnp.arange(4)


@program(V, 2.0)
def first_above(x, limit):
    found = -1
    for i in range(4):
        if x[i] >= limit:
            found = i
            break
    return x.sum(), found


@program(jnp.array([1.0, 2.0, 2.0, 4.0]), 2.0)
def binary_search(x, wanted):
    low, high = 0, 4
    while low < high:
        autograph.set_loop_options(maximum_iterations=5)
        middle = (low + high) // 2
        if x[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return x[low], low


@program(V)
def clipped_cumulative_sum(x):
    total, out = 0.0, jnp.zeros(4)
    for i in range(4):
        total = total + x[i]
        if total > 2:
            total = 0.0
        out = out.at[i].set(total)
    return out


@program(V)
def largest_subarray(x):
    best = current = x[0]
    for i in range(1, 4):
        if current > 0:
            current = current + x[i]
        else:
            current = x[i]
        if current > best:
            best = current
    return best


@program(V, jnp.array([1.0, 2.0, -1.0]))
def edit_distance(a, b):
    table = jnp.zeros((5, 4))
    for i in range(1, 5):
        for j in range(1, 4):
            if jnp.abs(a[i - 1] - b[j - 1]) < 0.6:
                table = table.at[i, j].set(table[i - 1, j - 1] + a[i - 1])
            else:
                table = table.at[i, j].set(jnp.maximum(table[i - 1, j], table[i, j - 1]))
    return table[4, 3]


@program(V)
def all_positive(x):
    if all(x > 0):
        return x.sum()
    elif any(x > 0):
        return x.max()
    return x.min()


@program(V)
def counted_by_comprehension(x):
    return sum([each * 2 if each > 0 else -each for each in x])


@program(V, 3)
def traced_length(x, n):
    total = 0.0
    for i in range(4):
        if i < n:
            total += x[i]
    return total


# ---- decoding ----


@program(TABLE, 0)
def greedy_decoding(table, token):
    score = 0.0
    tokens = jnp.zeros(6, int)
    for i in range(6):
        following = jnp.argmax(table[token])
        score = score + table[token, following]
        token = following
        tokens = tokens.at[i].set(token)
        if token == 2:
            break
    return score, tokens


@program(TABLE)
def decoding_until_end(table):
    token, length, score = 0, 0, 0.0
    while token != 2 and length < 5:
        autograph.set_loop_options(maximum_iterations=5)
        score = score + table[token].max()
        token = table[token].argmax()
        length += 1
    return score, length


@program(TABLE)
def beam_of_two(table):
    scores = jnp.array([0.0, -10.0])
    tokens = jnp.array([0, 1])
    for _ in range(4):
        options = scores[:, None] + table[tokens]
        flat = options.reshape(-1)
        scores, chosen = lax.top_k(flat, 2)
        tokens = chosen % 3
        if (tokens == 2).all():
            break
    return scores[0]


@program(TABLE)
def viterbi(table):
    score = table[0]
    for _ in range(3):
        options = score[:, None] + table
        if options.max() > 6:
            options = options - 1
        score = options.max(0)
    return score.max()


@program(V, jnp.array([0, 1, 1, 0]))
def merge_repeats(x, labels):
    last, total = -1, 0.0
    for value, label in zip(x, labels, strict=True):
        if label != last and label > 0:
            total = total + value
        last = label
    return total


@program(TABLE)
def sampled_decoding(table):
    key = jax.random.key(0)
    token, score = 0, 0.0
    for _ in range(5):
        key, sub = jax.random.split(key)
        token = jax.random.categorical(sub, table[token])
        score = score + table[token].sum()
        if token == 2:
            break
    return score


# ---- sampling, clustering ----


@program(0.5)
def metropolis(x):
    key = jax.random.key(1)
    accepted = 0
    for _ in range(10):
        key, a, b = jax.random.split(key, 3)
        proposal = x + 0.5 * jax.random.normal(a)
        if jax.random.uniform(b) < jnp.exp((x**2 - proposal**2) / 2):
            x = proposal
            accepted += 1
    return x, accepted


@program(1.0)
def rejection_sampling(scale):
    key = jax.random.key(2)
    value = 2.0
    while value > 1:
        autograph.set_loop_options(maximum_iterations=20)
        key, sub = jax.random.split(key)
        value = scale * jnp.abs(jax.random.normal(sub)) * 1.5
    return value


@program(0.0)
def random_walk(x):
    steps = jax.random.normal(jax.random.key(3), (20,))
    for step in steps:
        x = x + step
        if jnp.abs(x) > 2:
            break
    return x


@program(jnp.array([0.1, 0.3, 2.0, 2.4]))
def two_means(points):
    a, b = points[0], points[3]
    for _ in range(5):
        near = jnp.abs(points - a) < jnp.abs(points - b)
        new_a = (points * near).sum() / near.sum()
        new_b = (points * ~near).sum() / (~near).sum()
        if jnp.abs(new_a - a) + jnp.abs(new_b - b) < 1e-3:
            break
        a, b = new_a, new_b
    return a + 2 * b


@program(jnp.array([0.1, 0.3, 2.0, 2.4]), 1.0)
def mean_shift(points, start):
    x = start
    while True:
        autograph.set_loop_options(maximum_iterations=20)
        near = jnp.abs(points - x) < 1.2
        new = (points * near).sum() / jnp.maximum(near.sum(), 1)
        if jnp.abs(new - x) < 1e-4:
            break
        x = new
    return x * 2


@program(V)
def simulated_annealing(x):
    key = jax.random.key(4)
    temperature = 1.0
    energy = (x**2).sum()
    for _ in range(6):
        key, a, b = jax.random.split(key, 3)
        new = x + 0.3 * jax.random.normal(a, (4,))
        new_energy = (new**2).sum()
        if new_energy < energy or jax.random.uniform(b) < jnp.exp(energy - new_energy):
            x, energy = new, new_energy
        temperature = temperature * 0.9
    return energy * temperature


# ---- networks and training ----


@program(V[:2], W)
def early_exit_network(x, w):
    for layer in range(4):
        x = jnp.tanh(w @ x)
        if x.max() > 0.9:
            return x.sum() * (layer + 1)
    return x.sum()


@program(V, jnp.array([1, 1, 1, 0]))
def ragged_rnn(x, mask):
    h = 0.0
    for each, keep in zip(x, mask, strict=True):
        if keep:
            h = jnp.tanh(0.5 * h + each)
    return h


@program(V, 3)
def rnn_of_length(x, length):
    h, i = 0.0, 0
    while i < length:
        autograph.set_loop_options(maximum_iterations=4)
        h = jnp.tanh(h + x[i])
        i += 1
    return h


@program(V)
def gated_cell(x):
    h = c = 0.0
    for each in x:
        forget = jax.nn.sigmoid(each)
        if forget > 0.5:
            c = forget * c + jnp.tanh(each)
        h = jnp.tanh(c) + h
    return h


@program(0.5)
def early_stopping(rate):
    w, best, waited = 3.0, jnp.inf, 0
    for _ in range(20):
        w = w - rate * 0.3 * 2 * w
        loss = w * w
        if loss < best - 0.01:
            best, waited = loss, 0
        else:
            waited += 1
            if waited > 2:
                break
    return w + best


@program(0.5)
def learning_rate_decay(w):
    rate, last = 0.4, jnp.inf
    for _ in range(10):
        loss = (w - 1) ** 4
        if loss > 0.5 * last:
            rate = rate * 0.8
        last = loss
        w = w - rate * 4 * (w - 1) ** 3
    return w


@program(V)
def gradient_clipping(x):
    def loss(p):
        return (p**2 * jnp.arange(1, 5)).sum()

    for _ in range(3):
        g = jax.grad(loss)(x)
        norm = jnp.sqrt((g**2).sum())
        if norm > 1:
            g = g / norm
        x = x - 0.5 * g
    return loss(x)


@program(V)
def perceptron(x):
    w, b = jnp.zeros(4), 0.0
    for target in (1.0, -1.0):
        if target * (w @ x + b) <= 0:
            w = w + target * x
            b = b + target
    return w @ x + b


@program(W, V[:2])
def mixture_of_experts(w, x):
    gate = w @ x
    if gate[0] > gate[1]:
        return jnp.tanh(gate).sum()
    return jax.nn.relu(gate).sum() + gate[0]


@program(V)
def dynamic_loss_scale(x):
    scale, good = 8.0, 0
    for i in range(6):
        value = (x * scale * i).max()
        if value > 50:
            scale, good = scale / 2, 0
        else:
            good += 1
            if good == 2:
                scale, good = scale * 2, 0
    return (x * scale).sum()


@program(0.5)
def momentum_restart(w):
    velocity = 0.0
    for _ in range(8):
        g = 2 * (w - 3)
        if g * velocity > 0:
            velocity = 0.0
        velocity = 0.9 * velocity - 0.1 * g
        w = w + velocity
    return w


# ---- objects and structures ----


class Accumulator:
    def __init__(self):
        self.total = 0.0
        self.count = 0

    def add(self, x):
        if x > 0:
            self.total = self.total + x
            self.count = self.count + 1

    def mean(self):
        if self.count > 0:
            return self.total / self.count
        return self.total


@program(V)
def stateful_object(x):
    accumulator = Accumulator()
    for each in x:
        accumulator.add(each)
    return accumulator.mean()


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Dense:
    weight: Any
    bias: Any

    def __call__(self, x):
        y = self.weight @ x + self.bias
        if y.max() > 1:
            y = y / y.max()
        return y


@program(W, V[:2])
def module_as_pytree(w, x):
    layer = Dense(w, jnp.zeros(2))
    for _ in range(2):
        x = layer(x)
    return x.sum()


@program(W, V[:2])
def replaced_module(w, x):
    layer = Dense(w, jnp.ones(2))
    if layer(x).sum() > 1:
        layer = dataclasses.replace(layer, bias=layer.bias * 2)
    return layer(x).sum()


class Point(NamedTuple):
    x: Any
    y: Any


@program(1.0, 2.0)
def named_tuple_state(x, y):
    point = Point(x, y)
    for _ in range(5):
        if point.x > point.y:
            point = Point(point.y, point.x)
        else:
            point = point._replace(x=point.x * 1.5)
    return point.x + 2 * point.y


@program(1.0)
def dict_state(x):
    state = {"value": x, "steps": 0}
    while state["value"] < 10:
        autograph.set_loop_options(maximum_iterations=10)
        state["value"] = state["value"] * 2
        state["steps"] += 1
    return state["value"], state["steps"]


@program(V)
def tree_of_parameters(x):
    params = {"a": x, "b": [x.sum(), 2 * x]}
    for _ in range(3):
        norm = sum([(leaf**2).sum() for leaf in jax.tree.leaves(params)])
        if norm > 5:
            params = jax.tree.map(lambda leaf: leaf * 0.5, params)
    return params["b"][0]


class Optimizer:
    def __init__(self, rate):
        self.rate = rate
        self.velocity = 0.0

    def update(self, w, g):
        self.velocity = 0.5 * self.velocity + g
        if abs(self.velocity) > 2:
            self.velocity = self.velocity / 2
        return w - self.rate * self.velocity


@program(0.5)
def optimizer_object(w):
    optimizer = Optimizer(0.1)
    for _ in range(4):
        w = optimizer.update(w, 2 * (w - 3))
    return w


@program(V)
def fixed_capacity_stack(x):
    stack, size = jnp.zeros(4), 0
    for each in x:
        if each > 0:
            stack = stack.at[size].set(each)
            size = size + 1
        elif size > 0:
            size = size - 1
    return stack.sum(), size


@program(V)
def histogram(x):
    counts = jnp.zeros(3)
    for each in x:
        if each < 0:
            counts = counts.at[0].add(each)
        elif each < 1:
            counts = counts.at[1].add(each * 2)
        else:
            counts = counts.at[2].add(each * 3)
    return counts


@program(V)
def ring_buffer(x):
    buffer, at = jnp.zeros(2), 0
    for each in x:
        if each > 0:
            buffer = buffer.at[at].set(each)
            at = (at + 1) % 2
    return buffer


@program(W)
def in_place_elimination(a):
    for i in range(2):
        if jnp.abs(a[i, i]) > 0.1:
            a = a.at[i].divide(a[i, i])
        for j in range(2):
            if j != i:
                a = a.at[j].add(-a[j, i] * a[i])
    return a.sum()


@program(jnp.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.5], [4.0, 1.5, 0.0]]))
def shortest_paths(d):
    for k in range(3):
        for i in range(3):
            for j in range(3):
                if d[i, k] + d[k, j] < d[i, j]:
                    d = d.at[i, j].set(d[i, k] + d[k, j])
    return d.sum()


# ---- transformations inside ----


@program(V, plain=lambda x: sum(each if each > 0 else 0.1 * each for each in x))
def vmapped_branch(x):
    def relu(each):
        if each > 0:
            return each
        return 0.1 * each

    return jax.vmap(relu)(x).sum()


def prefix_sums(x):
    total, sums = 0.0, 0.0
    for each in x:
        total = total + each if each > 0 else total
        sums = sums + total
    return sums


@program(V, plain=prefix_sums)
def scanned_step(x):
    def step(total, each):
        if each > 0:
            total = total + each
        return total, total

    return lax.scan(step, 0.0, x)[1].sum()


@program(2.0)
def newton_by_grad(x):
    def f(y):
        return y**3 - 2 * y - 5

    for _ in range(10):
        value = f(x)
        if abs(value) < 1e-3:
            break
        x = x - value / jax.grad(f)(x)
    return x


def three_blocks(x):
    for _ in range(3):
        x = jnp.tanh(x) if x.sum() > 1 else jnp.sin(x)
    return x.sum()


@program(V, plain=three_blocks)
def checkpointed(x):
    @jax.checkpoint
    def block(y):
        if y.sum() > 1:
            return jnp.tanh(y)
        return jnp.sin(y)

    for _ in range(3):
        x = block(x)
    return x.sum()


def two_norms(x):
    def norm_or_sum(y):
        return jnp.sqrt((y**2).sum()) if (y**2).sum() > 4 else y.sum()

    return norm_or_sum(x) + norm_or_sum(0.1 * x)


@program(V, plain=two_norms)
def jitted_helper(x):
    @jax.jit
    def norm_or_sum(y):
        if (y**2).sum() > 4:
            return jnp.sqrt((y**2).sum())
        return y.sum()

    return norm_or_sum(x) + norm_or_sum(0.1 * x)


@jax.custom_jvp
def safe_log(x):
    if x > 0.1:
        return jnp.log(x)
    return 10 * (x - 0.1) + jnp.log(0.1)


@safe_log.defjvp
def safe_log_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return safe_log(x), t / jnp.maximum(x, 0.1)


@program(0.5)
def custom_rule(x):
    total = 0.0
    for scale in (1.0, 0.1):
        total = total + safe_log(x * scale)
    return total


@program(V)
def jacobian_inside(x):
    def f(y):
        return jnp.where(y > 0, y**2, y)

    j = jax.jacfwd(f)(x)
    if jnp.trace(j) > 2:
        return jnp.trace(j)
    return j.sum()


# ---- functions ----


@program(0.5)
def closure_state(x):
    calls = 0

    def step(y):
        nonlocal calls
        if y > 1:
            calls += 1
            return y - 1
        return y * 3

    for _ in range(4):
        x = step(x)
    return x, calls


@program(0.5)
def higher_order_function(x):
    def twice(f, y):
        return f(f(y))

    return twice(lambda y: y + 1 if y < 1 else y * 2, x)


@program(0.5)
def default_arguments(x):
    def scaled(y, factor=2.0, *, limit=3.0):
        y = y * factor
        if y > limit:
            return limit * y / y
        return y

    return scaled(x) + scaled(x, 10.0, limit=4.0)


@program(0.5, 2)
def integer_power(x, n):
    result = 1.0
    while n > 0:
        autograph.set_loop_options(maximum_iterations=6)
        if n % 2 == 1:
            result = result * x
        x = x * x
        n = n // 2
    return result


@program(3.0, 4.0)
def checked_arguments(x, y):
    assert x > 0, "x must be positive"
    if y < 0:
        raise ValueError("y is negative")
    return jnp.sqrt(x * y)


@program(1.0)
def stops_with_error(x):
    for _ in range(10):
        x = x * 1.5
        if x > 1000:
            raise RuntimeError("diverged")
    return x


@program(V)
def walrus(x):
    if (total := x.sum()) > 1:
        return total * 2
    return -total


@program(0.5)
def loop_over_functions(x):
    for f in (jnp.sin, jnp.exp, jnp.tanh):
        y = f(x)
        if y > 0.6:
            x = y
    return x


@program(0.5)
def generator_of_numbers(x):
    total = x
    for i in (k * k for k in range(4)):
        if total > 2:
            total = total - i
        else:
            total = total + i
    return total


@program(V)
def min_max_of_branch(x):
    low, high = min(x[0], x[1]), max(x[2], x[3])
    if high - low > 1:
        return high * low
    return high
