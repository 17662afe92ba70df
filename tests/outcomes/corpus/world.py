# %% random_random: (1.0,), (2.0,)
import random

random.seed(7)


def program(x):
    return x + random.random()


# %% random_randint: (1,), (2,)
import random

random.seed(7)


def program(x):
    return x + random.randint(0, 10**6)


# %% random_choice: (1,), (2,)
import random

random.seed(7)


def program(x):
    return x + random.choice(range(10**6))


# %% own_random: (1,), (2,)
import random

R = random.Random(7)


def program(x):
    return x + R.randrange(10**6)


# %% imported_random: (1.0,), (2.0,)
import random
from random import random as draw

random.seed(7)


def program(x):
    return x + draw()


# %% random_in_branch: (1.0,), (-2.0,)
import random

random.seed(7)


def program(x):
    if x > 0:
        y = random.random()
    else:
        y = 0.0
    return y


# %% random_in_loop: (3,), (0,)
import random

random.seed(7)


def program(n):
    total = 0.0
    for _ in range(n):
        total += random.random()
    return total


# %% random_in_helper: (1.0,), (2.0,)
import random

random.seed(7)


def noise():
    return random.random()


def program(x):
    return x + noise()


# %% random_in_method: (1.0,), (2.0,)
import random

random.seed(7)


class Noise:
    def draw(self):
        return random.gauss(0.0, 1.0)


def program(x):
    return x + Noise().draw()


# %% random_by_map: (1.0,), (2.0,)
import random

random.seed(7)


def program(x):
    return x + sum(map(lambda _: random.random(), range(3)))


# %% random_sample: (1,), (2,)
import random

random.seed(7)


def program(x):
    return x + random.sample(range(10**6), 2)[0]


# %% random_shuffle_outside: (1,), (2,)
import random

random.seed(7)


def program(x):
    v = list(range(100))
    random.shuffle(v)
    return v[0] + x


# %% numpy_random_rand: (1.0,), (2.0,)
import numpy as np

np.random.seed(7)


def program(x):
    return x + np.random.rand()


# %% numpy_random_normal: (1.0,), (2.0,)
import numpy as np

np.random.seed(7)


def program(x):
    return x + np.random.normal(size=2)


# %% numpy_generator: (1.0,), (2.0,)
import numpy as np

R = np.random.default_rng(7)


def program(x):
    return x + R.random()


# %% numpy_permutation: (1,), (2,)
import numpy as np

np.random.seed(7)


def program(x):
    return x + np.random.permutation(100)[0]


# %% clock_differs: (1,), (2,)
import time

def elapsed():
    return time.perf_counter_ns() - _START


_START = time.perf_counter_ns()


def program(x):
    return elapsed() > 700_000_000


def between():
    time.sleep(1.0)


# %% date_today: (1,), (2,)
import datetime

_START = datetime.datetime.now()


def program(x):
    return (datetime.datetime.now() - _START).total_seconds() > 0.7


def between():
    import time

    time.sleep(1.0)


# %% file_read: (1,), (2,)
import pathlib
import tempfile

_PATH = pathlib.Path(tempfile.mkdtemp()) / "n"
_PATH.write_text("5")


def program(x):
    with open(str(_PATH)) as f:
        return x + int(f.read())


def between():
    _PATH.write_text("9")


# %% path_read_text: (1,), (2,)
import pathlib
import tempfile

_PATH = pathlib.Path(tempfile.mkdtemp()) / "n"
_PATH.write_text("5")


def program(x):
    return x + int(_PATH.read_text())


def between():
    _PATH.write_text("9")


# %% path_exists: (1,), (2,)
import os
import pathlib
import tempfile

_PATH = pathlib.Path(tempfile.mkdtemp()) / "n"


def program(x):
    return os.path.exists(str(_PATH))


def between():
    _PATH.write_text("9")


# %% numpy_load: (1.0,), (2.0,)
import pathlib
import tempfile

import numpy as np

_PATH = pathlib.Path(tempfile.mkdtemp()) / "n.npy"
np.save(_PATH, np.ones(2))


