# %% reflected_direct: (3,), (-3,), (2,)
class Item:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return isinstance(other, Item) and self.n == other.n
    def __lt__(self, other):
        return self.n < other.n
class Loose(Item):
    def __eq__(self, other):
        return self.n == other
    def __gt__(self, other):
        return self.n > 100
def program(x):
    i, o = Item(x), Loose(2)
    return i == o, o == i, i != o, o != i, i < o, o > i, (i, 1) == (o, 1), o in [i], i in [o], [i].count(o) if x is None else 0, (o, 1) == (i, 1), [i] == [o], [o] != [i]


# %% reflected_branch: (3,), (-3,), (2,)
class Item:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return isinstance(other, Item) and self.n == other.n
class Loose(Item):
    def __eq__(self, other):
        return self.n == other
def program(x):
    i, o = Item(x), Loose(2)
    r = 0
    if i == o:
        r = 1
    if (i, 1) == (o, 1):
        r += 10
    while o in [i, Item(2)] and r < 50:
        r += 7
    return r


# %% reflected_loop: (3, 2), (-3, 1), (2, 3)
class Item:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return isinstance(other, Item) and self.n == other.n
class Loose(Item):
    def __eq__(self, other):
        return self.n == other
def program(x, n):
    rows = [Item(1), Item(2)]
    o = Loose(2)
    k = 0
    while k < n and (rows[1], 1) == (o, 1):
        k += 1
        rows[0].n = x
        if x > 0:
            o = rows[1]
    return k, rows[0].n, o.n, o in rows


# %% reflected_not_implemented: (3, 2), (-3, 1), (2, 3)
class A:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        if isinstance(other, B):
            return NotImplemented
        return self.n == other.n
class B:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return self.n + 1 == other.n
def program(x, n):
    a = A(n)
    b = A(2)
    if x > 0:
        b = B(2)
    return a == b, b == a, a != b
