# ruff: noqa: B905, SIM108 - programs as people write them
"""Networks, training loops and decoders as users of PyTorch write them; see `torch_programs`."""

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.autograph.torch_programs import M, Program, t

PROGRAMS = []

X = torch.tensor([0.5, -1.0, 2.0, 3.0])


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


# ---- networks ----


@module(X)
class EarlyExitClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))
        self.heads = nn.ModuleList(nn.Linear(4, 3) for _ in range(3))

    def forward(self, x):
        for block, head in zip(self.blocks, self.heads):
            x = torch.relu(block(x))
            logits = head(x)
            if logits.softmax(-1).max() > 0.5:
                return logits
        return logits


@module(X)
class SkipGate(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        self.gate = nn.Linear(4, 1)
        self.body = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 4))

    def forward(self, x):
        h = self.norm(x)
        if torch.sigmoid(self.gate(h)).mean() > 0.5:
            h = h + self.body(h)
        return h


@module(X)
class DynamicQuantized(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(-1, 1, 16).reshape(4, 4))

    def forward(self, x):
        scale = x.abs().max() / 127
        if scale == 0:
            scale = torch.ones(())
        q = torch.clamp(torch.round(x / scale), -127, 127)
        y = (q * scale) @ self.weight
        if (q * scale - x).abs().max() > 0.01:
            y = x @ self.weight
        return y


@module(X)
class Halting(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)
        self.halt = nn.Linear(4, 1)

    def forward(self, x):
        h = torch.zeros(1, 4)
        x = x.reshape(1, 4)
        total = torch.zeros(())
        out = torch.zeros(1, 4)
        for _ in range(6):
            h = self.cell(x, h)
            p = torch.sigmoid(self.halt(h)).squeeze()
            if total + p > 0.95:
                p = 1 - total
            out = out + p * h
            total = total + p
            if total >= 0.95:
                break
        return out, total


@module(X)
class TopOneExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(4, 3)
        self.experts = nn.ModuleList(nn.Linear(4, 4) for _ in range(3))

    def forward(self, x):
        scores = self.router(x).softmax(-1)
        best = scores.argmax()
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            if best == i:
                y = scores[i] * expert(x)
        return y


@module(X)
class WithDropoutAndMode(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, x, mask=None):
        if mask is None:
            mask = torch.ones_like(x)
        x = self.drop(x * mask)
        if self.training and x.sum() > 0:
            return x
        if x.norm() > 1:
            x = x / x.norm()
        return x * self.scale


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        y = self.linear(x)
        return torch.tanh(y) if y.mean() > 0 else F.silu(y)


@module(X)
class Stacked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Block(4), Block(4), nn.ReLU())
        self.named = nn.ModuleDict({"a": Block(4), "b": nn.Identity()})

    def forward(self, x):
        x = self.layers(x)
        key = "a" if self.training is False else "b"
        return self.named[key](x)


@module(torch.tensor([[1.0, 2.0, 3.0, 0.0], [2.0, 1.0, 0.0, 0.0]]), gradient=False)
class GreedyDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.cell = nn.GRUCell(4, 4)
        self.out = nn.Linear(4, 5)

    def forward(self, h):
        token = torch.zeros(2, dtype=torch.int64)
        done = torch.zeros(2, dtype=torch.bool)
        tokens = []
        for _ in range(4):
            h = self.cell(self.embed(token), h)
            token = self.out(h).argmax(-1)
            token = torch.where(done, torch.zeros_like(token), token)
            done = done | (token == 3)
            tokens.append(token)
            if done.all():
                h = h * 0
        return torch.stack(tokens, 1), h


