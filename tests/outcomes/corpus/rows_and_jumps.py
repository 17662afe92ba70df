# %% row_alias_before_loop: ((1, 2, 3), 3), ((1, 2, 3), -3)
def program(xs, n):
    rows = [[0, 0], [1, 1], [2, 2]]
    keep = rows[1]
    i = 0
    while i < n:
        rows[i][0] = rows[i][0] + 5
        i += 1
    return keep[0], rows[1][0], keep is rows[1]


# %% list_row_inplace: (3,), (-3,)
def program(n):
    v = [0, 1, 2, 3]
    old = v[2]
    i = 0
    while i < n:
        v[i] = v[i] + v[2]
        i += 1
    return v[0], v[1], v[2], old


# %% slice_view_before: (3,), (-3,)
def program(n):
    v = [0, 1, 2, 3]
    w = v[1:3]
    for i in range(4):
        if n > i:
            v[i] += n
    return w[0], w[1], v[1]


# %% read_after_write: (3,), (-3,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    s = 0
    while i < n:
        a = v[i]
        v[i] = 100
        s = s + a + v[i]
        i += 1
    return s


# %% read_old_tensor_after: (3,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    prev = v[0]
    while i < n:
        v[i + 1] = v[i + 1] + prev
        prev = v[i]
        i += 1
    return prev, v[0], v[1], v[2], v[3]


# %% nested_loop_rows: (3,), (0,)
def program(n):
    g = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    i = 0
    while i < n:
        j = 0
        while j < n:
            g[i][j] = g[j][i] + i * j + 1
            j += 1
        i += 1
    return g[0][0], g[1][2], g[2][1], g[2][2]


# %% swap_rows_in_loop: (2,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < n:
        v[i], v[3 - i] = v[3 - i], v[i]
        i += 1
    return v[0], v[1], v[2], v[3]


# %% rotate: (2,), (0,)
def program(n):
    v = [1, 2, 3]
    while n > 0:
        first = v[0]
        v[0] = v[1]
        v[1] = v[2]
        v[2] = first
        n = n - 1
    return v[0], v[1], v[2]


# %% copy_in_loop: (2,), (0,)
def program(n):
    v = [1, 2, 3]
    w = [0, 0, 0]
    i = 0
    while i < n:
        w = list(v)
        v[i] = w[i] + 10
        i += 1
    return w[0], w[1], v[0], v[1]


# %% sum_after_writes: (3,), (0,)
def program(n):
    v = [0.0, 0.0, 0.0, 0.0]
    i = 0
    while i < n:
        before = sum(v)
        v[i] = before + 1.0
        i += 1
    return sum(v), v[0], v[2]


# %% max_so_far: ((3, 1, 4, 1, 5),), ((-1, -2, -3),)
def program(xs):
    best = [0, 0]
    i = 0
    for x in xs:
        if x > best[0]:
            best[0] = x
            best[1] = i
        i += 1
    return best[0], best[1]


# %% two_lists_cross: (3,), (0,)
def program(n):
    a = [1, 2, 3, 4]
    b = [0, 0, 0, 0]
    i = 0
    while i < n:
        b[i] = a[i]
        a[i] = b[0] + 1
        i += 1
    return a[0], a[1], a[2], b[0], b[1], b[2]


# %% fib_table: (6,), (2,)
def program(n):
    f = [0, 1, 0, 0, 0, 0, 0, 0]
    i = 2
    while i <= n:
        f[i] = f[i - 1] + f[i - 2]
        i += 1
    return f[n]


# %% negative_index: (3,), (1,)
def program(n):
    v = [1, 2, 3, 4]
    i = 1
    while i <= n:
        v[-i] = v[-i] * 2
        i += 1
    return v[0], v[1], v[2], v[3]


# %% index_error: (6,), (2,)
def program(n):
    v = [1, 2, 3]
    i = 0
    while i < n:
        v[i] = 0
        i += 1
    return v[0]


# %% bubble_sort: (3,), (1,)
def program(n):
    v = [3, 1, 2, n]
    i = 0
    while i < n:
        j = 0
        while j < 3:
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
            j += 1
        i += 1
    return v[0], v[1], v[2], v[3]


