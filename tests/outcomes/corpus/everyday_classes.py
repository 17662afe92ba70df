# %% dataclass_post_init: (3,), (-3,)
from dataclasses import dataclass, field
@dataclass
class P:
    x: int
    y: int = 2
    total: int = field(init=False)
    def __post_init__(self):
        self.total = self.x + self.y if self.x > 0 else self.y

def program(x):
    p = P(x)
    q = P(x, y=5)
    return p.total, q.total, p.x

# %% dataclass_replace: (3,), (-3,)
from dataclasses import dataclass, replace
@dataclass(frozen=True)
class P:
    x: int
    y: int = 2

def program(x):
    p = P(x)
    if x > 0:
        p = replace(p, y=x * 2)
    return p.x, p.y

# %% dataclass_order: (3,), (1,)
from dataclasses import dataclass
@dataclass(order=True)
class P:
    x: int
    y: int

def program(x):
    return P(x, 1) < P(2, 5), P(x, 1) >= P(3, 1), max(P(x, 1), P(2, 2)).x

# %% dataclass_default_factory: (3,), (-3,)
from dataclasses import dataclass, field
@dataclass
class Bag:
    items: list = field(default_factory=list)
    def add(self, v):
        if v > 0:
            self.items.append(v)
        return self

def program(x):
    a, b = Bag(), Bag()
    a.add(x).add(2)
    b.add(-1)
    return a.items, len(b.items)

# %% namedtuple_replace: (3,), (-3,)
from collections import namedtuple
P = namedtuple("P", "x y", defaults=[7])
def program(x):
    p = P(x)
    if x > 0:
        p = p._replace(y=x)
    a, b = p
    return a, b, p[1], p.y, p == P(3, 3), p._asdict()

# %% typing_namedtuple: (3,), (-3,)
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 4
    def norm(self):
        if self.x > 0:
            return self.x + self.y
        return self.y - self.x

def program(x):
    p = P(x)
    for i in range(3):
        p = P(p.x - 1, p.y + i)
    return p.norm(), p

# %% enum_members: (3,), (-3,), (0,)
from enum import Enum, IntEnum
class Color(Enum):
    RED = 1
    GREEN = 2
class Level(IntEnum):
    LOW = 1
    HIGH = 5
def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    level = Level.HIGH if x > 0 else Level.LOW
    r = 0
    if c is Color.RED:
        r = 10
    return r + level, c.value, c == Color.GREEN

# %% slots_object: (3,), (-3,)
class P:
    __slots__ = ("x", "y")
    def __init__(self, x):
        self.x = x
        self.y = 0
    def bump(self):
        if self.x > 0:
            self.y += self.x
        else:
            self.x = -self.x
def program(x):
    p = P(x)
    for _ in range(3):
        p.bump()
    return p.x, p.y

# %% property_with_cache: (3,), (-3,)
class P:
    def __init__(self, x):
        self.x = x
        self._area = None
        self.computed = 0
    @property
    def area(self):
        if self._area is None:
            self._area = self.x * self.x
            self.computed += 1
        return self._area
def program(x):
    p = P(x)
    if x > 0:
        a = p.area
    else:
        a = 1
    b = p.area
    return a, b, p.computed

# %% operator_overloads: (3,), (-3,)
class V:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def __add__(self, o):
        if isinstance(o, V):
            return V(self.a + o.a, self.b + o.b)
        return V(self.a + o, self.b + o)
    __radd__ = __add__
    def __mul__(self, k):
        return V(self.a * k, self.b * k)
    def __neg__(self):
        return V(-self.a, -self.b)
    def __eq__(self, o):
        return self.a == o.a and self.b == o.b
    def __abs__(self):
        return self.a * self.a + self.b * self.b
    def __bool__(self):
        return self.a > 0
    def __iadd__(self, o):
        self.a += o.a
        return self
def program(x):
    v = V(x, 1)
    w = v + V(1, 2) * 2
    w += v
    u = -w + 5
    if v:
        u = u + v
    return u.a, u.b, v == V(3, 1), abs(u), sum([v, w], V(0, 0)).a

# %% getattr_delegation: (3,), (-3,)
class Inner:
    def __init__(self, x):
        self.x = x
    def go(self, k):
        if k > 0:
            self.x += k
        return self.x
class Outer:
    def __init__(self, inner):
        self._inner = inner
    def __getattr__(self, name):
        return getattr(self._inner, name)
def program(x):
    o = Outer(Inner(x))
    return o.go(x), o.go(1), o.x

# %% nonlocal_counter: (3,), (-3,)
def program(x):
    n = 0
    def tick(k):
        nonlocal n
        if k > n:
            n += 1
        return n
    a = tick(x)
    b = tick(x)
    c = [tick(i) for i in range(3)]
    return a, b, c, n

