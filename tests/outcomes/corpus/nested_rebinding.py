# %% alternating_objects: (3,), (-3,)
class A:
    def __init__(self, v):
        self.row = [v, 0]
def change(o, x):
    if x > 0:
        o.row = [x, x]
    else:
        o.row[1] = x
def program(x):
    a, b = A(1), A(2)
    k = a.row
    if x > 1:
        change(a, x)
        if x > 2:
            change(b, -x)
            change(a, x + 1)
    change(b, x)
    return a.row, b.row, k

# %% loop_alternating: (3,), (-3,), (0,)
class A:
    def __init__(self, v):
        self.row = [v, 0]
def program(x):
    objs = [A(1), A(2)]
    old = objs[0].row
    for i in range(2):
        if x > i:
            if x > i + 1:
                objs[i].row = [x, i]
            objs[1 - i].row[0] += 1
    return [o.row for o in objs], old

# %% first_rebinds_second_changes: (3,), (-3,)
class A:
    def __init__(self):
        self.row = [1]
def step(o, k, x):
    if k == 0:
        if x > 0:
            o.row = [x]
    else:
        if x > 0:
            o.row[0] += 1
def program(x):
    o = A()
    keep = o.row
    if x > 1:
        step(o, 1, x)
        step(o, 0, x)
        step(o, 1, x)
    return o.row, keep, o.row is keep if x is None else 0

# %% swapped_in_nested: (3,), (-3,), (1,)
def program(x):
    d = {"a": [1], "b": [2]}
    v = d["a"]
    if x > 0:
        if x > 1:
            d["a"], d["b"] = d["b"], d["a"]
            if x > 2:
                d["a"][0] = 9
        d["b"][0] += 5
    return d, v

# %% recursion_over_objects: (3,), (-3,)
class N:
    def __init__(self, v, kids=()):
        self.v, self.kids = v, list(kids)
        self.seen = [0]
def walk(n, x):
    if n.v < x:
        n.seen = [x]
        for k in n.kids:
            walk(k, x - 1)
    else:
        n.seen[0] += 1
def program(x):
    t = N(1, [N(0, [N(5)]), N(2)])
    walk(t, x)
    return t.seen, [k.seen for k in t.kids], t.kids[0].kids[0].seen

# %% while_rebinding: (3,), (0,), (5,)
class A:
    def __init__(self):
        self.row = [0]
def program(x):
    o, p = A(), A()
    while x > 0:
        if x > 2:
            if x > 3:
                o.row = [x]
            else:
                p.row = o.row
            o.row[0] += 1
        x -= 1
    return o.row, p.row
