# %% index_error_in_and: (-1,), (1,)
def program(x):
    xs = []
    if x > 0 and xs[0] > 1:
        return 5
    return 1

# %% index_error_at_tensor_in_and: (-1,), (1,)
def program(x):
    xs = []
    return x > 0 and xs[x] > 1

# %% key_error_in_or: (-1,), (1,)
def program(x):
    d = {}
    return x > 0 or d["a"]

# %% key_error_after_membership: (3,), (1,)
def program(x):
    d = {}
    if x in d and d[x] >= 0:
        return d[x]
    return x

# %% division_in_and: (-1,), (1,)
def program(x):
    return x > 0 and 1 // 0 > 1

# %% nested_operands: (-1, 1), (1, -1), (1, 1), (1, 9)
def program(x, y):
    xs = []
    return x > 0 and (y > 0 and (y > 3 or xs[0] > 1) or y < 5)

# %% operand_with_effect_before_error: (1,), (-1,)
def program(x):
    d, n = {}, []
    if x > 0 or n.append(1) or d["k"] > 0:
        return n
    return [2]

# %% chain_that_raises: (1,), (-1,)
def program(x):
    xs = []
    return 0 < x < xs[0]

# %% while_test_that_raises: (1,), (5,), (0,)
def program(x):
    xs = [3, 4]
    i = 0
    while i < x and xs[i] > 0:
        i += 1
    return i

# %% all_of_items_that_raise: (1,), (9,), (2,)
def program(x):
    xs = [1, 2]
    return all(xs[i] < x for i in [0, 1, 2])

# %% any_of_items_that_raise: (1,), (-1,), (9,)
def program(x):
    return any(x > i and 1 // (i - 1) > 0 for i in [1, 2])

# %% own_error_in_operand: (1,), (-1,)
class Closed(Exception):
    pass
def read(x):
    raise Closed("closed", 3)
def program(x):
    return x > 0 and read(x)

# %% handled_error_in_operand: (1,), (-1,)
def program(x):
    d = {}
    try:
        return x > 0 and d[1]
    except KeyError:
        return 5
