# ruff: noqa: B008, SIM108 - programs as people write them
"""Games, searches, signals and stateful modules of PyTorch's users; see `torch_programs`."""

import math
from typing import Any, NamedTuple

import torch
import torch.utils.checkpoint
from torch import nn

from tests.autograph.torch_programs import Program, t

PROGRAMS = []


def program(*args, **options):
    """Add a function with its arguments; options are those of `Program`."""

    def add(function):
        PROGRAMS.append(Program(function.__name__, function, args, **options))
        return function

    return add


def module(*args, **options):
    """Add a module class with the arguments of a call."""

    def add(kind):
        torch.manual_seed(3)
        PROGRAMS.append(Program(kind.__name__, kind().eval(), args, **options))
        return kind

    return add


@program(torch.tensor(0.3))
def kepler(mean):
    e = mean
    for _ in range(12):
        f = e - 0.6 * torch.sin(e) - mean
        if abs(f) < 1e-5:
            break
        e = e - f / (1 - 0.6 * torch.cos(e))
    else:
        raise RuntimeError("no convergence")
    return e


class Wallet:
    def __init__(self, cash):
        self.cash = cash
        self.shares = torch.zeros(())

    def buy(self, price, n):
        if price * n > self.cash:
            return False
        self.cash = self.cash - price * n
        self.shares = self.shares + n
        return True


@program(t(10.0, 9.0, 8.5, 11.0, 7.0))
def trading(prices):
    w = Wallet(torch.tensor(30.0))
    low = prices[0]
    for p in prices:
        if p < low * 0.99:
            low = p
            if not w.buy(p, 2.0):
                w.cash = w.cash + w.shares * p
                w.shares = torch.zeros(())
    return w.cash + w.shares * prices[-1]


@program(torch.tensor([[0.0, 2.0, 9.0], [2.0, 0.0, 1.0], [9.0, 1.0, 0.0]]))
def dijkstra(d):
    n = 3
    dist = torch.full((n,), float("inf"))
    dist[0] = 0.0
    seen = torch.zeros(n, dtype=torch.bool)
    for _ in range(n):
        u = torch.where(seen, float("inf"), dist).argmin()
        seen[u] = True
        for v in range(n):
            alt = dist[u] + d[u, v]
            if alt < dist[v]:
                dist[v] = alt
    return dist


@program(t(5, 2, 7), gradient=False)
def nim(heaps):
    heaps = heaps.clone()
    player = 0
    while heaps.sum() > 0:
        i = heaps.argmax()
        take = 1 + (player == 0)
        if heaps[i] < take:
            take = 1
        heaps[i] -= take
        player = 1 - player
    return player, heaps


@program(t(0.2, 0.9, 0.4, -0.3, -0.8, 0.1))
def schmitt(x):
    env, high, out = torch.tensor(0.0), False, torch.zeros_like(x)
    for i, s in enumerate(x):
        env = torch.maximum(s.abs(), env * 0.8)
        if high:
            if env < 0.3:
                high = False
        elif env > 0.6:
            high = True
        out[i] = env if high else -env
    return out


class Cell(NamedTuple):
    v: Any
    n: Any


@program(torch.tensor(-60.0))
def neuron(v):
    c = Cell(v, torch.tensor(0.3))
    spikes = 0
    for step in range(12):
        dv = -(c.v + 65) * 0.1 + (2.0 if step > 3 else 0.0)
        nxt = c._replace(v=c.v + dv * 4)
        if c.v <= -60 < nxt.v:
            spikes += 1
        c = nxt
    return c.v, spikes


@program(t(2.0, 3.0, 0.5))
def comprehension(x):
    kept = [e * 2 if e > 1 else -e for e in x]
    return sum(kept), max(kept), any(k < 0 for k in kept)


