# %% defaultdict_new_key: (3,), (-3,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    if x > 0:
        d["a"].append(x)
    else:
        d["b"].append(x)
    return dict(d)

# %% defaultdict_one_way: (3,), (-3,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    if x > 0:
        d["a"].append(x)
    return "a" in d

# %% defaultdict_len: (3,), (-3,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    d["a"].append(1)
    if x > 0:
        d["a"].append(x)
    return len(d["a"])

# %% defaultdict_in_loop: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    for i in range(4):
        if i < x:
            d["a"].append(i)
        else:
            d["b"].append(i * 2)
    return len(d["a"]), len(d["b"])

# %% defaultdict_returned: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    for i in range(4):
        if i < x:
            d["a"].append(i)
        else:
            d["b"].append(i * 2)
    return d

# %% defaultdict_staged_loop: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    i = 0
    while i < x:
        d["a"].append(i)
        i += 1
    return d["a"]

# %% setdefault_new_key: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d.setdefault("a", []).append(x)
    else:
        d.setdefault("b", []).append(x)
    return d

# %% setdefault_one_way: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d.setdefault("a", []).append(x)
    return len(d.get("a", []))

# %% setdefault_known: (3,), (-3,)
def program(x):
    d = {"a": []}
    if x > 0:
        d.setdefault("a", []).append(x)
    return len(d["a"])

# %% setdefault_loop: (3,), (-3,), (5,)
def program(x):
    d = {}
    for i in range(4):
        if i < x:
            d.setdefault("a", []).append(i)
        else:
            d.setdefault("b", []).append(i)
    return d

# %% setdefault_staged_loop: (3,), (-3,), (5,)
def program(x):
    d = {}
    i = 0
    while i < x:
        d.setdefault("a", []).append(i)
        i += 1
    return d

# %% defaultdict_attribute: (3,), (-3,), (5,)
from collections import defaultdict

class Graph:
    def __init__(self):
        self.edges = defaultdict(list)

    def add(self, a, b):
        self.edges[a].append(b)

def program(x):
    g = Graph()
    g.add("a", 1)
    if x > 0:
        g.add("b", x)
    if x > 4:
        g.add("b", 7)
    return len(g.edges["a"]), len(g.edges["b"])

# %% defaultdict_iterated: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    if x > 0:
        d["a"].append(x)
    total = 0
    for v in d["a"]:
        total += v
    return total

# %% defaultdict_global: (3,), (-3,), (5,)
from collections import defaultdict
D = defaultdict(list)

def program(x):
    if x > 0:
        D["a"].append(x)
    return x

# %% defaultdict_int: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(int)
    if x > 0:
        d["a"] += 1
    if x > 4:
        d["b"] += 2
    return d["a"], d["b"]

# %% defaultdict_dict: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(dict)
    if x > 0:
        d["a"]["k"] = x
    return d["a"].get("k", 0)

# %% defaultdict_set: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(set)
    if x > 0:
        d["a"].add(1)
    return 1 in d["a"]

# %% new_key_list: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = [x]
    return d.get("a", [0])[0]

# %% new_key_then_append: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = []
        d["a"].append(x)
    return "a" in d

# %% if_not_in_then_append: (3,), (-3,), (5,)
def program(x):
    d = {}
    for i in range(4):
        k = "lo" if i < 2 else "hi"
        if i < x:
            if k not in d:
                d[k] = []
            d[k].append(i)
    return len(d.get("lo", [])), len(d.get("hi", []))

# %% setdefault_two_appends: (3,), (-3,), (5,)
def program(x):
    d = {}
    if x > 0:
        d.setdefault("a", []).append(x)
    if x > 4:
        d.setdefault("a", []).append(1)
    d.setdefault("a", []).append(2)
    return d["a"]

# %% defaultdict_then_sum: (3,), (-3,), (5,)
from collections import defaultdict

def program(x):
    d = defaultdict(list)
    for i in range(3):
        if x > i:
            d[i].append(x + i)
    return sum(d[0]) + sum(d[1]) + sum(d[2])
