# %% key_objects: (3,), (-3,)
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    d = {k: 1}
    if x > 0:
        for o in d:
            o.n = x
    return k.n

# %% key_tuple_objects: (3,), (-3,)
class K:
    def __init__(self): self.n = [1]
def program(x):
    k = K()
    d = {(1, k): 1}
    if x > 0:
        for _, o in d:
            o.n[0] = x
    return k.n

# %% key_objects_global_read: (3,), (-3,)
class K:
    def __init__(self): self.n = 1
D = {K(): 5}
def program(x):
    return x + sum(k.n for k in D)
def between():
    for k in D: k.n = 10

# %% set_objects: (3,), (-3,)
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    s = {k}
    if x > 0:
        for o in s:
            o.n = x
    return k.n

# %% frozenset_objects: (3,), (-3,)
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    s = frozenset([k])
    if x > 0:
        for o in s:
            o.n = x
    return k.n

# %% slice_holds: (3,), (-3,)
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    s = slice(k, None)
    if x > 0:
        s.start.n = x
    return k.n

# %% exception_holds: (3,), (-3,)
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    e = ValueError(k)
    if x > 0:
        e.args[0].n = x
    return k.n

# %% exception_attr: (3,), (-3,)
def program(x):
    e = ValueError("a")
    if x > 0:
        e.extra = x
        e.args = (1, 2)
    return len(e.args), getattr(e, "extra", 0)

# %% my_exception_attr: (3,), (-3,)
class E(Exception):
    def __init__(self, n): self.n = n
def program(x):
    e = E(1)
    if x > 0:
        e.n = x
    return e.n

# %% partial_attr: (3,), (-3,)
from functools import partial
def program(x):
    p = partial(int, 3)
    if x > 0:
        p.tag = 5
    return getattr(p, "tag", 0)

# %% exc_notes: (3,), (-3,)
def program(x):
    e = ValueError("a")
    if x > 0:
        e.add_note("n")
    return len(getattr(e, "__notes__", []))

# %% cell_object: (3,), (-3,)
import types
def program(x):
    c = types.CellType([1])
    if x > 0:
        c.cell_contents[0] = x
    return c.cell_contents

# %% cell_contents_set: (3,), (-3,)
import types
def program(x):
    c = types.CellType(1)
    if x > 0:
        c.cell_contents = x
    return c.cell_contents

# %% view_values_write: (3,), (-3,)
def program(x):
    d = {"a": [1]}
    vs = d.values()
    if x > 0:
        for v in vs:
            v[0] = x
    return d["a"]

# %% proxy_nested: (3,), (-3,)
from types import MappingProxyType
def program(x):
    p = MappingProxyType({"a": [1]})
    if x > 0:
        p["a"][0] = x
    return p["a"]

# %% mcall_user: (3,), (-3,)
import operator
class O:
    def __init__(self): self.n = 0
    def add(self, k, twice=False):
        if k > 0:
            self.n += k * 2 if twice else k
        return self.n
def program(x):
    o = O()
    f = operator.methodcaller("add", x)
    g = operator.methodcaller("add", 1, twice=True)
    return f(o), g(o), o.n

# %% mcall_map: (3,), (-3,)
import operator
class O:
    def __init__(self, n): self.n = n
    def pos(self): return self.n if self.n > 0 else 0
def program(x):
    return sum(map(operator.methodcaller("pos"), [O(x), O(1)])), max([O(x), O(1)], key=operator.methodcaller("pos")).n

# %% rand_operator_call: (3,), (-3,)
import random, operator
R = random.Random(3)
def program(x):
    return x + operator.methodcaller("randrange", 1000000)(R)

# %% attrgetter_nested: (3,), (-3,)
import operator
class O:
    def __init__(self, n): self.n = n; self.c = [n]
def program(x):
    o = O(x)
    if x > 0:
        operator.attrgetter("c")(o)[0] = 9
    return operator.attrgetter("n", "c")(o)

# %% itemgetter_write: (3,), (-3,)
import operator
def program(x):
    g = {"a": [1], "b": [2]}
    get = operator.itemgetter("a", "b")
    if x > 0:
        a, b = get(g)
        a[0] = x
    return g

# %% gen_frame_local: (3,), (-3,)
def g(row):
    yield row
    yield row
def program(x):
    row = [1]
    it = g(row)
    r = next(it)
    if x > 0:
        r[0] = x
    return next(it)[0]

# %% bound_in_slots: (3,), (-3,)
class B:
    __slots__ = ("f",)
def program(x):
    v = [1]
    b = B()
    b.f = v.append
    if x > 0:
        b.f(x)
    return v

# %% self_in_list: (3,), (-3,)
def program(x):
    a = [1]
    a.append(a)
    if x > 0:
        a[1][0] = x
    return a[0]

# %% cycle_objs: (3,), (-3,)
class N:
    def __init__(self): self.o = None; self.v = 0
def program(x):
    a, b = N(), N()
    a.o, b.o = b, a
    n = a
    for _ in range(3):
        if x > 0:
            n.v += x
        n = n.o
    return a.v, b.v

# %% str_subclass: (3,), (-3,)
class S(str): pass
def program(x):
    s = S("a")
    s.n = 1
    if x > 0:
        s.n = x
    return s.n

# %% int_subclass: (3,), (-3,)
class I(int): pass
def program(x):
    s = I(5)
    s.n = 1
    if x > 0:
        s.n = x
    return s.n + s

# %% tuple_subclass_attr: (3,), (-3,)
class T(tuple): pass
def program(x):
    t = T(([1], 2))
    t.tag = 0
    if x > 0:
        t.tag = x
        t[0][0] = x
    return t.tag, t[0]

# %% metaclass_registry: (3,), (-3,)
class Meta(type):
    reg = []
    def __init__(cls, n, b, d):
        super().__init__(n, b, d)
        Meta.reg.append(n)
class A(metaclass=Meta): pass
def program(x):
    class B(A):
        v = 1
    if x > 0:
        B.v = x
    return B.v

# %% function_attr: (3,), (-3,)
def f(): pass
f.n = 1
def program(x):
    if x > 0:
        f.n = x
    return f.n

# %% function_attr_local: (3,), (-3,)
def program(x):
    def f(v):
        f.calls += 1
        return v
    f.calls = 0
    if x > 0:
        f(x)
    f(1)
    return f.calls


# %% object_that_holds_a_chosen_list: (3,),(-3,)
import dataclasses


@dataclasses.dataclass
class Box:
    row: list


ROW = [7, 8]


def either(k, one, other):
    if k > 0:
        return one
    return other


def program(x):
    p = [1, 2]
    r = ROW
    if x <= 0:
        r = p
    return either(x + x, Box(r), Box(p))


# %% object_whose_list_was_replaced_in_a_branch: (3,),(-3,)
import dataclasses


@dataclasses.dataclass
class Box:
    row: list


ROW = [7, 8]


def either(k, one, other):
    if k > 0:
        return one
    return other


def program(x):
    p = [1, 2]
    o = Box(ROW)
    if x <= 0:
        o.row = p
    return either(x + x, o, Box(p))


# %% object_that_holds_a_chosen_new_list: (3,),(-3,)
import dataclasses


@dataclasses.dataclass
class Box:
    row: list


def either(k, one, other):
    if k > 0:
        return one
    return other


def program(x):
    r = [3, 4]
    if x <= 0:
        r = [1, 2]
    return either(x + x, Box(r), Box([5, 6]))
