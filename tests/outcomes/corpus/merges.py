# %% local_function_after_return: (3,), (-3,)
def program(x):
    if x < 0:
        return 0

    def fact(n):
        return 1 if n <= 1 else n * fact(n - 1)

    return fact(4) + x


# %% local_function_after_return_unread: (3,), (-3,)
def program(x):
    if x < 0:
        return 0

    def helper(n):
        return n + 1

    return x


# %% local_class_after_return: (3,), (-3,)
def program(x):
    if x < 0:
        return 0

    class Box:
        def __init__(self):
            self.v = 1

    return x + Box().v


# %% function_in_both: (3,), (-3,)
def program(x):
    if x > 0:
        f = lambda v: v + 1
    else:
        f = lambda v: v - 1
    return f(x)


# %% function_in_both_unread: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        f = lambda v: v + 1
        y = f(x)
    else:
        f = lambda v: v - 1
        y = f(x)
    return y


# %% none_or_number: (3,), (-3,)
def program(x):
    y = None
    if x > 0:
        y = x
    return x


# %% none_or_number_read: (3,), (-3,)
def program(x):
    y = None
    if x > 0:
        y = x
    return y


# %% none_then_tested: (3,), (-3,)
def program(x):
    y = None
    if x > 0:
        y = x
    if y is None:
        return -1
    return y


# %% none_then_rebound: (3,), (-3,)
def program(x):
    y = None
    if x > 0:
        y = x
    y = 5
    return y + x


# %% error_object: (3,), (-3,)
def program(x):
    error = None
    if x < 0:
        error = ValueError("negative")
    return x


# %% object_or_none: (3,), (-3,)
class Box:
    v = 1


def program(x):
    box = None
    if x > 0:
        box = Box()
    return x


# %% text_or_number: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        y = "text"
    return x


# %% text_or_number_read: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        y = "text"
    return y


# %% list_or_number: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        y = [1]
    return x


# %% list_or_tuple: (3,), (-3,)
def program(x):
    if x > 0:
        y = [1, 2]
    else:
        y = (3, 4)
    return y[0]


# %% lists_of_two_lengths: (3,), (-3,)
def program(x):
    if x > 0:
        y = [1, 2]
    else:
        y = [3]
    return len(y)


# %% lists_of_two_lengths_sum: (3,), (-3,)
def program(x):
    if x > 0:
        y = [1, 2]
    else:
        y = [3]
    return sum(y)


# %% tuples_of_two_lengths: (3,), (-3,)
def program(x):
    y = (1, 2) if x > 0 else (3,)
    return len(y)


# %% dicts_of_two_keys: (3,), (-3,)
def program(x):
    d = {"a": 1} if x > 0 else {"b": 2}
    return d.get("a", 0)


# %% int_or_float: (3,), (-3,)
def program(x):
    y = 1
    if x > 0:
        y = 2.5
    return y


# %% bool_or_int: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        y = True
    return y


# %% module_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        import math

        y = math.pi
    else:
        y = 3.0
    return y


# %% import_after_return: (3,), (-3,)
def program(x):
    if x < 0:
        return 0.0
    import math

    return math.pi * x


# %% type_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        kind = int
    else:
        kind = float
    return x


# %% type_in_branch_called: (3,), (-3,)
def program(x):
    if x > 0:
        kind = int
    else:
        kind = float
    return kind(1.5)


# %% bound_method_in_branch: (3,), (-3,)
def program(x):
    a, b = [1], [2]
    if x > 0:
        put = a.append
    else:
        put = b.append
    put(5)
    return len(a), len(b)


# %% generator_in_branch: (3,), (-3,)
def program(x):
    g = iter([1, 2])
    if x > 0:
        g = iter([3, 4])
    return next(g)


# %% range_in_branch: (3,), (-3,)
def program(x):
    r = range(3) if x > 0 else range(5)
    total = 0
    for i in r:
        total += i
    return total


# %% shapes: (3,), (-3,)
import numpy as np


def program(x):
    y = np.zeros(2)
    if x > 0:
        y = np.zeros(3)
    return len(y)


# %% nested_functions_mutual: (3,), (-3,), (4,)
def program(x):
    if x < 0:
        return False

    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    return even(3)


# %% early_return_none: (3,), (-3,)
def program(x):
    v = [0]

    def put():
        if x < 0:
            return
        v[0] = x

    put()
    return v


# %% early_return_object: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def choose(x):
    if x < 0:
        return Box(0)
    return Box(x)


def program(x):
    return choose(x).v


# %% early_return_none_or_value: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None


def program(x):
    y = find(x)
    if y is None:
        return 0
    return y


# %% implicit_none: (3,), (-3,)
def program(x):
    if x > 0:
        return x


# %% loop_finds_object: (3,), (1,)
def program(x):
    names = ["a", "b", "c"]
    found = None
    for i, name in enumerate(names):
        if x == i:
            found = name
    return x


# %% loop_finds_number: ((1, 5, 3),), ((0, 0, 0),)
def program(xs):
    found = None
    for v in xs:
        if v > 2:
            found = v
            break
    return -1 if found is None else found


# %% ellipsis_or_value: (3,), (-3,)
MISSING = object()


def program(x):
    y = MISSING
    if x > 0:
        y = x
    if y is MISSING:
        return 0
    return y


# %% undefined_in_else: (3,), (-3,)
def program(x):
    if x > 0:
        y = x
    return y


# %% undefined_in_else_unread: (3,), (-3,)
def program(x):
    if x > 0:
        y = x
        x = y + 1
    return x


# %% undefined_in_loop: (3,), (0,)
def program(n):
    for i in range(n):
        y = i
    return y


# %% undefined_read_where_taken: (3,), (-3,)
def program(x):
    if x > 0:
        y = 2
    z = 0
    if x > 0:
        z = y
    return z


# %% enum_member: (3,), (-3,)
import enum


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def program(x):
    c = Color.RED
    if x > 0:
        c = Color.BLUE
    return x


# %% enum_member_compared: (3,), (-3,)
import enum


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def program(x):
    c = Color.RED
    if x > 0:
        c = Color.BLUE
    return 1 if c is Color.BLUE else 0


# %% int_enum_member: (3,), (-3,)
import enum


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def program(x):
    c = Level.LOW
    if x > 0:
        c = Level.HIGH
    return c + 1


# %% state_machine_of_texts: (3,), (0,)
def program(n):
    state = "idle"
    count = 0
    for i in range(n):
        if state == "idle":
            state = "busy"
            count += 1
        else:
            state = "idle"
    return state, count


# %% state_machine_of_functions: (3,), (0,)
def program(n):
    def idle(k):
        return busy, k + 1

    def busy(k):
        return idle, k + 10

    state, k = idle, 0
    for _ in range(n):
        state, k = state(k)
    return k


# %% slice_object: (3,), (-3,)
def program(x):
    s = slice(0, 2)
    if x > 0:
        s = slice(1, 3)
    return [1, 2, 3][s]
