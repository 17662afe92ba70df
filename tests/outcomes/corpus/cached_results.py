# %% lru_cache_list_result: (3,), (-3,)
from functools import lru_cache
@lru_cache
def table(n):
    return [0] * n
def program(x):
    t = table(3)
    if x > 0:
        t[0] = x
    return table(3)[0] + 0, t is table(3)

# %% lru_config_changed: (3,), (-3,)
from functools import lru_cache
@lru_cache
def config():
    return {"rate": 2}
def program(x):
    return x * config()["rate"]
def between():
    config()["rate"] = 5

# %% lru_config_changed_unbounded: (3,), (-3,)
from functools import cache
@cache
def config():
    return {"rate": [2]}
def program(x):
    return x * config()["rate"][0] if x > 0 else x
def between():
    config()["rate"][0] = 5

# %% lru_object_attr: (3,), (-3,)
from functools import lru_cache
class C:
    def __init__(self): self.n = 1
@lru_cache
def get():
    return C()
get()
def program(x):
    c = get()
    if x > 0:
        c.n = x
    return c.n

# %% lru_object_attr_new: (3,), (-3,)
from functools import lru_cache
class C:
    def __init__(self): self.n = 1
@lru_cache
def get():
    return C()
def program(x):
    c = get()
    if x > 0:
        c.n = x
    return c.n

# %% lru_list_before: (-3,), (3,), (-4,)
from functools import lru_cache
@lru_cache
def table(n):
    return [0] * n
table(3)
def program(x):
    t = table(3)
    if x > 0:
        t[0] = x
    return table(3)[0] + 0, t is table(3)

# %% lru_method_list: (-3,), (3,)
from functools import lru_cache
class S:
    @lru_cache(maxsize=2)
    def rows(self): return [[1], [2]]
B = S()
B.rows()
def program(x):
    for r in B.rows():
        if x > 0:
            r[0] += x
    return B.rows()

# %% lru_attr_on_function: (3,), (-3,)
from functools import lru_cache
@lru_cache
def f(n): return n * 2
f.tag = 1
def program(x):
    if x > 0:
        f.tag = 5
    return f(2) + f.tag

# %% cached_property_del: (3,), (-3,)
from functools import cached_property
class C:
    def __init__(self, v): self.v = v
    @cached_property
    def p(self):
        return self.v * 2
def program(x):
    c = C(x)
    a = c.p
    if x > 0:
        c.v = 10
        del c.p
    return a, c.p

# %% cached_prop_del2: (3,), (-3,)
from functools import cached_property
class C:
    def __init__(self, v): self.v = v
    @cached_property
    def p(self):
        return self.v * 2
def program(x):
    c = C(x)
    a = c.p
    if x > 0:
        del c.p
    return a

# %% cached_prop_del_read: (3,), (-3,)
from functools import cached_property
class C:
    def __init__(self, v): self.v = v
    @cached_property
    def p(self):
        return self.v * 2
def program(x):
    c = C(x)
    a = c.p
    if x > 0:
        c.v = 10
        del c.p
    return a, c.p

# %% method_shadowed: (3,), (-3,)
class O:
    def go(self): return 1
def program(x):
    o = O()
    if x > 0:
        o.go = lambda: 5
    return o.go()

# %% method_shadowed_number: (3,), (-3,)
class O:
    def size(self): return 1
def program(x):
    o = O()
    if x > 0:
        o.size = x
    return o.size if isinstance(o.size, int) else 2

# %% method_replaced_both: (3,), (-3,)
class O:
    def go(self): return 1
def program(x):
    o = O()
    o.go = lambda: 2
    if x > 0:
        o.go = lambda: 5
    return o.go()

# %% strategy_attr: (3,), (-3,)
class O:
    def __init__(self): self.f = abs
    def run(self, v): return self.f(v)
def program(x):
    o = O()
    if x > 0:
        o.f = lambda v: v * 10
    return o.run(x)

# %% cached_property_before: (3,), (-3,)
from functools import cached_property
class C:
    def __init__(self, v): self.v = v; self.n = 0
    @cached_property
    def p(self):
        self.n += 1
        return self.v * 2
def program(x):
    c = C(x)
    a = c.p
    if x > 0:
        a = a + c.p
    return a, c.n

# %% singledispatchmethod: (3,), (-3,)
from functools import singledispatchmethod
class F:
    def __init__(self): self.n = 0
    @singledispatchmethod
    def go(self, v): self.n += 100
    @go.register
    def _(self, v: list): self.n += len(v)
    @go.register
    def _(self, v: str): self.n += 1000
def program(x):
    f = F()
    f.go([1, 2])
    if x > 0:
        f.go("s")
    return f.n

# %% sd_new_type_in_branch: (3,), (-3,)
from functools import singledispatch
@singledispatch
def size(v): return 0
@size.register
def _(v: list): return len(v)
@size.register
def _(v: str): return 100
def program(x):
    y = size([1, 2])
    if x > 0:
        y += size("a")
    return y

# %% sd_state_in_method: (3,), (-3,)
from functools import singledispatch
LOG = [0]
@singledispatch
def note(v, k): LOG[0] += 1
@note.register
def _(v: list, k):
    v[0] = k
def program(x):
    row = [1]
    if x > 0:
        note(row, x)
    return row

# %% sd_global_read: (3,), (-3,)
from functools import singledispatch
RATE = 2
@singledispatch
def scale(v, x): return x
@scale.register
def _(v: list, x): return x * RATE
def program(x):
    return scale([], x)
def between():
    global RATE
    RATE = 7

# %% sd_registered_between: (3,), (-3,)
from functools import singledispatch
@singledispatch
def size(v): return 0
def program(x):
    return x + size([1])
def between():
    size.register(list, len)
