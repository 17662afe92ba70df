# %% unconverted_equal: (3,), (-3,)
import operator
def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    return operator.eq(a, [1, 2])

# %% unconverted_index: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a, [1, 2]]
    if x > 0:
        a.append(2)
    return rows.index([1, 2])

# %% unconverted_count: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a, [1, 2]]
    if x > 0:
        a.append(2)
    return rows.count([1, 2])

# %% nested_equal: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a]
    if x > 0:
        a.append(2)
    return rows == [[1, 2]]

# %% dict_equal: (3,), (-3,)
def program(x):
    a = {"k": 1}
    if x > 0:
        a["m"] = 2
    return a == {"k": 1, "m": 2}

# %% dataclass_equal: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class P:
    rows: list

def program(x):
    p = P([1])
    if x > 0:
        p.rows.append(2)
    return p == P([1, 2])

# %% userlist_equal: (3,), (-3,)
from collections import UserList
def program(x):
    p = UserList([1])
    if x > 0:
        p.append(2)
    return p == [1, 2]

# %% deque_of_lists: (3,), (-3,)
from collections import deque
def program(x):
    a = [1]
    q = deque([a])
    if x > 0:
        a.append(2)
    return q == deque([[1, 2]])

# %% assert_equal_unittest: (3,), (-3,)
import unittest
def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    case = unittest.TestCase()
    try:
        case.assertEqual(a, [1, 2])
    except AssertionError:
        return 0
    return 1

# %% namespace_equal: (3,), (-3,)
from types import SimpleNamespace
def program(x):
    a = SimpleNamespace(rows=[1])
    if x > 0:
        a.rows.append(2)
    return a == SimpleNamespace(rows=[1, 2])

# %% chainmap: (3,), (-3,)
from collections import ChainMap
def program(x):
    d = {"a": 1}
    c = ChainMap(d)
    if x > 0:
        d["b"] = 2
    return c == {"a": 1, "b": 2}

# %% set_of_lengths: (3,), (-3,)
import statistics
def program(x):
    a = [1.0, 5.0]
    if x > 0:
        a.append(9.0)
    return statistics.mean(a)

# %% operator_contains: (3,), (-3,)
import operator
def program(x):
    a = [1]
    rows = [a]
    if x > 0:
        a.append(2)
    return operator.contains(rows, [1, 2])

# %% groupby_lists: (3,), (-3,)
import itertools
def program(x):
    a = [1]
    rows = [a, [1, 2]]
    if x > 0:
        a.append(2)
    return len([k for k, g in itertools.groupby(rows)])

# %% copy_deep_equal: (3,), (-3,)
import copy
def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    b = copy.deepcopy(a)
    return b == [1, 2]

# %% remove_list: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a, [1, 2]]
    if x > 0:
        a.append(2)
    rows.remove([1, 2])
    return len(rows)

# %% partial_eq: (3,), (-3,)
import functools
import operator
def program(x):
    a = [1]
    eq = functools.partial(operator.eq, a)
    if x > 0:
        a.append(2)
    return eq([1, 2])

# %% filter_eq: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a, [7]]
    if x > 0:
        a.append(2)
    found = list(filter([1, 2].__eq__, rows))
    return len(found)

# %% method_eq: (3,), (-3,)
def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    return [1, 2].__eq__(a)

# %% key_function: (3,), (-3,)
def program(x):
    a = [1]
    rows = {"a": a}
    if x > 0:
        a.append(2)
    return rows == {"a": [1, 2]}

# %% set_index: (3,), (-3,)
def program(x):
    a = [1]
    t = (a, 1)
    if x > 0:
        a.append(2)
    return t == ([1, 2], 1)

# %% tuple_in: (3,), (-3,)
def program(x):
    a = [1]
    t = (a, 1)
    if x > 0:
        a.append(2)
    return [1, 2] in t

# %% helper_unconverted: (3,), (-3,)
import autograph
@autograph.do_not_convert
def same(p, q):
    return p == q

def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    return same(a, [1, 2])

# %% helper_unconverted_nested: (3,), (-3,)
import autograph
@autograph.do_not_convert
def same(p, q):
    return p == q

def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    return same({"a": a}, {"a": [1, 2]})

