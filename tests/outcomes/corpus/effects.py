# %% memoryview_item: (3,), (-3,)
def program(x):
    b = bytearray(b"ab")
    m = memoryview(b)
    if x > 0:
        m[0] = 7
    return b[0]


# %% memoryview_slice: (3,), (-3,)
def program(x):
    b = bytearray(b"abcd")
    m = memoryview(b)
    if x > 0:
        m[1:3] = b"zz"
    return b[1]


# %% memoryview_dead_name: (3,), (-3,)
def put(m, x):
    if x > 0:
        m[0] = 7


def program(x):
    b = bytearray(b"ab")
    put(memoryview(b), x)
    return b[0]


# %% context_variable: (3,), (-3,)
from contextvars import ContextVar

V = ContextVar("V", default=0)


def program(x):
    V.set(1)
    if x > 0:
        V.set(2)
    return V.get()


# %% context_variable_reset: (3,), (-3,)
from contextvars import ContextVar

V = ContextVar("V", default=0)


def program(x):
    token = V.set(1)
    if x > 0:
        V.reset(token)
    return V.get()


# %% string_io_write: (3,), (-3,)
import io


def program(x):
    out = io.StringIO()
    if x > 0:
        out.write("positive")
    return out.getvalue()


# %% string_io_in_loop: (3,), (0,)
import io


def program(n):
    out = io.StringIO()
    for i in range(n):
        out.write("a")
    return len(out.getvalue())


# %% bytes_io_write: (3,), (-3,)
import io


def program(x):
    out = io.BytesIO()
    if x > 0:
        out.write(b"ab")
    return out.tell()


# %% string_io_by_print: (3,), (-3,)
import io


def program(x):
    out = io.StringIO()
    if x > 0:
        print("yes", file=out)
    return out.getvalue()


# %% queue_put: (3,), (-3,)
import queue


def program(x):
    q = queue.Queue()
    if x > 0:
        q.put(1)
    return q.qsize()


# %% queue_get: (3,), (-3,)
import queue


def program(x):
    q = queue.Queue()
    q.put(1)
    q.put(2)
    if x > 0:
        q.get()
    return q.qsize()


# %% priority_queue: (3,), (-3,)
import queue


def program(x):
    q = queue.PriorityQueue()
    q.put(5)
    if x > 0:
        q.put(1)
    return q.get()


# %% simple_queue: (3,), (-3,)
import queue


def program(x):
    q = queue.SimpleQueue()
    if x > 0:
        q.put(1)
    return q.qsize()


# %% environment_item: (3,), (-3,)
import os


def program(x):
    os.environ["OUTCOMES_A"] = "0"
    if x > 0:
        os.environ["OUTCOMES_A"] = "1"
    return os.environ["OUTCOMES_A"]


# %% environment_setdefault: (3,), (-3,)
import os


def program(x):
    os.environ.pop("OUTCOMES_B", None)
    if x > 0:
        os.environ.setdefault("OUTCOMES_B", "1")
    return "OUTCOMES_B" in os.environ


# %% environment_putenv: (3,), (-3,)
import os


def program(x):
    os.environ.pop("OUTCOMES_C", None)
    if x > 0:
        os.environ.update(OUTCOMES_C="1")
    else:
        os.environ.update(OUTCOMES_C="2")
    return os.environ["OUTCOMES_C"]


# %% globals_item: (3,), (-3,), (4,)
N = 0


def program(x):
    if x > 0:
        globals()["N"] = 1
    return x


# %% globals_item_read: (3,), (-3,)
N = 0


def program(x):
    globals()["N"] = 0
    if x > 0:
        globals()["N"] = 5
    return N


# %% globals_update: (3,), (-3,), (4,)
N = 0


def program(x):
    if x > 0:
        globals().update(N=3)
    return x


# %% module_attribute: (3,), (-3,)
import types

M = types.ModuleType("m")
M.v = 0
BOX = [M]


def program(x):
    M.v = 0
    if x > 0:
        M.v = 1
    return M.v


# %% exec_statement: (3,), (-3,)
def program(x):
    space = {"v": 0}
    if x > 0:
        exec("v = 1", space)
    return space["v"]


# %% event_set: (3,), (-3,)
import threading


def program(x):
    e = threading.Event()
    if x > 0:
        e.set()
    return e.is_set()


# %% lock_acquire: (3,), (-3,)
import threading


def program(x):
    lock = threading.Lock()
    if x > 0:
        lock.acquire()
    return lock.locked()


# %% lock_as_context: (3,), (-3,)
import threading

LOCK = threading.Lock()


def program(x):
    total = [0]
    with LOCK:
        if x > 0:
            total[0] = x
    return total


# %% lock_in_branch: (3,), (-3,)
import threading

LOCK = threading.Lock()


def program(x):
    total = 0
    if x > 0:
        with LOCK:
            total = x
    return total


