# %% read_branch_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    r = y
    if x > 0:
        r = D[K] + y
    return r, COUNTS[0], COUNTS[1]


# %% write_branch_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    r = y
    if x > 0:
        D[K] = y
    r = r + D[L] + D[K]
    return r, COUNTS[0], COUNTS[1]


# %% new_key_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    k = Key(9)
    if x > 0:
        D[K] = y
    D[k] = 8
    r = len(D)
    return r, COUNTS[0], COUNTS[1]


# %% plain_loop_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}
S = {K, L}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    r = y
    for k in D:
        r = r + D[k]
    for k in S:
        if k in D:
            r = r + 1
    return r, COUNTS[0], COUNTS[1]


# %% set_in_branch_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
S = {K, L}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    r = y
    if x > 0:
        if L in S:
            r = r + 2
    return r, COUNTS[0], COUNTS[1]


# %% set_local_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    s = {K, L, Key(8)}
    r = y
    if x > 0:
        r = r + len(s)
    for i in range(3):
        s.add(K)
    r = r + len(s)
    return r, COUNTS[0], COUNTS[1]


# %% dict_methods_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    d = dict(D)
    d.update({K: x})
    r = d.get(K) + d.pop(L) + len(d) + d.setdefault(K, 3)
    if x > 0:
        r = r + d.get(K, 5)
    return r, COUNTS[0], COUNTS[1]


# %% tuple_key_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    d = {(K, 1): x, (L, 2): y}
    r = d[K, 1] + d[L, 2]
    if x > 0:
        d[K, 1] = 7
        r = r + d[K, 1]
    return r, COUNTS[0], COUNTS[1]


# %% lru_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    import functools
    @functools.lru_cache(maxsize=None)
    def f(k):
        return k.n
    r = y + f(K) + f(L) + f(K)
    if x > 0:
        r = r + f(K)
    return r, COUNTS[0], COUNTS[1]


# %% ordered_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    import collections
    d = collections.OrderedDict()
    d[K] = 1
    d[L] = 2
    if x > 0:
        d[K] += 5
    d.move_to_end(K)
    r = d[K] + y
    return r, COUNTS[0], COUNTS[1]


# %% nested_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
ROWS = [K, L]


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    h = {'a': {K: [x]}, 'b': ROWS}
    if x > 0:
        h['a'][K].append(y)
        h['a'][K][0] = 5
    r = sum(h['a'][K])
    return r, COUNTS[0], COUNTS[1]


# %% closure_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    d = {K: 1}
    def f(k):
        nonlocal d
        if x > 0:
            d[K] = k
            return 1
        return d[K]
    r = f(x) + f(y) + d[K]
    return r, COUNTS[0], COUNTS[1]


# %% frozen_own: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
ROWS = [K, L]


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    s = frozenset(ROWS)
    r = y
    if x > 0:
        r = r + len(s)
        if K in s:
            r = r + 1
    return r, COUNTS[0], COUNTS[1]


# %% plain_loop_same: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return 5
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}
S = {K, L}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    r = y
    for k in D:
        r = r + D[k]
    for k in S:
        if k in D:
            r = r + 1
    return r, COUNTS[0], COUNTS[1]


# %% set_in_branch_same: (3, 2), (-3, 1), (4, 0), (-1, 2)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return 5
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
S = {K, L}


def program(x, y):
    COUNTS[:] = [x - x, x - x]
    r = y
    if x > 0:
        if L in S:
            r = r + 2
    return r, COUNTS[0], COUNTS[1]


# %% arg_dict_own: (3, D), (-3, D), (4, D)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}


def program(x, d):
    COUNTS[:] = [x - x, x - x]
    r = d[K] + x
    return r, COUNTS[0], COUNTS[1]


# %% arg_key_own: (3, K), (-3, L), (4, K)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return self.n
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
D = {K: 1, L: 2}


def program(x, d):
    COUNTS[:] = [x - x, x - x]
    r = D[d] + d.n + x
    return r, COUNTS[0], COUNTS[1]


# %% arg_set_same: (3, S), (-3, S), (4, S)
COUNTS = [0, 0]
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        COUNTS[0] += 1
        return 5
    def __eq__(self, other):
        COUNTS[1] += 1
        return isinstance(other, Key) and self.n == other.n
K, L = Key(3), Key(4)
S = {K, L}


def program(x, d):
    COUNTS[:] = [x - x, x - x]
    r = len(d) + (1 if x > 0 else 2)
    return r, COUNTS[0], COUNTS[1]


# %% hash_counts_dict_get: (3, 2), (-3, 1)
CALLS = []
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        CALLS.append("h")
        return hash(self.n)
    def __eq__(self, other):
        CALLS.append("e")
        return self.n == other.n

def program(x, y):
    k = Key(3)
    d = {k: 1}
    r = 0
    if x > 0:
        r = d[k] + y
    return r, d[Key(3)]


# %% hash_counts_global: (3, 2), (-3, 1)
CALLS = []
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        CALLS.append("h")
        return hash(self.n)
    def __eq__(self, other):
        CALLS.append("e")
        return self.n == other.n
K = Key(3)
D = {K: 1}
def program(x, y):
    r = 0
    if x > 0:
        r = D[K] + y
    return r, D[Key(3)]


# %% hash_counts_plain_test: (3, 2), (-3, 1)
CALLS = []
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        CALLS.append("h")
        return hash(self.n)
    def __eq__(self, other):
        CALLS.append("e")
        return self.n == other.n
def program(x, y):
    k = Key(3)
    s = {k: 5, Key(4): 6}
    r = 0
    for i in range(3):
        if k in s and len(s) > 1:
            r = r + s[k]
    if k == Key(3):
        r += 1
    return r
