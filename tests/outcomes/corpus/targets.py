# %% swap_of_tensor_elements: ((1, 2),), ((3, 3),)
def program(xs):
    v = [xs[0], xs[1]]
    v[0], v[1] = v[1], v[0]
    return v


# %% swap_in_branch: (3,), (-3,)
def program(x):
    v = [1, 2]
    if x > 0:
        v[0], v[1] = v[1], v[0]
    return v


# %% swap_by_index: (1,), (2,)
def program(i):
    v = [1, 2, 3]
    v[0], v[i] = v[i], v[0]
    return v


# %% swap_of_tensor: ((1, 2, 3),), ((4, 5, 6),)
def program(x):
    x[0], x[1] = x[1], x[0]
    return x


# %% element_of_tensor: ((1, 2, 3),), ((4, 5, 6),)
def program(x):
    y = x
    y[0] = 9
    return y


# %% chained: (3,), (-3,)
def program(x):
    v = [0, 0]
    if x > 0:
        a = v[0] = x
    else:
        a = v[1] = -x
    return a, v


# %% chained_elements: (3,), (-3,)
def program(x):
    v = [0, 0]
    v[0] = v[1] = x
    return v


# %% for_target_element: (3,), (0,)
def program(n):
    v = [-1]
    for v[0] in range(n):
        pass
    return v


# %% for_target_attribute: (3,), (0,)
class Box:
    i = -1


def program(n):
    box = Box()
    for box.i in range(n):
        pass
    return box.i


# %% for_target_pair: ((1, 2),), ((3, 4),)
def program(xs):
    v = [0, 0]
    for v[0], v[1] in [(xs[0], 1), (xs[1], 2)]:
        pass
    return v


# %% element_of_attribute: (1,), (0,)
class Box:
    def __init__(self):
        self.w = [0, 0]

    def put(self, i, v):
        self.w[i] = v


def program(i):
    box = Box()
    box.put(i, 5)
    return box.w


# %% element_of_attribute_in_branch: (3,), (-3,)
class Box:
    def __init__(self):
        self.w = [0, 0]

    def put(self, v):
        if v > 0:
            self.w[0] = v


def program(x):
    box = Box()
    box.put(x)
    return box.w


# %% element_in_dict: (3,), (-3,)
def program(x):
    d = {"w": [0, 0]}
    if x > 0:
        d["w"][0] = x
    return d


# %% element_in_dict_by_index: (1,), (0,)
def program(i):
    d = {"w": [0, 0]}
    d["w"][i] = 5
    return d


# %% attribute_of_element: (3,), (-3,)
class Box:
    v = 0


def program(x):
    boxes = [Box(), Box()]
    if x > 0:
        boxes[1].v = x
    return boxes[0].v, boxes[1].v


# %% deep: (3,), (-3,)
class Box:
    def __init__(self):
        self.d = {"k": [[0], [1]]}


def program(x):
    box = Box()
    if x > 0:
        box.d["k"][1][0] = x
    return box.d


# %% augmented_deep: (3,), (-3,)
class Box:
    def __init__(self):
        self.d = {"k": [[5], [6]]}


def program(x):
    box = Box()
    if x > 0:
        box.d["k"][1][0] += x
    return box.d


# %% augmented_by_index: (1,), (0,)
def program(i):
    v = [1, 2, 3]
    v[i] *= 10
    return v


# %% augmented_evaluates_once: (3,), (-3,)
def program(x):
    calls = [0]
    v = [1, 2]

    def index():
        calls[0] += 1
        return 0

    if x > 0:
        v[index()] += 5
    return v, calls


# %% star_target: (3,), (-3,)
def program(x):
    v = [0, 0]
    if x > 0:
        v[0], *rest = [x, 1, 2]
    else:
        rest = [3, 4]
    return v, rest


# %% nested_target: (3,), (-3,)
def program(x):
    v = [0, 0, 0]
    if x > 0:
        v[0], (v[1], v[2]) = x, (1, 2)
    return v


# %% slice_target: (3,), (-3,)
def program(x):
    v = [0, 0, 0]
    if x > 0:
        v[0:2] = [x, x + 1]
    return v


# %% stepped_slice_target: (3,), (-3,)
def program(x):
    v = [0, 0, 0, 0]
    if x > 0:
        v[::2] = [x, x]
    return v


