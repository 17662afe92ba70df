# %% class_assigned_while_traced: (3,), (-3,)
class Idle:
    def tick(self, x): return 0
class Busy:
    def tick(self, x): return x
class M(Idle): pass
m = Idle()
def program(x):
    r = m.tick(x)
    m.__class__ = Busy
    return r + m.tick(x)
def between():
    m.__class__ = Idle


# %% class_assigned_between_calls: (3,), (-3,)
class Idle:
    def __init__(self): self.n = 1
    def tick(self, x): return self.n
class Busy(Idle):
    def tick(self, x): return x * self.n
m = Idle()
L = [m]
def program(x):
    return m.tick(x), L[0].tick(x), isinstance(m, Busy), type(m).__name__
def between():
    m.__class__ = Busy


# %% class_of_an_item_assigned_between_calls: (3,), (-3,)
class Idle:
    def tick(self, x): return 1
class Busy(Idle):
    def tick(self, x): return x
L = {"a": [Idle()]}
def program(x):
    return L["a"][0].tick(x)
def between():
    L["a"][0].__class__ = Busy


# %% class_of_an_attribute_assigned_between_calls: (3,), (-3,)
class Idle:
    def tick(self, x): return 1
class Busy(Idle):
    def tick(self, x): return x
class H:
    def __init__(self): self.s = Idle()
h = H()
def program(x):
    return h.s.tick(x)
def between():
    h.s.__class__ = Busy
