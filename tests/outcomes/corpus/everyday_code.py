# %% lru_helper_plain: (3,), (-3,)
import functools
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def program(x):
    return fib(15) + x

# %% property_setter_validation: (3,), (-3,)
class T:
    def __init__(self, v):
        self.v = v
    @property
    def v(self):
        return self._v
    @v.setter
    def v(self, value):
        self._v = value if value > 0 else 0
def program(x):
    t = T(x)
    t.v = t.v - 1
    t.v += 2
    return t.v, t._v

# %% descriptor: (3,), (-3,)
class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, obj, owner):
        return getattr(obj, self.name)
    def __set__(self, obj, value):
        setattr(obj, self.name, value if value > 0 else -value)
class A:
    x = Positive()
    def __init__(self, x):
        self.x = x
def program(x):
    a = A(x)
    a.x = a.x - 5
    return a.x

# %% dict_subclass: (3,), (-3,)
class D(dict):
    def __missing__(self, key):
        self[key] = [key]
        return self[key]
def program(x):
    d = D(a=x)
    d["b"].append(x)
    if x > 0:
        d["a"] = 5
    return dict(d), len(d)

# %% list_subclass: (3,), (-3,)
class Stack(list):
    def push(self, v):
        if v > 0:
            self.append(v)
        return self
    def top(self):
        return self[-1]
def program(x):
    s = Stack([1])
    s.push(x).push(2)
    return s.top(), len(s), sum(s)

# %% abstract_base: (3,), (-3,)
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self):
        ...
    def bigger(self, other):
        return self if self.area() > other.area() else other
class Sq(Shape):
    def __init__(self, s):
        self.s = s
    def area(self):
        return self.s * self.s
def program(x):
    a, b = Sq(x), Sq(2)
    return a.bigger(b).area(), isinstance(a, Shape)

# %% visitor_dispatch: (3,), (-3,)
class Num:
    def __init__(self, v):
        self.v = v
class Add:
    def __init__(self, a, b):
        self.a, self.b = a, b
class Eval:
    def visit(self, n):
        return getattr(self, "visit_" + type(n).__name__)(n)
    def visit_Num(self, n):
        return n.v if n.v > 0 else 0
    def visit_Add(self, n):
        return self.visit(n.a) + self.visit(n.b)
def program(x):
    return Eval().visit(Add(Num(x), Add(Num(2), Num(-x))))

# %% singledispatch: (3,), (-3,)
import functools
@functools.singledispatch
def show(v):
    return 0
@show.register
def _(v: list):
    return sum(v)
@show.register
def _(v: str):
    return len(v)
def program(x):
    return show([x, 1]), show("abc"), show(None)

# %% observer: (3,), (-3,)
class Subject:
    def __init__(self):
        self.handlers = []
        self.value = 0
    def on(self, f):
        self.handlers.append(f)
        return f
    def set(self, v):
        if v > self.value:
            self.value = v
            for h in self.handlers:
                h(v)
def program(x):
    s = Subject()
    seen = []
    total = {"n": 0}
    s.on(seen.append)
    @s.on
    def add(v):
        total["n"] += v
    s.set(x)
    s.set(2)
    s.set(9)
    return total["n"], s.value, len(seen)

# %% linked_list: (3,), (-3,)
class Node:
    def __init__(self, v, nxt=None):
        self.v, self.next = v, nxt
def program(x):
    head = None
    for v in (1, x, 3):
        head = Node(v, head)
    t = 0
    n = head
    while n is not None:
        if n.v > 0:
            t += n.v
        n = n.next
    return t, head.v, head.next.v

# %% lru_order: (3,), (1,)
from collections import OrderedDict
class LRU:
    def __init__(self, n):
        self.n = n
        self.d = OrderedDict()
    def get(self, k):
        if k not in self.d:
            return -1
        self.d.move_to_end(k)
        return self.d[k]
    def put(self, k, v):
        self.d[k] = v
        if len(self.d) > self.n:
            self.d.popitem(last=False)
def program(x):
    c = LRU(2)
    c.put("a", x)
    c.put("b", 2)
    c.get("a")
    c.put("c", x + 1)
    return c.get("a"), c.get("b"), c.get("c"), list(c.d)

# %% matrix_class: (3,), (-3,)
class M:
    def __init__(self, rows):
        self.rows = rows
    def __matmul__(self, o):
        return M([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])
    def __eq__(self, o):
        return self.rows == o.rows
    def __repr__(self):
        return f"M({self.rows})"
def program(x):
    a = M([[1, x], [0, 1]])
    b = a @ a
    return b.rows, b == M([[1, 6], [0, 1]]), len(repr(M([[1]])))

