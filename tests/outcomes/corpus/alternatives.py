# %% items_of_list: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    items = [find(x), find(-x), 5]
    return [0 if i is None else i for i in items]

# %% items_filtered: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    items = [find(x), find(-x), 5]
    return sum(i for i in items if i is not None)

# %% count_of_none: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    items = [find(x), find(-x), None]
    n = 0
    for i in items:
        if i is None:
            n += 1
    return n

# %% any_none: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    items = [find(x), 5]
    return any(i is None for i in items)

# %% none_in_list: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    return None in [find(x), 5]

# %% in_list_of_values: (3,), (-3,), (5,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    return find(x) in [5, None]

# %% dict_item: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    d = {"r": find(x)}
    if d["r"] is None:
        return -1
    return d["r"] * 2

# %% dict_get: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    d = {"r": find(x)}
    if d.get("r") is None:
        return -1
    return d.get("r") * 2

# %% attribute_of_object: (3,), (-3,)
class Search:
    def __init__(self):
        self.last = None

    def run(self, x):
        self.last = find(x)
        return self

def find(x):
    if x > 0:
        return x
    return None

def program(x):
    s = Search()
    s.run(x)
    return 0 if s.last is None else s.last + 1

# %% attribute_in_branch: (3,), (-3,)
class Search:
    last = None

def program(x):
    s = Search()
    if x > 0:
        s.last = x
    if s.last is not None:
        s.last += 1
    return s.last or 7

# %% attribute_of_global: (3,), (-3,)
class Search:
    last = None

S = Search()

def program(x):
    S.last = x if x > 0 else None
    return x

# %% global_read_back: (3,), (-3,)
LAST = None

def find(x):
    global LAST
    LAST = x if x > 0 else None

def program(x):
    find(x)
    if LAST is None:
        return 1
    return LAST * 2

# %% dataclass_field: (3,), (-3,)
from dataclasses import dataclass
from typing import Any

@dataclass
class Hit:
    at: Any
    score: Any = None

def program(x):
    h = Hit(x if x > 0 else None)
    return (1 if h.at is None else 2), (3 if h.score is None else 4)

# %% dataclass_equality: (3,), (-3,)
from dataclasses import dataclass
from typing import Any

@dataclass
class Hit:
    at: Any

def program(x):
    return Hit(x if x > 0 else None) == Hit(None)

# %% named_tuple: (3,), (-3,)
from typing import NamedTuple, Any

class Pair(NamedTuple):
    a: Any
    b: Any

def program(x):
    p = Pair(x if x > 0 else None, 2)
    return p.b if p.a is None else p.a

# %% tuple_compared: (3,), (-3,)
def program(x):
    p = (x if x > 0 else None, 2)
    return p == (None, 2), p == (3, 2)

# %% list_compared: (3,), (-3,)
def program(x):
    p = [x if x > 0 else None, 2]
    return p == [None, 2]

# %% compared_with_number: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return y == 3, y != 3, 3 == y, y == "a"

# %% compared_with_none: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return y == None, y != None, None == y, None is y

# %% compared_with_each_other: (3,), (-3,), (0,)
def program(x):
    y = x if x > 0 else None
    z = 3 if x > -1 else None
    return y == z

# %% identity_of_two: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    z = None
    return y is z

# %% chained_identity: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    z = None
    return y is z is None

# %% ordered: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return y is not None and 1 < y < 5

# %% arithmetic_guarded: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    if y is not None:
        y = -y + abs(y) * 2 - 7 // y + y % 2
    return y if y is not None else 99

# %% augmented_guarded: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    if y is not None:
        y += 2
        y *= y
    else:
        y = 1
    return y

# %% unpacked_guarded: (3,), (-3,)
def program(x):
    y = (x, 2) if x > 0 else None
    if y is None:
        return 0
    a, b = y
    return a * b + len(y) + y[0]

# %% unpacked_unguarded: (3,), (-3,)
def program(x):
    a, b = (x, 2) if x > 0 else None
    return a * b

# %% iterated_guarded: (3,), (-3,)
def program(x):
    y = (x, 2, 4) if x > 0 else None
    n = 0
    if y is not None:
        for e in y:
            n += e
    return n

# %% iterated_or: (3,), (-3,)
def program(x):
    y = (x, 2, 4) if x > 0 else None
    n = 0
    for e in y or (1, 1, 1):
        n += e
    return n

# %% truth_of_tuple: (3,), (-3,)
def program(x):
    y = (0,) if x > 0 else None
    return 1 if y else 2

