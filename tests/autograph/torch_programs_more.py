# ruff: noqa: B007, B905, E731, SIM102, SIM108 - programs as people write them
"""More programs as users of PyTorch write them; see `torch_programs`."""

import contextlib
import math
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from tests.autograph.torch_programs import M, Program, X, t

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
        torch.manual_seed(7)
        PROGRAMS.append(Program(kind.__name__, kind().eval(), args, **options))
        return kind

    return add


TABLE = t([0.1, 2.0, 0.3, 0.2], [0.2, 0.1, 1.5, 0.7], [1.0, 0.2, 0.1, 2.2], [0.3, 0.2, 1.1, 0.9])

# ---- decoding ----


@program(t(0), gradient=False)
def nucleus_greedy(token):
    """Greedy unless the best token is below a threshold."""
    tokens = torch.full((6,), -1)
    for i in range(6):
        probs = TABLE[token].softmax(-1)
        best = probs.argmax()
        if probs[best] < 0.4:
            best = probs.argsort(descending=True)[1]
        tokens[i] = best
        token = best
        if token == 3:
            break
    return tokens


@program(TABLE)
def beam_search_with_scores(table):
    beams = torch.zeros(2, dtype=torch.long)
    scores = torch.tensor([0.0, -1e9])
    done = torch.zeros(2, dtype=torch.bool)
    steps = 0
    while not done.all() and steps < 5:
        logp = table[beams].log_softmax(-1)
        logp = torch.where(done[:, None], torch.tensor([-1e9, -1e9, -1e9, 0.0]), logp)
        total = (scores[:, None] + logp).flatten()
        scores, flat = total.topk(2)
        source = flat // 4
        beams = flat % 4
        done = done[source] | (beams == 3)
        steps += 1
    return scores, beams, steps


@program(t(0, 0, 1, 1, 0, 2, 2, 0), gradient=False)
def ctc_collapse(labels):
    out = torch.zeros(8, dtype=torch.long)
    n = torch.tensor(0)
    previous = torch.tensor(-1)
    for label in labels:
        if label != previous:
            if label != 0:
                out[n] = label
                n = n + 1
        previous = label
    return out, n


@program(TABLE)
def viterbi(table):
    score = table[0]
    for i in range(1, 4):
        best = score[:, None] + table
        value, _ = best.max(dim=0)
        if value.max() > 3.0:
            value = value - value.max()
        score = value
    return score


@program(t(1.0))
def speculative_accept(x):
    """Accept drafted values until the first one that the target rejects."""
    draft = torch.linspace(0.5, 2.0, 6)
    accepted = 0
    total = torch.zeros(())
    for d in draft:
        p = torch.sigmoid(x - d)
        if p < 0.4:
            break
        total = total + p
        accepted += 1
    else:
        total = total + 1
    return total, accepted


# ---- sampling ----


@program(t(0.5))
def metropolis(x):
    noise = torch.tensor([0.3, -0.8, 1.2, -0.1, 0.6])
    uniform = torch.tensor([0.9, 0.2, 0.5, 0.99, 0.1])
    accepted = 0
    for n, u in zip(noise, uniform):
        proposal = x + n
        log_ratio = -(proposal**2 - x**2) / 2
        if torch.log(u) < log_ratio:
            x = proposal
            accepted = accepted + 1
    return x, accepted


@program(t(0.3))
def rejection_sampling(x):
    draws = torch.tensor([[0.9, 0.9], [0.8, 0.7], [0.2, 0.5], [0.1, 0.1]])
    i = 0
    while True:
        u, v = draws[i % 4]
        candidate = 2 * u - 1
        if v < torch.exp(-(candidate**2) / 2) * x * 3:
            return candidate * x
        i += 1
        if i > 10:
            return torch.zeros(())


@program(t(1.0), t(0.2))
def leapfrog_until_turn(q, p):
    """The inner loop of a no-U-turn sampler."""
    start = q
    steps = 0
    while (q - start) * p >= 0:
        p = p - 0.05 * q
        q = q + 0.1 * p
        p = p - 0.05 * q
        steps += 1
        if steps >= 50:
            break
    return q, p, steps


