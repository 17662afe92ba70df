"""Simulations, games, searches and signals as users of JAX write them; see `jax_programs`."""

# The programs are written as users write them.
# ruff: noqa: B007, B905, RUF007, SIM108, SIM117

import contextlib
import math
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from tests.autograph.jax_programs import Program, V

PROGRAMS: list[Program] = []


def program(*args, plain=None, unbounded=False):
    def register(function):
        PROGRAMS.append(Program(function, args, plain or function, unbounded))
        return function

    return register


@program(0.3, unbounded=True)
def kepler(mean):
    """Eccentric anomaly by Newton with bisection fallback and a raise that is not reached."""
    e, lo, hi, n = mean, 0.0, 4.0, 0
    while True:
        f = e - 0.6 * jnp.sin(e) - mean
        if abs(f) < 1e-5:
            break
        if f > 0:
            hi = e
        else:
            lo = e
        step = e - f / (1 - 0.6 * jnp.cos(e))
        e = step if lo < step < hi else (lo + hi) / 2
        n += 1
        if n > 100:
            raise RuntimeError(f"no convergence of {mean}")
    return e, n


class Wallet:
    def __init__(self, cash):
        self.cash = cash
        self.shares = 0.0
        self.log = []

    def buy(self, price, n):
        if price * n > self.cash:
            return False
        self.cash = self.cash - price * n
        self.shares = self.shares + n
        return True

    def sell(self, price):
        if self.shares > 0:
            self.cash = self.cash + self.shares * price
            self.shares = self.shares * 0

    @property
    def idle(self):
        return self.shares == 0


@program(jnp.array([10.0, 9.0, 8.5, 11.0, 12.0, 7.0, 9.0]))
def trading(prices):
    w = Wallet(100.0)
    low = prices[0]
    for p in prices:
        if p < low * 0.95:
            low = p
            if not w.buy(p, 3.0):
                w.sell(p)
        elif not w.idle and p > low * 1.2:
            w.sell(p)
    return w.cash + w.shares * prices[-1], low


@program(jnp.array([3.0, 1.0, 2.0]))
def barrier_option(x):
    """Monte Carlo path knocked out early."""
    alive = True
    s = x[0]
    pay = 0.0
    for z in [0.1, -0.2, 0.3, 0.05]:
        s = s * jnp.exp(z * x[1] * 0.1)
        if s > 3.4:
            alive = False
            break
    else:
        pay = jnp.maximum(s - 2.9, 0)
    return pay if alive else s * 0


@program(0.08)
def internal_rate(r):
    flows = (-100.0, 30.0, 40.0, 60.0)

    def npv(rate):
        return sum(c / (1 + rate) ** t for t, c in enumerate(flows))

    for _ in range(50):
        v, d = jax.value_and_grad(npv)(r)
        if jnp.abs(v) < 1e-3:
            return r
        r = r - v / d
    return jnp.nan * r


@program(jnp.array([1.0, 2.0, 3.0, 4.0]))
def pagerank(w):
    links = {0: (1, 2), 1: (2,), 2: (0, 3), 3: (0,)}
    rank = w / w.sum()
    for it in range(60):
        new = jnp.zeros(4)
        for src, dst in links.items():
            for d in dst:
                new = new.at[d].add(rank[src] / len(dst))
        new = 0.15 / 4 + 0.85 * new
        if jnp.abs(new - rank).max() < 1e-4:
            rank = new
            break
        rank = new
    return rank


@program(
    jnp.array(
        [[0.0, 2.0, 9.0, 9.0], [2.0, 0.0, 1.0, 7.0], [9.0, 1.0, 0.0, 3.0], [9.0, 7.0, 3.0, 0.0]]
    )
)
def dijkstra(d):
    n = d.shape[0]
    dist = jnp.full(n, jnp.inf).at[0].set(0.0)
    seen = jnp.zeros(n, bool)
    for _ in range(n):
        best, u = jnp.inf, -1
        for v in range(n):
            if not seen[v] and dist[v] < best:
                best, u = dist[v], v
        if u < 0:
            break
        seen = seen.at[u].set(True)
        for v in range(n):
            alt = dist[u] + d[u, v]
            if alt < dist[v]:
                dist = dist.at[v].set(alt)
    return dist