# %% helper_unconverted_holder: (3,), (-3,)
import autograph
class H:
    def __init__(self):
        self.a = [1]
    @autograph.do_not_convert
    def same(self, q):
        return self.a == q

def program(x):
    h = H()
    if x > 0:
        h.a.append(2)
    return h.same([1, 2])

# %% helper_unconverted_closure: (3,), (-3,)
import autograph

def program(x):
    a = [1]

    @autograph.do_not_convert
    def same(q):
        return a == q

    if x > 0:
        a.append(2)
    return same([1, 2])

# %% helper_unconverted_global: (3,), (-3,)
import autograph
A = [1]
@autograph.do_not_convert
def same(q):
    return A == q

def program(x):
    if x > 0:
        A.append(2)
    r = same([1, 2])
    A[:] = [1]
    return r

# %% defaultdict_in_library: (3,), (-3,)
from collections import Counter
def program(x):
    a = [1, 1]
    if x > 0:
        a.append(2)
    return Counter(a)[1]

# %% lengths_differ_from_guard: (3,), (-3,)
import autograph
@autograph.do_not_convert
def longer(p):
    return len(p) > 5

def program(x):
    a = [1]
    rows = [a]
    if x > 0:
        a.append(2)
    return longer(rows[0])

# %% length_nested: (3,), (-3,)
import autograph
@autograph.do_not_convert
def total(rows):
    return sum(len(r) for r in rows)

def program(x):
    a = [1]
    rows = [a]
    if x > 0:
        a.append(2)
    return total(rows)

# %% length_by_map: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a, [1, 2, 3]]
    if x > 0:
        a.append(2)
    return list(map(len, rows))

# %% length_max_key: (3,), (-3,)
def program(x):
    a = [1]
    rows = [a, [1, 2, 3]]
    if x > 0:
        a.append(2)
    return max(rows, key=len)[0]

# %% sorted_rows: (3,), (-3,)
def program(x):
    a = [1]
    rows = [[2], a]
    if x > 0:
        a.append(2)
    return sorted(rows)[0][0]

# %% attrgetter_len: (3,), (-3,)
class H:
    def __init__(self):
        self.a = [1]
    def __len__(self):
        return len(self.a)

def program(x):
    h = H()
    if x > 0:
        h.a.append(2)
    return len(h)

# %% getitem_slice_lib: (3,), (-3,)
import operator
def program(x):
    a = [1]
    if x > 0:
        a.append(2)
    return operator.length_hint(a)

# %% index_of_grown_row: (3,), (-3,)
def program(x):
    other = row = [1]
    rows = [row, [1, 2]]
    if x > 0:
        other.append(2)
    return rows.index([1, 2])

# %% count_of_grown_row: (3,), (-3,)
def program(x):
    other = row = [1]
    rows = [row, [1, 2]]
    if x > 0:
        other.append(2)
    return rows.count([1, 2])

# %% count_in_tuple_of_grown_row: (3,), (-3,)
def program(x):
    other = row = [1]
    rows = (row, [1, 2])
    if x > 0:
        other.append(2)
    return rows.count([1, 2]), rows.index([1, 2])

# %% grown_row_counted: (3,), (-3,)
def program(x):
    other = row = [1]
    if x > 0:
        other.append(2)
    return [[1, 2], [1]].count(row), ([1, 2], [1]).index(row)

# %% count_of_rows_that_did_not_grow: (3,), (-3,)
def program(x):
    grown = [1]
    rows = [[1], [1, 2]]
    if x > 0:
        grown.append(2)
    return rows.count([1, 2]), rows.index([1, 2]), len(grown)

# %% operator_of_grown_row: (3,), (-3,)
import operator
def program(x):
    other = row = [1]
    rows = [row, [1, 2]]
    if x > 0:
        other.append(2)
    return operator.eq(rows, [[1, 2], [1, 2]]), operator.countOf(rows, [1, 2])

# %% operator_of_rows_that_did_not_grow: (3,), (-3,)
import operator
def program(x):
    grown = [1]
    if x > 0:
        grown.append(2)
    return operator.eq([[1]], [[1]]), operator.ne(1, 2), operator.countOf([1, 1], 1), len(grown)
