# %% object_of_a_loop_kept_by_a_decided_if: (3,), (-3,)
class Base:
    def __init__(self, k): self.log = []
class Kid(Base): pass
def program(x):
    o = Base(x)
    ys = []
    for ob in [o, Kid(2)]:
        if x > 0:
            o = ob
    if x in ys:
        o = ob
    return o.log


# %% object_kept_by_a_decided_if: (3,), (-3,)
class Base:
    def __init__(self, k): self.log = []
class Kid(Base): pass
def program(x):
    o = Base(x)
    ys = []
    if x > 0:
        o = Kid(2)
    if x in ys:
        o = Kid(1)
    return o.log


# %% shared_object_kept_by_a_decided_if: (3,), (-3,)
class Base:
    def __init__(self, k): self.k = k
class Kid(Base): pass
def program(x):
    o = p = Base(x)
    q = Kid(2)
    if x > 0:
        o = p
    if x > 1:
        o = q
    if x in []:
        o = q
    return o.k


# %% list_of_objects: (3,), (-3,)
class Base:
    def __init__(self, k): self.k = k
def program(x):
    o = Base(x)
    l = []
    if x not in []:
        l = [o, Base(1)]
    return l[0].k + l[1].k


# %% tuple_and_dict_of_objects: (3,), (-3,)
class Base:
    def __init__(self, k): self.k = k
def program(x):
    o = Base(x)
    l = []
    if x not in []:
        l = (o, Base(1))
        d = {"o": o, "l": [o]}
    return l[0].k + l[1].k, d["o"].k, d["l"][0].k


# %% attributes_that_are_objects: (3,), (-3,)
class Base:
    def __init__(self, k): self.k = k
def program(x):
    o = Base(x)
    p = Base(5)
    if x not in []:
        p.o = o
        p.l = [o]
        q = Base(o)
    return p.o.k, p.l[0].k, q.k.k, q.k is o, p.o is o


# %% a_chosen_object_in_lists: (3,), (-3,)
class Base:
    def __init__(self, k): self.k = k
def program(x):
    o = Base(x)
    p = Base(5)
    r = []
    c = o if x > 1 else p
    if x not in []:
        r.append(c)
        q = [c]
        p.c = c
    return r[0].k, q[0].k, p.c.k


# %% decided_loops: (3,), (-3,)
class Base:
    def __init__(self, k): self.k = k
def program(x):
    o = Base(x)
    p = Base(5)
    i = 0
    while x in []:
        i += 1
        o = p
    while True:
        i += 1
        if x not in []:
            q = [o, p]
            break
    return o.k, i, q[0].k, q[1].k


# %% an_object_that_contains_itself: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class N:
    v: object
    nxt: object = None
def program(x):
    n = N(x)
    n.nxt = n
    if x not in []:
        n.v = x + 1
        m = n
        q = [n]
    return n.v, n.nxt.nxt.v, m is n, q[0].v