@program(t(0.0))
def annealing(x):
    energy = lambda v: (v - 2) ** 2 + torch.cos(3 * v)
    temperature = torch.tensor(2.0)
    best, best_energy = x, energy(x)
    for step in torch.tensor([0.5, -0.2, 0.9, 0.4, -0.7, 0.3]):
        candidate = x + step
        delta = energy(candidate) - energy(x)
        if delta < 0 or torch.exp(-delta / temperature) > 0.6:
            x = candidate
        if energy(x) < best_energy:
            best, best_energy = x, energy(x)
        temperature = temperature * 0.8
    return best, best_energy


@program(TABLE)
def systematic_resampling(weights):
    w = weights[0].softmax(-1)
    ess = 1 / (w**2).sum()
    if ess < 3.5:
        edges = w.cumsum(-1)
        points = (torch.arange(4) + 0.5) / 4
        index = torch.searchsorted(edges.detach(), points).clamp(max=3)
        w = w[index]
        w = w / w.sum()
    return w


# ---- numerical methods ----


@program(t(1.0))
def dopri_adaptive(y):
    """An embedded Runge-Kutta pair with step rejection."""
    time, h = 0.0, torch.tensor(0.2)
    rejected = 0
    while time < 1.0:
        h = torch.minimum(h, torch.as_tensor(1.0 - time))
        k1 = -2 * y
        k2 = -2 * (y + h * k1)
        high = y + h * (k1 + k2) / 2
        low = y + h * k1
        error = (high - low).abs()
        if error < 0.05:
            y = high
            time = time + h
            h = h * 1.5
        else:
            rejected += 1
            h = h * 0.5
    return y, rejected


@program(M, t(1.0, 2.0))
def gmres_like(a, b):
    x = torch.zeros(2)
    r = b - a @ x
    k = 0
    while torch.linalg.norm(r) > 1e-4 and k < 20:
        ar = a @ r
        x = x + (r @ ar) / (ar @ ar) * r
        r = b - a @ x
        k += 1
    return x


@program(t(0.3), t(2.2))
def secant(a, b):
    f = lambda v: v**3 - 2 * v - 1
    fa, fb = f(a), f(b)
    for _ in range(30):
        if (fb - fa).abs() < 1e-7:
            break
        a, b = b, b - fb * (b - a) / (fb - fa)
        fa, fb = fb, f(b)
        if fb.abs() < 1e-5:
            return b
    return b


@program(torch.linspace(-1.0, 1.0, 7))
def adaptive_simpson(xs):
    total = xs.sum() * 0
    for i in range(0, 6, 2):
        left, mid, right = xs[i], xs[i + 1], xs[i + 2]
        coarse = (right - left) / 2 * (left**4 + right**4)
        fine = (right - left) / 6 * (left**4 + 4 * mid**4 + right**4)
        if (coarse - fine).abs() > 0.05:
            total = total + fine
        else:
            total = total + coarse
    return total


@program(M)
def qr_iteration(a):
    for _ in range(20):
        if a[1, 0].abs() < 1e-4:
            break
        q, r = torch.linalg.qr(a)
        a = r @ q
    return a.diagonal()


@program(t(-1.2, 1.0))
def armijo(x):
    f = lambda v: (1 - v[0]) ** 2 + 10 * (v[1] - v[0] ** 2) ** 2
    for _ in range(3):
        g = torch.stack([-2 * (1 - x[0]) - 40 * x[0] * (x[1] - x[0] ** 2), 20 * (x[1] - x[0] ** 2)])
        step = 1.0
        while f(x - step * g) > f(x) - 1e-4 * step * (g @ g):
            step = step * 0.5
        x = x - step * g
    return x


@program(t(0.7))
def continued_fraction(x):
    value, previous = x, torch.tensor(math.inf)
    count = 0
    while (value - previous).abs() > 1e-5:
        previous = value
        value = 1 / (1 + value)
        count += 1
    return value, count


@program(t(3.0, 1.0, 2.0, 5.0, 4.0))
def quick_select(xs):
    """The median, by partition with masks and counts."""
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
    return torch.where(xs >= pivot, xs, torch.tensor(math.inf)).min()


# ---- clustering and learning ----


@program(torch.tensor([[0.0, 0.1], [0.2, 0.0], [3.0, 3.1], [2.9, 3.3], [0.1, 0.3]]))
def k_means_until_stable(points):
    centers = points[:2].clone()
    changed = True
    rounds = 0
    while changed and rounds < 10:
        distance = ((points[:, None] - centers[None]) ** 2).sum(-1)
        owner = distance.argmin(1)
        new = []
        for c in range(2):
            mask = (owner == c).float()
            if mask.sum() > 0:
                new.append((points * mask[:, None]).sum(0) / mask.sum())
            else:
                new.append(centers[c])
        stacked = torch.stack(new)
        changed = (stacked - centers).abs().max() > 1e-6
        centers = stacked
        rounds += 1
    return centers


