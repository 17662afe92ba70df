# ruff: noqa: B905, RUF021, SIM108 - programs as people write them
"""Programs as users of PyTorch write them: each decides by values of tensors how it goes on.

`PROGRAMS` holds the functions with their arguments. Modules are made by `module(...)`, with weights
of a fixed seed.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

PROGRAMS = []


def program(*args, **options):
    """Add a function with its arguments; options are those of `Program`."""

    def add(function):
        PROGRAMS.append(Program(function.__name__, function, args, **options))
        return function

    return add


@dataclass
class Program:
    """A function or module, and its arguments.

    Attributes:
      gradient: whether gradients of its first output are compared.
    """

    name: str
    function: object
    args: tuple
    gradient: bool = True


def module(name, *args, **options):
    """Add a module class with the arguments of a call."""

    def add(kind):
        torch.manual_seed(7)
        PROGRAMS.append(Program(name, kind().eval(), args, **options))
        return kind

    return add


def t(*values):
    return torch.tensor(values if len(values) != 1 else values[0])


X = t(0.5, -1.0, 2.0)
M = torch.tensor([[2.0, 0.5], [0.5, 1.0]])

# ---- branches ----


@program(X)
def absolute_if(x):
    if x.sum() > 0:
        return x
    return -x


@program(X)
def three_ways(x):
    total = x.sum()
    if total > 10:
        y = x * 2
    elif total > 0:
        y = x + 1
    else:
        y = x - 1
    return y


@program(X, t(2))
def nested_branches(x, mode):
    if mode > 0:
        if mode > 1:
            y = x.exp()
        else:
            y = x.log1p()
    else:
        y = x
    return y * 2


@program(X)
def conditional_expression(x):
    scale = 1.0 if x.max() > 1 else 0.5
    return x * scale


@program(X, t(3.0))
def and_or_not(x, limit):
    if x.sum() > 0 and not x.max() > limit or x.min() > 5:
        return x * 2
    return x * 3


@program(X)
def clip_by_norm(x):
    norm = x.norm()
    if norm > 1:
        x = x / norm
    return x


@program(X)
def variable_of_one_branch(x):
    if x.sum() > 0:
        scale = x.mean()
    else:
        scale = x.std()
    return x * scale


@program(t(4), gradient=False)
def chained_comparison(n):
    if 0 < n < 10:
        return n * 2
    return n


@program(X, t(1), gradient=False)
def bool_result(x, n):
    return x.sum() > 1 and n > 0


@program(X)
def dict_of_results(x):
    out = {"value": x, "flag": 0}
    if x.sum() > 0:
        out["value"] = x * 2
        out["flag"] = 1
    return out["value"], out["flag"]


# ---- loops ----


@program(t(27), gradient=False)
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@program(t(9.0))
def newton(x):
    guess = x
    while abs(guess * guess - x) > 1e-4:
        guess = (guess + x / guess) / 2.0
    return guess


@program(t(0.5))
def fixed_point(x):
    y = x
    n = 0
    while (torch.cos(y) - y).abs() > 1e-3:
        y = torch.cos(y)
        n += 1
    return y, n


@program(M)
def power_iteration(m):
    v = torch.ones(2)
    last = torch.zeros(2)
    while (v - last).abs().max() > 1e-4:
        last = v
        v = m @ v
        v = v / v.norm()
    return v @ m @ v


@program(t(1.0), t(2.0))
def bisection(low, high):
    while high - low > 1e-3:
        middle = (low + high) / 2
        if middle * middle > 2:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@program(t(48), t(18), gradient=False)
def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


@program(t(1.0, 2.0, -3.0, 4.0))
def sum_until_negative(xs):
    total = torch.zeros(())
    for x in xs:
        if x < 0:
            break
        total = total + x
    return total


@program(t(1.0, -2.0, 3.0))
def skip_negative(xs):
    total = torch.zeros(())
    for x in xs:
        if x < 0:
            continue
        total = total + x * x
    return total


@program(t(1.0, -2.0, 3.0))
def first_negative(xs):
    for x in xs:
        if x < 0:
            return x * 2
    return xs.sum()


@program(t(5), X)
def range_of_tensor(n, x):
    for i in range(n):
        x = x + i
    return x


@program(X, t(4), gradient=False)
def index_of(xs, n):
    found = -1
    for i, x in enumerate(xs):
        if x > 1:
            found = i
            break
    return found


@program(X, t(1.0, 2.0, 3.0))
def zip_dot(xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        if x > 0:
            total = total + x * y
    return total


@program(X)
def loop_else(xs):
    for x in xs:
        if x > 5:
            result = x
            break
    else:
        result = xs.mean()
    return result


@program(t(100.0))
def halve_while(x):
    while x > 1:
        x = x / 2
    return x


@program(t(0), gradient=False)
def count_in_while_true(n):
    while True:
        n = n + 1
        if n * n > 50:
            break
    return n


@program(t(3), t(4), gradient=False)
def nested_loops(a, b):
    total = 0
    i = 0
    while i < a:
        j = 0
        while j < b:
            if (i + j) % 2 == 0:
                total = total + i * j
            j += 1
        i += 1
    return total


@program(X)
def unrolled_with_early_exit(x):
    for _ in range(6):
        if x.norm() > 10:
            break
        x = x * 1.7
    return x


@program(X)
def doubled_list(x):
    parts = []
    for i in range(3):
        if x.sum() > i:
            y = x * i
        else:
            y = x - i
        parts.append(y)
    return torch.stack(parts)


# ---- numerical programs ----


@program(t(1.0), t(0.0))
def adaptive_euler(y, time):
    step = torch.tensor(0.5)
    while time < 1.0:
        full = y - step * y
        half = y - step / 2 * y
        half = half - step / 2 * half
        error = (full - half).abs()
        if error > 1e-2:
            step = step / 2
        else:
            y = half
            time = time + step
    return y


@program(t(1.0))
def runge_kutta_step(y):
    step = torch.tensor(0.1)
    for _ in range(10):
        k1 = -y
        k2 = -(y + step / 2 * k1)
        if (k2 - k1).abs() > 0.04:
            y = y + step * k2
        else:
            y = y + step * k1
    return y


@program(t(3.0, -2.0))
def gradient_descent(x):
    for _ in range(8):
        g = 2 * x
        if g.norm() < 1e-2:
            break
        x = x - 0.1 * g
    return x


@program(t(3.0))
def line_search(x):
    step = torch.tensor(1.0)
    g = 2 * x
    while (x - step * g) ** 2 > x**2 - 0.5 * step * g * g:
        step = step * 0.5
    return x - step * g


@program(torch.tensor([[0.0, 0.1], [0.2, 0.0], [5.0, 5.1], [4.9, 5.0]]))
def k_means(points):
    centers = points[:2]
    moved = torch.tensor(1.0)
    while moved > 1e-3:
        distances = ((points[:, None] - centers[None]) ** 2).sum(-1)
        nearest = F.one_hot(distances.argmin(1), 2).to(points.dtype)
        new = (nearest.T @ points) / nearest.sum(0).clamp(min=1)[:, None]
        moved = (new - centers).abs().max()
        centers = new
    return centers


@program(M)
def matrix_power_series(m):
    term = torch.eye(2)
    total = torch.eye(2)
    k = 1
    while term.abs().max() > 1e-4:
        term = term @ m / k
        total = total + term
        k += 1
    return total


@program(M, t(1.0, 2.0))
def conjugate_gradient(a, b):
    x = torch.zeros(2)
    r = b - a @ x
    p = r
    while r.norm() > 1e-3:
        ap = a @ p
        alpha = (r @ r) / (p @ ap)
        x = x + alpha * p
        new = r - alpha * ap
        p = new + (new @ new) / (r @ r) * p
        r = new
    return x


@program(t(5.0, 1.0, 4.0, 2.0), gradient=False)
def bubble_sort(xs):
    xs = xs.clone()
    swapped = torch.tensor(True)
    while swapped:
        swapped = torch.tensor(False)
        for i in range(3):
            if xs[i] > xs[i + 1]:
                xs = xs[
                    torch.tensor([j if j not in (i, i + 1) else 2 * i + 1 - j for j in range(4)])
                ]
                swapped = torch.tensor(True)
    return xs


@program(t(1.0, 3.0, 5.0, 7.0), t(5.0), gradient=False)
def binary_search(xs, x):
    low = torch.tensor(0)
    high = torch.tensor(3)
    while low < high:
        middle = (low + high) // 2
        if xs[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


@program(t(12345), gradient=False)
def linear_congruential(seed):
    n = 0
    while seed % 7 != 0:
        seed = (seed * 1103515245 + 12345) % 2147483648
        n += 1
    return seed, n


@program(t(2.0), t(10), gradient=False)
def integer_power(base, n):
    result = torch.ones(())
    while n > 0:
        if n % 2 == 1:
            result = result * base
        base = base * base
        n = n // 2
    return result


@program(X)
def soft_threshold(x):
    out = torch.zeros(3)
    for i in range(3):
        if x[i] > 0.7:
            out = out + F.one_hot(torch.tensor(i), 3) * (x[i] - 0.7)
        elif x[i] < -0.7:
            out = out + F.one_hot(torch.tensor(i), 3) * (x[i] + 0.7)
    return out


# ---- sequences ----

TABLE = torch.tensor(
    [[0.1, 2.0, 0.3, 0.2], [0.2, 0.1, 1.5, 0.1], [0.1, 0.1, 0.1, 3.0], [1.0, 0.2, 0.1, 0.4]]
)


@program(t(0), gradient=False)
def greedy_decode(token):
    out = torch.full((8,), 3)
    n = 0
    while token != 3 and n < 8:
        token = TABLE[token].argmax()
        out = torch.where(torch.arange(8) == n, token, out)
        n += 1
    return out, n


@program(t(0), gradient=False)
def decode_into_table(token):
    out = torch.full((6,), -1)
    for i in range(6):
        if token == 3:
            break
        token = torch.argmax(TABLE[token])
        out[i] = token
    return out


@program(torch.tensor([[0.0, -1.0], [-0.5, -0.2]]), gradient=False)
def beam_step(scores):
    flat = scores.reshape(-1)
    best, index = flat.topk(2)
    if best[0] > -0.1:
        done = torch.tensor(True)
        beams = index[:1].expand(2)
    else:
        done = torch.tensor(False)
        beams = index
    return beams, done


@program(TABLE, gradient=False)
def beam_search(table):
    scores = torch.zeros(2)
    tokens = torch.tensor([0, 1])
    step = 0
    while (tokens != 3).any() and step < 5:
        logits = table[tokens].log_softmax(-1) + scores[:, None]
        scores, index = logits.reshape(-1).topk(2)
        tokens = index % 4
        step += 1
    return scores, tokens, step


@program(torch.randn(4, 3, generator=torch.Generator().manual_seed(1)), t(3))
def ragged_rnn(xs, length):
    h = torch.zeros(3)
    for i in range(length):
        h = torch.tanh(xs[i] + 0.5 * h)
    return h


@program(torch.randn(4, 2, 3, generator=torch.Generator().manual_seed(1)), t(4, 2))
def masked_rnn(xs, lengths):
    h = torch.zeros(2, 3)
    step = 0
    while step < lengths.max():
        new = torch.tanh(xs[step] + 0.5 * h)
        h = torch.where((step < lengths)[:, None], new, h)
        step += 1
    return h


@program(t(1, 2, 2, 3, 3, 3), gradient=False)
def longest_run(xs):
    best = torch.tensor(0)
    run = torch.tensor(0)
    last = torch.tensor(-1)
    for x in xs:
        if x == last:
            run = run + 1
        else:
            run = torch.ones_like(run)
        last = x
        if run > best:
            best = run
    return best


@program(t(3.0, 1.0, 2.0))
def running_maximum(xs):
    best = xs[0]
    rows = []
    for x in xs:
        best = x if x > best else best
        rows.append(best)
    return torch.stack(rows)


# ---- changes in place ----


@program(torch.zeros(5), t(4), gradient=False)
def fill_table(table, n):
    for i in range(n):
        table[i] = i * i
    return table


@program(torch.zeros(4), X, gradient=False)
def add_where_positive(total, x):
    if x.sum() > 0:
        total += 1
    else:
        total -= 1
    return total


@program(torch.ones(4), gradient=False)
def sieve(flags):
    for i in range(2, 4):
        if flags[i] > 0:
            for j in range(2 * i, 4, i):
                flags[j] = 0
    return flags


@program(t(2), gradient=False)
def dynamic_programming(n):
    ways = torch.zeros(8, dtype=torch.int64)
    ways[0] = 1
    ways[1] = 1
    i = 2
    while i < 8:
        ways[i] = ways[i - 1] + ways[i - 2]
        i += 1
    return ways[n]


@program(torch.zeros(3, 3), t(1), gradient=False)
def paint_row(board, row):
    if row >= 0:
        board[row] = 1
    return board.sum()


# ---- classes ----


class Point(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


@program(t(1.0), t(2.0))
def named_tuple_state(x, y):
    p = Point(x, y)
    while p.x * p.x + p.y * p.y < 100:
        p = Point(p.x + p.y, p.y * 1.1)
    return p.x, p.y


class Counter:
    def __init__(self):
        self.total = torch.zeros(())
        self.count = 0

    def add(self, x):
        if x > 0:
            self.total = self.total + x
            self.count += 1

    def mean(self):
        return self.total / max(self.count, 1)


@program(X)
def object_with_state(xs):
    counter = Counter()
    for i in range(3):
        counter.add(xs[i])
    return counter.total, counter.count


@dataclass
class Config:
    rate: float = 0.5
    limit: float = 4.0


CONFIG = Config()


@program(t(1.0))
def configured(x):
    while x < CONFIG.limit:
        x = x * (1 + CONFIG.rate)
    return x


def _helper(x):
    if x.sum() > 0:
        return x * 2
    return -x


@program(X)
def calls_helper(x):
    return _helper(_helper(x) - 3)


@program(X)
def closure_over_argument(x):
    def scaled(y):
        return y * x

    y = torch.ones(3)
    while y.abs().sum() < 10:
        y = scaled(y) + 1
    return y


# ---- modules ----


@module("early_exit_network", torch.ones(4))
class EarlyExit(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        h = torch.tanh(self.first(x))
        logits = self.head(h)
        if logits.softmax(-1).max() > 0.6:
            return logits
        h = torch.tanh(self.second(h))
        return self.head(h)


@module("deep_equilibrium", torch.ones(3))
class DeepEquilibrium(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.Linear(3, 3)

    def forward(self, x):
        z = torch.zeros(3)
        change = torch.tensor(1.0)
        while change > 1e-3:
            new = torch.tanh(0.5 * self.cell(z) + x)
            change = (new - z).abs().max()
            z = new
        return z


@module("adaptive_computation", torch.ones(3))
class AdaptiveComputation(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(3, 3)
        self.halt = nn.Linear(3, 1)

    def forward(self, x):
        h = torch.zeros(3)
        halted = torch.zeros(())
        steps = 0
        while halted < 0.99 and steps < 10:
            h = self.cell(x, h)
            halted = halted + torch.sigmoid(self.halt(h)).squeeze()
            steps += 1
        return h, steps


@module("module_list", torch.ones(3))
class Layers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
            if x.sum() < 0.5:
                break
        return x


class Gate(nn.Module):
    def forward(self, x):
        if x.mean() > 0:
            return x * 2
        return x / 2


@module("sequential_with_gate", torch.ones(3))
class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 3), Gate(), nn.Linear(3, 3))

    def forward(self, x):
        y = self.body(x)
        return y if y.sum() > 0 else self.body(y)


@module("mixture_of_experts", torch.ones(3))
class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Linear(3, 2)
        self.left = nn.Linear(3, 3)
        self.right = nn.Sequential(nn.Linear(3, 3), nn.ReLU())

    def forward(self, x):
        chosen = self.router(x).argmax()
        if chosen == 0:
            return self.left(x)
        return self.right(x)


@module("module_with_buffer", torch.ones(3), gradient=False)
class Running(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        if x.sum() > 0:
            return x - self.mean + 1
        return x


@module("lstm_until_quiet", torch.randn(1, 3, generator=torch.Generator().manual_seed(2)))
class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(3, 3)

    def forward(self, x):
        h = torch.zeros(1, 3)
        c = torch.zeros(1, 3)
        for _ in range(4):
            h, c = self.cell(x, (h, c))
            if h.abs().max() > 0.9:
                break
        return h


@module("residual_until_small", torch.ones(2, 3))
class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(3)
        self.lin = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        n = 0
        while x.abs().max() < 5 and n < 6:
            x = x + torch.relu(self.drop(self.lin(self.norm(x))))
            n += 1
        return x, n


# ---- what is checked and shown ----


@program(X)
def assertion(x):
    assert x.sum() < 100, "too large"
    if x.sum() > 0:
        x = x * 2
    return x


@program(X)
def raise_in_branch(x):
    if x.sum() > 100:
        raise ValueError("too large")
    return x * 2
