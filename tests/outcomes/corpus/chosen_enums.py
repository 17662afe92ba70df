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

# %% chosen_swapped: (3, 1), (-3, -1)
class P:
    def __init__(self, v):
        self.v = v
def program(x, y):
    a, b = P(1), P(2)
    p, q = a, b
    if x > 0:
        p, q = q, p
    if y > 0:
        p, q = q, p
    p.v = 7
    return p is a, q is a, p is q, a.v, b.v

# %% chosen_loop: ((1, 2, 3),), ((2, 2),)
class P:
    def __init__(self, v):
        self.v = v
def program(xs):
    a, b = P(1), P(2)
    cur = a
    n = 0
    for x in xs:
        if x % 2 == 1:
            cur = b if cur is a else a
        if cur is b:
            n += 1
        cur.v += x
    return n, a.v, b.v, cur is a

# %% player_turns: ((1, 2, 3, 4),), ((6, 6),)
class Player:
    def __init__(self, name):
        self.name = name
        self.score = 0
def program(rolls):
    one, two = Player("one"), Player("two")
    cur, other = one, two
    for r in rolls:
        cur.score += r
        if r != 6:
            cur, other = other, cur
    winner = one if one.score >= two.score else two
    return one.score, two.score, cur is one, winner is two, winner.name

# %% chosen_in_attr: (3,), (-3,)
class Game:
    def __init__(self):
        self.players = [[0], [0]]
        self.turn = self.players[0]
    def next(self):
        self.turn = self.players[1] if self.turn is self.players[0] else self.players[0]
def program(x):
    g = Game()
    if x > 0:
        g.next()
    g.turn[0] += 5
    g.next()
    g.turn[0] += 1
    return g.players, g.turn is g.players[1]

# %% enum_counts: ((1, 2, 1),), ((3,),)
from enum import Enum
class Color(Enum):
    RED = 1
    BLUE = 2
    OTHER = 3
def of(v):
    return Color.RED if v == 1 else Color.BLUE if v == 2 else Color.OTHER
def program(xs):
    counts = {c: 0 for c in Color}
    for v in xs:
        counts[of(v)] += 1
    return list(counts.values())

# %% enum_by_value: ((1, 2, 1),), ((2, 2),)
from enum import Enum
class Color(Enum):
    RED = 1
    BLUE = 2
def program(xs):
    n = 0
    for v in xs:
        if Color(v) is Color.RED:
            n += 1
    return n

# %% traffic_enum: (3,), (7,), (0,)
from enum import Enum
class Light(Enum):
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
NEXT = {Light.RED: Light.GREEN, Light.GREEN: Light.YELLOW, Light.YELLOW: Light.RED}
def program(n):
    s = Light.RED
    for _ in range(n):
        s = NEXT[s]
    return s.value, s is Light.RED

# %% direction_enum: ((0, 1, 1, 2),), ((3, 3),)
from enum import Enum
class D(Enum):
    N = (0, 1)
    E = (1, 0)
    S = (0, -1)
    W = (-1, 0)
    def right(self):
        order = [D.N, D.E, D.S, D.W]
        return order[(order.index(self) + 1) % 4]
def program(moves):
    d = D.N
    x = y = 0
    for m in moves:
        if m == 1:
            d = d.right()
        else:
            dx, dy = d.value
            x += dx
            y += dy
    return x, y, d is D.E

# %% object_is_new: (3,), (-3,)
class P:
    def __init__(self, v):
        self.v = v
def program(x):
    p = P(1)
    q = p
    if x > 0:
        p = P(x)
    return p.v, p is q, q.v

# %% object_is_new_or_none: (3,), (-3,)
class P:
    def __init__(self, v):
        self.v = v
def program(x):
    p = None
    if x > 0:
        p = P(x)
    q = p
    return (q is p), (p.v if p is not None else 0)
