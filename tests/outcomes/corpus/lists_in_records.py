# %% dataclass_new_one_with_the_same_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair(d.v, 2)
        d.v.append(2)
    return len(d.v), d.n


# %% dataclass_same_list_under_another_name: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    w = d.v
    if x > 0:
        d = Pair(d.v)
        d.v.append(2)
    w.append(5)
    return len(d.v), len(w)


# %% dataclass_list_of_the_other_one: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    e = Pair(d.v)
    if x > 0:
        d = Pair(e.v)
        e = Pair([9])
        d.v[0] = 5
    return d.v[0], e.v[0]


# %% dataclass_in_a_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0



def program(x):
    r = [Pair([1]), Pair([2])]
    if x > 0:
        r = [r[1], r[0]]
        r[0].v[0] = 8
    return r[0].v[0], r[1].v[0]


# %% dataclass_changed_on_the_other_way: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair([d.v[0] + 1])
        d.v[0] = d.v[0] * 2
    else:
        d.v[0] = 6
    return d.v[0]


# %% dataclass_replaced_in_a_loop: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([0, 0])
    for i in range(x):
        d = Pair(d.v)
        d.v[0] = d.v[0] + i
    return d.v[0]


# %% frozen_new_one_with_the_same_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair(d.v, 2)
        d.v.append(2)
    return len(d.v), d.n


# %% frozen_same_list_under_another_name: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    w = d.v
    if x > 0:
        d = Pair(d.v)
        d.v.append(2)
    w.append(5)
    return len(d.v), len(w)


# %% frozen_list_of_the_other_one: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    e = Pair(d.v)
    if x > 0:
        d = Pair(e.v)
        e = Pair([9])
        d.v[0] = 5
    return d.v[0], e.v[0]


# %% frozen_in_a_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    r = [Pair([1]), Pair([2])]
    if x > 0:
        r = [r[1], r[0]]
        r[0].v[0] = 8
    return r[0].v[0], r[1].v[0]


# %% frozen_changed_on_the_other_way: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair([d.v[0] + 1])
        d.v[0] = d.v[0] * 2
    else:
        d.v[0] = 6
    return d.v[0]


# %% frozen_replaced_in_a_loop: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(frozen=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([0, 0])
    for i in range(x):
        d = Pair(d.v)
        d.v[0] = d.v[0] + i
    return d.v[0]


# %% slots_new_one_with_the_same_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(slots=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair(d.v, 2)
        d.v.append(2)
    return len(d.v), d.n


# %% slots_same_list_under_another_name: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(slots=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    w = d.v
    if x > 0:
        d = Pair(d.v)
        d.v.append(2)
    w.append(5)
    return len(d.v), len(w)


# %% slots_list_of_the_other_one: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(slots=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    e = Pair(d.v)
    if x > 0:
        d = Pair(e.v)
        e = Pair([9])
        d.v[0] = 5
    return d.v[0], e.v[0]


# %% slots_in_a_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(slots=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    r = [Pair([1]), Pair([2])]
    if x > 0:
        r = [r[1], r[0]]
        r[0].v[0] = 8
    return r[0].v[0], r[1].v[0]


# %% slots_changed_on_the_other_way: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(slots=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair([d.v[0] + 1])
        d.v[0] = d.v[0] * 2
    else:
        d.v[0] = 6
    return d.v[0]


# %% slots_replaced_in_a_loop: (3,), (-3,)
import dataclasses


@dataclasses.dataclass(slots=True)
class Pair:
    v: list
    n: int = 0



def program(x):
    d = Pair([0, 0])
    for i in range(x):
        d = Pair(d.v)
        d.v[0] = d.v[0] + i
    return d.v[0]


# %% named_tuple_new_one_with_the_same_list: (3,), (-3,)
from typing import NamedTuple


class Pair(NamedTuple):
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair(d.v, 2)
        d.v.append(2)
    return len(d.v), d.n


# %% named_tuple_same_list_under_another_name: (3,), (-3,)
from typing import NamedTuple


class Pair(NamedTuple):
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    w = d.v
    if x > 0:
        d = Pair(d.v)
        d.v.append(2)
    w.append(5)
    return len(d.v), len(w)


# %% named_tuple_list_of_the_other_one: (3,), (-3,)
from typing import NamedTuple