@program(jnp.array([0.0, 1.0, 1.0, 0.0, 1.0]))
def life_until_still(cells):
    seen = 0
    for g in range(10):
        left, right = jnp.roll(cells, 1), jnp.roll(cells, -1)
        n = left + right
        new = jnp.where((n > 0.5) & (n < 1.5), 1.0, 0.0)
        if (new == cells).all():
            break
        cells, seen = new, seen + 1
    return cells, seen


@program(jnp.array([5.0, 2.0, 7.0]), unbounded=True)
def nim(heaps):
    """Players take from the largest heap; who moves last?"""
    player = 0
    while heaps.sum() > 0.5:
        i = jnp.argmax(heaps)
        take = 1 + (player == 0)
        if heaps[i] < take:
            take = 1
        heaps = jnp.maximum(heaps.at[i].add(-take), 0)
        player = 1 - player
    return heaps, player


@program(jnp.array([0.2, 0.9, 0.4, -0.3, -0.8, 0.1, 0.6]))
def zero_crossings(x):
    out = []
    for a, b in zip(x[:-1], x[1:]):
        if a * b < 0:
            out.append(a / (a - b))
        else:
            out.append(jnp.nan)
    return jnp.nansum(jnp.stack(out))


@program(jnp.array([0.2, 0.9, 0.4, -0.3, -0.8, 0.1, 0.6]))
def schmitt_envelope(x):
    env, out, high = 0.0, jnp.zeros_like(x), False
    for i, s in enumerate(x):
        env = max(abs(s), env * 0.8)
        if high:
            if env < 0.3:
                high = False
        elif env > 0.6:
            high = True
        out = out.at[i].set(env if high else -env)
    return out, high


class Cell(NamedTuple):
    v: Any
    n: Any


@program(-60.0)
def hodgkin_light(v):
    cell = Cell(v, 0.3)
    spikes = 0
    for t in range(40):
        drive = 2.0 if t > 5 else 0.0
        dv = -(cell.v + 65) * 0.1 + drive - 30 * cell.n * (cell.v > -50)
        dn = ((cell.v > -55) * 1.0 - cell.n) * 0.2
        nxt = Cell(cell.v + dv, cell.n + dn)
        if cell.v <= -50 < nxt.v:
            spikes += 1
        cell = nxt._replace(n=jnp.clip(nxt.n, 0, 1))
    return cell.v, spikes


@program(jnp.array([0.0, 1.0, 1.0, 0.0, 2.0, 1.0]))
def codon(seq):
    """A state machine by a dict of functions."""
    table = {"a": lambda s, c: s + c, "b": lambda s, c: s * 2 - c}
    state, mode = 1.0, 0
    for c in seq:
        if c == 0:
            mode = 0
        elif c == 2:
            return state, mode
        if mode == 0:
            state = table["a"](state, c)
        else:
            state = table["b"](state, c)
        mode = 1 - mode
    return -state, mode


@program(jnp.array([2.0, 3.0, 0.5]))
def context_manager(x):
    depth = []

    @contextlib.contextmanager
    def level(n):
        depth.append(n)
        yield len(depth)
        depth.pop()

    with level(1) as a:
        with level(2) as b:
            if x.sum() > 3:
                x = x * b
            else:
                x = x * a
    return x, len(depth)


@program(jnp.array([2.0, 3.0, 0.5]))
def comprehension_conditions(x):
    kept = [e * 2 if e > 1 else -e for e in x]
    table = {i: (v if v > 0 else 0.0) for i, v in enumerate(kept)}
    return sum(v for v in table.values()), max(kept), any(k < 0 for k in kept)


@program(V)
def grad_of_loop(x):
    def energy(y):
        e = 0.0
        for a, b in zip(y[:-1], y[1:]):
            if a > b:
                e = e + (a - b) ** 2
            else:
                e = e + abs(a - b)
        return e

    for _ in range(5):
        g = jax.grad(energy)(x)
        if jnp.linalg.norm(g) < 1e-2:
            break
        x = x - 0.05 * g
    return x


@program(1.7, unbounded=True)
def agm(x):
    a, b = x, 1.0
    while abs(a - b) > 1e-5:
        a, b = (a + b) / 2, jnp.sqrt(a * b)
        assert a > 0, "positive"
    return a