# %% truth_of_string: (3,), (-3,), (0,)
def program(x):
    y = "a" if x > 0 else None
    if not y:
        y = "b"
    return y + "c"

# %% truth_of_object: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

    def __bool__(self):
        return self.v > 2

def program(x):
    y = Box(x) if x > 0 else None
    return 1 if y else 2

# %% truth_in_while: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    n = 0
    while y:
        n += y
        y = y - 1 if y > 1 else None
    return n

# %% and_chain: (3,), (-3,), (0,)
def g(y):
    return y + 1

def program(x):
    y = x if x >= 0 else None
    return (y and g(y)), (y or 8), (not y), (y is None or y > 1)

# %% assert_not_none: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    assert y is not None
    return y + 1

# %% default_argument: (3,), (-3,)
def g(a, b=None, *, c=None):
    if b is None:
        b = 10
    return a + b + (1 if c is None else c)

def program(x):
    y = x if x > 0 else None
    return g(1, y), g(1, b=y), g(1, c=y), g(1, y, c=y), g(*[1, y])

# %% default_argument_of_method: (3,), (-3,)
class Net:
    def __init__(self, size=None):
        self.size = 4 if size is None else size

    def call(self, x, mask=None):
        if mask is not None:
            return x * mask + self.size
        return x - self.size

def program(x):
    y = x if x > 0 else None
    return Net(y).call(2), Net().call(2, y), Net(size=y).call(1, mask=y)

# %% argument_changes_list: (3,), (-3,)
def note(log, v=None):
    if v is None:
        log.append(0)
    else:
        log.append(v)

def program(x):
    log = []
    note(log, x if x > 0 else None)
    note(log)
    return log

# %% appended: (3,), (-3,)
def program(x):
    log = []
    log.append(x if x > 0 else None)
    log.insert(0, x if x > 1 else None)
    return 1 if log[-1] is None else log[0]

# %% appended_in_branch: (3,), (-3,)
def program(x):
    log = []
    y = x if x > 0 else None
    if x > 1:
        log.append(y)
    return len(log)

# %% built_in_functions: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return str(y), repr(y), f"{y}!", "%s" % y, "{}".format(y)

# %% printed: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    print(y, [1])
    return x

# %% printed_in_list: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    print([y])
    return x

# %% isinstance_of_value: (3,), (-3,)
def program(x):
    y = "a" if x > 0 else None
    if isinstance(y, str):
        return 1
    return 2

# %% type_of_value: (3,), (-3,)
def program(x):
    y = "a" if x > 0 else None
    return type(y) is str

# %% class_of_value: (3,), (-3,)
def program(x):
    y = "a" if x > 0 else None
    return y.__class__ is str

# %% callable_of_value: (3,), (-3,)
def program(x):
    f = abs if x > 0 else None
    return 1 if callable(f) else 2

# %% hasattr_of_value: (3,), (-3,)
class Box:
    v = 1

def program(x):
    b = Box() if x > 0 else None
    return 1 if hasattr(b, "v") else 2

# %% getattr_default: (3,), (-3,)
class Box:
    v = 1

def program(x):
    b = Box() if x > 0 else None
    return getattr(b, "v", 5)

# %% key_of_dict: (3,), (-3,)
def program(x):
    y = 1 if x > 0 else None
    d = {None: 5, 1: 6}
    return d[y]

# %% key_written: (3,), (-3,)
def program(x):
    y = "a" if x > 0 else None
    d = {}
    d[y] = 1
    return len(d)

# %% index_of_list: (3,), (-3,)
def program(x):
    i = 1 if x > 0 else None
    rows = [5, 6, 7]
    return 0 if i is None else rows[i]

# %% slice_of_list: (3,), (-3,)
def program(x):
    i = 1 if x > 0 else None
    return [5, 6, 7][:i]

# %% max_of_values: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return max(y, 2) if y is not None else 0

# %% sorted_by_none: (3,), (-3,)
def program(x):
    items = [x if x > 0 else None, 2]
    return len(sorted(items, key=lambda v: v is None))

# %% filter_none: (3,), (-3,)
def program(x):
    items = [x if x > 0 else None, 2]
    return list(filter(None, items))

# %% filter_lambda: (3,), (-3,)
def program(x):
    items = [x if x > 0 else None, 2]
    return sum(filter(lambda v: v is not None, items))

# %% map_function: (3,), (-3,)
def asks(v):
    return 1 if v is None else 2

def program(x):
    items = [x if x > 0 else None, 2]
    return list(map(asks, items))

# %% reduce_function: (3,), (-3,)
import functools

def add(a, v):
    return a if v is None else a + v