@program(t(0.0, 0.0), torch.tensor([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.5], [-2.0, 0.5]]))
def perceptron(w, points):
    labels = [1.0, 1.0, -1.0, -1.0]
    mistakes = 1
    epochs = 0
    while mistakes > 0 and epochs < 8:
        mistakes = torch.tensor(0)
        for x, y in zip(points, labels):
            if y * (w @ x) <= 0:
                w = w + y * x
                mistakes = mistakes + 1
        epochs += 1
    return w, epochs


@program(t(4.0))
def early_stopping(w):
    best, patience = torch.tensor(math.inf), 0
    rate = 0.3
    for epoch in range(30):
        loss = (w - 1) ** 2
        w = w - rate * 2 * (w - 1)
        if loss < best - 1e-3:
            best = loss
            patience = 0
        else:
            patience += 1
            if patience == 3:
                break
    return w, best


@program(t(2.0, -3.0))
def adam_by_hand(w):
    m = torch.zeros(2)
    v = torch.zeros(2)
    t_ = 0
    while (w.abs() > 1.0).any():
        t_ += 1
        g = 2 * w
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        w = w - 0.3 * (m / (1 - 0.9**t_)) / ((v / (1 - 0.99**t_)).sqrt() + 1e-8)
        if t_ > 20:
            break
    return w


@program(t(2.0))
def plateau_schedule(w):
    rate, last = 1.1, torch.tensor(math.inf)
    history = []
    for _ in range(6):
        loss = w * w
        history.append(loss)
        if loss >= last * 0.99:
            rate = rate / 2
        last = loss
        w = w - rate * 2 * w
    return w, torch.stack(history)


@program(t(5.0, 0.1))
def clip_then_skip_nan(g):
    norm = g.norm()
    if torch.isnan(norm) or torch.isinf(norm):
        return torch.zeros_like(g)
    scale = 1.0
    if norm > 1.0:
        scale = 1.0 / norm
    return g * scale


# ---- sequences ----


@program(torch.arange(12.0).reshape(3, 4) / 10, t(4, 2, 0))
def ragged_mean(batch, lengths):
    out = torch.zeros(3)
    for i in range(3):
        n = lengths[i]
        total = torch.zeros(())
        for j in range(n):
            total = total + batch[i, j]
        if n > 0:
            out[i] = total / n
    return out


@program(torch.linspace(-1, 1, 8).reshape(4, 2), t(3))
def ragged_gru(xs, length):
    cell_w = torch.eye(2) * 0.5
    h = torch.zeros(2)
    step = 0
    while step < length:
        x = xs[step]
        z = torch.sigmoid(x + h)
        n = torch.tanh(cell_w @ x + z * h)
        h = (1 - z) * n + z * h
        step = step + 1
    return h