# %% rows_of_dict: (3,), (0,)
def program(n):
    d = {"a": [0, 0, 0], "b": [1, 1, 1]}
    i = 0
    while i < n:
        d["a"][i] = d["b"][i] + i
        d["b"][i] = d["a"][0]
        i += 1
    return d["a"][0], d["a"][2], d["b"][1], d["b"][2]


# %% object_rows: (3,), (0,)
class Box:
    def __init__(self):
        self.v = [0, 0, 0]


def program(n):
    b = Box()
    keep = b.v
    i = 0
    while i < n:
        b.v[i] = i + 1
        i += 1
    return keep[0], keep[2], b.v[1]


# %% break_in_write: (3,), (0,)
def program(n):
    v = [0, 0, 0, 0]
    i = 0
    while True:
        if i >= n:
            break
        v[i] = i * i
        i += 1
    return v[0], v[1], v[2], v[3]


# %% return_in_loop: (3,), (9,)
def program(n):
    v = [5, 3, 9, 1]
    i = 0
    while i < 4:
        if v[i] == n:
            return i, v[0]
        v[0] = v[0] + v[i]
        i += 1
    return -1, v[0]


# %% with_try_finally: (3,), (-3,)
LOG = []


def program(x):
    r = 0
    try:
        if x > 0:
            r = x * 2
        else:
            r = x - 1
    finally:
        LOG.append(1)
    return r


# %% return_in_try_finally: (3,), (-3,)
LOG = [0]


def program(x):
    try:
        if x > 0:
            return x * 2
        return -x
    finally:
        LOG[0] += 1


# %% with_contextmanager: (3,), (-3,)
from contextlib import contextmanager


@contextmanager
def scope(log):
    log.append("in")
    try:
        yield 5
    finally:
        log.append("out")


def program(x):
    log = []
    with scope(log) as s:
        if x > 0:
            y = x + s
        else:
            y = x - s
    return y, len(log)


# %% return_in_with: (3,), (-3,)
from contextlib import contextmanager

LOG = []


@contextmanager
def scope():
    try:
        yield 5
    finally:
        LOG.append("out")


def program(x):
    with scope() as s:
        if x > 0:
            return x + s
    return x


# %% deep_nest: (3,), (-3,), (0,)
def program(x):
    r = 0
    if x > 0:
        if x > 1:
            if x > 2:
                try:
                    if x > 3:
                        r = 4
                    else:
                        r = 3
                finally:
                    r = r + 10
            else:
                r = 2
        else:
            r = 1
    elif x < 0:
        r = -1
    return r


# %% generator_if: (3,), (-3,)
def gen(x):
    if x > 0:
        yield 1
    else:
        yield 2
    yield 3


def program(x):
    return list(gen(x))


# %% generator_inside: (3,), (-3,)
def gen(x):
    y = 0
    if x > 0:
        y = 1
    yield y
    if x > 1:
        y = 2
    yield y + x


def program(x):
    return list(gen(x))


# %% generator_send: (3,), (-3,)
def gen(x):
    y = yield x
    if y > 0:
        z = y + 1
    else:
        z = y - 1
    yield z


def program(x):
    g = gen(x)
    a = next(g)
    return g.send(a)


# %% recursion_list: (3,), (0,)
def count(v, i, x):
    if i == len(v):
        return 0
    r = 0
    if v[i] > x:
        r = 1
    return r + count(v, i + 1, x)


def program(x):
    return count([1, 2, 3, 4], 0, x)


# %% recursion_staged: (5,), (0,)
def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)


def program(n):
    return fact(n)


# %% closure_changed: (3,), (-3,)
def program(x):
    total = 0

    def add(v):
        nonlocal total
        if v > 0:
            total += v
        else:
            total -= 1

    add(x)
    add(x + 1)
    add(-x)
    return total


# %% closure_returned: (3,), (-3,)
def make(x):
    if x > 0:
        def f(y):
            return y + 1
    else:
        def f(y):
            return y - 1
    return f


def program(x):
    return make(x)(10)


