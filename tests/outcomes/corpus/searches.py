# %% index_from: (3,), (1,), (5,)
def program(x):
    v = [5, 3, 1, 3]
    return v.index(x, 1)

# %% index_between: (3,), (1,), (5,)
def program(x):
    return (5, 3, 1, 3).index(x, -3, 3), [x, 2, x].index(x, 1)

# %% index_between_is_missing: (3,), (1,)
def program(x):
    return [x, 3, 1].index(3, 2)

# %% index_too_many: (3,)
def program(x):
    return [5, x].count(x, 1)

# %% index_bounds_of_attr: (3,), (2,)
def program(x):
    v = [1, 2, 3, 2]
    first = v.index(2)
    return v.index(x, first + 1) if x != 3 else v.index(x)

# %% zip_text: ((1, 2, 3),), ((3, 2, 1),)
def program(xs):
    t = 0
    label = ""
    for ch, x in zip("abc", xs):
        if x > 1:
            label += ch
            t += x
    return t, label

# %% zip_text_list: ((1, 2, 3),)
def program(xs):
    return [(c, x) for c, x in zip("abc", xs)]

# %% zip_names_dict: ((1, 2, 3),)
def program(xs):
    return dict(zip(["a", "b", "c"], xs))

# %% sorted_partial_dict: (3,), (-3,)
def program(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    return sorted(d)

# %% max_partial_set: (3,), (-3,)
def program(x):
    d = {1}
    if x > 0:
        d.add(2)
    return max(d)

# %% join_map: (3,), (0,)
def program(n):
    v = []
    for i in range(n):
        v.append(i)
    return ",".join(map(str, v))

# %% join_list: (3,), (0,)
def program(n):
    v = []
    for i in range(n):
        v.append(i)
    return ",".join([str(a) for a in v])
