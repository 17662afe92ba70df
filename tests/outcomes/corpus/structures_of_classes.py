# %% dict_that_counts_updates: (3,), (-3,)
class Counting(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.writes = 0
    def update(self, *a, **k):
        self.writes += 1000
        super().update(*a, **k)
def program(x):
    d = Counting(a=1)
    d["b"] = x
    if x > 0:
        d["a"] = x
    return d


# %% dict_that_counts_writes: (3,), (-3,)
class Counting(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.writes = 0
    def __setitem__(self, k, v):
        self.writes += 1
        super().__setitem__(k, v)
def program(x):
    d = Counting(a=1)
    d["b"] = x
    if x > 0:
        d["a"] = x
    return d


# %% dict_with_own_methods_as_argument: (Counting(a=1), 3), (Counting(a=1), -3)
class Counting(dict):
    writes = 0
    def __setitem__(self, k, v):
        self.writes += 1
        super().__setitem__(k, v)
    def clear(self):
        self.writes += 100
        super().clear()
    def update(self, *a, **k):
        self.writes += 1000
        super().update(*a, **k)
def program(d, x):
    y = d["a"] + x
    return y, d.writes, d


# %% own_defaultdict_as_argument: (T(T, a=1), 3), (T(T, a=1), -3)
from collections import defaultdict
class T(defaultdict):
    def __init__(self, f=None, **k): super().__init__(T, **k)
def program(d, x):
    return d["a"] + x, len(d), d


# %% own_defaultdict_returned: (3,), (-3,)
from collections import defaultdict
class T(defaultdict):
    def __init__(self): super().__init__(T)
def program(x):
    t = T()
    t["a"]["b"] = x
    return t


# %% argument_whose_items_are_attributes: (E(a=1), 3), (E(a=1), -3)
class E(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.__dict__ = self
def program(d, x):
    d.a = d.a + x
    return d, d.a, d["a"]


# %% items_are_attributes_returned: (3,), (-3,)
class E(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.__dict__ = self
def program(x):
    e = E(a=x)
    e.b = x + 1
    if x > 0:
        e.b = x + 5
    return e


# %% items_are_attributes_in_a_branch: (3,), (-3,)
class E(dict):
    def __init__(self, *a, **k):
        super().__init__(*a, **k)
        self.__dict__ = self
def program(x):
    e = E(a=x, n=E(z=1))
    if x > 0:
        e.n.z = x + 5
        e["a"] = 0
    return e.a, e["n"]["z"], e


# %% own_ordered_dict: (3,), (-3,)
from collections import OrderedDict
class O(OrderedDict):
    def __setitem__(self, k, v):
        if k in self: del self[k]
        super().__setitem__(k, v)
def program(x):
    o = O(a=1, b=2)
    o["a"] = x
    return o, list(o)


# %% named_tuple_with_own_new: (3,), (-3,)
from collections import namedtuple
class P(namedtuple("P", "x y")):
    def __new__(cls, x, y=2):
        return super().__new__(cls, x * 2, y)
def program(x):
    p = P(x)
    if x > 0:
        p = P(x + 1)
    return p, p.x


# %% dict_with_an_attribute_as_argument: (C(a=1), 3), (C(a=2), 3)
class C(dict):
    def __init__(self, **k):
        super().__init__(**k)
        self.tag = 10
def program(d, x):
    return d["a"] + x + d.tag


# %% dict_with_an_attribute_returned: (3,), (-3,)
class C(dict): pass
def program(x):
    c = C(a=x)
    c.total = x * 2
    return c


# %% attribute_besides_fields_returned: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class D:
    a: object
def program(x):
    d = D(x)
    d.extra = x * 2
    return d


# %% attributes_made_after_init: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class D:
    a: object
    def __post_init__(self):
        self.extra = self.a * 2
def program(x):
    return [D(x), D(x + 1)]


# %% attribute_besides_fields_in_a_branch: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class D:
    a: object
    def __post_init__(self):
        self.extra = self.a * 2
def program(x):
    d = D(x)
    if x > 0:
        d = D(x + 1)
    return d.extra + d.a


# %% attribute_besides_fields_in_a_loop: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class D:
    a: object
    def __post_init__(self):
        self.extra = self.a * 2
def program(x):
    d = D(x)
    while d.a < 6:
        d = D(d.a + 1)
    return d.extra + d.a


# %% dict_with_an_attribute_in_a_branch: (3,), (-3,)
class C(dict):
    def __init__(self, **k):
        super().__init__(**k)
        self.t = sum(self.values())
def program(x):
    d = C(a=x)
    if x > 0:
        d = C(a=x + 1)
    return d.t + d["a"]


# %% dict_argument_that_is_written: (C(a=1), 3), (C(a=1), -3)
class C(dict):
    n = 0
    def __setitem__(self, k, v):
        super().__setitem__(k, v)
        self.n += 1
def program(d, x):
    d["a"] = x
    return d.n + x


# %% dataclass_argument_that_is_written: (D(1), 3), (D(1), -3)
from dataclasses import dataclass
@dataclass
class D:
    a: int
def program(d, x):
    d.a += x
    return d.a


# %% list_put_into_a_dataclass_argument: (D(1), 3), (D(1), -3)
from dataclasses import dataclass
@dataclass
class D:
    a: int
    b: list = None
def program(d, x):
    d.b = [x]
    if x > 0:
        d.a += x
    return d.a


# %% cached_property_in_a_loop: (3,), (-3,)
from dataclasses import dataclass
from functools import cached_property
@dataclass
class D:
    a: int
    @cached_property
    def twice(self): return self.a * 2
def program(x):
    d = D(x)
    t = 0
    while d.a < 6:
        t += d.twice
        d = D(d.a + 1)
    return t, d.twice


# %% python_values_besides_fields: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class D:
    a: object
    def __post_init__(self):
        self.name = "d"
        self.log = [1]
        self.cb = len
def program(x):
    d = D(x)
    if x > 0:
        d = D(x + 1)
        d.log.append(2)
    return d.a, d.name, d.log, d.cb([1])


# %% attribute_made_in_a_branch: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class D:
    a: object
def program(x):
    d = D(x)
    if x > 0:
        d.extra = x * 2
    return d.a, getattr(d, "extra", 0), hasattr(d, "extra")


# %% objects_that_refer_back: (3,), (-3,)
from dataclasses import dataclass, field
@dataclass
class N:
    v: object
    kids: list = field(default_factory=list)
    def __post_init__(self):
        for k in self.kids:
            k.parent = self
def program(x):
    leaf = N(x)
    root = N(1, [leaf])
    if x > 0:
        leaf.v = 7
    return leaf.parent.v + root.kids[0].v


# %% named_tuple_with_an_attribute: (3,), (-3,)
from collections import namedtuple
class P(namedtuple("P", "x y")):
    @property
    def s(self): return self.x + self.y
    def __add__(self, o): return P(self.x + o[0], self.y + o[1])
def program(x):
    p = P(x, 1)
    p.note = x * 2
    if x > 0:
        p = p + (1, 1)
    return p.s, getattr(p, "note", -1)


# %% named_tuple_with_an_attribute_returned: (3,), (-3,)
from collections import namedtuple
class P(namedtuple("P", "x y")):
    pass
def program(x):
    p = P(x, 1)
    p.note = x * 2
    return p


# %% dict_with_another_attribute_after_a_loop: (3,), (0,)
class C(dict):
    def __init__(self, n, **k):
        super().__init__(**k)
        self.n = n
def program(x):
    c = C(1, a=x)
    i = 0
    while i < x:
        c = C(2, a=c["a"] + 1)
        i += 1
    return c.n, c["a"]


# %% dict_with_another_attribute_in_a_branch: (3,), (-3,)
class C(dict):
    def __init__(self, n, **k):
        super().__init__(**k)
        self.n = n
def program(x):
    c = C(1, a=x)
    if x > 0:
        c = C(2, a=x + 1)
    return c.n, c["a"]


# %% default_factories_that_differ: (3,), (-3,)
from collections import defaultdict
def program(x):
    if x > 0:
        d = defaultdict(int, a=x)
    else:
        d = defaultdict(lambda: 7, a=x)
    return d["a"], d["q"]


# %% default_factories_that_are_one: (3,), (-3,)
from collections import defaultdict
def program(x):
    if x > 0:
        d = defaultdict(int, a=x, q=1)
    else:
        d = defaultdict(int, a=-x, q=2)
    d["q"] += 1
    return d["a"], d["q"]


# %% named_tuple_with_a_python_attribute: (3,), (-3,)
from collections import namedtuple
class P(namedtuple("P", "x y")):
    def __init__(self, x, y):
        self.name = "p"
def program(x):
    p = P(x, 1)
    if x > 0:
        p = P(x + 1, 2)
    return p.x, p.name, p


# %% dict_with_the_same_attribute_in_a_branch: (3,), (-3,)
class C(dict):
    def __init__(self, **k):
        super().__init__(**k)
        self.n = 5
def program(x):
    c = C(a=x)
    if x > 0:
        c = C(a=x + 1)
    return c.n, c["a"], c