# %% async_if: (3,), (-3,)
import asyncio


async def inner(x):
    if x > 0:
        return x * 2
    return -x


async def outer(x):
    a = await inner(x)
    if a > 4:
        a = await inner(a)
    return a


def program(x):
    co = outer(x)
    try:
        co.send(None)
    except StopIteration as stop:
        return stop.value


# %% partial_dict_get: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    return d.get("b", 7), len(d)


# %% partial_dict_pop: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d.pop("b")
    return d.get("b", 7), "b" in d, d["a"]


# %% partial_dict_pop_missing: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["b"]
    return d.pop("b", 9), len(d)


# %% partial_dict_iter: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 5
    s = 0
    for k in d:
        s += d[k]
    return s


# %% partial_dict_items: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 5
    s = 0
    for k, v in d.items():
        s += v
    return s, sum(d.values())


# %% partial_dict_update: (3,), (-3,)
def program(x):
    d = {"a": 1}
    e = {"a": 2, "c": 3}
    if x > 0:
        d.update(e)
    return d["a"], "c" in d, d.get("c")


# %% partial_dict_setdefault_twice: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d.setdefault("a", 5)
    d.setdefault("a", 6)
    return d["a"]


# %% partial_dict_del_readd_order: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
        d["a"] = 3
    return d


# %% partial_set: (3,), (-3,)
def program(x):
    s = {1, 2}
    if x > 0:
        s.add(3)
        s.discard(1)
    return 3 in s, 1 in s, len(s)


# %% partial_set_ops: (3,), (-3,)
def program(x):
    s = {1, 2}
    if x > 0:
        s |= {5}
    return 5 in s, len(s | {7}), sorted(s)


# %% partial_deque: (3,), (-3,)
from collections import deque


def program(x):
    d = deque([1, 2])
    if x > 0:
        d.append(x)
        d.popleft()
    return d[0], d[-1], len(d)


# %% partial_deque_rotate: (3,), (-3,)
from collections import deque


def program(x):
    d = deque([1, 2, 3], maxlen=3)
    if x > 0:
        d.append(x)
        d.rotate(1)
    return list(d)


# %% partial_deque_loop: (3,), (0,)
from collections import deque


def program(n):
    d = deque([1])
    s = 0
    while n > 0:
        d.append(n)
        if n > 1:
            s += d.popleft()
        n -= 1
    return s, len(d)


# %% one_of_return: (3,), (-3,)
def pick(x):
    if x > 0:
        return None
    return x


def program(x):
    a = pick(x)
    b = pick(-x)
    if a is None:
        return b
    if b is None:
        return a + 100
    return a + b


# %% one_of_default: (3,), (-3,)
def f(a, b=None):
    if b is None:
        b = a
    return a + b


def program(x):
    b = None
    if x > 0:
        b = x
    return f(x, b), f(1)


# %% one_of_or: (3,), (-3,)
def program(x):
    b = None
    if x > 0:
        b = x
    c = b or 7
    return c


# %% one_of_chain: (3,), (-3,), (0,)
def program(x):
    r = None
    if x > 0:
        r = 1
    elif x < 0:
        r = 2
    if r is not None and r > 1:
        return 10
    return 20


# %% one_of_loop: (3,), (0,)
def program(n):
    last = None
    i = 0
    while i < n:
        if last is None:
            last = i
        else:
            last = last + i
        i += 1
    return -1 if last is None else last


# %% one_of_for_find: ((3, 1, 4),), ((-1, -2),)
def program(xs):
    found = None
    for x in xs:
        if x > 2 and found is None:
            found = x
    if found is None:
        return 0
    return found


# %% one_of_functions: (3,), (-3,)
def program(x):
    f = abs
    if x > 0:
        f = lambda v: v * 3
    return f(x)


# %% one_of_stored: (3,), (-3,)
class Node:
    def __init__(self):
        self.next = None
        self.v = 1


def program(x):
    n = Node()
    if x > 0:
        n.next = 5
    return n.v if n.next is None else n.v + n.next


# %% one_of_dict_none: (3,), (-3,)
def program(x):
    d = {"a": None}
    if x > 0:
        d["a"] = x
    if d["a"] is None:
        d["a"] = 0
    return d["a"]


