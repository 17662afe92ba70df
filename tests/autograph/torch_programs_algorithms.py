# ruff: noqa: B007, B905 - programs as people write them
"""Classical algorithms, decoders and training steps for PyTorch; see `torch_programs`."""

from collections import namedtuple
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

from tests.autograph.torch_programs import M, Program, X, t

PROGRAMS = []

V = torch.tensor([0.5, -1.0, 2.0, 3.0])


def program(*args, **options):
    """Add a function with its arguments; options are those of `Program`."""

    def add(function):
        PROGRAMS.append(Program(function.__name__, function, args, **options))
        return function

    return add


def module(*args, **options):
    """Add a module class with the arguments of a call."""

    def add(kind):
        torch.manual_seed(7)
        PROGRAMS.append(Program(kind.__name__, kind().eval(), args, **options))
        return kind

    return add


# ---- iterations until something holds ----


@program(torch.tensor([[1.0, 2.0, 0.5], [0.3, 1.0, 2.0]]))
def sinkhorn(cost):
    """Optimal transport in the log domain."""
    log_rows, log_columns = t(0.5, 0.5).log(), t(0.2, 0.3, 0.5).log()
    f, g = torch.zeros(2), torch.zeros(3)
    for step in range(15):
        before = f
        g = log_columns - torch.logsumexp(f[:, None] - cost, 0)
        f = log_rows - torch.logsumexp(g[None] - cost, 1)
        if (f - before).abs().max() < 1e-3:
            break
    plan = (f[:, None] + g - cost).exp()
    return (plan * cost).sum(), step


@program(t(1.5, -0.5))
def levenberg_marquardt(p):
    xs, ys = t(0.0, 0.5, 1.0, 2.0), t(2.0, 1.2, 0.7, 0.3)

    def residual(p):
        return p[0] * torch.exp(p[1] * xs) - ys

    damping, cost, accepted = 1e-2, residual(p).square().sum(), 0
    for _ in range(6):
        curve = torch.exp(p[1] * xs)
        jac = torch.stack([curve, p[0] * xs * curve], 1)
        step = torch.linalg.solve(jac.T @ jac + damping * torch.eye(2), jac.T @ residual(p))
        new_cost = residual(p - step).square().sum()
        if new_cost < cost:
            p, cost, damping = p - step, new_cost, damping / 3
            accepted += 1
        else:
            damping *= 2
    return p, accepted


@program(t(0.3, -1.2))
def trust_region(x):
    radius = 0.5
    for _ in range(5):
        grad = t(2.0, 8.0) * x
        step = -x
        if step.norm() > radius:
            step = step * (radius / step.norm())
        before, after = (t(1.0, 4.0) * x * x).sum(), (t(1.0, 4.0) * (x + step) ** 2).sum()
        predicted = -(grad @ step) / 2
        ratio = (before - after) / predicted.clamp_min(1e-6)
        if ratio < 0.25:
            radius = radius / 2
        elif ratio > 0.75 and radius < 2:
            radius = radius * 2
        if ratio > 0.1:
            x = x + step
        if x.norm() < 1e-3:
            break
    return x, radius


# ---- searches in tensors ----


