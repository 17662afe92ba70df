"""More programs as users of JAX write them; see `jax_programs`."""

# The programs are written as users write them.
# ruff: noqa: B905, E731

import contextlib
import dataclasses
import functools
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

import autograph
from tests.autograph.jax_programs import TABLE, Program, V, W

PROGRAMS: list[Program] = []


def program(*args, plain=None):
    def register(function):
        PROGRAMS.append(Program(function, args, plain or function))
        return function

    return register


# ---- decoding ----


@program(TABLE)
def beam_search(table):
    """Three steps of a beam of two, which stops when both beams have ended."""
    beams = jnp.zeros(2, int)
    scores = jnp.array([0.0, -1e9])
    done = jnp.zeros(2, bool)
    for _ in range(4):
        logp = jax.nn.log_softmax(table[beams])
        logp = jnp.where(done[:, None], jnp.array([-1e9, -1e9, 0.0]), logp)
        total = (scores[:, None] + logp).ravel()
        scores, flat = lax.top_k(total, 2)
        done = done[flat // 3] | (flat % 3 == 2)
        beams = flat % 3
        if done.all():
            break
    return scores, beams


@program(TABLE)
def nucleus(table):
    """The smallest set of tokens with enough probability."""
    p = jnp.sort(jax.nn.softmax(table[0]))[::-1]
    mass, n = 0.0, 0
    for each in p:
        mass = mass + each
        n += 1
        if mass > 0.6:
            break
    return mass, n


@program(1.0)
def speculative(x):
    draft = [0.5, 0.9, 1.6, 2.5]
    total, accepted = 0.0, 0
    for d in draft:
        p = jax.nn.sigmoid(x - d)
        if p < 0.4:
            break
        total += p
        accepted += 1
    else:
        total += 1
    return total, accepted


@program(0.5, jnp.array([0, 0, 1, 1, 0, 2, 2, 0]))
def ctc_collapse(x, labels):
    out = jnp.zeros(8, int)
    n = 0
    previous = -1
    for label in labels:
        if label != previous and label != 0:
            out = out.at[n].set(label)
            n = n + 1
        previous = label
    return x * n, out


@program(TABLE)
def greedy_with_cache(table):
    cache = {"keys": jnp.zeros((5, 3)), "n": 0}
    token = jnp.argmax(table[0])
    total = 0.0
    while cache["n"] < 5 and token != 2:
        autograph.set_loop_options(maximum_iterations=5)
        cache["keys"] = cache["keys"].at[cache["n"]].set(table[token])
        total = total + cache["keys"].sum()
        token = jnp.argmax(cache["keys"].sum(0))
        cache["n"] += 1
    return total, cache["n"]


# ---- sampling ----


@program(0.3)
def metropolis_chain(x):
    key = jax.random.key(0)
    accepted = 0
    for _ in range(10):
        key, k1, k2 = jax.random.split(key, 3)
        proposal = x + 0.5 * jax.random.normal(k1)
        if jnp.log(jax.random.uniform(k2)) < (x**2 - proposal**2) / 2:
            x = proposal
            accepted += 1
    return x, accepted


@program(1.0)
def leapfrog_until_turn(q):
    p, start = 0.3, q
    n = 0
    while (q - start) * p >= 0 and n < 40:
        autograph.set_loop_options(maximum_iterations=40)
        p = p - 0.05 * q
        q = q + 0.1 * p
        p = p - 0.05 * q
        n += 1
    return q, n


@program(1.2)
def poisson_by_knuth(rate):
    key = jax.random.key(4)
    product, k = 1.0, 0
    while product > jnp.exp(-rate):
        autograph.set_loop_options(maximum_iterations=30)
        key, sub = jax.random.split(key)
        product = product * jax.random.uniform(sub)
        k += 1
    return product, k - 1


@program(V)
def slice_sampling(x):
    f = lambda v: -(v**2) / 2
    y = f(x[0]) - 0.7
    left, right = x[0] - 0.5, x[0] + 0.5
    while f(left) > y:
        autograph.set_loop_options(maximum_iterations=10)
        left = left - 0.5
    while f(right) > y:
        autograph.set_loop_options(maximum_iterations=10)
        right = right + 0.5
    return left, right


@program(V)
def effective_sample_size(w):
    w = jax.nn.softmax(w)
    if 1 / (w**2).sum() < 3:
        points = (jnp.arange(4) + 0.5) / 4
        index = jnp.searchsorted(jnp.cumsum(w), points)
        w = w[jnp.clip(index, 0, 3)]
    return w / w.sum()


# ---- numerical methods ----


class Solution(NamedTuple):
    t: Any
    y: Any
    h: Any
    accepted: Any


@program(1.0)
def embedded_runge_kutta(y0):
    s = Solution(0.0, y0, 0.3, 0)
    while s.t < 1.0:
        autograph.set_loop_options(maximum_iterations=60)
        h = jnp.minimum(s.h, 1.0 - s.t)
        k1 = -2 * s.y
        k2 = -2 * (s.y + h * k1)
        error = jnp.abs(h * (k2 - k1) / 2)
        if error < 0.02:
            s = Solution(s.t + h, s.y + h * (k1 + k2) / 2, h * 1.4, s.accepted + 1)
        else:
            s = s._replace(h=h * 0.5)
    return s.y, s.accepted


@program(0.7)
def continued_fraction(x):
    value, previous, n = x, math.inf, 0
    while jnp.abs(value - previous) > 1e-5:
        autograph.set_loop_options(maximum_iterations=40)
        previous, value = value, 1 / (1 + value)
        n += 1
    return value, n


@program(W)
def power_of_matrix(a):
    for _ in range(20):
        if jnp.abs(a[1, 0]) < 1e-4:
            break
        q, r = jnp.linalg.qr(a)
        a = r @ q
    return jnp.diagonal(a)


@program(jnp.array([-1.2, 1.0]))
def armijo(x):
    f = lambda v: (1 - v[0]) ** 2 + 10 * (v[1] - v[0] ** 2) ** 2
    for _ in range(3):
        g = jax.grad(f)(x)
        step = 1.0
        while f(x - step * g) > f(x) - 1e-4 * step * (g @ g):
            autograph.set_loop_options(maximum_iterations=20)
            step *= 0.5
        x = x - step * g
    return x


@program(jnp.array([3.0, 1.0, 2.0, 5.0, 4.0]))
def median_by_bisection(xs):
    low, high = xs.min(), xs.max()
    for _ in range(40):
        pivot = (low + high) / 2
        smaller = (xs < pivot).sum()
        if smaller > 2:
            high = pivot
        elif smaller < 2:
            low = pivot
        else:
            break
    return jnp.where(xs >= pivot, xs, jnp.inf).min()


@program(2.0)
def integrate_adaptively(x):
    f = lambda v: jnp.exp(-v * v)
    n, last = 1, 0.0
    estimate = x * (f(0.0) + f(x)) / 2
    while jnp.abs(estimate - last) > 1e-3:
        autograph.set_loop_options(maximum_iterations=6)
        last = estimate
        h = x / n
        midpoints = jnp.where(jnp.arange(32) < n, f(h * (jnp.arange(32) + 0.5)), 0).sum()
        estimate = (last + h * midpoints) / 2
        n = n * 2
    return estimate


@program(3.0)
def brent_like(target):
    a, b = 0.0, 4.0
    fa, fb = a**2 - target, b**2 - target
    for i in range(30):
        if abs(fb) < 1e-5:
            return b
        s = b - fb * (b - a) / (fb - fa)
        if s < a or s > b or i % 3 == 2:
            s = (a + b) / 2
        fs = s**2 - target
        if fa * fs < 0:
            b, fb = s, fs
        else:
            a, fa = s, fs
        if abs(fa) < abs(fb):
            a, b, fa, fb = b, a, fb, fa
    return b


@program(V)
def kahan_sum(xs):
    total = correction = jnp.zeros(())
    for x in xs:
        t = total + x
        if abs(total) >= abs(x):
            correction += (total - t) + x
        else:
            correction += (x - t) + total
        total = t
    return total + correction


# ---- learning ----


@program(jnp.array([[0.0, 0.1], [0.2, 0.0], [3.0, 3.1], [2.9, 3.3], [0.1, 0.3]]))
def k_means_until_stable(points):
    centers = points[:2]
    owner = jnp.full(5, -1)
    for _ in range(8):
        new = jnp.argmin(((points[:, None] - centers) ** 2).sum(-1), axis=1)
        if jnp.array_equal(new, owner):
            break
        owner = new
        rows = []
        for c in range(2):
            mask = owner == c
            if mask.any():
                rows.append((points * mask[:, None]).sum(0) / mask.sum())
            else:
                rows.append(centers[c])
        centers = jnp.stack(rows)
    return centers


@program(jnp.zeros(2), jnp.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.5], [-2.0, 0.5]]))
def perceptron_epochs(w, points):
    labels = jnp.array([1.0, 1.0, -1.0, -1.0])
    mistakes, epochs = 1, 0
    while mistakes > 0 and epochs < 8:
        autograph.set_loop_options(maximum_iterations=8)
        mistakes = 0
        for x, y in zip(points, labels):
            if y * (w @ x) <= 0:
                w = w + y * x
                mistakes += 1
        epochs += 1
    return w, epochs


