# %% new_or_old: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    if x > 0:
        a = Box(2)
    return a.v

# %% new_or_old_argument: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
B = Box(1)

def program(x):
    a = B
    if x > 0:
        a = Box(2)
    return a.v

# %% new_or_old_tensor: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(x)
    if x > 0:
        a = Box(x + 1)
    return a.v

# %% new_in_both: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    if x > 0:
        a = Box(x + 1)
    else:
        a = Box(x - 1)
    return a.v

# %% new_in_both_method: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
    def double(self):
        return self.v * 2

def program(x):
    if x > 0:
        a = Box(x + 1)
    else:
        a = Box(x - 1)
    return a.double()

# %% new_in_both_returned: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def make(x):
    if x > 0:
        return Box(x + 1)
    return Box(x - 1)

def program(x):
    return make(x).v

# %% new_or_old_then_written: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    a.v = 7
    return a.v, old.v

# %% new_or_old_method: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
    def grow(self, n):
        return Box(self.v + n)

def program(x):
    a = Box(1)
    if x > 0:
        a = a.grow(x)
    a = a.grow(1)
    return a.v

# %% vector: (3,), (-3,)
class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

def program(x):
    a = Vector(x, 1)
    if x > 0:
        a = a + Vector(1, 2)
    return a.x, a.y

# %% vector_loop: (3,), (-3,)
class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

def program(x):
    a = Vector(x, 1)
    for i in range(3):
        if x > i:
            a = a + Vector(1, i)
    return a.x, a.y

# %% vector_staged_loop: (3,), (-3,)
class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

def program(x):
    a = Vector(x, 1)
    while x > 0:
        a = a + Vector(1, 2)
        x -= 1
    return a.x, a.y

# %% best_object: (3,), (-3,)
class Candidate:
    def __init__(self, score, name):
        self.score = score
        self.name = name

def program(x):
    best = Candidate(0, 0)
    for i in range(3):
        c = Candidate(x * i, i)
        if c.score > best.score:
            best = c
    return best.score, best.name

# %% old_objects: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a, b = Box(1), Box(2)
    if x > 0:
        a, b = b, a
    return a.v, b.v

# %% old_objects_swapped_written: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a, b = Box(1), Box(2)
    if x > 0:
        a, b = b, a
    a.v = 9
    return a.v, b.v

# %% dataclass_new_old: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int

def program(x):
    p = P(1, 2)
    if x > 0:
        p = P(x, x)
    return p.x, p.y

# %% dataclass_replace: (3,), (-3,)
from dataclasses import dataclass, replace
@dataclass(frozen=True)
class P:
    x: int
    y: int

def program(x):
    p = P(1, 2)
    if x > 0:
        p = replace(p, x=x)
    return p

# %% slots: (3,), (-3,)
class Box:
    __slots__ = ("v",)
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    if x > 0:
        a = Box(2)
    return a.v

# %% different_attributes: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    if x > 0:
        a = Box(2)
        a.extra = 1
    return a.v

# %% nested_objects: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b

def program(x):
    p = Pair(Box(1), 5)
    if x > 0:
        p = Pair(Box(x), 6)
    return p.a.v, p.b

# %% list_attribute: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    p = Box([1, 2])
    if x > 0:
        p = Box([3, x])
    p.v[0] = 8
    return p.v

# %% aliased_old_written: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
G = Box(1)

def program(x):
    a = G
    if x > 0:
        a = Box(2)
    a.v = x
    return G.v + 0

# %% identity_asked: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    return 1 if a is old else 2

# %% conditional_expression: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = Box(2) if x > 0 else old
    return a.v

# %% two_old_one_new: (3,), (-3,), (30,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a, b = Box(1), Box(2)
    if x > 10:
        c = a
    elif x > 0:
        c = b
    else:
        c = Box(x)
    return c.v

# %% attribute_of_object: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
class Owner:
    def __init__(self):
        self.box = Box(1)

def program(x):
    o = Owner()
    if x > 0:
        o.box = Box(x)
    return o.box.v

# %% item_of_list: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    o = [Box(1), Box(2)]
    if x > 0:
        o[0] = Box(x)
    return o[0].v

# %% state_machine: (3,), (-3,)
class State:
    def __init__(self, n, total):
        self.n = n
        self.total = total
    def step(self, v):
        return State(self.n + 1, self.total + v)