def program(x):
    return x + np.load(_PATH)


def between():
    np.save(_PATH, np.zeros(2))


# %% environ_read: (1,), (2,)
import os

os.environ["OUTCOMES_N"] = "5"


def program(x):
    return x + int(os.environ["OUTCOMES_N"])


def between():
    os.environ["OUTCOMES_N"] = "9"


# %% environ_get: (1,), (2,)
import os

os.environ["OUTCOMES_M"] = "5"


def program(x):
    return x + int(os.environ.get("OUTCOMES_M", "0"))


def between():
    os.environ["OUTCOMES_M"] = "9"


# %% getenv: (1,), (2,)
import os

os.environ["OUTCOMES_O"] = "5"


def program(x):
    return x + int(os.getenv("OUTCOMES_O"))


def between():
    os.environ["OUTCOMES_O"] = "9"


# %% input_read: (1,), (2,)
import io
import sys


def program(x):
    return x + int(input())


sys.stdin = io.StringIO("5\n6\n7\n8\n")


# %% stdin_read: (1,), (2,)
import io
import sys

sys.stdin = io.StringIO("5\n6\n7\n8\n")


def program(x):
    return x + int(sys.stdin.readline())


# %% uuid4: (1,), (2,)
import uuid

_SEEN = set()


def fresh():
    before = len(_SEEN)
    _SEEN.add(uuid.uuid4().int)
    return len(_SEEN) - before


def program(x):
    return x + fresh()


# %% secrets_token: (1,), (2,)
import secrets

_SEEN = set()


def fresh():
    _SEEN.add(secrets.token_hex())
    return len(_SEEN)


def program(x):
    return x + fresh()


# %% urandom: (1,), (2,)
import os

_SEEN = {b""}


def fresh():
    _SEEN.add(os.urandom(16))
    return len(_SEEN)


def program(x):
    return x + fresh()


# %% object_count: (1,), (2,)
import itertools

IDS = itertools.count()


def program(x):
    return x + next(IDS)


# %% context_variable_read: (1,), (2,)
from contextvars import ContextVar

V = ContextVar("V", default=5)


def program(x):
    return x + V.get()


def between():
    V.set(9)


# %% thread_local_read: (1,), (2,)
import threading

LOCAL = threading.local()
LOCAL.v = 5


def program(x):
    return x + LOCAL.v


def between():
    LOCAL.v = 9


# %% global_number_read: (1,), (2,)
N = 5


def program(x):
    return x + N


def between():
    global N
    N = 9


# %% global_list_read: (1,), (2,)
V = [5]


def program(x):
    return x + V[0]


def between():
    V[0] = 9


# %% global_list_length_read: (1,), (2,)
V = [5]


def program(x):
    return x + len(V)


def between():
    V.append(1)


# %% global_nested_read: (1,), (2,)
V = {"a": [{"n": 5}]}


def program(x):
    return x + V["a"][0]["n"]


def between():
    V["a"][0]["n"] = 9


# %% global_array_read: (1.0,), (2.0,)
import numpy as np

A = np.ones(3)


def program(x):
    return x + A


def between():
    A[1] = 5.0


# %% global_array_rebound: (1.0,), (2.0,)
import numpy as np

A = np.ones(3)


def program(x):
    return x * A


def between():
    global A
    A = np.zeros(3)


# %% array_value_looked_at: (1.0,), (2.0,)
import numpy as np

A = np.ones(3)


def program(x):
    if A[0] > 0:
        return x
    return -x


def between():
    A[0] = -1.0


# %% array_view_read: (1.0,), (2.0,)
import numpy as np

BASE = np.ones((2, 3))
ROW = BASE[1]


def program(x):
    return x + ROW


def between():
    BASE[1, 1] = 5.0


# %% array_in_attribute: (1.0,), (2.0,)
import numpy as np


class Model:
    def __init__(self):
        self.w = np.ones(3)

    def apply(self, x):
        return x * self.w


MODEL = Model()


def program(x):
    return MODEL.apply(x)


def between():
    MODEL.w[0] = 4.0


