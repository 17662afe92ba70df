"""Programs as users of JAX write them, the third part; see `jax_programs`."""

# The programs are written as users write them.
# ruff: noqa: B007, B905, C417, E731, RUF007, SIM108, SIM201

import collections
import contextlib
import dataclasses
import enum
import functools
import itertools
import operator
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


# ---- loops whose length the data decides ----


@program(10.0, unbounded=True)
def halvings(x):
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return x, n


@program(2.0)
def power_until(x):
    y = x
    for k in range(20):
        y = y * x
        if y > 50:
            return y, k
    return y, -1


@program(V)
def first_negative(xs):
    for i, x in enumerate(xs):
        if x < 0:
            return x * 2, i
    return xs[0], -1


@program(V)
def last_big(xs):
    found, at = xs[0], -1
    for i, x in enumerate(xs):
        if x <= 1:
            continue
        found, at = x, i
    return found, at


@program(0.3, unbounded=True)
def logistic_until_cycle(r):
    x, seen = 0.5, 0
    while seen < 30:
        x = 3.2 * x * (1 - x) + 0.01 * r
        seen += 1
        if abs(x - 0.5) < 0.02:
            break
    else:
        x = -x
    return x, seen


@program(5.0, unbounded=True)
def nested_while(x):
    total = 0.0 * x
    i = 0
    while i < x:
        j = 0
        while j < i:
            if (i + j) % 2 == 0:
                total += i * j
            j += 1
        i += 1
    return total


@program(V)
def bubble_sort(xs):
    n = len(xs)
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                a, b = xs[j], xs[j + 1]
                xs = xs.at[j].set(b)
                xs = xs.at[j + 1].set(a)
    return xs


@program(V, unbounded=True)
def insertion_sort_items(xs):
    xs = xs.copy()
    for i in range(1, len(xs)):
        j = i
        while j > 0 and xs[j - 1] > xs[j]:
            xs[j - 1], xs[j] = xs[j], xs[j - 1]
            j -= 1
    return xs


PROGRAMS[-1] = PROGRAMS[-1]._replace(plain=lambda xs: jnp.sort(xs))


@program(V)
def running_max(xs):
    best = xs[0]
    out = []
    for x in xs:
        best = max(best, x)
        out.append(best)
    return jnp.stack(out)


@program(V)
def longest_rise(xs):
    best = run = 1
    for i in range(1, len(xs)):
        run = run + 1 if xs[i] > xs[i - 1] else 1
        best = max(best, run)
    return best * 1.0


@program(3.7)
def digits(x):
    n = int(x * 1000)
    total = 0
    while n:
        n, digit = divmod(n, 10)
        total += digit
    return total * 1.0


@program(48.0, 18.0, unbounded=True)
def euclid(a, b):
    while b:
        a, b = b, a % b
    return a


@program(2.0)
def bisection(target):
    lo, hi = 0.0, 4.0
    for _ in range(40):
        mid = (lo + hi) / 2
        if mid * mid < target:
            lo = mid
        else:
            hi = mid
    return lo * target


@program(1.3, unbounded=True)
def while_true(x):
    steps = 0
    while True:
        x = x * 1.5
        steps += 1
        if x > 10 or steps >= 12:
            break
    return x, steps


@program(W)
def rows_until(w):
    total = jnp.zeros(2)
    for row in w:
        if row[0] < 0.4:
            break
        total = total + row
    else:
        total = total - 1
    return total


@program(V)
def two_pointers(xs):
    i, j = 0, len(xs) - 1
    swaps = 0
    while i < j:
        if xs[i] < 0:
            i += 1
            continue
        if xs[j] > 1:
            j -= 1
            continue
        swaps += 1
        i, j = i + 1, j - 1
    return swaps * 1.0, i, j


@program(V)
def horner(coefficients):
    value = 0.0
    for c in reversed(coefficients):
        value = value * 0.5 + c
    return value


@program(V)
def zip_products(xs):
    total = 0.0
    for a, b in zip(xs, xs[1:]):
        if a * b > 0:
            total += a * b
        else:
            total -= 1
    return total


@program(V)
def enumerate_from_one(xs):
    return sum(i * x for i, x in enumerate(xs, 1))


@program(V)
def count_down(xs):
    n = len(xs)
    while n > 0 and xs[n - 1] > 0:
        n -= 1
    return xs[:2], n