class Trainer:
    def __init__(self, patience):
        self.best = jnp.inf
        self.patience = patience
        self.waited = 0

    def should_stop(self, loss):
        if loss < self.best - 1e-3:
            self.best = loss
            self.waited = 0
        else:
            self.waited += 1
        return self.waited >= self.patience


@program(4.0)
def early_stopping_object(w):
    trainer = Trainer(2)
    for _ in range(30):
        loss = (w - 1) ** 2
        if trainer.should_stop(loss):
            break
        w = w - 0.3 * 2 * (w - 1)
    return w, trainer.best


@program(V)
def adam_until_small(w):
    m = v = jnp.zeros(4)
    t = 0
    while jnp.any(jnp.abs(w) > 1.0) and t < 20:
        autograph.set_loop_options(maximum_iterations=20)
        t += 1
        g = 2 * w
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        w = w - 0.3 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return w, t


@program(2.0)
def plateau_schedule(w):
    rate, last, history = 1.1, jnp.inf, []
    for _ in range(6):
        loss = w * w
        history.append(loss)
        if loss >= last * 0.99:
            rate /= 2
        last = loss
        w = w - rate * 2 * w
    return w, jnp.stack(history)


@program(V)
def skip_bad_gradients(g):
    norm = jnp.linalg.norm(g)
    if jnp.isnan(norm) or jnp.isinf(norm):
        return jnp.zeros_like(g)
    scale = 1.0
    if norm > 1:
        scale = 1.0 / norm
    return g * scale