# %% one_of_in_list: (3,), (-3,)
def program(x):
    v = [None, 1]
    if x > 0:
        v[0] = x
    return [0 if e is None else e for e in v]


# %% one_of_eq_none: (3,), (-3,)
def program(x):
    v = None
    if x > 0:
        v = x
    return v == None, v != None


# %% one_of_match: (3,), (-3,)
def program(x):
    v = None
    if x > 0:
        v = x
    match v:
        case None:
            return 0
        case _:
            return v + 1


# %% tensor_row_kept: ((1, 2, 3), 2), ((1, 2, 3), 0)
def program(xs, n):
    rows = [[x, x + 1] for x in [10, 20, 30]]
    keep = rows[0]
    i = 0
    while i < n:
        rows[0][i] = rows[0][i] + xs[i]
        i += 1
    return keep, rows[0][0]


# %% carried_tensor_write: ((1, 2, 3),), ((4, 5, 6),)
import runtime as tf


def program(xs):
    t = [0, 0, 0]
    prev = t
    for i in range(3):
        if xs[i] > 2:
            t = [t[0] + 1, t[1], xs[i]]
    return prev[0], t[0], t[2]


# %% write_from_other_row: (3,), (0,)
def program(n):
    g = [[1, 2], [3, 4], [5, 6], [7, 8]]
    i = 0
    while i < n:
        g[i + 1][0] = g[i][0] + g[i][1]
        g[i][1] = g[i + 1][0]
        i += 1
    return g


# %% write_same_twice: (3,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < n:
        v[i] = v[i] * 2
        v[i] = v[i] + v[i + 1]
        v[i + 1] = v[i] - 1
        i += 1
    return v


# %% old_value_swap: (3,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < n:
        old = v[i]
        v[i] = v[3]
        v[3] = old
        i += 1
    return v, i


# %% conditional_write: (4,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < n:
        if v[i] % 2 == 0:
            v[i] = v[i - 1]
        i += 1
    return v


# %% write_in_inner_outer_read: (3,), (0,)
def program(n):
    v = [0, 0, 0]
    w = [1, 1, 1]
    i = 0
    while i < n:
        j = 0
        while j < 3:
            v[j] = v[j] + w[i]
            j += 1
        w[i] = v[i]
        i += 1
    return v, w


# %% row_from_loop_kept: (3,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    kept = 0
    i = 0
    while i < n:
        kept = v[i]
        v[i] = -1
        i += 1
    return kept, v


# %% loop_twice_over_same: (3,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < n:
        v[i] += 1
        i += 1
    first = v[0]
    while i > 0:
        i -= 1
        v[i] += 10
    return first, v


# %% float_rows: (3.0,), (0.0,)
def program(x):
    v = [0.5, 1.5, 2.5]
    i = 0
    while i < 3:
        if x > v[i]:
            v[i] = v[i] * x
        i += 1
    return v


# %% bool_rows: (7,), (3,)
def program(n):
    sieve = [True] * 12
    i = 2
    while i < n:
        j = i * 2
        while j < n:
            sieve[j] = False
            j += i
        i += 1
    return sieve


# %% while_with_else: (3,), (9,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < 4:
        if v[i] == n:
            break
        v[i] = 0
        i += 1
    else:
        v[0] = 99
    return v, i


# %% continue_write: (4,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = -1
    while i < n - 1:
        i += 1
        if v[i] == 2:
            continue
        v[i] = v[i] * 10
    return v


# %% global_rows: (3,), (0,)
V = [0, 0, 0, 0]


def program(n):
    i = 0
    while i < n:
        V[i] = V[i] + i + 1
        i += 1
    return V[0] + V[2]


# %% global_rows_alias: (3,), (0,)
V = [0, 0, 0, 0]
W = V


def program(n):
    i = 0
    while i < n:
        V[i] = W[i] + i + 1
        i += 1
    return W[0] + V[2]


# %% default_list_rows: (3,), (0,)
def f(n, memo=[0, 0, 0, 0]):
    i = 0
    while i < n:
        memo[i] += 1
        i += 1
    return memo[0]