def program(x):
    items = [x if x > 0 else None, 2]
    return functools.reduce(add, items, 0)

# %% partial_argument: (3,), (-3,)
import functools

def asks(a, v):
    return a if v is None else a + v

def program(x):
    f = functools.partial(asks, v=x if x > 0 else None)
    return f(4)

# %% partial_position: (3,), (-3,)
import functools

def asks(v, a):
    return a if v is None else a + v

def program(x):
    f = functools.partial(asks, x if x > 0 else None)
    return f(4)

# %% equality_method: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        if other is None:
            return False
        return self.v == other

    def __add__(self, other):
        if other is None:
            return 100
        return self.v + other

def program(x):
    y = x if x > 0 else None
    return Box(3) == y, Box(3) + y

# %% property_setter: (3,), (-3,)
class Box:
    kept = 0

    @property
    def v(self):
        return self.kept

    @v.setter
    def v(self, value):
        if value is None:
            value = 8
        self.kept = value

def program(x):
    b = Box()
    b.v = x if x > 0 else None
    return b.v

# %% item_setter: (3,), (-3,)
class Table:
    def __init__(self):
        self.rows = {}

    def __setitem__(self, key, value):
        self.rows[key] = 7 if value is None else value

    def __contains__(self, value):
        return value is None

def program(x):
    t = Table()
    y = x if x > 0 else None
    t["a"] = y
    return t.rows["a"], y in t

# %% property_getter: (3,), (-3,)
class Box:
    def __init__(self, x):
        self.x = x

    @property
    def v(self):
        if self.x > 0:
            return self.x
        return None

def program(x):
    b = Box(x)
    return 0 if b.v is None else b.v

# %% generator_of_results: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def results(x):
    yield find(x)
    yield find(-x)

def program(x):
    n = 0
    for y in results(x):
        n = n * 10 + (1 if y is None else 2)
    return n

# %% star_arguments: (3,), (-3,)
def first(*values):
    for v in values:
        if v is not None:
            return v
    return -1

def program(x):
    y = x if x > 0 else None
    return first(None, y, 7), first(y)

# %% keyword_arguments: (3,), (-3,)
def total(**values):
    return sum(v for v in values.values() if v is not None)

def program(x):
    return total(a=x if x > 0 else None, b=2)

# %% closure_and_nonlocal: (3,), (-3,)
def program(x):
    best = None

    def offer(v):
        nonlocal best
        if best is None or v > best:
            best = v

    if x > 0:
        offer(x)
    offer(2)
    return best

# %% closure_result: (3,), (-3,)
def program(x):
    y = x if x > 0 else None

    def asks():
        return 1 if y is None else y

    return asks()

# %% nested_calls: (3,), (-3,), (12,)
def inner(x):
    if x > 10:
        return None
    if x > 0:
        return x
    return None

def middle(x):
    return inner(x)

def outer(x):
    y = middle(x)
    return y

def program(x):
    z = outer(x)
    return -1 if z is None else z

# %% two_results: (3,), (-3,), (12,)
def split(x):
    return (x if x > 0 else None), (x if x > 10 else None)

def program(x):
    a, b = split(x)
    return (0 if a is None else a), (0 if b is None else b)

# %% recursion_over_python: (3,), (-3,), (1,)
def find(x, n):
    if n == 0:
        return None
    if x == n:
        return n
    return find(x, n - 1)

def program(x):
    y = find(x, 5)
    if y is None:
        return -1
    return y * 10

# %% recursion_over_tensors: (3,), (-3,), (1,)
def find(x):
    if x == 1:
        return x
    if x < 1:
        return None
    return find(x - 2)

def program(x):
    y = find(x)
    return -1 if y is None else y

# %% loop_keeps_last: (3,), (0,), (-2,)
def program(x):
    last = None
    for i in range(x):
        last = i
    return last

# %% loop_keeps_object: (3,), (0,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    last = None
    i = 0
    while i < x:
        last = Box(i)
        i += 1
    return -1 if last is None else last.v

# %% loop_of_optional_results: (3,), (0,)
def find(x):
    if x > 1:
        return x
    return None

def program(x):
    total = 0
    found = None
    while x > 0:
        y = find(x)
        if y is not None:
            found = y
            total += y
        x -= 1
    return total, found

# %% early_exit_with_none: ((1, 5, 3),), ((0, 0, 0),)
def first_large(xs):
    for x in xs:
        if x > 2:
            return x

def program(xs):
    y = first_large(xs)
    return -1 if y is None else y

# %% sentinel: (3,), (-3,)
MISSING = object()

