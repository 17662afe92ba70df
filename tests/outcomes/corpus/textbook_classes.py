# %% recent_items: (1, 2, 3), (1, 2, 1), (2, 2, 2)
class Recent:
    def __init__(self, size):
        self.size = size
        self.keys = [0] * size
        self.values = [0] * size
        self.ages = [0] * size
        self.clock = 0

    def put(self, key, value):
        self.clock += 1
        oldest = 0
        for i in range(self.size):
            if self.keys[i] == key:
                self.values[i] = value
                self.ages[i] = self.clock
                return
            if self.ages[i] < self.ages[oldest]:
                oldest = i
        self.keys[oldest] = key
        self.values[oldest] = value
        self.ages[oldest] = self.clock

    def get(self, key):
        for i in range(self.size):
            if self.keys[i] == key:
                self.clock += 1
                self.ages[i] = self.clock
                return self.values[i]
        return -1


def program(a, b, c):
    recent = Recent(2)
    recent.put(a, 10)
    recent.put(b, 20)
    first = recent.get(a)
    recent.put(c, 30)
    return first, recent.get(a), recent.get(b), recent.get(c), recent.keys


# %% account: (50, 30), (50, 80), (-5, 3)
class Overdrawn(Exception):
    pass


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount")
        self.balance += amount
        self.log.append(amount)

    def withdraw(self, amount):
        if amount > self.balance:
            raise Overdrawn(amount)
        self.balance -= amount
        self.log.append(-amount)


def program(a, b):
    account = Account(10)
    account.deposit(a)
    account.withdraw(b)
    return account.balance, account.log


# %% stack_calculator: (1, 2, 3), (2, 2, 0), (0, 1, 2)
class Calculator:
    def __init__(self):
        self.stack = []

    def push(self, n):
        self.stack.append(n)

    def apply(self, code):
        b, a = self.stack.pop(), self.stack.pop()
        if code == 0:
            self.push(a + b)
        elif code == 1:
            self.push(a - b)
        else:
            self.push(a * b)


def program(x, y, code):
    calculator = Calculator()
    calculator.push(x)
    calculator.push(y)
    calculator.push(5)
    calculator.apply(code)
    calculator.apply(2)
    return calculator.stack


# %% vectors: (1, 2), (-1, 2), (0, 0)
class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __neg__(self):
        return self * -1

    def __getitem__(self, i):
        return (self.x, self.y)[i]


def program(x, y):
    v = Vector(x, y)
    w = v + Vector(1, 1) * x
    if x > 0:
        w = -w
    for i in range(2):
        if w[i] > 2:
            w = w + v
    return w.x, w.y, w == v, w[0]


# %% shapes: (1, 2), (-1, 2)
class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        raise NotImplementedError

    def describe(self):
        return self.area() * 10 + self.size


class Square(Shape):
    def area(self):
        return self.size**2


class Circle(Shape):
    def area(self):
        return 3 * self.size**2


def program(x, y):
    shapes = [Square(x), Circle(y), Square(y)]
    total = 0
    for shape in shapes:
        if shape.area() > 3:
            total += shape.describe()
    largest = max(shapes, key=lambda each: each.area())
    return total, largest.size


# %% observers: (1,), (-1,)
class Subject:
    def __init__(self):
        self.observers = []
        self.value = 0

    def attach(self, observer):
        self.observers.append(observer)

    def set(self, value):
        if value != self.value:
            self.value = value
            for observer in self.observers:
                observer(value)


def program(x):
    seen = [0, 0]
    subject = Subject()

    def add(value):
        seen[0] += value

    def count(value):
        if value > 0:
            seen[1] += 1

    subject.attach(add)
    subject.attach(count)
    for value in (x, x, x + 1, 0):
        subject.set(value)
    return seen, subject.value


# %% properties_with_limits: (5,), (50,), (-5,)
class Thermostat:
    def __init__(self):
        self._target = 20

    @property
    def target(self):
        return self._target

    @target.setter
    def target(self, value):
        if value < 0:
            value = 0
        self._target = min(value, 30)

    @classmethod
    def at(cls, value):
        made = cls()
        made.target = value
        return made

    @staticmethod
    def warmer(a, b):
        return a if a.target > b.target else b


def program(x):
    one, two = Thermostat(), Thermostat.at(x)
    one.target += 3
    return one.target, two.target, Thermostat.warmer(one, two).target


