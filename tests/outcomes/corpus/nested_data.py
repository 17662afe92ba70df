# %% list_of_dicts: (3,), (-3,)
def program(x):
    v = [{"n": 1}, {"n": 2}]
    if x > 0:
        v[1]["n"] = x
    return v


# %% dict_of_lists: (3,), (-3,)
def program(x):
    d = {"a": [1, 2], "b": [3]}
    if x > 0:
        d["a"][1] = x
        d["b"] = [9]
    return d


# %% dict_of_dicts: (3,), (-3,)
def program(x):
    d = {"a": {"b": {"c": 1}}}
    if x > 0:
        d["a"]["b"]["c"] = x
    return d


# %% tuple_with_list: (3,), (-3,)
def program(x):
    t = (1, [2, 3])
    if x > 0:
        t[1][0] = x
    return t


# %% object_in_object: (3,), (-3,)
class Inner:
    def __init__(self):
        self.v = 0


class Outer:
    def __init__(self):
        self.inner = Inner()
        self.list = [Inner(), Inner()]


def program(x):
    o = Outer()
    if x > 0:
        o.inner.v = x
        o.list[1].v = x + 1
    return o.inner.v, [i.v for i in o.list]


# %% mixed_in_loop: (3,), (0,)
class Inner:
    def __init__(self):
        self.v = 0


def program(n):
    d = {"o": Inner(), "l": [0, (1, [2])]}
    for i in range(n):
        d["o"].v += i
        d["l"][1][1][0] += 1
    return d["o"].v, d["l"]


# %% replaced_subtree: (3,), (-3,)
def program(x):
    d = {"a": [1, [2, 3]]}
    if x > 0:
        d["a"] = [5, [6, 7]]
    d["a"][1][0] = 0
    return d


# %% subtree_of_other_shape: (3,), (-3,)
def program(x):
    d = {"a": [1, 2]}
    if x > 0:
        d["a"] = [5]
    return len(d["a"])


# %% nested_method_chain: (3,), (-3,)
class Node:
    def __init__(self, v):
        self.v = v
        self.children = []

    def add(self, child):
        self.children.append(child)
        return self

    def bump(self, x):
        if x > self.v:
            self.v = x
        for c in self.children:
            c.bump(x)


def program(x):
    root = Node(1).add(Node(2).add(Node(5))).add(Node(0))
    root.bump(x)
    return root.v, [c.v for c in root.children], root.children[0].children[0].v


# %% bank: (30,), (300,)
class Account:
    def __init__(self, balance):
        self.balance = balance
        self.history = {"ok": 0, "no": 0}


class Bank:
    def __init__(self):
        self.accounts = {"a": Account(100), "b": Account(50)}

    def move(self, source, target, amount):
        if self.accounts[source].balance >= amount:
            self.accounts[source].balance -= amount
            self.accounts[target].balance += amount
            self.accounts[source].history["ok"] += 1
            return True
        self.accounts[source].history["no"] += 1
        return False


def program(x):
    bank = Bank()
    ok = bank.move("a", "b", x)
    again = bank.move("b", "a", 60)
    return ok, again, [a.balance for a in bank.accounts.values()], bank.accounts["a"].history


# %% inventory: (3,), (30,)
def program(x):
    stock = {"apple": {"n": 5, "price": 2}, "pear": {"n": 9, "price": 3}}
    paid = 0
    for name, item in stock.items():
        if item["n"] >= x:
            item["n"] -= x
            paid += x * item["price"]
        else:
            item["missing"] = 1
    return paid, stock["apple"]["n"], stock["pear"]["n"]


# %% particles: (1.0,), (-1.0,)
class Particle:
    def __init__(self, p, v):
        self.p = p
        self.v = v

    def step(self, dt):
        self.p += self.v * dt
        if self.p < 0 or self.p > 2:
            self.v = -self.v


def program(x):
    ps = [Particle(0.5, x), Particle(1.5, -x)]
    for _ in range(4):
        for p in ps:
            p.step(0.5)
    return [(p.p, p.v) for p in ps]


# %% particles_staged: (3,), (0,)
class Particle:
    def __init__(self, p, v):
        self.p = p
        self.v = v

    def step(self):
        self.p += self.v
        if self.p < 0 or self.p > 2:
            self.v = -self.v


def program(n):
    ps = [Particle(0, 1), Particle(1, -1)]
    for _ in range(n):
        for p in ps:
            p.step()
    return [(p.p, p.v) for p in ps]


# %% tic_tac_toe: (0, 4), (4, 4), (8, 0)
def place(board, k, who):
    r, c = k // 3, k % 3
    for i in range(3):
        for j in range(3):
            if i == r and j == c:
                if board[i][j] == 0:
                    board[i][j] = who


def program(a, b):
    board = [[0] * 3 for _ in range(3)]
    place(board, a, 1)
    place(board, b, 2)
    return board


# %% config_merge: (3,), (-3,)
def merge(a, b):
    for k, v in b.items():
        if isinstance(v, dict) and k in a:
            merge(a[k], v)
        else:
            a[k] = v


def program(x):
    a = {"n": 1, "sub": {"m": 2, "k": 0}}
    if x > 0:
        merge(a, {"n": 5, "sub": {"m": x}})
    return a


# %% flood: (3,), (1,)
def program(x):
    grid = [[0, 1, 1], [0, 0, 1], [1, 0, 0]]

    def fill(i, j):
        if 0 <= i < 3 and 0 <= j < 3 and grid[i][j] == 0:
            grid[i][j] = 7
            fill(i + 1, j)
            fill(i, j + 1)

    if x > 2:
        fill(0, 0)
    return grid


# %% transposed: (3,), (-3,)
def program(x):
    g = [[1, 2], [3, x]]
    t = [list(r) for r in zip(*g)]
    if x > 0:
        t[0][1] = 0
    return g, t
