"""Programs that read and assign items of Python's containers at an index that may be traced.

Each takes numbers. `CASES` has the program and the arguments, of which some lead to errors.
"""

NAMES = {3: 30, 5: 50, 7: 70}
TABLE = [[1, 2, 3], [4, 5, 6]]


def from_list(i):
    return [10, 20, 30][i] + 0


def from_tuple(i):
    return (10, 20, 30)[i] + 0


def from_range(i):
    return range(3, 30, 3)[i] + 0


def from_dict(i):
    return NAMES[i] + 0


def from_dict_or_default(i):
    return NAMES.get(i, -1) + 0


def from_table(i, j):
    return TABLE[i][j] + 0


def unpacked(i):
    a, b = [(1, 2), (3, 4)][i]
    return a * 10 + b


def in_one_branch(i):
    result = -1
    if i < 3:
        result = [10, 20, 30][i]
    return result + 0


def by_short_circuit(i):
    return i < 3 and [10, 20, 30][i] > 15


def of_equal_items(i):
    return [5, 5][i] + 0 * i


def swapped(i, j):
    t = [1, 2, 3]
    t[i], t[j] = t[j], t[i]
    return t[0] * 100 + t[1] * 10 + t[2]


def assigned(i, v):
    t = [1, 2, 3]
    t[i] = v
    return t[0] * 100 + t[1] * 10 + t[2]


def updated(i):
    t = [1, 2, 3]
    t[i] += 4
    return t[0] * 100 + t[1] * 10 + t[2]


def assigned_in_branch(i, v):
    t = [1, 2, 3]
    if v > 0:
        t[i] = v
    return t[0] * 100 + t[1] * 10 + t[2]


def assigned_in_dict(i, v):
    d = {1: 1, 2: 2}
    d[i] = v
    return d[1] * 10 + d[2]


def fibonacci(n):
    t = [0, 1, 0, 0, 0, 0]
    k = n * 0 + 2
    while k < n:
        t[k] = t[k - 1] + t[k - 2]
        k = k + 1
    return t[n - 1] + 0


INDICES = [(0,), (2,), (-1,), (-3,), (3,), (-4,)]
CASES = [
    (from_list, INDICES),
    (from_tuple, INDICES),
    (from_range, [(0,), (8,), (-9,), (9,), (-10,)]),
    (from_dict, [(3,), (7,), (4,)]),
    (from_dict_or_default, [(3,), (7,), (4,)]),
    (from_table, [(0, 0), (1, 2), (-1, -3), (2, 0), (0, 3)]),
    (unpacked, [(0,), (1,), (-1,), (2,)]),
    (in_one_branch, [(0,), (2,), (3,), (-4,)]),
    (by_short_circuit, [(0,), (1,), (3,), (-4,)]),
    (of_equal_items, [(0,), (1,), (2,)]),
    (swapped, [(0, 2), (1, 1), (-1, 0), (0, 3)]),
    (assigned, [(0, 7), (2, 8), (-2, 9), (3, 1), (-4, 1)]),
    (updated, INDICES),
    (assigned_in_branch, [(0, 7), (2, -8), (3, -1), (3, 1)]),
    (assigned_in_dict, [(1, 7), (2, 8)]),
    (fibonacci, [(3,), (6,), (2,), (7,)]),
]
"""Programs, and arguments: the last ones of most of them lead to errors."""


def strings(i):
    return ["a", "b"][i]


def of_two_shapes(i, x):
    return [x, (x, x)][i]


def objects(i):
    return [object(), object()][i]


def sliced(i):
    return len([1, 2, 3][:i])


def key_of_two(i):
    return {(1, 2): 3}[i, 2]


def functions(i):
    return [abs, float][i](2)


REFUSED = [
    (functions, (1,), "Loop over the items: `for i, each in enumerate"),
    (strings, (1,), "the Python str 'a' at one index"),
    (of_two_shapes, (1, 2.0), "at one index"),
    (objects, (1,), "an item of a list or dict is a object"),
    (sliced, (1,), "a list of Python's is sliced"),
    (key_of_two, (1,), "a key of a dict is a tuple"),
]


def outcome(function, arguments):
    """What plain Python gives: a number, or the name of an error and its line."""
    try:
        return function(*arguments)
    except Exception as error:
        line = error.__traceback__.tb_next.tb_lineno
        return type(error).__name__, f"line {line}, in {function.__name__}"