@program(jnp.array([0.1, 0.4, -0.2]))
def halting_network(x):
    w = jnp.array([[0.2, -0.3, 0.5], [0.4, 0.1, -0.2], [-0.6, 0.3, 0.2]])
    halted, out, n = 0.0, jnp.zeros(3), 0
    while halted < 0.99 and n < 6:
        autograph.set_loop_options(maximum_iterations=6)
        x = jnp.tanh(w @ x)
        p = jax.nn.sigmoid(x.sum())
        if halted + p > 0.99:
            p = 1 - halted
        halted = halted + p
        out = out + p * x
        n += 1
    return out, n


@program(W)
def equilibrium(w):
    z = jnp.zeros(2)
    for _ in range(60):
        new = jnp.tanh(0.3 * w @ z + 0.5)
        if jnp.linalg.norm(new - z) < 1e-4:
            return new
        z = new
    return z


# ---- sequences and tables ----


@program(jnp.arange(12.0).reshape(3, 4) / 10, jnp.array([4, 2, 0]))
def ragged_mean(batch, lengths):
    out = jnp.zeros(3)
    for i in range(3):
        total = 0.0
        for j in range(4):
            if j >= lengths[i]:
                break
            total = total + batch[i, j]
        if lengths[i] > 0:
            out = out.at[i].set(total / lengths[i])
    return out


@program(V)
def longest_increasing(xs):
    best = jnp.ones(4)
    for i in range(1, 4):
        for j in range(i):
            if xs[j] < xs[i] and best[j] + 1 > best[i]:
                best = best.at[i].set(best[j] + 1)
    return best.max() * xs.sum()