def find(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@program(torch.tensor([[0, 1], [3, 4], [1, 2], [4, 3], [0, 2]]), gradient=False)
def union_find(edges):
    """A function that changes the tensor that it is given."""
    parent, merged = torch.arange(5), 0
    for a, b in edges:
        a, b = find(parent, a), find(parent, b)
        if a != b:
            parent[a] = b
            merged += 1
    return merged, parent


Tree = namedtuple("Tree", "feature threshold left right value")

TREE = Tree(
    t(0, 1, 2, -1, -1, -1, -1), t(0.0, -0.5, 1.0, 0, 0, 0, 0), t(1, 3, 5, 0, 0, 0, 0),
    t(2, 4, 6, 0, 0, 0, 0), t(0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0),
)  # fmt: skip


@program(V)
def boosted_trees(x):
    total = 0.0 * x.sum()
    for scale in (1.0, 0.5):
        node = torch.tensor(0)
        while TREE.feature[node] >= 0:
            if x[TREE.feature[node]] * scale < TREE.threshold[node]:
                node = TREE.left[node]
            else:
                node = TREE.right[node]
        total = total + scale * TREE.value[node] * x[0]
    return total


@program(t(2.0, 2.0, 2.0, -1.0, -1.0, 3.0))
def run_length_code(xs):
    values, counts = torch.zeros(6), torch.zeros(6, dtype=torch.int64)
    n = -1
    for i, x in enumerate(xs):
        if i == 0 or x != xs[i - 1]:
            n += 1
            values[n] = x
        counts[n] += 1
    return values, counts, n + 1


@program(t(3.0, 1.0, 2.0, 5.0))
def heap_pops(values):
    """A priority queue in a tensor, popped until its top is large."""
    heap, size, popped = values.clone(), 4, 0.0 * values[0]
    heap = heap.sort().values
    while size > 0 and heap[0] < 4:
        popped = popped * 2 + heap[0]
        size -= 1
        heap[0] = heap[size]
        i = 0
        while 2 * i + 1 < size:
            child = 2 * i + 1
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if heap[i] <= heap[child]:
                break
            smaller = heap[child].clone()
            heap[child] = heap[i]
            heap[i] = smaller
            i = child
    return popped, size


# ---- filters and decoders ----


@program(t(1.0, float("nan"), 1.4, 9.0, 1.2))
def kalman_with_missing(ys):
    mean, variance, skipped = torch.zeros(()), torch.ones(()), 0
    likelihood = torch.zeros(())
    for y in ys:
        variance = variance + 0.1
        if torch.isnan(y):
            skipped += 1
            continue
        surprise, total = y - mean, variance + 0.5
        if surprise**2 > 9 * total:
            variance = variance * 2
        else:
            gain = variance / total
            mean, variance = mean + gain * surprise, (1 - gain) * variance
            likelihood = likelihood - 0.5 * (surprise**2 / total + total.log())
    return mean, likelihood, skipped


@dataclass
class Beam:
    """Hypotheses of a search, which changes them."""

    tokens: torch.Tensor
    scores: torch.Tensor
    finished: list = field(default_factory=list)
    steps: int = 0

    @property
    def best(self):
        return self.scores.max()

    def extend(self, logits):
        total = (self.scores[:, None] + logits).flatten()
        self.scores, index = total.topk(2)
        self.tokens = torch.cat([self.tokens[index // 3], (index % 3)[:, None]], 1)
        self.steps += 1


@program(torch.tensor([[0.1, 2.0, 0.3], [0.2, 0.1, 1.5], [1.0, 0.2, 0.1]]))
def beam_of_objects(table):
    beam = Beam(torch.zeros(2, 1, dtype=torch.int64), torch.zeros(2))
    for _ in range(3):
        beam.extend(table[beam.tokens[:, -1]].log_softmax(-1))
        if beam.best < -1:
            beam.finished.append(beam.best)
            beam.scores = beam.scores - 0.1
        else:
            beam.finished.append(beam.scores.sum())
    return torch.stack(beam.finished), beam.scores, beam.steps


@program(torch.tensor([[0.1, 2.0, 0.3], [0.2, 0.1, 1.5], [1.0, 0.2, 0.1]]), t(2, 1, 0, 2))
def draft_and_verify(table, draft):
    tokens, n, last = torch.full((5,), -1), 0, torch.tensor(0)
    for guess in draft:
        probs = table[last].softmax(-1)
        if probs[guess] < 0.2:
            tokens[n] = probs.argmax()
            n += 1
            break
        tokens[n] = guess
        n, last = n + 1, guess
    else:
        tokens[n] = table[last].argmax()
        n += 1
    return table[last].softmax(-1), tokens, n


@program(torch.tensor([[2.0, 0.1], [1.5, 0.3], [0.2, 0.9], [1.1, 1.0]]))
def routing_with_capacity(gates):
    load, out, dropped = [0, 0], torch.zeros(4), 0
    for token, gate in enumerate(gates):
        if gate[0] > gate[1] and load[0] < 2:
            load[0] += 1
            out[token] = gate[0]
        elif load[1] < 1:
            load[1] += 1
            out[token] = -gate[1]
        else:
            dropped += 1
    return out, load, dropped


@program(torch.arange(12.0).reshape(6, 2) / 6, t(1.0, -0.5))
def online_softmax(keys, query):
    """Attention over chunks, with a running maximum that is rescaled only if it grows."""
    top, total, out = torch.tensor(-1e9), torch.zeros(()), torch.zeros(2)
    start = 0
    while start < len(keys):
        chunk = keys[start : start + 2]
        scores = chunk @ query
        highest = scores.max()
        if highest > top:
            scale = (top - highest).exp()
            total, out, top = total * scale, out * scale, highest
        weights = (scores - top).exp()
        total, out = total + weights.sum(), out + weights @ chunk
        start += 2
    return out / total


# ---- modules ----


@module(X)
class StreamingAttention(nn.Module):
    """A cache in buffers, in which old entries are overwritten."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(3, 9)
        self.register_buffer("keys", torch.zeros(2, 3))
        self.register_buffer("values", torch.zeros(2, 3))
        self.register_buffer("at", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        for _ in range(3):
            q, k, v = self.qkv(x).chunk(3)
            with torch.no_grad():
                slot = self.at % 2
                self.keys[slot] = k
                self.values[slot] = v
                self.at += 1
            keys, values = self.keys.clone(), self.values.clone()
            if self.at < 2:
                x = (keys[:1] @ q).softmax(0) @ values[:1] + x
            else:
                x = (keys @ q).softmax(0) @ values + x
        return x


@module(X)
class KeepsItsState(nn.Module):
    """Truncated backpropagation: the state of the last call is kept without its history."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 3)
        self.register_buffer("state", torch.zeros(3))

    def forward(self, x):
        h = self.cell(x, self.state)
        if h.norm() > 0.3:
            self.state = h.detach()
        return h


@module(X)
class NamedBlocks(nn.Module):
    """Blocks that are chosen by name, in an order that is reversed."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleDict({name: nn.Linear(3, 3) for name in ("first", "mid", "last")})
        self.norms = nn.ModuleList([nn.LayerNorm(3), nn.Identity(), nn.LayerNorm(3)])

    def forward(self, x, reverse=True):
        pairs = list(zip(self.blocks.items(), self.norms))
        for i, ((name, block), norm) in enumerate(reversed(pairs) if reverse else pairs):
            match name:
                case "last" if x.sum() > 0:
                    x = norm(block(x)) + x
                case "first" | "last":
                    x = block(x)
                case _:
                    x = F.gelu(norm(block(x))) * i
            if x.abs().max() > 4:
                return x / 4
        return x


@module(V.reshape(2, 2))
class TopTwoExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(2, 3)
        self.experts = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))

    def forward(self, tokens):
        rows = []
        for token in tokens:
            weights, chosen = self.gate(token).softmax(-1).topk(2)
            row = torch.zeros(2)
            for number, expert in enumerate(self.experts):
                if (chosen == number).any():
                    row = row + (weights * (chosen == number)).sum() * expert(token)
            rows.append(row)
        return torch.stack(rows)


@module(X)
class FunctionalInnerLoop(nn.Module):
    """Adaptation by `functional_call` with changed parameters, until the loss is small."""

    def __init__(self):
        super().__init__()
        self.net = nn.Linear(3, 1)

    def forward(self, x):
        params = dict(self.net.named_parameters())
        loss = (torch.func.functional_call(self.net, params, (x,)) - 1).square().sum()
        for _ in range(3):
            if loss < 0.05:
                break
            error = torch.func.functional_call(self.net, params, (x,)) - 1
            params["weight"] = params["weight"] - 0.1 * error[:, None] * x
            params["bias"] = params["bias"] - 0.1 * error
            loss = error.square().sum()
        return torch.func.functional_call(self.net, params, (x,)), loss


@module(V)
class FakeQuantizer(nn.Module):
    """An observer that widens its range, and a straight-through estimator."""

    def __init__(self):
        super().__init__()
        self.register_buffer("low", torch.zeros(()))
        self.register_buffer("high", torch.ones(()))

    @torch.no_grad()
    def observe(self, x):
        if x.min() < self.low:
            self.low.copy_(x.min())
        if x.max() > self.high:
            self.high.copy_(x.max())

    def forward(self, x):
        self.observe(x)
        scale = (self.high - self.low) / 255
        levels = ((x - self.low) / scale).round().clamp(0, 255)
        return x + (levels * scale + self.low - x).detach()


# ---- training ----


@program(V)
def accumulation_with_overflow(w):
    total, used, scale = torch.zeros(4), 0, 8.0
    for i, limit in enumerate((1.0, 30.0, 0.5)):
        g = 2 * limit * w * scale
        if not (g.abs() < 300).all():
            scale = scale / 2
            continue
        total, used = total + g / scale, used + 1
    if used > 0:
        w = w - 0.1 * total / used
    return w, scale


@program(t(0.3, -0.2, 0.1))
def clipped_policy_updates(theta):
    advantage, action = t(1.0, -0.5, 0.2), t(0, 2, 1)
    old = theta.log_softmax(0)[action].detach()
    for epoch in range(2):
        ratio = (theta.log_softmax(0)[action] - old).exp()
        gains = []
        for r, a in zip(ratio, advantage):
            if a > 0:
                gains.append(a * r if r < 1.2 else 0 * r)
            else:
                gains.append(a * r if r > 0.8 else 0 * r)
        weights = torch.stack(gains)
        step = torch.zeros(3).index_add(0, action, weights) - weights.sum() * theta.softmax(0)
        theta = theta + 0.5 * step
        if (old - theta.log_softmax(0)[action]).mean().abs() > 0.05:
            break
    return theta, epoch


class Patience:
    """Early stopping that keeps the best parameters."""

    def __init__(self, limit):
        self.limit = limit
        self.left = limit
        self.best = torch.tensor(1e9)

    def __call__(self, loss):
        if loss < self.best - 1e-3:
            self.best = loss
            self.left = self.limit
        else:
            self.left -= 1
        return self.left <= 0


@program(V)
def early_stopping_object(w):
    stop, kept = Patience(2), w
    for epoch in range(6):
        w = w - 0.4 * (2 * w + torch.sin(5 * w))
        loss = w.square().sum()
        if loss < stop.best:
            kept = w
        if stop(loss):
            break
    return kept, epoch


@program(t(1.0, 2.0, -1.0, 0.5))
def gradient_surgery(w):
    grads = [2 * w, 3 * (w - 1) ** 2, -w.flip(0)]
    total = torch.zeros(4)
    for i, g in enumerate(grads):
        for j, other in enumerate(grads):
            if i != j and (dot := g @ other) < 0:
                g = g - dot / (other @ other) * other
        total += g
    return total


@program(M)
def power_iteration_with_restart(m):
    """A nested function with `nonlocal`, called in a `while ... else`."""
    restarts = 0

    def start(seed):
        nonlocal restarts
        restarts += 1
        return F.normalize(t(1.0, seed), dim=0)

    v, n = start(0.5), 0
    while n < 6:
        new = F.normalize(m @ v, dim=0)
        if (new - v).norm() < 1e-2:
            break
        if n == 3:
            new = start(-2.0)
        v, n = new, n + 1
    else:
        v = -v
    return v @ m @ v, n, restarts


# ---- Python's own constructs ----


def windows(xs, size):
    start = 0
    while start + size <= len(xs):
        yield start, xs[start : start + size]
        start += size // 2


@program(torch.arange(8.0) - 3)
def loudest_window(xs):
    loudest, at = torch.tensor(-1.0), -1
    for start, window in windows(xs, 4):
        energy = window.square().sum()
        if energy > loudest:
            loudest, at = energy, start
    return loudest, at


@program(V)
def merged_settings(x):
    settings = {"rate": 0.1, "steps": 2} | {"rate": 0.5}
    state = {"x": x, "n": 0, "best": x.sum()}
    for _ in range(settings["steps"]):
        new = state["x"] * (1 - settings["rate"])
        if new.sum() < state["best"]:
            state = {**state, "x": new, "best": new.sum(), "n": state["n"] + 1}
        else:
            state.update(x=-new)
    return state


@program(t(2.5))
def counted_in_finally(x):
    calls = 0

    def root(v):
        nonlocal calls
        try:
            if v < 0:
                return torch.zeros(())
            return v.sqrt()
        finally:
            calls += 1

    return root(x) + root(-x) + root(x - 2), calls


@program(V)
def horner_of_reversed_pairs(xs):
    value, negatives = torch.zeros(()), 0
    for (i, c), scale in zip(enumerate(reversed(xs)), (1.0, 0.5, 2.0, 1.0)):
        value = value * scale + c
        if c < 0:
            negatives += i
            value = -value
    return value, negatives


@program(t(1.7))
def reached_by_and(x):
    if x > 0 and (y := x * 2) > 3 and (z := y - x) < 5:
        return y * z
    return x