# %% generator_in_for: (3,), (-3,)
def gen(x, n):
    for i in range(n):
        if x > i:
            yield x * i
        else:
            yield -i
def program(x):
    t = 0
    for k, v in enumerate(gen(x, 4)):
        t += k * v
    return t

# %% generator_send: (3,), (-3,)
def acc():
    total = 0
    while True:
        v = yield total
        if v is None:
            return
        total += v
def program(x):
    g = acc()
    next(g)
    g.send(x)
    if x > 0:
        r = 1
    else:
        r = 2
    return g.send(r), g.send(1)

# %% generator_pipeline: (3,), (-3,)
def numbers(n):
    yield from range(n)
def scaled(it, x):
    for i in it:
        yield i * x
def program(x):
    return sum(scaled(numbers(4), x)), max(scaled(numbers(3), x)), list(scaled(numbers(2), x))

# %% context_with_state: (3,), (-3,)
class Depth:
    def __init__(self):
        self.level = 0
        self.most = 0
    def __enter__(self):
        self.level += 1
        if self.level > self.most:
            self.most = self.level
        return self
    def __exit__(self, *a):
        self.level -= 1
        return False
def program(x):
    d = Depth()
    y = 0
    with d:
        if x > 0:
            with d:
                y = d.level
        else:
            y = -d.level
    return y, d.level, d.most

# %% contextmanager_generator: (3,), (-3,)
from contextlib import contextmanager
@contextmanager
def scope(log, x):
    log.append(x)
    try:
        yield x + 1
    finally:
        log.append(-x)
def program(x):
    log = []
    with scope(log, x) as y:
        if y > 0:
            y += 1
        log.append(y)
    return log, y

# %% star_args: (3,), (-3,)
def f(a, *rest, scale=2, **named):
    t = a
    for r in rest:
        if r > 0:
            t += r * scale
    for k in named:
        t += named[k]
    return t
def program(x):
    args = [x, 2, -x]
    return f(*args), f(*args, scale=x), f(1, 2, z=x), f(*args, **{"q": x, "scale": 1})

# %% kwonly_defaults: (3,), (-3,)
def f(x, /, y=2, *, z=None):
    if z is None:
        z = y
    return x + y * z
def program(x):
    return f(x), f(x, z=x), f(x, x, z=3), f(1, y=x)

# %% recursion_lists: (3,), (-3,)
def flat(v):
    out = []
    for e in v:
        if isinstance(e, list):
            out += flat(e)
        else:
            out.append(e)
    return out
def program(x):
    return flat([1, [x, [2, x + 1]], [[x]]])

# %% recursion_tree: (3,), (-3,)
class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right
    def total(self):
        t = self.v
        if self.left is not None:
            t += self.left.total()
        if self.right is not None:
            t += self.right.total()
        return t
    def depth_where(self, x):
        best = 0
        for c in (self.left, self.right):
            if c is not None:
                d = c.depth_where(x)
                if d > best:
                    best = d
        return best + (1 if self.v > x else 0)
def program(x):
    t = Node(x, Node(1, Node(5)), Node(4, None, Node(x)))
    return t.total(), t.depth_where(x), t.depth_where(2)

# %% loop_default_capture: (3,), (-3,)
def program(x):
    fs = []
    for i in range(3):
        def f(y, i=i):
            if y > i:
                return y - i
            return i
        fs.append(f)
    return [f(x) for f in fs]

# %% loop_late_binding: (3,), (-3,)
def program(x):
    fs = []
    for i in range(3):
        fs.append(lambda: i * x)
    return [f() for f in fs]

# %% decorator_with_state: (3,), (-3,)
import functools
def counted(f):
    @functools.wraps(f)
    def call(*a, **k):
        call.count += 1
        return f(*a, **k)
    call.count = 0
    return call
def program(x):
    @counted
    def g(y):
        return y + 1 if y > 0 else y
    a = g(x)
    b = g(a)
    return a, b, g.count

# %% decorator_memo: (3,), (-3,)
def memo(f):
    cache = {}
    def call(n):
        if n not in cache:
            cache[n] = f(n)
        return cache[n]
    return call
def program(x):
    @memo
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)
    return fib(10) * x, fib(5)

# %% super_chain: (3,), (-3,)
class A:
    def __init__(self, x):
        self.log = [x]
    def f(self, k):
        return k + 1
class B(A):
    def __init__(self, x):
        super().__init__(x + 1)
        self.log.append(2)
    def f(self, k):
        if k > 0:
            return super().f(k) * 2
        return k
class C(B):
    def f(self, k):
        r = super().f(k)
        self.log.append(r)
        return r