def find(x):
    if x > 0:
        return x
    return MISSING

def program(x):
    y = find(x)
    if y is MISSING:
        return 0
    return y + 1

# %% sentinel_default: (3,), (-3,)
MISSING = object()

def g(v=MISSING):
    if v is MISSING:
        return 5
    return v * 2

def program(x):
    return g(x if x > 0 else MISSING), g()

# %% enum_member: (3,), (-3,)
import enum

class Mode(enum.Enum):
    FAST = 1
    SLOW = 2

def mode(x):
    return Mode.FAST if x > 0 else Mode.SLOW

def program(x):
    m = mode(x)
    return m is Mode.FAST, m == Mode.SLOW, m.value, m.name

# %% enum_argument: (3,), (-3,)
import enum

class Mode(enum.Enum):
    FAST = 1
    SLOW = 2

def run(m, x):
    if m is Mode.FAST:
        return x
    if m == Mode.SLOW:
        return -x
    return 0

def program(x):
    return run(Mode.FAST if x > 0 else Mode.SLOW, 5)

# %% enum_key: (3,), (-3,)
import enum

class Mode(enum.Enum):
    FAST = 1
    SLOW = 2

def program(x):
    m = Mode.FAST if x > 0 else Mode.SLOW
    return {Mode.FAST: 5, Mode.SLOW: 6}[m]

# %% enum_match: (3,), (-3,)
import enum

class Mode(enum.Enum):
    FAST = 1
    SLOW = 2

def program(x):
    m = Mode.FAST if x > 0 else Mode.SLOW
    match m:
        case Mode.FAST:
            return 1
        case Mode.SLOW:
            return 2
    return 3

# %% match_none: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    match y:
        case None:
            return 1
        case 3:
            return 2
    return 3

# %% match_class: (3,), (-3,)
def program(x):
    y = "a" if x > 0 else None
    match y:
        case str():
            return 1
        case None:
            return 2
    return 3

# %% match_sequence: (3,), (-3,)
def program(x):
    y = (1, x) if x > 0 else None
    match y:
        case (a, b):
            return b
        case None:
            return 2
    return 3

# %% functions_called: (3,), (-3,)
def up(v, by=1):
    return v + by

def down(v, by=1):
    return v - by

def program(x):
    f = up if x > 0 else down
    return f(5), f(5, by=2), f(v=3)

# %% functions_in_dict: (3,), (-3,)
def program(x):
    table = {"f": abs}
    if x > 0:
        table["f"] = lambda v: v + 1
    return table["f"](x)

# %% functions_with_state: (3,), (-3,)
LOG = []

def up(v):
    LOG.append(v)
    return v + 1

def down(v):
    LOG.append(-v)
    return v - 1

def program(x):
    f = up if x > 0 else down
    return f(x)

# %% functions_capture: (3,), (-3,)
def program(x):
    k = 1
    if x > 0:
        def f(v):
            return v + k
    else:
        def f(v):
            return v - k
    k = 10
    return f(x)

# %% functions_capture_of_branch: (3,), (-3,)
def adder(n):
    return lambda v: v + n

def program(x):
    if x > 0:
        f = adder(x * 2)
    else:
        f = adder(1)
    return f(x)

# %% function_given_on: (3,), (-3,)
def apply(f, v):
    if f is None:
        return v
    return f(v)

def program(x):
    f = abs if x > 2 else None
    return apply(f, -x), apply(f=f, v=x)

# %% function_in_map: (3,), (-3,)
def program(x):
    f = (lambda v: v + 1) if x > 0 else (lambda v: v * 2)
    return [f(i) for i in range(3)], list(map(f, [1, 2]))

# %% function_assigned_in_loop: (3,), (0,)
def program(x):
    f = abs
    for i in range(3):
        if x > i:
            f = round
    return f(x)

# %% classes_made: (3,), (-3,)
class A:
    def run(self, x):
        return x

class B:
    def run(self, x):
        return -x

def program(x):
    kind = A if x > 0 else B
    return kind().run(x)

# %% classes_of_objects: (3,), (-3,)
class A:
    def run(self, x):
        return x

class B:
    def run(self, x):
        return -x

def program(x):
    o = A() if x > 0 else B()
    return o.run(x)

# %% known_object_or_none_changed: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    y = a if x > 0 else None
    if y is not None:
        y.v = 5
    return a.v

# %% known_object_or_new_or_none: (3,), (-3,), (12,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a = Box(1)
    y = a if x > 0 else None
    if x > 10:
        y = Box(2)
    if y is not None:
        y.v += 5
    return a.v, (0 if y is None else y.v)