# %% thread_local: (3,), (-3,)
import threading

LOCAL = threading.local()


def program(x):
    LOCAL.v = 0
    if x > 0:
        LOCAL.v = 1
    return LOCAL.v


# %% file_write: (3,), (-3,)
import os
import tempfile


def program(x):
    with tempfile.TemporaryFile("w+") as f:
        if x > 0:
            f.write("abc")
        f.seek(0)
        return len(f.read())


# %% path_write_text: (3,), (-3,)
import pathlib
import tempfile


def program(x):
    with tempfile.TemporaryDirectory() as d:
        p = pathlib.Path(d) / "f"
        if x > 0:
            p.write_text("a")
        return p.exists()


# %% random_seed: (3,), (-3,)
import random


def program(x):
    r = random.Random(1)
    if x > 0:
        r.seed(2)
    return r.getrandbits(8)


# %% random_shuffle: (3,), (-3,)
import random


def program(x):
    r = random.Random(1)
    v = [1, 2, 3, 4, 5]
    if x > 0:
        r.shuffle(v)
    return v


# %% sys_path_append: (3,), (-3,)
import sys


def program(x):
    before = len(sys.path)
    if x > 0:
        sys.path.append("/nowhere")
    grown = len(sys.path) - before
    if grown:
        sys.path.pop()
    return grown


# %% numpy_inplace_op: (3,), (-3,)
import numpy as np


def program(x):
    a = np.ones(2)
    if x > 0:
        a += 1
    return a


# %% numpy_out_argument: (3,), (-3,)
import numpy as np


def program(x):
    a = np.zeros(2)
    if x > 0:
        np.add([1.0, 2.0], 1.0, out=a)
    return a


# %% numpy_fill: (3,), (-3,)
import numpy as np


def program(x):
    a = np.zeros(2)
    if x > 0:
        a.fill(3)
    return a


# %% numpy_sort: (3,), (-3,)
import numpy as np


def program(x):
    a = np.array([3, 1, 2])
    if x > 0:
        a.sort()
    return a


# %% numpy_view: (3,), (-3,)
import numpy as np


def program(x):
    a = np.zeros((2, 2))
    row = a[0]
    if x > 0:
        row[:] = 1
    return a


# %% numpy_put: (3,), (-3,)
import numpy as np


def program(x):
    a = np.zeros(3)
    if x > 0:
        np.put(a, [0, 2], 1)
    return a


# %% struct_pack_into: (3,), (-3,)
import struct


def program(x):
    b = bytearray(4)
    if x > 0:
        struct.pack_into("<i", b, 0, 7)
    return b[0]


# %% itertools_count: (3,), (-3,)
import itertools


def program(x):
    c = itertools.count(5)
    if x > 0:
        next(c)
    return next(c)


# %% generator_next: (3,), (-3,)
def numbers():
    yield 1
    yield 2
    yield 3


def program(x):
    g = numbers()
    if x > 0:
        next(g)
    return next(g)


# %% generator_send: (3,), (-3,)
def echo():
    total = 0
    while True:
        k = yield total
        total += k


def program(x):
    g = echo()
    next(g)
    if x > 0:
        g.send(5)
    return g.send(1)


# %% exit_stack_callback: (3,), (-3,)
import contextlib


def program(x):
    seen = [0]
    with contextlib.ExitStack() as stack:
        if x > 0:
            stack.callback(seen.__setitem__, 0, 1)
    return seen


# %% warnings_warn: (3,), (-3,)
import warnings


def program(x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if x > 0:
            warnings.warn("positive", stacklevel=1)
    return len(caught)


# %% logging_records: (3,), (-3,)
import logging


class Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.n = 0

    def emit(self, record):
        self.n += 1


def program(x):
    kept = Kept()
    log = logging.Logger("outcomes")
    log.addHandler(kept)
    if x > 0:
        log.warning("positive")
    return kept.n


# %% partial_state: (3,), (-3,)
import functools


def program(x):
    p = functools.partial(max, 1)
    if x > 0:
        p.keywords["key"] = abs
    return len(p.keywords)


# %% lru_cache_clear: (3,), (-3,)
import functools

CALLS = [0]


@functools.lru_cache
def f(k):
    CALLS[0] += 1
    return k


def program(x):
    f.cache_clear()
    f(1)
    if x > 0:
        f.cache_clear()
    return f.cache_info().currsize


# %% setattr_on_function: (3,), (-3,)
def helper():
    pass


def program(x):
    helper.tag = 0
    if x > 0:
        helper.tag = 1
    return helper.tag


# %% list_through_ctypes: (3,), (-3,)
import ctypes


def program(x):
    n = ctypes.c_int(1)
    if x > 0:
        n.value = 2
    return n.value


# %% decimal_context: (3,), (-3,)
import decimal


def program(x):
    with decimal.localcontext() as c:
        c.prec = 5
        if x > 0:
            c.prec = 9
        return c.prec
