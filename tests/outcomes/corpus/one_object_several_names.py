# %% tuple_keeps_its_list_past_a_branch: (3,), (-3,)
def program(x):
    p = [1, 2]
    d = {"b": p}
    t = (p,)
    if x > 0:
        pass
    else:
        d["b"] = p
    t[0][0] = 5
    return t, p, d

# %% tuple_keeps_its_list_past_a_loop: (3, 2), (-3, 0)
def program(x, n):
    p = [1, x]
    t = (p, p)
    for i in range(n):
        p[1] += i
        t[0][0] += 1
    return t, p

# %% tuple_in_a_tuple_keeps_its_list: (3,), (-3,)
def program(x):
    p = [1, 2]
    t = ((p, x), 4)
    if x > 0:
        p.append(x)
    t[0][0][0] = 5
    p += [x]
    return t, p

# %% one_of_two_tuples_of_lists: (3,), (-3,)
def program(x):
    p, q = [1, 2], [3, 4]
    t = (p, q)
    if x > 0:
        t = (q, p)
    t[0][0] = 8
    return p, q

# %% augmented_then_changed_under_the_other_name: (3,), (-3,)
def program(x):
    p = [1, 2]
    r = p
    if x > 0:
        r = [3, 4]
    r += [5]
    p[0] = 7
    return p

# %% multiplied_then_changed_under_the_other_name: (3,), (-3,)
def program(x):
    p = [1, 2]
    r = p
    if x > 0:
        r = [3, 4]
    r *= 2
    p[0] = 7
    return p, r

# %% updated_dict_then_changed_under_the_other_name: (3,), (-3,)
def program(x):
    p = {1: 2}
    r = p
    if x > 0:
        r = {1: 3}
    r |= {1: 5}
    p[1] += 8
    return p

# %% item_of_one_that_may_be_none: (3,), (-3,), (9,)
def found(x, p, q):
    for r in (p, q):
        if r[0] > x:
            return r

def program(x):
    p, q = [1, 2], [15, 6]
    r = found(x, p, q)
    r[x % 2] = 4
    p[0] = 3
    return p, q

# %% deleted_from_one_that_may_be_none: (3,), (-3,), (9,)
def found(x, p, q):
    for r in (p, q):
        if r[0] > x:
            return r

def program(x):
    p, q = [1, 2], [15, 6]
    r = found(x, p, q)
    del r[0]
    p[0] = 7
    return p

# %% global_row_of_one_that_may_be_none: (3,), (-3,), (0,)
SPARE = [9, 0]

def found(rows, k):
    for row in rows:
        if row[0] > k:
            return row

def program(x):
    p = [1, 2]
    r = found([p, SPARE], x)
    r[0] = x
    p[1] = 3

# %% changes_one_that_may_be_none_only: (3,), (-3,)
def found(rows, k):
    for row in rows:
        if row[0] > k:
            return row

def program(x):
    r = found([[1, x], [5, 6]], x)
    r[0] = 4
    del r[1]
    return r

# %% identity_of_a_row_that_a_search_found: (3, 2), (3, 8)
ROW = [7, 8]

def found(rows, k):
    for row in rows:
        if row[0] > k:
            return row
    return rows[0]

def program(x, n):
    return found([ROW, [3, x]], n) is ROW

# %% identity_of_a_row_that_a_search_in_a_branch_found: (3,), (-3,), (8,)
ROW = [7, 8]

def found(rows, k):
    for row in rows:
        if row[0] > k:
            return row
    return rows[0]

def program(x):
    if (found([ROW, [9, 0]], x) if x > 0 else ROW) is ROW:
        return 1
    return 0

# %% count_of_a_row_that_a_search_found: (3,), (9,)
def found(rows, k):
    for row in rows:
        if row[0] > k:
            return row
    return rows[0]

def program(x):
    q = [3, 4]
    g = [[7, 8], q]
    r = found(g, x)
    return [z is r for z in g], sum(z is q for z in g)

# %% new_dataclass_in_a_global_holds_a_global_row: (3,), (-3,)
import dataclasses

@dataclasses.dataclass
class Box:
    row: list
    n: int

