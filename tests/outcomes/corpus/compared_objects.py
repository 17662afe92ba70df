# %% dc_eq: (3,), (-3,)
from dataclasses import dataclass, field
@dataclass
class V:
    a: int
    b: int
    note: str = field(default="", compare=False)
def program(x):
    p, q = V(x, 1), V(3, 1, "q")
    if p == q:
        return 1
    return 0

# %% dc_in: (3,), (-3,)
from dataclasses import dataclass, field
@dataclass
class V:
    a: int
    b: int
def program(x):
    vs = [V(1, 1), V(3, 1)]
    if V(x, 1) in vs:
        return 1
    return 0

# %% dc_order: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass(order=True)
class V:
    a: int
    b: int
def program(x):
    p, q = V(x, 1), V(2, 5)
    return (p < q), (p >= q), max(p, q).b, min([p, q]).b

# %% dc_order_sorted: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass(order=True)
class V:
    a: int
    b: int
def program(x):
    vs = sorted([V(x, 1), V(2, 5), V(0, 7)])
    return [v.b for v in vs]

# %% dc_ne: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass
class V:
    a: int
def program(x):
    return V(x) != V(3)

# %% dc_frozen_hash: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass(frozen=True)
class V:
    a: int
def program(x):
    d = {V(1): 1, V(2): 2}
    return d[V(1)] + x, V(1) == V(1), hash(V(1)) == hash(V(1))

# %% dc_inherit: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass
class A:
    a: int
@dataclass
class B(A):
    b: int = 2
class C(A):
    pass
def program(x):
    return B(x) == B(3), C(x) == C(3), A(x) == C(x), A(3) == B(3, 2)

# %% dc_own_eq: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass
class A:
    a: int
    def __eq__(self, other):
        return self.a + 1 == other.a
def program(x):
    return A(x) == A(4)

# %% dc_empty: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass(order=True)
class A:
    pass
def program(x):
    return A() == A(), A() < A(), x

# %% dc_list_field: (3,), (-3,), (2,)
from dataclasses import dataclass
@dataclass
class A:
    a: list
def program(x):
    return A([x, 1]) == A([3, 1]), A([x]) == A([x, 1])

# %% dc_best: ((3, 1, 2),), ((0, 0, 9),)
from dataclasses import dataclass
@dataclass(order=True)
class Item:
    cost: int
    key: int
def program(xs):
    best = Item(100, -1)
    for i, x in enumerate(xs):
        it = Item(x, i)
        if it < best:
            best = it
    return best.cost, best.key

# %% dc_heap: ((3, 1, 2),), ((0, 0, 9),)
from dataclasses import dataclass
import heapq
@dataclass(order=True)
class Item:
    cost: int
    key: int
def program(xs):
    h = []
    for i in range(3):
        heapq.heappush(h, Item(xs[i], i))
    return [heapq.heappop(h).key for _ in range(3)]

# %% own_in: (3,), (-3,)
class V:
    def __init__(self, a):
        self.a = a
    def __eq__(self, other):
        return self.a == other.a
def program(x):
    vs = [V(1), V(3)]
    if V(x) in vs:
        return 1
    return 0

# %% own_in2: (3,), (-3,)
class V:
    def __init__(self, a):
        self.a = a
    def __eq__(self, other):
        return self.a == other.a
def program(x):
    vs = [V(1), V(3)]
    v = vs[1]
    return v in vs, V(1) in vs, V(9) in vs, V(9) not in vs, x in [1, 2]

# %% own_index: (3,), (1,)
class V:
    def __init__(self, a):
        self.a = a
    def __eq__(self, other):
        return self.a == other.a
def program(x):
    vs = [V(1), V(3)]
    return vs.index(V(x)), vs.count(V(x))