def program(x):
    s = State(0, 0)
    for i in range(4):
        if x > i:
            s = s.step(x)
    return s.n, s.total

# %% changed_in_branch_then_named: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a, b, c = Box(1), Box(2), Box(3)
    if x > 0:
        c = b
        c.v = 5
    return a.v, b.v, c.v

# %% changed_in_branch_new: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a, b, c = Box(1), Box(2), Box(3)
    if x > 0:
        b.v = 9
        c = Box(4)
    else:
        c = b
        c.v = 5
    return a.v, b.v, c.v

# %% other_changed_after: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    old.v = 7
    return a.v

# %% other_changed_in_helper: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
    def set(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    old.set(7)
    return a.v

# %% other_changed_in_branch: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    if x > 1:
        old.v = 7
    return a.v

# %% changed_in_loop: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    while x > 0:
        a.v = a.v + 1
        x -= 1
    return a.v, old.v

# %% new_kept_in_list: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    kept = [None]
    if x > 0:
        a = Box(1)
        kept[0] = a
    else:
        a = Box(2)
        kept[0] = a
    a.v = 9
    return kept[0].v, a.v

# %% new_kept_in_object: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
class Owner:
    def __init__(self):
        self.box = None

def program(x):
    o = Owner()
    if x > 0:
        a = Box(1)
        o.box = a
    else:
        a = Box(2)
        o.box = a
    a.v = 9
    return o.box.v, a.v

# %% new_two_names: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    if x > 0:
        a = b = Box(1)
    else:
        a = Box(2)
        b = Box(3)
    a.v = 9
    return a.v, b.v

# %% new_two_names_same: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    if x > 0:
        a = b = Box(1)
    else:
        a = b = Box(2)
    a.v = 9
    return a.v, b.v

# %% equality_identity: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    return 1 if a == old else 2

# %% equality_in_list: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    others = [old]
    a = old
    if x > 0:
        a = Box(2)
    return 1 if a in others else 2

# %% equality_defined: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
    def __eq__(self, other):
        return self.v == other.v
    def __hash__(self):
        return 1

def program(x):
    old = Box(1)
    a = old
    if x > 0:
        a = Box(2)
    return 1 if a == old else 2

# %% class_asked: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    if x > 0:
        a = Box(2)
    return 1 if type(a) is Box else 2

# %% class_asked_eq: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    if x > 0:
        a = Box(2)
    return 1 if type(a) == Box else 2

# %% isinstance_asked: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    if x > 0:
        a = Box(2)
    return 1 if isinstance(a, Box) else 2

# %% key_of_dict: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    old = Box(1)
    d = {old: 4}
    a = old
    if x > 0:
        a = Box(2)
    return d.get(a, 0)

# %% kept_outside: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
KEPT = [Box(0)]

def program(x):
    a = KEPT[0]
    if x > 0:
        a = Box(2)
    KEPT[0] = a
    return a.v

# %% outside_attribute: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v
class Holder:
    box = Box(0)
H = Holder()

def program(x):
    if x > 0:
        H.box = Box(x)
    return H.box.v

# %% list_shared: (3,), (-3,)
class Box:
    def __init__(self, row, v):
        self.row = row
        self.v = v

def program(x):
    row = [1, 2]
    a = Box(row, 1)
    if x > 0:
        a = Box(row, 2)
    a.row[0] = 8
    return row, a.v, a.row

# %% with_property: (3,), (-3,)
class Box:
    def __init__(self, v):
        self._v = v
    @property
    def v(self):
        return self._v * 2
    def grow(self):
        return Box(self._v + 1)

def program(x):
    a = Box(1)
    for i in range(3):
        if a.v < x:
            a = a.grow()
    return a.v

# %% inheritance: (3,), (-3,)
class Base:
    def __init__(self, v):
        self.v = v
    def value(self):
        return self.v
class Derived(Base):
    def __init__(self, v, w):
        super().__init__(v)
        self.w = w
    def value(self):
        return super().value() + self.w

def program(x):
    a = Derived(1, 2)
    if x > 0:
        a = Derived(x, 3)
    return a.value()

# %% classes_differ: (3,), (-3,)
class A:
    def __init__(self, v):
        self.v = v
class B:
    def __init__(self, v):
        self.v = v

def program(x):
    a = A(1)
    if x > 0:
        a = B(2)
    return a.v

# %% dtype_differ: (3,), (-3,)
class A:
    def __init__(self, v):
        self.v = v

def program(x):
    a = A("one")
    if x > 0:
        a = A(2)
    return a.v

# %% none_attribute: (3,), (-3,)
class A:
    def __init__(self, v):
        self.v = v
        self.next = None

def program(x):
    a = A(1)
    if x > 0:
        a = A(2)
    return a.v if a.next is None else 0

# %% linked_list: (3,), (-3,)
class Node:
    def __init__(self, v, next):
        self.v = v
        self.next = next

def program(x):
    head = None
    for i in range(3):
        if x > i:
            head = Node(i, head)
    total = 0
    while head is not None:
        total += head.v
        head = head.next
    return total

# %% method_changes_self: (3,), (-3,)
class Counter:
    def __init__(self, n):
        self.n = n
    def add(self, k):
        self.n += k
        return self

def program(x):
    a = Counter(1)
    if x > 0:
        a = Counter(5)
    a.add(2)
    return a.n

# %% new_in_both_then_changed: (3,), (-3,)
class Counter:
    def __init__(self, n):
        self.n = n
    def add(self, k):
        self.n += k
        return self

def program(x):
    if x > 0:
        a = Counter(5)
    else:
        a = Counter(x)
    a.add(2)
    if x > 1:
        a.add(3)
    return a.n

# %% in_loop_changed: (3,), (-3,), (5,)
class Counter:
    def __init__(self, n):
        self.n = n

def program(x):
    a = Counter(0)
    first = a
    i = 0
    while i < x:
        a.n += 1
        if i == 2:
            a = Counter(10)
        i += 1
    return a.n, first.n

# %% returned_from_loop: (3,), (-3,), (5,)
class Hit:
    def __init__(self, i, v):
        self.i = i
        self.v = v

def find(x):
    for i in range(6):
        if x == i:
            return Hit(i, x * 10)
    return Hit(-1, 0)

def program(x):
    h = find(x)
    return h.i, h.v

# %% iterated_objects: (3,), (-3,), (5,)
class P:
    def __init__(self, w):
        self.w = w

def program(x):
    items = [P(1), P(4), P(2)]
    best = items[0]
    for p in items:
        if p.w * x > best.w * x:
            best = p
    best.w = 100
    return [p.w for p in items]

# %% cached_property_in_it: (3,), (-3,)
from functools import cached_property
class P:
    def __init__(self, w):
        self.w = w
    @cached_property
    def double(self):
        return self.w * 2

def program(x):
    a = P(1)
    y = a.double
    if x > 0:
        a = P(x)
    return a.double + y

# %% own_getattr: (3,), (-3,)
class P:
    def __init__(self, w):
        self.w = w
    def __getattr__(self, name):
        return 5

def program(x):
    a = P(1)
    if x > 0:
        a = P(x)
        a.extra = 6
    return a.w + a.extra

# %% own_setattr: (3,), (-3,)
LOG = []
class P:
    def __init__(self, w):
        self.w = w
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

def program(x):
    a = P(1)
    if x > 0:
        a = P(x)
    return a.w

# %% context_or_call: (3,), (-3,)
class P:
    def __init__(self, w):
        self.w = w
    def __call__(self, k):
        return self.w * k
    def __len__(self):
        return 3

def program(x):
    a = P(1)
    if x > 0:
        a = P(x)
    return a(2) + len(a)

# %% compare_methods: (3,), (-3,)
class P:
    def __init__(self, w):
        self.w = w
    def __lt__(self, other):
        return self.w < other.w

def program(x):
    a, b = P(1), P(2)
    if x > 0:
        a = P(x)
    return 1 if a < b else 0

# %% in_function_that_is_not_converted: (3,), (-3,)
import copy
class P:
    def __init__(self, w):
        self.w = w

def program(x):
    a = P(1)
    if x > 0:
        a = P(x)
    b = copy.copy(a)
    b.w += 1
    return a.w, b.w

# %% argument_object: (3,), (-3,)
class P:
    def __init__(self, w):
        self.w = w

def pick(p, x):
    if x > 0:
        p = P(p.w + 1)
    return p

def program(x):
    p = P(4)
    q = pick(p, x)
    return p.w, q.w

# %% argument_object_changed: (3,), (-3,)
class P:
    def __init__(self, w):
        self.w = w

def pick(p, x):
    if x > 0:
        p = P(p.w + 1)
    return p

def program(x):
    p = P(4)
    q = pick(p, x)
    q.w = 0
    return p.w, q.w