@program(jnp.array([0.2, 0.8, 0.9, 0.1, 0.7, 0.75, 0.1]))
def hysteresis(signal):
    on, switches, out = False, 0, []
    for s in signal:
        if on and s < 0.3:
            on = False
            switches += 1
        elif not on and s > 0.7:
            on = True
            switches += 1
        out.append(s if on else -s)
    return jnp.array(out), switches


@program(jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]))
def lu_with_pivoting(a):
    n = 3
    sign = 1.0
    for k in range(n - 1):
        p = k + jnp.argmax(jnp.abs(a[k:, k]))
        if p != k:
            row = a[k]
            a = a.at[k].set(a[p]).at[p].set(row)
            sign = -sign
        for i in range(k + 1, n):
            a = a.at[i].add(-a[i, k] / a[k, k] * a[k])
    return sign * jnp.prod(jnp.diagonal(a))


@program(1.0, jnp.array([2, 0, 1, 4, 3]))
def cycles_of_permutation(x, p):
    seen = jnp.zeros(5, bool)
    cycles = 0
    for i in range(5):
        if not seen[i]:
            cycles += 1
            j = i
            while not seen[j]:
                autograph.set_loop_options(maximum_iterations=5)
                seen = seen.at[j].set(True)
                j = p[j]
    return x * cycles


@program(2.0, jnp.array([2.0, 3.0, -1.0, 4.0, -2.0]))
def reverse_polish(x, tokens):
    stack, top = jnp.zeros(4), 0
    for token in tokens:
        if token > 0:
            stack = stack.at[top].set(token * x)
            top += 1
        elif token == -1:
            stack = stack.at[top - 2].set(stack[top - 2] + stack[top - 1])
            top -= 1
        else:
            stack = stack.at[top - 2].set(stack[top - 2] * stack[top - 1])
            top -= 1
    return stack[0]


@program(V)
def run_lengths(x):
    lengths, n, previous = jnp.zeros(4, int), 0, x[0]
    length = 1
    for i in range(1, 4):
        if (x[i] > 0) == (previous > 0):
            length += 1
        else:
            lengths = lengths.at[n].set(length)
            n += 1
            length = 1
        previous = x[i]
    return previous, lengths.at[n].set(length)


@program(jnp.linspace(-1, 1, 8).reshape(4, 2), 3)
def ragged_gru(xs, length):
    h = jnp.zeros(2)
    for i, x in enumerate(xs):
        if i >= length:
            break
        z = jax.nn.sigmoid(x + h)
        h = (1 - z) * jnp.tanh(x + z * h) + z * h
    return h


@program(jnp.zeros((4, 4)).at[1, 1].set(1.0).at[2, 1].set(2.0))
def flood_fill(board):
    changed = True
    while changed:
        autograph.set_loop_options(maximum_iterations=10)
        up = jnp.pad(board[1:], ((0, 1), (0, 0)))
        left = jnp.pad(board[:, 1:], ((0, 0), (0, 1)))
        grown = jnp.where((board == 0) & ((up == 1) | (left == 1)), 1.0, board)
        changed = jnp.any(grown != board)
        board = grown
    return board


# ---- Python ----


@program(V)
def generator_and_any(x):
    if any(v > 2.5 for v in x):
        return sum(v for v in x if v < 2.5)
    return x.prod()


@program(1.0)
def keyword_and_star_arguments(x):
    def scale(*values, factor=2.0, **more):
        total = sum(values)
        if total > more.get("limit", 1):
            return total * factor
        return total

    return scale(x, x / 2, factor=3.0) + scale(x, limit=5)


@program(0.4)
def suppressed(x):
    with contextlib.suppress(ValueError):
        if x > 1:
            x = x * 2
    return x


@program(V)
def try_finally(x):
    total = x.sum()
    try:
        if total > 0:
            total = total * 2
    finally:
        total = total + 1
    return total


@program(2.0)
def recursion_of_fixed_depth(x):
    def newton(guess, depth):
        if depth == 0:
            return guess
        if abs(guess * guess - x) < 1e-6:
            return guess
        return newton((guess + x / guess) / 2, depth - 1)

    return newton(x, 4)


