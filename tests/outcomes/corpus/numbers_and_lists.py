# %% weak_equals_list: (3,), (-3,)
def program(x):
    if x > 0:
        n = 1
    else:
        n = 2
    return n == [1, 2]


# %% list_equals_weak: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return [1, 2] == n


# %% weak_not_equals_list: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    if n != [1, 2]:
        return x
    return -x


# %% weak_equals_tuple: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n == (1, 2), (1,) == n


# %% weak_in_list_of_lists: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n in [[1], [2]]


# %% weak_equals_dict: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n == {"a": 1}


# %% weak_equals_none: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n == None


# %% weak_equals_text: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n == "a", n != "a"


# %% weak_equals_empty: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n == [], n == ()


# %% weak_equals_object: (3,), (-3,)
class Box:
    pass


def program(x):
    n = 0
    b = Box()
    if x > 0:
        n = 1
    return n == b


# %% weak_in_nested_equality: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return [n, 2] == [[1], 2]


# %% weak_index: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return [[1], n].index(n), [[0], 0, 1].count(n)


# %% weak_from_loop_equals_list: (3,), (-3,)
def program(x):
    n = 0
    while x > 0:
        n = n + 1
        x = x - 1
    return n == [3]


# %% weak_float_equals_list: (3,), (-3,)
def program(x):
    n = 0.5
    if x > 0:
        n = 1.5
    return n == [1.5], [0.5] != n


# %% weak_equals_list_of_tensors: (3,), (-3,)
def program(x):
    n = 0
    if x > 0:
        n = 1
    return n == [x, x], n != [x]


# %% weak_bool_equals_list: (3,), (-3,)
def program(x):
    n = False
    if x > 0:
        n = True
    return n == [True], n == []


# %% text_equals_list: (3,), (-3,)
def program(x):
    n = "b"
    if x > 0:
        n = "a"
    return n == ["a"], n != ("a",)

# %% list_times_inplace: (3,), (0,)
def program(x):
    v = [1, 2]
    w = v
    v *= x
    return w

# %% list_times_write: (3,), (1,)
def program(x):
    v = [0] * x
    v[0] = x
    return v