def program(x):
    c = C(x)
    return c.f(x), c.f(1), c.log

# %% multiple_inheritance: (3,), (-3,)
class Base:
    def go(self, x):
        return [x]
class L(Base):
    def go(self, x):
        return ["l"] + super().go(x)
class R(Base):
    def go(self, x):
        return ["r"] + super().go(x + 1 if x > 0 else x)
class D(L, R):
    pass
def program(x):
    return D().go(x)

# %% class_method_counter: (3,), (-3,)
class A:
    made = 0
    def __init__(self):
        type(self).made += 1
    @classmethod
    def build(cls, x):
        a = cls()
        a.x = x if x > 0 else -x
        return a
    @staticmethod
    def twice(x):
        return x * 2
def program(x):
    A.made = 0
    a = A.build(x)
    b = A.build(1)
    return A.twice(a.x), A.made, b.x

# %% container_getitem: (3,), (-3,)
class Grid:
    def __init__(self, n):
        self.n = n
        self.cells = [0] * (n * n)
    def __getitem__(self, key):
        i, j = key
        return self.cells[i * self.n + j]
    def __setitem__(self, key, v):
        i, j = key
        if v > 0:
            self.cells[i * self.n + j] = v
    def __len__(self):
        return self.n
    def __contains__(self, v):
        return v in self.cells
    def __iter__(self):
        return iter(self.cells)
def program(x):
    g = Grid(2)
    g[0, 1] = x
    g[1, 1] = 5
    return g[0, 1], g[1, 1], x in g, 5 in g, sum(g), len(g), list(g)

# %% container_iter_generator: (3,), (-3,)
class Bag:
    def __init__(self, *v):
        self.v = list(v)
    def __iter__(self):
        for e in self.v:
            if e > 0:
                yield e
            else:
                yield 0
def program(x):
    b = Bag(x, 2, -1)
    return sum(b), list(b), [e + 1 for e in b], max(b)

# %% iterator_class: (3,), (-3,)
class Down:
    def __init__(self, n, x):
        self.n = n
        self.x = x
    def __iter__(self):
        return self
    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n * self.x
def program(x):
    t = 0
    for v in Down(4, x):
        if v > 2:
            t += v
        else:
            t -= 1
    return t, list(Down(2, x))

# %% string_building: (3,), (-3,)
def program(x):
    parts = []
    for i in range(3):
        if x > i:
            parts.append("a")
        else:
            parts.append("b")
    return "".join(parts), "-".join(parts), len("".join(parts))

# %% string_accumulate: (3,), (-3,)
def program(x):
    s = ""
    for c in "hello":
        if x > 0:
            s = c + s
        else:
            s += c.upper()
    return s, s[0], s[-1], len(s), s.count("l")

# %% sorting_by_key: (3,), (-3,)
def program(x):
    rows = [(x, 1), (2, 2), (0, 3)]
    rows.sort(key=lambda r: r[0])
    return rows, sorted([x, 1, 2], reverse=True), sorted([3, -4, x], key=abs)

# %% sort_stable_pairs: (3,), (2,), (-3,)
def program(x):
    rows = [(x, "a"), (2, "b"), (2, "c")]
    return [r[0] for r in sorted(rows, key=lambda r: -r[0])]

# %% try_finally_return: (3,), (-3,)
def f(x, log):
    try:
        if x > 0:
            return x
        log.append(1)
    finally:
        log.append(2)
    return -1
def program(x):
    log = []
    r = f(x, log)
    return r, log

# %% finally_overrides: (3,), (-3,)
def f(x):
    try:
        return x
    finally:
        if x > 0:
            return 100
def program(x):
    return f(x)

# %% while_else: (3,), (-3,), (8,)
def program(x):
    i = 0
    while i < 5:
        if i == x:
            r = i
            break
        i += 1
    else:
        r = -1
    return r, i

# %% for_else_nested: (3,), (-3,), (7,)
def program(x):
    primes = []
    for n in range(2, 10):
        for p in primes:
            if n % p == 0:
                break
        else:
            if n > x:
                continue
            primes.append(n)
    return len(primes), sum(primes)

# %% chained_with_effects: (3,), (-3,)
def program(x):
    log = []
    def f(v):
        log.append(v)
        return v
    r = f(0) < f(x) < f(5)
    s = f(1) < f(-x) <= f(x)
    return r, s, log

# %% walrus_comprehension: (3,), (-3,)
def program(x):
    ys = [y for v in (x, 2, -1) if (y := v * 2) > 0]
    return ys, y

# %% walrus_while: (3,), (-3,)
def program(x):
    t = 0
    while (x := x - 1) > 0:
        t += x
    return t, x
