# %% global_list_appended: (3,), (-3,)
LOG = []


def program(x):
    LOG.append(1)
    return x


# %% global_counter: (3,), (-3,)
N = 0


def program(x):
    global N
    N += 1
    return x


# %% global_counter_returned: (3,), (-3,)
N = 0


def program(x):
    global N
    N += 1
    return x + N


# %% global_item: (3,), (-3,)
STATE = {"last": 0}


def program(x):
    STATE["last"] = x
    return x


# %% global_attribute: (3,), (-3,)
class Box:
    v = 0


BOX = Box()


def program(x):
    BOX.v = x
    return x


# %% global_attribute_incremented: (3,), (-3,)
class Box:
    v = 0


BOX = Box()


def program(x):
    BOX.v += x
    return BOX.v


# %% closure_counter: (3,), (-3,)
def make():
    n = 0

    def program(x):
        nonlocal n
        n += 1
        return x + n

    return program


program = make()


# %% argument_list: ([0], 3), ([0], -3)
def program(v, x):
    v[0] = x
    return x


# %% argument_list_appended: ([0], 3), ([0], -3)
def program(v, x):
    v.append(1)
    return x


# %% argument_dict: ({"a": 0}, 3), ({"a": 0}, -3)
def program(d, x):
    d["a"] = x
    return x


# %% argument_object: (Box(), 3), (Box(), -3)
class Box:
    def __init__(self):
        self.v = 0


def program(box, x):
    box.v = x
    return x


# %% global_set: (3,), (-3,)
SEEN = set()


def program(x):
    SEEN.add(1)
    return x


# %% global_iterator: (3,), (-3,)
IT = iter(range(100))


def program(x):
    return x + next(IT)


# %% global_array: (3,), (-3,)
import numpy as np

A = np.zeros(2)


def program(x):
    A[0] += 1
    return x


# %% memo_dict: (3,), (-3,)
MEMO = {}


def program(x):
    if "k" not in MEMO:
        MEMO["k"] = 5
    return x + MEMO["k"]


# %% class_counter: (3,), (-3,)
class Config:
    calls = 0


def program(x):
    Config.calls += 1
    return x


# %% global_in_python_loop: (3,), (-3,)
TOTAL = [0]


def program(x):
    for i in range(3):
        TOTAL[0] += i
    return x