@program(t(1.0, 5.0, 3.0))
def tournament(x):
    def play(p):
        if len(p) == 1:
            return p[0]
        a, b = play(p[: len(p) // 2]), play(p[len(p) // 2 :])
        return a if a > b else b

    return play(list(x))


@program(t(1.0, 2.0, 4.0))
def checkpointed(x):
    def block(h):
        if h.sum() > 3:
            return torch.tanh(h) * 2
        return h

    return torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)


@program(t(1.0, -2.0, 4.0))
def detached_gradient(x):
    y = x * 2
    if y.sum() > 0:
        z = y**2
    else:
        z = y
    (g,) = torch.autograd.grad(z.sum(), y) if z.requires_grad else (y,)
    return z.detach() + 0 * g.detach()


@module(t(0.5, -1.0, 2.0))
class Lazy(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        self.seen += 1
        h = self.a(x)
        if h.mean() > self.seen - 1.2:
            h = self.b(h).relu()
        return h * self.seen


@module(t(0.5, -1.0, 2.0))
class Chain(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
        self.steps = nn.ParameterList(
            [nn.Parameter(torch.tensor(0.5)), nn.Parameter(torch.tensor(1.5))]
        )

    def forward(self, x):
        for s in self.steps:
            if (x * s).norm() > 2:
                x = x / x.norm()
            x = self.net(x) * s
            if x.max() < 0:
                return -x
        return x


@program(t(3, 1, 2, 0), gradient=False)
def cycle_length(perm):
    seen = torch.zeros(4, dtype=torch.bool)
    at, n = torch.tensor(0), 0
    while not seen[at]:
        seen[at] = True
        at = perm[at]
        n += 1
    return n, seen


@program(t(1.0, 2.0, 3.0))
def views_in_loop(x):
    y = x.clone()
    for i in range(2):
        v = y[i:]
        if v.sum() > 4:
            v.mul_(0.5)
        else:
            v[0] = 1.0
    return y


@program(t(2.0, 0.5))
def nested_function_default(x, scale=torch.tensor(2.0)):
    def f(v, k=3):
        while v < scale * k:
            v = v * 2
        return v

    return f(x[0]), f(x[1], 1)


@program(t(1.5, 2.5))
def scaled_by_rates(x):
    rate = 0.1 if x.sum() > 0 else 0.2
    scale = torch.tensor([rate, 1.0], dtype=torch.promote_types(x.dtype, torch.float64))
    while (x * scale).sum() < 10:
        x = x * 2
    return x * scale


@program(t(0.5, -1.0, 2.0, 3.0))
def complex_filter(xs):
    z = torch.tensor(0j)
    n = 0
    for c in xs:
        z = z * z + c * 0.3
        if z.abs() > 0.5:
            z = z.conj() * 0.5j
            n += 1
    return z.real, torch.view_as_real(z), n


@program(t(0.5, -1.0, 2.0, 3.0))
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
    return xs, n, k, math.floor(math.log(k + 1, 2)), divmod(k, 3)


@program(t(-1.5))
def root_of_a_negative_number(x):
    return x * math.sqrt(2 * x) if x < 0 else x


@program(torch.arange(12.0).reshape(3, 4))
def parts_between_numbers(m):
    n = 0
    while n < 3 and m[n].sum() < 10:
        n += 1
    k = int((m[0] > 1).sum())
    return m[n:, :2].sum() + m[:n, 1].sum(), m[0, n:].sum(), m[n : n + 1].sum(), m[0, :-k].sum()


@program(t(0.5, -1.0, 2.0, 3.0))
def sorted_lists(xs):
    pairs = [(x, i) for i, x in enumerate([xs[0], xs[1], xs[2]])]
    pairs.sort()
    by_place = sorted(pairs, key=lambda pair: pair[1], reverse=True)
    values = sorted([xs[0], xs[3], 0.7], key=lambda v: -abs(v))
    count = 3 if xs.sum() > 0 else 1
    return values[0] * 2, pairs[0], by_place[0][0], sorted([count, 2, 0])[1]
