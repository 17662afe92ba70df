# %% text_slices: (1,), (0,), (-1,), (9,)
def program(i):
    s = "hello"
    return s[i:], s[:i], s[i:4], s[::i] if False else s[::-1]

# %% text_times: (2,), (0,), (-1,)
def program(n):
    s = "abc" if n > 0 else "de"
    return s * 2, 3 * s, s * n, n * s

# %% truths_as_numbers: (3,), (-3,)
def program(x):
    a = x > 0
    return a == 1, a == 0, a != 1, a < 1, a >= 0.5, 1 == a, a == 2, a == True

# %% inverted_truth: (3,), (-3,)
def program(x):
    flag = False
    if x > 0:
        flag = True
    return ~flag, -flag, flag + 1, not flag

# %% members_of_other_types: (3,), (-3,)
def program(x):
    v = []
    for k in range(2):
        v.append(x + k)
    return x in (1.0, 3.0), x in [0.5], x in [2 ** 40, 3], 3.0 in v, 2.5 in v, [2 ** 40, x].count(3)

# %% members_float: (3.0,), (-3.0,)
def program(x):
    return x in (1, 3), x in [0.5, -3], [1, 3].count(x), x in range(5)

# %% keys_of_other_types: (3,), (-3,)
def program(x):
    return x in {3.0: 1}, {3: 1, 2 ** 40: 2}.get(x, 0)