@program(t(1.0, 3.0, 2.0, 5.0, 4.0))
def longest_increasing_subsequence(xs):
    best = torch.ones(5)
    for i in range(1, 5):
        for j in range(i):
            if xs[j] < xs[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    return best.max() * xs.sum()


@program(t(1, 2, 3, 4), t(2, 4, 3, 4), gradient=False)
def edit_distance(a, b):
    previous = torch.arange(5)
    for i in range(4):
        current = torch.zeros(5, dtype=torch.long)
        current[0] = i + 1
        for j in range(4):
            cost = 0 if a[i] == b[j] else 1
            current[j + 1] = min(previous[j + 1] + 1, current[j] + 1, previous[j] + cost)
        previous = current
    return previous[4]


@program(t(0.2, 0.8, 0.9, 0.1, 0.7, 0.75, 0.1))
def hysteresis(signal):
    on = False
    switches = 0
    out = []
    for s in signal:
        if on and s < 0.3:
            on = False
            switches += 1
        elif not on and s > 0.7:
            on = True
            switches += 1
        out.append(s if on else -s)
    return torch.stack(out), switches


@program(t(4.0, 2.0, 7.0, 1.0))
def insertion_sort(xs):
    xs = xs.clone()
    for i in range(1, 4):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            a, b = xs[j - 1].clone(), xs[j].clone()
            xs[j - 1], xs[j] = b, a
            j -= 1
    return xs


@program(t(2.0, -1.0, 3.0, -5.0, 4.0))
def max_subarray(xs):
    best = current = xs[0]
    for x in xs[1:]:
        current = max(current + x, x)
        best = max(best, current)
    return best


@program(t(3, 1, 2), gradient=False)
def swap_in_place(p):
    i = torch.tensor(0)
    while p[i] != i + 1 and i < 2:
        target = p[i] - 1
        p[i], p[target] = p[target].clone(), p[i].clone()
        i = i + 1
    return p


# ---- classes ----


@dataclass
class State:
    position: Tensor
    velocity: Tensor
    bounces: int = 0
    trail: list = field(default_factory=list)


@program(t(1.0), t(0.5))
def bouncing_ball(height, speed):
    state = State(height, speed)
    for _ in range(6):
        state.velocity = state.velocity - 0.4
        state.position = state.position + 0.5 * state.velocity
        if state.position < 0:
            state.position = -state.position
            state.velocity = -0.8 * state.velocity
            state.bounces += 1
        state.trail.append(state.position)
    return state.position, state.bounces, torch.stack(state.trail)


class RunningNorm:
    def __init__(self, limit):
        self.limit = limit
        self.mean = torch.zeros(())
        self._count = 0

    @property
    def count(self):
        return self._count

    def __call__(self, x):
        self._count += 1
        self.mean = self.mean + (x - self.mean) / self._count
        if self.mean.abs() > self.limit:
            self.mean = self.limit * self.mean.sign()
        return x - self.mean


@program(X)
def running_norm(xs):
    norm = RunningNorm(0.8)
    total = torch.zeros(())
    for x in xs:
        total = total + norm(x) ** 2
    return total, norm.count


class Stack:
    def __init__(self, size):
        self.items = torch.zeros(size)
        self.top = torch.tensor(0)

    def push(self, x):
        self.items[self.top] = x
        self.top = self.top + 1

    def pop(self):
        self.top = self.top - 1
        return self.items[self.top]


@program(t(2.0, 3.0, -1.0, 4.0, -2.0))
def reverse_polish(tokens):
    """Positive: push; -1: add; -2: multiply."""
    stack = Stack(4)
    for token in tokens:
        if token > 0:
            stack.push(token)
        elif token == -1:
            b = stack.pop().clone()
            a = stack.pop().clone()
            stack.push(a + b)
        else:
            b = stack.pop().clone()
            a = stack.pop().clone()
            stack.push(a * b)
    return stack.items[0]


@program(t(0.5), t(1), gradient=False)
def match_statement(x, mode):
    kinds = {"relu": torch.relu, "tanh": torch.tanh}
    out = x
    for name in ("relu", "tanh"):
        match name:
            case "relu" if mode == 0:
                out = kinds[name](out)
            case "tanh" if mode == 1:
                out = kinds[name](out)
            case _:
                out = out + 1
    return out


@program(t(0.2, 0.9, 0.4))
def no_grad_decision(x):
    with torch.no_grad():
        threshold = x.mean()
        if threshold > 0.4:
            threshold = threshold * 0.5
    return torch.where(x > threshold, x * 2, x).sum()


@program(t(0.2, 0.9, 0.4))
def generator_and_any(x):
    if any(v > 0.8 for v in x):
        return sum(v for v in x if v < 0.8)
    return x.prod()


@program(t(1.0))
def window_of_deque(x):
    window = deque(maxlen=3)
    for i in range(5):
        window.append(x * i)
        if len(window) == 3 and sum(window) > 5:
            x = x * 0.5
    return x


# ---- modules ----


@module(torch.linspace(-1, 1, 6).reshape(3, 2))
class MixtureOfDepths(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(2, 2) for _ in range(3))
        self.gates = nn.ModuleList(nn.Linear(2, 1) for _ in range(3))

    def forward(self, x):
        for block, gate in zip(self.blocks, self.gates):
            score = gate(x).mean()
            if score > 0:
                x = x + score * torch.tanh(block(x))
        return x


@module(torch.linspace(-1, 1, 10).reshape(5, 2), t(4))
class RaggedLSTM(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(2, 3)

    def forward(self, xs, length):
        h = torch.zeros(3)
        c = torch.zeros(3)
        for i in range(len(xs)):
            if i >= length:
                break
            h, c = self.cell(xs[i], (h, c))
        return h


@module(torch.ones(3))
class UniversalTransformerHalting(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = nn.Linear(3, 3)
        self.halt = nn.Linear(3, 1)
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        halted = torch.zeros(())
        out = torch.zeros(3)
        n = 0
        while halted < 0.99 and n < 6:
            x = self.norm(x + torch.tanh(self.step(x)))
            p = torch.sigmoid(self.halt(x)).squeeze()
            if halted + p > 0.99:
                p = 1 - halted
            halted = halted + p
            out = out + p * x
            n += 1
        return out, n


@module(t(0, 2), gradient=False)
class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 4)
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.head = nn.Linear(4, 5)

    def forward(self, prompt):
        tokens = torch.zeros(1, 6, dtype=torch.long)
        tokens[0, :2] = prompt
        n = 2
        finished = False
        while n < 6 and not finished:
            h = self.embed(tokens)
            mask = torch.arange(6)[None, :] >= n
            h, _ = self.attention(h, h, h, key_padding_mask=mask)
            nxt = self.head(h[0, n - 1]).argmax()
            tokens[0, n] = nxt
            finished = nxt == 4
            n += 1
        return tokens


@module(torch.linspace(0, 1, 16).reshape(1, 1, 4, 4))
class CascadeCNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.coarse = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.ReLU(), nn.Flatten())
        self.fine = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.GELU(), nn.Flatten())
        self.head = nn.Linear(32, 2)

    def forward(self, x):
        logits = self.head(self.coarse(x))
        margin = (logits[0, 0] - logits[0, 1]).abs()
        if margin < 0.5:
            logits = logits + self.head(self.fine(x))
        return F.log_softmax(logits, dim=-1)


