# %% two_names: (3,), (-3,)
def program(x):
    a = [1, 2]
    b = a
    if x > 0:
        a[0] = 10
    return b


# %% two_names_both_written: (3,), (-3,)
def program(x):
    a = [1, 2]
    b = a
    if x > 0:
        a[0] = 10
        b[1] = 20
    return a, b


# %% rebound_in_branch: (3,), (-3,)
def program(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [3, 4]
    a[0] = 9
    return a, b


# %% alias_made_in_branch: (3,), (-3,)
def program(x):
    a, b = [1], [2]
    if x > 0:
        b = a
    b[0] = 7
    return a, b


# %% list_in_list: (3,), (-3,)
def program(x):
    inner = [1]
    outer = [inner, inner]
    if x > 0:
        outer[0][0] = 5
    return outer, inner


# %% list_in_dict: (3,), (-3,)
def program(x):
    inner = [1]
    d = {"a": inner}
    if x > 0:
        inner[0] = 5
    return d


# %% list_in_object: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v


def program(x):
    inner = [1]
    box = Box(inner)
    if x > 0:
        inner[0] = 5
    return box.v


# %% object_in_two_lists: (3,), (-3,)
class Box:
    v = 0


def program(x):
    box = Box()
    a, b = [box], [box]
    if x > 0:
        a[0].v = 5
    return b[0].v


# %% object_under_two_names: (3,), (-3,)
class Box:
    v = 0


def program(x):
    a = Box()
    b = a
    if x > 0:
        a.v = x
    else:
        b.v = -x
    return a.v, b.v, a is b


# %% argument_aliased: (3,), (-3,)
def helper(a, b, x):
    if x > 0:
        a[0] = 5
        b[0] += 1


def program(x):
    v = [0]
    helper(v, v, x)
    return v


# %% global_and_local: (3,), (-3,), (4,)
V = [0]


def program(x):
    v = V
    if x > 0:
        v[0] = x
    return V[0]


# %% default_and_name: (3,), (-3,)
def program(x):
    store = [0]

    def put(k, s=store):
        if k > 0:
            s[0] = k

    put(x)
    return store


# %% closure_and_name: (3,), (-3,)
def program(x):
    v = [0]
    w = v

    def put():
        v[0] = 5

    if x > 0:
        put()
    return w


# %% slice_is_copy: (3,), (-3,)
def program(x):
    a = [1, 2, 3]
    b = a[:]
    if x > 0:
        a[0] = 9
    return a, b


# %% slice_shares_elements: (3,), (-3,)
def program(x):
    a = [[1], [2]]
    b = a[:]
    if x > 0:
        b[0][0] = 9
        b[1] = [7]
    return a, b


# %% copy_module: (3,), (-3,)
import copy


def program(x):
    a = [[1], [2]]
    b, c = copy.copy(a), copy.deepcopy(a)
    if x > 0:
        a[0][0] = 9
    return b, c


# %% deepcopy_in_branch: (3,), (-3,)
import copy


def program(x):
    a = [[1], [2]]
    b = a
    if x > 0:
        b = copy.deepcopy(a)
    b[0][0] = 5
    return a, b


# %% list_times_shares: (3,), (-3,)
def program(x):
    a = [[0]] * 3
    if x > 0:
        a[1][0] = 5
    return a


# %% self_reference: (3,), (-3,)
def program(x):
    a = [0]
    a.append(a)
    if x > 0:
        a[1][0] = 5
    return a[0]


# %% cycle_of_objects: (3,), (-3,)
class Node:
    def __init__(self):
        self.v = 0
        self.other = None


def program(x):
    a, b = Node(), Node()
    a.other, b.other = b, a
    if x > 0:
        a.other.other.v = 5
    return a.v, b.v


# %% doubly_linked: (3,), (-3,)
class Node:
    def __init__(self, v):
        self.v = v
        self.left = None
        self.right = None


def program(x):
    a, b = Node(1), Node(2)
    a.right = b
    b.left = a
    if x > 0:
        b.left.v = 10
        a.right.v = 20
    return a.v, b.v


# %% alias_in_loop: (3,), (0,)
def program(n):
    a = [0]
    b = a
    for i in range(n):
        a[0] += i
        b[0] += 1
    return a, b


# %% alias_of_row_in_loop: (3,), (0,)
def program(n):
    grid = [[0], [0]]
    row = grid[1]
    i = 0
    while i < n:
        row[0] += i
        grid[1][0] += 1
        i += 1
    return grid


# %% alias_returned_by_method: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = [0]

    def get(self):
        return self.v


def program(x):
    box = Box()
    v = box.get()
    if x > 0:
        box.get()[0] = 5
    return v


# %% alias_in_tuple: (3,), (-3,)
def program(x):
    a = [0]
    t = (a, 1)
    if x > 0:
        t[0][0] = 5
    return a


# %% alias_through_dict_values: (3,), (-3,)
def program(x):
    a = [0]
    d = {"k": a}
    for v in d.values():
        if x > 0:
            v[0] = 5
    return a


# %% alias_of_attribute_list: (3,), (-3,)
class Box:
    def __init__(self):
        self.items = [1, 2]


def program(x):
    box = Box()
    items = box.items
    if x > 0:
        box.items[0] = 9
    return items


# %% attribute_rebound: (3,), (-3,)
class Box:
    def __init__(self):
        self.items = [1, 2]


def program(x):
    box = Box()
    items = box.items
    if x > 0:
        box.items = [3, 4]
    box.items[0] = 9
    return items, box.items


# %% augmented_list_keeps_identity: (3,), (-3,)
def program(x):
    a = [1]
    b = a
    a += [2]
    if x > 0:
        b[0] = 7
    return a


# %% augmented_number_does_not: (3,), (-3,)
def program(x):
    a = 1
    b = a
    if x > 0:
        a += x
    return a, b


# %% shared_counter: (3,), (-3,)
class Counter:
    def __init__(self):
        self.n = 0


class User:
    def __init__(self, c):
        self.c = c

    def use(self, x):
        if x > 0:
            self.c.n += 1


def program(x):
    c = Counter()
    a, b = User(c), User(c)
    a.use(x)
    b.use(x)
    b.use(1)
    return c.n


# %% observer_pattern: (3,), (-3,)
class Subject:
    def __init__(self):
        self.watchers = []
        self.v = 0

    def set(self, v):
        self.v = v
        for w in self.watchers:
            w.notice(v)


class Watcher:
    def __init__(self):
        self.last = 0
        self.count = 0

    def notice(self, v):
        self.last = v
        self.count += 1


def program(x):
    s = Subject()
    a, b = Watcher(), Watcher()
    s.watchers.append(a)
    s.watchers.append(b)
    if x > 0:
        s.set(x)
    return s.v, a.last, b.last, a.count


# %% tensors_do_not_alias: (3,), (-3,)
def program(x):
    a = x
    b = a
    if x > 0:
        a += 1
    return a, b


# %% many_aliases: (3,), (-3,)
def program(x):
    base = [0, 0]
    names = {"a": base, "b": [base], "c": (base,)}
    if x > 0:
        names["b"][0][0] = 1
        names["c"][0][1] = 2
    return names["a"], base


# %% large_object_graph: (3,), (-3,)
_BIG = [[i] for i in range(60_000)]


def program(x):
    row = _BIG[59_999]
    before = row[0]
    if x > 0:
        row[0] = 1
    after = _BIG[59_999][0]
    _BIG[59_999][0] = before
    return after


# %% large_dict: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = 0


_BOXES = {i: Box() for i in range(20_000)}


def touch(box, x):
    if x > 0:
        box.v = 5


def program(x):
    _BOXES[19_999].v = 0
    touch(_BOXES[19_999], x)
    return _BOXES[19_999].v


# %% deep_nesting: (3,), (-3,)
def nest(k):
    v = [0]
    for _ in range(k):
        v = [v]
    return v


def bottom(v, k):
    for _ in range(k):
        v = v[0]
    return v


def program(x):
    v = nest(200)
    if x > 0:
        bottom(v, 200)[0] = 5
    return bottom(v, 200)[0]


# %% alias_after_loop_break: (5,), (1,)
def program(n):
    rows = [[0], [0]]
    current = rows[0]
    for i in range(n):
        if i == 2:
            break
        current[0] += 1
    return rows
