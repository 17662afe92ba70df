# %% consumed_in_loop: (3,), (-3,)
def numbers(x):
    yield x
    yield x + 1


def program(x):
    total = 0
    for v in numbers(x):
        total += v
    return total


# %% yields_under_test: (3,), (-3,)
def positives(x):
    if x > 0:
        yield x
    yield 100


def program(x):
    total = 0
    for v in positives(x):
        total += v
    return total


# %% next_in_branch: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    if x > 0:
        next(it)
    return next(it)


# %% next_in_both_branches: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    if x > 0:
        y = next(it)
    else:
        y = -next(it)
    return y, next(it)


# %% next_in_loop: (2,), (0,)
def program(n):
    it = iter([1, 2, 3])
    total = 0
    for _ in range(n):
        total += next(it)
    return total


# %% enumerate_iterator_in_branch: (3,), (-3,)
def program(x):
    it = enumerate([5, 6])
    if x > 0:
        next(it)
    return next(it)


# %% zip_iterator_in_branch: (3,), (-3,)
def program(x):
    it = zip([5, 6], [7, 8])
    if x > 0:
        next(it)
    return next(it)


# %% map_iterator_in_branch: (3,), (-3,)
def program(x):
    it = map(abs, [5, -6])
    if x > 0:
        next(it)
    return next(it)


# %% for_consumes_in_branch: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    total = 0
    if x > 0:
        for v in it:
            total += v
    return total, len(list(it))


# %% sum_consumes_in_branch: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    total = 0
    if x > 0:
        total = sum(it)
    return total, len(list(it))


# %% list_consumes_in_branch: (3,), (-3,)
def program(x):
    it = (v for v in [1, 2, 3])
    total = 0
    if x > 0:
        total = len(list(it))
    return total, len(list(it))


# %% in_consumes_in_branch: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    found = False
    if x > 0:
        found = 2 in it
    return found, len(list(it))


# %% unpacking_consumes: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    total = 0
    if x > 0:
        a, b, c = it
        total = a + b + c
    return total, len(list(it))


# %% star_consumes: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3])
    y = []
    n = 0
    if x > 0:
        n = len([*it])
    return n, len(list(it))


# %% generator_with_effect: (3,), (-3,)
LOG = [0]


def numbers():
    LOG[0] += 1
    yield 1
    LOG[0] += 10
    yield 2


def program(x):
    g = numbers()
    y = 0
    if x > 0:
        y = next(g)
    return y


# %% generator_local_state: (3,), (-3,)
def program(x):
    state = [0]

    def steps():
        state[0] += 1
        yield 1
        state[0] += 1
        yield 2

    g = steps()
    next(g)
    if x > 0:
        next(g)
    return state


# %% class_iterator: (3,), (-3,)
class Count:
    def __init__(self, n):
        self.i = 0
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


def program(x):
    c = Count(3)
    y = 0
    if x > 0:
        y = next(c)
    return y, c.i


# %% class_iterator_loop: (3,), (-3,)
class Count:
    def __init__(self, n):
        self.i = 0
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


def program(x):
    total = 0
    for v in Count(4):
        if v > x:
            total += v
    return total


# %% class_iterator_bounded_by_tensor: (3,), (0,)
class Count:
    def __init__(self, n):
        self.i = 0
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


def program(n):
    total = 0
    for v in Count(n):
        total += v
    return total


# %% generator_bounded_by_tensor: (3,), (0,)
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1


def program(n):
    total = 0
    for v in count(n):
        total += v
    return total


# %% generator_expression_of_tensor: ((1, 2),), ((3, 4),)
def program(xs):
    g = (v * 2 for v in xs)
    return sum(g)


# %% generator_expression_late_binding: (3,), (-3,)
def program(x):
    k = 1
    g = (v * k for v in [1, 2])
    k = 10
    if x > 0:
        k = 100
    return sum(g)


# %% global_iterator: (3,), (-3,), (4,)
IT = iter([1, 2, 3, 4, 5, 6, 7])


def program(x):
    y = 0
    if x > 0:
        y = next(IT)
    return y


# %% yield_from: (3,), (-3,)
def inner(x):
    yield x


def outer(x):
    yield from inner(x)
    yield from [1, 2]


def program(x):
    return list(outer(x))


# %% generator_closed: (3,), (-3,)
def program(x):
    log = []

    def g():
        try:
            yield 1
        finally:
            log.append("closed")

    it = g()
    next(it)
    if x > 0:
        it.close()
    return len(log)


# %% tee: (3,), (-3,)
import itertools


def program(x):
    a, b = itertools.tee([1, 2, 3])
    if x > 0:
        next(a)
    return list(a), list(b)


# %% cycle: (3,), (-3,)
import itertools


def program(x):
    c = itertools.cycle([1, 2])
    if x > 0:
        next(c)
    return next(c)


# %% reversed_iterator: (3,), (-3,)
def program(x):
    it = reversed([1, 2, 3])
    if x > 0:
        next(it)
    return list(it)


# %% range_iterator: (3,), (-3,)
def program(x):
    it = iter(range(5))
    if x > 0:
        next(it)
        next(it)
    return list(it)


# %% dict_iterator: (3,), (-3,)
def program(x):
    it = iter({"a": 1, "b": 2})
    if x > 0:
        next(it)
    return list(it)


# %% iterator_in_attribute: (3,), (-3,)
class Box:
    def __init__(self):
        self.it = iter([1, 2])


def program(x):
    box = Box()
    if x > 0:
        next(box.it)
    return next(box.it)


# %% iterator_shared_by_zip: (3,), (-3,)
def program(x):
    it = iter([1, 2, 3, 4])
    total = 0
    for a, b in zip(it, it):
        if x > 0:
            total += a * b
    return total


# %% generator_returned: (3,), (-3,)
def program(x):
    return (v * x for v in [1, 2])


# %% context_manager_generator: (3,), (-3,)
import contextlib


def program(x):
    log = [0]

    @contextlib.contextmanager
    def manager():
        log[0] += 1
        yield 5
        log[0] += 10

    y = 0
    if x > 0:
        with manager() as v:
            y = v
    return y, log

# %% matches_in_branch: (3,), (-3,)
import re

def program(x):
    matches = re.finditer("a", "aaaa")
    n = 0
    if x > 0:
        n = next(matches).start() + 1
    return next(matches).start() + n + x

# %% rows_of_csv_in_branch: (3,), (-3,)
import csv

def program(x):
    rows = csv.reader(["1,2", "3,4"])
    if x > 0:
        next(rows)
    return int(next(rows)[0]) + x

# %% rows_of_csv_looped_in_branch: (3,), (-3,)
import csv

class Table:
    def __init__(self, lines):
        self.rows = csv.reader(lines)

def program(x):
    table = Table(["1,2", "3,4"])
    total = x
    if x > 0:
        for row in table.rows:
            total += int(row[0])
    return total + sum(int(row[1]) for row in table.rows)

# %% structs_in_branch: (3,), (-3,)
import struct

def program(x):
    numbers = struct.iter_unpack("B", bytes([1, 2, 3]))
    if x > 0:
        x = x + next(numbers)[0]
    return x + next(numbers)[0]

# %% rows_of_csv_around_branches: (3,), (-3,)
import csv

def program(x):
    for row in csv.reader(["1,2", "3,4"]):
        if x > 0:
            x = x + int(row[0])
        else:
            x = x - int(row[1])
    return x

# %% matches_inside_branch: (3,), (-3,)
import re

def program(x):
    if x > 0:
        for match in re.finditer("a+", "aba"):
            x = x + match.start()
    return x
