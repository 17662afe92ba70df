# %% early_return_of_sorted: (3, (1, -2, 4)), (-3, (1, 0, 2)), (3, (-1, 0, 2))
def program(x, xs):
    v = sorted(list(xs))
    if x > 0:
        if xs[0] > 0:
            return 1, v
    return 2, v
# %% early_return_of_sorted_in_loop: (3, (1, -2, 4)), (-3, (1, 0, 2)), (1, (-1, 0, 2))
def program(x, xs):
    v = sorted(xs)
    for i in range(x):
        if xs[0] > i:
            return i, [v, [x, 1]]
        v = sorted(v, key=lambda z: -z)
    return 2, [v, [1, 1]]
# %% early_return_of_enumerated: (3, (1, -2, 4)), (-3, (1, 0, 2)), (3, (-1, 0, 2))
def program(x, xs):
    v = [z for _, z in sorted(enumerate(xs), key=lambda z: -z[1])]
    if x > 0:
        return 1, v
    return 2, v
# %% early_return_of_a_set_list: (3, (1, -2, 4)), (-3, (1, 0, 2)), (3, (-1, 0, 2))
def program(x, xs):
    v = sorted(list(xs))
    r = None
    if x > 0:
        if xs[0] > 0:
            r = (1, v, [x])
    return 0 if r is None else r[1][0], r