class Pair(NamedTuple):
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    e = Pair(d.v)
    if x > 0:
        d = Pair(e.v)
        e = Pair([9])
        d.v[0] = 5
    return d.v[0], e.v[0]


# %% named_tuple_in_a_list: (3,), (-3,)
from typing import NamedTuple


class Pair(NamedTuple):
    v: list
    n: int = 0



def program(x):
    r = [Pair([1]), Pair([2])]
    if x > 0:
        r = [r[1], r[0]]
        r[0].v[0] = 8
    return r[0].v[0], r[1].v[0]


# %% named_tuple_changed_on_the_other_way: (3,), (-3,)
from typing import NamedTuple


class Pair(NamedTuple):
    v: list
    n: int = 0



def program(x):
    d = Pair([1])
    if x > 0:
        d = Pair([d.v[0] + 1])
        d.v[0] = d.v[0] * 2
    else:
        d.v[0] = 6
    return d.v[0]


# %% named_tuple_replaced_in_a_loop: (3,), (-3,)
from typing import NamedTuple


class Pair(NamedTuple):
    v: list
    n: int = 0



def program(x):
    d = Pair([0, 0])
    for i in range(x):
        d = Pair(d.v)
        d.v[0] = d.v[0] + i
    return d.v[0]


# %% record_in_a_new_list: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0


def program(x):
    record = Pair([1])
    r = [record, 1]
    if x > 0:
        r = [record, 2]
        record.v[0] = 8
        record.n = 3
    return r[0].v[0], r[0].n, record.v[0], record.n, r[1]


# %% made_by_a_method_that_appends: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Log:
    v: list = dataclasses.field(default_factory=list)

    def __post_init__(self):
        self.v.append(1)


def program(x):
    log = Log()
    if x > 0:
        log = Log(v=log.v)
    return len(log.v)


# %% replaced_by_dataclasses: (3,), (-3,)
import dataclasses


@dataclasses.dataclass
class Pair:
    v: list
    n: int = 0


def program(x):
    d = Pair([1])
    if x > 0:
        d = dataclasses.replace(d, n=2)
        d.v.append(4)
    return len(d.v), d.n


# %% object_in_a_list_changed_on_the_other_way: (3,), (-3,)
class Count:
    def __init__(self, k):
        self.k = k


def program(x):
    d = [Count(1)]
    if x > 0:
        d = [Count(6)]
    else:
        d[0].k += 5
    return d[0].k


# %% object_in_a_tuple_changed_on_the_other_way: (3,), (-3,)
class Count:
    def __init__(self, k):
        self.k = k


def program(x):
    count = Count(1)
    d = (count, 2)
    if x > 0:
        d = (Count(6), 3)
    else:
        count.k += 5
    return d[0].k, count.k, d[1]


# %% object_in_a_record_chosen_and_changed: (3,), (-3,)
import dataclasses
from typing import Any


class Count:
    def __init__(self, k):
        self.k = k


@dataclasses.dataclass
class Pair:
    v: Any
    n: int = 0


def program(x):
    one, other = Count(1), Count(9)
    d = Pair(one)
    if x > 0:
        d = Pair(other)
        other.k = 4
    else:
        one.k += 5
    return d.v.k, one.k, other.k


# %% same_object_in_both_lists: (3,), (-3,)
class Count:
    def __init__(self, k):
        self.k = k


def program(x):
    count = Count(1)
    d = [count, 1]
    if x > 0:
        d = [count, 2]
        count.k = 8
    d[0].k += 1
    return d[0] is count, d[0].k, count.k, d[1]


# %% list_of_a_tuple_grows_in_an_inner_branch: (3, 1), (-3, 1), (-3, -1), (3, -1)
def program(x, y):
    w = [4, x]
    d = (w, x)
    if x > 0:
        d = (d[0], x)
    else:
        if y > 0:
            w.append(x)
    return d[1], list(d[0])


# %% list_of_a_new_tuple_grows_in_an_inner_branch: (3, 1), (-3, 1), (-3, -1), (3, -1)
def program(x, y):
    w = [4, x]
    e = ([1, 2], 2)
    if x <= 0:
        e = (w, x)
        if y > 0:
            w.append(x)
    return list(e[0])
