# %% two_results: (3,), (-3,)
def program(x):
    a = [1, 2]
    if x > 0:
        a[0] = 5
    return a, a


# %% result_of_helper: (3,), (-3,)
def helper(a, x):
    if x > 0:
        a.append(3)
    return a


def program(x):
    a = [1, 2]
    b = helper(a, x)
    return a, b, a is b


# %% in_list: (3,), (-3,)
def program(x):
    r = [x]
    return [r, r]


# %% in_list_plain: (3,), (-3,)
def program(x):
    r = [0]
    return [r, r, x]


# %% dict_twice: (3,), (-3,)
def program(x):
    d = {"a": x}
    return {"p": d, "q": d}


# %% global_and_result: (3,), (-3,)
G = [1, 2]


def program(x):
    if x > 0:
        G[0] = 7
    return G


# %% global_grown_and_result: (3,), (-3,)
G = [1, 2]


def program(x):
    if x > 0:
        G.append(7)
    return G


# %% argument_and_result: ([1, 2], 3), ([1, 2], -3)
def program(a, x):
    if x > 0:
        a[0] = 7
    return a


# %% argument_untouched: ([1, 2], 3), ([1, 2], -3)
def program(a, x):
    return a, x


# %% stored_in_global: (3,), (-3,)
G = {}


def program(x):
    a = [x]
    G["a"] = a
    G["b"] = a
    return a


# %% stored_in_global_if: (3,), (-3,)
G = {"a": [0], "b": [0]}


def program(x):
    a = [x, 1]
    if x > 0:
        G["a"] = a
        G["b"] = a
    return a


# %% stored_attr: (3,), (-3,)
class Box:
    pass


B = Box()


def program(x):
    a = [x]
    B.v = a
    B.w = a
    return 1


# %% stored_attr_then_grown: (3,), (-3,)
class Box:
    pass


B = Box()


def program(x):
    a = [x]
    B.v = a
    B.w = a
    if x > 0:
        a.append(x)
    return 1


# %% stored_attr_loop: (3,), (-3,)
class Box:
    pass


B = Box()
B.v = []
B.w = B.v


def program(x):
    while x > 0:
        B.v.append(x)
        x = x - 1
    return len(B.w)


# %% object_twice: (3,), (-3,)
class Box:
    pass


def program(x):
    b = Box()
    b.v = x
    return b, b


# %% object_in_global: (3,), (-3,)
class Box:
    pass


G = []


def program(x):
    b = Box()
    b.v = x
    G.append(b)
    return b


# %% aliases_after_if: (3,), (-3,)
def program(x):
    a = [1]
    b = a
    if x > 0:
        b = [2]
    return a, b, a is b


# %% rows_of_grid: (3,), (-3,)
def program(x):
    row = [0, 0]
    grid = [row] * 3
    if x > 0:
        grid[0][1] = x
    return grid


# %% rows_of_grid_loop: (3,), (-3,)
def program(x):
    row = [0, 0]
    grid = [row] * 3
    i = 0
    while i < x:
        grid[0][1] += i
        i += 1
    return grid


# %% swap_global: (3,), (-3,)
A = [1]
B = [2]


def program(x):
    global A, B
    if x > 0:
        A, B = B, A
    return A, B


# %% global_aliased: (3,), (-3,)
A = [1]
B = [2]


def program(x):
    global A, B
    if x > 0:
        A = B
    return A


# %% global_aliased_written: (3,), (-3,)
A = [1]
B = [2]


def program(x):
    global A, B
    A = B
    if x > 0:
        A[0] = x
    return B


# %% loop_alias: (3,), (-3,)
def program(x):
    a = [0]
    b = a
    while x > 0:
        a[0] += x
        x = x - 1
    return a, b


# %% loop_alias_carried: (3,), (-3,)
def program(x):
    a = [0]
    b = [1]
    while x > 0:
        b = a
        a[0] = a[0] + 1
        x = x - 1
    return a, b


# %% loop_alias_carried2: (3,), (-3,)
def program(x):
    a = [0]
    b = [1]
    c = a
    while x > 0:
        a, b = b, a
        x = x - 1
    return a, b, c


# %% two_args_same: (3,), (-3,)
L = [1, 2]


def inner(a, b, x):
    if x > 0:
        a.append(x)
    return a, b


def program(x):
    return inner(L, L, x)


# %% dict_values_shared: (3,), (-3,)
def program(x):
    v = []
    d = {"a": v, "b": v}
    if x > 0:
        d["a"].append(x)
    return d