# %% matrix: (1, 2), (0, -1)
class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        columns = list(zip(*other.rows))
        return Matrix(
            [[sum(a * b for a, b in zip(row, column)) for column in columns] for row in self.rows]
        )

    def trace(self):
        return sum(self.rows[i][i] for i in range(len(self.rows)))

    def power(self, n):
        result = Matrix([[1, 0], [0, 1]])
        for _ in range(n):
            result = result @ self
        return result


def program(x, y):
    m = Matrix([[x, 1], [y, 2]])
    p = m.power(3)
    if p.trace() > 5:
        p = p @ m
    return p.rows, p.trace()


# %% event_queue: (3, 1, 2), (1, 1, 1)
class Queue:
    def __init__(self):
        self.events = []

    def add(self, time, name):
        self.events.append((time, name))
        self.events.sort()

    def pop(self):
        return self.events.pop(0)


def program(a, b, c):
    queue = Queue()
    for time, name in ((a, 0), (b, 1), (c, 2)):
        queue.add(time, name)
    order = []
    clock = 0
    while queue.events:
        time, name = queue.pop()
        clock = max(clock, time)
        order.append(name)
    return order, clock


# %% counters_with_defaults: (1, 2, 1), (0, 0, 0)
def program(a, b, c):
    counts = [0] * 3
    for n in (a, b, c):
        counts[n] += 1
    pairs = sorted(enumerate(counts), key=lambda pair: (-pair[1], pair[0]))
    return pairs[0], [n for n, count in pairs if count > 0][:1]


# %% context_manager: (1,), (-1,)
class Indent:
    def __init__(self):
        self.depth = 0
        self.deepest = 0

    def __enter__(self):
        self.depth += 1
        if self.depth > self.deepest:
            self.deepest = self.depth
        return self

    def __exit__(self, *error):
        self.depth -= 1
        return False


def program(x):
    indent = Indent()
    with indent:
        if x > 0:
            with indent as inner:
                x += inner.depth
        x *= 2
    return x, indent.depth, indent.deepest


# %% iterator_class: (3,), (0,)
class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        n = self.n
        while n > 0:
            yield n
            n -= 1


def program(x):
    total = 0
    for n in Countdown(3):
        if n <= x:
            total = total * 10 + n
    return total


# %% fluent_builder: (3,), (-3,)
class Builder:
    def __init__(self):
        self.parts = []
        self.size = 0

    def add(self, part):
        self.parts.append(part)
        self.size += part
        return self

    def when(self, test, part):
        if test:
            self.add(part)
        return self


def program(x):
    b = Builder().add(1).when(x > 0, x).when(x < 0, 5).add(2)
    return b.parts, b.size


# %% inheritance_and_super: (1,), (-1,)
class Base:
    def __init__(self, v):
        self.v = v

    def step(self, x):
        if x > 0:
            self.v += x
        return self.v


class Twice(Base):
    def __init__(self, v):
        super().__init__(v)
        self.steps = 0

    def step(self, x):
        self.steps += 1
        v = super().step(x)
        if v > 3:
            v = super().step(-v)
        return v * 2


def program(x):
    one = Twice(2)
    return one.step(x), one.step(x + 1), one.v, one.steps


# %% dataclasses_replaced: (1, 2), (-1, 2)
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0

    def moved(self, dx):
        return replace(self, x=self.x + dx)


@dataclass
class Path:
    points: list = field(default_factory=list)

    def length(self):
        return sum(abs(a.x - b.x) + abs(a.y - b.y) for a, b in zip(self.points, self.points[1:]))


def program(x, y):
    p = Point(x, y)
    path = Path([p, p.moved(y), Point(0)])
    if x > 0:
        path.points[1] = path.points[1].moved(1)
    return path.length(), path.points[1].x, p == Point(x, y)


# %% enumerations: (1,), (2,), (9,)
from enum import Enum


class Color(Enum):
    RED = 1
    GREEN = 2

    def next(self):
        return Color.GREEN if self is Color.RED else Color.RED


def program(x):
    color = Color.RED
    if x > 1:
        color = color.next()
    return color.value * x, color is Color.GREEN, color.next().value


# %% tokens: ("1+2-3",), ("7",)
def program(text):
    total, sign = 0, 1
    for letter in text:
        if letter == "+":
            sign = 1
        elif letter == "-":
            sign = -1
        else:
            total += sign * int(letter)
    return total


# %% named_tuples: (1, 2), (3, 2)
from collections import namedtuple

Pair = namedtuple("Pair", "low high")


def ordered(a, b):
    return Pair(a, b) if a <= b else Pair(b, a)


def program(x, y):
    pair = ordered(x, y)
    if pair.high > 2:
        pair = pair._replace(low=0)
    return pair, pair.high - pair.low
