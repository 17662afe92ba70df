# %% weakvalue: (3,), (-3,)
from weakref import WeakValueDictionary
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    d = WeakValueDictionary()
    d["k"] = k
    if x > 0:
        d["k"].n = x
    return k.n

# %% weakref_write: (3,), (-3,)
import weakref
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    r = weakref.ref(k)
    if x > 0:
        r().n = x
    return k.n

# %% weakproxy_write: (3,), (-3,)
import weakref
class K:
    def __init__(self): self.n = 1
def program(x):
    k = K()
    p = weakref.proxy(k)
    if x > 0:
        p.n = x
    return k.n

# %% weakkey: (3,), (-3,)
from weakref import WeakKeyDictionary
class K: pass
def program(x):
    k = K()
    d = WeakKeyDictionary()
    d[k] = 1
    if x > 0:
        d[k] = x
    return d[k], len(d)

# %% weak_method: (3,), (-3,)
import weakref
class K:
    def __init__(self): self.n = 0
    def go(self, v): self.n += v
def program(x):
    k = K()
    m = weakref.WeakMethod(k.go)
    if x > 0:
        m()(x)
    return k.n

# %% weak_observer: (3,), (-3,)
import weakref
class Subject:
    def __init__(self): self.obs = []
    def add(self, o): self.obs.append(weakref.ref(o))
    def fire(self, v):
        for r in self.obs:
            o = r()
            if o is not None:
                o.seen.append(v)
class Obs:
    def __init__(self): self.seen = [0]
def program(x):
    s, o = Subject(), Obs()
    s.add(o)
    if x > 0:
        s.fire(x)
    return len(o.seen)

# %% weak_parent: (3,), (-3,)
import weakref
class Node:
    def __init__(self, v, parent=None):
        self.v = v
        self.total = v
        self._p = weakref.ref(parent) if parent is not None else None
    @property
    def parent(self): return self._p() if self._p is not None else None
    def add(self, k):
        self.total += k
        if self.parent is not None:
            self.parent.add(k)
def program(x):
    root = Node(1)
    leaf = Node(2, root)
    if x > 0:
        leaf.add(x)
    return root.total, leaf.total

# %% weak_global_read: (3,), (-3,)
import weakref
class K: pass
_k = K()
_k.rate = 2
R = weakref.ref(_k)
def program(x):
    return x * R().rate
def between():
    _k.rate = 9

# %% weak_proxy_read: (3,), (-3,)
import weakref
class K: pass
_k = K()
_k.rate = 2
R = weakref.proxy(_k)
def program(x):
    return x * R.rate
def between():
    _k.rate = 9

# %% weak_proxy_method: (3,), (-3,)
import weakref
class K:
    def __init__(self): self.n = 1
    def up(self, v): self.n += v
def program(x):
    k = K()
    p = weakref.proxy(k)
    if x > 0:
        p.up(x)
    return k.n

# %% weak_value_read: (3,), (-3,)
import weakref
class K: pass
_k = K()
_k.rate = 2
D = weakref.WeakValueDictionary(a=_k)
def program(x):
    return x * D["a"].rate
def between():
    _k.rate = 9

# %% weak_ref_dead: (3,), (-3,)
import weakref
class K: pass
def program(x):
    k = K()
    r = weakref.ref(k)
    if x > 0:
        k = None
    return x

# %% finalizer_ends_between_calls: (3,), (-3,)
import weakref
class K:
    pass
KEPT = K()
END = weakref.finalize(KEPT, len, "gone")
def program(x):
    return x if END.alive else -x
def between():
    END.detach()

# %% finalizer_replaced_between_calls: (3,), (-3,)
import weakref
class K:
    pass
KEPT = K()
END = weakref.finalize(KEPT, len, "gone")
def program(x):
    return x + len(END.peek()[2][0])
def between():
    global END
    END = weakref.finalize(KEPT, len, "longer")

# %% object_dropped_between_calls: (3,), (-3,)
import gc
import weakref
class A: pass
a = A()
r = weakref.ref(a)
def program(x):
    return x if r() is None else x + 1
def between():
    global a
    a = None
    gc.collect()
