# %% unbound_variable: (3,), (-3,)
def program(x):
    if x > 0:
        y = 1
    return y + 1


# %% key_error: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        return d["b"]
    return 0


# %% index_error: (3,), (-3,)
def program(x):
    v = [1]
    if x > 0:
        return v[5]
    return 0


# %% attribute_error: (3,), (-3,)
class Box:
    pass


def program(x):
    box = Box()
    if x > 0:
        return box.nothing
    return 0


# %% type_error: (3,), (-3,)
def program(x):
    if x > 0:
        return 1 + "a"
    return 0


# %% name_error: (3,), (-3,)
def program(x):
    if x > 0:
        return nowhere
    return 0


# %% zero_division_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        return 1 // 0
    return 0


# %% error_in_loop: (3,), (0,)
def program(n):
    v = [1, 2]
    for i in range(n):
        v[7] = i
    return v


# %% error_always: (3,), (-3,)
def program(x):
    return {}["a"]


# %% error_in_helper: (3,), (-3,)
def helper(d):
    return d["missing"]


def program(x):
    if x > 0:
        return helper({})
    return 0


# %% not_callable: (3,), (-3,)
def program(x):
    y = 5
    if x > 0:
        return y(1)
    return 0


# %% wrong_arguments: (3,), (-3,)
def helper(a):
    return a


def program(x):
    if x > 0:
        return helper(1, 2)
    return 0


# %% stop_iteration: (3,), (-3,)
def program(x):
    if x > 0:
        return next(iter([]))
    return 0


# %% unpack_error: (3,), (-3,)
def program(x):
    if x > 0:
        a, b = [1]
        return a
    return 0


# %% custom_error: (3,), (-3,)
class Oops(Exception):
    pass


def program(x):
    if x > 0:
        raise Oops("a", 1)
    return 0


# %% error_from: (3,), (-3,)
def program(x):
    try:
        {}["k"]
    except KeyError as e:
        if x > 0:
            raise ValueError("outer") from e
    return 0


# %% assertion: (3,), (-3,)
def program(x):
    assert x < 0
    return x


# %% raise_in_helper: (3,), (-3,)
def check(x):
    if x > 0:
        raise ValueError("positive")


def program(x):
    v = [0]
    check(x)
    v[0] = 1
    return v


# %% raise_in_while: (3,), (30,)
def program(n):
    i = 0
    while i < n:
        if i == 10:
            raise RuntimeError("ten")
        i += 1
    return i


# %% raise_after_write_to_global: (3,), (-3,)
LOG = [0]


def program(x):
    LOG[0] = 0
    if x > 0:
        LOG[0] = 1
    if x < 0:
        raise ValueError("negative")
    return x


# %% immutable_item: (3,), (-3,)
def program(x):
    t = (1, 2)
    if x > 0:
        t[0] = 5
    return t


# %% negative_range_step: (3,), (0,)
def program(n):
    total = 0
    for i in range(0, 10, n):
        total += i
    return total


# %% system_exit: (3,), (-3,)
def program(x):
    if x > 100:
        raise SystemExit(1)
    return x


# %% recursion_without_end: (3,), (-3,)
def forever(x):
    return forever(x + 1)


def program(x):
    y = 0
    if x > 100:
        y = 1
    return y
