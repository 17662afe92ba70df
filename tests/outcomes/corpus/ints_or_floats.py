# %% text_of_int_or_float: (3,), (-3,)
def program(x):
    y = 0.5
    if x > 0:
        y = 1
    return f"{y}", str(y + 1), repr(y)

# %% text_of_mean_or_zero: ((4, 2),), ((-4, -2),)
def program(xs):
    mean = 0
    if xs[0] > 0:
        mean = xs[0] / 2
    return f"mean {mean}"

# %% text_of_mean_or_zero_with_digits: ((4, 2),), ((-4, -2),)
def program(xs):
    mean = 0
    if xs[0] > 0:
        mean = xs[0] / 2
    return f"mean {mean:.2f}", "%.1f" % mean

# %% text_of_least: ((4, 2),), ((3, 3),)
def program(xs):
    best = float("inf")
    for x in xs:
        if x < best:
            best = x
    return f"least {best}"

# %% text_of_sum_of_floats: ((1.5, 2.5),), ((-1.5, 0.0),)
def program(xs):
    total = 0
    for x in xs:
        total += x
    return f"sum {total}"

# %% text_of_sum_that_may_be_empty: (3,), (0,)
def program(n):
    total = 0
    for i in range(n):
        total += i * 0.5
    return f"sum {total}"

# %% text_of_quotient: (1,), (0,)
def program(x):
    y = 0.5
    if x > 0:
        y = 1
    return str(y / 2), f"{y > 0}"

# %% text_of_item: (1,), (0,)
def program(x):
    return str([1, 0.5][x])

# %% text_of_growing_list: (1,), (0,)
def program(x):
    out = []
    for i in range(x + 1):
        if i > 0:
            out.append(1)
        else:
            out.append(0.5)
    return str(out)

# %% text_of_list_that_gets_an_int: (2,), (0,)
def program(x):
    out = []
    for i in range(x):
        out.append(i * 0.5)
    out.append(1)
    return str(out)

# %% text_of_greater_one: (1.5,), (-2.0,)
def program(x):
    y = max(0, x)
    return f"{y:.1f} or {y:>5}"

# %% type_of_int_or_float: (1,), (0,)
def program(x):
    y = 0.5
    if x > 0:
        y = 1
    return isinstance(y, int)

# %% kind_of_int_or_float: (1,), (0,)
def program(x):
    y = 0.5
    if x > 0:
        y = 1
    return isinstance(y, (str, list)), y + 1

# %% printed_int_or_float: (1,), (0,)
def program(x):
    y = 0.5
    if x > 0:
        y = 1
    if x < 5:
        print("y", y)
    return 0

# %% attribute_as_text: (3,), (-3,)
class Record:
    def __init__(self):
        self.v = 0
def program(x):
    r = Record()
    if x > 0:
        r.v = 2.5
    return f"{r.v}"