ROW = [7, 8]
HELD = {"b": Box(ROW, 0), "t": (ROW, 0)}

def program(x):
    HELD["b"] = Box(ROW, x)
    HELD["t"] = (ROW, x)
    ROW[0] += x
    return HELD["b"].row is ROW

# %% new_dataclass_in_a_global_holds_a_new_row: (3,), (-3,)
import dataclasses

@dataclasses.dataclass
class Box:
    row: list
    n: int

HELD = {"b": Box([7, 8], 0), "t": 0}

def program(x):
    row = [x, 1]
    HELD["b"] = Box(row, x)
    HELD["t"] = (row, 2)
    return row

# %% result_holds_what_a_search_may_have_found_twice: (3,), (-3,), (2,)
def program(x):
    p, q = [1, 2], [3, 4]
    r = None
    for row in (p, q):
        if row[0] > x:
            r = row
    if r is None:
        r = p
    return r, p

# %% deletes_from_what_a_search_found: (3,), (-3,), (2,)
def program(x):
    p, q = [1, 2], [3, 4]
    r = None
    for row in (p, q):
        if row[0] > x:
            r = row
    if r is None:
        r = p
    del r[0]
    return p, q

# %% global_object_holds_what_a_search_found: (3,), (-3,), (2,)
HELD = {"row": None}

def program(x):
    p, q = [1, 2], [3, 4]
    r = None
    for row in (p, q):
        if row[0] > x:
            r = row
    HELD["row"] = r
    p[0] = 5
    return p

# %% identity_of_an_item_of_a_list_that_shrank: (3,), (-3,)
def program(x):
    p, q = [1, 2], [3, 4]
    g = [p, q]
    if x > 0:
        g.pop()
    return g[0] is p, isinstance(g[0], list)

# %% class_of_an_item_of_a_list_that_shrank: (3,), (-3,)
def program(x):
    g = [[1, 2], [3, 4]]
    if x > 0:
        g.pop()
    return type(g[0]) is list

# %% truth_of_operands_left_in_a_global: (3,), (-3,)
HELD = {"row": 0}

def program(x):
    r = (x > 0 and [1, 2]) or [3, 4]
    HELD["row"] = r
    return x

# %% attribute_that_holds_a_global_row_since_the_first_call: (3,), (-3,), (4,)
class Box:
    def __init__(self, row):
        self.row = row

ROW = [7, 8]
BOXES = [Box([9, 0])]
CALLS = []

def program(x):
    ROW[0] = x
    if not CALLS:
        CALLS.append(1)
        BOXES[0].row = ROW
    return BOXES[0].row is ROW

# %% chosen_record_and_the_row_that_one_holds: (3, 1), (-3, 1)
import dataclasses

@dataclasses.dataclass
class Box:
    row: list

def program(x, y):
    p = [1, y]
    o, u = Box(p), Box([3, 4])
    return (o if x > 0 else u), [p]

# %% two_chosen_records_that_hold_one_row: (3, 1), (-3, 1), (3, -1)
import dataclasses

@dataclasses.dataclass
class Box:
    row: list

def program(x, y):
    p = [1, y]
    o, u = Box(p), Box(p)
    return (o if x > 0 else u), (o if y > 0 else u)

# %% chosen_record_with_a_row_of_its_own: (3, 1), (-3, 1)
import dataclasses

@dataclasses.dataclass
class Box:
    row: list

def program(x, y):
    p = [1, y]
    o, u = Box([5, 6]), Box([3, 4])
    return (o if x > 0 else u), [p]

# %% item_of_a_list_that_may_have_changed_beside_a_tensor: (3,), (-3,)
def program(x):
    p = [1, 2]
    r = p
    if x > 0:
        r = [3, 4]
    p[0] = 9
    return x > r[0], x + r[1]

# %% one_of_a_longer_list_after_an_insertion: (1, 1), (3, 2), (-1, 2)
def touched(row, k):
    if k > 1:
        row[0] += k
    return row


def program(x, n):
    p, w = [x, 2], [7, 8]
    q = p
    p.insert(0, x)
    if n > 1:
        e = touched(q if x > 0 else [p, p][1], x)
    else:
        e = w
    e[0] = 1
    return e[0]
