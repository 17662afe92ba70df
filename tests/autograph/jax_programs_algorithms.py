"""Classical algorithms and training steps as users of JAX write them; see `jax_programs`."""

# The programs are written as users write them.
# ruff: noqa: B007, B023, B905, E731

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tests.autograph.jax_programs import TABLE, Program, V, W

PROGRAMS: list[Program] = []


def program(*args, plain=None, unbounded=False):
    def register(function):
        PROGRAMS.append(Program(function, args, plain or function, unbounded))
        return function

    return register


# ---- iterations until something holds ----


@program(jnp.array([[1.0, 2.0, 0.5], [0.3, 1.0, 2.0]]))
def sinkhorn(cost):
    """Optimal transport by scaling rows and columns until the marginals fit."""
    kernel = jnp.exp(-cost)
    rows, columns = jnp.array([0.5, 0.5]), jnp.array([0.2, 0.3, 0.5])
    u, v = jnp.ones(2), jnp.ones(3)
    for step in range(40):
        u_before = u
        v = columns / (kernel.T @ u)
        u = rows / (kernel @ v)
        if jnp.max(jnp.abs(u - u_before)) < 1e-5:
            break
    plan = u[:, None] * kernel * v
    return jnp.sum(plan * cost), plan, step < 39


@program(0.7)
def aitken(x):
    """Steffensen's method, which must not divide by a small difference."""
    for _ in range(8):
        x1 = jnp.cos(x)
        x2 = jnp.cos(x1)
        bend = x2 - 2 * x1 + x
        if abs(bend) < 1e-6:
            return x2
        x = x - (x1 - x) ** 2 / bend
    return x


@program(jnp.array([1.5, -0.5]))
def levenberg_marquardt(p):
    xs = jnp.array([0.0, 0.5, 1.0, 2.0])
    ys = jnp.array([2.0, 1.2, 0.7, 0.3])
    residual = lambda p: p[0] * jnp.exp(p[1] * xs) - ys
    damping, cost = 1e-2, jnp.sum(residual(p) ** 2)
    accepted = 0
    for _ in range(10):
        r, jac = residual(p), jax.jacobian(residual)(p)
        step = jnp.linalg.solve(jac.T @ jac + damping * jnp.eye(2), jac.T @ r)
        trial = p - step
        new_cost = jnp.sum(residual(trial) ** 2)
        if new_cost < cost:
            p, cost = trial, new_cost
            damping /= 3
            accepted += 1
        else:
            damping *= 2
            continue
        if jnp.linalg.norm(step) < 1e-4:
            break
    return p, accepted


@program(jnp.array([-1.2, 1.0]), unbounded=True)
def nelder_mead(start):
    f = lambda p: (1 - p[0]) ** 2 + 10 * (p[1] - p[0] ** 2) ** 2
    simplex = jnp.stack([start, start + jnp.array([0.5, 0.0]), start + jnp.array([0.0, 0.5])])
    n = 0
    while True:
        values = jax.vmap(f)(simplex)
        order = jnp.argsort(values)
        simplex, values = simplex[order], values[order]
        if values[2] - values[0] < 1e-2 or n >= 40:
            break
        n += 1
        center = (simplex[0] + simplex[1]) / 2
        reflected = 2 * center - simplex[2]
        if f(reflected) < values[0]:
            expanded = 3 * center - 2 * simplex[2]
            new = expanded if f(expanded) < f(reflected) else reflected
        elif f(reflected) < values[1]:
            new = reflected
        else:
            contracted = (center + simplex[2]) / 2
            if f(contracted) >= values[2]:
                simplex = (simplex + simplex[0]) / 2
                continue
            new = contracted
        simplex = simplex.at[2].set(new)
    return simplex[0], n


@program(jnp.array([3.0, -0.2, 0.7]))
def admm_lasso(b):
    """The penalty is balanced by residuals."""
    a = jnp.array([[1.0, 0.3, 0.0], [0.3, 1.0, 0.2], [0.0, 0.2, 1.0]])
    x = z = u = jnp.zeros(3)
    rho = 1.0
    for k in range(12):
        x = jnp.linalg.solve(a + rho * jnp.eye(3), b + rho * (z - u))
        z_before, z = z, jnp.sign(x + u) * jnp.maximum(jnp.abs(x + u) - 0.5 / rho, 0)
        u = u + x - z
        primal, dual = jnp.linalg.norm(x - z), rho * jnp.linalg.norm(z - z_before)
        if primal < 1e-4 and dual < 1e-4:
            break
        elif primal > 5 * dual:
            rho, u = rho * 2, u / 2
        elif dual > 5 * primal:
            rho, u = rho / 2, u * 2
    return z, rho