@program(1.5)
def partial_and_lambda(x):
    pick = functools.partial(lambda a, b, c: a if c else b, 2 * x)
    return pick(3 * x, x > 1) + pick(b=x, c=x < 1)


@dataclasses.dataclass(frozen=True)
class Policy:
    limit: float

    def __call__(self, x):
        return self._clip(x) if abs(x) > self.limit else x

    def _clip(self, x):
        return self.limit * jnp.sign(x)


@program(V)
def frozen_callable(x):
    policy = Policy(1.5)
    return sum([policy(each) for each in x])


class Shape:
    def area(self):
        raise NotImplementedError


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Disk(Shape):
    def __init__(self, radius):
        self.radius = radius

    def area(self):
        if self.radius < 0:
            return 0.0
        return 3.0 * self.radius**2


@program(V)
def polymorphism(x):
    total = 0.0
    for shape in [Square(x[0]), Disk(x[1]), Disk(x[2])]:
        if shape.area() > total:
            total = total + shape.area()
    return total


@program(1.5)
def nonlocal_counter(x):
    calls = 0

    def step(v):
        nonlocal calls
        if v > 1:
            calls += 1
            return v / 2
        return v

    for _ in range(3):
        x = step(x)
    return x, calls


@program(0.5)
def match_on_mode(x):
    mode = "big" if jnp.ndim(x) == 0 and math.pi > 3 else "small"
    match mode:
        case "big" if x > 0.4:
            return x * 10
        case "big":
            return x
        case _:
            return -x


def _plain_scan(x):
    partial = jnp.cumsum(jnp.where(x > 0, x, 0))
    total = partial[-1]
    return total, partial / total if total > 4 else partial


@program(V, plain=_plain_scan)
def scan_of_branch(x):
    def step(carry, each):
        if each > 0:
            carry = carry + each
        return carry, carry

    total, partial = lax.scan(step, jnp.zeros(()), x)
    if total > 4:
        partial = partial / total
    return total, partial


@program(V)
def hessian_of_branch(x):
    def f(v):
        if v.sum() > 0:
            return (v**3).sum()
        return (v**2).sum()

    return jnp.trace(jax.hessian(f)(x))


@program(0.8, plain=jnp.sqrt)
def implicit_gradient(x):
    @jax.custom_vjp
    def root(a):
        guess = a
        while abs(guess * guess - a) > 1e-6:
            guess = (guess + a / guess) / 2
        return guess

    def forward(a):
        r = root(a)
        return r, r

    def backward(r, g):
        return (g / (2 * r),)

    root.defvjp(forward, backward)
    return root(x)


# ---- lists and objects that an iteration makes ----


@program(jnp.array([0.1, 0.2, 2.0, 2.2, 5.0, 5.5]))
def clusters_of_numbers(points):
    """Centers go to the means of their points; one without points stays."""
    centers = points[jnp.array([0, 2, 4])]
    for _ in range(10):
        labels = jnp.abs(points[:, None] - centers[None]).argmin(axis=1)
        moved = []
        for c in range(3):
            own = labels == c
            if own.any():
                moved.append(jnp.where(own, points, 0).sum() / own.sum())
            else:
                moved.append(centers[c])
        moved = jnp.stack(moved)
        if jnp.abs(moved - centers).max() < 1e-5:
            break
        centers = moved
    return centers


class Estimate(NamedTuple):
    mean: Any
    variance: Any


@program(jnp.array([0.4, -1.3, 2.2, 0.9, 3.1, -0.2]))
def filter_without_outliers(measured):
    state = Estimate(jnp.array(0.0), jnp.array(1.0))
    skipped = 0
    for z in measured:
        predicted = state._replace(variance=state.variance + 0.1)
        if jnp.abs(z - predicted.mean) > 2 * jnp.sqrt(predicted.variance + 0.5):
            skipped += 1
            state = predicted
            continue
        gain = predicted.variance / (predicted.variance + 0.5)
        mean = predicted.mean + gain * (z - predicted.mean)
        state = Estimate(mean, (1 - gain) * predicted.variance)
    return state, skipped