@program(4.0, unbounded=True)
def range_of_traced(x):
    total = 0.0
    for i in range(int(x)):
        total += i * x
    return total


@program(3.0, unbounded=True)
def range_with_steps(x):
    total = 0 * x
    for i in range(10, int(x), -2):
        total = total + i
    return total


@program(V)
def loop_variable_afterwards(xs):
    for x in xs:
        y = x * 2
    return x + y


@program(2.5)
def collatz_like(x):
    n = jnp.floor(x * 3).astype(int)
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return x * steps


# ---- branches ----


@program(0.5)
def chained_comparison(x):
    if 0 < x < 1:
        return x * 2
    return x


@program(0.5)
def not_and_or(x):
    if not (x > 1 or x < 0) and not x == 0.25:
        return x + 1
    return x - 1


@program(0.5, 2.0)
def default_by_or(x, y):
    z = (x > 1 and x) or y
    return z


@program(1.5)
def assigned_in_one(x):
    y = x
    if x > 1:
        y = y * 2
        if x > 1.4:
            y = y + 1
    return y


@program(-2.0)
def sign_by_elif(x):
    if x > 0:
        s = 1
    elif x < 0:
        s = -1
    else:
        s = 0
    return s * x


@program(2.0)
def walrus(x):
    if (y := x * x) > 3:
        return y
    return y + x


@program(V)
def ternary_chain(xs):
    m = xs.mean()
    return m if m > 2 else m * 2 if m > 1 else m * 3


@program(0.2)
def different_dtypes(x):
    if x > 0.1:
        y = x
    else:
        y = 0
    return y


@program(1.0)
def int_or_float(x):
    n = 1 if x > 0 else 2.5
    return n * x


@program(1.5)
def bool_results(x):
    big = x > 1
    small = not big
    return x * big + small


@program(1.5)
def nested_returns(x):
    if x > 0:
        if x > 1:
            if x > 2:
                return x
            return 2 * x
        return 3 * x
    return 4 * x


@program(V)
def any_and_all(xs):
    if any(x < 0 for x in xs) and not all(x < 0 for x in xs):
        return xs.sum()
    return xs.prod()


@program(V)
def any_of_list(xs):
    return 1.0 * any([xs[0] > 0, xs[1] > 0]) + 2.0 * all([xs[0] > 0, xs[1] > 0])


@program(V)
def membership(xs):
    return 1.0 if 2.0 in xs else xs[0]


@program(3.0)
def membership_in_tuple(x):
    return x if x in (1.0, 2.0, 3.0) else -x


@program(1.2)
def match_number(x):
    match int(x):
        case 0:
            return x
        case 1 | 2:
            return x * 2
        case _:
            return x * 3


@program(0.7)
def match_guard(x):
    match (x, 1.0):
        case (a, b) if a > b:
            return a
        case (a, b):
            return a + b


# ---- built-in functions ----


@program(1.0, 2.0)
def min_max(x, y):
    return max(x, y, 1.5) - min(x, y)


@program(V)
def min_of_generator(xs):
    return min(x * x for x in xs) + max((x for x in xs if True), default=0.0)


@program(1.5, 0.5)
def min_by_key(x, y):
    return min(x, y, key=lambda v: abs(v - 1))


@program(V)
def max_by_key(xs):
    return max(list(xs), key=lambda v: -v * v)


@program(3.0, 1.0)
def sorted_numbers(x, y):
    a, b, c = sorted([x, y, 2.0])
    return a + 10 * b + 100 * c


@program(3.0, 1.0)
def sorted_reverse(x, y):
    return sorted((x, y, x * y), reverse=True)


@program(3.0, 1.0)
def sorted_by_key(x, y):
    return sorted([x, y, 2.0], key=lambda v: -v)


@program(3.0, 1.0)
def sorted_pairs(x, y):
    """Equal keys keep their order, also backwards."""
    pairs = sorted([(x, 1.0), (y, 2.0), (x, 3.0)], key=lambda pair: pair[0], reverse=True)
    return pairs, sorted([(x, 1.0), (y, 2.0), (y, 0.5)])


@program(3.0, 1.0)
def list_sort(x, y):
    values = [x, y, 2.0]
    values.sort()
    return values


@program(V)
def sorted_array(xs):
    return sum(i * x for i, x in enumerate(sorted(xs)))