# %% array_sum_looked_at: (1.0,), (2.0,)
import numpy as np

A = np.ones(3)


def program(x):
    return x * float(A.sum())


def between():
    A[0] = 4.0


# %% attribute_read: (1,), (2,)
class Config:
    rate = 5


def program(x):
    return x * Config.rate


def between():
    Config.rate = 6


# %% attribute_of_instance_read: (1,), (2,)
class Config:
    def __init__(self):
        self.rate = 5


C = Config()


def program(x):
    return x * C.rate


def between():
    C.rate = 6


# %% attribute_made_later: (1,), (2,)
class Config:
    pass


C = Config()


def program(x):
    return x * getattr(C, "rate", 5)


def between():
    C.rate = 6


# %% closure_cell_changes: (1,), (2,)
def make():
    n = 5

    def program(x):
        return x + n

    def change():
        nonlocal n
        n = 9

    return program, change


program, between = make()


# %% default_object_changes: (1,), (2,)
D = {"n": 5}


def program(x, d=D):
    return x + d["n"]


def between():
    D["n"] = 6


# %% function_replaced: (1,), (2,)
def helper(x):
    return x + 1


def program(x):
    return helper(x)


def between():
    global helper

    def helper(x):
        return x + 100


# %% method_replaced: (1,), (2,)
class Box:
    def f(self, x):
        return x + 1


B = Box()


def program(x):
    return B.f(x)


def between():
    Box.f = lambda self, x: x + 100


# %% defaults_replaced: (1,), (2,)
def helper(x, k=1):
    return x + k


def program(x):
    return helper(x)


def between():
    helper.__defaults__ = (50,)


# %% function_in_table_replaced: (1,), (2,)
TABLE = {"f": abs}


def program(x):
    return TABLE["f"](x)


def between():
    TABLE["f"] = lambda v: -v


# %% set_read: (1,), (2,)
S = {1}


def program(x):
    return x + (2 in S) * 10


def between():
    S.add(2)


# %% deque_read: (1,), (2,)
from collections import deque

Q = deque([1])


def program(x):
    return x + Q[0]


def between():
    Q[0] = 5


# %% chain_map_read: (1,), (2,)
from collections import ChainMap

A, B = {}, {"k": 1}
C = ChainMap(A, B)


def program(x):
    return x + C["k"]


def between():
    A["k"] = 5


# %% user_dict_read: (1,), (2,)
from collections import UserDict

D = UserDict(k=1)


def program(x):
    return x + D["k"]


def between():
    D["k"] = 5


# %% dataclass_read: (1,), (2,)
from dataclasses import dataclass


@dataclass
class C:
    n: int = 1


BOX = C()


def program(x):
    return x + BOX.n


def between():
    BOX.n = 5


# %% slots_read: (1,), (2,)
class C:
    __slots__ = ("n",)

    def __init__(self):
        self.n = 1


BOX = C()


def program(x):
    return x + BOX.n


def between():
    BOX.n = 5


# %% property_read: (1,), (2,)
STATE = {"n": 1}


class C:
    @property
    def n(self):
        return STATE["n"]


BOX = C()


def program(x):
    return x + BOX.n


def between():
    STATE["n"] = 5


# %% module_attribute_read: (1,), (2,)
import types

M = types.ModuleType("m")
M.n = 1


def program(x):
    return x + M.n


def between():
    M.n = 5


# %% simple_namespace_read: (1,), (2,)
from types import SimpleNamespace

M = SimpleNamespace(n=1)


def program(x):
    return x + M.n


def between():
    M.n = 5


# %% bytearray_read: (1,), (2,)
B = bytearray(b"\x01")


def program(x):
    return x + B[0]


def between():
    B[0] = 5


# %% string_io_read: (1,), (2,)
import io

F = io.StringIO("abc")


def program(x):
    return x + len(F.getvalue())


def between():
    F.write("abcdef")


# %% length_of_deque_read: (1,), (2,)
from collections import deque

Q = deque([1])


def program(x):
    return x + len(Q)


def between():
    Q.append(5)
