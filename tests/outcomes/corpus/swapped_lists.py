# %% swap_then_write: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    a[0] = 5
    return a, b

# %% swap_then_write_other: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    b[1] = x
    return a, b

# %% swap_then_write_both: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    a[0] = 5
    b[0] = x
    return a[0], b[0], a[1], b[1]

# %% swap_then_append: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    a.append(5)
    return a, b

# %% swap_lengths: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4, 5]
    if x > 0:
        a, b = b, a
    a[0] = 5
    return a, b

# %% swap_third_name: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    c = a
    if x > 0:
        a, b = b, a
    a[0] = 5
    return a, b, c

# %% swap_arguments: ([1, 2], [3, 4], 3), ([1, 2], [3, 4], -3)
def program(a, b, x):
    if x > 0:
        a, b = b, a
    a[0] = 5
    return a, b

# %% swap_in_loop: (3,), (-3,), (4,)
def program(x):
    a, b = [1, 2], [3, 4]
    while x > 0:
        a, b = b, a
        a[0] = a[0] + 1
        x -= 1
    return a, b

# %% swap_in_loop_unwritten: (3,), (-3,), (4,)
def program(x):
    a, b = [1, 2], [3, 4]
    while x > 0:
        a, b = b, a
        x -= 1
    return a, b

# %% swap_in_loop_then_written: (3,), (-3,), (4,)
def program(x):
    a, b = [1, 2], [3, 4]
    while x > 0:
        a, b = b, a
        x -= 1
    a[0] = 9
    return a, b

# %% swap_dicts: (3,), (-3,)
def program(x):
    a, b = {"k": 1}, {"k": 2}
    if x > 0:
        a, b = b, a
    a["k"] = 5
    return a, b

# %% swap_write_in_if: (3,), (-3,), (30,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    if x > 10:
        a[0] = 5
    return a, b

# %% swap_tensor_items: (3,), (-3,)
def program(x):
    a, b = [x, 2], [3, x + 1]
    if x > 0:
        a, b = b, a
    a[0] = 5
    return a, b

# %% swap_expression: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    a, b = (b, a) if x > 0 else (a, b)
    a[0] = 5
    return a, b

# %% swap_three: (3,), (-3,)
def program(x):
    a, b, c = [1, 2], [3, 4], [5, 6]
    if x > 0:
        a, b, c = c, a, b
    a[0] = 9
    b[1] = x
    return a, b, c

# %% swap_rows: (3,), (-3,)
def program(x):
    m = [[1, 2], [3, 4]]
    if x > 0:
        m[0], m[1] = m[1], m[0]
    m[0][0] = 9
    return m

# %% swap_rows_loop: (3,), (-3,)
def program(x):
    m = [[1, 2], [3, 4], [5, 6]]
    for i in range(2):
        if x > i:
            m[i], m[i + 1] = m[i + 1], m[i]
        m[i][0] = x
    return m

# %% swap_attributes: (3,), (-3,)
class Pair:
    def __init__(self):
        self.a = [1, 2]
        self.b = [3, 4]

def program(x):
    p = Pair()
    if x > 0:
        p.a, p.b = p.b, p.a
    p.a[0] = 9
    return p.a, p.b

# %% swap_objects: (3,), (-3,)
class Box:
    def __init__(self, v):
        self.v = v

def program(x):
    a, b = Box(1), Box(2)
    if x > 0:
        a, b = b, a
    a.v = 9
    return a.v, b.v

# %% swap_then_augmented: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    a[0] += 5
    b[1] *= 2
    return a[0], a[1], b[0], b[1]

# %% swap_nested: (3,), (-3,), (30,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
        if x > 10:
            a, b = b, a
        a[1] = 7
    a[0] = 5
    return a, b

# %% swap_ping_pong: (3,), (-3,)
def program(x):
    old, new = [1, 2, 3], [0, 0, 0]
    for step in range(3):
        for i in range(3):
            new[i] = old[i] + 1
        if x > step:
            old, new = new, old
    return old, new

# %% alias_old: (3,), (-3,)
def program(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a = b
    a[0] = 5
    return a, b


# %% swapped_after_one_is_kept_by_key: (1, 1), (6, 0), (6, 1), (6, 2)
def program(x, n):
    v, w = [x, 2, 3], [4, 5, 6]
    d = {"r": v}
    if x > 5:
        d["r"] = w
    k = 0
    while k < n:
        v, w = w, v
        k += 1
    return v, d["r"]


# %% both_chosen: (1, 1), (1, -1), (-1, 1), (-1, -1)
def program(x, n):
    v, w = [x, 2, 3], [4, 5, 6]
    a = v if x > 0 else w
    b = v if n > 0 else w
    return a, b


# %% both_chosen_by_key: (1, 1), (1, -1), (-1, 1), (-1, -1)
def program(x, n):
    v, w = [x, 2, 3], [4, 5, 6]
    d = {"r": v, "s": w}
    if x > 0:
        d["r"] = w
    if n > 0:
        d["s"] = v
    return d["r"], d["s"]


# %% chosen_and_its_row: (1, 1), (-1, 1)
def program(x, n):
    v, w = [x, [2], 3], [4, [5], 6]
    a = v[1] if x > 0 else w[1]
    return v, a


# %% chosen_returned_twice: (1, 1), (-1, 1)
def program(x, n):
    v, w = [x, 2, 3], [4, 5, 6]
    a = v if x > 0 else w
    return a, {"a": a}


# %% chosen_among_others: (1, 1), (1, -1), (-1, 1), (-1, -1)
def program(x, n):
    v, w, p, q = [x, 2], [4, 5], [7, 8], [1, 1]
    a = v if x > 0 else w
    b = p if n > 0 else q
    return a, b
