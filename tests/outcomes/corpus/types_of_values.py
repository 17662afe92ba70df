# %% carried_number_is_an_int: (3,), (-3,)
def program(x):
    n = 0
    while x > 0:
        n += 1
        x -= 1
    return isinstance(n, int), type(n) is int, type(n) == int, isinstance(n, float)

# %% number_dispatched_by_type: (3,), (-3,)
def scaled(value):
    if isinstance(value, int):
        return value * 2
    if isinstance(value, str):
        return 7
    return 0
def program(x):
    n = 1
    for _ in range(x):
        n += 2
    return scaled(n)

# %% chosen_float: (3,), (-3,)
def program(x):
    step = 0.5 if x > 0 else 1.5
    if isinstance(step, int):
        return 1
    if type(step) is float:
        return 2
    return 3

# %% int_or_float: (3,), (-3,)
def program(x):
    step = 1 if x > 0 else 2
    return isinstance(step, (list, int, float)), isinstance(step, (str, tuple))

# %% chosen_text: (3,), (-3,)
def program(x):
    name = "positive" if x > 0 else "other"
    return isinstance(name, str), type(name) is str, type(name) == str, isinstance(name, bytes)

# %% formatted_text: (3,), (-3,)
def program(x):
    text = f"{x}"
    return isinstance(text, str) and type(text) is str

# %% length_of_a_growing_list: (3,), (-3,)
def program(x):
    items = [1]
    if x > 0:
        items.append(2)
    return isinstance(len(items), int), type(len(items)) is int, isinstance(items, list)

# %% tables_by_type: (3,), (-3,)
def program(x):
    n = 2 if x > 0 else 3
    return {int: 5, str: 6}[type(n)]

# %% made_by_type: (3,), (-3,)
def program(x):
    n = 2 if x > 0 else 3
    return type(n)(7) + n

# %% abstract_number: (3,), (-3,)
import numbers
def program(x):
    n = 2 if x > 0 else 3
    return isinstance(n, numbers.Number), isinstance(n, numbers.Integral)

# %% none_or_number: (3,), (-3,)
def program(x):
    n = None
    if x > 0:
        n = 3
    return isinstance(n, int)

# %% matched_by_class: (3,), (-3,)
def program(x):
    n = 2 if x > 0 else 3
    match n:
        case str():
            return 1
        case int():
            return 2
        case _:
            return 3

# %% types_of_two_values: (3,), (-3,)
def program(x):
    n = 2 if x > 0 else 3
    m = 4 if x > 1 else 5
    return type(n) is type(m), type(n) is type("a")

# %% plain_values: (3,), (-3,)
def program(x):
    k = 3
    return isinstance(k, int), type(k) is int, isinstance("a", (str, bytes))
