# %% least_of_ints_from_infinity: ((5, 2, 9, 1),), ((3, 3, 3, 3),), ((16777217, 16777219),)
def program(xs):
    best = float("inf")
    for x in xs:
        if x < best:
            best = x
    return best

# %% greatest_of_ints_with_place: ((5, 2, 9, 1),), ((-3, -4, -3, -9),)
import math
def program(xs):
    best, place = -math.inf, -1
    for i, x in enumerate(xs):
        if x > best:
            best, place = x, i
    return best, place

# %% least_of_ints_from_maxsize: ((1, 2),), ((-1, 7),)
import sys
def program(xs):
    best, place = sys.maxsize, -1
    for i, x in enumerate(xs):
        if x < best:
            best, place = x, i
    return best, place

# %% none_found_in_a_while: (3,), (-3,)
def program(x):
    best = 2 ** 40
    i = 0
    while i < x:
        best = min(best, i * x)
        i += 1
    return best

# %% wide_int_of_one_branch: (3,), (-3,)
def program(x):
    y = 10 ** 12
    if x > 0:
        y = x
    return y

# %% wide_int_returned: (3,), (-3,)
def chosen(x):
    if x > 0:
        return x
    return 2 ** 33
def program(x):
    return chosen(x), x if x > 0 else -(10 ** 12)

# %% wide_int_of_a_loop: (3,), (-3,)
def program(x):
    y = -2 ** 40
    for _ in range(x):
        y = x
    return y

# %% wide_int_in_attribute: (3,), (-3,)
class Record:
    pass
def program(x):
    r = Record()
    r.best = 2 ** 31
    if x > 0:
        r.best = x
    return r.best

# %% wide_int_in_list_and_dict: (3,), (-3,)
def program(x):
    v, d = [2 ** 31, 1], {"a": -2 ** 31 - 1}
    if x > 0:
        v[0] = x
        d["a"] = x
    return v, d

# %% wide_int_chosen_from_list: (1,), (0,)
def program(i):
    v = [i, 2 ** 40, 3]
    return v[i]

# %% compared_with_wide_numbers: (3,), (-3,)
def program(x):
    return x < 10 ** 12, x > -(10 ** 100), x == 2 ** 32 + 3, 0.5 < x, x != 3.0, x <= 2.5

# %% grades_by_float_limits: (95,), (89,), (3,)
def program(score):
    if score >= 89.5:
        return "A"
    elif score >= 49.5:
        return "B"
    return "C"

# %% least_and_greatest_with_floats: (3,), (-3,)
def program(x):
    return min(x, 0.5), max(0.5, x), max(x, -(2 ** 40)), min(2 ** 40, x)


# %% extremes_beyond_64_bits: (1,), (-2,)
def program(x):
    w = 10**20
    return max(w, x), min(w, x), max(x, -w), min(x, -w), max(2**63, x), min(x, w, 5), max(x, w, 5)


# %% extreme_then_used: (1,), (-2,)
def program(x):
    w = max(10**20, x)
    return w // 10**15, w % 7


# %% smallest_so_far_from_beyond: ((3, 1, 2),), ((-1, 5, 0),)
def program(xs):
    best = 10**20
    for x in xs:
        best = min(best, x)
    return best


# %% largest_so_far_from_below: ((3, 1, 2),), ((-1, -5, -3),)
def program(xs):
    best = -(10**20)
    for x in xs:
        best = max(x, best)
    return best

# %% opposite_of_least_int_unless_replaced: ((1, 2),), ((-1, 7),)
import sys
def program(xs):
    best = -sys.maxsize - 1
    for x in xs:
        if x < best:
            best = x
    return -best

# %% size_of_least_int_unless_replaced: ((1, 2),), ((-1, 7),)
import sys
def program(xs):
    best = -sys.maxsize - 1
    for x in xs:
        if x < best:
            best = x
    return abs(best)

# %% opposite_of_an_int_that_a_tensor_may_replace: (3,), (-3,), (0,)
def program(x):
    best = 7
    if x < 0:
        best = x
    return -best, abs(best), -abs(-best)
