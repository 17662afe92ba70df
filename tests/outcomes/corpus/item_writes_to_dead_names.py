# %% helper_with_callers_list: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[1] = 5


def program(x):
    row = [0, 0]
    helper(row, x)
    return row


# %% for_row_in_grid: (3,), (-3,)
def program(x):
    grid = [[1, 2], [3, 4]]
    for row in grid:
        if x > 0:
            row[0] = 50
    return grid


# %% helper_with_callers_dict: (3,), (-3,)
def helper(record, x):
    if x > 0:
        record["n"] = x


def program(x):
    record = {"n": 0, "m": 1}
    helper(record, x)
    return record


# %% records_in_list: (3,), (-3,)
def program(x):
    records = [{"n": 1}, {"n": 2}]
    for record in records:
        if x > record["n"]:
            record["n"] = record["n"] * 10
    return records


# %% slice_of_callers_list: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[1:] = [x, x]


def program(x):
    row = [0, 0, 0]
    helper(row, x)
    return row


# %% slice_of_rows: (3,), (-3,)
def program(x):
    grid = [[1, 2, 3], [4, 5, 6]]
    for row in grid:
        if x > 0:
            row[:2] = [0, x]
    return grid


# %% del_item_of_row: (3,), (-3,)
def program(x):
    grid = [[1, 2], [3, 4]]
    for row in grid:
        if x > 0:
            del row[0]
    return len(grid[0])


# %% del_key_of_callers_dict: (3,), (-3,)
def helper(d, x):
    if x > 0:
        del d["a"]


def program(x):
    d = {"a": 1, "b": 2}
    helper(d, x)
    return len(d)


# %% del_of_same_item_in_both_branches: (3,), (-3,)
def helper(d, x):
    if x > 0:
        del d["a"]
        d["b"] = x
    else:
        del d["a"]


def program(x):
    d = {"a": 1, "b": 2}
    helper(d, x)
    return d


# %% update_by_union: (3,), (-3,)
def helper(d, x):
    if x > 0:
        d |= {"a": x}


def program(x):
    d = {"a": 1}
    helper(d, x)
    return d


# %% union_gains_key: (3,), (-3,)
def helper(d, x):
    if x > 0:
        d |= {"b": x}


def program(x):
    d = {"a": 1}
    helper(d, x)
    return d.get("b", 0)


# %% walrus_of_row: (3,), (-3,)
def program(x):
    rows = [[1, 2]]
    if (row := rows[0]) and x > 0:
        row[0] = 9
    return rows


# %% walrus_in_test: (3,), (-3,)
def program(x):
    rows = [[1, 2], [3, 4]]
    if len(row := rows[1]) > 1:
        if x > 0:
            row[0] = x
    return rows


# %% zip_targets: (3,), (-3,)
def program(x):
    left, right = [[1], [2]], [[3], [4]]
    for a, b in zip(left, right):
        if x > 0:
            a[0] = b[0]
            b[0] = 0
    return left, right


# %% enumerate_targets: (3,), (-3,)
def program(x):
    grid = [[1, 2], [3, 4]]
    for i, row in enumerate(grid):
        if x > i:
            row[i] = x
    return grid


# %% values_targets: (3,), (-3,)
def program(x):
    table = {"a": [1, 2], "b": [3, 4]}
    for row in table.values():
        if x > 0:
            row[1] = 7
    return table


# %% items_targets: (3,), (-3,)
def program(x):
    table = {"a": [1], "b": [2]}
    for key, row in table.items():
        if x > 0 and key == "b":
            row[0] = x
    return table


# %% keyword_argument: (3,), (-3,)
def helper(*, row, x):
    if x > 0:
        row[0] = x


def program(x):
    row = [1]
    helper(row=row, x=x)
    return row


# %% star_keywords: (3,), (-3,)
def helper(**given):
    row = given["row"]
    if given["x"] > 0:
        row[0] = 4


def program(x):
    row = [1]
    helper(row=row, x=x)
    return row


# %% star_arguments: (3,), (-3,)
def helper(*rows):
    for row in rows[1:]:
        if rows[0] > 0:
            row[0] = 4


def program(x):
    a, b = [1], [2]
    helper(x, a, b)
    return a, b


# %% default_argument: (3,), (-3,), (4,)
STORE = [0, 0]


def helper(x, row=STORE):
    if x > 0:
        row[0] = x


def program(x):
    helper(x)
    return STORE[0]


# %% augmented_item: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[0] += x


def program(x):
    row = [10, 20]
    helper(row, x)
    helper(row, x)
    return row


# %% augmented_item_in_else: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[0] += x
    else:
        row[1] -= x


def program(x):
    row = [10, 20]
    helper(row, x)
    return row


# %% elif_chain: (3,), (-3,), (0,)
def helper(row, x):
    if x > 0:
        row[0] = 1
    elif x < 0:
        row[1] = 2
    else:
        row[2] = 3


def program(x):
    row = [0, 0, 0]
    helper(row, x)
    return row


# %% nested_if: (3, 1), (3, -1), (-3, 1)
def helper(row, x, y):
    if x > 0:
        if y > 0:
            row[0] = 1
        else:
            row[0] = 2