@program(2.0)
def romberg(a):
    """A triangle of estimates in lists of Python's; the best is the one that changes least."""
    f = lambda x: jnp.exp(-a * x * x)
    row = [(f(0.0) + f(1.0)) / 2]
    best, change = row[0], jnp.inf
    for level in range(1, 5):
        n = 2**level
        middle = sum(f((2 * i + 1) / n) for i in range(n // 2))
        new = [row[0] / 2 + middle / n]
        for k, before in enumerate(row, 1):
            new.append(new[-1] + (new[-1] - before) / (4**k - 1))
        for value, before in zip(new, row):
            if abs(value - before) < change:
                best, change = value, abs(value - before)
        row = new
    return row[-1], best


# ---- searches and sorts in arrays ----


def sift_down(heap, size, i):
    while 2 * i + 1 < size:
        child = 2 * i + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[i] <= heap[child]:
            break
        a, b = heap[i], heap[child]
        heap = heap.at[i].set(b).at[child].set(a)
        i = child
    return heap


@program(V, unbounded=True)
def heap_sort(values):
    """A priority queue in an array."""
    heap, size = values, len(values)
    for i in reversed(range(size // 2)):
        heap = sift_down(heap, size, i)
    result = []
    while size > 0:
        result.append(heap[0])
        size -= 1
        heap = sift_down(heap.at[0].set(heap[size]), size, 0)
    return jnp.stack(result)


@program(0.0, jnp.array([[0, 1], [3, 4], [1, 2], [4, 3], [0, 2]]))
def union_find(x, edges):
    parent = jnp.arange(5)

    def find(i):
        nonlocal parent
        while parent[i] != i:
            parent = parent.at[i].set(parent[parent[i]])
            i = parent[i]
        return i

    merged = 0
    for a, b in edges:
        root_a, root_b = find(a), find(b)
        if root_a == root_b:
            continue
        parent = parent.at[root_a].set(root_b)
        merged += 1
    return x + merged, jnp.stack([find(i) for i in range(5)])


class DecisionTree(NamedTuple):
    feature: Any
    threshold: Any
    left: Any
    right: Any
    value: Any


FOREST = DecisionTree(
    jnp.array([[0, 1, 2, -1, -1, -1, -1], [3, -1, 0, -1, -1, 0, 0]]),
    jnp.array([[0.0, -0.5, 1.0, 0, 0, 0, 0], [1.0, 0, 0.2, 0, 0, 0, 0]]),
    jnp.array([[1, 3, 5, 0, 0, 0, 0], [1, 0, 3, 0, 0, 0, 0]]),
    jnp.array([[2, 4, 6, 0, 0, 0, 0], [2, 0, 4, 0, 0, 0, 0]]),
    jnp.array([[0.0, 0, 0, 1, 2, 3, 4], [0.0, 5, 0, 6, 7, 0, 0]]),
)


def _leaf_value(tree, x):
    node = 0
    while tree.feature[node] >= 0:
        go_left = x[tree.feature[node]] < tree.threshold[node]
        node = tree.left[node] if go_left else tree.right[node]
    return tree.value[node]


def _forest_by_hand(x):
    trees = [DecisionTree(*(part[i] for part in FOREST)) for i in range(2)]
    return sum(_leaf_value(tree, x) for tree in trees) * x[0]


@program(V, plain=_forest_by_hand)
def forest(x):
    """`vmap` over trees, which are traversed to different depths."""
    return jax.vmap(_leaf_value, in_axes=(0, None))(FOREST, x).sum() * x[0]


@program(jnp.array([2.0, 2.0, 2.0, -1.0, -1.0, 3.0]))
def run_length_code(xs):
    values, counts, n = jnp.zeros(6), jnp.zeros(6, int), -1
    previous = None
    for x in xs:
        if previous is None or x != previous:
            n += 1
            values = values.at[n].set(x)
        counts = counts.at[n].add(1)
        previous = x
    return values, counts, n + 1


@program(0.0, jnp.array([0, 1, 0, 1, 0, 2, 0, 1]), jnp.array([0, 1, 0, 2]))
def knuth_morris_pratt(x, text, pattern):
    fail = jnp.zeros(4, int)
    k = 0
    for i in range(1, 4):
        while k > 0 and pattern[k] != pattern[i]:
            k = fail[k - 1]
        if pattern[k] == pattern[i]:
            k = k + 1
        fail = fail.at[i].set(k)
    k, found = 0, -1
    for i, letter in enumerate(text):
        while k > 0 and pattern[k] != letter:
            k = fail[k - 1]
        if pattern[k] == letter:
            k += 1
        if k == 4:
            found = i - 3
            break
    return x + found, fail


@program(V, unbounded=True)
def knapsack(value):
    weights = [2, 1, 3, 2]
    best = jnp.zeros(6)
    for v, w in zip(value, weights):
        for room in range(5, w - 1, -1):
            with_item = best[room - w] + v
            if with_item > best[room]:
                best = best.at[room].set(with_item)
    return best[-1], best


@program(W)
def floyd_warshall(w):
    inf = 1e9
    d = jnp.array([[0.0, inf, 1.0], [inf, 0.0, inf], [inf, 2.0, 0.0]])
    d = d.at[0, 1].set(w[0, 0] * 4).at[1, 0].set(w[1, 1])
    for k in range(3):
        for i in range(3):
            for j in range(3):
                through = d[i, k] + d[k, j]
                if through < d[i, j]:
                    d = d.at[i, j].set(through)
    for i in range(3):
        if d[i, i] < 0:
            raise ValueError("a negative cycle")
    return d


@program(5.3)
def line_on_grid(slope_by_seven):
    """Bresenham's algorithm."""
    grid, y, error = jnp.zeros((8, 8), int), 0, 0.0
    slope = slope_by_seven / 7
    for x in range(8):
        grid = grid.at[y, x].set(1)
        error += slope
        if error >= 0.5:
            y, error = y + 1, error - 1
    return error, grid, y


@program(0.0, jnp.array([[1, 0, 1], [0, 1, 0], [1, 1, 0]]), unbounded=True)
def transitive_closure(x, edges):
    reach = edges > 0
    while True:
        more = reach | ((reach.astype(int) @ reach.astype(int)) > 0)
        if (more == reach).all():
            return x + reach.sum()
        reach = more


# ---- filters, chains and decoders ----


class Belief(NamedTuple):
    mean: Any
    variance: Any


@program(jnp.array([1.0, jnp.nan, 1.4, 9.0, 1.2]))
def kalman_with_missing(ys):
    belief = Belief(0.0, 1.0)
    likelihood, skipped = 0.0, 0
    for y in ys:
        belief = belief._replace(variance=belief.variance + 0.1)
        if jnp.isnan(y):
            skipped += 1
            continue
        surprise, total = y - belief.mean, belief.variance + 0.5
        if surprise**2 > 9 * total:  # an outlier
            belief = belief._replace(variance=belief.variance * 2)
            continue
        gain = belief.variance / total
        belief = Belief(belief.mean + gain * surprise, (1 - gain) * belief.variance)
        likelihood -= 0.5 * (surprise**2 / total + jnp.log(total))
    return belief.mean, likelihood, skipped


@program(1.2, jax.random.PRNGKey(3))
def ising_by_gibbs(coupling, key):
    spins, flips = jnp.ones((3, 3)), 0
    for i in range(3):
        for j in range(3):
            key, now = jax.random.split(key)
            sides = [(0, 1), (1, 0), (0, -1), (-1, 0)]
            near = sum(spins[(i + a) % 3, (j + b) % 3] for a, b in sides)
            up = jax.nn.sigmoid(0.1 * coupling * near)
            new = 1.0 if jax.random.uniform(now) < up else -1.0
            if new != spins[i, j]:
                spins = spins.at[i, j].set(new)
                flips += 1
    return spins.mean() * coupling, flips


@dataclasses.dataclass
class Cache:
    keys: Any
    values: Any
    length: Any = 0

    def push(self, k, v):
        self.keys = lax.dynamic_update_slice(self.keys, k[None], (self.length, 0))
        self.values = self.values.at[self.length].set(v)
        self.length += 1

    @property
    def mask(self):
        return jnp.arange(len(self.keys)) < self.length

    def attend(self, q):
        scores = jnp.where(self.mask, self.keys @ q, -jnp.inf)
        return jax.nn.softmax(scores) @ self.values


@program(W)
def decoding_with_a_window(w):
    """An object with a property keeps keys and values; only surprising ones are kept."""
    cache = Cache(jnp.zeros((4, 2)), jnp.zeros((4, 2)))
    x = jnp.array([1.0, -0.5])
    cache.push(x, x)
    for _ in range(5):
        x = jnp.tanh(w @ cache.attend(x))
        if cache.length < 4 and jnp.abs(x - cache.keys[cache.length - 1]).sum() > 0.1:
            cache.push(x, w @ x)
    return x, cache.length


@program(TABLE, jnp.array([2, 1, 0, 2]))
def draft_and_verify(table, draft):
    """Speculative decoding: the accepted prefix of a draft, then a token of the model."""
    tokens, n, last = jnp.full(5, -1), 0, 0
    for guess in draft:
        probs = jax.nn.softmax(table[last])
        if probs[guess] < 0.2:
            tokens = tokens.at[n].set(jnp.argmax(probs))
            n += 1
            break
        tokens = tokens.at[n].set(guess)
        n, last = n + 1, guess
    else:
        tokens = tokens.at[n].set(jnp.argmax(table[last]))
        n += 1
    return jax.nn.softmax(table[last]), tokens, n


@program(jnp.array([[2.0, 0.1], [1.5, 0.3], [0.2, 0.9], [1.1, 1.0]]))
def routing_with_capacity(gates):
    """Tokens whose expert is full go to the other one, or are dropped."""
    load, out, dropped = jnp.zeros(2, int), jnp.zeros(4), 0
    for token, gate in enumerate(gates):
        first = jnp.argmax(gate)
        for choice in (first, 1 - first):
            if load[choice] < 2:
                load = load.at[choice].add(1)
                out = out.at[token].set(gate[choice] * (token + 1))
                break
        else:
            dropped += 1
    return out, load, dropped


# ---- training ----


@program(V)
def accumulation_with_overflow(w):
    """Micro-batches whose gradient is too large are left out of the sum."""
    batches = jnp.array([[1.0, 0, 2, 1], [30.0, 1, 1, 1], [0.5, -1, 0, 1], [2.0, 1, -1, 0]])
    loss = lambda w, x: jnp.sum(jnp.exp(w * x * 1e-1)) ** 2
    total, used, scale = jnp.zeros(4), 0, 8.0
    for i, x in enumerate(batches):
        g = jax.grad(lambda w: loss(w, x) * scale)(w)
        if not (jnp.abs(g) < 100).all():
            scale /= 2
            continue
        total, used = total + g / scale, used + 1
        if (i + 1) % 2 == 0:
            w = w - 1e-3 * total / max(used, 1)
            total, used = jnp.zeros(4), 0
    return w, scale


@program(jnp.array([0.3, -0.2, 0.1]))
def clipped_policy_updates(theta):
    """PPO's clipped objective; epochs end as soon as the policy has moved too far."""
    advantage, action = jnp.array([1.0, -0.5, 0.2]), jnp.array([0, 2, 1])
    old = jax.nn.log_softmax(theta)[action]

    def objective(theta):
        ratio = jnp.exp(jax.nn.log_softmax(theta)[action] - old)
        parts = []
        for r, a in zip(ratio, advantage):
            if a > 0:
                parts.append(min(r, 1.2) * a)
            else:
                parts.append(max(r, 0.8) * a)
        return sum(parts) / 3

    epoch = 0
    for epoch in range(6):
        theta = theta + 0.5 * jax.grad(objective)(theta)
        kl = jnp.mean(old - jax.nn.log_softmax(theta)[action])
        if abs(kl) > 0.08:
            break
    return theta, epoch


class Patience:
    """Early stopping that keeps the best parameters."""

    def __init__(self, limit, best):
        self.limit = limit
        self.left = limit
        self.best = best
        self._score = jnp.inf

    @property
    def score(self):
        return self._score

    @score.setter
    def score(self, value):
        if value < self._score - 1e-3:
            self._score = value
            self.left = self.limit
        else:
            self.left -= 1

    def __bool__(self):
        return self.left > 0


@program(V)
def early_stopping_by_property(w):
    stop = Patience(2, w)
    rate = 0.4
    for epoch in range(9):
        w = w - rate * (2 * w + jnp.sin(5 * w))
        before = stop.score
        stop.score = jnp.sum(w**2)
        if stop.score < before:
            stop.best = w
        if stop.left <= 0:
            break
    return stop.best, epoch


@program(jnp.array([1.0, 2.0, -1.0, 0.5]))
def gradient_surgery(w):
    """Of two losses whose gradients conflict, one is projected."""
    tasks = [lambda w: jnp.sum(w**2), lambda w: jnp.sum((w - 1) ** 3), lambda w: -jnp.prod(w)]
    grads = [jax.grad(task)(w) for task in tasks]
    total = jnp.zeros(4)
    for i, g in enumerate(grads):
        for j, other in enumerate(grads):
            if i != j and (dot := g @ other) < 0:
                g = g - dot / (other @ other) * other
        total += g
    return total


# ---- Python's own constructs ----


@program(1.5)
def options_by_name(x):
    """`match` on strings, with a guard on an array."""
    shown = []
    for kind in ("relu", "leaky", "clip", "other"):
        match kind:
            case "relu" if x < 0:
                shown.append(0.0)
            case "relu":
                shown.append(x)
            case "leaky" | "clip" as name:
                bound = {"leaky": 0.1, "clip": 1.0}[name]
                shown.append(min(x, bound) if name == "clip" else max(x, bound * x))
            case _:
                shown.append(x * x)
    return jnp.stack(shown)


def _windows(xs, size):
    start = 0
    while start + size <= len(xs):
        yield start, xs[start : start + size]
        start += size // 2


@program(jnp.arange(8.0) - 3)
def windows_by_generator(xs):
    loudest, at = -1.0, -1
    for start, window in _windows(xs, 4):
        energy = (window**2).sum()
        if energy <= loudest:
            continue
        loudest, at = energy, start
    return loudest, at


@program(V)
def merged_settings(x):
    """Dicts that are merged, updated and unpacked in branches."""
    settings = {"rate": 0.1, "steps": 2}
    override = {"rate": 0.5} if x.shape[0] > 3 else {}
    state = {"x": x, "n": 0} | {"best": x.sum()}
    settings |= override
    for _ in range(settings["steps"]):
        new = state["x"] * (1 - settings["rate"])
        if new.sum() < state["best"]:
            state = {**state, "x": new, "best": new.sum()}
            state["n"] += 1
        else:
            state.update(x=-new)
    return state


@program(2.5)
def counted_in_finally(x):
    calls = 0

    def root(v):
        nonlocal calls
        try:
            if v < 0:
                return 0.0
            return jnp.sqrt(v)
        finally:
            calls += 1

    total = root(x) + root(-x) + root(x - 3)
    return total, calls


@program(V)
def horner_of_reversed_pairs(xs):
    value, negatives = 0.0, 0
    for (i, c), scale in zip(enumerate(reversed(xs)), (1.0, 0.5, 2.0, 1.0)):
        value = value * scale + c
        if c < 0:
            negatives += i
            value = -value
    return value, negatives


def _sum_until_large(xs):
    state = {"total": 0.0, "count": 0}
    seen = []
    for x in xs:
        state, out = _step_of_dict(state, x)
        seen.append(out)
    return state["total"], state["count"], jnp.stack(seen)


def _step_of_dict(state, x):
    if state["total"] > 2:
        return state, -1.0
    total = state["total"] + x * x
    return {"total": total, "count": state["count"] + 1}, total


@program(V, plain=_sum_until_large)
def scan_of_a_dict(xs):
    start = {"total": jnp.float32(0), "count": 0}
    state, seen = lax.scan(_step_of_dict, start, xs)
    return state["total"], state["count"], seen


@program(1.7)
def bisection_in_a_closure(target):
    evaluations = 0

    def invert(f, lo, hi):
        nonlocal evaluations
        for _ in range(12):
            middle = (lo + hi) / 2
            evaluations += 1
            if abs(value := f(middle) - target) < 1e-3:
                return middle
            if value > 0:
                hi = middle
            else:
                lo = middle
        return (lo + hi) / 2

    root = invert(lambda x: x**3, 0.0, 2.0)
    return root * target, evaluations