# %% fraction_class: (3,), (-4,)
class F:
    def __init__(self, a, b):
        g = a if a > 0 else -a
        h = b
        while h:
            g, h = h, g % h
        self.a, self.b = a // g, b // g
    def __add__(self, o):
        return F(self.a * o.b + o.a * self.b, self.b * o.b)
    def __lt__(self, o):
        return self.a * o.b < o.a * self.b
def program(x):
    f = F(x, 6) + F(1, 3)
    return f.a, f.b, f < F(1, 1)

# %% total_ordering: (3,), (-3,)
import functools
@functools.total_ordering
class W:
    def __init__(self, v):
        self.v = v
    def __eq__(self, o):
        return self.v == o.v
    def __lt__(self, o):
        return self.v < o.v
def program(x):
    a, b = W(x), W(1)
    return a > b, a >= b, a <= b, a != b

# %% hash_and_eq: (3,), (-3,)
class K:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        return hash(self.n)
    def __eq__(self, o):
        return self.n == o.n
def program(x):
    d = {K(1): x}
    d[K(1)] = d[K(1)] + 1
    return d[K(1)], len(d), K(1) in d

# %% call_object: (3,), (-3,)
class Poly:
    def __init__(self, *c):
        self.c = c
    def __call__(self, x):
        r = 0
        for a in self.c:
            r = r * x + a
        return r
    def derive(self):
        n = len(self.c) - 1
        return Poly(*(a * (n - i) for i, a in enumerate(self.c[:-1])))
def program(x):
    p = Poly(1, x, -2)
    return p(x), p.derive()(2), p.derive().derive()(x)

# %% closures_in_dict: (3,), (-3,)
def make(x):
    n = x
    def inc(k=1):
        nonlocal n
        if n < 5:
            n += k
        return n
    def get():
        return n
    return {"inc": inc, "get": get}
def program(x):
    c = make(x)
    d = make(0)
    c["inc"]()
    c["inc"](3)
    return c["get"](), d["get"](), d["inc"]()

# %% compose: (3,), (-3,)
def compose(*fs):
    def run(v):
        for f in fs:
            v = f(v)
        return v
    return run
def program(x):
    return compose(lambda v: v + 1, abs, lambda v: v if v > 3 else v * 10)(x)

# %% curry: (3,), (-3,)
def program(x):
    add = lambda a: lambda b: lambda c: a + b * c if c > 0 else a
    return add(1)(2)(x), add(x)(x)(1)

# %% exception_flow_plain: (3,), (-3,)
def parse(s):
    try:
        return int(s)
    except ValueError:
        return None
def program(x):
    v = parse("12")
    w = parse("zz")
    return (v + x) if v is not None else x, w is None

# %% exception_class_hierarchy: (3,), (-3,)
class E(Exception):
    def __init__(self, code, *args):
        super().__init__(code, *args)
        self.code = code
class E2(E):
    pass
def f(k):
    if k == 1:
        raise E2(7)
    raise E(8)
def program(x):
    out = []
    for k in (1, 2):
        try:
            f(k)
        except E2 as e:
            out.append(e.code + x)
        except E as e:
            out.append(e.code)
        else:
            out.append(0)
        finally:
            out.append(-1)
    return out

# %% exception_escapes: (3,), (-3,)
def check(x):
    if x < 0:
        raise ValueError("negative", x)
    return x
def program(x):
    return check(x) + 1

# %% nested_try_finally: (3,), (-3,)
def program(x):
    log = []
    for i in range(3):
        try:
            try:
                if i == 1:
                    continue
                log.append(i * x)
            finally:
                log.append("f")
        finally:
            log.append("g")
    return log

# %% with_suppress: (3,), (-3,)
import contextlib
def program(x):
    y = x
    with contextlib.suppress(KeyError):
        {}["a"]
        y = 0
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: None)
        y += 1
    return y

# %% generator_closing: (3,), (-3,)
def g(log, x):
    try:
        yield x
        yield x + 1
    finally:
        log.append("closed")
def program(x):
    log = []
    for v in g(log, x):
        if v == x:
            break
    it = g(log, x)
    a = next(it)
    it.close()
    return a, len(log)

# %% generator_of_state: (3,), (-3,)
def running(vs):
    best = None
    for v in vs:
        best = v if best is None else max(best, v)
        yield best
def program(x):
    return list(running([1, x, 2, 0]))

# %% zip_longest_etc: (3,), (-3,)
import itertools
def program(x):
    return list(itertools.zip_longest([x], [1, 2], fillvalue=0)), list(itertools.starmap(pow, [(x, 2)])), list(itertools.takewhile(lambda v: v < 3, [1, 2, 3])), [list(p) for p in itertools.pairwise([x, 1, 2])]