# %% slice_target_other_length: (3,), (-3,)
def program(x):
    v = [0, 0, 0]
    if x > 0:
        v[:1] = [1, 2, 3]
    return len(v)


# %% walrus_and_element: (3,), (-3,)
def program(x):
    v = [0]
    if (y := x + 1) > 0:
        v[0] = y
    return v, y


# %% with_target_element: (3,), (-3,)
import contextlib


def program(x):
    v = [0]
    with contextlib.nullcontext(x) as v[0]:
        if x > 0:
            v[0] += 1
    return v


# %% del_target_element: (3,), (-3,)
def program(x):
    v = {"a": 1, "b": x}
    del v["a"]
    if x > 0:
        v["b"] = 0
    return v


# %% order_of_evaluation: (3,), (-3,)
def program(x):
    log = []

    def t(k):
        log.append(k)
        return k

    v = [0, 0]
    v[t(0)], v[t(1)] = t(2) + x, t(3)
    return v, log


# %% index_changes_in_same_statement: (1,), (0,)
def program(x):
    v = [0, 0, 0]
    i = 0
    i, v[i] = 2, 5
    if x > 0:
        i, v[i] = 1, 9
    return v, i


# %% rotate_three: (3,), (-3,)
def program(x):
    v = [1, 2, 3]
    if x > 0:
        v[0], v[1], v[2] = v[1], v[2], v[0]
    return v


# %% reverse_in_loop: (2,), (0,)
def program(n):
    v = [1, 2, 3, 4]
    i = 0
    while i < n:
        v[i], v[3 - i] = v[3 - i], v[i]
        i += 1
    return v


# %% bubble_sort: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    v = [xs[0], xs[1], xs[2]]
    for i in range(3):
        for j in range(2 - i):
            if v[j] > v[j + 1]:
                v[j], v[j + 1] = v[j + 1], v[j]
    return v


# %% insertion_sort: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    v = [xs[0], xs[1], xs[2]]
    for i in range(1, 3):
        key = v[i]
        j = i - 1
        while j >= 0 and v[j] > key:
            v[j + 1] = v[j]
            j -= 1
        v[j + 1] = key
    return v


# %% selection_sort: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    v = [xs[0], xs[1], xs[2]]
    for i in range(3):
        m = i
        for j in range(i + 1, 3):
            if v[j] < v[m]:
                m = j
        v[i], v[m] = v[m], v[i]
    return v


# %% bubble_sort_of_tensor: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    xs = list(xs)
    n = len(xs)
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


# %% partition: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    v = list(xs)
    pivot, i = v[2], 0
    for j in range(2):
        if v[j] < pivot:
            v[i], v[j] = v[j], v[i]
            i += 1
    v[i], v[2] = v[2], v[i]
    return v, i


# %% tensor_element_in_loop: ((0, 0, 0),), ((1, 1, 1),)
def program(xs):
    v = list(xs)
    for i in range(3):
        v[i] = v[i] + i
    return v


# %% unpack_into_attributes: (3,), (-3,)
class Box:
    a = 0
    b = 0


def program(x):
    box = Box()
    if x > 0:
        box.a, box.b = x, box.a + 1
    return box.a, box.b


# %% dict_swap: (3,), (-3,)
def program(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d["a"], d["b"] = d["b"], d["a"]
    return d


# %% global_element: (3,), (-3,), (4,)
V = [0, 0]


def program(x):
    if x > 0:
        V[0], V[1] = x, V[0]
    return x


# %% nested_list_swap_rows: (3,), (-3,)
def program(x):
    g = [[1], [2]]
    if x > 0:
        g[0], g[1] = g[1], g[0]
    g[0][0] = 9
    return g


# %% annotated_element: (3,), (-3,)
def program(x):
    v = [0]
    if x > 0:
        v[0]: int = x
    return v


# %% starred_call_result: (3,), (-3,)
def pair(x):
    return x, x + 1


def program(x):
    v = [0, 0]
    if x > 0:
        v[0], v[1] = pair(x)
    return v


# %% enumerate_into_elements: ((5, 6),), ((7, 8),)
def program(xs):
    v = [0, 0]
    for v[0], v[1] in enumerate(xs):
        pass
    return v