@program(V)
def sum_of_generator(xs):
    return sum(x if x > 0 else 0.0 for x in xs)


@program(V)
def sum_with_filter(xs):
    return sum(x for x in xs if x > 0)


@program(V)
def map_and_sum(xs):
    return sum(map(lambda x: x * x if x > 0 else -x, xs))


@program(V)
def reduce_max(xs):
    return functools.reduce(lambda a, b: a if a > b else b, xs)


@program(V)
def accumulate(xs):
    return list(itertools.accumulate(xs, lambda a, b: a if a > b else b))


@program(2.5, plain=lambda x: 2 * x + jnp.round(x) + jnp.floor(x) + jnp.floor(x / 2) + x**2)
def number_functions(x):
    return abs(-x) + round(x) + int(x) + float(x) + divmod(x, 2)[0] + pow(x, 2)


@program(V)
def argmax_by_loop(xs):
    return max(range(len(xs)), key=lambda i: xs[i]) * xs[0]


@program(V)
def next_matching(xs):
    return next((x for x in xs if x > 1), 0.0)


@program(V)
def nested_comprehension(xs):
    return jnp.array([[a * b if a > b else 0.0 for a in xs] for b in xs])


@program(V)
def dict_comprehension(xs):
    d = {name: (x if x > 0 else -x) for name, x in zip("abcd", xs)}
    return d["a"] + d["b"], sorted(d)[0] == "a"


# ---- lists and dicts ----


@program(1.5, unbounded=True)
def dict_state(x):
    state = {"x": x, "z": 0}
    while state["x"] < 10:
        state["x"] = state["x"] * 2
        state["z"] += 1
    return state


@program(1.5)
def dict_update_in_branch(x):
    d = {"a": x, "b": 0.0}
    if x > 1:
        d["b"] = x
        d.update(a=x * 2)
    return d


@program(1.5)
def list_state(x):
    row = [x, 0.0, 1]
    for i in range(5):
        if row[0] > 3:
            row[1] += row[0]
        else:
            row[0] = row[0] * 1.5
        row[2] += 1
    return row


@program(1.5, unbounded=True)
def nested_state(x):
    s = {"pos": [x, 0.0], "steps": 0}
    while s["steps"] < 5 and s["pos"][0] > 0:
        s["pos"][0] -= 0.5
        s["pos"][1] += s["pos"][0]
        s["steps"] += 1
    return s


