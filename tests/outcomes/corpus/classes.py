# %% class_attribute_in_branch: (3,), (-3,), (4,)
class Config:
    rate = 1


def program(x):
    if x > 0:
        Config.rate = x
    return x


# %% class_attribute_incremented: (3,), (-3,), (4,)
class Config:
    count = 0


def program(x):
    if x > 0:
        Config.count += 1
    return x


# %% class_attribute_by_method: (3,), (-3,), (4,)
class Config:
    count = 0

    @classmethod
    def up(cls):
        cls.count += 1


def program(x):
    if x > 0:
        Config.up()
    return x


# %% class_list: (3,), (-3,), (4,)
class Config:
    values = [0, 0]


def program(x):
    if x > 0:
        Config.values[0] = x
    return x


# %% static_method: (3,), (-3,)
class Box:
    @staticmethod
    def put(v, k):
        if k > 0:
            v[0] = k


def program(x):
    v = [0]
    Box.put(v, x)
    return v


# %% instances_counted: (3,), (-3,)
class Box:
    made = 0

    def __init__(self):
        Box.made += 1


def program(x):
    before = Box.made
    if x > 0:
        Box()
    return Box.made - before


# %% inherited_state: (3,), (-3,)
class Base:
    def __init__(self):
        self.n = 0

    def up(self, x):
        if x > 0:
            self.n += 1


class Child(Base):
    def up(self, x):
        super().up(x)
        if x > 2:
            self.n += 10


def program(x):
    c = Child()
    c.up(x)
    return c.n


# %% dataclass_field: (3,), (-3,)
from dataclasses import dataclass


@dataclass
class Point:
    a: int = 0
    b: int = 0


def program(x):
    p = Point()
    if x > 0:
        p.a = x
    return p.a, p.b


# %% dataclass_list_field: (3,), (-3,)
from dataclasses import dataclass, field


@dataclass
class Log:
    lines: list = field(default_factory=list)
    n: int = 0

    def add(self, v):
        if v > 0:
            self.lines.append(v)
        self.n += 1


def program(x):
    log = Log()
    log.add(x)
    return log.n, len(log.lines)


# %% dataclass_in_loop: (3,), (0,)
from dataclasses import dataclass


@dataclass
class Point:
    a: int = 0
    b: int = 1


def program(n):
    p = Point()
    for _ in range(n):
        p.a, p.b = p.b, p.a + p.b
    return p.a, p.b


# %% dataclass_post_init: (3,), (-3,)
from dataclasses import dataclass


@dataclass
class Point:
    a: int
    b: int = 0

    def __post_init__(self):
        if self.a > 0:
            self.b = self.a * 2


def program(x):
    p = Point(x)
    return p.a, p.b


# %% dataclass_equality: (3,), (-3,)
from dataclasses import dataclass


@dataclass
class Point:
    a: int


def program(x):
    return Point(x) == Point(3)


# %% dataclass_order: (3,), (-3,)
from dataclasses import dataclass


@dataclass(order=True)
class Point:
    a: int
    b: int


def program(x):
    return Point(x, 1) < Point(0, 5)


# %% dataclass_slots: (3,), (-3,)
from dataclasses import dataclass


@dataclass(slots=True)
class Point:
    a: int


def program(x):
    p = Point(1)
    if x > 0:
        p.a = x
    return p.a


# %% frozen_dataclass_write: (3,), (-3,)
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    a: int


def program(x):
    p = Point(1)
    if x > 0:
        p.a = x
    return p.a


# %% namedtuple_unpacked: (3,), (-3,)
from collections import namedtuple

P = namedtuple("P", "a b")


def program(x):
    a, b = P(x, 1)
    if a > 0:
        b = a
    return P(a, b)


# %% namedtuple_write: (3,), (-3,)
from collections import namedtuple

P = namedtuple("P", "a b")


def program(x):
    p = P(1, 2)
    if x > 0:
        p.a = x
    return p.a


