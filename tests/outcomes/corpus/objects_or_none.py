# %% list_or_none: (1.,),(2.,),(-1.,)
def program(x):
    best = None
    if x > 0:
        best = [1.0, x]
    if x > 1:
        best = [2.0, x]
    return best[0] if best is not None else -1.0


# %% dict_or_none: (1.,),(2.,),(-1.,)
def program(x):
    best = None
    if x > 0:
        best = {'a': x}
    if x > 1:
        best = {'a': x + 1}
    return best['a'] if best is not None else -1.0


# %% two_names_of_a_new_object: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    other = None
    if x > 0:
        best = P(x, 1.0)
        other = best
    if best is not None:
        best.x = 7.0
    return other.x if other is not None else -1.0


# %% two_names_of_a_new_list: (1.,),(2.,),(-1.,)
def program(x):
    best = None
    other = None
    if x > 0:
        best = [x, 1.0]
        other = best
    if best is not None:
        best[0] = 7.0
    return other[0] if other is not None else -1.0


# %% new_object_in_a_list_too: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    other = [P(0.0, 0.0)]
    if x > 0:
        best = P(x, 1.0)
        other[0] = best
    if best is not None:
        best.x = 7.0
    return other[0].x


# %% changed_where_it_exists: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    if x > 0:
        best = P(x, 1.0)
    if best is not None:
        best.x = best.x + 7.0
    if best is None:
        return 0.0
    return best.x


# %% existing_object_changed_after: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    p = P(x, 2.0)
    if x > 0:
        best = p
    p.x = 9.0
    if best is None:
        return 0.0
    return best.x


# %% changed_as_the_existing_object: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    p = P(x, 2.0)
    if x > 0:
        best = p
    if best is not None:
        best.x = 11.0
    return p.x


# %% empty_list_or_none: (1.,),(2.,),(-1.,)
def program(x):
    best = None
    if x > 0:
        best = []
    if best is not None:
        best.append(x)
    return len(best) if best is not None else -1


# %% best_path_copied: ((1.,3.,2.),),([3.,2.,1.,5.],)
import math


def program(xs):
    path = [0.0, 0.0]
    best = None
    bd = math.inf
    for x in xs:
        path[0] = x
        path[1] = x * 2
        if x < bd:
            best = path[:]
            bd = x
    return best


# %% record_with_a_list: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    if x > 0:
        best = P(x, [1.0, 2.0])
    return best.y[0] if best is not None else 0.0


# %% record_with_a_known_list: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    l = [1.0, 2.0]
    if x > 0:
        best = P(x, l)
    l[0] = 8.0
    return best.y[0] if best is not None else 0.0


# %% dicts_of_lists: (1.,),(2.,),(-1.,),(-9.,)
def program(x):
    best = None
    if x > 0:
        best = {'k': [x]}
    elif x > -5:
        best = {'k': [x, x]}
    return best


# %% record_or_none_returned: (1.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    r = None
    if x > 0:
        r = P(x, 1)
    return r


# %% list_tuple_or_none: (1.,),(-1.,),(-3.,)
def program(x):
    r = None
    if x > 0:
        r = [x]
    elif x > -2:
        r = (x, x)
    return r


# %% identity_of_two_names: (1.,),(2.,),(-1.,)
def program(x):
    best = None
    keep = None
    if x > 0:
        keep = best = [x]
    return best is keep


# %% new_list_kept_in_another: (1.,),(2.,),(-1.,)
def program(x):
    best = None
    keep = []
    if x > 0:
        best = [x]
        keep.append(best)
    if best is not None:
        best[0] = 5.0
    return keep


# %% record_replaced_by_none: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    class_ = None
    best = P(0.0, 0.0)
    if x > 0:
        best = None
    if best is None:
        return 3.0
    best.x += x
    return best.x


# %% alias_of_a_record_lost: (1.,),(2.,),(-1.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    a = P(0.0, 0.0)
    b = a
    if x > 0:
        a = None
    b.x = 4.0
    return a.x if a is not None else -2.0


# %% alias_of_a_list_lost: (1.,),(2.,),(-1.,)
def program(x):
    a = [0.0, 0.0]
    b = a
    if x > 0:
        a = None
    b[0] = 4.0
    return a[0] if a is not None else -2.0


# %% list_in_a_list_lost: (1.,),(2.,),(-1.,)
def program(x):
    a = [0.0, 0.0]
    b = [a]
    if x > 0:
        a = None
    if a is not None:
        a[0] = 3.0
    return b


# %% items_of_candidates_change: (1.1,),(4.,)
def program(x):
    pts = [[1.0, 2.0], [3.0, 4.0]]
    best = None
    for p in pts:
        if x > p[0]:
            best = p
        if x < -5.0:
            p[0] = 9.0
    return best


# %% rebound_candidate: (1.1,),(4.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    p = P(1.0, 2.0)
    best = None
    if x > 1.0:
        best = p
    p = P(3.0, 4.0)
    if x > 3.0:
        best = p
    return best.x


# %% last_of_three_records: (1.1,),(4.,),(.5,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    pts = [P(0.0, 0.0), P(1.0, 2.0), P(3.0, 4.0)]
    best = None
    for p in pts:
        if x > p.x:
            best = p
    return best.x


# %% three_new_records: (.5,),(1.1,),(4.,)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    best = None
    if x > 0.0:
        best = P(0.0, 0.0)
    if x > 1.0:
        best = P(1.0, 2.0)
    if x > 2.0:
        best = P(5.0, 2.0)
    return best.x


# %% nearest_row: (.1,),(1.1,),(4.,)
import math


def program(x):
    best = None
    bd = math.inf
    for p in [[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]]:
        d = (p[0] - x) ** 2
        if d < bd:
            best, bd = (p, d)
    return best[0]


# %% two_rows_or_none: (.1,),(1.1,),(4.,)
def program(x):
    best = None
    a = [0.0, 0.0]
    if x > 0.0:
        best = a
    b = [1.0, 2.0]
    if x > 1.0:
        best = b
    return best[0]


# %% nearest_of_twelve_objects: (.1,),(1.1,),(4.,)
import math


class Q:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def program(x):
    best = None
    bd = math.inf
    for p in [Q(float(i), i * 2.0) for i in range(12)]:
        d = (p.x - x) ** 2
        if d < bd:
            best, bd = (p, d)
    return best.x


# %% nearest_of_twelve_records_from_the_first: (.1,),(1.1,),(4.,)
import math
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    pts = [P(float(i), i * 2.0) for i in range(12)]
    best = pts[0]
    bd = math.inf
    for p in pts:
        d = (p.x - x) ** 2
        if d < bd:
            best, bd = (p, d)
    return best.x


# %% nearest_of_twelve_records: (.1,),(1.1,),(4.,)
import math
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(x):
    pts = [P(float(i), i * 2.0) for i in range(12)]
    best = None
    bd = math.inf
    for p in pts:
        d = (p.x - x) ** 2
        if d < bd:
            best, bd = (p, d)
    return best.x


# %% best_record_of_a_loop: ((1.,3.,2.),)
from dataclasses import dataclass


@dataclass
class P:
    x: float
    y: float


def program(xs):
    best = None
    for x in xs:
        if best is None or x > best.y:
            best = P(1.0, x)
    return best.y