@program(jnp.array([1.0, 5.0, 3.0]))
def tournament(x):
    def play(players):
        if len(players) == 1:
            return players[0]
        half = len(players) // 2
        a, b = play(players[:half]), play(players[half:])
        return a if a > b else b

    return play(list(x))


@program(jnp.array([4.0, 1.0, 2.5]))
def assert_monotone_in_while(x):
    i, last = 0, -jnp.inf
    s = jnp.sort(x)
    while i < 3:
        assert s[i] >= last, "sorted"
        last = s[i]
        i += 1
    return last * i


class Tree:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def sum_path(self, key):
        node, total = self, 0.0
        while node is not None:
            total = total + node.v
            node = node.left if node.left is not None else node.right
        return total

    def contains(self, key):
        if key < self.v:
            return self.left.contains(key) if self.left else False
        if key > self.v:
            return self.right.contains(key) if self.right else False
        return True


@program(2.0)
def tree_search(k):
    t = Tree(4.0, Tree(2.0, Tree(1.0)), Tree(6.0))
    return t.sum_path(k), t.contains(k)


@program(jnp.array([1.0, 2.0, 3.0]), 2, unbounded=True)
def ragged_prefix(x, n):
    out = jnp.zeros(3)
    for i in range(n):
        for j in range(i + 1):
            if x[j] > 1.5:
                continue
            out = out.at[i].add(x[j])
    return out


@program(jnp.array([0.1, 0.7, 0.2]), unbounded=True)
def gillespie(rates):
    key = jax.random.PRNGKey(0)
    t, counts = 0.0, jnp.zeros(3, int)
    while t < 4.0:
        key, a, b = jax.random.split(key, 3)
        total = rates.sum()
        t = t + jax.random.exponential(a) / total
        u = jax.random.uniform(b) * total
        for i in range(3):
            u = u - rates[i]
            if u < 0:
                counts = counts.at[i].add(1)
                break
    return t, counts


def clipped_rows(x):
    rows = []
    for row in x:
        clipped = jnp.where(2 * row < 1, 2 * row, 1 + jnp.log(2 * row))
        rows.append(clipped if row.sum() > 0 else row)
    return jnp.stack(rows)


@program(jnp.array([[1.0, 2.0], [3.0, 0.1], [-0.5, 0.1]]), plain=clipped_rows)
def vmap_of_a_closure_in_vmap(x):
    scale = 2.0

    def clipped_row(row):
        def clip(v):
            return v if v < 1 else 1 + jnp.log(v)

        if row.sum() > 0:
            return jax.vmap(clip)(row * scale)
        return row

    return jax.vmap(clipped_row)(x)


def sums_until_one(x):
    sums, done, seen = 0.0, False, []
    for each in x:
        if not done:
            sums = sums + each
            done = sums > 1
        seen.append(sums)
    return jnp.stack(seen), done


@program(V, plain=sums_until_one)
def scan_that_stops_early(x):
    def body(carry, each):
        sums, done = carry
        if not done:
            sums = sums + each
            if sums > 1:
                done = True
        return (sums, done), sums

    (_, done), seen = lax.scan(body, (0.0, False), x)
    return seen, done


def three_layers(x):
    for weight in (0.1, 1.0, 0.5):
        x = jnp.tanh(x) * weight if x.mean() > weight else x + weight
    return x.sum()


@program(V, plain=three_layers)
def checkpoint_of_a_branch(x):
    @jax.checkpoint
    def layer(h, weight):
        if h.mean() > weight:
            return jnp.tanh(h) * weight
        return h + weight

    for weight in (0.1, 1.0, 0.5):
        x = layer(x, weight)
    return x.sum()


@program(V, unbounded=True)
def annealed(xs):
    temperature, n = 1.0, 0
    while temperature > 0.1:
        n += 1
        if xs.sum() < 10:
            xs = xs * (1 + math.exp(-n / 5))
        temperature = temperature * math.exp(-0.3)
    k = 0
    while xs.sum() > 1:
        k += 1
        xs = xs * (0.9 - 0.1 * math.cos(math.pi * k / 7) + 0.01 * math.sqrt(k))
    return xs, n, k, math.floor(math.log(k + 1))
