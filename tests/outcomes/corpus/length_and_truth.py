# %% length_of_stack: (3,), (-3,)
class Stack:
    def __init__(self):
        self.items = []
    def push(self, v):
        self.items.append(v)
    def __len__(self):
        return len(self.items)
def program(x):
    s = Stack()
    s.push(1)
    if x > 0:
        s.push(x)
    return len(s), len(s) + 1, s.items

# %% while_stack: (3,), (-3,)
class Stack:
    def __init__(self):
        self.items = []
    def push(self, v):
        self.items.append(v)
    def pop(self):
        return self.items.pop()
    def __len__(self):
        return len(self.items)
def program(x):
    s = Stack()
    for i in range(x):
        s.push(i * i)
    t = 0
    while s:
        t += s.pop()
    return t, len(s)

# %% truth_of_stack: (3,), (-3,)
class Stack:
    def __init__(self):
        self.items = []
    def __len__(self):
        return len(self.items)
def program(x):
    s = Stack()
    if x > 0:
        s.items.append(x)
    if s:
        return 1, bool(s), not s
    return 0, bool(s), not s

# %% truth_of_bool_method: (3,), (-3,), (0,)
class Flag:
    def __init__(self, v):
        self.v = v
    def __bool__(self):
        return self.v > 0
def program(x):
    f = Flag(x)
    r = 1 if f else 2
    if not f:
        r += 10
    return r, bool(f)

# %% truth_with_effects: (3,), (-3,)
class Asked:
    def __init__(self, v):
        self.v = v
        self.times = 0
    def __bool__(self):
        self.times += 1
        return bool(self.v > 0)
def program(x):
    a = Asked(x)
    r = 0
    if a:
        r = 1
    while not a:
        a.v += 2
    return r, a.times, bool(a), a.times

# %% length_of_known_size: (3,), (-3,)
class Pair:
    def __len__(self):
        return 2
def program(x):
    p = Pair()
    return len(p) * x, bool(p), [0] * len(p)

# %% length_negative: (3,), (-3,)
class Odd:
    def __len__(self):
        return -1
def program(x):
    return len(Odd()) + x

# %% truth_no_bool: (3,), (-3,)
class Odd:
    def __bool__(self):
        return 1
def program(x):
    if Odd():
        x += 1
    return x

# %% length_no_int: (3,), (-3,)
class Odd:
    def __len__(self):
        return "a"
def program(x):
    return len(Odd()) + x

# %% length_inherited: (3,), (-3,)
class Base:
    def __init__(self):
        self.data = []
    def __len__(self):
        return len(self.data)
class Bag(Base):
    def add(self, v):
        if v > 0:
            self.data.append(v)
        return self
def program(x):
    b = Bag().add(x).add(1).add(-x)
    n = 0
    for i in range(len(b)):
        n += b.data[i]
    return n, len(b)

# %% operands_of_objects: (3,), (-3,)
class Stack:
    def __init__(self):
        self.items = [1]
    def __len__(self):
        return len(self.items)
def program(x):
    s = Stack()
    n = 0
    while s and n < 5:
        s.items.pop()
        if x > n:
            s.items.append(x)
        n += 1
    return n, len(s)

# %% operands_of_stack: (3,), (-3,), (1,)
class Stack:
    def __init__(self):
        self.items = []
    def __len__(self):
        return len(self.items)
def program(x):
    s, n = Stack(), 0
    for i in range(4):
        while s and s.items[-1] < x:
            n += s.items.pop()
        if x > i:
            s.items.append(i)
        if not (x > 2 and s) or x < 0:
            n += 100
        if x > 1 or s and s.items[0] > 0:
            n += 1000
    return n, len(s), bool(s and x > 0), [v for v in (1, 2) if v > 1 or s]

# %% operands_with_bool: (3,), (-3,), (1,)
class Bag:
    def __init__(self):
        self.items = []
    def __bool__(self):
        return len(self.items) > 0
def program(x):
    bag = Bag()
    if x > 0:
        bag.items.append(x)
    n = 0
    if x > 2 and bag:
        n += 1
    if bag and x > 2:
        n += 10
    if x > 2 or bag:
        n += 100
    return n, 1 if bag or x < -5 else 2
