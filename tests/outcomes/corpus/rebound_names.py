# %% identity_after_rebinding: (3,), (-3,)
A = [1, 2]
B = A


def program(x):
    if A is B:
        return x
    return -x


def between():
    global A
    A = [1, 2]


# %% identity_of_attribute_after_rebinding: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = {"a": 1}


B = Box()
FIRST = B.v


def program(x):
    return x if B.v is FIRST else -x


def between():
    B.v = {"a": 1}


# %% identity_becomes_true: (3,), (-3,)
A = [1, 2]
B = [1, 2]


def program(x):
    if A is not B:
        x = x * 2
    return x


def between():
    global A
    A = B


# %% identity_in_closure: (3,), (-3,)
def make():
    a = [0]
    first = a

    def program(x):
        return x if a is first else -x

    def between():
        nonlocal a
        a = [0]

    return program, between


program, between = make()


# %% row_returned_after_outer_list_is_rebound: (3,), (-3,)
G = [[0, 0], [0, 0]]


def program(x):
    return G[0]


def between():
    global G
    G = [[0, 0], [0, 0]]


# %% row_returned_with_value_after_rebinding: (3,), (-3,)
G = ([0, 0], [0, 0])


def program(x):
    return [G[0], x]


def between():
    global G
    G = ([0, 0], [0, 0])


# %% row_stored_elsewhere_after_rebinding: (3,), (-3,)
class Box:
    pass


H = [[{"a": 0}], 1]
SINK = Box()
SINK.v = None


def program(x):
    SINK.v = [H[0][0], x]


def between():
    global H
    H = [[{"a": 0}], 1]


# %% row_of_attribute_returned: (3,), (-3,)
class Box:
    def __init__(self):
        self.v = {"p": [1, 2]}


B = Box()


def program(x):
    return B.v["p"], x


def between():
    B.v = {"p": [1, 2]}


# %% second_name_comes_to_mean_the_written_list: (-3,), (-4,), (3,)
G = [0, 0]
K = [0, 0]


def program(x):
    if x > 0:
        G[0] = 5
    return K[0]


def between():
    global K
    G[0] = 0
    K = G


# %% second_name_comes_to_mean_the_written_list_in_closure: (3,), (-4,)
def make():
    g = [0, 0]
    k = [0, 0]

    def program(x):
        if x > 0:
            g[0] = 5
        return k[0]

    def between():
        nonlocal k
        g[0] = 0
        k = g

    return program, between


program, between = make()


# %% row_comes_to_mean_the_written_row: (3,), (-4,)
G = [[0, 0], [0, 0]]


def program(x):
    if x > 0:
        G[0][0] = 5
    return G[1][0]


def between():
    G[0][0] = 0
    G[1] = G[0]


# %% written_list_is_rebound: (3,), (-3,)
G = [0, 0]
FIRST = G


def program(x):
    if x > 0:
        G[0] = x


def between():
    global G
    G = list(G)


# %% grown_row_keeps_its_other_name: (3,), (-3,)
H = [[0, 0], 1]
FIRST = H[0]


def program(x):
    if x > 0:
        H[0].append(x)


# %% grown_row_in_nested_list_keeps_its_other_name: (3,), (-3,)
H = [[[0, 0]], 1]
FIRST = H[0][0]


def program(x):
    if x > 0:
        H[0][0].append(1)


# %% grown_row_in_dict_keeps_its_other_name: (3,), (-3,)
H = {"a": [0], "b": 1}
FIRST = H["a"]


def program(x):
    if x > 0:
        H["a"].append(1)
    return H


# %% grown_row_beside_a_new_item: (3,), (-3,)
H = [[0, 0], 1]
FIRST = H[0]


def program(x):
    if x > 0:
        H[0].append(x)
        H[1] = x
    return H[0], H


# %% grown_row_moved_to_another_position: (3,), (-3,)
H = [[0, 0], [1]]
FIRST = H[0]


def program(x):
    if x > 0:
        H[0].append(x)
    H[1] = H[0]
    return x


# %% grown_row_taken_out: (3,), (-3,)
H = [[0, 0], 1]
FIRST = H[0]


def program(x):
    r = H[0]
    if x > 0:
        r.append(x)
    H[0] = x
    return r