# %% namedtuple_with_list: (3,), (-3,)
from typing import NamedTuple


class P(NamedTuple):
    v: list
    n: int


def program(x):
    p = P([0], 1)
    if x > 0:
        p.v[0] = x
    return p


# %% namedtuple_in_loop: (3,), (0,)
from typing import NamedTuple


class P(NamedTuple):
    a: int
    b: int


def program(n):
    p = P(0, 1)
    for _ in range(n):
        p = P(p.b, p.a + p.b)
    return p


# %% slots: (3,), (-3,)
class Box:
    __slots__ = ("v", "w")

    def __init__(self):
        self.v = 0
        self.w = [0]


def program(x):
    b = Box()
    if x > 0:
        b.v = x
        b.w[0] = x
    return b.v, b.w


# %% slots_in_loop: (3,), (0,)
class Box:
    __slots__ = ("v",)

    def __init__(self):
        self.v = 0


def program(n):
    b = Box()
    for i in range(n):
        b.v += i
    return b.v


# %% slots_inherited: (3,), (-3,)
class Base:
    __slots__ = ("a",)


class Child(Base):
    __slots__ = ("b",)

    def __init__(self):
        self.a = 1
        self.b = 2


def program(x):
    c = Child()
    if x > 0:
        c.a, c.b = x, x
    return c.a, c.b


# %% private_names: (3,), (-3,)
class Box:
    def __init__(self):
        self.__v = 0

    def put(self, x):
        if x > 0:
            self.__v = x

    def get(self):
        return self.__v


def program(x):
    b = Box()
    b.put(x)
    return b.get()


# %% operators: (3,), (-3,)
class Money:
    def __init__(self, n):
        self.n = n

    def __add__(self, o):
        return Money(self.n + o.n)

    def __iadd__(self, o):
        self.n += o.n
        return self

    def __lt__(self, o):
        return self.n < o.n


def program(x):
    a, b = Money(x), Money(1)
    c = a
    if b < a:
        a += b
    return a.n, c.n, (a + b).n


# %% comparison_hooks: (3,), (-3,)
class Money:
    def __init__(self, n):
        self.n = n
        self.asked = 0

    def __gt__(self, o):
        self.asked += 1
        return self.n > o


def program(x):
    m = Money(x)
    y = 0
    if m > 0:
        y = 1
    return y, m.asked


# %% truth_hook: (3,), (-3,)
class Box:
    def __init__(self, n):
        self.n = n

    def __bool__(self):
        return self.n > 0


def program(x):
    if Box(x):
        return 1
    return 0


# %% length_hook: (3,), (0,)
class Box:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


def program(x):
    if Box(x):
        return 1
    return 0


# %% call_hook: (3,), (-3,)
class Scale:
    def __init__(self, k):
        self.k = k
        self.calls = 0

    def __call__(self, v):
        self.calls += 1
        if v > 0:
            return v * self.k
        return 0


def program(x):
    s = Scale(3)
    y = s(x) + s(1)
    return y, s.calls


# %% contains_hook: (3,), (-3,)
class Positive:
    def __contains__(self, v):
        return v > 0


def program(x):
    return x in Positive()


# %% iteration_hook: (3,), (-3,)
class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __iter__(self):
        yield self.a
        yield self.b


def program(x):
    a, b = Pair(x, 1)
    return max(a, b)


# %% context_hook: (3,), (-3,)
class Guard:
    def __init__(self):
        self.depth = 0
        self.most = 0

    def __enter__(self):
        self.depth += 1
        self.most = max(self.most, self.depth)
        return self

    def __exit__(self, *error):
        self.depth -= 1


def program(x):
    g = Guard()
    if x > 0:
        with g:
            with g:
                x = x + 1
    return x, g.depth, g.most


# %% new_hook: (3,), (-3,)
class Single:
    one = None

    def __new__(cls):
        if cls.one is None:
            cls.one = super().__new__(cls)
            cls.one.n = 0
        return cls.one


