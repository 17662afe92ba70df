# %% first_that_fits: (0,), (2,), (9,)
def program(x):
    v = [1, 2, 3]
    return next(e for e in v if e > x)


# %% its_position: ((1, 2, 3), 2), ((3, 1, 2), 2), ((0, 0, 0), 2)
def program(xs, x):
    return next(i for i, e in enumerate(xs) if e >= x)


# %% element_computed: ((1, -2, 3), 2), ((-3, -1, -2), 2)
def program(xs, x):
    return next(e * x + 1 for e in xs if e < 0) + x


# %% object_with_a_key: (1,), (3,), (7,)
class Item:
    def __init__(self, key, value):
        self.key = key
        self.value = value


def program(x):
    items = [Item(1, 10), Item(3, 30), Item(5, 50)]
    return next(each for each in items if each.key == x).value


# %% in_a_branch: (1, 1), (-1, 1), (1, 9)
def program(x, y):
    v = [1, 2, 3]
    if x > 0:
        return next(e for e in v if e > y)
    return 0


# %% in_a_loop: (2,), (0,), (4,)
def program(x):
    v = [1, 2, 3]
    total = 0
    for i in range(x):
        total += next(e for e in v if e > i)
    return total


# %% handled: (2,), (9,)
def program(x):
    v = [1, 2, 3]
    try:
        return next(e for e in v if e > x)
    except StopIteration:
        return -1


# %% of_pairs: (2,), (9,)
def program(x):
    v = {"a": 1, "b": 2, "c": 3}
    return next(value for key, value in v.items() if value == x)


# %% effect_before: (2,), (9,)
def program(x):
    log = []
    v = [1, 2, 3]
    y = next(e for e in v if (log.append(e) or e) > x)
    return y, log


# %% of_one_branch_only: (2, 1), (9, -1)
def program(x, y):
    v = [1, 2, 3]
    return next(e for e in v if e > x) if y > 0 else y


# %% of_nothing: (1,)
def program(x):
    return next(e + x for e in ())


# %% without_condition: (1,)
def program(x):
    v = [x, 2, 3]
    return next(e + x for e in v)


# %% stop_in_the_element: (1,)
def program(x):
    it = iter([1, 2, 3])
    return sum(next(it) for _ in range(4)) + x


# %% stop_in_the_condition: (1,)
def program(x):
    it = iter([1, 2, 3])
    return next((e for e in range(5) if next(it) > 5), x)
