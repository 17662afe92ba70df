# %% or_none_is_none: (3,), (0,)
def program(x):
    return (x or None) is None

# %% or_none_named: (3,), (0,)
def program(x):
    y = x or None
    return y is None

# %% or_none_if: (3,), (0,)
def program(x):
    if (x or None) is None:
        return 1
    return 2

# %% or_none_equal: (3,), (0,)
def program(x):
    return (x or None) == None, (x or None) != None, (x or None) is not None

# %% and_none: (3,), (0,)
def program(x):
    return (x and None) is None, (x and None) is not None

# %% if_none: (3,), (0,)
def program(x):
    return (x if x else None) is None, (None if x else x) is None, (x if x > 1 else None) is not None

# %% or_none_not: (3,), (0,)
def program(x):
    return not (x or None)

# %% or_in_call: (3,), (0,)
def f(v):
    return 1 if v is None else 2
def program(x):
    return f(x or None), f(x if x else None)

# %% or_false: (3,), (0,)
def program(x):
    return (x or False) is False, (x or "") == ""

# %% or_none_walrus: (3,), (0,)
def program(x):
    if (y := x or None) is None:
        return 1
    return y

# %% growing_or_none: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    b = a or None
    return b is None, (a or None) is not None

# %% object_or: (3,), (0,)
class A:
    pass
def program(x):
    o = A()
    return (x or o) is o

# %% object_or_equal: (3,), (0,)
class A:
    pass
def program(x):
    o = A()
    return (x or o) == o

# %% list_or_equal: (3,), (0,)
def program(x):
    return (x or []) == []

# %% list_or_not_equal: (3,), (0,)
def program(x):
    return (x or []) != 3

# %% text_or_isinstance: (3,), (0,)
def program(x):
    return isinstance(x or "", str)

# %% text_or_equal: (3,), (0,)
def program(x):
    return (x or "") == "", (x or "a") == "a"

# %% text_or_in: (3,), (0,)
def program(x):
    return (x or "") in ["", 5]

# %% list_or_len: (3,), (0,)
def program(x):
    return len(x or [])

# %% list_or_iter: (3,), (0,)
def program(x):
    return [v for v in (x and [1, 2])]

# %% callable_of: (3,), (0,)
def program(x):
    return callable(x or len)

# %% stored_and_returned: (3,), (0,)
def program(x):
    d = {"a": x or []}
    return len(d), (x or [1]) and 2

# %% is_truth: (3,), (0,)
def program(x):
    return (x > 0 or "a") is True

# %% nested_or: (3,), (0,)
def program(x):
    y = x or None or 7
    z = x and None or 8
    w = None or x or 3
    return y, z, w

# %% or_function: (3,), (0,)
def f(v):
    return v + 1
def program(x):
    g = (x > 0 and f) or abs
    return g(x)

# %% and_attribute: (3,), (0,)
class A:
    v = 5
def program(x):
    a = A() if x > 0 else None
    return a and a.v, (a and a.v) is None

# %% default_argument: (3,), (0,)
def f(a, b=None):
    b = b or 5
    return a + b
def program(x):
    return f(x), f(1, x), f(1, x or None)

# %% or_none_returned: (3,), (0,)
def g(x):
    return x or None
def program(x):
    r = g(x)
    if r is None:
        return -1
    return r + 1

# %% or_none_in_list: (3,), (0,)
def program(x):
    v = [x or None, 2]
    return v[0] is None, v[1], [e for e in v if e is not None][-1]

# %% or_none_loop: ((3, 0, 2),), ((0, 0, 1),)
def program(xs):
    n = 0
    last = None
    for x in xs:
        last = x or None
        if last is None:
            n += 1
    return n, last is None

# %% and_number_none: (3,), (0,)
def program(x):
    y = x > 1 and None
    return y is None, not y

# %% string_or_none: (3,), (0,)
def program(x):
    s = "ab" if x else ""
    t = s or None
    return t is None, "z" if t is None else t

# %% or_default_chain: (3,), (0,)
def program(x):
    cfg = {"a": x}
    v = cfg.get("a") or cfg.get("b") or 9
    w = cfg.get("b") or x or 4
    return v, w

