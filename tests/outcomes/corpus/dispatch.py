# %% functions_by_name: (3,), (-3,)
import operator

def program(x):
    table = {"+": lambda a, b: a + b, "-": operator.sub}
    name = "+" if x > 0 else "-"
    return table[name](x, 2)

# %% functions_by_number: (0, -3), (1, -3), (2, -3), (5, -3)
def increased(x):
    return x + 1

def program(i, x):
    return [increased, abs, lambda v: -v][i](x)

# %% functions_in_a_loop: (0, 3), (5, -3), (7, 2)
def increased(x):
    return x + 1

def program(n, x):
    i = 0
    while i < n:
        x = [increased, abs, lambda v: v * 2][i % 3](x)
        i += 1
    return x

# %% instructions: ([0, 1, 2, 2], -5), ([2], 3)
def increased(x):
    return x + 1

def program(code, x):
    table = {0: increased, 1: abs, 2: lambda v: v * 2}
    for each in code:
        x = table[each](x)
    return x

# %% function_or_none: (0, -3), (1, -3), (2, -3)
def program(i, x):
    f = [abs, None, lambda v: v + 1][i]
    if f is None:
        return 0
    return f(x)

# %% members_by_number: (0,), (1,), (2,)
import enum

class Color(enum.Enum):
    RED = 1
    GREEN = 2

def program(i):
    c = [Color.RED, Color.GREEN, Color.RED][i]
    return c.value, c is Color.RED

# %% methods_with_effects: (0,), (1,)
class Account:
    def __init__(self, n):
        self.n = n

    def add(self):
        self.n += 1
        return self.n

    def double(self):
        self.n *= 2
        return self.n

def program(i):
    account = Account(3)
    result = [account.add, account.double][i]()
    return result, account.n

# %% methods_of_two_objects: (0,), (1,)
class Account:
    def __init__(self, n):
        self.n = n

    def add(self, k):
        self.n += k

def program(i):
    one, other = Account(3), Account(5)
    put = [one.add, other.add][i]
    put(2)
    put(i)
    return one.n, other.n

# %% classes_by_number: (0,), (1,)
def program(i):
    return [int, float][i](3.75)

# %% functions_with_effects: (1,), (-1,)
def program(x):
    log = [0, 0]

    def first():
        log[0] += 1

    def second():
        log[1] += x

    {True: first, False: second}[x > 0]()
    return log

# %% chosen_then_compared: (0,), (1,)
def program(i):
    f = [abs, max][i]
    return f is abs, f == max

# %% one_function_twice: (0, -2), (1, -2), (2, -2)
def program(i, x):
    same = lambda v: v * 3
    f = [same, abs, same][i]
    return f(x), f is same