# %% shadowed_builtins: (3,), (-3,)
def program(x):
    sum = 0
    max = x
    for len in range(3):
        if max > len:
            sum += len
    list = [sum, max]
    return list

# %% name_mangling: (3,), (-3,)
class A:
    def __init__(self, x):
        self.__x = x
    def __secret(self):
        return self.__x if self.__x > 0 else 0
    def go(self):
        self.__x += 1
        return self.__secret()
def program(x):
    a = A(x)
    return a.go(), a._A__x

# %% class_in_function: (3,), (-3,)
def program(x):
    class Acc:
        base = x
        def __init__(self):
            self.t = self.base
        def add(self, v):
            if v > x:
                self.t += v
            return self
    return Acc().add(1).add(5).t

# %% conditional_lambda: (3,), (-3,)
def program(x):
    f = (lambda v: v + 1) if x > 0 else (lambda v: v - 1)
    return f(x), f(0)

# %% unpack_nested: (3,), (-3,)
def program(x):
    (a, (b, *c)), d = (x, (1, 2, x)), {"k": x}
    [e, f] = [a, b]
    for i, (j, k) in enumerate([(x, 1), (2, x)]):
        e += j * k * i
    return a, b, c, e, f, {**d, "z": 1}, [*c, x], (*c,)

# %% augmented_targets: (3,), (-3,)
class B:
    pass
def program(x):
    b = B()
    b.v = [1, 2]
    b.d = {"k": 1}
    b.v[0] += x
    b.d["k"] *= x
    b.v += [x]
    s = "a"
    s *= 3
    y = 7
    y //= 2
    y **= 2
    y %= 5
    y -= x
    y <<= 1
    y |= 1
    return b.v, b.d, s, y

# %% while_true_break: (3,), (-3,), (50,)
def program(x):
    n = 0
    while True:
        n += 1
        if n * n > x:
            break
        if n > 5:
            n = -1
            break
    return n

# %% nested_break_continue: (3,), (-3,)
def program(x):
    t = 0
    for i in range(4):
        if i == 2:
            continue
        for j in range(4):
            if j > x:
                break
            if (i + j) % 2:
                continue
            t += i * 10 + j
        else:
            t += 1000
    return t

# %% loop_var_after: (3,), (-3,), (9,)
def program(x):
    for i in range(5):
        if i == x:
            break
    for j in []:
        pass
    else:
        j = "none"
    return i, j

# %% type_conversions: (3,), (-3,)
def program(x):
    return int(x) + 1, float(x) / 2, bool(x), str(x), complex(2, 1).real, int("7") + x, list((x, 1)), tuple([x]), abs(-x), pow(x, 2), pow(x, 2, 5)

# %% constants_global: (3,), (-3,)
LIMIT = 2
NAMES = ("a", "b")
TABLE = {"a": [1, 2], "b": [3]}
def program(x):
    t = 0
    for n in NAMES:
        for v in TABLE[n]:
            if v < LIMIT or x > v:
                t += v
    return t

# %% mutable_default_argument: (3,), (-3,)
def add(v, acc=None):
    if acc is None:
        acc = []
    acc.append(v)
    return acc
def program(x):
    a = add(x)
    b = add(2, a)
    c = add(3)
    return a, b is a, c

# %% recursion_ackermann_like: (3,), (2,)
def f(m, n):
    if m == 0:
        return n + 1
    return f(m - 1, n + 1)
def program(x):
    return f(3, x), f(0, x)

# %% mutual_recursion: (3,), (4,)
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
def program(x):
    return even(6), odd(5), x if even(4) else -x

# %% tensor_recursion: (5,), (1,), (0,)
def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)
def program(x):
    return fact(x)

# %% print_values: (3,), (-3,)
def program(x):
    if x > 0:
        print("pos", x, x + 1, sep="-")
    else:
        print(f"neg {x}")
    return x

# %% tuple_compare: (3,), (1,)
def program(x):
    return (x, 1) < (2, 5), (x, 1) == (3, 1), (1, x) >= (1, 3), sorted([(x, 0), (2, 1), (1, 9)]), min((x, 1), (2, 0))

# %% accumulate_min_index: ((3, 1, 2),), ((5, 7, 4),)
def program(xs):
    best, at = xs[0], 0
    for i, v in enumerate(xs):
        if v < best:
            best, at = v, i
    return best, at

# %% matching: (3,), (0,), (-3,)
def program(x):
    match x:
        case 0:
            r = "zero"
        case n if n < 0:
            r = "neg"
        case 1 | 2 | 3:
            r = "small"
        case _:
            r = "big"
    match (x > 0, [1, 2]):
        case (_, [a, b]):
            s = a + b
    match {"k": x, "z": 1}:
        case {"k": v, **rest}:
            u = v + len(rest)
    return r, s, u