# %% two_names_of_optional_object: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    y = Box(1) if x > 0 else None
    z = y
    if y is not None:
        y.v += x
    return 0 if z is None else z.v

# %% optional_object_kept_in_list: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    y = None
    kept = []
    if x > 0:
        y = Box(1)
    kept.append(y)
    if y is not None:
        y.v = 9
    return 0 if kept[0] is None else kept[0].v

# %% known_list_or_none: (3,), (-3,)
def program(x):
    a = [1, 2]
    y = a if x > 0 else None
    if y is not None:
        y[0] = 5
    return a

# %% known_list_or_none_appended: (3,), (-3,)
def program(x):
    a = [1, 2]
    y = a if x > 0 else None
    if y is not None:
        y.append(5)
    return len(a)

# %% new_list_or_none: (3,), (-3,)
def program(x):
    y = [1, x] if x > 0 else None
    if y is None:
        return 0
    return y[1]

# %% new_dict_or_none_unused: (3,), (-3,)
def program(x):
    y = {"a": x} if x > 0 else None
    return x

# %% linked_list_of_python: (3,), (-3,)
class Node:
    def __init__(self, v, rest):
        self.v = v
        self.rest = rest

def program(x):
    node = Node(1, Node(2, Node(3, None)))
    total = 0
    while node is not None:
        total += node.v * x
        node = node.rest
    return total

# %% annotated: (3,), (-3,)
def program(x):
    y: object = x if x > 0 else None
    u = v = x if x > 1 else None
    return (y is None), (u is None), (v is None)

# %% walrus_in_test: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def program(x):
    if (y := find(x)) is not None and y > 2:
        return y
    return 0

# %% deleted_later: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    z = 1 if y is None else 2
    del y
    return z

# %% returned_in_structures: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    return {"a": [y, 1]}, (y,)

# %% parameter_reassigned: (3,), (-3,)
def g(x, limit=None):
    if x > 0:
        limit = x
    if limit is None:
        return 0
    return limit

def program(x):
    return g(x), g(x, 4)

# %% parameter_default_from_call: (3,), (-3,)
def find(x):
    if x > 0:
        return x
    return None

def g(x, limit=None):
    if limit is None:
        limit = find(x)
    if limit is None:
        return 0
    return limit

def program(x):
    return g(x), g(x, 4)

# %% parameter_kept_in_closure: (3,), (-3,)
def make(limit=None):
    def asks():
        return 0 if limit is None else limit
    return asks

def program(x):
    return make(x if x > 0 else None)()

# %% parameter_of_library: (3,), (-3,)
import copy

def program(x):
    y = x if x > 0 else None
    items = copy.copy([y, 1])
    return 0 if items[0] is None else items[0]

# %% number_or_string: (3,), (-3,)
def program(x):
    y = 1 if x > 0 else "a"
    return y

# %% try_around: (3,), (-3,)
def program(x):
    y = x if x > 0 else None
    try:
        return y + 1
    except TypeError:
        return 0

# %% with_context: (3,), (-3,)
import contextlib

def program(x):
    y = x if x > 0 else None
    with contextlib.nullcontext(y) as z:
        return 0 if z is None else z

# %% in_set: (3,), (-3,)
def program(x):
    y = 1 if x > 0 else None
    return len({y, 1})

# %% operator_module: (3,), (-3,)
import operator

def program(x):
    y = x if x > 0 else None
    return operator.is_(y, None), operator.eq(y, None), operator.not_(y)

# %% lru_cached: (3,), (-3,)
import functools

@functools.lru_cache
def g(v):
    return 1 if v is None else 2

def program(x):
    return g(1 if x > 0 else None)

# %% starmap: (3,), (-3,)
import itertools

def g(v, w):
    return w if v is None else v

def program(x):
    return list(itertools.starmap(g, [(x if x > 0 else None, 5)]))

# %% matrix_of_optionals: (3,), (-3,)
def program(x):
    grid = [[None, None], [None, None]]
    if x > 0:
        grid[0][1] = x
        grid[1][0] = 2
    return [[0 if c is None else c for c in row] for row in grid]

# %% swapped: (3,), (-3,)
def program(x):
    a, b = None, 5
    if x > 0:
        a, b = b, a
    return (0 if a is None else a), (0 if b is None else b)

# %% inherited_default: (3,), (-3,)
class Base:
    limit = None

    def clip(self, v):
        if self.limit is not None and v > self.limit:
            return self.limit
        return v

class Small(Base):
    pass

def program(x):
    s = Small()
    if x > 0:
        s.limit = 2
    return s.clip(5)
