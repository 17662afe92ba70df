# %% enum_is: ((1, 0, 1, 2),), ((2, 2),), ((1, 2),)
from enum import Enum
class S(Enum):
    IDLE = 0
    RUN = 1
    DONE = 2
def program(events):
    s = S.IDLE
    for e in events:
        if s is S.IDLE and e == 1:
            s = S.RUN
        elif s is S.RUN and e == 2:
            s = S.DONE
    return s.value, s is S.DONE, s is not S.RUN, s.name

# %% enum_eq: ((1, 0, 1, 2),), ((2, 2),), ((1, 2),)
from enum import Enum, auto
class S(Enum):
    IDLE = auto()
    RUN = auto()
    DONE = auto()
    def next(self, e):
        if self == S.IDLE and e == 1:
            return S.RUN
        if self == S.RUN and e == 2:
            return S.DONE
        return self
def program(events):
    s = S.IDLE
    for e in events:
        s = s.next(e)
    return s == S.DONE, s != S.IDLE, s == 3, s is None

# %% intenum_eq: ((1, 0, 1, 2),), ((2, 2),), ((1, 2),)
from enum import IntEnum
class S(IntEnum):
    IDLE = 0
    RUN = 1
    DONE = 2
def program(events):
    s = S.IDLE
    for e in events:
        if s == S.IDLE and e == 1:
            s = S.RUN
        elif s == 1 and e == 2:
            s = S.DONE
    return s == S.DONE, s == events[0], s != 2, s.value

# %% enum_class_state: ((1, 0, 1, 2),), ((2, 2),), ((1, 2),)
from enum import Enum
class Mode(Enum):
    OFF = "off"
    ON = "on"
class Machine:
    def __init__(self):
        self.mode = Mode.OFF
        self.n = 0
    def handle(self, e):
        if self.mode is Mode.OFF:
            if e == 1:
                self.mode = Mode.ON
        else:
            self.n += e
            if e == 2:
                self.mode = Mode.OFF
def program(events):
    m = Machine()
    for e in events:
        m.handle(e)
    return m.mode is Mode.ON, m.n, m.mode.value

# %% enum_in: (3,), (-3,)
from enum import Enum
class C(Enum):
    A = 1
    B = 2
    D = 3
def program(x):
    c = C.A if x > 0 else C.B
    return c in (C.B, C.D), c in [C.A], C.A == c, C.D is c

# %% enum_dict: (3,), (-3,)
from enum import Enum
class C(Enum):
    A = 1
    B = 2
def program(x):
    c = C.A if x > 0 else C.B
    return {C.A: 5, C.B: 7}[c]

# %% enum_match: (3,), (-3,)
from enum import Enum
class C(Enum):
    A = 1
    B = 2
def program(x):
    c = C.A if x > 0 else C.B
    match c:
        case C.A:
            return 1
        case C.B:
            return x

# %% objects_identity: (3, 1), (-3, 1), (3, -1)
class Box:
    def __init__(self, v):
        self.v = v
def program(x, y):
    a, b, c = Box(1), Box(1), Box(2)
    p = a if x > 0 else b
    q = a if y > 0 else c
    p.v += 1
    return p is a, p is b, p is c, p is q, q is p, p == q, p != a, p is None, [p == a, a == p]

# %% lists_identity: (3, 1), (-3, 1), (3, -1)
def program(x, y):
    a, b, c = [1, 2], [1, 2], [5, 6]
    p = a if x > 0 else b
    q = a if y > 0 else c
    p[0] += 1
    return p is a, p is b, p is c, p is q, q is p

# %% own_eq: (3, 1), (-3, 1)
class Box:
    def __init__(self, v):
        self.v = v
    def __eq__(self, o):
        return self.v == o.v
def program(x, y):
    a, b = Box(1), Box(y)
    p = a if x > 0 else b
    return p == a, p is a

# %% other_eq: (3, 1), (-3, 1)
class Box:
    pass
class Any:
    def __eq__(self, o):
        return True
def program(x, y):
    a, b = Box(), Box()
    p = a if x > 0 else b
    return p == Any()

# %% int_of_enum: (3,), (-3,)
from enum import IntEnum
class S(IntEnum):
    IDLE = 0
    RUN = 1
def program(x):
    s = S.IDLE if x > 0 else S.RUN
    return int(s)

# %% ret_two: (3,), (-3,)
from enum import Enum
class S(Enum):
    A = 1
    B = 2
def pick(x):
    if x > 0:
        return S.A
    return S.B
def program(x):
    return pick(x) is S.A

# %% ret_three: (3,), (-3,), (0,)
from enum import Enum
class S(Enum):
    A = 1
    B = 2
    C = 3
def pick(x):
    if x > 0:
        return S.A
    if x < 0:
        return S.B
    return S.C
def program(x):
    return pick(x) is S.A, pick(x).value

# %% ret_three_obj: (3,), (-3,), (0,)
class S:
    def __init__(self, v):
        self.v = v
A = S(1)
B = S(2)
C = S(3)
def pick(x):
    if x > 0:
        return A
    if x < 0:
        return B
    return C
def program(x):
    return pick(x) is A, pick(x).v

# %% assign_three: (3,), (-3,), (0,)
from enum import Enum
class S(Enum):
    A = 1
    B = 2
    C = 3
def program(x):
    if x > 0:
        s = S.A
    elif x < 0:
        s = S.B
    else:
        s = S.C
    return s is S.A, s.value

# %% method_self: (3,), (-3,), (0,)
from enum import Enum
class S(Enum):
    A = 1
    B = 2
    def flip(self, x):
        if x > 0:
            return S.A
        return self
def program(x):
    s = S.B
    s = s.flip(x)
    return s is S.A, s.value

# %% method_self2: (3,), (-3,), (0,)
from enum import Enum
class S(Enum):
    A = 1
    B = 2
    C = 3
    def flip(self, x):
        if self is S.C:
            return S.A
        if self is S.A and x > 0:
            return S.B
        return self
def program(x):
    s = S.A if x > 0 else S.C
    s = s.flip(x)
    return s is S.A, s.value

# %% other_of_two_has_eq: (3, 1), (-3, -1)
class Box:
    pass
class Same:
    def __eq__(self, o):
        return True
def program(x, y):
    p = Box.p if x > 0 else Box.q
    q = Same.p if y > 0 else Same.q
    return p == q
Box.p, Box.q = Box(), Box()
Same.p, Same.q = Same(), Same()

# %% own_ne: (3, 1), (-3, 1)
class Box:
    def __ne__(self, o):
        return True
def program(x, y):
    a, b = Box(), Box()
    p = a if x > 0 else b
    return p != a, p == a
