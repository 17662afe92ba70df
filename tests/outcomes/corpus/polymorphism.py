# %% chosen_class: (3,), (-3,)
class A:
    kind = "a"

    def __init__(self, n):
        self.n = n

    def run(self, x):
        return self.n + x

class B(A):
    kind = "b"

    def run(self, x):
        return self.n * x

    @property
    def twice(self):
        return 2 * self.n

def program(x):
    o = A(3) if x > 0 else B(4)
    return o.run(x), o.kind, o.n

# %% dataclasses: (1, 2), (-1, 2)
import abc
from dataclasses import dataclass

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def double(self):
        return 2 * self.area()

@dataclass
class Square(Shape):
    a: int

    def area(self):
        return self.a * self.a

@dataclass
class Rectangle(Shape):
    a: int
    b: int

    def area(self):
        return self.a * self.b

def make(k, a):
    if k > 0:
        return Square(a)
    return Rectangle(a, 7)

def program(k, a):
    shape = make(k, a)
    if k > 0:
        shape.a = 5
    return shape.double(), make(-k, a).area()

# %% frozen_in_a_loop: (0,), (1,), (3,), (6,)
from dataclasses import dataclass

@dataclass(frozen=True)
class One:
    a: int

    def value(self):
        return self.a

@dataclass(frozen=True)
class Two:
    a: int
    b: int

    def value(self):
        return self.a * self.b

def program(n):
    s = One(1)
    for _ in range(n):
        s = Two(s.value(), 2) if s.value() < 5 else One(1)
    return s.value()

# %% classes_beside_none: (3,), (-7,), (0,)
class A:
    def run(self, x):
        return x

class B:
    def run(self, x):
        return -x

def program(x):
    o = None
    if x > 0:
        o = A()
    elif x < -5:
        o = B()
    return o.run(x)

# %% existing_objects_changed: (3,), (-3,)
class A:
    def __init__(self, n):
        self.n = n

class B:
    def __init__(self, n):
        self.n = n

def program(x):
    both = [A(3), B(4)]
    o = both[0] if x > 0 else both[1]
    o.n += x
    return [each.n for each in both], o.n

# %% attribute_added: (3,), (-3,)
class A:
    pass

class B:
    pass

def program(x):
    a, b = A(), B()
    o = a if x > 0 else b
    o.extra = 5
    return hasattr(a, "extra"), hasattr(b, "extra")

# %% method_with_an_effect: (3,), (-3,)
class Dog:
    def __init__(self, name):
        self.name = name

    def speak(self):
        return f"{self.name}: woof"

class Cat:
    def __init__(self, name):
        self.name = name
        self.lives = 9

    def speak(self):
        self.lives -= 1
        return f"{self.name}: meow {self.lives}"

def program(x):
    pet = Dog("a") if x > 0 else Cat("b")
    first = pet.speak()
    pet.name = "c"
    return first, pet.speak()

# %% state_pattern: ([1, 2, -1],), ([1, -1, 3],), ([-1],)
class Idle:
    n = 0

    def next(self, x):
        return Busy(x) if x > 0 else self

class Busy:
    def __init__(self, n):
        self.n = n

    def next(self, x):
        return Idle() if x < 0 else self

def program(xs):
    state = Idle()
    for x in xs:
        state = state.next(x)
    return state.n

# %% state_pattern_in_a_loop: (0,), (3,), (6,)
class Low:
    def __init__(self, n):
        self.n = n

    def next(self):
        return High(self.n + 1) if self.n > 1 else Low(self.n + 1)

class High:
    def __init__(self, n):
        self.n = n

    def next(self):
        return Low(0)

def program(n):
    state = Low(0)
    for _ in range(n):
        state = state.next()
    return state.n

# %% two_of_two: (1, 1), (1, -1), (-1, 1), (-1, -1)
class A:
    def __init__(self, n):
        self.n = n

    def run(self, x):
        return self.n + x

class B(A):
    def run(self, x):
        return self.n * x

def program(x, y):
    a = A(x) if x > 0 else B(x)
    b = B(y) if y > 0 else A(y)
    return a.run(b.n), b.run(a.n), a.run(b.run(2))

# %% operators: (3,), (-3,)
class V:
    def __init__(self, a):
        self.a = a

    def __add__(self, other):
        return V(self.a + other.a)

    def __eq__(self, other):
        return self.a == other.a

    def __lt__(self, other):
        return self.a < other.a

