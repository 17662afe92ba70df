# %% dict_in_loop: (3,), (1,)
def program(n):
    d = {}
    for i in range(n):
        d["p"] = i
    return d["p"]


# %% dict_in_loop_may_not_run: (3,), (0,)
def program(n):
    d = {}
    for i in range(n):
        d["p"] = i
    return d["p"]


# %% dict_in_loop_length: (3,), (0,)
def program(n):
    d = {}
    for i in range(n):
        d["p"] = i
    return len(d)


# %% dict_in_loop_get: (3,), (0,)
def program(n):
    d = {}
    for i in range(n):
        d["p"] = i
    return d.get("p", -1)


# %% dict_key_by_index: (3,), (0,)
def program(n):
    d = {}
    for i in range(n):
        d[i] = i * i
    return len(d)


# %% dict_key_by_element: ((1, 2, 1),), ((3, 3, 3),)
def program(xs):
    d = {}
    for v in xs:
        d[v] = d.get(v, 0) + 1
    return len(d)


# %% count_with_in: ((1, 2, 1),), ((3, 3, 3),)
def program(xs):
    d = {}
    for v in xs:
        if v in d:
            d[v] += 1
        else:
            d[v] = 1
    return d.get(1, 0)


# %% dict_in_while: (3,), (0,)
def program(n):
    d = {"count": 0}
    while n > 0:
        d["last"] = n
        d["count"] += 1
        n -= 1
    return d["count"]


# %% two_keys: (3,), (1,)
def program(n):
    d = {}
    for i in range(n):
        d["a"] = i
        d["b"] = i * 2
    return d["a"] + d["b"]


# %% key_in_branch_of_loop: (3,), (1,)
def program(n):
    d = {}
    for i in range(n):
        if i > 1:
            d["big"] = i
    return d.get("big", 0)


# %% key_read_in_loop: (3,), (1,)
def program(n):
    d = {}
    for i in range(n):
        d["v"] = d.get("v", 10) + i
    return d["v"]


# %% python_loop: (3,), (-3,)
def program(x):
    d = {}
    for key in "abc":
        if x > 0:
            d[key] = x
        else:
            d[key] = 0
    return d


# %% python_loop_in_branch: (3,), (-3,)
def program(x):
    d = {}
    for key in "abc":
        if x > 0:
            d[key] = x
    return len(d)


# %% attribute_in_loop: (3,), (1,)
class Box:
    pass


def program(n):
    box = Box()
    for i in range(n):
        box.last = i
    return box.last


# %% global_object_in_loop: (3,), (0,), (4,)
class Box:
    def __init__(self):
        self.total = 0


BOX = Box()


def program(n):
    for i in range(n):
        BOX.total += i
    return n


# %% global_object_then_python: (3,), (0,)
class Box:
    def __init__(self):
        self.total = 0


BOX = Box()


def program(n):
    for i in range(n):
        BOX.total = i
    return BOX.total


def between():
    BOX.total = BOX.total + 1


# %% global_dict_in_loop: (3,), (0,), (4,)
STATE = {"total": 0}


def program(n):
    for i in range(n):
        STATE["total"] += i
    return n


# %% global_list_in_loop: (3,), (0,), (4,)
STATE = [0, 0]


def program(n):
    i = 0
    while i < n:
        STATE[0] += i
        i += 1
    return n


# %% nested_dict_in_loop: (3,), (0,)
def program(n):
    d = {"inner": {}}
    for i in range(n):
        d["inner"]["v"] = i
    return len(d["inner"])


# %% dict_of_lists_in_loop: (3,), (0,)
def program(n):
    d = {"a": []}
    for i in range(n):
        d["a"].append(i)
    return d


# %% memo_in_loop: (5,), (1,)
def program(n):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 1):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n]


# %% setdefault_in_loop: (3,), (0,)
def program(n):
    d = {}
    for i in range(n):
        d.setdefault("first", i)
    return d.get("first", -1)


# %% order_of_keys: (3,), (-3,)
def program(x):
    d = {"a": 0}
    if x > 0:
        d["c"] = 1
        d["b"] = 2
    else:
        d["b"] = 3
        d["c"] = 4
    return list(d)


# %% order_of_keys_with_values: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["c"] = 1
        d["b"] = 2
    else:
        d["b"] = 3
        d["c"] = 4
    return list(d.items())