# %% dict_values_shared_set: (3,), (-3,)
def program(x):
    v = [0]
    d = {"a": v, "b": v}
    if x > 0:
        d["a"][0] = x
    return d


# %% setdefault_shared: (3,), (-3,)
def program(x):
    d = {}
    v = d.setdefault("a", [])
    if x > 0:
        v.append(x)
    return d, v


# %% stack_result: (3,), (-3,)
class Stack:
    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)
        return self.items


def program(x):
    s = Stack()
    t = s.items
    if x > 0:
        t = s.push(x)
    return t, s


# %% default_argument: (3,), (-3,)
def collect(x, acc=[]):
    if x > 0:
        acc.append(x)
    return acc


def program(x):
    a = collect(x)
    b = collect(x)
    return a, b


# %% closure_list: (3,), (-3,)
def make():
    seen = []

    def add(x):
        if x > 0:
            seen.append(x)
        return seen

    return add


ADD = make()


def program(x):
    a = ADD(x)
    return a, ADD(x)


# %% tuple_of_list: (3,), (-3,)
def program(x):
    a = [x]
    t = (a, a)
    if x > 0:
        t[0][0] = 9
    return t


# %% nested_shared: (3,), (-3,)
def program(x):
    a = [x]
    b = [a, [a]]
    if x > 0:
        a.append(1)
    return b


# %% deque_shared: (3,), (-3,)
from collections import deque


def program(x):
    d = deque([1])
    e = d
    if x > 0:
        d[0] = 2
    return d, e


# %% set_shared: (3,), (-3,)
S = {1}


def program(x):
    if x > 0:
        S.add(2)
    return 1


# %% returned_branch: (3,), (-3,)
A = [1]
B = [2]


def program(x):
    if x > 0:
        return A
    return B


# %% returned_branch_local: (3,), (-3,)
def program(x):
    a = [1]
    b = [2]
    if x > 0:
        r = a
    else:
        r = b
    return a, b, r


# %% returned_obj_branch: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


A = Box(1)
B = Box(2)


def program(x):
    if x > 0:
        return A
    return B


# %% stored_chosen: (3,), (-3,)
A = [1]
B = [2]
G = {}


def program(x):
    if x > 0:
        r = A
    else:
        r = B
    G["r"] = r
    return 1


# %% array_shared: (3,), (-3,)
import numpy as np


def program(x):
    a = np.zeros(2)
    return a, a, x


# %% self_returned: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0

    def add(self, x):
        if x > 0:
            self.v += x
        return self


def program(x):
    b = Box()
    return b, b.add(x).add(x)


# %% cyc: (3,), (-3,)
def program(x):
    a = [x]
    a.append(a)
    return a


# %% stored_in_arg: ([1, 2], 3), ([1, 2], -3)
def program(a, x):
    row = [x]
    a.append(row)
    a.append(row)
    return row


# %% stored_in_arg_if: ([1, 2], 3), ([1, 2], -3)
def program(a, x):
    row = [x]
    if x > 0:
        a.append(row)
        a.append(row)
    return row


# %% stored_in_arg_keep: ([[1], [2]], 3), ([[1], [2]], -3)
def program(a, x):
    row = a[0]
    if x > 0:
        a[1] = row
    return row


# %% stored_in_arg_swap: ([[1], [2]], 3), ([[1], [2]], -3)
def program(a, x):
    if x > 0:
        a[0], a[1] = a[1], a[0]
    return a[0]


# %% loop_stored: ([[1], [2]], 3), ([[1], [2]], -3)
def program(a, x):
    while x > 0:
        a[0], a[1] = a[1], a[0]
        x = x - 1
    return a[0]


# %% obj_with_row: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


R = [5]


def program(x):
    b = Box(R)
    if x > 0:
        b.v = [6]
    return b


# %% generator_lists: (3,), (-3,)
def rows(x):
    r = [0]
    for i in range(3):
        r[0] = i + x
        yield r


def program(x):
    return list(rows(x))


# %% comp_shared: (3,), (-3,)
def program(x):
    r = [x]
    return [r for _ in range(3)]


# %% map_stack: (3,), (-3,)
def program(x):
    xs = [x, x + 1]
    ys = xs
    ys += [x]
    return xs, ys


# %% star: (3,), (-3,)
def program(x):
    r = [x]
    a = [*[r, r]]
    b = {**{"k": r}}
    return a, b


# %% dataclass_shared: (3,), (-3,)
from dataclasses import dataclass


@dataclass
class P:
    a: list
    b: list


