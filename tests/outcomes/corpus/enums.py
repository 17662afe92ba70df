# %% compared: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    return c == Color.RED, c != Color.RED, c is Color.GREEN, c in (Color.RED, Color.BLUE)

# %% value_and_name: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    return c.value, f"{c.name}!"

# %% key_of_a_dict: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    table = {Color.RED: 10, Color.GREEN: 20}
    return table[c], table.get(c, 0), c in table

# %% missing_key: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    return {Color.RED: 10}[c]

# %% key_that_may_be_none: (1,), (-1,)
def program(x):
    key = None
    if x > 0:
        key = "a"
    table = {"a": 1, None: 5}
    return table[key], {"a": 1}.get(key, 7)

# %% assigned_by_key: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    counts = {Color.RED: 0, Color.GREEN: 0}
    counts[c] += x
    counts[c] = counts[c] * 2
    return list(counts.values())

# %% deleted_by_key: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    counts = {Color.RED: 1, Color.GREEN: 2}
    del counts[c]
    return len(counts), sum(counts.values())

# %% rows_by_key: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = Color.RED if x > 0 else Color.GREEN
    rows = {Color.RED: [1, 2], Color.GREEN: [3, 4]}
    row = rows[c]
    row[0] = x
    rows[c][1] = 7
    return rows[Color.RED], rows[Color.GREEN]

# %% machine_in_a_loop: (0,), (1,), (4,), (5,)
import enum

class State(enum.Enum):
    IDLE = 1
    BUSY = 2
    DONE = 3

def program(n):
    state = State.IDLE
    for _ in range(n):
        if state is State.IDLE:
            state = State.BUSY
        elif state is State.BUSY:
            state = State.DONE
        else:
            state = State.IDLE
    return state.value

# %% methods: (0,), (1,), (4,), (5,)
import enum

class State(enum.Enum):
    IDLE = 1
    BUSY = 2
    DONE = 3

    def after(self):
        if self is State.IDLE:
            return State.BUSY
        return State.DONE if self is State.BUSY else State.IDLE

    @property
    def is_idle(self):
        return self is State.IDLE

def program(n):
    state = State.IDLE
    for _ in range(n):
        state = state.after()
    return state.value, state.is_idle

# %% method_under_a_name: (3,), (-3,)
import enum

class Sign(enum.Enum):
    PLUS = 1
    MINUS = -1

    def times(self, x):
        return self.value * x

def program(x):
    sign = Sign.PLUS if x > 0 else Sign.MINUS
    times = sign.times
    return times(x)

# %% integers: (1,), (-1,)
import enum

class Level(enum.IntEnum):
    LOW = 0
    HIGH = 2

def program(x):
    level = Level.LOW if x > 0 else Level.HIGH
    return level + 1, level > 0, [10, 20, 30][level], level * 2

# %% integers_in_a_loop: (0,), (1,), (2,), (3,)
import enum

class Level(enum.IntEnum):
    LOW = 0
    MIDDLE = 1
    HIGH = 2

def program(n):
    level = Level.LOW
    k = 0
    while k < n:
        if level == Level.LOW:
            level = Level.MIDDLE
        elif level == Level.MIDDLE:
            level = Level.HIGH
        else:
            level = Level.LOW
        k += 1
    return level.value, level == Level.MIDDLE

# %% matched: (1,), (-1,), (0,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

def program(x):
    c = Color.RED if x > 0 else Color.GREEN if x < 0 else Color.BLUE
    match c:
        case Color.RED:
            return 1
        case Color.GREEN:
            return 2
        case _:
            return 3

# %% or_none: (1,), (-1,), (0,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(x):
    c = None
    if x > 0:
        c = Color.RED
    elif x < 0:
        c = Color.GREEN
    return 0 if c is None else c.value

# %% attribute_of_an_object: (1, 1), (1, -1), (-1, -1)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

    def other(self):
        return Color.GREEN if self is Color.RED else Color.RED

class Light:
    def __init__(self):
        self.color = Color.RED
        self.steps = 0

    def step(self, x):
        if x > 0:
            self.color = self.color.other()
        self.steps += 1
        return self

def program(a, b):
    light = Light().step(a).step(b)
    return light.color is Color.GREEN, light.steps, light.color.value

# %% changed_members: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

    def __init__(self, value):
        self.uses = 0

def program(x):
    for each in Color:
        each.uses = 0
    c = Color.RED if x > 0 else Color.GREEN
    c.uses += 1
    Color.RED.uses += 10
    return Color.RED.uses, Color.GREEN.uses, c.uses

# %% members_with_attributes: (1,), (-1,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

    def __init__(self, value):
        self.uses = 0
        self.seen = [0]

def program(x):
    if x > 0:
        Color.RED.uses += 1
        Color.GREEN.seen[0] = x
    return Color.RED.uses

# %% method_with_an_effect: (1,), (-1,)
import enum

log = [0, 0]

class Color(enum.Enum):
    RED = 0
    GREEN = 1

    def use(self):
        log[self.value] += 1
        return self

def program(x):
    c = Color.RED.use() if x > 0 else Color.GREEN.use()
    return c.use().value

# %% flag_joined_with_tensor: (1,), (5,)
import enum
class Perm(enum.IntFlag):
    READ = 1
    WRITE = 4
def program(x):
    y = x | Perm.WRITE
    return isinstance(y, Perm), y.name

# %% flag_tested_with_tensor: (1,), (4,)
import enum
class Perm(enum.IntFlag):
    READ = 1
    WRITE = 4
def program(x):
    if Perm.READ & x:
        return 1
    return 2

# %% number_of_flag: (1,), (4,), (6,)
import enum
class Perm(enum.IntFlag):
    READ = 1
    WRITE = 4
def program(x):
    reads = 1 if x & Perm.READ.value else 2
    return reads, x | Perm.WRITE.value, x == Perm.WRITE, x + Perm.READ