def program(n):
    return f(n) + f(n)


# %% class_attr_rows: (3,), (0,)
class T:
    v = [0, 0, 0]


def program(n):
    t = T()
    i = 0
    while i < n:
        t.v[i] = i
        i += 1
    return T.v[2], t.v[1]


# %% nested_try_return: (3,), (-3,), (0,)
def program(x):
    for i in range(3):
        try:
            if x > i:
                continue
            if x < -1:
                return -5
        finally:
            x = x + 1
    return x


# %% return_in_nested_loops: (3,), (20,)
def program(x):
    for i in range(3):
        for j in range(3):
            if i * 3 + j == x:
                return i * 10 + j
    return -1


# %% while_return_tensor: (3,), (0,)
def program(x):
    i = 0
    while i < 10:
        if i * i > x:
            return i
        i += 1
    return -1


# %% break_in_finally: (3,), (-3,)
def program(x):
    r = 0
    for i in range(4):
        try:
            r += i
            if x > 1:
                break
        finally:
            r += 100
    return r


# %% try_else: (3,), (-3,)
def program(x):
    r = 0
    try:
        if x > 0:
            r = 1
    except ValueError:
        r = 2
    else:
        if r > 0:
            r += 10
    return r


# %% nested_with_if: (3,), (-3,)
class CM:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v

    def __exit__(self, *a):
        return False


def program(x):
    with CM(x) as a, CM(x + 1) as b:
        if a > 0:
            c = a + b
        else:
            c = a - b
    return c


# %% rec_even_odd: (5,), (4,)
def even(n):
    if n == 0:
        return True
    return odd(n - 1)


def odd(n):
    if n == 0:
        return False
    return even(n - 1)


def program(n):
    return even(n)


# %% rec_two_results: (5,), (1,)
def fib(n):
    if n < 2:
        return n, 0
    a, b = fib(n - 1)
    return a + b, a


def program(n):
    return fib(n)


# %% rec_with_list: (3,), (0,)
def walk(n, acc):
    if n > 0:
        acc[0] = acc[0] + n
        walk(n - 1, acc)


def program(n):
    acc = [0]
    walk(n, acc)
    return acc[0]


# %% closure_loop_vars: (3,), (-3,)
def program(x):
    fs = []
    for i in range(3):
        def f(v, i=i):
            if v > i:
                return v - i
            return i
        fs.append(f)
    return [f(x) for f in fs]


# %% nonlocal_in_branch: (3,), (-3,)
def program(x):
    c = 0

    def up():
        nonlocal c
        c += 1
        return c

    if x > 0:
        up()
        up()
    else:
        c = 10
    return up()


# %% generator_state: (3,), (-3,)
def gen(x):
    t = 0
    for i in range(3):
        if x > i:
            t += x
        yield t


def program(x):
    a = [v for v in gen(x)]
    return sum(a), a[1]


# %% gen_closed_early: (3,), (-3,)
def gen(x):
    y = x
    if x > 0:
        y = y * 2
    yield y
    yield y + 1


def program(x):
    for v in gen(x):
        return v


# %% yield_in_try: (3,), (-3,)
def gen(x):
    try:
        y = 1
        if x > 0:
            y = 2
        yield y
    finally:
        if x > 1:
            y = 5


def program(x):
    return list(gen(x))


# %% walrus_in_test: (3,), (-3,)
def program(x):
    r = 0
    if (y := x + 1) > 0 and (z := y * 2) > 4:
        r = z
    return r, y


# %% ternary_nested: (3,), (-3,), (0,)
def program(x):
    return 1 if x > 0 else (2 if x < 0 else 3)


# %% lambda_if: (3,), (-3,)
def program(x):
    f = lambda v: v + 1 if v > 0 else v - 1
    return f(x) + f(-x)


# %% comp_filter: ((3, -1, 2),), ((-1, -2, -3),)
def program(xs):
    return sum([x for x in xs if x > 0])


# %% dict_of_one_of: (3,), (-3,)
def program(x):
    d = {"f": None}
    if x > 0:
        d["f"] = x
    out = []
    for k, v in d.items():
        out.append(0 if v is None else v)
    return out