@program(V)
def list_appended(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
        else:
            out.append(-x)
    return out


@program(V)
def stack_machine(xs):
    stack = [xs[0]]
    for op, x in zip("+*-", xs[1:]):
        top = stack.pop()
        if op == "+":
            stack.append(top + x)
        elif op == "*":
            stack.append(top * x)
        else:
            stack.append(top - x if x > 0 else top)
    return stack[-1]


@program(V)
def defaultdict_counts(xs):
    counts = collections.defaultdict(float)
    for name, x in zip("abab", xs):
        counts[name] += x if x > 0 else 0.0
    return dict(counts)


@program(V)
def deque_window(xs):
    window = collections.deque(maxlen=2)
    best = -100.0
    for x in xs:
        window.append(x)
        s = sum(window)
        if s > best:
            best = s
    return best


@program(1.5)
def tuple_swap(x):
    a, b = x, 2 * x
    for _ in range(3):
        if a < b:
            a, b = b, a * 1.1
    return a, b


@program(1.5)
def star_unpack(x):
    first, *rest = [x, 2 * x, 3 * x]
    if first > 1:
        rest = [r + 1 for r in rest]
    return rest


@program(1.0)
def table_lookup(x):
    table = [0.5, 1.5, 2.5]
    i = int(x)
    return table[i] * x


@program(1.0)
def function_table(x):
    functions = [jnp.sin, jnp.cos, lambda v: v * v]
    y = x
    for f in functions:
        if y > 0:
            y = f(y)
    return y


@program(2.0)
def dispatch_dict(x):
    ops = {"add": operator.add, "mul": operator.mul}
    y = x
    for name in ("add", "mul", "add"):
        y = ops[name](y, x) if y < 10 else y
    return y


@program(V)
def slices(xs):
    head, tail = xs[:2], xs[2:]
    if head.sum() < tail.sum():
        head, tail = tail, head
    return head - tail


@program(V)
def item_assignment(xs):
    ys = jnp.zeros(4)
    for i in range(4):
        if xs[i] > 0:
            ys = ys.at[i].set(xs[i])
        else:
            ys = ys.at[i].add(1.0)
    return ys


# ---- classes ----


class Counter:
    def __init__(self):
        self.n = 0
        self.total = 0.0

    def add(self, x):
        if x > 0:
            self.n += 1
            self.total = self.total + x
        return self

    @property
    def mean(self):
        return self.total / self.n if self.n > 0 else 0.0


@program(V)
def class_with_state(xs):
    c = Counter()
    for x in xs:
        c.add(x)
    return c.mean


@dataclasses.dataclass
class Particle:
    x: Any
    v: Any
    bounces: Any = 0

    def step(self, dt):
        self.x = self.x + dt * self.v
        if self.x < 0 or self.x > 1:
            self.v = -self.v
            self.bounces += 1


@program(0.4)
def dataclass_simulation(v):
    p = Particle(0.5, v)
    for _ in range(8):
        p.step(0.5)
    return p.x, p.v, p.bounces


@dataclasses.dataclass(frozen=True)
class Interval:
    lo: Any
    hi: Any

    def __contains__(self, x):
        return self.lo <= x

    def clip(self, x):
        if x < self.lo:
            return self.lo
        if x > self.hi:
            return self.hi
        return x

    def __add__(self, other):
        return Interval(self.lo + other.lo, self.hi + other.hi)


@program(1.7)
def frozen_dataclass(x):
    i = Interval(0.0, 1.0) + Interval(0.1, 0.2)
    return i.clip(x) + i.clip(-x)


class State(NamedTuple):
    x: Any
    n: Any = 0


@program(7.0, unbounded=True)
def named_tuple_loop(x):
    s = State(x)
    while s.x > 1:
        s = s._replace(x=s.x / 2, n=s.n + 1)
    return s


@program(7.0)
def named_tuple_branch(x):
    s = State(x, 1.0)
    if x > 3:
        s = State(x * 2, 2.0)
    return s


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


@program(0.5)
def enum_mode(x):
    for mode in Mode:
        if mode is Mode.FAST and x > 0:
            x = x * 3
        elif mode is Mode.SLOW:
            x = x + 1
    return x


class Shape:
    def area(self):
        raise NotImplementedError

    def scaled(self):
        a = self.area()
        return a if a > 1 else 2 * a


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        if self.r < 0:
            return 0.0
        return 3.14 * self.r**2


@program(0.6)
def polymorphism(x):
    return sum(shape.scaled() for shape in (Square(x), Circle(x), Circle(-x)))


class Vec:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    def __lt__(self, o):
        return self.norm() < o.norm()

    def norm(self):
        return self.x**2 + self.y**2


@program(0.6)
def operators_of_class(x):
    v = Vec(x, 1.0) + Vec(1.0, x) * 2
    return v.norm() if Vec(x, x) < v else -v.norm()


class Machine:
    limit = 3.0

    def __init__(self, x):
        self.x = x
        self.log = []

    @classmethod
    def of(cls, x):
        return cls(x)

    @staticmethod
    def grow(x):
        return x * 2 if x < 1 else x + 1

    def __call__(self):
        while self.x < self.limit:
            self.x = self.grow(self.x)
        return self.x

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return self.x * i


@program(0.3, unbounded=True)
def class_methods(x):
    m = Machine.of(x)
    return m() + m[2] + len(m)


@program(0.6)
def attribute_in_loop(x):
    m = Machine(x)
    for i in range(6):
        if m.x > 1:
            m.x = m.x - 0.3
            continue
        m.x = m.x + 0.2 * i
    return m.x


# ---- functions ----


@program(0.4)
def nested_function(x):
    def relu(v):
        return v if v > 0 else 0.0 * v

    def twice(f, v):
        return f(f(v) - 0.1)

    return twice(relu, x)


@program(0.4)
def nonlocal_state(x):
    total = 0.0

    def add(v):
        nonlocal total
        if v > 0:
            total += v

    for k in range(4):
        add(x - 0.2 * k)
    return total


@program(0.4)
def keyword_arguments(x):
    def f(a, *rest, scale=2.0, **more):
        if a > 0:
            return a * scale + sum(rest) + more.get("bias", 0.0)
        return a

    return f(x, 1.0, 2.0, bias=x) + f(-x, scale=3.0)


@program(0.4)
def recursion_on_python(x):
    def tree(depth, v):
        if depth == 0:
            return v
        return tree(depth - 1, v * 2 if v < 1 else v - 1)

    return tree(5, x)


@program(0.4)
def partial_function(x):
    step = functools.partial(lambda k, v: v * k if v < 1 else v, 1.5)
    for _ in range(4):
        x = step(x)
    return x


@program(0.4)
def decorated(x):
    def twice(f):
        @functools.wraps(f)
        def inner(v):
            return f(f(v))

        return inner

    @twice
    def g(v):
        return v + 1 if v < 1 else v * 2

    return g(x)


@program(V)
def generator_function(xs):
    def positives():
        for k in range(4):
            yield xs[k] * (k + 1)

    total = 0.0
    for v in positives():
        if v > 0:
            total += v
    return total


@program(0.4)
def closures_in_list(x):
    fs = [lambda v, k=k: v * k if v > 0 else v for k in range(3)]
    return sum(f(x) for f in fs)


@program(0.4)
def early_exit_in_helper(x):
    def find(t):
        for k in range(5):
            if k * t > 1:
                return k
        return 5

    return find(x) * x


# ---- exceptions, context managers, asserts, prints, strings ----


@program(0.4)
def try_finally(x):
    log = []
    try:
        if x > 0:
            y = x * 2
        else:
            y = x
    finally:
        log.append(1)
    return y + len(log)


@program(0.4)
def try_else(x):
    try:
        y = {"a": x}["a"]
    except KeyError:
        y = 0.0
    else:
        y = y + 1 if y > 0 else y
    return y


@program(0.4)
def python_exception_handled(x):
    try:
        y = [x][3]
    except IndexError:
        y = x * 3 if x > 0 else x
    return y


@program(0.4)
def with_statement(x):
    with contextlib.suppress(ValueError):
        if x > 0:
            x = x + 1
    return x


@program(0.4)
def asserts(x):
    assert x > 0, f"x is {x}"
    assert x < 1, "too big"
    return x * 2


@program(0.4)
def raise_not_reached(x):
    if x < 0:
        raise ValueError("negative")
    return x**0.5


@program(0.4)
def raise_in_loop_not_reached(x):
    for _ in range(5):
        x = x * 1.2
        if x > 100:
            raise OverflowError(f"too large: {x}")
    return x


@program(0.4)
def name_of_branch(x):
    name = "big" if 3 > 2 else "small"
    return x * len(f"{name}!")


# ---- transformations inside ----


@program(
    0.7,
    plain=lambda x: x * (2 * x if x > 0.5 else 1.0),
)
def grad_inside(x):
    def f(v):
        return v * v if v > 0.5 else v

    return x * jax.grad(f)(x)


@program(
    V,
    plain=lambda xs: (
        jnp.array([sum(float(x) for x in xs[: k + 1] if x > 0) for k in range(4)])
        if False
        else jnp.cumsum(jnp.where(xs > 0, xs, 0.0))
    ),
)
def scan_inside(xs):
    def step(total, x):
        if x > 0:
            total = total + x
        return total, total

    return lax.scan(step, 0.0, xs)[1]


@program(0.7, plain=lambda x: x * 2.0**3)
def fori_inside(x):
    def body(i, v):
        if i > 1:
            return v * 2
        return v

    return lax.fori_loop(0, 5, body, x)


@program(3.0, plain=lambda x: jnp.maximum(x, 0.0) + 1)
def jit_inside(x):
    @jax.jit
    def f(v):
        if v > 0:
            return v + 1
        return 0.0 * v + 1

    return f(x)


@program(V)
def tree_map_inside(xs):
    tree = {"a": xs[0], "b": (xs[1], xs[2])}
    return jax.tree.map(lambda v: v if v > 0 else 0.0 * v, tree)


@program(0.5)
def value_and_grad_loop(x):
    def loss(w):
        d = w - 3.0
        return d * d if d < 5 else 10 * d

    w = x
    for _ in range(10):
        value, g = jax.value_and_grad(loss)(w)
        w = w - 0.1 * g
        if value < 0.5:
            break
    return w


@program(W)
def matrix_loop(w):
    v = jnp.ones(2)
    for _ in range(30):
        new = w @ v
        new = new / jnp.linalg.norm(new)
        if jnp.abs(new - v).max() < 1e-4:
            break
        v = new
    return v


@program(TABLE)
def greedy_decode(table):
    state, out = 0, []
    for _ in range(4):
        state = jnp.argmax(table[state])
        out.append(state)
        if state == 2:
            state = 0
    return jnp.stack(out) * table.sum()


@program(TABLE)
def viterbi(table):
    score = table[0]
    back = []
    for t in range(3):
        total = score[:, None] + table
        back.append(total.argmax(0))
        score = total.max(0)
    best = score.argmax()
    path = [best]
    for b in reversed(back):
        best = b[best]
        path.append(best)
    return score, path[::-1]


@program(V)
def clip_gradient(xs):
    norm = jnp.sqrt((xs**2).sum())
    if norm > 1:
        xs = xs / norm
    return xs


@program(V)
def early_stopping(losses):
    best, patience = 1e9, 0
    for step, loss in enumerate(losses):
        if loss < best:
            best, patience = loss, 0
        else:
            patience += 1
        if patience >= 2:
            break
    return best, step, patience


@program(0.5)
def rk4(y):
    def f(t, y):
        return -y if t < 0.5 else -2 * y

    t, h = 0.0, 0.1
    while t < 0.95:
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y


@program(V)
def median(xs):
    ys = sorted(xs)
    n = len(ys)
    return ys[n // 2] if n % 2 else (ys[n // 2 - 1] + ys[n // 2]) / 2


@program(V)
def histogram(xs):
    counts = [0, 0, 0]
    for x in xs:
        if x < 0:
            counts[0] += 1
        elif x < 2:
            counts[1] += 1
        else:
            counts[2] += 1
    return [1.0 * n for n in counts]


@program(V)
def kadane(xs):
    best = current = xs[0]
    for x in xs[1:]:
        current = max(x, current + x)
        best = max(best, current)
    return best


@program(0.4)
def none_default(x, y=None):
    if y is None:
        y = x * 2
    return y if y > 0 else x


@program(1.5)
def global_constant(x):
    return x * LIMIT if x < LIMIT else LIMIT


LIMIT = 2.0


@program(5.0)
def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a * 1.0


@program(29.0)
def is_prime(x):
    n = int(x)
    if n < 2:
        return 0.0
    d = 2
    while d * d <= n:
        if n % d == 0:
            return 0.0
        d += 1
    return 1.0


@program(V)
def moving_average(xs):
    avg = xs[0]
    out = jnp.zeros(4)
    for i in range(4):
        avg = 0.9 * avg + 0.1 * xs[i] if xs[i] > 0 else avg
        out = out.at[i].set(avg)
    return out


@program(V)
def huber(xs):
    total = 0.0
    for x in xs:
        a = abs(x)
        total += 0.5 * a * a if a <= 1 else a - 0.5
    return total


@program(0.3, unbounded=True)
def newton_with_damping(x):
    f = lambda v: v**3 - 2 * v - 5
    df = lambda v: 3 * v**2 - 2
    x = x + 2.0
    for _ in range(20):
        step = f(x) / df(x)
        while abs(step) > 1:
            step = step / 2
        x = x - step
        if abs(step) < 1e-6:
            break
    return x


@program(V)
def softmax_stable(xs):
    m = functools.reduce(max, xs)
    e = [jnp.exp(x - m) for x in xs]
    return [v / sum(e) for v in e]


@program(0.3, unbounded=True)
def int_state_becomes_float(x):
    n = 0
    while n < 3:
        n = n + x
    return n


@program(1.0, unbounded=True)
def while_with_two_tests(x):
    i = 0
    while x < 100 and i < 4:
        x, i = x * 3, i + 1
    return x, i


@program(1.0)
def augmented_tuple(x):
    t = (x,)
    if x > 0:
        t += (x * 2,)
    else:
        t += (x * 3,)
    return t


@program(V)
def del_and_pop(xs):
    d = {"a": xs[0], "b": xs[1]}
    v = d.pop("a")
    del d["b"]
    return v if v > 0 else -v, len(d)


@program(V)
def isinstance_checks(xs):
    return xs[0] if isinstance(xs, jax.Array) and xs[0] > 0 else xs[1]


@program(V)
def shape_branches(xs):
    if xs.ndim == 1 and xs.shape[0] > 2:
        return xs[0] if xs[2] > 1 else xs[1]
    return xs


@program(1.0)
def printing(x):
    if x > 100:
        print("big", x)
    return x * 2