def program(x, y):
    row = [0]
    helper(row, x, y)
    return row


# %% early_return: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[0] = 1
        return
    row[1] = 2


def program(x):
    row = [0, 0]
    helper(row, x)
    return row


# %% guard_returns: (3,), (-3,), (0,)
def helper(row, x):
    if x == 0:
        return 0
    if x < 0:
        row[0] = x
        return 1
    row[1] = x
    return 2


def program(x):
    row = [0, 0]
    k = helper(row, x)
    return k, row


# %% in_while: (3,), (0,)
def helper(row, n):
    i = 0
    while i < n:
        row[0] += i
        i += 1


def program(n):
    row = [0]
    helper(row, n)
    return row


# %% in_staged_for: (3,), (0,)
def helper(row, n):
    for i in range(n):
        row[1] = i


def program(n):
    row = [7, 7]
    helper(row, n)
    return row


# %% if_in_staged_for: (5,), (1,)
def helper(row, n):
    for i in range(n):
        if i % 2 == 0:
            row[0] += i
        else:
            row[1] += i


def program(n):
    row = [0, 0]
    helper(row, n)
    return row


# %% over_tensor: ((1, -2, 3),), ((-1, -2, -3),)
def helper(counts, xs):
    for v in xs:
        if v > 0:
            counts[0] += 1
        else:
            counts[1] += 1


def program(xs):
    counts = [0, 0]
    helper(counts, xs)
    return counts


# %% comprehension_calls_helper: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[0] = x
    return row[0]


def program(x):
    row = [1]
    found = [helper(row, x + k) for k in range(3)]
    return found, row


# %% first_row_unpacked: (3,), (-3,)
def program(x):
    grid = [[1], [2]]
    first, *others = grid
    if x > 0:
        first[0] = 10
        others[0][0] = 20
    return grid


# %% row_taken_by_index: (3,), (-3,)
def program(x):
    grid = [[1], [2]]
    row = grid[-1]
    if x > 0:
        row[0] = 10
    return grid


# %% row_from_tuple: (3,), (-3,)
def program(x):
    pair = ([1], [2])
    a, b = pair
    if x > 0:
        a[0] = 5
    return pair


# %% row_from_attribute: (3,), (-3,)
class Box:
    def __init__(self):
        self.row = [1, 2]


def program(x):
    box = Box()
    row = box.row
    if x > 0:
        row[0] = 5
    return box.row


# %% row_from_method: (3,), (-3,)
class Box:
    def __init__(self):
        self.rows = [[1], [2]]

    def get(self, i):
        return self.rows[i]


def program(x):
    box = Box()
    row = box.get(1)
    if x > 0:
        row[0] = x
    return box.rows


# %% row_from_dict_get: (3,), (-3,)
def program(x):
    d = {"a": [1]}
    row = d.get("a")
    if x > 0:
        row[0] = 8
    return d


# %% row_from_setdefault: (3,), (-3,)
def program(x):
    d = {}
    row = d.setdefault("a", [1])
    if x > 0:
        row[0] = 8
    return d


# %% row_from_conditional: (3,), (-3,)
def program(x):
    a, b = [1], [2]
    row = a if len(b) == 1 else b
    if x > 0:
        row[0] = 8
    return a, b


# %% row_from_closure: (3,), (-3,)
def program(x):
    row = [1, 2]

    def put():
        mine = row
        if x > 0:
            mine[0] = 4

    put()
    return row


# %% nested_functions: (3,), (-3,)
def program(x):
    grid = [[0, 0], [0, 0]]

    def put(r, i, v):
        if v > 0:
            r[i] = v

    for i in range(2):
        put(grid[i], i, x)
    return grid


# %% name_rebound_afterwards: (3,), (-3,)
def program(x):
    first = [1]
    keep = first
    if x > 0:
        first[0] = 2
    first = [9]
    return keep, first


# %% name_deleted_afterwards: (3,), (-3,)
def program(x):
    first = [1]
    keep = [first]
    if x > 0:
        first[0] = 2
    del first
    return keep


# %% global_row_by_local_name: (3,), (-3,), (5,)
GRID = [[1, 2], [3, 4]]


def program(x):
    row = GRID[0]
    if x > 0:
        row[1] = x
    return x


# %% global_record_by_loop: (3,), (-3,)
RECORDS = [{"n": 1}, {"n": 5}]


def program(x):
    for record in RECORDS:
        if x > record["n"]:
            record["n"] = x
    return x


# %% two_levels: (3,), (-3,)
def inner(cell, x):
    if x > 0:
        cell["v"] = x


def outer(row, x):
    for cell in row:
        inner(cell, x)
        x = x - 1


def program(x):
    row = [{"v": 0} for _ in range(4)]
    outer(row, x)
    return row


# %% matrix_swap: (3,), (-3,)
def swap(row, x):
    if x > 0:
        row[0], row[1] = row[1], row[0]


def program(x):
    grid = [[1, 2], [3, 4]]
    swap(grid[0], x)
    return grid