# %% one_of_two_vars: (3,), (-3,), (0,)
def program(x):
    a = b = None
    if x > 0:
        a = x
    else:
        b = -x
    return (a if a is not None else 0) + (b if b is not None else 0)


# %% one_of_while_none: (3,), (0,)
def program(n):
    node = n
    s = 0
    while node is not None:
        s += node
        node = node - 1 if node > 0 else None
    return s


# %% one_of_method: (3,), (-3,)
class A:
    def go(self, x):
        return x + 1


def program(x):
    a = None
    if x > 0:
        a = A()
    return 0 if a is None else a.go(x)


# %% one_of_none_error: (3,), (-3,)
def program(x):
    a = None
    if x > 0:
        a = x
    return a + 1


# %% one_of_tuple: (3,), (-3,)
def program(x):
    t = None
    if x > 0:
        t = (x, 2)
    if t is None:
        return -1
    a, b = t
    return a * b


# %% one_of_string: (3,), (-3,)
def program(x):
    s = None
    if x > 0:
        s = "pos"
    return "none" if s is None else s + "!"


# %% one_of_in_fstring: (3,), (-3,)
def program(x):
    s = None
    if x > 0:
        s = x
    return f"<{s}>"


# %% one_of_isinstance: (3,), (-3,)
def program(x):
    s = None
    if x > 0:
        s = x
    return s is None, not s


# %% possibly_attr_loop: (3,), (0,)
class Box:
    pass


def program(n):
    b = Box()
    while n > 0:
        b.v = n
        n -= 1
    return hasattr(b, "v"), getattr(b, "v", -1)


# %% possibly_attr_unused: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    if x > 0:
        b.v = x
    try:
        b.v
    except AttributeError:
        return 0
    return 1


# %% a_in_d_helper: (3,), (-3,)
def add(d, x):
    if x > 0:
        d["a"] = x


def program(x):
    d = {}
    add(d, x)
    if "a" in d:
        return d["a"]
    return 0


# %% a_in_d_helper_python: (3,), (-3,)
def add(d, x):
    d["a"] = x


def program(x):
    d = {}
    add(d, x)
    return d["a"] if "a" in d else 0


# %% reverse_sorted: (3,), (-3,)
def program(x):
    return sorted([1, 3, 2], reverse=x > 0)


# %% reverse_sort_method: (3,), (-3,)
def program(x):
    v = [1, 3, 2]
    v.sort(reverse=x > 0)
    return v


# %% defaultdict_set_plain: (3,), (-3,)
from collections import defaultdict


def program(x):
    d = defaultdict(set)
    d["a"].add(1)
    if x > 0:
        d["a"].add(2)
    return len(d["a"])


# %% attr_merge_no_type_unused: (3,), (-3,)
class Box:
    v = 0


def program(x):
    b = Box()
    if x > 0:
        b.v = "s"
    else:
        b.v = [1, 2]
    return x


# %% item_merge_no_type_unused: (3,), (-3,)
def program(x):
    d = {"a": 0}
    if x > 0:
        d["a"] = "s"
    else:
        d["a"] = 5
    return x


# %% item_merge_no_type_rewritten: (3,), (-3,)
def program(x):
    d = [0, 1]
    if x > 0:
        d[0] = "s"
    else:
        d[0] = 5
    d[0] = 7
    return d


# %% sort_reads_itself: (3,), (-3,)
def program(x):
    v = [3, 1, 2]
    if x > 0:
        v.sort(key=lambda e: e - v[0])
    return v


# %% sort_reads_itself_plain: (3,), (-3,)
def program(x):
    v = [x, 1, 2]
    v.sort(key=lambda e: e - v[0])
    return v


# %% sort_reads_its_length: (3,), (-3,)
def program(x):
    v = [x, 1, 2]
    v.sort(key=lambda e: e * (len(v) - 1))
    return v


# %% sorted_reads_itself: (3,), (-3,)
def program(x):
    v = [x, 1, 2]
    return sorted(v, key=lambda e: e * v[1])
