# %% sequence_pattern_of_tensor: ((0, 5),), ((1, 5),)
def program(c):
    match c:
        case [0, n]:
            return n
        case [_, n]:
            return -n
    return -100

# %% star_pattern_of_tensor: ((0, 5),), ((1, 5, 6),)
def program(c):
    match c:
        case [first, *_]:
            return first
    return -100

# %% sequence_pattern_of_scalar: (4,), (0,)
def program(c):
    match c:
        case [_, n]:
            return n
        case _:
            return c + 1

# %% pattern_of_items: ((0, 5),), ((1, 5),), ((2, 5),)
def program(c):
    match (c[0], c[1]):
        case (0, n):
            return n
        case (1, n):
            return n + 10
        case _:
            return -1

# %% pattern_of_truth_values: (3, -1), (0, 0), (1, 1)
def program(x, y):
    match (bool(x > 0), bool(y > 0)):
        case (True, True):
            return 1
        case (True, False):
            return 2
        case _:
            return 3

# %% sequence_pattern_of_list_of_tensors: (4, 2), (0, 3)
def program(a, b):
    row = [a, b]
    match row:
        case [x, y]:
            return x - y
    return -1