@module(X)
class PonderCell(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = nn.Linear(4, 4)
        self.register_buffer("limit", torch.tensor(10))

    def forward(self, x):
        n = torch.tensor(0)
        while n < self.limit and x.norm() > 0.5:
            x = torch.tanh(self.step(x))
            n = n + 1
        return x, n


@module(X)
class WeightShared(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.outer = nn.Linear(4, 4)
        self.outer.weight = self.inner.weight

    def forward(self, x):
        for _ in range(3):
            if x.sum() > 0:
                x = self.inner(x)
            else:
                x = self.outer(x) + 0.1
        return x


class Output(NamedTuple):
    logits: Tensor
    hidden: Tensor


@module(X)
class ReturnsNamedTuple(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 2)

    def forward(self, x):
        hidden = torch.relu(x)
        if hidden.sum() > 2:
            out = Output(self.lin(hidden), hidden)
        else:
            out = Output(self.lin(-x), hidden * 2)
        return out


# ---- training ----


@program(X)
def adam_with_early_stop(x):
    w, m, v = torch.zeros(4), torch.zeros(4), torch.zeros(4)
    best, bad = torch.tensor(math.inf), 0
    for step in range(1, 12):
        g = 2 * (w - x)
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        w = w - 0.3 * (m / (1 - 0.9**step)) / ((v / (1 - 0.99**step)).sqrt() + 1e-8)
        loss = ((w - x) ** 2).sum()
        if loss < best - 1e-3:
            best = loss
            bad = 0
        else:
            bad += 1
        if bad >= 2:
            break
    return w, best


@program(X)
def loss_scaling(x):
    scale, good = torch.tensor(1024.0), 0
    total = torch.zeros(4)
    for v in x:
        g = v * scale
        if torch.isinf(g) or g.abs() > 2000:
            scale = scale / 2
            good = 0
        else:
            total = total + g / scale
            good += 1
            if good == 2:
                scale = scale * 2
                good = 0
    return total, scale


@program(X)
def ema_teacher(x):
    teacher = torch.zeros(4)
    for step in range(4):
        decay = min(0.99, (1 + step) / (10 + step))
        teacher = decay * teacher + (1 - decay) * x
        if (teacher - x).norm() < 1:
            teacher = teacher.clone()
            teacher += 0.1
    return teacher


@program(X)
def projected_gradient(x):
    w = torch.zeros(4)
    for _ in range(10):
        w = w + 0.2 * (x - w)
        if w.norm() > 1:
            w = w / w.norm()
        if (x - w).norm() < 1e-3:
            break
    return w


# ---- decoding and search ----


@program(M, gradient=False)
def beam_of_three(table):
    scores = torch.tensor([0.0, -1e9, -1e9])
    last = torch.zeros(3, dtype=torch.int64)
    n = table.shape[0]
    for _ in range(3):
        logp = torch.log_softmax(table[last % n], -1)
        total = (scores[:, None] + logp).reshape(-1)
        scores, index = total.topk(3)
        last = index % table.shape[1]
        if (last == 0).all():
            break
    return scores, last


@program(M, gradient=False)
def tokens_until_end(table):
    token = torch.tensor(1)
    out = torch.full((6,), -1)
    n = torch.tensor(0)
    while n < 6:
        token = table[token % table.shape[0]].argmax()
        out[n] = token
        n = n + 1
        if token == 0:
            break
    return out, n


@program(X)
def top_p_mass(logits):
    p, _ = logits.softmax(-1).sort(descending=True)
    mass = torch.zeros(())
    kept = 0
    for value in p:
        if mass > 0.8:
            break
        mass = mass + value
        kept += 1
    return mass, kept


# ---- solvers and simulation ----


@program(t(1.0))
def heun_adaptive(y):
    s, h = t(0.0), t(0.1)
    while s < 1.0:
        h = torch.minimum(h, 1.0 - s)
        k1 = -3 * y
        k2 = -3 * (y + h * k1)
        error = (h * (k2 - k1) / 2).abs()
        if error < 1e-3:
            y = y + h * (k1 + k2) / 2
            s = s + h
            h = h * 1.5
        else:
            h = h / 2
    return y


@program(t(0.4))
def implicit_step(y):
    for _ in range(4):
        guess = y
        for _ in range(8):
            r = guess - y - 0.1 * torch.sin(guess)
            if r.abs() < 1e-6:
                break
            guess = guess - r / (1 - 0.1 * torch.cos(guess))
        y = guess
    return y


@program(t(-0.5))
def mountain_car(position):
    velocity = torch.zeros(())
    total = torch.zeros(())
    for _ in range(40):
        action = 1.0 if velocity >= 0 else -1.0
        velocity = (velocity + 0.01 * action - 0.0025 * torch.cos(3 * position)).clamp(-0.07, 0.07)
        position = position + velocity
        if position < -1.2:
            position = t(-1.2)
            velocity = torch.zeros(())
        total = total - 1
        if position > 0.45:
            break
    return position, total


@program(X)
def returns_with_resets(rewards):
    running = torch.zeros(())
    out = []
    for r in rewards.flip(0):
        if r < 0:
            running = torch.zeros(())
        running = r + 0.9 * running
        out.append(running)
    return torch.stack(out[::-1])


@program(X)
def welford(x):
    mean, m2, n = 0.0, 0.0, 0
    for value in x:
        if n > 1 and (value - mean).abs() > 3 * torch.sqrt(m2 / n):
            continue
        n += 1
        delta = value - mean
        mean = mean + delta / n
        m2 = m2 + delta * (value - mean)
    return mean, m2, n


@program(X, gradient=False)
def spikes(current):
    v = torch.zeros(())
    count = torch.tensor(0)
    rest = 0
    for i in current:
        if rest > 0:
            rest -= 1
        else:
            v = 0.9 * v + i
            if v > 1:
                count += 1
                v = torch.zeros(())
                rest = 1
    return v, count


# ---- in place ----


@program(torch.arange(6.0))
def prefix_until(x):
    out = torch.zeros(6)
    total = torch.zeros(())
    for i in range(6):
        total = total + x[i]
        out[i] = total
        if total > 5:
            break
    return out


@program(M, gradient=False)
def gauss_seidel(m):
    a = m[:2, :2] @ m[:2, :2].T + 5 * torch.eye(2)
    x = torch.zeros(2)
    for _ in range(20):
        old = x.clone()
        for i in range(2):
            x = x.clone()
            x[i] = (1 - a[i] @ x + a[i, i] * x[i]) / a[i, i]
        if (x - old).norm() < 1e-5:
            break
    return x


# ---- torch.func and helpers ----


@program(X)
def momentum_restart(x):
    w, v = torch.zeros(4), torch.zeros(4)
    for _ in range(8):
        g = w - x
        v = 0.9 * v - 0.3 * g
        if (v * g).sum() > 0:
            v = torch.zeros_like(v)
        w = w + v
    return w


@program(X)
def item_decides(x):
    limit = x.max().item()
    total = torch.zeros(())
    for v in x:
        if v.item() == limit:
            total = total + 10
        total = total + v
    return total


@program(X)
def optional_previous(x):
    previous = None
    total = torch.zeros(())
    for v in x:
        if previous is not None and v < previous:
            total = total + previous - v
        previous = v
    return total


@program(t(1.0, 2.0, 3.0, 2.0), gradient=False)
def common_subsequence(a):
    b = torch.tensor([2.0, 1.0, 2.0, 3.0])
    table = torch.zeros(len(a) + 1, len(b) + 1, dtype=torch.long)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    return table[-1, -1]


@module(X)
class ExpertsOfLimitedCapacity(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(1, 2)
        self.experts = nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.Linear(1, 1)})

    def forward(self, xs):
        used = torch.zeros(2, dtype=torch.long)
        out = torch.zeros(len(xs))
        for i in range(len(xs)):
            x = xs[i : i + 1]
            choice = self.gate(x).argmax()
            if used[choice] >= 2:
                continue
            used[choice] += 1
            if choice == 0:
                y = self.experts["a"](x)
            else:
                y = self.experts["b"](x)
            out[i] = y.squeeze()
        return out, used