@module(torch.ones(2, 3), gradient=False)
class BufferedEma(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("codebook", torch.eye(3))
        self.register_buffer("usage", torch.zeros(3))

    def forward(self, x):
        usage = self.usage
        out = []
        for row in x:
            index = ((row - self.codebook) ** 2).sum(-1).argmin()
            usage = usage + F.one_hot(index, 3)
            out.append(self.codebook[index])
        if usage.min() == 0:
            usage = usage * 0.5
        return torch.stack(out), usage


@module(torch.ones(3))
class Inherited(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))

    def forward(self, x):
        for layer in self:
            x = layer(x)
            if x.norm() > 1.0:
                x = F.normalize(x, dim=-1)
        return super().forward(x) + x


@module(t(1.0, 2.0))
class FixedPointLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[0.2, 0.1], [0.0, 0.3]]))

    def step(self, z, x):
        return torch.tanh(self.weight @ z + x)

    def forward(self, x):
        z = torch.zeros_like(x)
        for _ in range(50):
            new = self.step(z, x)
            if (new - z).norm() < 1e-4:
                return new
            z = new
        return z


@program(t(1.0, 2.0, 3.0))
def functional_call_loop(x):
    weights = {"w": torch.tensor([0.5, -0.2, 0.1]), "b": torch.tensor(0.3)}
    loss = (x @ weights["w"] + weights["b"]) ** 2
    while loss > 0.05:
        weights = {"w": weights["w"] * 0.7, "b": weights["b"] * 0.7}
        loss = (x @ weights["w"] + weights["b"]) ** 2
    return loss, weights["b"]


@program(t(0.4))
def raise_for_divergence(x):
    for i in range(5):
        x = x * 1.2
        if not torch.isfinite(x):
            raise FloatingPointError(f"diverged at {i}")
    assert x > 0
    return x


@program(t(0.4))
def suppressed(x):
    with contextlib.suppress(ValueError):
        if x > 1:
            x = x * 2
    return x


@program(t(1.0, -2.0, 3.0))
def try_finally(x):
    total = x.sum()
    try:
        if total > 0:
            total = total * 2
    finally:
        total = total + 1
    return total


@program(t(2.0))
def recursion_of_fixed_depth(x):
    def newton(guess, depth):
        if depth == 0:
            return guess
        if (guess * guess - x).abs() < 1e-6:
            return guess
        return newton((guess + x / guess) / 2, depth - 1)

    return newton(x, 4)


@program(torch.zeros(4, 4), gradient=False)
def flood_fill(board):
    board[1, 1] = 1
    board[2, 1] = 2
    changed = True
    while changed:
        up = F.pad(board[1:], (0, 0, 0, 1))
        left = F.pad(board[:, 1:], (0, 1))
        grown = torch.where((board == 0) & ((up == 1) | (left == 1)), torch.ones(()), board)
        changed = not torch.equal(grown, board)
        board = grown
    return board