class W(V):
    def __add__(self, other):
        return W(self.a * other.a)

def program(x):
    v = V(x) if x > 0 else W(x)
    u = v + V(4)
    return u.a, v == V(3), v < V(2), max(v, V(0)).a

# %% asked_for_its_class: (3,), (-3,)
class A:
    pass

class B(A):
    pass

def program(x):
    o = A() if x > 0 else B()
    if isinstance(o, B):
        return 1
    return 2

# %% changed_through_another_name: (3,), (-3,)
class A:
    def __init__(self):
        self.log = []

class B:
    def __init__(self):
        self.log = []

def program(x):
    a, b = A(), B()
    o = a if x > 0 else b
    log = o.log
    o.log = [x]
    o.count = len(log)
    return a.log, b.log

# %% list_of_a_chosen_object_grows: (3,), (-3,)
class A:
    def __init__(self):
        self.log = []

class B:
    def __init__(self):
        self.log = []

def program(x):
    a, b = A(), B()
    o = a if x > 0 else b
    o.log.append(x)
    return a.log, b.log

# %% one_class_in_a_loop_and_another: (3,), (-3,)
class A:
    def __init__(self, n):
        self.n = n

    def area(self):
        return self.n

class B(A):
    def area(self):
        return self.n * 2

def program(x):
    shape = A(x)
    if x > 0:
        shape = B(2)
    k = 0
    while k < x:
        k += 1
        shape = B(shape.area())
    if shape.area() > 2:
        shape = B(shape.n)
    return shape.area()

# %% class_asked_in_a_function: (3,), (-3,)
class A:
    n = 1

class B(A):
    n = 2

def kind(o, x):
    if isinstance(o, B):
        return x
    match o:
        case A(n=1):
            return 5
    return 6

def program(x):
    o = A() if x > 0 else B()
    return kind(o, x)

# %% rebound_in_a_branch_then_changed: (3,), (-3,)
class A:
    def __init__(self, n):
        self.n = n

    def add(self):
        self.n += 1

class B(A):
    def add(self):
        self.n += 10

def program(x):
    a = A(1)
    o = a
    if x > 0:
        o = B(5)
    o.add()
    return a.n, o.n

# %% rebound_in_a_loop_then_changed: (1, 3), (7, 3), (0, 0)
class A:
    def __init__(self, n):
        self.n = n

    def add(self):
        self.n += 1

class B(A):
    def add(self):
        self.n += 10

def program(x, n):
    a = A(1)
    o = a
    for i in range(n):
        o.add()
        if i == x:
            o = B(o.n)
    return a.n, o.n

# %% attribute_rebound_to_another_class: (1, 1), (1, -1), (-1, -1)
class A:
    def __init__(self, n):
        self.n = n

    def add(self):
        self.n += 1

class B(A):
    def add(self):
        self.n += 10

class Holder:
    def __init__(self):
        self.held = A(0)

    def swap(self, x):
        if x > 0:
            self.held = B(self.held.n)
        return self

def program(x, y):
    holder = Holder().swap(x).swap(y)
    first = holder.held
    first.add()
    holder.held.add()
    return holder.held.n, first.n

# %% items_of_another_class: (1,), (-1,)
class A:
    def __init__(self, n):
        self.n = n

    def add(self):
        self.n += 1

class B(A):
    def add(self):
        self.n += 10

def program(x):
    first = A(1)
    items = [first, A(2)]
    if x > 0:
        items[0] = B(2)
    for each in items:
        each.add()
    return [each.n for each in items], first.n

# %% crossed: (1,), (-1,)
class A:
    def __init__(self, n):
        self.n = n

class B(A):
    pass

def program(x):
    a, b = A(1), B(2)
    o, q = (a, b) if x > 0 else (b, a)
    o.n += 5
    q.n += 7
    return a.n, b.n, o.n, q.n

# %% lists_of_new_objects_in_a_loop: (1, 3), (7, 3), (0, 0)
class A:
    def __init__(self, n):
        self.rows = [n, 0]

class B(A):
    pass

def program(x, n):
    o = A(0)
    for i in range(n):
        if i % 2 == x:
            o = B(i)
        o.rows[1] += i
    return o.rows