def program(x):
    s = Single()
    s.n = 0
    if x > 0:
        Single().n = 5
    return s.n


# %% metaclass: (3,), (-3,)
class Meta(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.tag = 1
        return made


class Box(metaclass=Meta):
    def __init__(self, v):
        self.v = v


def program(x):
    b = Box(0)
    if x > 0:
        b.v = x
        b.tag = 2
    return b.v, b.tag


# %% abstract_base: (3,), (-3,)
import abc


class Shape(abc.ABC):
    def __init__(self):
        self.n = 0

    @abc.abstractmethod
    def grow(self, k): ...


class Square(Shape):
    def grow(self, k):
        if k > 0:
            self.n = k * k


def program(x):
    s = Square()
    s.grow(x)
    return s.n


# %% mixin: (3,), (-3,)
class Logs:
    def log(self, v):
        self.logged = self.logged + v


class Box(Logs):
    def __init__(self):
        self.logged = 0

    def put(self, v):
        if v > 0:
            self.log(v)


def program(x):
    b = Box()
    b.put(x)
    b.put(1)
    return b.logged


# %% state_in_init: (3,), (-3,)
class Box:
    def __init__(self, x):
        if x > 0:
            self.v = x
        else:
            self.v = 0


def program(x):
    return Box(x).v


# %% attribute_missing_in_init: (3,), (-3,)
class Box:
    def __init__(self, x):
        if x > 0:
            self.v = x


def program(x):
    return Box(x).v


# %% loop_in_init: (3,), (0,)
class Sum:
    def __init__(self, n):
        self.total = 0
        for i in range(n):
            self.total += i


def program(n):
    return Sum(n).total


# %% method_chain: (3,), (-3,)
class Builder:
    def __init__(self):
        self.n = 0

    def add(self, v):
        if v > 0:
            self.n += v
        return self


def program(x):
    return Builder().add(x).add(1).add(-1).n


# %% mutual_objects: (3,), (-3,)
class A:
    def __init__(self):
        self.n = 0


class B:
    def __init__(self, a):
        self.a = a
        self.n = 0

    def sync(self, x):
        if x > self.a.n:
            self.a.n = x
            self.n += 1


def program(x):
    a = A()
    b = B(a)
    b.sync(x)
    b.sync(x + 1)
    return a.n, b.n


# %% object_returned: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    box = Box(0)
    if x > 0:
        box.v = x
    return box


# %% dataclass_returned: (3,), (-3,)
from dataclasses import dataclass


@dataclass
class Box:
    v: int


def program(x):
    box = Box(0)
    if x > 0:
        box.v = x
    return box


# %% global_dataclass: (3,), (-3,), (4,)
from dataclasses import dataclass


@dataclass
class Box:
    v: int
    n: int = 0


BOX = Box(0)


def program(x):
    BOX.n += 0
    if x > 0:
        BOX.v = x
    return x


# %% global_slots: (3,), (-3,), (4,)
class Box:
    __slots__ = ("v",)


BOX = Box()
BOX.v = 0


def program(x):
    if x > 0:
        BOX.v = x
    return x


# %% object_argument: (Box(), 3), (Box(), -3)
class Box:
    def __init__(self):
        self.v = 0


def program(box, x):
    if x > 0:
        box.v = x
    return x


# %% object_argument_in_loop: (Box(), 3), (Box(), 0)
class Box:
    def __init__(self):
        self.v = 0


def program(box, n):
    for i in range(n):
        box.v += i
    return n


# %% object_argument_method: (Box(), 3), (Box(), -3)
class Box:
    def __init__(self):
        self.v = [0, 0]

    def put(self, k):
        if k > 0:
            self.v[1] = k


def program(box, x):
    box.put(x)
    return x


# %% bound_method_argument: (BOX.add, 3), (BOX.add, -3)
class Box:
    def __init__(self):
        self.n = 0

    def add(self, k):
        self.n += k


BOX = Box()


def program(add, x):
    if x > 0:
        add(x)
    return x