# %% bubble_pass: (1, 2), (2, 1)
def order(pair):
    if pair[0] > pair[1]:
        pair[0], pair[1] = pair[1], pair[0]


def program(a, b):
    pair = [a, b]
    order(pair)
    return pair


# %% sort_three: (1, 2, 3), (3, 2, 1), (2, 3, 1)
def order(values, i, j):
    if values[i] > values[j]:
        t = values[i]
        values[i] = values[j]
        values[j] = t


def program(a, b, c):
    values = [a, b, c]
    order(values, 0, 1)
    order(values, 1, 2)
    order(values, 0, 1)
    return values


# %% item_of_item: (3,), (-3,)
def helper(grid, x):
    if x > 0:
        grid[1][0] = x


def program(x):
    grid = [[1, 2], [3, 4]]
    helper(grid, x)
    return grid


# %% attribute_of_item: (3,), (-3,)
class Cell:
    def __init__(self, v):
        self.v = v


def helper(cells, x):
    if x > 0:
        cells[1].v = x


def program(x):
    cells = [Cell(1), Cell(2)]
    helper(cells, x)
    return [c.v for c in cells]


# %% attribute_of_loop_variable: (3,), (-3,)
class Cell:
    def __init__(self, v):
        self.v = v


def program(x):
    cells = [Cell(1), Cell(2), Cell(3)]
    for cell in cells:
        if x > cell.v:
            cell.v = 0
    return [c.v for c in cells]


# %% reversed_targets: (3,), (-3,)
def program(x):
    grid = [[1], [2]]
    for row in reversed(grid):
        if x > 0:
            row[0] += x
    return grid


# %% sliced_targets: (3,), (-3,)
def program(x):
    grid = [[1], [2], [3]]
    for row in grid[1:]:
        if x > 0:
            row[0] += x
    return grid


# %% star_target: (3,), (-3,)
def program(x):
    pairs = [(1, [0], [0]), (2, [0], [0])]
    for n, *rows in pairs:
        for row in rows:
            if x > n:
                row[0] = n
    return pairs


# %% with_target: (3,), (-3,)
import contextlib


def program(x):
    store = [1]
    with contextlib.nullcontext(store) as row:
        if x > 0:
            row[0] = 2
    return store


# %% match_capture: (3,), (-3,)
def program(x):
    shape = ["row", [1, 2]]
    match shape:
        case ["row", row]:
            if x > 0:
                row[0] = 9
    return shape


# %% deque_item: (3,), (-3,)
from collections import deque


def helper(d, x):
    if x > 0:
        d[0] = x


def program(x):
    d = deque([1, 2])
    helper(d, x)
    return list(d)


# %% bytearray_item: (3,), (-3,)
def helper(b, x):
    if x > 0:
        b[0] = 7


def program(x):
    b = bytearray(b"ab")
    helper(b, x)
    return b[0]


# %% numpy_item: (3,), (-3,)
import numpy as np


def helper(a, x):
    if x > 0:
        a[0] = 7


def program(x):
    a = np.zeros(2)
    helper(a, x)
    return a


# %% lambda_helper: (3,), (-3,)
def program(x):
    row = [1]
    put = lambda r, v: r.__setitem__(0, v)
    if x > 0:
        put(row, x)
    return row


# %% recursive_helper: (3,), (-3,)
def fill(row, i, x):
    if i == len(row):
        return
    if x > i:
        row[i] = x
    fill(row, i + 1, x)


def program(x):
    row = [0, 0, 0, 0]
    fill(row, 0, x)
    return row


# %% argument_list: ([0, 0], 3), ([0, 0], -3)
def program(row, x):
    if x > 0:
        row[1] = 5
    return x


# %% argument_dict: ({"a": 1}, 3), ({"a": 1}, -3)
def program(d, x):
    if x > 0:
        d["a"] = x
    return x


# %% argument_grid: ([[0], [1]], 3), ([[0], [1]], -3)
def program(grid, x):
    for row in grid:
        if x > 0:
            row[0] = x
    return x


# %% argument_copied: ([0, 0], 3), ([0, 0], -3)
def program(row, x):
    row = list(row)
    if x > 0:
        row[1] = x
    return row


# %% read_between_writes: (3,), (-3,)
def helper(row, x):
    if x > 0:
        row[0] = row[1]
        row[1] = row[0] + x


def program(x):
    row = [1, 2]
    helper(row, x)
    return row


# %% aliased_rows: (3,), (-3,)
def program(x):
    grid = [[0] * 2] * 2
    for row in grid:
        if x > 0:
            row[0] += 1
    return grid


# %% read_through_other_name_inside: (3,), (-3,)
def program(x):
    a = [1]
    b = a
    if x > 0:
        a[0] = 2
        c = b[0]
    else:
        c = b[0] + 10
    return c, b


# %% del_slice: (3,), (-3,)
def helper(v, x):
    if x > 0:
        del v[1:]


def program(x):
    v = [1, 2, 3]
    helper(v, x)
    return len(v)


# %% clear_of_callers_list: (3,), (-3,)
def helper(v, x):
    if x > 0:
        v.clear()


def program(x):
    v = [1, 2]
    helper(v, x)
    return len(v)