def program(x):
    r = [1]
    p = P(r, r)
    if x > 0:
        p.a[0] = x
    return p


# %% namedtuple_shared: (3,), (-3,)
from typing import NamedTuple


class P(NamedTuple):
    a: list
    b: list


def program(x):
    r = [1]
    p = P(r, r)
    if x > 0:
        p.a[0] = x
    return p


# %% alias_kept_between_calls: (3,), (4,), (-3,)
class Box:
    pass


B = Box()
B.v = []
B.w = []


def program(x):
    if len(B.v) == 0:
        a = [x]
        B.v = a
        B.w = a
    else:
        B.v[0] = B.v[0] + 1
    return B.w[0]


# %% alias_kept_between_calls_if: (3,), (4,), (-3,)
class Box:
    pass


B = Box()
B.v = None
B.w = None


def program(x):
    if B.v is None:
        B.v = B.w = [x, x]
    if x > 0:
        B.v[0] = B.v[0] + 1
    return B.w[0]


# %% alias_ends_between_calls: (3,), (4,), (-3,)
class Box:
    pass


B = Box()
B.v = None
B.w = None


def between():
    B.w = list(B.v)


def program(x):
    if B.v is None:
        B.v = B.w = [x, x]
    if x > 0:
        B.v[0] = B.v[0] + 1
    return B.w[0]


# %% best_is_current: (3,), (-3,)
class Box:
    pass


B = Box()
B.best = [0, 0]
B.current = [1, 2]


def program(x):
    B.current[0] = x
    if x > 0:
        B.best = B.current
    return B.best[0]


# %% best_is_copy: (3,), (-3,)
class Box:
    pass


B = Box()
B.best = [0, 0]
B.current = [1, 2]


def program(x):
    B.current[0] = x
    if x > 0:
        B.best = list(B.current)
    return B.best[0]


# %% state_replaced: (3,), (-3,)
class Box:
    pass


B = Box()
B.state = [0, 0]


def program(x):
    if x > 0:
        B.state = [x, B.state[0]]
    return B.state[1]


# %% two_places_outside_get_one_list: (3,), (-3,)
class Box:
    pass


BOX = Box()
BOX.a = [0]
BOX.b = [1]


def program(x):
    if x > 0:
        BOX.a = [5]
        BOX.b = BOX.a
    return BOX.a is BOX.b, x


# %% one_place_outside_gets_the_list_of_the_other: (3,), (-3,)
class Box:
    pass


BOX = Box()
BOX.a = [0]
BOX.b = [1]


def program(x):
    if x > 0:
        BOX.a = [x]
        BOX.b = BOX.a
    else:
        BOX.b = BOX.a
    return x


# %% two_places_outside_get_lists_of_their_own: (3,), (-3,)
class Box:
    pass


BOX = Box()
BOX.a = [0]
BOX.b = [1]


def program(x):
    if x > 0:
        BOX.a = [x]
        BOX.b = [x]
    return x


# %% result_that_a_branch_leaves_outside: (3,), (-3,)
class Box:
    pass


BOX = Box()
BOX.a = [0]
BOX.b = [1]


def program(x):
    row = [5, x]
    if x > 0:
        BOX.a = row
    return row


# %% two_places_outside_get_one_list_in_a_loop: (3,), (-3,)
class Box:
    pass


BOX = Box()
BOX.a = [0]
BOX.b = [1]


def program(x):
    for i in range(x):
        BOX.a = [i]
        BOX.b = BOX.a
    return x


# %% choice_returned_in_an_expression: (3,), (1,), (-3,)
def chosen(x):
    a = [1]
    b = [2]
    if x > 0:
        r = a
    else:
        r = b
    return a, b, r


def program(x):
    return chosen(x) if x > 0 else chosen(x)


# %% choice_made_in_each_branch: (3,), (1,), (-3,)
def chosen(x):
    a = [1]
    b = [2]
    if x > 0:
        r = a
    else:
        r = b
    return a, b, r


def program(x):
    if x > 0:
        t = chosen(x)
        t[2][0] = 9
    else:
        t = chosen(x)
    return t[0][0], t[1][0], t[2][0]


# %% choice_made_in_a_branch_and_changed: (3,), (1,), (-3,)
def chosen(x):
    a = [1]
    b = [2]
    if x > 0:
        r = a
    else:
        r = b
    return a, b, r


def program(x):
    t = ([3], [4], [5])
    if x > 0:
        t = chosen(x - 2)
    t[0].append(7)
    return len(t[0]), len(t[2])