# %% and_guard_none: (3,), (0,)
class A:
    def __init__(self, x):
        self.x = x
        self.next = None
def program(x):
    a = A(x)
    if x > 0:
        a.next = A(x + 1)
    b = a.next and a.next.x
    if b is None:
        return -1
    return b

# %% or_in_argument_default: (3,), (0,)
def scale(v, k=None):
    k = k or 2
    return v * k
def program(x):
    return scale(5, x), scale(5, x or None), scale(5)

# %% conditional_none_chain: (3,), (0,), (-3,)
def pick(x):
    return "a" if x > 0 else None
def program(x):
    p = pick(x)
    q = p or "z"
    return q, p is None, q == "a"

# %% none_or_number_arith: (3,), (0,)
def program(x):
    y = x or None
    if y is not None:
        z = y + 1
    else:
        z = 0
    return z

# %% not_or: (3,), (0,)
def program(x):
    y = not (x or None)
    z = not x and 5
    w = (x and 5) or 6
    return y, z, w

# %% or_assigned_in_loop: (3,), (0,)
def program(x):
    y = None
    for i in range(3):
        y = y or (i + x if i > 1 else None)
    return y

# %% or_attribute_cache: (3,), (0,)
class A:
    def __init__(self):
        self.c = None
    def get(self, x):
        self.c = self.c or x
        return self.c
def program(x):
    a = A()
    return a.get(x), a.get(7), a.c

# %% or_strings: (3,), (0,)
def program(x):
    s = "a" if x > 0 else ""
    t = s or "default"
    u = s and s + "!"
    return t, u, bool(s), not s

# %% or_lists: (3,), (0,)
def program(x):
    v = [x] if x > 0 else []
    return len(v or [1, 2]), (v or [0])[0]

# %% ternary_types: (3,), (0,)
def program(x):
    y = x if x > 0 else 1.5
    z = True if x > 0 else 0
    return y + 1, z == 1

# %% chained_ternary: (3,), (0,), (-3,)
def program(x):
    s = "pos" if x > 0 else "zero" if x == 0 else "neg"
    return s + "!", len(s)

# %% and_chain_values: (3,), (0,), (1,)
def program(x):
    return x and x - 1 and 5, x or x + 1 or 2, 0 or x, 1 and x, x and 0 or 4

# %% identity_of_same: (3,), (0,)
def program(x):
    a = [x]
    b = a if x > 0 else [x]
    c = (x > 0 and a) or None
    return b == a, c is None

# %% none_compare: (3,), (0,)
def program(x):
    y = x or None
    return y == 3, y != 3, y == None, y in (3, None), y in [None]

# %% none_in_dict_value: (3,), (0,)
def program(x):
    d = {"a": x or None, "b": 1}
    return d["a"] is None, d.get("a") is None, d.get("c") is None, len(d)

# %% none_tuple_return: (3,), (0,)
def f(x):
    return (x or None), x
def program(x):
    a, b = f(x)
    return a is None, b

# %% none_formatted: (3,), (0,)
def program(x):
    y = x or None
    return f"{y}", str(y)

# %% is_none_while: (3,), (0,)
def program(x):
    y = x or None
    n = 0
    while y is not None:
        n += 1
        y = (y - 1) or None
    return n

# %% or_bool_of_call: (3,), (0,)
def f(log, v):
    log.append(1)
    return v
def program(x):
    log = []
    r = f(log, x) or f(log, 0) or f(log, 7)
    return r, len(log)

# %% or_none_min: (3,), (0,)
def program(x):
    vs = [v for v in (x or None, 5) if v is not None]
    return sum(vs), len(vs)

# %% any_none: (3,), (0,)
def program(x):
    return any(v is None for v in (x or None, 1)), all(v is not None for v in [x or None])

# %% optional_attribute: (3,), (0,)
class A:
    pass
def program(x):
    a = A()
    a.v = x or None
    if x > 1:
        a.v = None
    return a.v is None

# %% xor_truth: (3,), (0,)
def program(x):
    return bool(x) ^ True, (x > 0) != (x > 1), (x > 0) == True, (x > 0) is not None
