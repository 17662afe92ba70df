# %% hasattr_made_in_branch: (3,), (-3,)
class Box:
    pass
def program(x):
    b = Box()
    if x > 0:
        b.v = x
    if hasattr(b, "v"):
        return b.v
    return x - 1

# %% dict_zip: ((1, 2, 3),)
def program(xs):
    d = dict(zip(["a", "b", "c"], xs))
    return d["a"] + d["c"]

# %% repeated_rows_n: (3,), (0,)
def program(n):
    g = [[0] * n for _ in range(3)]
    for i in range(n):
        g[1][i] = i
    return g

# %% grid_n_by_n: (3,), (1,)
def program(n):
    g = [[0] * n for _ in range(n)]
    for i in range(n):
        g[i][i] = 1
    return g

# %% filter_walrus: ((1, 2, 3),), ((3, -2, 1),)
def program(xs):
    return [y for x in xs if (y := x * 2) > 2]

# %% max_of_lists: (3, 1), (1, 3), (2, 2)
def program(a, b):
    return max([a, b], [b, a]), min([a, 1], [b, 2])

# %% max_of_tuples: (3, 1), (1, 3), (2, 2)
def program(a, b):
    best = (0, 0)
    for t in [(a, b), (b, a), (1, 1)]:
        best = max(best, t)
    return best

# %% sorted_own_lt: (3, 1), (1, 3), (2, 2)
class Item:
    def __init__(self, k, name):
        self.k = k
        self.name = name
    def __lt__(self, other):
        return self.k < other.k
def program(a, b):
    items = sorted([Item(a, 1), Item(b, 2), Item(2, 3)])
    return [i.name for i in items], items[0].k

# %% union_find_recursive: (0, 1), (2, 3), (1, 1)
def program(a, b):
    parent = list(range(5))
    def find(x):
        if parent[x] != x:
            parent[x] = find(parent[x])
        return parent[x]
    def union(x, y):
        parent[find(x)] = find(y)
    union(a, b)
    union(0, 4)
    union(b, 2)
    return [find(i) for i in range(5)], parent

# %% union_find_iterative: (0, 1), (2, 3), (1, 1)
def program(a, b):
    parent = list(range(5))
    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x
    def union(x, y):
        parent[find(x)] = find(y)
    union(a, b)
    union(0, 4)
    union(b, 2)
    return [find(i) for i in range(5)], parent

# %% memo_dict: (5,), (1,)
def program(n):
    memo = {}
    def fib(k):
        if k in memo:
            return memo[k]
        if k < 2:
            return k
        memo[k] = fib(k - 1) + fib(k - 2)
        return memo[k]
    return fib(n)

# %% rows_swapped: (0, 1), (2, 2)
def program(i, j):
    g = [[1, 2], [3, 4], [5, 6]]
    g[i], g[j] = g[j], g[i]
    return g

# %% rows_swapped_then_written: (0, 1), (2, 2)
def program(i, j):
    g = [[1, 2], [3, 4], [5, 6]]
    g[i], g[j] = g[j], g[i]
    g[0][0] += 10
    return g

# %% most_common: (3,), (-3,)
from collections import Counter
def program(x):
    c = Counter()
    c["a"] += x
    c["b"] += 1
    return c.most_common(1)[0][1], c.most_common()

# %% takewhile: ((1, 2, 5, 1),), ((7, 1),)
import itertools
def program(xs):
    return [x for x in itertools.takewhile(lambda v: v < 4, xs)]

# %% dropwhile: ((1, 2, 5, 1),), ((7, 1),)
import itertools
def program(xs):
    return list(itertools.dropwhile(lambda v: v < 4, xs))

# %% accumulate: ((1, 2, 5, 1),), ((7, 1),)
import itertools
def program(xs):
    return list(itertools.accumulate(xs))

# %% accumulate_max: ((1, 2, 5, 1),), ((7, 1),)
import itertools
def program(xs):
    return list(itertools.accumulate(xs, max))

# %% pairwise: ((1, 2, 5, 1),), ((7, 1),)
import itertools
def program(xs):
    return sum(b - a for a, b in itertools.pairwise(xs))

# %% groupby: ((1, 1, 5, 1),), ((7, 7),)
import itertools
def program(xs):
    return [(k, len(list(g))) for k, g in itertools.groupby(xs)]

# %% chr_of: (65,), (97,)
def program(x):
    return chr(x)

# %% hex_bin: (65,), (-3,)
def program(x):
    return hex(x), bin(x), oct(x)

# %% two_names_new_list_or_none: (3,), (-3,)
def program(x):
    v = None
    w = None
    if x > 0:
        v = w = [x]
    if v is not None:
        v.append(1)
    return v, w

# %% isinstance_one_of: (3,), (-3,)
class A:
    v = 1
class B:
    v = 2
def program(x):
    o = A() if x > 0 else B()
    if isinstance(o, A):
        return 1
    return o.v

# %% attributes_loop: (3, 4), (-3, 2)
class S:
    def __init__(self, a):
        self.total = a
        self.k = 0
    def step(self, i):
        if self.total > 5:
            self.k += 1
        self.total += i
def program(a, b):
    s = S(a)
    for i in range(200):
        s.step(i % 3)
    return s.total, s.k, b

# %% suppress_outer_function: (3,), (-3,)
import contextlib
def inner(x):
    if x > 0:
        v = 1
    else:
        v = "text"
    return {v: x}
def program(x):
    r = 1
    with contextlib.suppress(TypeError, ValueError, RuntimeError):
        r = len(inner(x))
    return r
